"""The lobby on this server: posts the listings of its rooms for all servers, and sends changes to its followers.

A room's listing is posted by the server that made the decision, after it is in the log. Changes of seats or status, and
arrivals in an empty room, are posted at once. The numbers of moves and watchers are posted some seconds later, in
batches, and only while the listing has a viewer at any server. So a server's load from the lobby does not grow with the
moves of others. A server that dies in between leaves a wrong listing. So each server checks old
listings against the log, a few at a time.
"""

import asyncio
import contextlib
import random
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from typing import Final

import structlog
from msgspec.structs import replace

from fourfold.engine.decisions import Decision
from fourfold.engine.match.events import Closed, Credited, Eliminated, Moved, Proposed, Redone, Undone, Voted
from fourfold.protocol import from_server as wire
from fourfold.protocol.from_server import Listing
from fourfold.server.clock import Clock
from fourfold.server.lobby import listing_store
from fourfold.server.lobby.index import ListingFilter, ListingIndex, changes, listing
from fourfold.server.lobby.listing_store import ListingStore, Posting
from fourfold.server.players.identity import is_bot
from fourfold.server.replication.collection import ReplicatedCollection
from fourfold.server.replication.fanout import Follower
from fourfold.server.replication.holding import NoSuchRoom
from fourfold.server.replication.views import Views
from fourfold.server.rooms.room import Room, RoomChange
from fourfold.server.storage.event_log import EventLog, LogUnavailable, UnreadableEntry, unless_unavailable
from fourfold.server.supervision import Tasks, end, supervise

TELL_EVERY: Final = 0.5
"""Seconds, at least, between two updates to the lobby's followers."""

POST_EVERY: Final = 5.0
"""Seconds for which a move or a watcher may wait to be posted, and between servers' messages about viewed listings."""

LOOKED: Final = 3 * POST_EVERY
"""Seconds for which a listing counts as viewed after a server's message."""

_GAME_ONLY: Final = {Moved, Proposed, Voted, Closed, Undone, Redone, Credited, Eliminated}
"""The events after which a game is still played, by the same players."""

CHECK_EVERY: Final = 10.0
"""Seconds between comparisons of some listings with the log."""

CHECKED_AFTER: Final = 30_000
"""Milliseconds without confirmation after which a listing is compared with the log."""

CHECKS: Final = 100
"""How many listings are compared with the log at a time, at most."""

_PAGE: Final = 100
"""How many listings are posted at a time."""

_log = structlog.get_logger(__name__)

Find = Callable[[str], Awaitable[Room]]


class Lobby(ReplicatedCollection):
    """Posts, and updates its followers, from `open` to `close`."""

    def __init__(self, store: ListingStore, log: EventLog, clock: Clock) -> None:
        super().__init__(log, listing_store.ROOM, "lobby")
        self._store = store
        self._clock = clock
        self._index = ListingIndex()
        self._views: Views[ListingFilter, dict[str, Listing]] = Views(TELL_EVERY, self._part, _news)
        self._urgent: dict[str, Room] = {}
        self._later: dict[str, Room] = {}
        self._unseen: dict[str, Room] = {}  # rooms whose listings have changed only in details for viewers
        self._looked: dict[str, float] = {}  # until when these rooms' listings have viewers, on any node
        self._wake = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._lookings = Tasks()

    async def open(self, find: Find, moved: Callable[[], Mapping[str, Room]]) -> None:
        """Load all listings, and stay informed. Raises `LogUnavailable`.

        `find` finds a room of the log. `moved` returns the rooms with only ordinary moves since its last call, which
        `notice` does not report.
        """
        await self.start()
        posting = supervise("lobby posts", lambda: self._post_on(moved))
        self._tasks = [posting, supervise("lobby checks", lambda: self._check_on(find))]

    async def close(self) -> None:
        """Stop. Other nodes find changes that were not posted yet."""
        await end([*self._tasks, *self._lookings])
        self._views.stop()
        await self.stop()

    # -- the rooms of this node --

    def notice(self, change: RoomChange) -> None:
        """This server has changed a room, or its followers."""
        room = change.room
        if change.shown.visibility != "public":
            return
        listed = self._index.get(room.id)
        filled = listed is not None and listed.empty and not change.empty
        if not change.shown_news and not filled:
            self._later[room.id] = room
        elif self._apply(_posting(change)):
            self._urgent[room.id] = room
            self._wake.set()

    async def _post_on(self, moved: Callable[[], Mapping[str, Room]]) -> None:
        loop = asyncio.get_running_loop()
        due = loop.time() + POST_EVERY
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout_at(due):
                    await self._wake.wait()
            self._wake.clear()
            rooms, self._urgent = self._urgent, {}
            if loop.time() >= due:
                self._later |= _public(moved())
                self._unseen |= {id: room for id, room in self._later.items() if not self._is_due(room)}
                rooms |= {id: room for id, room in self._later.items() if id not in self._unseen}
                rooms |= {id: room for id, room in self._unseen.items() if room.closed}
                self._later.clear()
                due = loop.time() + POST_EVERY
                self._looked = {room: until for room, until in self._looked.items() if until > loop.time()}
                self._look({room for view in self._views for room in view})
            for id in rooms:
                self._unseen.pop(id, None)
            try:
                await self._post([_posting(room.change()) for room in rooms.values()])
            except LogUnavailable as error:
                _log.debug("lobby not posted", error=str(error), rooms=len(rooms))
                self._urgent = rooms | self._urgent
                await asyncio.sleep(TELL_EVERY)  # paces the attempts
                self._wake.set()

    def _is_due(self, room: Room) -> bool:
        """Whether a change must be posted: the listing has viewers, or more than moves and watchers changed."""
        held, now = self._index.get(room.id), _posting(room.change()).listing
        if room.id in self._looked or held is None or now is None:
            return True
        return replace(held, ply=now.ply, watchers=now.watchers) != now

    def _look(self, rooms: Collection[str]) -> None:
        """Notify all nodes that these rooms' listings have viewers."""
        if rooms:
            self._lookings.start(self._tell_looked(rooms))

    async def _tell_looked(self, rooms: Collection[str]) -> None:
        with unless_unavailable(_log, "viewed listings not announced"):  # it will be sent again
            await self._store.look(rooms)

    async def _post(self, postings: list[Posting]) -> None:
        for posting in postings:
            self._apply(posting)
        for start in range(0, len(postings), _PAGE):
            await self._store.post(postings[start : start + _PAGE])

    # -- messages of other nodes --

    def take(self, message: bytes) -> None:
        """A server, perhaps this one, has posted listings, or reports which ones have viewers."""
        heard = listing_store.read(message)
        if isinstance(heard, listing_store.Looked):
            self._looked |= dict.fromkeys(heard.rooms, asyncio.get_running_loop().time() + LOOKED)
            news = self._unseen.keys() & set(heard.rooms)
            if news:
                self._urgent |= {room: self._unseen[room] for room in news}
                self._wake.set()
            return
        for posting in heard:
            self._apply(posting)

    async def learn(self) -> None:
        """Load all stored listings. Drop those that are not stored and were not posted meanwhile."""
        start = self._clock()
        kept = set()
        async for posting in self._store.postings():
            kept.add(posting.room)
            self._apply(posting)
        for room, seq in self._index.unchecked(start, len(self._index)):
            if room not in kept:
                self._apply(Posting(room, seq, None))

    # -- checks against the log --

    async def _check_on(self, find: Find) -> None:
        while True:
            await asyncio.sleep(CHECK_EVERY * random.uniform(0.8, 1.2))
            with unless_unavailable(_log, "lobby not checked"):
                for room, seq in self._index.unchecked(self._clock() - CHECKED_AFTER, CHECKS):
                    await self._check(room, seq, find)

    async def _check(self, room: str, seq: int, find: Find) -> None:
        """Compare one listing with the log. In a room of seekers, also check whether they still wait."""
        held, now = self._index.get(room), Posting(room, seq, None)
        with contextlib.suppress(NoSuchRoom, UnreadableEntry):  # it has just expired, or can't be read
            last = await self._store.last(room)
            if last is not None and held is not None and _agrees(held, seq, last):
                self._index.confirm(room, self._clock())
                return
            if last is not None:
                now = _posting((await find(room)).change())
        if now == Posting(room, seq, held):
            self._index.confirm(room, self._clock())
        else:
            # A log may have gone back. Servers ignore a posting whose version is older than the one that they have.
            await self._post([replace(now, seq=max(now.seq, seq))])

    # -- viewers --

    def find(self, part: ListingFilter) -> tuple[list[Listing], bool]:
        """The listings that pass a filter, newest first, and whether there are more than its limit."""
        found = self._index.find(part)
        self._glimpse(found)
        return found, self._has_more(part)

    def listed(self, part: ListingFilter) -> list[Listing]:
        """The listings that pass a filter, newest first, as known here. They do not count as viewed."""
        return self._index.find(part)

    def follow(self, follower: Follower, part: ListingFilter) -> tuple[list[Listing], bool]:
        """The same, and send a follower every change to them from now on. A follower follows one filter at a time."""
        listings = self._views.follow(follower, part).values()
        self._glimpse(listings)
        return list(listings), self._has_more(part)

    def unfollow(self, follower: Follower) -> None:
        """Stop sending changes to a follower."""
        self._views.unfollow(follower)

    @property
    def has_visitors(self) -> bool:
        """Whether a person follows the lobby at this server."""
        return any(not is_bot(follower.player_id) for follower in self._views.followers)

    def _glimpse(self, listings: Iterable[Listing]) -> None:
        """Publish listings that have just gained their first viewer."""
        self._look({listing.room for listing in listings} - self._looked.keys())

    def _has_more(self, part: ListingFilter) -> bool:
        return len(self._index.find(part._replace(limit=part.limit + 1))) > part.limit

    def _apply(self, posting: Posting) -> bool:
        changed = self._index.put(posting.room, posting.seq, posting.listing, self._clock())
        if changed:
            self._views.changed()
        return changed

    def _part(self, part: ListingFilter) -> dict[str, Listing]:
        """The listings that pass a filter, by their rooms."""
        return {listing.room: listing for listing in self._index.find(part)}


def _agrees(held: Listing, seq: int, last: Decision) -> bool:
    """Whether a listing at version `seq` is still right, apart from moves, by the last decision of the log."""
    if last.seq == seq:
        return not (held.seek and held.status == "open")  # the log does not say whether seekers still wait
    if last.seq < seq:
        return False  # the log has gone back
    return held.status == "playing" and all(type(event) in _GAME_ONLY for event in last.events)


def _public(rooms: Mapping[str, Room]) -> dict[str, Room]:
    return {id: room for id, room in rooms.items() if room.shown is not None and room.shown.visibility == "public"}


def _posting(now: RoomChange) -> Posting:
    """The listing of a room, as watchers see it: late, if the room has a delay."""
    id, state = now.room.id, now.shown
    return Posting(id, state.seq, None if now.gone else listing(id, state, now.watchers, now.empty))


def _news(before: dict[str, Listing], now: dict[str, Listing]) -> wire.Lobby | None:
    changed, removed = changes(before, now)
    return wire.Lobby(changed, removed) if changed or removed else None
