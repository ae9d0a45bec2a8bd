"""A room in this process: the same match as on a server, with this machine's clock.

Its decisions are not stored. Each bot has a `LocalConnection`, with the methods of a `Connection`.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from typing import Final, Literal

from fourfold.clients.bots.bot import Bot
from fourfold.clients.bots.thinking import Think, random_moves
from fourfold.clients.errors import RequestError
from fourfold.clients.following import RoomFrame
from fourfold.clients.streams import Stream
from fourfold.clients.table import Table
from fourfold.engine.match import Decision, Rejection, State, Status, decide, evolve
from fourfold.engine.match.commands import Claim, Command, Create, Expire, Move, Propose, Sit, Vote
from fourfold.engine.match.events import Invited, ProposalKind
from fourfold.protocol import projection
from fourfold.protocol.from_server import Error, Reacted, Said

ROOM: Final = "local"
"""The id of the room in frames."""

_FOR_EVER: Final = 10_000_000.0
"""Seconds for which a bot stays after a game: until it is cancelled."""


class LocalRoom:
    """One game with its players. `player` creates the chooser of a level. A bot takes at least `pace` seconds for a
    move, and thinks for at most `budget`. Raises `RequestError` for a game that cannot be opened."""

    def __init__(self, create: Create, player: Callable[[int], Think], pace: float, budget: float) -> None:
        self._player = player
        self._pace = pace
        self._budget = budget
        self.log: list[Decision] = []
        """All decisions so far."""
        self._listeners: list[Stream[RoomFrame]] = []
        self._tasks: set[asyncio.Task[Table | None]] = set()
        self._bots: dict[int, asyncio.Task[Table | None]] = {}  # by seat
        self._alarm: asyncio.TimerHandle | None = None
        self.state: State
        self._decide(None, create, "host")

    def now(self) -> int:
        """This machine's time, in milliseconds since 1970; never before the last decision."""
        here = time.time_ns() // 1_000_000
        return max(here, self.log[-1].at) if self.log else here

    def submit(self, command: Command, by: str) -> int:
        """Carry out a command, and return its version. Raises `RequestError`."""
        return self._decide(self.state, command, by)

    def seat_bot(self, seat: int, level: int) -> None:
        """Seat a bot of a level at a free seat, or at a seat to which it is invited."""
        name = f"bot {seat}.{len(self.log)}"
        line = LocalConnection(self, name, f"Level {level}", level)
        if seat in self._bots:
            self._bots.pop(seat).cancel()
        line.sit(self.state.seat_name(seat))
        bot = Bot(
            line, ROOM, None, self._player(level),
            budget=self._budget, pace=self._pace, stay=_FOR_EVER, fallback=random_moves(),
        )  # fmt: skip
        self._bots[seat] = task = asyncio.create_task(bot.play())
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def follow(self) -> AsyncIterator[RoomFrame]:
        """The room's frames, starting with a snapshot."""
        listener = Stream[RoomFrame]()
        listener.put(projection.snapshot(ROOM, self.state, projection.Attendance(), self.now()))
        if self.state.status is Status.PLAYING:
            listener.put(projection.turn(ROOM, self.state))
        self._listeners.append(listener)
        return listener

    def say(self, seat: str | None, name: str, text: str, to: str) -> None:
        """Send a chat message to all listeners."""
        for listener in self._listeners:
            listener.put(Said(ROOM, seat, name, text, to, self.now()))

    def react(self, seat: str, name: str, reaction: str) -> None:
        """Show a quick reaction to all listeners."""
        for listener in self._listeners:
            listener.put(Reacted(ROOM, seat, name, reaction, self.now()))

    async def close(self) -> None:
        """Stop the bots, and end all streams of frames."""
        if self._alarm is not None:
            self._alarm.cancel()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for listener in self._listeners:
            listener.end()

    def _decide(self, state: State | None, command: Command, by: str) -> int:
        now = self.now()
        verdict = decide(state, command, by, now)
        if isinstance(verdict, Rejection):
            seq = 0 if state is None else state.seq
            error = Error(kind=verdict.kind, code=verdict.code, message=verdict.message, room=ROOM, seq=seq)
            if verdict.retry is not None:
                error.retry = verdict.retry
            raise RequestError(error)
        if verdict:
            decision = Decision(len(self.log) + 1, now, by, "", verdict)
            self.log.append(decision)
            self.state = evolve(state, decision)
            if state is not None:
                self._tell(decision)
        return self.state.seq

    def _tell(self, decision: Decision) -> None:
        state = self.state
        update = projection.update(ROOM, state.position.seats, decision)
        turn = state.status is Status.PLAYING and state.position_seq == decision.seq
        for listener in self._listeners:
            listener.put(update)
            if turn:
                listener.put(projection.turn(ROOM, self.state))
        if self._alarm is not None:
            self._alarm.cancel()
        deadline = state.deadline()
        if deadline is not None:
            wait = max(0, deadline - self.now()) / 1000
            self._alarm = asyncio.get_running_loop().call_later(wait, self._expire)
        for event in decision.events:
            first = isinstance(event, Invited) and state.together(event.seat)[0] == event.seat
            if isinstance(event, Invited) and first and state.status is Status.PLAYING:
                self.seat_bot(event.seat, event.level)

    def _expire(self) -> None:
        self._alarm = None
        self._decide(self.state, Expire(), "")

    def _ended(self, task: asyncio.Task[Table | None]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            for listener in self._listeners:
                listener.end(error)


class LocalConnection:
    """A bot's connection to a local room, with the methods of `Connection` that a bot needs (`BotConnection`)."""

    def __init__(self, room: LocalRoom, player: str, name: str, level: int | None = None) -> None:
        """`level` is the bot's level."""
        self.player: str | None = player
        self._id = player
        self._name = name
        self._room = room
        self._level = level

    def sit(self, seat: str | None) -> str:
        """Take a seat, or keep the present one. Return its name."""
        self._room.submit(Sit(self._name, seat, self._level is not None, level=self._level), self._id)
        held = self._room.state.seat_of(self._id)
        assert held is not None  # just taken
        return self._room.state.seat_name(held)

    async def join(self, room: str, seat: str | None = None) -> str:
        return self.sit(seat)

    def follow(self, room: str) -> AsyncIterator[RoomFrame]:
        return self._room.follow()

    async def move(self, room: str, move: str, seq: int) -> int:
        return self._room.submit(Move(move, seq), self._id)

    async def propose(self, room: str, kind: Literal["draw"], seq: int) -> int:
        return self._room.submit(Propose(ProposalKind(kind), seq), self._id)

    async def vote(self, room: str, proposal: int, accept: bool) -> int:
        return self._room.submit(Vote(proposal, accept), self._id)

    async def claim(self, room: str) -> int:
        return self._room.submit(Claim(), self._id)

    async def say(self, room: str, text: str, to: Literal["table", "all"] = "all") -> None:
        seat = self._room.state.seat_of(self._id)
        self._room.say(None if seat is None else self._room.state.seat_name(seat), self._name, text, to)
