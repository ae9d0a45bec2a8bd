"""One game of one player in terms of the Lichess API: its streams, and its requests.

It follows the room over the player's connection, and stores nothing that the room could not send again.
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
"""The most waiting chat messages. Further ones are dropped."""

_CLOCKS: Final = ("wtime", "btime")

Tell = Callable[[Shape], object]
"""A function that sends an event to a player's stream."""


class Impossible(Exception):
    """The request is impossible. The sentence says why."""


class Match:
    """A game in which a connection's player has a seat.

    `seen` is set after the first snapshot. `ahead` is the difference between the server's clock and this machine's, in
    milliseconds.
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
        """`strengths` returns known ratings in games of a variant with a clock. `created` is the start of the game, if
        known. With `announce`, a running game is reported as a new one."""
        self.room = room
        self.seen = asyncio.Event()
        self.begun = asyncio.Event()
        """Set once the game has started."""
        self.gone = False
        """Whether no more news will come."""
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
        self._absence: int | None = None  # None: players never count as absent
        self._claims: list[str] = []
        self._offer: Offer | None = None  # the rematch that the opponent has proposed
        self.ended: float | None = None
        """The end of the game, by the event loop's clock."""
        self._alarm: asyncio.TimerHandle | None = None
        self._answers: set[asyncio.Task[None]] = set()
        self._unsaid: list[tuple[str, Literal["table", "all"]]] = []
        self._reader = asyncio.create_task(self._read(connection.follow(room)), name=f"game {room}")

    async def stop(self) -> None:
        """Stop following the game."""
        tasks = [self._reader, *self._answers]
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)

    # -- the state --

    @property
    def table(self) -> Table:
        """The game as it is known now."""
        assert self._table is not None  # known after `seen`
        return self._table

    @property
    def seat(self) -> str | None:
        """The player's seat."""
        return None if self._table is None else self._table.seat_of(self._connection.player)

    @property
    def other(self) -> str:
        """The opponent's seat."""
        return next(name for name in self.table.seats if name != self.seat)

    @property
    def is_played(self) -> bool:
        """Whether the player is playing the game now."""
        return self._table is not None and self._table.status == "playing" and self.seat is not None

    @property
    def chat(self) -> list[Shape]:
        """The chat messages since this client follows the game."""
        return [{"user": line["username"], "text": line["text"]} for line in self._chat]

    def entry(self) -> Shape:
        """The game for lists and events."""
        seat = self.seat
        assert seat is not None  # callers ask this only about games with an opponent
        return shapes.entry(self.table, seat, self._now(), self._rated())

    def rematch(self) -> Offer | None:
        """The open vote on a rematch, if the player has not voted yet. These programs see it as a challenge."""
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
        """The stream of the game from now on, for one client. The whole game comes first."""
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
        """End a client's stream."""
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
        """Send the state; unless `always`, only if more than the clocks has changed."""
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
            case happened.Proposed(kind="undo" | "redo" | "pause", seat=seat, electorate=electorate, proposal=number):
                known = shapes.offers_takeback(self.table) is not None
                if not known and seat != self.seat and self.seat in electorate:
                    self._refuse(number)  # these programs do not know this event
            case happened.Closed(outcome=outcome) if self._offer is not None:
                offer, self._offer = self._offer, None
                if outcome != "carried":
                    told = shapes.challenge(offer, status="canceled")
                    self._tell({"type": "challengeCanceled", "challenge": told})

    def _refuse(self, proposal: int) -> None:
        async def refuse() -> None:
            with suppress(ConnectionFault):  # the streams report this already
                await _in_time(self._connection.vote(self.room, proposal, accept=False))

        self._do(refuse(), "answer")

    def _do(self, work: Coroutine[Any, Any, None], what: str) -> None:
        """Run a task while the game goes on."""
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
        """Play a move. With `offering_draw`, also claim a draw, agree to one, or propose it.

        A move that was already made, but whose answer was lost, is not repeated. This method and all later ones raise
        `Impossible`, `RequestError` and `ConnectionFault`.
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
        """Claim a draw, or agree to a proposed one. Return whether there was one."""
        proposal = self.table.proposal
        if self._claims:
            return await _in_time(self._connection.claim(self.room))
        if proposal is not None and proposal.kind == "draw" and self.seat not in proposal.votes:
            return await _in_time(self._connection.vote(self.room, proposal.proposal, accept=True))
        return False

    async def draw(self, accept: bool) -> None:
        """Claim, accept, propose or decline a draw."""
        seat = self._playing()
        if accept:
            if not await self._end_in_draw():
                await self._connection.propose(self.room, "draw", self.table.seq)
        else:
            await self._answer("draw", seat, accept=False)

    async def takeback(self, accept: bool) -> None:
        """Accept, propose or decline a takeback."""
        seat = self._playing()
        if not await self._answer("undo", seat, accept=accept) and accept:
            plies = shapes.takeback(self.table, seat)
            await self._connection.propose(self.room, "undo", self.table.seq, plies)

    async def _answer(self, kind: Literal["undo", "draw", "rematch"], seat: str, *, accept: bool) -> bool:
        """Vote on an open proposal of a kind. Return whether there was one."""
        proposal = self.table.proposal
        if proposal is None or proposal.kind != kind or seat in proposal.votes:
            return False
        await self._connection.vote(self.room, proposal.proposal, accept)
        return True

    async def answer_rematch(self, accept: bool) -> None:
        """Accept or decline a rematch."""
        if self.seat is None or not await self._answer("rematch", self.seat, accept=accept):
            raise Impossible("No rematch is proposed")

    async def claim_victory(self) -> None:
        """Open a vote on the removal of an opponent who has been away for too long."""
        self._playing()
        await self._connection.propose(self.room, "remove", self.table.seq, seat=self.other)

    async def claim_draw(self) -> None:
        """Claim a draw that the rules allow. The opponent's absence allows none."""
        self._playing()
        if not await self._end_in_draw():
            raise Impossible("There is no draw to claim")

    async def resign(self) -> None:
        """Resign."""
        await self._connection.resign(self.room)

    async def abort(self) -> None:
        """Abort the game."""
        await self._connection.abort(self.room)

    async def say(self, room: str, text: str) -> None:
        """Send a chat message, to the players or to all, if necessary after a pause. A message that the server refuses
        is dropped, because a program whose greeting is refused would make no move."""
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
    """Send a request that may come too late. Return whether it was in time."""
    try:
        await request
    except RequestError:
        return False
    return True


_TELLING: Final = (happened.Moved, happened.Undone, happened.Credited)
"""Events after which streams always send the state."""
