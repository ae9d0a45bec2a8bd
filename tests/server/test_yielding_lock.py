"""Long work in slices: one in each turn of the event loop, in the order of the requests."""

import asyncio

import pytest

from fourfold.server.yielding_lock import YieldingLock


async def test_between_two_pieces_others_have_their_turn() -> None:
    turns, done = YieldingLock(), list[str]()

    async def long(name: str) -> None:
        async with turns:
            done.append(name)

    async def short() -> None:
        for _ in range(20):
            done.append("-")
            await asyncio.sleep(0)

    await asyncio.gather(short(), *(long(name) for name in "abc"))
    order = "".join(done)
    assert order.index("a") < order.index("b") < order.index("c")
    assert "-" in order[order.index("a") : order.index("b")]
    assert "-" in order[order.index("b") : order.index("c")]


async def test_a_piece_that_fails_holds_up_nobody() -> None:
    turns = YieldingLock()
    with pytest.raises(ValueError, match="no"):
        async with turns:
            raise ValueError("no")
    async with asyncio.timeout(60), turns:
        pass
