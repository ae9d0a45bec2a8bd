"""The gateway's players, by token. Each has one connection to the server, shared by all its requests.

A connection lives as long as a request of its token is open, and a little longer. So a bot whose program has ended goes
offline like any other player.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Coroutine, Iterable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from math import inf
from typing import Any, Final

from msgspec.structs import replace

from fourfold.clients.connection import Connection
from fourfold.clients.errors import ConnectionFault, Dismissed, RequestError
from fourfold.clients.gateway import shapes
from fourfold.clients.gateway.lines import Lines
from fourfold.clients.gateway.match import Match
from fourfold.clients.gateway.recent import Recent
from fourfold.clients.gateway.shapes import Person, Shape, Strengths
from fourfold.clients.websocket import room_url
from fourfold.protocol import from_server as told
from fourfold.protocol.from_client import Clock, Plays
from fourfold.protocol.from_server import Challenge, Frame, Strength

LINGER: Final = 8.0
"""Seconds for which a connection outlives its last request."""

PAGE: Final = 50
"""The number of recent games to search for running ones."""

FRESH: Final = 3.0
"""Seconds for which requests without a token share answers."""

STAY: Final = 600.0
"""Seconds for which a finished game is followed, for a rematch."""

SOON: Final = 0.5
"""Seconds to wait for ratings before answering without them."""

AWAY: Final = 1.5
"""Seconds for which an acceptance waits for an opponent who is away: long enough to reload a page."""

OUTAGE: Final = 10.0
"""The same after the gateway lost its own connection: the opponent may have lost theirs too, and come back later."""

OVER: Final = 100
"""The most challenges whose results a player remembers."""

LONGEST: Final = 500
"""The longest token to pass to the server, in characters."""

_PLAYS: Final = Plays(list(shapes.VARIANTS))
"""The games that bots on the gateway play; each program may play fewer."""


class NoGame(Exception):
    """The player has no such game."""


class Player:
    """A player of the server, over one connection. `Players` creates it."""

    def __init__(self, url: str, token: str | None) -> None:
        name = None if token else "Gateway"
        self.connection = Connection(
            url, token=token, name=name, patience=inf, heard=self._hear, notice=self._notice, plays=_PLAYS
        )
        self.matches: dict[str, Match] = {}
        """The followed games, by room."""
        self.challenges: dict[str, Challenge] = {}
        """The open challenges, by the id of their game."""
        fresh = 0.0 if token else FRESH
        self._people: Recent[dict[str, told.Person]] = Recent(fresh)
        self._ratings: Recent[told.Ratings] = Recent(fresh)
        self._ahead = 0
        self._events: Lines | None = None
        self._strengths: dict[tuple[str, tuple[int, int, int] | None], dict[str, Strength | None]] = {}
        self._waiting: dict[str, asyncio.Future[Challenge]] = {}
        self._over: dict[str, Challenge] = {}  # the latest results of challenges
        self._since: dict[str, float] = {}  # by game: when a challenge with an absent opponent was first accepted
        self._shaken = -inf  # when the connection was last lost, or came back
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def person(self) -> Person:
        """The player's identity."""
        return Person(self.connection.name or "", shapes.is_bot(self.connection.player or ""))

    async def resume(self) -> None:
        """Follow all running games of the player. Raises `RequestError` or `ConnectionFault`."""
        asked = _here()
        self._ahead = await self.connection.ping() - (asked + _here()) // 2
        page = await self.connection.games(self.connection.player, limit=PAGE)
        playing = [game for game in page.games if shapes.is_playable(game)]
        await asyncio.gather(*(self.follow(game.room, created=game.started) for game in playing))

    async def follow(self, room: str, *, created: int | None = None, announce: bool = False) -> Match:
        """The player's game in a room, once its state is known; see `Match`. Raises `NoGame` if there is none."""
        match = self.matches.get(room)
        if match is None or match.gone:
            await self._forget()
            match = Match(
                self.connection, room, self._ahead, self.tell, self.strengths, created=created, announce=announce
            )
            self.matches[room] = match
        await match.seen.wait()
        if match.gone or match.table.variant not in shapes.VARIANTS or match.seat is None:
            await self._leave(match)
            raise NoGame(f"No game {room} of yours, for two")
        table = match.table
        await self.learn([seat.player for seat in table.seats.values()], table.variant, table.clocks)
        return match

    # -- ratings --

    def strengths(self, variant: str, control: shapes.AnyClock) -> Strengths:
        """Known ratings in games of a variant with a clock; see `learn`."""
        return self._strengths.get((variant, _terms(control)), shapes.NOBODY)

    async def learn(self, players: Iterable[str | None], variant: str, control: shapes.AnyClock) -> None:
        """Ask for unknown ratings of players in games of a variant with a clock. If the server does not answer soon,
        they count as players without ratings."""
        terms = _terms(control)
        known = self._strengths.setdefault((variant, terms), {})
        unknown = [one for one in players if one is not None and one not in known]
        if not unknown:
            return
        clock = None if terms is None else Clock(*terms)
        with suppress(RequestError, ConnectionFault, TimeoutError):
            async with asyncio.timeout(SOON):
                found = await self.connection.strengths(unknown, variant, clock)
            known |= dict.fromkeys(unknown) | {one.player: one for one in found}

    async def _forget(self) -> None:
        """Leave games that ended long ago."""
        until = asyncio.get_running_loop().time() - STAY
        for match in [one for one in self.matches.values() if one.ended is not None and one.ended < until]:
            await self._leave(match)

    async def _leave(self, match: Match) -> None:
        if self.matches.get(match.room) is match:
            del self.matches[match.room]
        await match.stop()
        with suppress(RequestError):  # the room may be gone
            await self.connection.leave(match.room)

    def played(self) -> list[Match]:
        """The running games."""
        return [match for match in self.matches.values() if match.is_played]

    def listen(self) -> Lines:
        """The player's events from now on, starting with open challenges and running games. It ends an earlier
        listener's stream."""
        if self._events is not None:
            self._events.end()
        lines = self._events = Lines()
        for match in self.matches.values():
            if match.is_played:
                lines.put({"type": "gameStart", "game": match.entry()})
            elif (offer := match.rematch()) is not None:
                lines.put({"type": "challenge", "challenge": shapes.challenge(offer)})
        for challenge in self.challenges.values():
            if challenge.by == self.connection.player or self.is_asked(challenge):
                lines.put({"type": "challenge", "challenge": self.shape(challenge)})
        return lines

    # -- challenges --

    def shape(self, challenge: Challenge) -> Shape:
        """A challenge in the form of the Lichess API."""
        url = room_url(self.connection.url, shapes.game_of(challenge))
        rated = self.strengths(challenge.variant, challenge.clock)
        offer = shapes.offer(challenge, url, self.connection.player or "", rated)
        told = shapes.challenge(
            offer, status=shapes.challenge_status(challenge), incoming=challenge.by != self.connection.player
        )
        return told | shapes.reason(challenge)

    def _hear(self, frame: Frame) -> None:
        """Record the state of a challenge, and report it. For these programs, a challenge has the id of its game."""
        if not isinstance(frame, Challenge):
            return
        id = shapes.game_of(frame)
        known = self.challenges.pop(id, None)
        if frame.status != "open":
            self._since.pop(id, None)
        mine = frame.by == self.connection.player
        if frame.status == "open":
            self._hear_open(frame, new=known is None)
            return
        self._over[id] = frame
        if len(self._over) > OVER:
            del self._over[next(iter(self._over))]
        if (waiting := self._waiting.pop(id, None)) is not None:
            waiting.set_result(frame)
        if known is None:  # it has ended before
            return
        if frame.status == "accepted" and frame.room is not None:
            self._do(self.follow(frame.room, announce=True))
        elif frame.status == "declined":
            if mine:
                self.tell({"type": "challengeDeclined", "challenge": self.shape(frame)})
        else:
            self.tell({"type": "challengeCanceled", "challenge": self.shape(frame)})

    def _hear_open(self, challenge: Challenge, *, new: bool) -> None:
        if challenge.variant not in shapes.VARIANTS:
            if self.is_asked(challenge):  # these programs could not play the game
                self._do(self.connection.answer(challenge.challenge, accept=False, reason="variant"))
            return
        self.challenges[shapes.game_of(challenge)] = challenge
        if new and (challenge.by == self.connection.player or self.is_asked(challenge)):
            self._do(self._tell_of(challenge))

    async def _tell_of(self, challenge: Challenge) -> None:
        """Report a challenge with the ratings of its players, unless it has ended by then."""
        await self.learn([one.player for one in challenge.seats], challenge.variant, challenge.clock)
        if shapes.game_of(challenge) in self.challenges:
            self.tell({"type": "challenge", "challenge": self.shape(challenge)})

    def is_asked(self, challenge: Challenge) -> bool:
        """Whether the player must still answer a challenge."""
        return any(one.player == self.connection.player and one.answer is None for one in challenge.seats)

    def challenge_of(self, game: str) -> str:
        """The id of the challenge that led to a game."""
        known = self.challenges.get(game)
        return game if known is None else known.challenge

    def waits_for(self, game: str) -> bool:
        """Whether the opponent of an accepted challenge, who is away, can still come back in time."""
        now = asyncio.get_running_loop().time()
        return now < max(self._since.setdefault(game, now) + AWAY, self._shaken + OUTAGE)

    async def call_off(self, game: str) -> str:
        """Call off a challenge whose opponent is away, and return the opponent's name. Raises `RequestError` if it has
        ended."""
        over = await self.connection.answer(self.challenge_of(game), accept=False, reason="later")
        self.tell({"type": "challengeCanceled", "challenge": self.shape(replace(over, status="cancelled"))})
        return next(one.name for one in over.seats if one.player != self.connection.player)

    def _notice(self, _: str) -> None:
        """Handle the loss or return of the connection."""
        self._shaken = asyncio.get_running_loop().time()

    async def outcome(self, challenge: str) -> Challenge:
        """Wait for the end of the player's challenge to a game, or return it if it has just ended."""
        if (over := self._over.get(challenge)) is not None:
            return over
        waiting = self._waiting.setdefault(challenge, asyncio.get_running_loop().create_future())
        return await asyncio.shield(waiting)  # several requests may wait

    def _do(self, work: Coroutine[Any, Any, object]) -> None:
        async def in_time() -> None:
            with suppress(RequestError, ConnectionFault, NoGame):  # the answer came too late, or the client asks again
                await work

        task = asyncio.create_task(in_time(), name="a challenge of the gateway")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def tell(self, event: Shape) -> None:
        """Send an event to the listener. After a game, ratings change."""
        if event["type"] == "gameFinish":
            self._strengths.clear()
        if self._events is not None:
            self._events.put(event)

    def end(self, fault: ConnectionFault) -> None:
        """Cut off the listener, who can come again."""
        if self._events is not None:
            self._events.end(fault)

    async def find(self, name: str) -> told.Person | None:
        """The online player with a name, or with the id that `Person` makes of it."""
        return (await self.people()).get(shapes.id_of(name))

    async def people(self) -> dict[str, told.Person]:
        """The online players, by the ids that `Person` makes of their names; of several, the first."""
        return await self._people.get("", self._list)

    async def _list(self) -> dict[str, told.Person]:
        found: dict[str, told.Person] = {}
        async for person in self.connection.everybody():
            found.setdefault(shapes.id_of(person.name), person)
        return found

    async def ratings(self, player: str) -> told.Ratings:
        """The player's present ratings."""
        return await self._ratings.get(player, lambda: self.connection.ratings(player, points=0))

    async def stop(self) -> None:
        """Stop following games."""
        await asyncio.gather(*(match.stop() for match in self.matches.values()))


class _Visit:
    """Keep a player's connection open until `leave` is set."""

    def __init__(self, url: str, token: str | None) -> None:
        self.users = 0
        self.leave = asyncio.Event()
        self.closing: asyncio.TimerHandle | None = None
        loop = asyncio.get_running_loop()
        self.player: asyncio.Future[Player] = loop.create_future()
        self.task = asyncio.create_task(self._run(url, token), name="a player of the gateway")

    async def _run(self, url: str, token: str | None) -> None:
        try:
            async with AsyncExitStack() as stack:
                player = Player(url, token)
                await stack.enter_async_context(player.connection)
                if token is not None:
                    await player.resume()
                self.player.set_result(player)
                ends = [asyncio.create_task(player.connection.wait_ended()), asyncio.create_task(self.leave.wait())]
                try:
                    await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
                finally:
                    for task in ends:
                        task.cancel()
                player.end(ConnectionFault("This player's connection has ended."))
                await player.stop()
        except Exception as error:
            if self.player.done():
                raise
            self.player.set_exception(error)
            self.player.exception()  # retrieve the error, since nobody may be waiting


def _terms(control: shapes.AnyClock) -> tuple[int, int, int] | None:
    return None if control is None else (control.base, control.increment, control.delay)


def _here() -> int:
    return time.time_ns() // 1_000_000


class Players:
    """All players of the gateway, for one server. Use `visit`, and `close` at the end."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._visits: dict[str | None, _Visit] = {}

    def knows(self, token: str) -> bool:
        """Whether a token has a connection, or is opening one."""
        visit = self._visits.get(token)
        return visit is not None and not visit.task.done()

    async def person(self, token: str) -> Person | None:
        """The owner of a token; None for an invalid one. A connection that was opened only for this is closed at once.

        Raises `ConnectionFault`s while the server is away.
        """
        if self.knows(token):
            async with self.visit(token) as player:
                return player.person
        if not 0 < len(token) <= LONGEST:
            return None
        player = Player(self.url, token)
        try:
            async with player.connection:
                return player.person
        except Dismissed:
            return None

    @asynccontextmanager
    async def visit(self, token: str | None) -> AsyncIterator[Player]:
        """The player of a token, or without one a guest of the gateway, for the length of the context.

        Raises `Dismissed` for an invalid token, and other `ConnectionFault`s while the server is away.
        """
        visit = self._visits.get(token)
        if visit is None or visit.task.done():
            visit = self._visits[token] = _Visit(self.url, token)
        if visit.closing is not None:
            visit.closing.cancel()
            visit.closing = None
        visit.users += 1
        try:
            yield await asyncio.shield(visit.player)
        finally:
            visit.users -= 1
            if not visit.users:
                visit.closing = asyncio.get_running_loop().call_later(LINGER, self._end, token, visit)

    def _end(self, token: str | None, visit: _Visit) -> None:
        visit.leave.set()
        if self._visits.get(token) is visit:
            del self._visits[token]

    async def close(self) -> None:
        """Close all connections."""
        visits, self._visits = list(self._visits.values()), {}
        for visit in visits:
            visit.leave.set()
        await asyncio.gather(*(visit.task for visit in visits), return_exceptions=True)
