"""A store that is away is reported in a few lines with the reason, not in twenty per second."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
import structlog
from redis import Redis

from fourfold.server.storage import trouble
from fourfold.server.storage.trouble import AGAIN, TroubleReporter
from tests.conftest import some
from tests.server.conftest import node
from tests.server.storage.test_safety import until_ready_is

Dial = Any  # see conftest


def test_it_is_told_at_once_now_and_then_and_at_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = 0.0
    monkeypatch.setattr(trouble, "monotonic", lambda: clock)
    told = TroubleReporter("here")
    with structlog.testing.capture_logs() as logs:
        told.over()
        for _ in range(300):  # for 30 s
            told.tell("gone")
            clock += 0.1
        told.over()
        told.over()
    assert [entry["event"] for entry in logs] == ["store in trouble"] * 3 + ["store well again"]
    assert logs[0]["reason"] == "gone"
    assert logs[1]["seconds"] == pytest.approx(AGAIN, abs=0.2)
    assert logs[-1]["seconds"] == pytest.approx(30, abs=0.2)


def test_another_reason_is_told_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = 0.0
    monkeypatch.setattr(trouble, "monotonic", lambda: clock)
    told = TroubleReporter("here")
    with structlog.testing.capture_logs() as logs:
        for number in range(40):  # for 4 s
            told.tell("gone" if number % 2 else "loading")
            clock += 0.1
    assert 2 <= len(logs) <= 5


@pytest.mark.slow
@pytest.mark.parametrize("harm", some(1, "gone", "full"))
async def test_a_store_in_trouble_is_told_of_in_some_lines(
    dial: Dial, frail_store: Any, tmp_path: Path, harm: str
) -> None:
    with structlog.testing.capture_logs() as logs:
        async with node(frail_store.url, tmp_path) as address:
            white, black = await dial(at=address), await dial(at=address)
            room = (await white.asks("create", clock={"base": 600_000}))["room"]
            for wire in (white, black):
                await wire.asks("join", room=room)
            logs.clear()
            if harm == "gone":
                frail_store.kill()
            else:
                with Redis.from_url(frail_store.url) as store:
                    store.config_set("maxmemory", 100_000)
            await white.say("move", room=room, move="e2e4", seq=3, key="k")
            await asyncio.sleep(5)  # the trouble itself
            lines = [entry for entry in logs if entry["log_level"] in ("warning", "error")]
            if harm == "gone":
                frail_store.start()
            else:
                with Redis.from_url(frail_store.url) as store:
                    store.config_set("maxmemory", 0)
            await until_ready_is(address, 200)
    assert 1 <= len(lines) <= 8, "\n".join(map(str, lines))
    reasons = " ".join(str(entry.get("reason")) for entry in lines)
    assert ("used memory" if harm == "full" else "store.sock") in reasons
    assert sum(entry["event"] == "store well again" for entry in logs) == 1
