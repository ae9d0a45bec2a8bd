"""Games in the rooms of a server."""

import asyncio
import contextlib
import platform
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import AsyncExitStack
from typing import Final, Literal, Self, TypeAlias

from fourfold.clients.connection import Connection
from fourfold.clients.errors import ConnectionFault, RequestError
from fourfold.clients.following import Following
from fourfold.clients.games.game import Game, News, Notice, Opening, Sought, Venue, Wish
from fourfold.clients.games.open_study import OpenStudy, follow
from fourfold.clients.streams import Stream
from fourfold.clients.websocket import room_url
from fourfold.engine.notation.formats import READERS
from fourfold.engine.notation.game import Game as Record
from fourfold.engine.variants import player_seats
from fourfold.protocol import from_server as told
from fourfold.protocol.from_client import Clock, Reaction, VoteKind
from fourfold.protocol.studies import Source

ANSWER: Final = 1.0
"""Seconds to wait for an answer before the user can do other things."""

DEVICE: Final = f"Terminal on {platform.node()}"[:64]
"""The name of this device in an account's list."""

REMEMBERED: Final = 50
"""The most challenges to remember."""

RATED: Final = 300.0
"""Seconds for which ratings are remembered."""

AT_ONCE: Final = 100
"""The most players in one request for ratings."""

Strengths: TypeAlias = Callable[[Iterable[str], str, told.Control | None], Awaitable[dict[str, str]]]
"""A function that returns ratings: see `Venue.strengths`."""


class RemoteGame(Game):
    """A game in a room. `RemoteVenue` creates it."""

    def __init__(
        self, connection: Connection, following: Following, room: told.Room, ahead: int, strengths: Strengths
    ) -> None:
        assert connection.player is not None  # the connection is open
        super().__init__(room, frozenset({connection.player}))
        self._strengths = strengths
        self._asking: asyncio.Task[None] | None = None
        self._asked: set[str] = set()
        self.address = room_url(connection.url, room.room)
        self._connection = connection
        self._room = room.room
        self._ahead = ahead
        self._news = Stream[News]()
        self._news.put(room)
        self._reader = asyncio.create_task(self._read(following), name=f"news of {room.room}")
        self.gone = False
        """Whether no more news will come."""
        self._ask_ratings()

    async def _read(self, following: Following) -> None:
        try:
            async for frame in following:
                self._news.put(frame)
        except (ConnectionFault, RequestError) as fault:
            self._news.end(fault)
        else:
            self._news.end()
        finally:
            self.gone = True

    def _ask_ratings(self) -> None:
        """Ask for the ratings of new players. Until the answer, names appear without them."""
        there = {seat.player for seat in self.table.seats.values() if seat.player is not None}
        if there <= self._asked or (self._asking is not None and not self._asking.done()):
            return
        self._asked |= there
        self._asking = asyncio.create_task(self._rate(there), name=f"ratings in {self._room}")

    async def _rate(self, players: set[str]) -> None:
        given = self.table.clocks
        clock = None if given is None else told.Control(given.base, given.increment, given.delay)
        with contextlib.suppress(RequestError, ConnectionFault):
            self.ratings |= await self._strengths(players, self.table.variant, clock)

    def notice(self, notice: Notice) -> None:
        self._news.put(notice)

    def now(self) -> int:
        return _here() + self._ahead

    async def news(self) -> AsyncIterator[News]:
        async for news in self._news:
            online = self.online
            if not isinstance(news, Notice):
                self._take(news)
                self._ask_ratings()
            if not (isinstance(news, told.Presence) and self.online == online):  # do not repeat it after an outage
                yield news

    async def move(self, move: str) -> int:
        return await self._connection.move(self._room, move, self.table.seq)

    async def propose(
        self, kind: VoteKind, plies: int | None = None, seat: str | None = None, level: int | None = None
    ) -> int:
        return await self._connection.propose(self._room, kind, self.table.seq, plies, seat=seat, level=level)

    async def vote(self, accept: bool) -> int:
        return await self._connection.vote(self._room, self.open_proposal().proposal, accept)

    async def withdraw(self) -> int:
        return await self._connection.withdraw(self._room, self.open_proposal().proposal)

    async def claim(self) -> int:
        return await self._connection.claim(self._room)

    async def kick(self, seat: str) -> int:
        return await self._connection.kick(self._room, seat)

    async def close(self) -> int:
        return await self._connection.close_room(self._room)

    async def resign(self, seat: str | None = None) -> int:
        if seat is not None and seat not in self.seats:
            raise self.refusal("not_seated", f"You cannot resign {seat}: it is not your seat.")
        return await self._connection.resign(self._room)

    async def abort(self) -> int:
        return await self._connection.abort(self._room)

    async def give(self, seat: str) -> int:
        return await self._connection.give(self._room, seat)

    async def berserk(self) -> int:
        return await self._connection.berserk(self._room)

    async def say(self, text: str, to: Literal["table", "all"] = "all") -> None:
        await self._connection.say(self._room, text, to)

    async def react(self, reaction: Reaction) -> None:
        await self._connection.react(self._room, reaction)

    async def chat(self) -> Sequence[told.ChatLine]:
        return await self._connection.chat(self._room)

    async def report(self, seat: str, why: str) -> None:
        player = self.table.seats[seat].player
        if player is None:
            raise RequestError(told.Error(kind="refused", code="not_here", message=f"Nobody sits at {seat}."))
        await self._connection.report(self._room, player, why)

    async def bot(self, seat: str | None, level: int) -> int:
        if self.table.status == "open":
            return await self._connection.invite(self._room, level, seat)
        return await self.propose("stand_in", seat=seat, level=level)

    async def sit(self, seat: str | None = None) -> int:
        await self._connection.join(self._room, seat)
        return self.table.seq

    async def export(self, format: str) -> str:
        return await self._connection.export(self._room, format)

    async def record(self) -> Record:
        format = self.table.position.rules.records
        return next(READERS[format](await self.export(format)))

    async def leave(self) -> None:
        self.gone = True
        try:
            await self._connection.depart(self._room)
        finally:
            self._reader.cancel()
            if self._asking is not None:
                self._asking.cancel()
            self._news.end()


class RemoteVenue(Venue):
    """A server, as an async context manager. `name` is the player's name, `token` restores an earlier identity, and
    `room` is the room that the player is going to, if known.

    Entering raises `ConnectionFault`. Keep `token` for the next time.
    """

    def __init__(
        self,
        url: str,
        name: str | None = None,
        token: str | None = None,
        patience: float = 90.0,
        room: str | None = None,
    ) -> None:
        self.name = url
        self.patience = ANSWER
        self._challenges: dict[str, told.Challenge] = {}
        self._rated: dict[object, dict[str, str]] = {}  # by kind of game, and player; empty without a rating
        self._rated_until = 0.0
        self.connection = Connection(
            url, name=name, token=token, patience=patience, notice=self._notice, room=room, heard=self._heard
        )
        """For the requests that need nothing of this class."""
        self.keep: Callable[[str | None], object] = lambda _: None
        """Called with each new token, to keep for the next time; None: there is none."""
        self._games: dict[str, RemoteGame] = {}
        self._ahead = 0

    async def __aenter__(self) -> Self:
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(self.connection)
            asked = _here()
            there = await self.connection.ping()
            self._ahead = there - (asked + _here()) // 2
            stack.pop_all()  # `__aexit__` closes it
        return self

    async def __aexit__(self, *raised: object) -> None:
        await self.connection.__aexit__(*raised)

    @property
    def token(self) -> str | None:
        """The token that restores this identity."""
        return self.connection.token

    def _notice(self, text: str) -> None:
        notice = Notice(text, self.connection.connected)
        for game in self._games.values():
            game.notice(notice)
        if self.listener is not None:
            self.listener(notice)

    @property
    def player(self) -> str:
        return self.connection.player or ""

    @property
    def user(self) -> str:
        return self.connection.name or ""

    def _heard(self, frame: told.Frame) -> None:
        if isinstance(frame, told.Challenge):
            self._note(frame)
        elif isinstance(frame, told.Announced) and self.announced is not None:
            self.announced(frame.text)
        elif isinstance(frame, told.Paired) and self.paired is not None:
            self.paired(frame.room)

    def _note(self, challenge: told.Challenge) -> told.Challenge:
        """Record the state of a challenge. The user hears of each state once."""
        before = self._challenges.pop(challenge.challenge, None)
        self._challenges[challenge.challenge] = challenge
        while len(self._challenges) > REMEMBERED:
            del self._challenges[next(iter(self._challenges))]
        if self.challenged is not None and (before is None or _standing(before) != _standing(challenge)):
            self.challenged(challenge)
        return challenge

    def challenges(self) -> list[told.Challenge]:
        now = _here() + self._ahead
        found = [one for one in self._challenges.values() if one.status == "open" and one.until > now]
        return sorted(found, key=lambda challenge: challenge.made)

    async def challenge(self, wish: Wish) -> told.Challenge:
        """Challenge players to a game."""
        made = await self.connection.challenge(
            wish.player,
            wish.variant,
            wish.clock,
            seats=wish.seats,
            seat=wish.seat,
            visibility=wish.visibility,
            rated=wish.rated,
            room=wish.room,
        )
        return self._note(made)

    async def answer(self, challenge: str, accept: bool, text: str = "") -> told.Challenge:
        """Accept or decline a challenge."""
        return self._note(await self.connection.answer(challenge, accept, text=text))

    async def cancel(self, challenge: str) -> told.Challenge:
        """Take back your own challenge."""
        return self._note(await self.connection.cancel(challenge))

    def now(self) -> int:
        return _here() + self._ahead

    async def strengths(self, players: Iterable[str], variant: str, clock: told.Control | None) -> dict[str, str]:
        if time.monotonic() > self._rated_until:
            self._rated, self._rated_until = {}, time.monotonic() + RATED
        kind = variant, None if clock is None else (clock.base, clock.increment, clock.delay)
        known = self._rated.setdefault(kind, {})
        lacking = sorted(set(players) - known.keys())
        for first in range(0, len(lacking), AT_ONCE):
            some = lacking[first : first + AT_ONCE]
            found = await self.connection.strengths(some, variant, None if kind[1] is None else Clock(*kind[1]))
            known |= dict.fromkeys(some, "")
            known |= {one.player: f"{one.rating}{'' if one.certain else '?'}" for one in found}
        return {player: known[player] for player in players if known.get(player)}

    async def rooms(self, variant: str | None = None) -> list[told.Listing]:
        return await self.connection.rooms(variant)

    async def games(
        self, variant: str | None = None, *, mine: bool = True, name: str | None = None
    ) -> list[told.Game]:
        player = self.connection.player if mine else None
        return (await self.connection.games(player, variant, name=name)).games

    async def register(self, name: str) -> told.Account:
        """Turn the user, a guest, into an account. The answer has its recovery code."""
        return self._kept(await self.connection.register(name, DEVICE))

    async def login(self, code: str) -> told.Account:
        """Become the player of an account, by its recovery code."""
        answer = await self.connection.login(code, DEVICE)
        assert isinstance(answer.token, str)  # the token of the new session
        self.keep(answer.token)
        await self.connection.become(answer.token)
        return await self.connection.account()

    async def rename(self, name: str) -> told.Account:
        """Rename the user's account."""
        return self._kept(await self.connection.rename(name))

    async def sign_out(self, session: str) -> None:
        """Sign out a device of the user's account."""
        here = any(one.here and one.session == session for one in (await self.connection.account()).sessions)
        await self.connection.sign_out(session)
        if here:
            self.keep(None)

    def _kept(self, account: told.Account) -> told.Account:
        self.keep(self.connection.token)
        return account

    async def analyse(self, variant: str, position: str, seconds: float) -> told.Lines:
        """Level 5's best lines in a position, after that many seconds."""
        best = told.Lines("", 0, 0, [], [], True)
        async for found in await self.connection.analyse(variant, position, ms=round(1000 * seconds)):
            if found.lines:
                best = found
        return best

    async def study(self, room: str) -> OpenStudy:
        """Open an existing study."""
        return await follow(self.connection, room)

    async def new_study(self, title: str | None, source: Source) -> OpenStudy:
        """Create a private study, and open it. The default title is that of the text."""
        made = await self.connection.study_of(title, source)
        study = await follow(self.connection, made.room)
        study.notes = made.notes or []
        return study

    async def create(self, opening: Opening) -> Game:
        room = await self.connection.create(
            opening.variant,
            position=opening.position,
            visibility=opening.visibility,
            clock=opening.clock,
            password=opening.password,
            moves=opening.moves,
            rated=opening.rated,
        )
        free = [seat for seat in player_seats(opening.variant) if seat not in opening.levels]
        mine = opening.seat or next(iter(free), None)
        game = await self.watch(room) if mine is None else await self.join(room, mine)
        for seat, level in opening.levels.items():
            game.due = await self.connection.invite(room, level, seat)
        return game

    async def join(self, room: str, seat: str | None = None, password: str | None = None) -> Game:
        """Take a seat in a game, or return to your own. A game that is followed already is the same object."""
        await self.connection.join(room, seat, password=password)
        return await self._open(room)

    async def watch(self, room: str, password: str | None = None) -> Game:
        """Watch a game."""
        return await self._open(room, password)

    async def seek(self, wish: Sought) -> Game:
        """Take a seat with other players who seek the same game."""
        found = self.connection.seek(wish.variant, wish.clock, wish.pool, rated=wish.rated, range=wish.range)
        room, _ = await found
        return await self._open(room)

    async def _open(self, room: str, password: str | None = None) -> RemoteGame:
        """The game of a room: the existing one, or a new one with its first snapshot."""
        known = self._games.get(room)
        if known is not None and not known.gone:
            return known
        following = self.connection.follow(room, password=password)
        async for frame in following:
            if isinstance(frame, told.Room):
                game = RemoteGame(self.connection, following, frame, self._ahead, self.strengths)
                self._games[frame.room] = game
                return game
        raise RequestError(told.Error(kind="refused", code="no_such_room", message="There is no such room."))


def _standing(challenge: told.Challenge) -> object:
    """The parts of a challenge that can change."""
    return challenge.status, [seat.answer for seat in challenge.seats]


def _here() -> int:
    return time.time_ns() // 1_000_000
