"""Connections with much to read take turns."""

import asyncio
from collections.abc import Callable

import pytest

from fourfold.server.transport.bites import BiteQueue


async def test_one_bite_in_each_turn_of_the_event_loop() -> None:
    bites, order = BiteQueue(), list[str]()
    left = {"a": 3, "b": 1, "c": 2}
    done = asyncio.Event()

    def read(name: str) -> Callable[[], None]:
        def go() -> None:
            order.append(name)
            left[name] -= 1
            if left[name]:
                bites.add(go)
            elif not any(left.values()):
                done.set()

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


async def test_a_failed_read_does_not_stop_the_others(caplog: pytest.LogCaptureFixture) -> None:
    bites, read = BiteQueue(), asyncio.Event()

    def fails() -> None:
        raise RuntimeError("cannot read")

    bites.add(fails)
    bites.add(read.set)
    await read.wait()
    assert "cannot read" in caplog.text
