"""Long work in slices, in the order of the requests. Between two of them a move has its turns."""

import asyncio

import pytest

from fourfold.server.yielding_lock import YieldingLock
from tests.virtual_time import in_virtual_time

TURNS = 5
"""As many turns of the event loop as a move takes."""


def test_between_two_pieces_others_have_their_turn() -> None:
    """In virtual time: a pause ends only when nobody else has anything to do."""
    done = list[str]()

    async def short() -> None:
        for _ in range(TURNS):
            await asyncio.sleep(0)
            done.append("-")

    async def main() -> None:
        turns = YieldingLock()

        async def long(name: str) -> None:
            async with turns:
                done.append(name)
                others.create_task(short())

        async with asyncio.TaskGroup() as others:
            for name in "abc":
                others.create_task(long(name))

    in_virtual_time(main())
    assert "".join(done) == "".join(name + "-" * TURNS for name in "abc")


async def test_a_piece_that_fails_holds_up_nobody() -> None:
    turns = YieldingLock()
    with pytest.raises(ValueError, match="no"):
        async with turns:
            raise ValueError("no")
    async with asyncio.timeout(240), turns:
        pass
