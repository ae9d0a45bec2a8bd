"""Long work in slices, in the order of the requests. Between two of them a move has its turns."""

import asyncio

import pytest

from fourfold.server.yielding_lock import YieldingLock

TURNS = 5
"""As many turns of the event loop as a move takes."""


async def test_between_two_pieces_others_have_their_turn() -> None:
    turns, done = YieldingLock(), list[str]()

    async def long(name: str) -> None:
        async with turns:
            done.append(name)

    async def short() -> None:
        while "c" not in done:
            done.append("-")
            await asyncio.sleep(0)

    async with asyncio.timeout(60):
        await asyncio.gather(short(), *(long(name) for name in "abc"))
    order = "".join(done)
    assert order.index("a") < order.index("b") < order.index("c")
    assert order[order.index("a") : order.index("b")].count("-") > TURNS
    assert order[order.index("b") : order.index("c")].count("-") > TURNS


async def test_a_piece_that_fails_holds_up_nobody() -> None:
    turns = YieldingLock()
    with pytest.raises(ValueError, match="no"):
        async with turns:
            raise ValueError("no")
    async with asyncio.timeout(60), turns:
        pass
