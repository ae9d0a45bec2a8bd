"""One game of one player, as the Lichess API has it: what its streams are told, and what its requests mean here.

It follows the room over the player's connection, and holds nothing that the room could not tell again.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from typing import Any, Final, Literal

from fourfold.clients.connection import Connection
from fourfold.clients.errors import ConnectionFault, RequestError
from fourfold.clients.following import Following, RoomFrame
from fourfold.clients.gateway import shapes
from fourfold.clients.gateway.lines import Lines
from fourfold.clients.gateway.shapes import Offer, Person, Shape, Strengths
from fourfold.clients.table import Table
from fourfold.clients.websocket import room_url
from fourfold.engine.errors import IllegalMove, InvalidNotation
from fourfold.protocol import events as happened
from fourfold.protocol.from_server import Clocks, Presence, Room, Said, Turn, Update

UNSAID: Final = 10
"""How many lines of talk wait until they may be said; more are dropped."""

_CLOCKS: Final = ("wtime", "btime")

Tell = Callable[[Shape], object]
"""Tells a player's stream of events something."""


class Impossible(Exception):
    """What a client asks for can't be done; the sentence says why."""


class Match:
    """A game that a player of a connection has a seat in.

    `seen` is set once the first snapshot has come; `ahead` is by how many milliseconds the server's clock is ahead.
    """

    def __init__(
        self,
        connection: Connection,
        room: str,
        ahead: int,
        tell: Tell,
        strengths: Callable[[str, Clocks | None], Strengths],
        *,
        created: int | None = None,
        announce: bool = False,
    ) -> None:
        """`strengths` tells what is known of ratings in games of a variant with a clock. `created` is when the game
        began, if that is known. With `announce`, a game that is played already is told
        of as one that begins."""
        self.room = room
        self.seen = asyncio.Event()
        self.begun = asyncio.Event()
        """Set once the game has begun."""
        self.gone = False
        """Whether there will be no more news of it."""
        self._connection = connection
        self._ahead = ahead
        self._tell = tell
        self._strengths = strengths
        self._created = created
        self._announce = announce
        self._table: Table | None = None
        self._told: Shape = {}
        self._streams: set[Lines] = set()
        self._chat: list[Shape] = []
        self._away: dict[str, int] = {}
        self._absence: int | None = None  # None: nobody counts as absent
        self._claims: list[str] = []
        self._offer: Offer | None = None  # the rematch that the player has been asked for
        self.ended: float | None = None
        """When the game was over, by the loop's clock."""
        self._alarm: asyncio.TimerHandle | None = None
        self._answers: set[asyncio.Task[None]] = set()
        self._unsaid: list[tuple[str, Literal["table", "all"]]] = []
        self._reader = asyncio.create_task(self._read(connection.follow(room)), name=f"game {room}")

    async def stop(self) -> None:
        """Stop to follow the game."""
        tasks = [self._reader, *self._answers]
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)

    # -- what is known --

    @property
    def table(self) -> Table:
        """The game as it is known now."""
        assert self._table is not None  # `seen`
        return self._table

    @property
    def seat(self) -> str | None:
        """The player's seat."""
        seats = {} if self._table is None else self._table.seats
        return next((name for name, seat in seats.items() if seat.player == self._connection.player), None)

    @property
    def other(self) -> str:
        """The opponent's seat."""
        return next(name for name in self.table.seats if name != self.seat)

    @property
    def is_played(self) -> bool:
        """Whether the player plays it now."""
        return self._table is not None and self._table.status == "playing" and self.seat is not None

    @property
    def chat(self) -> list[Shape]:
        """What has been said since the game is followed."""
        return [{"user": line["username"], "text": line["text"]} for line in self._chat]

    def entry(self) -> Shape:
        """The game as lists and events have it."""
        seat = self.seat
        assert seat is not None  # asked of games with one
        return shapes.entry(self.table, seat, self._now(), self._rated())

    def rematch(self) -> Offer | None:
        """The open vote on a rematch, if the player has not answered it: for these programs, a challenge."""
        proposal = None if self._table is None else self._table.proposal
        seat = self.seat
        if proposal is None or proposal.kind != "rematch" or seat is None or seat in proposal.votes:
            return None
        table, rated = self.table, self._rated()
        return Offer(
            table.room,
            room_url(self._connection.url, table.room),
            Person.at(table.seats[proposal.seat], rated),
            Person.at(table.seats[seat], rated),
            table.variant,
            table.clocks,
            color=seat,  # the seats change
            rated=table.rated,
            start=table.start,
            rematch=True,
        )

    def _rated(self) -> Strengths:
        return self._strengths(self.table.variant, self.table.clocks)

    def _now(self) -> int:
        return time.time_ns() // 1_000_000 + self._ahead

    # -- streams --

    def stream(self) -> Lines:
        """The game from now on, for one client: first the whole of it."""
        lines = Lines()
        lines.put(shapes.full(self.table, self._created or self._now(), self._now(), self._rated()))
        if self.table.status == "finished":
            lines.end()
            return lines
        self._streams.add(lines)
        if self.other in self._away:
            lines.put(self._opponent_gone())
        return lines

    def close(self, lines: Lines) -> None:
        """Tell a client nothing more."""
        self._streams.discard(lines)

    def _say(self, line: Shape) -> None:
        for lines in self._streams:
            lines.put(line)

    async def _read(self, following: Following) -> None:
        fault: BaseException | None = None
        try:
            async for frame in following:
                self._take(frame)
        except (ConnectionFault, RequestError) as error:
            fault = error
        finally:
            self.gone = True
            self.seen.set()
            if self._alarm is not None:
                self._alarm.cancel()
            for lines in self._streams:
                lines.end(fault or ConnectionFault("The game is no longer followed."))

    def _take(self, frame: RoomFrame) -> None:
        match frame:
            case Room():
                self._table = Table.of(frame)
                self._absence = frame.absence if frame.absentee_votes else None
                self._away = {seat.seat: seat.since for seat in frame.seats if seat.since is not None}
                self._claims = frame.claims.get(self.seat or "", [])
                if self._created is None:
                    self._created = frame.decided or frame.time
                self._tell_state()
                if self.table.status != "open":
                    self.begun.set()
                if self.table.status == "finished":
                    self._end()
                elif self._announce and self.is_played:
                    self._tell({"type": "gameStart", "game": self.entry()})
                self._announce = False
                self.seen.set()
            case Update(events=events):
                self._table = self.table.after(frame)
                self._claims = []
                self._tell_state(always=any(isinstance(event, _TELLING) for event in events))
                for event in events:
                    self._note(event, frame.time)
            case Turn(claims=claims):
                self._claims = claims
            case Presence(seat=seat, since=since):
                self._note_presence(seat, since)
            case Said(seat=seat, name=name, text=text, to=to) if text:
                room = "player" if seat is not None or to == "table" else "spectator"
                line = shapes.chat_line(room, name, text)
                self._chat.append(line)
                self._say(line)

    def _tell_state(self, *, always: bool = False) -> None:
        """Tell the state; unless `always`, if more than the clocks is different."""
        told = shapes.state(self.table, self._now())
        lasting = {key: value for key, value in told.items() if key not in _CLOCKS}
        if always or lasting != self._told:
            self._say(told)
        self._told = lasting

    def _end(self) -> None:
        """End the streams: the game is over."""
        self.ended = asyncio.get_running_loop().time()
        for lines in self._streams:
            lines.end()
        self._streams.clear()
        if self._alarm is not None:
            self._alarm.cancel()

    def _note(self, event: happened.AnyEvent, at: int) -> None:
        match event:
            case happened.Started():
                self._created, self.ended = at, None
                self.begun.set()
                if self.seat is not None:
                    self._tell({"type": "gameStart", "game": self.entry()})
            case happened.Finished():
                self._end()
                if self.seat is not None:
                    self._tell({"type": "gameFinish", "game": self.entry()})
            case happened.Rematched():
                self._away = {}
            case happened.Proposed(kind="rematch") if (offer := self.rematch()) is not None:
                self._offer = offer
                self._tell({"type": "challenge", "challenge": shapes.challenge(offer)})
            case happened.Proposed(kind="undo" | "redo", seat=seat, electorate=electorate, proposal=number):
                known = shapes.offers_takeback(self.table) is not None
                if not known and seat != self.seat and self.seat in electorate:
                    self._refuse(number)  # these programs know no such thing
            case happened.Closed(outcome=outcome) if self._offer is not None:
                offer, self._offer = self._offer, None
                if outcome != "carried":
                    told = shapes.challenge(offer, status="canceled")
                    self._tell({"type": "challengeCanceled", "challenge": told})

    def _refuse(self, proposal: int) -> None:
        async def refuse() -> None:
            with suppress(ConnectionFault):  # of which the streams are told
                await _in_time(self._connection.vote(self.room, proposal, accept=False))

        self._do(refuse(), "answer")

    def _do(self, work: Coroutine[Any, Any, None], what: str) -> None:
        """Do something while the game goes on."""
        task = asyncio.create_task(work, name=f"{what} in {self.room}")
        self._answers.add(task)
        task.add_done_callback(self._answers.discard)

    # -- an opponent who is away --

    def _note_presence(self, seat: str, since: int | None) -> None:
        was_away = seat in self._away
        self._away.pop(seat, None)
        if since is not None:
            self._away[seat] = since
        if seat == self.seat or not self.is_played or (since is None and not was_away):
            return
        self._say(self._opponent_gone())

    def _opponent_gone(self) -> Shape:
        since = self._away.get(self.other)
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        if since is None:
            return shapes.gone(False)
        if self._absence is None:
            return shapes.gone(True)
        wait = max(0, since + self._absence - self._now())
        if wait:
            loop = asyncio.get_running_loop()
            self._alarm = loop.call_later(wait / 1000 + 0.05, lambda: self._say(self._opponent_gone()))
        return shapes.gone(True, -(-wait // 1000))

    # -- requests --

    async def move(self, text: str, offering_draw: bool) -> None:
        """Play a move; with `offering_draw` also claim a draw, or agree to one, or propose it.

        A move that has been made already, since its answer was lost, is made no second time. Raises `Impossible`,
        `RequestError` and `ConnectionFault`, as all that follow.
        """
        table, seat = self.table, self._playing()
        if offering_draw and await self._end_in_draw():
            return
        if table.turn != seat:
            if table.moves[-1:] == (text,):
                return
            raise Impossible("Not your turn, or game already over")
        try:
            move = table.position.find(text).text
        except (IllegalMove, InvalidNotation) as error:
            raise Impossible(f"{text}: {error}") from error
        seq = await self._connection.move(self.room, move, table.seq, key=f"{table.seq}.{move}")
        if offering_draw:
            await _in_time(self._connection.propose(self.room, "draw", seq))

    async def _end_in_draw(self) -> bool:
        """Claim a draw that the rules grant, or agree to the one that is proposed; returns whether there was one."""
        proposal = self.table.proposal
        if self._claims:
            return await _in_time(self._connection.claim(self.room))
        if proposal is not None and proposal.kind == "draw" and self.seat not in proposal.votes:
            return await _in_time(self._connection.vote(self.room, proposal.proposal, accept=True))
        return False

    async def draw(self, accept: bool) -> None:
        """Claim, agree to or propose a draw; or refuse it."""
        seat = self._playing()
        if accept:
            if not await self._end_in_draw():
                await self._connection.propose(self.room, "draw", self.table.seq)
        else:
            await self._answer("draw", seat, accept=False)

    async def takeback(self, accept: bool) -> None:
        """Agree to a takeback, or propose one; or refuse it."""
        seat = self._playing()
        if not await self._answer("undo", seat, accept=accept) and accept:
            plies = shapes.takeback(self.table, seat)
            await self._connection.propose(self.room, "undo", self.table.seq, plies)

    async def _answer(self, kind: Literal["undo", "draw", "rematch"], seat: str, *, accept: bool) -> bool:
        """Answer the open vote; returns whether one of this kind was open."""
        proposal = self.table.proposal
        if proposal is None or proposal.kind != kind or seat in proposal.votes:
            return False
        await self._connection.vote(self.room, proposal.proposal, accept)
        return True

    async def answer_rematch(self, accept: bool) -> None:
        """Agree to a rematch, or refuse it."""
        if self.seat is None or not await self._answer("rematch", self.seat, accept=accept):
            raise Impossible("No rematch is proposed")

    async def claim_victory(self) -> None:
        """Have an opponent who has been away for too long taken out of the game."""
        self._playing()
        await self._connection.propose(self.room, "remove", self.table.seq, seat=self.other)

    async def claim_draw(self) -> None:
        """Claim a draw that the rules grant. That the opponent is away grants none."""
        self._playing()
        if not await self._end_in_draw():
            raise Impossible("There is no draw to be claimed")

    async def resign(self) -> None:
        """Give up the game."""
        await self._connection.resign(self.room)

    async def abort(self) -> None:
        """Call the game off."""
        await self._connection.abort(self.room)

    async def say(self, room: str, text: str) -> None:
        """Say something, to the players or to all; soon, if that is too fast for now. What cannot be said is dropped:
        a program whose greeting is refused makes no move."""
        if len(self._unsaid) < UNSAID:
            self._unsaid.append((text[:200], "table" if room == "player" else "all"))
        if len(self._unsaid) == 1:
            self._do(self._talk(), "talk")

    async def _talk(self) -> None:
        while self._unsaid:
            text, to = self._unsaid[0]
            try:
                await self._connection.say(self.room, text, to)
            except RequestError as error:
                if error.code == "too_fast" and error.retry:
                    await asyncio.sleep(error.retry / 1000)
                    continue
            except ConnectionFault:
                pass  # the player is gone
            self._unsaid.pop(0)

    def _playing(self) -> str:
        if not self.is_played or self.seat is None:
            raise Impossible("This game is not being played, or not by you")
        return self.seat


async def _in_time(request: Awaitable[int]) -> bool:
    """Send a request that may come too late; returns whether it did not."""
    try:
        await request
    except RequestError:
        return False
    return True


_TELLING: Final = (happened.Moved, happened.Undone, happened.Credited)
"""Events after which programs are told the state, whatever has changed by them."""
