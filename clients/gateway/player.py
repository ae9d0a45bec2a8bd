"""The players who have come, by their tokens: each with one connection to the server, which all its requests share.

A connection lives for as long as a request of its token is answered, and a little longer; so a bot whose program has
ended is away, as any other player.
"""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from math import inf
from typing import Final

from fourfold.clients.connection import Connection
from fourfold.clients.errors import ConnectionFault, RequestError
from fourfold.clients.gateway import shapes
from fourfold.clients.gateway.lines import Lines
from fourfold.clients.gateway.match import Match
from fourfold.clients.gateway.shapes import Person, Shape

LINGER: Final = 8.0
"""Seconds that a connection outlives the last request for it."""

PAGE: Final = 50
"""How many games are looked at for those that are played: the newest."""


STAY: Final = 600.0
"""Seconds that a game is followed after its end, for a rematch."""


class NoGame(Exception):
    """The player has no such game."""


class Player:
    """A player of the server, over one connection. Made by `Players`."""

    def __init__(self, connection: Connection, ahead: int) -> None:
        self.connection = connection
        self.matches: dict[str, Match] = {}
        """The games that are followed, by room."""
        self._ahead = ahead
        self._events: Lines | None = None

    @property
    def person(self) -> Person:
        """Who it is."""
        return Person(self.connection.name or "", shapes.is_bot(self.connection.player or ""))

    async def resume(self) -> None:
        """Follow all games that the player plays. Raises `RequestError` or `ConnectionFault`."""
        page = await self.connection.games(self.connection.player, limit=PAGE)
        playing = [game for game in page.games if shapes.is_playable(game)]
        await asyncio.gather(*(self.follow(game.room, created=game.started) for game in playing))

    async def follow(self, room: str, *, created: int | None = None, announce: bool = False) -> Match:
        """The player's game in a room, once it is known how it stands; see `Match`. Raises `NoGame` if there is
        none."""
        match = self.matches.get(room)
        if match is None or match.gone:
            await self._forget()
            match = Match(self.connection, room, self._ahead, self.tell, created=created, announce=announce)
            self.matches[room] = match
        await match.seen.wait()
        if match.gone or match.table.variant not in shapes.VARIANTS or match.seat is None:
            await self._leave(match)
            raise NoGame(f"No game {room} of yours, for two")
        return match

    async def _forget(self) -> None:
        """Leave the games that have been over for long."""
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
        """The games that are played now."""
        return [match for match in self.matches.values() if match.is_played]

    def listen(self) -> Lines:
        """What happens to the player from now on, beginning with what is open now. An earlier listener's ends."""
        if self._events is not None:
            self._events.end()
        lines = self._events = Lines()
        for match in self.matches.values():
            if match.is_played:
                lines.put({"type": "gameStart", "game": match.entry()})
            elif (offer := match.rematch()) is not None:
                lines.put({"type": "challenge", "challenge": shapes.challenge(offer)})
        return lines

    def tell(self, event: Shape) -> None:
        """Tell the listener something."""
        if self._events is not None:
            self._events.put(event)

    def end(self, fault: ConnectionFault) -> None:
        """Cut the listener off, who may come again."""
        if self._events is not None:
            self._events.end(fault)

    async def stop(self) -> None:
        """Stop to follow games."""
        await asyncio.gather(*(match.stop() for match in self.matches.values()))


class _Visit:
    """A player's connection, while it is used: it opens, and is open until `leave` is set."""

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
                connection = Connection(url, token=token, name=None if token else "Gateway", patience=inf)
                await stack.enter_async_context(connection)
                asked = _here()
                ahead = await connection.ping() - (asked + _here()) // 2
                player = Player(connection, ahead)
                if token is not None:
                    await player.resume()
                self.player.set_result(player)
                ends = [asyncio.create_task(connection.wait_ended()), asyncio.create_task(self.leave.wait())]
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
            self.player.exception()  # retrieved, since nobody may be waiting


def _here() -> int:
    return time.time_ns() // 1_000_000


class Players:
    """All players who have come, for one server. Use `visit`, and `close` at the end."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._visits: dict[str | None, _Visit] = {}

    @asynccontextmanager
    async def visit(self, token: str | None) -> AsyncIterator[Player]:
        """The player of a token, or a guest of the gateway's own without one, for as long as the context lasts.

        Raises `Dismissed` for a token that is not good, and other `ConnectionFault`s while the server is away.
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
