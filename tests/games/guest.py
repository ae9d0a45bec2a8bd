"""A client that follows a room in the background."""

import asyncio
from collections.abc import Callable
from typing import Self

from fourfold.clients.connection import Connection
from fourfold.clients.following import RoomFrame
from fourfold.clients.table import Table
from fourfold.protocol.from_server import Presence, Room, Update


class Guest:
    """A player or watcher, who reads from the start: a copy of the table, and the seats whose players are away."""

    def __init__(self, connection: Connection, room: str) -> None:
        self.connection = connection
        self.room = room
        self.known: Table | None = None
        self.away: dict[str, int] = {}
        """Since when each absent player is away, in server time."""
        self._changed = asyncio.Event()
        self._reading = asyncio.create_task(self._read())

    @property
    def table(self) -> Table:
        assert self.known is not None
        return self.known

    async def _read(self) -> None:
        async for frame in self.connection.follow(self.room):
            match frame:
                case Room():
                    self.known = Table.of(frame)
                    self.away = {seat.seat: seat.since for seat in frame.seats if seat.since is not None}
                case Update():
                    self.known = self.table.after(frame)
                case Presence(seat=seat, since=None):
                    self.away.pop(seat, None)
                case Presence(seat=seat, since=int(since)):
                    self.away[seat] = since
            await self.heard(frame)
            self._changed.set()

    async def heard(self, frame: RoomFrame) -> None:
        """For subclasses: what to do after each frame."""

    async def sees(self, wanted: Callable[[Self], object]) -> Table:
        """Wait until this guest's table is as expected."""
        async with asyncio.timeout(240):
            while self.known is None or not wanted(self):
                assert not self._reading.done(), self._reading.exception()
                self._changed.clear()
                await self._changed.wait()
        return self.table

    async def quit(self) -> None:
        """Read no more, and disconnect without a close."""
        self._reading.cancel()
        await asyncio.gather(self._reading, return_exceptions=True)
        await self.connection.__aexit__(None, None, None)
