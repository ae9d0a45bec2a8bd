"""Connections with much to read take turns."""

import asyncio
from collections.abc import Callable

import pytest

from fourfold.server.transport.bites import PAUSE, BiteQueue


async def test_one_bite_in_each_turn_of_the_event_loop() -> None:
    bites, order = BiteQueue(), list[str]()
    left = {"a": 3, "b": 1, "c": 2}
    done = asyncio.Event()

    def read(name: str) -> Callable[[], bool]:
        def go() -> bool:
            order.append(name)
            left[name] -= 1
            if left[name]:
                bites.add(go)
            elif not any(left.values()):
                done.set()
            return False

        return go

    def turn() -> None:
        order.append("|")
        if not done.is_set():
            asyncio.get_running_loop().call_soon(turn)

    for name in left:
        bites.add(read(name))
    asyncio.get_running_loop().call_soon(turn)
    await done.wait()
    assert "".join(order).rstrip("|") == "a|b|c|a|c|a"


async def test_a_pause_follows_a_whole_bite() -> None:
    bites, times = BiteQueue(), list[float]()
    done = asyncio.Event()

    def read() -> bool:
        times.append(asyncio.get_running_loop().time())
        if len(times) == 3:
            done.set()
        return True

    for _ in range(3):
        bites.add(read)
    await done.wait()
    assert times[2] - times[0] > 2 * PAUSE * 0.99  # the clock of a loop has its own resolution


async def test_a_failed_read_does_not_stop_the_others(caplog: pytest.LogCaptureFixture) -> None:
    bites, read = BiteQueue(), asyncio.Event()

    def fails() -> bool:
        raise RuntimeError("cannot read")

    def reads() -> bool:
        read.set()
        return False

    bites.add(fails)
    bites.add(reads)
    await read.wait()
    assert "cannot read" in caplog.text
