"""A seat played by a program, over the socket like any other client.

It knows when to move, how to vote, and when to look again. It refuses to know how to choose a move.
"""

import asyncio
from collections.abc import Callable
from typing import Final, TypeAlias

from clients.connection import Connection
from clients.errors import RequestError
from clients.table import Table
from engine.position import Position
from protocol.from_server import Room, Update

Choose: TypeAlias = Callable[[Position, float], str]
"""Picks a legal move (coordinate notation) of the side to move, within a budget of seconds."""

CLEARLY_BETTER: Final = 3
"""Pawns' worth of material over the best opponent from which on a bot refuses a draw."""

_OVERTAKEN: Final = {"stale", "game_over", "out_of_game", "no_such_proposal", "already_voted", "too_late"}
"""Codes of refusals that mean: the game went on while this command was under way."""


class Bot:
    """Plays one seat of one room to the end.

    `pace` is how many seconds to wait before each move, so that people can follow.
    """

    def __init__(
        self, connection: Connection, room: str, seat: str | None, choose: Choose, *, budget: float = 1, pace: float = 0
    ) -> None:
        self._connection = connection
        self._room = room
        self._seat = seat
        self._choose = choose
        self._budget = budget
        self._pace = pace
        self._answered = 0  # the latest proposal voted on
        self._pondered: Position | None = None
        self._pondering: asyncio.Task[None] | None = None

    async def play(self) -> Table:
        """Take the seat and play until the game is over; returns the table as it is then.

        Raises `RequestError` if the seat is not to be had or a move is refused for good, and
        `ConnectionFault` when the server is gone for good.
        """
        seat = await self._connection.join(self._room, self._seat)
        table: Table | None = None
        async with asyncio.TaskGroup() as tasks:
            async for frame in self._connection.follow(self._room):
                if isinstance(frame, Room):
                    table = Table.of(frame)
                elif isinstance(frame, Update) and table is not None:
                    table = table.after(frame)
                else:
                    continue
                if table.status == "finished":
                    break
                self._vote(tasks, table, seat)
                self._move(tasks, table, seat)
            if self._pondering is not None:
                self._pondering.cancel()
        assert table is not None and table.status == "finished"  # the frames only end with the connection
        return table

    def _vote(self, tasks: asyncio.TaskGroup, table: Table, seat: str) -> None:
        proposal = table.proposal
        if proposal is None or proposal.proposal == self._answered:
            return
        if seat in proposal.electorate and seat not in proposal.votes:
            self._answered = proposal.proposal
            accept = proposal.kind != "draw" or not _clearly_better(table.position, seat)
            tasks.create_task(self._cast(proposal.proposal, accept))

    async def _cast(self, proposal: int, accept: bool) -> None:
        try:
            await self._connection.vote(self._room, proposal, accept)
        except RequestError as error:
            if error.code not in _OVERTAKEN:
                raise

    def _move(self, tasks: asyncio.TaskGroup, table: Table, seat: str) -> None:
        """Begin to think when there is a position to move in, and stop when there isn't any more."""
        position = table.position if table.turn == seat and not table.votes_on_line else None
        if position is self._pondered:
            return
        if self._pondering is not None:
            self._pondering.cancel()
        self._pondered = position
        if position is not None:
            self._pondering = tasks.create_task(self._ponder(position, table.seq))

    async def _ponder(self, position: Position, seq: int) -> None:
        await asyncio.sleep(self._pace)
        move = await asyncio.to_thread(self._choose, position, self._budget)
        try:
            await self._connection.move(self._room, move, seq)
        except RequestError as error:
            if error.code not in _OVERTAKEN:
                raise
            self._pondered = None  # the update that overtook this move brings the position to look at


def _clearly_better(position: Position, seat: str) -> bool:
    material = position.material()
    own = position.seats.index(seat)
    return material[own] >= CLEARLY_BETTER + max(material[other] for other in position.alive if other != own)
