"""The messages about work that takes longer."""

import asyncio

import pytest

from fourfold.clients.terminal.controller.pending import PendingWork


@pytest.mark.parametrize(
    ("slow", "connected", "said"),
    [
        (False, True, ["No answer yet. analyse is kept and will be sent."]),
        (True, True, []),
        (True, False, ["No connection. analyse is kept and will be sent."]),
    ],
)
async def test_what_is_meant_to_take_long_is_not_said_to_be_late(slow: bool, connected: bool, said: list[str]) -> None:
    told: list[str] = []
    settled = asyncio.Event()
    pending = PendingWork(0.01, told.append, lambda _: settled.set())
    pending.connected(connected)
    answer = asyncio.Event()

    async def work() -> bool:
        await answer.wait()
        return True

    assert await pending.run(work(), "analyse", slow=slow)
    assert told == said
    answer.set()
    await settled.wait()
    assert not pending
