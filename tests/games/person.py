"""A person at a table, on our own protocol, who plays with third-party programs."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, Final

from fourfold.clients.connection import Connection
from fourfold.clients.following import RoomFrame
from fourfold.clients.table import Table
from fourfold.protocol.from_client import Clock
from fourfold.protocol.from_server import Challenge, Frame, Room, Update

CLOCK: Final = Clock(300_000, 2000)


class Person:
    """A person at a table, on our own protocol."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.room = ""
        self.frames: AsyncIterator[RoomFrame]
        self.heard: asyncio.Queue[Challenge] = asyncio.Queue()
        self.table: Table | None = None

    async def sit(self, seat: str = "white", **game: Any) -> str:
        """Open a table and take a seat."""
        self.room, self.table = await self.connection.create(clock=CLOCK, **game), None
        await self.come(self.room, seat)
        return self.room

    async def come(self, room: str, seat: str | None = None) -> None:
        """Take a seat, or return to it."""
        self.room, self.table = room, None
        await self.connection.join(room, seat)
        self.frames = self.connection.follow(room)

    async def until(self, wanted: Callable[[Table], bool], seconds: float = 240) -> Table:
        """Read on until the table is as expected."""
        async with asyncio.timeout(seconds):
            while self.table is None or not wanted(self.table):
                frame = await anext(self.frames)
                if isinstance(frame, Room):
                    self.table = Table.of(frame)
                elif isinstance(frame, Update) and self.table is not None:
                    self.table = self.table.after(frame)
        return self.table

    async def move(self, move: str, after: int) -> None:
        """Make a move once `after` moves have been made."""
        table = await self.until(lambda table: table.status == "playing" and len(table.moves) == after)
        await self.connection.move(self.room, move, table.seq)


@asynccontextmanager
async def person_at(url: str, name: str = "Boris") -> AsyncIterator[Person]:
    """A person who is connected until the context ends."""
    heard: list[Callable[[Challenge], None]] = []

    def hear(frame: Frame) -> None:
        if isinstance(frame, Challenge):
            heard[0](frame)

    connection = Connection(url, name=name, heard=hear)
    person = Person(connection)
    heard.append(person.heard.put_nowait)
    async with connection:
        yield person
