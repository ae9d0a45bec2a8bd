"""Seekers with a rating range: the longer they wait, the wider it is, until it takes them to another room.

When a suitable room appears, they move to it: to an older one, or to one in which nobody has a range. They move on all
connections of this server on which they wait, since one of them may be dead. If all of these are, they stay: they may
wait at another server by now, which then moves them.
"""

import asyncio
from dataclasses import dataclass, field, replace
from typing import Final, Protocol

import structlog

from fourfold.engine.decisions import Rejection
from fourfold.engine.match.commands import Stand
from fourfold.server.limits.refused import RequestRefused
from fourfold.server.lobby.listing_store import ListingStore
from fourfold.server.lobby.matchmaking import Matchmaking, Seek, make_ready, seated, waits
from fourfold.server.rooms.room import Room
from fourfold.server.storage.event_log import LogUnavailable
from fourfold.server.supervision import end, supervise

LOOK: Final = 4.0
"""Seconds between checks of whom seekers with a range may meet by now."""

_log = structlog.get_logger(__name__)


class Waiting(Protocol):
    """A connection on which a player waits. `sessions.seeking.Seeking` implements it, in a folder above."""

    def waits(self, room: Room) -> bool:
        """Whether the player still waits in this room on this connection."""

    async def answers(self) -> bool:
        """Whether the client of this connection answers a ping within two seconds."""

    def goes(self, room: Room) -> None:
        """The player will leave this room for another."""

    def comes(self, room: Room) -> None:
        """The player has come to this room."""


@dataclass(eq=False, slots=True)
class _Search:
    """The search of a player in a room: on which connections they wait, and whether they have a seat there. A seek
    without a range means that the range has yet to be read from the store."""

    seek: Seek
    room: Room
    waiting: list[Waiting] = field(default_factory=list)
    seated: bool = True

    def still_waiting(self) -> list[Waiting]:
        """The connections on which the player still waits."""
        self.waiting = [one for one in self.waiting if one.waits(self.room)]
        return self.waiting


class Widening:
    """Moves seekers to other rooms as their ranges widen, from `open` to `close`."""

    def __init__(self, matchmaking: Matchmaking, store: ListingStore) -> None:
        self._matchmaking = matchmaking
        self._store = store
        self._searches: dict[tuple[str, str], _Search] = {}  # by player and room
        self._task: asyncio.Task[None] | None = None

    def open(self) -> None:
        """Start."""
        self._task = supervise("ranges", self._go_on)

    async def close(self) -> None:
        """Stop."""
        await end([self._task])

    def begin(self, seek: Seek, room: Room, waiting: Waiting) -> None:
        """A player has a seat in a room by this seek. If it has a range, move them as soon as it is wide enough for a
        better room."""
        earlier = self._searches.pop((seek.player.id, room.id), None)
        if seek.range is not None:
            others = [] if earlier is None else [one for one in earlier.waiting if one != waiting]
            self._searches[seek.player.id, room.id] = _Search(seek, room, [*others, waiting])

    def resume(self, seek: Seek, room: Room, waiting: Waiting) -> None:
        """A player who waits in a room has a new connection. The range of the seek is read from the store."""
        self._searches.setdefault((seek.player.id, room.id), _Search(seek, room)).waiting.append(waiting)

    async def _go_on(self) -> None:
        while True:
            await asyncio.sleep(LOOK)
            for search in list(self._searches.values()):
                try:
                    await self._widen(search)
                except (LogUnavailable, RequestRefused) as error:
                    _log.debug("range not widened", error=str(error))

    async def _widen(self, search: _Search) -> None:
        if not self._is_current(search):
            return
        room, player = search.room, search.seek.player.id
        gone = search.seated and not (waits(room) and player in seated(room))
        if gone or not search.still_waiting():
            self._end(search)
            return
        if search.seated:
            if search.seek.range is None:
                wanted = (await self._store.ranges(room.id)).get(player)
                if wanted is None:
                    self._end(search)
                    return
                search.seek = replace(search.seek, range=wanted.points, since=wanted.since)
            await self._matchmaking.note(search.seek, room.id)
            better = await self._has_better(search.seek, room) and await self._answers(search)
            moves = better and await self._leave(search)
            if not moves or not self._is_current(search):
                return
            search.seated = False
            await self._store.drop_range(room.id, player)
            if search.seek.key:
                await self._store.disclaim(player, search.seek.key)
            if not seated(room):
                await self._matchmaking.give_way(search.seek.game, room.id)
        # The first connection may have ended while the player waits on another.
        answer = await self._matchmaking.sit(replace(search.seek, gone=lambda: not search.still_waiting()))
        if isinstance(answer, Rejection):
            return
        waiting = search.still_waiting() if self._is_current(search) else []
        self._end(search)
        if not waiting:  # it was given up meanwhile, or another began
            await answer[0].judge(Stand(), player)
            return
        search.room, search.seated = answer[0], True
        self._searches[player, search.room.id] = search
        for one in waiting:
            one.comes(search.room)

    def _is_current(self, search: _Search) -> bool:
        """Whether the player has begun no other search in the room."""
        return self._searches.get((search.seek.player.id, search.room.id)) is search

    def _end(self, search: _Search) -> None:
        if self._is_current(search):
            del self._searches[search.seek.player.id, search.room.id]

    async def _answers(self, search: _Search) -> bool:
        """Whether a client answers a ping on at least one connection on which the player still waits."""
        return any(await asyncio.gather(*(one.answers() for one in search.still_waiting())))

    async def _leave(self, search: _Search) -> bool:
        """Free the seat of a waiting player, before they get one in a better room. Returns False if the game has
        begun. Raises `LogUnavailable`."""
        left = False
        for one in search.still_waiting():
            one.goes(search.room)
        try:
            left = not isinstance(await search.room.judge(Stand(), search.seek.player.id), Rejection)
        finally:
            for one in [] if left else search.still_waiting():
                one.comes(search.room)  # its game has begun, or the store is away
        return left

    async def _has_better(self, seek: Seek, room: Room) -> bool:
        """Whether a waiting seeker may leave a room for another. Between two rooms with ranges, only the older one is
        better, so that no two seekers swap rooms."""
        rooms = await self._store.waiting(seek.game)
        mine = rooms.index(room.id) if room.id in rooms else len(rooms)
        for place, id in enumerate(rooms):
            other = None if id == room.id else await self._matchmaking.find(id)
            if other is None or not waits(other):
                continue
            if place > mine and seated(other) & (await self._store.ranges(id)).keys():
                continue
            ready = await make_ready(other, seek.player.id, seek.origin)
            # A range noted there would keep others out, also of a room to which this player does not go.
            if ready and waits(other) and await self._matchmaking.suits(seek, other):
                return True
        return False
