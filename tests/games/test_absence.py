"""Nobody is voted out for a short absence, nor for an outage. A player who stays away is, in the end."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from typing import Any

import pytest

from fourfold.clients.connection import Connection
from fourfold.clients.errors import RequestError
from fourfold.clients.table import Table
from fourfold.protocol.from_server import Presence, Room, Update

from .conftest import running

pytestmark = pytest.mark.slow

Server = Any  # see conftest

ABSENCE = 5
"""Seconds, longer than an outage lasts. In games without a clock, five times the server's setting."""


@pytest.fixture
def server() -> Iterator[Server]:
    with running(None, 0, "--absence", str(ABSENCE // 5)) as server:
        yield server


class Seat:
    """A player, their copy of the table, and the latest presence."""

    def __init__(self, connection: Connection, room: str) -> None:
        self.connection = connection
        self.room = room
        self.table: Table
        self.away: dict[str, int] = {}
        self._changed = asyncio.Event()
        self._reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        async for frame in self.connection.follow(self.room):
            match frame:
                case Room():
                    self.table = Table.of(frame)
                    self.away = {seat.seat: seat.since for seat in frame.seats if seat.since is not None}
                case Update():
                    self.table = self.table.after(frame)
                case Presence(seat=seat, since=None):
                    self.away.pop(seat, None)
                case Presence(seat=seat, since=int(since)):
                    self.away[seat] = since
            self._changed.set()

    async def sees(self, wanted: Callable[["Seat"], object]) -> None:
        async with asyncio.timeout(60):
            while not hasattr(self, "table") or not wanted(self):
                self._changed.clear()
                await self._changed.wait()

    async def remove(self, seat: str) -> int:
        return await self.connection.propose(self.room, "remove", self.table.seq, seat=seat)

    async def is_too_early(self, seat: str) -> int:
        """Milliseconds until the player of a seat may be voted on."""
        with pytest.raises(RequestError) as refused:
            await self.remove(seat)
        assert refused.value.code == "not_absent"
        assert refused.value.retry is not None
        return refused.value.retry

    def go(self) -> Awaitable[None]:
        """Disconnect without a close."""
        self._reading.cancel()
        return self.connection.__aexit__(None, None, None)


async def seated(stack: AsyncExitStack, url: str, variant: str, names: tuple[str, ...]) -> list[Seat]:
    people = [await Connection(url, name=name).__aenter__() for name in names]
    room = await people[0].create(variant)
    for one in people:
        await one.join(room)
    seats = [Seat(one, room) for one in people]
    for seat in seats:
        stack.push_async_callback(seat.go)
        await seat.sees(lambda seat: seat.table.status == "playing" and not seat.away)
    return seats


async def test_whose_line_breaks_is_not_removed_at_once(server: Server) -> None:
    async with AsyncExitStack() as stack:
        white, black = await seated(stack, server.url, "standard", ("Ann", "Bob"))
        before = await white.connection.ping()
        await black.go()
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
        await green.go()
        wait = await red.is_too_early("green")
        await asyncio.sleep(wait / 1000)  # green is absent now, but not later
        for seat in (blue, yellow):
            await seat.go()
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
        await black.go()
        await white.sees(lambda seat: "black" in seat.away)
        went = white.away["black"]
        await asyncio.to_thread(server.pause_store, ABSENCE + 1.0)
        assert await white.is_too_early("black") > 0, "asked before anything else tells of the outage"
        await white.sees(lambda seat: seat.away["black"] >= went + 1000 * ABSENCE)
        assert white.table.status == "playing"
