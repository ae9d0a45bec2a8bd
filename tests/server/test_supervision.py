"""A long-lived task that dies is logged, counted, and restarted."""

import asyncio

import pytest
import structlog

from fourfold.server import supervision
from fourfold.server.supervision import DEATHS, end, supervise


async def test_a_task_that_dies_is_begun_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervision, "AGAIN", 0.0)
    begun, third = 0, asyncio.Event()

    async def work() -> None:
        nonlocal begun
        begun += 1
        if begun < 3:
            raise ZeroDivisionError
        third.set()
        await asyncio.Event().wait()

    before = DEATHS["a test"]
    with structlog.testing.capture_logs() as logs:
        task = supervise("a test", work)
        async with asyncio.timeout(240):
            await third.wait()
    assert DEATHS["a test"] - before == 2
    assert [(entry["event"], entry["task"], entry["log_level"]) for entry in logs] == [
        ("a task died", "a test", "error")
    ] * 2
    await end([task])
    assert task.cancelled()


async def test_a_task_that_ends_has_ended() -> None:
    begun = 0

    async def work() -> None:
        nonlocal begun
        begun += 1

    await supervise("a test", work)
    assert begun == 1
