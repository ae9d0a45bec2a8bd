"""A game of computer players for the first page, played only while somebody looks.

Servers whose lobby is followed tell so every few seconds. While they do, and no public game of four is played, a server
that has a host of bots opens one: untimed, unrated, without a host. It is a room like any other, so that it is listed,
watched, and survives a server. Every server that holds one ends it when nobody has looked for a while. So it costs
nothing when nobody is there.
"""

import asyncio
from functools import partial
from typing import Final

import structlog

from fourfold.engine.decisions import Rejection
from fourfold.engine.match import State, Status
from fourfold.engine.match.commands import Adjourn, Close, Create, Invite
from fourfold.engine.match.decide import NOBODY
from fourfold.engine.match.terms import Terms
from fourfold.server.bots.dispatch import BotDispatch
from fourfold.server.clock import Clock
from fourfold.server.lobby.index import ListingFilter
from fourfold.server.lobby.lobby import Lobby
from fourfold.server.rooms.registry import RoomRegistry
from fourfold.server.rooms.room import Room, RoomChange
from fourfold.server.storage.event_log import EventLog, Listener, every
from fourfold.server.supervision import end, supervise

ROOM: Final = "exhibition"
"""The room id under which servers tell each other that somebody looks. No room has such an id."""

LOOK: Final = 1.0
"""Seconds between two checks of running games and of viewers."""

TELL_EVERY: Final = 5.0
"""Seconds between two messages that somebody looks."""

LOOKED: Final = 15.0
"""Seconds for which somebody counts as looking after such a message. Two messages may be lost."""

APART: Final = 10_000
"""Milliseconds in which all servers open the same room, so that two that begin at once do not play two games."""

VARIANT: Final = "survivor"
LEVEL: Final = 4
"""The game, and the level of its players."""

_GAMES: Final = ListingFilter(status="playing", limit=100)

_log = structlog.get_logger(__name__)


class Exhibition(Listener):
    """Opens and ends games of computer players, from `open` to `close`."""

    def __init__(self, lobby: Lobby, bots: BotDispatch, log: EventLog, clock: Clock) -> None:
        self._lobby = lobby
        self._bots = bots
        self._log = log
        self._clock = clock
        self._rooms: RoomRegistry
        self._held: dict[str, Room] = {}
        self._looked = 0.0  # until when somebody looks, by the event loop's clock
        self._told = 0.0  # when this server has told so last
        self._looking: asyncio.Task[None]

    async def open(self, rooms: RoomRegistry) -> None:
        """Begin. Raises `LogUnavailable`."""
        self._rooms = rooms
        await self._log.follow(ROOM, self)
        looking = partial(every, LOOK, self._look_around, _log, "no game of computers")
        self._looking = supervise("exhibition", looking)

    async def close(self) -> None:
        """Stop. Another server that holds the game looks after it."""
        await end([self._looking])
        await self._log.unfollow(ROOM, self)

    def notice(self, change: RoomChange) -> None:
        """This server has changed a room, or its followers."""
        if _is_exhibited(change.after, change.gone):
            self._held[change.room.id] = change.room

    def told(self, _message: bytes) -> None:
        """Somebody looks, at this server or another."""
        self._looked = asyncio.get_running_loop().time() + LOOKED

    async def _look_around(self) -> None:
        await self._tell()
        for room in list(self._held.values()):
            await self._look(room)
        if self._wanted():
            await self._begin()

    async def _tell(self) -> None:
        now = asyncio.get_running_loop().time()
        if self._lobby.has_visitors and now >= self._told + TELL_EVERY:
            self._told = now
            await self._log.tell(ROOM, b"")

    @property
    def _is_looked_at(self) -> bool:
        return asyncio.get_running_loop().time() < self._looked

    def _wanted(self) -> bool:
        """Whether to begin a game: somebody looks, this server has bots, and there is nothing to be seen."""
        return self._is_looked_at and len(self._bots) > 0 and not self._held and not self._shown()

    def _shown(self) -> list[str]:
        """The rooms of the public games of four that are played."""
        listings = self._lobby.listed(_GAMES)
        return [one.room for one in listings if len(one.seats) == 4 and not one.locked and not one.empty]

    async def _begin(self) -> None:
        id = self._rooms.name("public", NOBODY, f"{ROOM}.{self._clock() // APART}")
        room = await self._rooms.open(id, Create(VARIANT, terms=Terms(chat=False, rated=False)), NOBODY)
        if isinstance(room, Rejection) or room.state is None or room.state.status is not Status.OPEN:
            return
        self._held[room.id] = room
        for name, seat in zip(room.state.position.seats, room.state.seats, strict=True):
            if seat.player is None and seat.invited is None:
                await room.judge(Invite(LEVEL, name), NOBODY)
        _log.info("computers play", room=room.id)

    async def _look(self, room: Room) -> None:
        """End a game at which nobody looks, and one that people's games have taken the place of."""
        state = room.state
        if state is None or not _is_exhibited(state, room.gone) or not self._rooms.holds(room):
            del self._held[room.id]
            return
        replaced = any(other not in self._held for other in self._shown())
        if room.watchers or (self._is_looked_at and not replaced):
            return
        if state.status is Status.PLAYING:
            await room.judge(Adjourn(self._clock()), NOBODY)
        await room.judge(Close(), NOBODY)
        _log.info("computers play no longer", room=room.id)


def _is_exhibited(state: State, gone: bool) -> bool:
    """Whether a room is the service's own, and its game is not over."""
    return not gone and state.host == NOBODY and state.status is not Status.FINISHED
