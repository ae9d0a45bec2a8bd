"""The reports of a webhook: a game has begun, it is your move, a game is over.

The webhook follows games as previews do, so nobody appears online because of it.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from fourfold.clients.connection import Connection
from fourfold.clients.errors import RequestError
from fourfold.clients.following import RoomFrame
from fourfold.clients.table import Table
from fourfold.clients.websocket import room_url
from fourfold.protocol.from_server import Room, Update

EVERY: Final = 5.0
"""Seconds between two searches for new games."""

MOST: Final = 50
"""The number of games that a search finds: the newest."""

Kind: TypeAlias = Literal["game.begun", "game.move", "game.over"]


@dataclass(frozen=True, slots=True)
class Report:
    """An event at a table, with the URL of the table's page. `seat` is the seat of the player who gets the report, if
    it is for a player."""

    kind: Kind
    table: Table
    url: str
    seat: str | None = None

    @property
    def id(self) -> str:
        """An id that is the same for repeated reports of one event."""
        table = self.table
        return ".".join((self.kind, table.room, str(table.game), str(len(table.moves))))

    @property
    def data(self) -> dict[str, Any]:
        """The report for programs."""
        table, result = self.table, self.table.result
        told: dict[str, Any] = {
            "room": table.room,
            "game": table.game,
            "url": self.url,
            "variant": table.variant,
            "seats": {name: seat.name for name, seat in table.seats.items()},
            "seat": self.seat,
            "ply": len(table.moves),
            "move": table.moves[-1] if table.moves else None,
            "position": table.fen,
        }
        if result is not None:
            told |= {"reason": result.reason, "winners": result.winners}
        return told

    @property
    def sentence(self) -> str:
        """The report for people."""
        table, result = self.table, self.table.result
        names = [seat.name or name for name, seat in table.seats.items()]
        players = f"{', '.join(names[:-1])} and {names[-1]}"
        match self.kind:
            case "game.begun":
                said = f"{players} have begun a game of {table.variant}."
            case "game.move":
                before = f" after {table.moves[-1]}" if table.moves else ""
                said = f"It is your move{before}, in the game of {players}."
            case _:
                assert result is not None  # it is over
                won = " and ".join(table.seats[seat].name or seat for seat in result.winners)
                end = f"{won} won" if won else "nobody won"
                said = f"The game of {players} is over: {end}, by {result.reason.replace('_', ' ')}."
        return f"{said} {self.url}"


class Reporter:
    """Reports about the games of the connection's player, or about all public games."""

    def __init__(self, connection: Connection, tell: Callable[[Report], object], *, mine: bool) -> None:
        self._connection = connection
        self._tell = tell
        self._mine = mine
        self._followed: set[str] = set()

    async def run(self) -> None:
        """Report until cancelled. Games that are already running are not reported to begin. Raises
        `ConnectionFault`."""
        async with asyncio.TaskGroup() as tasks:
            new = False
            while True:
                for room in await self._playing():
                    if room not in self._followed:
                        self._followed.add(room)
                        tasks.create_task(self._follow(room, new=new))
                new = True
                await asyncio.sleep(EVERY)  # limits the rate of searches

    async def _playing(self) -> list[str]:
        """The rooms of games that are running now."""
        if self._mine:
            page = await self._connection.games(self._connection.player, limit=MOST)
            return [game.room for game in page.games if game.status == "playing"]
        return [room.room for room in await self._connection.rooms(status="playing", limit=MOST) if not room.locked]

    async def _follow(self, room: str, *, new: bool) -> None:
        """Report about one game, to its end."""
        try:
            await self._report(room, self._connection.follow(room, preview=True), new=new)
            await self._connection.leave(room)
        except RequestError:
            return  # the room is gone, or shows nothing
        finally:
            self._followed.discard(room)

    async def _report(self, room: str, frames: AsyncIterator[RoomFrame], *, new: bool) -> None:
        url = room_url(self._connection.url, room)
        table: Table | None = None
        asked: tuple[str, ...] | None = None
        async for frame in frames:
            before = table
            if isinstance(frame, Room):
                table = Table.of(frame)
            elif isinstance(frame, Update) and table is not None:
                table = table.after(frame)
            if table is None or table is before:
                continue
            seat = table.seat_of(self._connection.player) if self._mine else None
            if before is None and new and table.status == "playing":
                self._tell(Report("game.begun", table, url, seat))
            if table.status == "finished":
                if before is not None:
                    self._tell(Report("game.over", table, url, seat))
                return
            if seat is None or not table.is_to_move(seat):
                asked = None
            elif asked != table.moves:
                asked = table.moves
                self._tell(Report("game.move", table, url, seat))
