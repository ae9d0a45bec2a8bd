"""The page for Prometheus counts events, and the health paths show whether the server accepts clients."""

import asyncio
import json
import os
import signal
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families
from redis import Redis
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from fourfold.server import health
from fourfold.server.metrics import Histogram
from fourfold.server.storage.embedded import find_binary
from tests.conftest import store

Dial = Any  # see conftest
Wire = Any
Start = Callable[..., Any]
Samples = dict[tuple[str, ...], float]


@pytest.fixture
def common_url() -> Iterator[str]:
    """A separate store: a server handles, and counts, rooms that other tests have left in a shared one."""
    with store(find_binary()) as process:
        yield process.url


async def get(url: str) -> tuple[int, str, str]:
    """Status, content type, body."""

    def ask() -> tuple[int, str, str]:
        try:
            with urllib.request.urlopen(url, timeout=240) as answer:
                return answer.status, answer.headers["Content-Type"], answer.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.headers["Content-Type"], error.read().decode()

    return await asyncio.to_thread(ask)


async def scrape(address: str) -> Samples:
    status, kind, text = await get(f"{address}/metrics")
    assert (status, kind) == (200, "text/plain; version=0.0.4; charset=utf-8")
    return {
        (sample.name, *sample.labels.values()): sample.value  # labels by their names
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


async def seated(dial: Dial, **options: Any) -> tuple[str, Wire, Wire]:
    white, black = await dial(**options), await dial(**options)
    room = (await white.asks("create"))["room"]
    for wire in (white, black):
        await wire.asks("join", room=room)
    return room, white, black


class TestPage:
    async def test_it_counts_what_happened(self, start: Start, dial: Dial) -> None:
        address = await start(allowed_origins=("https://chess.example.org",))
        assert (await scrape(address))["fourfold_connections",] == 0
        began = time.monotonic()
        room, white, black = await seated(dial, at=address)
        for wire, move, seq in ((white, "e2e4", 3), (black, "e7e5", 4), (white, "g1f3", 5)):
            assert (await wire.asks("move", room=room, move=move, seq=seq, key=move))["type"] == "ok"
        assert (await white.asks("move", room=room, move="e2e4", seq=6, key="x"))["code"] == "not_your_turn"
        assert (await black.asks("move", room=room, move="e5e4", seq=6, key="y"))["code"] == "cannot_move_there"
        assert (await black.asks("fly"))["code"] == "unknown_type"
        with pytest.raises(InvalidStatus):
            await connect(f"{address.replace('http', 'ws')}/ws", origin="https://evil.example")
        await black.asks("create", variant="survivor")
        took = time.monotonic() - began  # for one request after another
        counts = await scrape(address)
        assert counts["fourfold_connections",] == 2
        assert counts["fourfold_tasks",] > 0
        assert counts["fourfold_rooms", "playing", "standard"] == 1
        assert counts["fourfold_rooms", "open", "survivor"] == 1
        assert counts["fourfold_moves_total",] == 3
        for histogram in ("append", "decision"):
            assert counts[f"fourfold_{histogram}_seconds_count",] == 7  # two created, two seated, three moves
            assert counts[f"fourfold_{histogram}_seconds_bucket", "+Inf"] == 7
            assert 0 < counts[f"fourfold_{histogram}_seconds_sum",] < took
        assert counts["fourfold_append_seconds_sum",] < counts["fourfold_decision_seconds_sum",]
        for code in ("not_your_turn", "cannot_move_there", "unknown_type"):
            assert counts["fourfold_errors_total", code] == 1
        assert counts["fourfold_refusals_total", "origin"] == 1
        for name in ("append_conflicts", "outbox_drops", "store_errors"):
            assert counts[f"fourfold_{name}_total",] == 0
        assert counts["process_resident_memory_bytes",] > 1e6
        assert counts["process_open_fds",] > 10

    async def test_a_node_that_was_too_late_counts_it(self, start: Start, dial: Dial) -> None:
        nodes = [await start(), await start()]
        for _ in range(50):
            people = [await dial(at=node) for node in nodes]
            room = (await people[0].asks("create", variant="survivor"))["room"]
            for person in people:
                await person.asks("watch", room=room)
            await asyncio.gather(*(person.asks("join", room=room) for person in people))
            counts = [await scrape(node) for node in nodes]
            if sum(count["fourfold_append_conflicts_total",] for count in counts):
                return
            for person in people:
                await person.end()
        raise AssertionError("fifty races, all counted")


@contextmanager
def stopped(url: str) -> Iterator[None]:
    """The store keeps its connections, and does not answer."""
    with Redis.from_url(url) as client:
        process = client.info("server")["process_id"]
    os.kill(process, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(process, signal.SIGCONT)


class TestHealth:
    async def test_a_store_that_does_not_answer_is_no_store(
        self, address: str, common_url: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        assert (await get(f"{address}/readyz"))[0] == 200
        with stopped(common_url), monkeypatch.context() as patch:
            patch.setattr(health, "PATIENCE", 1.0)
            status, _, body = await get(f"{address}/readyz")
            assert (status, json.loads(body)["ready"]) == (503, False)
            assert "has not answered" in json.loads(body)["why"]
            assert (await get(f"{address}/healthz"))[0] == 200
        assert (await get(f"{address}/readyz"))[0] == 200

    async def test_an_archive_that_is_away_is_a_warning_and_games_wait(self, start: Start, dial: Dial) -> None:
        address = await start(database_url="postgresql://nobody@127.0.0.1:9/none", archive_after=1)
        room, white, black = await seated(dial, at=address)
        for ply, move in enumerate(("f2f3", "e7e5", "g2g4", "d8h4")):
            player = (white, black)[ply % 2]
            assert (await player.asks("move", room=room, move=move, seq=3 + ply, key=move))["type"] == "ok"
        warning, waiting = "", 0.0
        async with asyncio.timeout(240):
            while not (waiting and warning):
                status, _, body = await get(f"{address}/readyz")
                assert (status, json.loads(body)["ready"]) == (200, True)
                warning = json.loads(body)["warning"] or ""
                waiting = (await scrape(address))["fourfold_archive_waiting",]
        assert "archive does not answer" in warning
        assert waiting == 1


def test_what_takes_as_long_as_a_bound_is_within_it() -> None:
    histogram = Histogram()
    for seconds in (0.0004, 0.001, 0.0011, 60.0):
        histogram.observe(seconds)
    buckets = {sample.labels["le"]: sample.value for sample in histogram.family("x", "").samples if sample.labels}
    assert (buckets["0.0005"], buckets["0.001"], buckets["0.002"], buckets["10.0"], buckets["+Inf"]) == (1, 2, 3, 3, 4)
