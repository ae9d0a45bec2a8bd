"""A bot at one seat of a room, over the same connection as any other client.

It decides when to move, how long to think, how to vote, and whether to claim. A `Think` chooses the moves.
"""

import asyncio
import traceback
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import KW_ONLY, dataclass, field
from typing import Final, Literal, Protocol

from fourfold.clients.bots import agreement
from fourfold.clients.bots.thinking import Think, allowance
from fourfold.clients.errors import RequestError
from fourfold.clients.following import RoomFrame
from fourfold.clients.table import Table
from fourfold.engine.position import Position
from fourfold.protocol.events import AnyEvent, Rematched, Returned, Seated, Unseated
from fourfold.protocol.from_server import Room, Turn, Update

_OVERTAKEN: Final = {
    "stale",
    "game_over",
    "out_of_game",
    "no_such_proposal",
    "already_voted",
    "too_late",
    "nothing_to_claim",
    "only_stands_in",
    "not_seated",
    "proposal_open",
    "paused",
}
"""Codes of refusals that mean that the game has gone on."""

_APOLOGY: Final = "I could not choose a move ({}). From now on I play at level 1."
"""What a bot says in the chat when its fallback takes over."""


LOOKED_AT: Final = 2.5
"""The factor by which bots among themselves play slower without a clock, for watching people and for the server's
load."""


HURRIED: Final = (0.1, 0.1)
"""Seconds that bots wait and think once all people are out, so that those who wait for the end have it soon."""

ALONE: Final = 45.0
"""Seconds after which bots end a game in which all people are out, so that it ends within a minute."""

_FAREWELL: Final = "All people are out, so the computers end the game here."
"""What a bot says before it proposes that."""


class BotConnection(Protocol):
    """The part of `Connection` that a bot needs. In games without a server, `LocalConnection` implements it."""

    player: str | None

    async def join(self, room: str, seat: str | None = None) -> str: ...
    def follow(self, room: str) -> AsyncIterator[RoomFrame]: ...
    async def move(self, room: str, move: str, seq: int) -> int: ...
    async def propose(self, room: str, kind: Literal["draw"], seq: int) -> int: ...
    async def vote(self, room: str, proposal: int, accept: bool) -> int: ...
    async def claim(self, room: str) -> int: ...
    async def say(self, room: str, text: str, to: Literal["table", "all"] = "all") -> None: ...


@dataclass(eq=False)
class Bot:
    """Plays one seat of one room, or all seats of its player where a player has several.

    `budget` is the most time to think about a move, in seconds. `pace` is the least time for a move, so that people can
    follow. After the end of a game the bot stays for `stay` seconds, and plays on if there is a rematch.

    If `think` raises an exception or chooses an illegal move, the `fallback` chooses from then on. The bot says so in
    the chat, and `report` gets the traceback. Without a fallback, `play` raises the exception.
    """

    connection: BotConnection
    room: str
    seat: str | None
    think: Think
    _: KW_ONLY
    budget: float = 1
    pace: float = 0
    stay: float = 0
    fallback: Think | None = None
    report: Callable[[str], None] = lambda _: None
    _answered: tuple[int, int] = field(default=(0, 0), init=False)
    """The game and number of the latest proposal that it voted on."""
    _alone: float | None = field(default=None, init=False)
    """Since when all people are out, by the loop's clock."""
    _parted: bool = field(default=False, init=False)
    """Whether the bot has proposed to end such a game."""
    _considered: Position | None = field(default=None, init=False)
    _thinking: asyncio.Task[None] | None = field(default=None, init=False)

    async def play(self) -> Table | None:
        """Take the seat and play. Return the table at the end, or None if the seat was lost before.

        Raises `RequestError` if the seat is not available or a move is refused for good, and `ConnectionFault` if the
        server is gone for good.
        """
        seat = await self.connection.join(self.room, self.seat)
        async with asyncio.TaskGroup() as tasks:
            table = await self._follow(tasks, self.connection.follow(self.room), seat)
            if self._thinking is not None:
                self._thinking.cancel()
        return table

    async def _follow(self, tasks: asyncio.TaskGroup, frames: AsyncIterator[RoomFrame], seat: str) -> Table | None:
        loop = asyncio.get_running_loop()
        table: Table | None = None
        limit = asyncio.timeout(None)
        try:
            async with limit:
                async for frame in frames:
                    if isinstance(frame, Room):
                        table = Table.of(frame)
                    elif isinstance(frame, Update) and table is not None:
                        table = table.after(frame)
                        for event in frame.events:
                            place = self._place(event, seat)
                            if place is None:
                                return None
                            seat = place
                    elif isinstance(frame, Turn) and table is not None:
                        self._claim(tasks, table, seat, frame)
                        continue
                    else:
                        continue
                    if table.status != "finished":
                        limit.reschedule(None)
                    elif not self.stay or not _has_person(table):
                        return table
                    elif limit.when() is None:
                        limit.reschedule(loop.time() + self.stay)
                    self._vote(tasks, table, seat)
                    self._part(tasks, table, seat, loop.time())
                    self._move(tasks, table, seat)
        except TimeoutError:
            if not limit.expired():
                raise
        return table

    def _place(self, event: AnyEvent, seat: str) -> str | None:
        """The seat after an event; None if it now has another player."""
        match event:
            case Rematched(seats=seats):
                return next((one.seat for one in seats if one.player == self.connection.player), None)
            case Returned(seat=other) | Unseated(seat=other) if other == seat:
                return None
            case Seated(seat=other, player=player) if other == seat and player != self.connection.player:
                return None
        return seat

    def _vote(self, tasks: asyncio.TaskGroup, table: Table, seat: str) -> None:
        proposal = table.proposal
        if proposal is None or (table.game, proposal.proposal) <= self._answered:
            return
        if seat in proposal.electorate and seat not in proposal.votes:
            self._answered = table.game, proposal.proposal
            if self._stands_in(table, seat):
                if proposal.kind == "rematch":
                    return  # the player answers
                accept = proposal.kind == "undo"
            else:
                accept = proposal.kind != "draw" or _is_alone(table) or agreement.agrees(table, seat)
            tasks.create_task(_unless_overtaken(self.connection.vote(self.room, proposal.proposal, accept)))

    def _part(self, tasks: asyncio.TaskGroup, table: Table, seat: str, now: float) -> None:
        """Propose to end a game in which all people have been out for long."""
        if table.status != "playing" or not _is_alone(table):
            self._alone, self._parted = None, False
            return
        if self._alone is None:
            self._alone = now
        ready = table.is_to_move(seat) and table.proposal is None and not self._parted
        if ready and now - self._alone >= ALONE:
            self._parted = True
            tasks.create_task(self._end(table.seq))

    async def _end(self, seq: int) -> None:
        try:
            await self.connection.say(self.room, _FAREWELL)
        except RequestError as error:  # without a chat, the result says enough
            self.report(f"{self.room}: {error}")
        await _unless_overtaken(self.connection.propose(self.room, "draw", seq))

    def _stands_in(self, table: Table, seat: str) -> bool:
        """Whether the bot stands in for an absent player. Then it does not end the game."""
        return table.seats[seat].player != self.connection.player

    def _claim(self, tasks: asyncio.TaskGroup, table: Table, seat: str, turn: Turn) -> None:
        """Claim the end of the game, if the rules allow it and the bot agrees."""
        if not turn.claims or turn.seat != seat or turn.seq != table.seq or self._stands_in(table, seat):
            return
        if agreement.claims(table, seat):
            if self._thinking is not None:
                self._thinking.cancel()
            self._considered = None  # if the game goes on, its next frame brings the position to look at
            tasks.create_task(_unless_overtaken(self.connection.claim(self.room)))

    def _move(self, tasks: asyncio.TaskGroup, table: Table, seat: str) -> None:
        """Start to think when there is a move to choose, and stop when there is none."""
        moves = table.is_to_move(seat) and not table.votes_on_line and table.paused is None
        position = table.position if moves else None
        if position is self._considered:
            return
        if self._thinking is not None:
            self._thinking.cancel()
        self._considered = position
        if position is not None:
            self._thinking = tasks.create_task(self._think_and_move(position, table.seq, *self._times(table)))

    def _times(self, table: Table) -> tuple[float, float]:
        """Seconds to wait and seconds to think, so that the clock of the seat to move lasts."""
        clocks, seat = table.clocks, table.turn
        if _is_alone(table):
            return HURRIED
        if clocks is None or seat is None:
            return (self.pace if _has_person(table) else LOOKED_AT * self.pace), self.budget
        # The delay applies to this move too, even if there is no other time.
        allowed = allowance((clocks.left[seat] + clocks.delay) / 1000, (clocks.increment + clocks.delay) / 1000)
        pace = min(self.pace, allowed / 2)
        return pace, min(self.budget, allowed - pace)

    async def _think_and_move(self, position: Position, seq: int, pace: float, budget: float) -> None:
        await asyncio.sleep(pace)
        move = await self._choose(position, budget)
        try:
            await self.connection.move(self.room, move, seq)
        except RequestError as error:
            if error.code not in _OVERTAKEN:
                raise
            self._considered = None  # the update that overtook this move brings the position to look at

    async def _choose(self, position: Position, budget: float) -> str:
        try:
            return position.find(await self.think(position, budget)).text
        except Exception as fault:
            if self.fallback is None:
                raise
            self.think, self.fallback = self.fallback, None
            self.report(f"{self.room} {position.seats[position.turn]}: {position.fen()}\n{traceback.format_exc()}")
            try:
                await self.connection.say(self.room, _APOLOGY.format(type(fault).__name__))
            except RequestError as error:  # without a chat, the log has it
                self.report(f"{self.room}: {error}")
        return await self._choose(position, budget)


def _has_person(table: Table, *, playing: bool = False) -> bool:
    """Whether somebody else than a bot has a seat; with `playing`, one who is still in the game."""
    people = [name for name, seat in table.seats.items() if not (seat.player or "").startswith("bot:")]
    return any(not (playing and name in table.out) for name in people)


def _is_alone(table: Table) -> bool:
    """Whether people have seats, and all of them are out."""
    return _has_person(table) and not _has_person(table, playing=True)


async def _unless_overtaken(request: Awaitable[int]) -> None:
    """Send a request, and ignore refusals that mean that the game has gone on."""
    try:
        await request
    except RequestError as error:
        if error.code not in _OVERTAKEN:
            raise
