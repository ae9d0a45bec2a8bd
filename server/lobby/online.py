"""The online players, on all servers: lists them, finds them by id or name, and sends frames to them.

Each server reports arrivals and departures to the others, in batches (see `replication/node_shares`). A server that has
missed something asks for everything. Nothing is stored.
"""

import asyncio
import contextlib
from bisect import bisect_left, bisect_right, insort
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any, Final, NamedTuple

import msgspec
import structlog

from fourfold.engine.match import Status
from fourfold.protocol import from_server as wire
from fourfold.protocol.from_server import Person, Played
from fourfold.server.players.identity import Player, is_bot
from fourfold.server.ratings.levels import LEVELS, level_name, level_of, rated_level
from fourfold.server.replication.fanout import Encoded, Follower
from fourfold.server.replication.node_shares import NodeShares
from fourfold.server.replication.views import Views
from fourfold.server.rooms.room import RoomChange
from fourfold.server.storage.event_log import Listener, LogUnavailable, Messages
from fourfold.server.supervision import end, supervise

ROOM: Final = "online"
"""The room id for messages about online players between servers. No room has this id."""

TELL_EVERY: Final = 0.1
"""Seconds, at least, between two messages to the other servers."""

SHOW_EVERY: Final = 2.0
"""Seconds, at least, between two updates to the list's followers."""

ALIVE_EVERY: Final = 10.0
"""Seconds between two messages of a server without arrivals or departures. Their numbers tell others whether they have
missed one."""

FAREWELL: Final = 1.0
"""Seconds for which a stopping server tries to report that its players are gone."""

_log = structlog.get_logger(__name__)


class Report(msgspec.Struct, array_like=True):
    """A server's message: the people whose entry is new or has changed, and those who are gone. Messages with changes
    are numbered; a `whole` one has everybody. `ask` asks all others for theirs."""

    node: str
    number: int
    people: list[Person]
    gone: list[str] = []
    whole: bool = False
    ask: bool = False


class _NodePeople(NamedTuple):
    """Another server's people, and the number of its last message with changes."""

    number: int
    people: dict[str, Person]


Page = tuple[str, int]
"""A part of the list: the key it starts after, and its size limit."""

Shown = tuple[list[Person], int, str | None]
"""A page: its people, the number of all online people except levels, and the mark at which the next page starts."""

_encode: Final = msgspec.msgpack.Encoder().encode
_decode: Final = msgspec.msgpack.Decoder(Report).decode


class Online(Listener):
    """Runs from `open` to `close`."""

    def __init__(self, store: Messages, has_account: Callable[[str], bool]) -> None:
        """`has_account` says whether a player has an account."""
        self._store = store
        self._has_account = has_account
        self._sessions: dict[str, dict[Follower, str]] = {}  # by player, with the name of each; the latest one counts
        self._here: dict[str, Person] = {}
        self._inside: dict[str, set[str]] = defaultdict(set)  # those of them with a seat in a room
        self._shares: NodeShares[_NodePeople] = NodeShares(store, ROOM)
        self._people: dict[str, Person] = {}  # of all servers together
        self._order: list[str] = []  # their sort keys
        self._named: dict[str, set[str]] = defaultdict(set)  # their ids by name, in lower case
        self._number = 0
        self._changed: set[str] = set()
        self._ask = True
        self._whole = True
        self._wake = asyncio.Event()
        self._views: Views[Page, Shown] = Views(SHOW_EVERY, self.page, _news)
        self._task: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Start. Raises `LogUnavailable`."""
        await self._store.follow(ROOM, self)
        self._task = supervise("online", self._tell_on)
        self._wake.set()

    async def close(self) -> None:
        """Stop; the other servers drop this server's share."""
        await end([self._task])
        self._views.stop()
        for held in (self._sessions, self._inside, self._here):  # a session may end after this
            held.clear()
        self._whole = True
        try:
            async with asyncio.timeout(FAREWELL):
                await self._tell()
        except (LogUnavailable, TimeoutError) as error:
            _log.debug("departure of all players not announced", error=str(error))  # they notice later
        await self._store.unfollow(ROOM, self)

    # -- this server --

    def come(self, session: Follower, player: Player, plays: Played | None = None) -> None:
        """A connection belongs to this player from now on. `plays` is the list of games of a bot, if it names them now.
        Computer players are not listed one by one."""
        if level_of(player.id) is not None:
            return
        sessions = self._sessions.setdefault(player.id, {})
        sessions.pop(session, None)
        sessions[session] = player.name
        before = self._here.get(player.id)
        room, status, known = (None, None, None) if before is None else (before.room, before.status, before.plays)
        bot = is_bot(player.id) or rated_level(player.id) is not None
        account = self._has_account(player.id)
        self._put(Person(player.id, player.name, bot, account, room, status, (plays or known) if bot else None))

    def host(self, session: Follower) -> None:
        """A connection is a bot host: computer players of all levels are available."""
        for player in _HOUSE:
            self.come(session, player, Played())

    def unhost(self, session: Follower) -> None:
        """A connection has ended, or is no longer a bot host."""
        for player in _HOUSE:
            self.go(session, player)

    def go(self, session: Follower, player: Player) -> None:
        """A connection has ended, or no longer belongs to this player."""
        sessions = self._sessions.get(player.id, {})
        sessions.pop(session, None)
        if sessions:
            self._put(msgspec.structs.replace(self._here[player.id], name=next(reversed(sessions.values()))))
        elif self._sessions.pop(player.id, None) is not None:
            self._note_seat(player.id, None)
            del self._here[player.id]
            self._news(player.id)

    def notice(self, change: RoomChange) -> None:
        """A room has changed, or its followers."""
        room, state = change.room.id, change.shown
        over = change.gone or state.status is Status.FINISHED or state.visibility != "public"
        present = [] if over else [seat.player for seat in state.seats if seat.player is not None]
        seated = self._here.keys() & present
        for player in sorted(seated | self._inside.get(room, set())):
            if player in seated:
                self._note_seat(player, room, "open" if state.status is Status.OPEN else "playing")
            elif self._here[player].room == room:
                self._note_seat(player, None)

    def _note_seat(self, player: str, room: str | None, status: Any = None) -> None:
        person = self._here[player]
        if person.room is not None and person.room != room:
            inside = self._inside[person.room]
            inside.discard(player)
            if not inside:
                del self._inside[person.room]
        if room is not None:
            self._inside[room].add(player)
        self._put(msgspec.structs.replace(person, room=room, status=status))

    def _put(self, person: Person) -> None:
        if self._here.get(person.player) != person:
            self._here[person.player] = person
            self._news(person.player)

    def _news(self, player: str) -> None:
        self._changed.add(player)
        self._wake.set()
        self._merge(player)

    def send(self, player: str, frame: Encoded) -> None:
        """Send a frame on all connections of a player to this server."""
        for session in self._sessions.get(player, ()):
            session.send(frame)

    # -- all servers --

    async def _tell_on(self) -> None:
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(ALIVE_EVERY):
                    await self._wake.wait()
            self._wake.clear()
            try:
                await self._tell()
            except LogUnavailable as error:
                _log.debug("online players not announced", error=str(error))
                self._whole = True  # some of it may not have arrived
                self._wake.set()
            await asyncio.sleep(TELL_EVERY)  # paces the messages

    async def _tell(self) -> None:
        changed, self._changed = sorted(self._changed), set()
        whole, self._whole, ask, self._ask = self._whole, False, self._ask, False
        self._number += bool(changed or whole)
        people = [self._here[player] for player in (self._here if whole else changed) if player in self._here]
        gone = [] if whole else [player for player in changed if player not in self._here]
        try:
            await self._store.tell(ROOM, _encode(Report(self._store.node, self._number, people, gone, whole, ask)))
        except LogUnavailable:
            self._ask = self._ask or ask
            raise

    def told(self, message: bytes) -> None:
        try:
            report = _decode(message)
        except msgspec.DecodeError:
            return  # of a newer version
        if report.node == self._store.node:
            return
        number, people = self._shares.others.get(report.node, _UNKNOWN)
        if not report.whole and report.number not in (number, number + 1):
            self.missed()
            return
        news = {person.player: person for person in report.people}
        gone = people.keys() - news.keys() if report.whole else set(report.gone)
        now = {player: one for player, one in people.items() if player not in gone} | news
        self._shares.receive(report.node, _NodePeople(report.number, now))
        for player in news.keys() | gone:
            self._merge(player)
        if report.ask:
            self._whole = True
            self._wake.set()

    def missed(self) -> None:
        self._ask = self._whole = True
        self._wake.set()

    def lose(self, nodes: Collection[str]) -> None:
        """Some servers have died: their people are gone."""
        for share in self._shares.lose(nodes):
            for player in share.people:
                self._merge(player)

    def _merge(self, player: str) -> None:
        """A server's share has changed: combine what all servers know of a player."""
        found = [people[player] for people in self._all() if player in people]
        now = next((one for one in found if one.room is not None), found[0] if found else None)
        before = self._people.pop(player, None)
        if now == before:
            if now is not None:
                self._people[player] = now
            return
        if before is not None:
            del self._order[bisect_left(self._order, _place(before))]
            same = self._named[before.name.casefold()]
            same.discard(player)
            if not same:
                del self._named[before.name.casefold()]
        if now is not None:
            self._people[player] = now
            insort(self._order, _place(now))
            self._named[now.name.casefold()].add(player)
        self._views.changed()

    # -- requests --

    def get(self, player: str) -> Person | None:
        """An online player; None if they are offline."""
        return self._people.get(player)

    def named(self, name: str) -> list[Person]:
        """The online players with a name, ignoring how its letters are written."""
        return [self._people[player] for player in sorted(self._named.get(name.casefold(), ()))]

    def page(self, page: Page) -> Shown:
        """A part of the list."""
        after, limit = page
        first = bisect_right(self._order, after) if after else 0
        places = self._order[first : first + limit]
        found = [self._people[place.rpartition(" ")[2]] for place in places]
        levels = sum(player.id in self._people for player in _HOUSE)
        return found, len(self._order) - levels, places[-1] if first + limit < len(self._order) else None

    def bots(self) -> list[Person]:
        """All bots, those without a game first; levels last."""
        found = (self._people[place.rpartition(" ")[2]] for place in self._order)
        return [person for person in found if person.bot]

    def follow(self, follower: Follower, page: Page) -> Shown:
        """Follow a part of the list. Returns the part as its followers have it now. Every later change is sent."""
        return self._views.follow(follower, page)

    def unfollow(self, follower: Follower) -> None:
        """Stop sending changes to a follower."""
        self._views.unfollow(follower)

    def _all(self) -> Iterator[dict[str, Person]]:
        yield self._here
        yield from (share.people for share in self._shares.others.values())


def _news(before: Shown, now: Shown) -> wire.Online | None:
    told, people = ({person.player: person for person in found} for found, _, _ in (before, now))
    changed = [person for player, person in people.items() if told.get(player) != person]
    removed = [player for player in told if player not in people]
    return wire.Online(changed, removed, now[1]) if before != now else None


_UNKNOWN: Final = _NodePeople(-1, {})
"""The share of a server that has not been heard of."""

_HOUSE: Final = [Player(f"level{level}", level_name(level), "", "") for level in LEVELS]
"""The computer players of the service, as the list shows them."""

_RANKS: Final = {"open": 0, None: 1, "playing": 2}


def _place(person: Person) -> str:
    """The sort key of a person: people waiting for a game come first, levels last."""
    rank = _RANKS[person.status] if rated_level(person.player) is None else len(_RANKS)
    return f"{rank} {person.name.casefold()[:64]} {person.player}"


def names(people: Iterable[Person]) -> str:
    """People in a sentence, with their ids."""
    return ", ".join(f"{person.name} ({person.player})" for person in people)
