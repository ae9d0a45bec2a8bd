"""Nobody is voted out for a short absence, nor for an outage. A player who stays away is, in the end."""

import asyncio
from collections.abc import Iterator
from contextlib import AsyncExitStack
from typing import Any

import pytest

from fourfold.clients.connection import Connection
from fourfold.clients.errors import RequestError

from .conftest import running
from .guest import Guest

pytestmark = pytest.mark.slow

Server = Any  # see conftest

ABSENCE = 5
"""Seconds, longer than an outage lasts. In games without a clock, five times the server's setting."""


@pytest.fixture
def server() -> Iterator[Server]:
    with running(None, 0, "--absence", str(ABSENCE // 5)) as server:
        yield server


class Seat(Guest):
    """A player who votes on others."""

    async def remove(self, seat: str) -> int:
        return await self.connection.propose(self.room, "remove", self.table.seq, seat=seat)

    async def is_too_early(self, seat: str) -> int:
        """Milliseconds until the player of a seat may be voted on."""
        with pytest.raises(RequestError) as refused:
            await self.remove(seat)
        assert refused.value.code == "not_absent"
        assert refused.value.retry is not None
        return refused.value.retry


async def seated(stack: AsyncExitStack, url: str, variant: str, names: tuple[str, ...]) -> list[Seat]:
    people = [await Connection(url, name=name).__aenter__() for name in names]
    room = await people[0].create(variant)
    for one in people:
        await one.join(room)
    seats = [Seat(one, room) for one in people]
    for seat in seats:
        stack.push_async_callback(seat.quit)
        await seat.sees(lambda seat: seat.table.status == "playing" and not seat.away)
    return seats


async def test_whose_line_breaks_is_not_removed_at_once(server: Server) -> None:
    async with AsyncExitStack() as stack:
        white, black = await seated(stack, server.url, "standard", ("Ann", "Bob"))
        before = await white.connection.ping()
        await black.quit()
        await white.sees(lambda seat: "black" in seat.away)
        wait = await white.is_too_early("black")
        assert before <= white.away["black"] <= await white.connection.ping()
        assert 0 < wait <= 1000 * ABSENCE
        assert white.table.status == "playing"
        await asyncio.sleep(wait / 1000)
        await white.remove("black")
        await white.sees(lambda seat: seat.table.status == "finished")
        assert white.table.result is not None
        assert (white.table.result.reason, white.table.result.winners) == ("abandonment", ["white"])


async def test_the_first_one_back_after_a_restart_removes_nobody(server: Server) -> None:
    names = ("Ann", "Bob", "Cid", "Dee")
    async with AsyncExitStack() as stack:
        red, blue, yellow, green = await seated(stack, server.url, "survivor", names)
        await green.quit()
        wait = await red.is_too_early("green")
        await asyncio.sleep(wait / 1000)  # green is absent now, but not later
        for seat in (blue, yellow):
            await seat.quit()
        await asyncio.to_thread(server.kill)
        await asyncio.to_thread(server.start)
        await red.sees(lambda seat: seat.away.keys() == {"blue", "yellow", "green"})
        now = await red.connection.ping()
        for name in ("green", "blue", "yellow"):
            assert await red.is_too_early(name) > 1000 * ABSENCE - (await red.connection.ping() - now) - 2000
        assert red.table.status == "playing"


async def test_an_outage_is_held_against_nobody(server: Server) -> None:
    async with AsyncExitStack() as stack:
        white, black = await seated(stack, server.url, "standard", ("Ann", "Bob"))
        await black.quit()
        await white.sees(lambda seat: "black" in seat.away)
        went = white.away["black"]
        await asyncio.to_thread(server.pause_store, ABSENCE + 1.0)
        assert await white.is_too_early("black") > 0, "asked before anything else tells of the outage"
        await white.sees(lambda seat: seat.away["black"] >= went + 1000 * ABSENCE)
        assert white.table.status == "playing"
