"""A player's clock does not pay for our outage: the lost time is given back, visible to all."""

import asyncio
from typing import Any

import pytest

from fourfold.clients.connection import Connection
from fourfold.clients.table import Table
from fourfold.protocol import from_client as ask
from fourfold.protocol.events import Credited, Moved
from fourfold.protocol.from_server import Created, Room, Turn, Update

Server = Any  # see conftest

async def until(frames: Any, wanted: type, table: list[Table]) -> Any:
    """Read on to a frame of this type, or an update with such an event, updating the table on the way."""
    async for frame in frames:
        if isinstance(frame, Room):
            table[:] = [Table.of(frame)]
        elif isinstance(frame, Update):
            table[:] = [table[0].after(frame)]
            for event in frame.events:
                if isinstance(event, wanted):
                    return event
        if isinstance(frame, wanted):
            return frame
    raise AssertionError("the room ended")


@pytest.mark.parametrize(("what", "base"), [pytest.param("server", 10_000, marks=pytest.mark.slow), ("store", 4_000)])
async def test_an_outage_longer_than_the_clock_loses_no_game(mortal_server: Server, what: str, base: int) -> None:
    """Afterwards the clock runs while clients reconnect, which takes longer after a restart."""
    away = base / 1000 + 1
    async with (
        Connection(mortal_server.url, name="Ann") as white,
        Connection(mortal_server.url, name="Bob") as black,
    ):
        created = await white.request(ask.Create(clock=ask.Clock(base)))
        assert isinstance(created, Created)
        await white.join(created.room)
        await black.join(created.room)
        seen: list[Table] = []
        frames = white.follow(created.room)
        turn = await until(frames, Turn, seen)
        if what == "server":
            await asyncio.to_thread(mortal_server.kill)
            await asyncio.sleep(away)
            await asyncio.to_thread(mortal_server.start)
        else:
            await asyncio.to_thread(mortal_server.pause_store, away)
        credited = await until(frames, Credited, seen)
        assert credited.seat == "white"
        assert credited.milliseconds > 1000 * (away - 2)
        await white.move(created.room, turn.legal[0], seen[0].seq)
        moved = await until(frames, Moved, seen)
        assert moved.tick is not None
        assert 0 < moved.tick.left <= base
        assert seen[0].status == "playing"
