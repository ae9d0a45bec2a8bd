"""Games on this machine, without a server: people share the keyboard, and bots think in another process.

The match is the same as on a server. Votes need a yes of every player: the people at the keyboard are asked in turn,
and bots answer at once.
"""

import secrets
import sys
import time
from collections.abc import AsyncIterator, Sequence
from multiprocessing import resource_tracker
from typing import Literal, Self

from fourfold.clients.bots.thinking import Think, Workers
from fourfold.clients.games.game import NO_SERVER, YOU, Game, News, Opening, Venue
from fourfold.clients.games.local_room import ROOM, LocalConnection, LocalRoom
from fourfold.engine.match import commands as c
from fourfold.engine.match.clock import Control
from fourfold.engine.match.events import ProposalKind
from fourfold.engine.match.export import NoSuchFormat, export, record
from fourfold.engine.match.terms import Terms
from fourfold.engine.notation.game import Game as Record
from fourfold.engine.variants import player_seats
from fourfold.protocol.from_client import Reaction, VoteKind
from fourfold.protocol.from_server import ChatLine, Room, Turn

_TERMS = Terms(rated=False)
"""The terms of games on this machine."""


class LocalGame(Game):
    """A game in this process. `LocalVenue` creates it."""

    def __init__(self, room: LocalRoom, frames: AsyncIterator[News], snapshot: Room, players: frozenset[str]) -> None:
        super().__init__(snapshot, players)
        self._room = room
        self._frames = frames
        self._first = snapshot

    def now(self) -> int:
        return self._room.now()

    async def news(self) -> AsyncIterator[News]:
        yield self._first
        async for frame in self._frames:
            if isinstance(frame, Turn) and frame.seat not in self.seats:
                continue
            self._take(frame)  # type: ignore[arg-type]
            yield frame

    def _player(self, seat: str | None) -> str:
        """The id of the player at a seat that is played from here."""
        if seat is None or seat not in self.seats:
            raise self.refusal("not_seated", f"{seat or 'No seat'} is not played from this keyboard.")
        player = self.table.seats[seat].player
        assert player is not None  # the seat has a player
        return player

    async def move(self, move: str) -> int:
        if self.mover is None and self.table.turn is not None:
            raise self.refusal("not_your_turn", f"It is {self.table.turn}'s turn.", "illegal")
        return self._room.submit(c.Move(move, self.table.seq), self._player(self.speaker))

    async def propose(
        self, kind: VoteKind, plies: int | None = None, seat: str | None = None, level: int | None = None
    ) -> int:
        about = () if seat is None else self._room.state.together(self._number(seat))
        absent = dict.fromkeys(about, 0)  # a player without the keyboard
        proposal = c.Propose(ProposalKind(kind), self.table.seq, plies, seat, level, absent)
        return self._room.submit(proposal, self._proposer(seat))

    def _proposer(self, about: str | None) -> str:
        """The id of the proposer: the speaker, or in a vote about the speaker's own seat, another player."""
        seats = self.table.seats
        if about is None or self.speaker is None or seats[self.speaker].player != seats[about].player:
            return self._player(self.speaker)
        others = [name for name in seats if seats[name].player != seats[about].player and name not in self.table.out]
        other = next((name for name in others if name in self.seats), next(iter(others), None))
        player = None if other is None else self.table.seats[other].player
        return self._player(about) if player is None else player

    async def vote(self, accept: bool) -> int:
        return self._room.submit(c.Vote(self.open_proposal().proposal, accept), self._player(self.voter))

    async def withdraw(self) -> int:
        proposal = self.open_proposal()
        return self._room.submit(c.Withdraw(proposal.proposal), self._player(proposal.seat))

    async def claim(self) -> int:
        return self._room.submit(c.Claim(), self._player(self.claimant or self.speaker))

    async def kick(self, seat: str) -> int:
        raise self.refusal("already_started", f"{seat} is played at this keyboard; 'bot {seat} 3' gives it away.")

    async def close(self) -> int:
        raise self.refusal("already_started", "The game has begun. 'abort' calls it off, 'leave' leaves it.")

    async def resign(self, seat: str | None = None) -> int:
        return self._room.submit(c.Resign(), self._player(seat or self.speaker))

    async def abort(self) -> int:
        return self._room.submit(c.Abort(), self._player(self.speaker))

    async def give(self, seat: str) -> int:
        return self._room.submit(c.Give(seat), self._player(self.speaker))

    async def berserk(self) -> int:
        return self._room.submit(c.Berserk(), self._player(self.speaker))

    async def say(self, text: str, to: Literal["table", "all"] = "all") -> None:
        seat = self.speaker
        name = None if seat is None else self.table.seats[seat].name
        self._room.say(seat, name or "", text, to)

    async def react(self, reaction: Reaction) -> None:
        seat = self.speaker
        if seat is None:
            raise self.refusal("not_seated", "Only seated players can react.")
        self._room.react(seat, self.table.seats[seat].name or "", reaction)

    async def chat(self) -> Sequence[ChatLine]:
        return ()  # all of it has been seen here

    async def report(self, seat: str, why: str) -> None:
        raise self.refusal("no_such_room", NO_SERVER)

    async def bot(self, seat: str | None, level: int) -> int:
        chosen = seat or self.speaker
        if chosen is None:
            raise self.refusal("no_such_seat", f"Name the seat: {', '.join(self.table.seats)}.")
        return await self.propose("stand_in", seat=chosen, level=level)

    async def sit(self, seat: str | None = None) -> int:
        for name, one in self.table.seats.items():
            if one.player in self.players and one.stand_in is not None and seat in (None, name):
                return self._room.submit(c.Return(), one.player)
        raise self.refusal("seat_taken", "There is no seat to take back: only one that was left to a computer player.")

    async def export(self, format: str) -> str:
        try:
            return export(ROOM, self._room.log, self._room.state, format)
        except NoSuchFormat as error:
            raise self.refusal("no_such_format", str(error)) from error

    async def record(self) -> Record:
        return record(ROOM, self._room.log, self._room.state)

    async def leave(self) -> None:
        await self._room.close()

    def _number(self, seat: str) -> int:
        if seat not in self.table.seats:
            raise self.refusal("no_such_seat", f"There is no seat '{seat}'; there are {', '.join(self.table.seats)}.")
        return list(self.table.seats).index(seat)


class LocalVenue(Venue):
    """This machine, as a context manager. It starts a process for bots when the first is needed.

    `pace` and `budget` are the least and the most seconds for a bot's move. `name` is the name of a single player.
    """

    name = "this machine"

    def __init__(self, name: str | None = None, pace: float = 0.6, budget: float = 1.0) -> None:
        self._player_name = name
        self._pace = pace
        self._budget = budget
        self._workers: Workers | None = None
        self._room: LocalRoom | None = None

    async def __aenter__(self) -> Self:
        if sys.platform != "win32":
            # Start the process now, since it needs a standard error that is a file: a full-screen program replaces it.
            resource_tracker.ensure_running()
        return self

    async def __aexit__(self, *raised: object) -> None:
        if self._room is not None:
            await self._room.close()
        if self._workers is not None:
            self._workers.__exit__(*raised)

    def _think(self, level: int) -> Think:
        if self._workers is None:
            self._workers = Workers(1).__enter__()
        return self._workers.player(level)

    @property
    def user(self) -> str:
        return self._player_name or ""

    def now(self) -> int:
        return round(time.time() * 1000)

    async def create(self, opening: Opening) -> Game:
        clock = opening.clock
        control = None if clock is None else Control(clock.base, clock.increment, clock.delay)
        seed = secrets.randbits(48)
        create = c.Create(opening.variant, opening.position, opening.moves, "private", control, _TERMS, seed)
        room = self._room = LocalRoom(create, self._think, self._pace, self._budget)
        seats = room.state.position.seats
        people = [seat for seat in player_seats(opening.variant) if seat not in opening.levels]
        for number, seat in enumerate(people, start=1):
            alone = self._player_name or YOU
            name = alone if len(people) == 1 else f"Player {number}"
            LocalConnection(room, f"person {seat}", name).sit(seat)
        for seat, level in opening.levels.items():
            room.seat_bot(seats.index(seat), level)
        frames = room.follow()
        snapshot = await anext(frames)
        assert isinstance(snapshot, Room)  # a stream starts with it
        return LocalGame(room, frames, snapshot, frozenset(f"person {seat}" for seat in people))
