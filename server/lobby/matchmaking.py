"""Matchmaking: players who seek the same kind of game, on any server, sit down in the same room.

For each kind of game the store names the room in which seekers have waited longest. A new seeker takes a seat there. If
there is none, they open a room and wait. If it is full, or its game has begun, they ask for another. So two seekers who
come at once meet, and nobody is left over by losing a race.

A room stays in the store for as long as a seeker waits in it, on any server. A seeker who is gone for a while loses the
seat: see `rooms/vacancy`.

A seeker with a rating range skips the rooms of unsuitable players: see `widening` for what comes then.

A seek may have computers fill the other seats, so that the game begins at once. Its room stays in the store for the
first rounds: players who seek the same take the computers' seats over.
"""

import asyncio
import hashlib
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Final, Literal
from weakref import WeakValueDictionary

import structlog

from fourfold.engine.decisions import Rejection, refused
from fourfold.engine.match import State, Status
from fourfold.engine.match.clock import Control
from fourfold.engine.match.commands import Create, Invite, Stand
from fourfold.engine.match.terms import Terms
from fourfold.engine.variants import VARIANTS, seats
from fourfold.server.archive.errors import ArchiveUnavailable
from fourfold.server.clock import Clock
from fourfold.server.lobby.listing_store import ListingStore
from fourfold.server.lobby.ranges import Range, may_meet
from fourfold.server.lobby.seating import SAME_ADDRESS, Seating, computers
from fourfold.server.lobby.strengths import Strengths
from fourfold.server.players.identity import Player
from fourfold.server.ratings.kinds import Kind, kind_of
from fourfold.server.ratings.levels import level_of
from fourfold.server.replication.holding import NoSuchRoom
from fourfold.server.rooms.registry import RoomRegistry, new_id
from fourfold.server.rooms.room import Room, RoomChange
from fourfold.server.storage.event_log import every, unless_unavailable
from fourfold.server.supervision import end, supervise

HELD: Final = 20_000
"""Milliseconds for which a room stays in the store when its entry is not renewed: longer than the seat of an absent
seeker (see `rooms/vacancy`) and the checks before and after."""

LOOK: Final = 4.0
"""Seconds between checks of who still waits in this server's rooms."""

PROMISED: Final = 5_000
"""Milliseconds for which a range counts before its player has a seat in that room."""

_FULL: Final = frozenset({"already_started", "no_such_room", "seats_reserved"})
"""The answers of a room that has no place for a seeker any more."""

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Seek:
    """The game that a player seeks. A `pool` matches only seekers who name the same one, in an unlisted room. A `range`
    matches only players whose rating differs by at most this many points. It widens from `since` on.

    With `fill`, a level, computer players take the other seats until people come. Seeks of a player with the same `key`
    are one: a client that has missed the answer repeats it.

    `origin` is the player's address, empty for the server's own machine. `may_open` is awaited with the id of a room
    before it is opened. `gone` is whether the connection of the seek has ended.
    """

    player: Player
    origin: str
    variant: str
    control: Control | None
    may_open: Callable[[str], Awaitable[None]]
    gone: Callable[[], bool]
    rated: bool = True
    pool: str = ""
    range: int | None = None
    since: int = 0
    fill: int = 0
    key: str = ""

    @property
    def game(self) -> str:
        """The name of the kind of game, without the range."""
        return game_of(self.variant, self.control, rated=self.rated, pool=self.pool, fill=self.fill)

    @property
    def name(self) -> str:
        """The name of what is sought, with the range."""
        return f"{self.game} {self.range or ''}"

    @property
    def kind(self) -> Kind:
        """The kind of game for its rating."""
        return kind_of(self.variant, len(seats(self.variant)), self.control)


class Matchmaking:
    """Seats seekers, from `open` to `close`."""

    def __init__(self, store: ListingStore, strengths: Strengths, seating: Seating, clock: Clock) -> None:
        self._store = store
        self._strengths = strengths
        self._seating = seating
        self._clock = clock
        self._rooms: RoomRegistry
        self._entrances: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._waiting: dict[str, Room] = {}
        self._looking: asyncio.Task[None] | None = None

    def open(self, rooms: RoomRegistry) -> None:
        """Start renewing the entries of rooms in which seekers wait."""
        self._rooms = rooms
        looking = partial(every, LOOK, self._look_around, _log, "seekers not checked")
        self._looking = supervise("seeks", looking)

    async def close(self) -> None:
        """Stop. Seats stay: a seeker who reconnects to another server keeps waiting."""
        await end([self._looking])

    async def sit(self, seek: Seek) -> tuple[Room, int] | Rejection:
        """Seat a player in a room for the same game, or return a rejection if the game is invalid or the player has
        gone. Raises the errors of `may_open`, and `LogUnavailable`."""
        player = seek.player
        visibility: Literal["public", "private"] = "private" if seek.pool else "public"
        same_address = bool(seek.pool) or self._seating.same_address
        rated = seek.rated and not seek.fill
        terms = Terms(seek=True, rated=rated, pool=seek.pool, same_address=same_address, fill=seek.fill)
        create = Create(seek.variant, visibility=visibility, control=seek.control, terms=terms)
        entrance = self._entrances.setdefault(seek.game, asyncio.Lock())
        tried: set[str] = set()
        async with entrance:
            if (earlier := await self._sought(seek)) is not None:
                return await _again(earlier)
            while True:
                if seek.gone():  # a seat would only make the next seeker wait for an answer to a ping
                    return refused("unavailable", "The connection of this seek has ended.")
                room = await self._meet(seek, create, tried)
                if isinstance(room, Rejection):
                    return room
                if (claimed := await self._claim(seek, room, tried)) is not room:
                    if claimed is None:
                        continue
                    if player.id in seated(claimed):
                        return await _again(claimed)
                    room = claimed
                if not await make_ready(room, player.id, seek.origin) or not await self._fits(seek, room):
                    tried.add(room.id)
                    continue
                answer = await self._take_seat(room, seek)
                if isinstance(answer, Rejection) and seek.key and player.id in seated(room):
                    return await _again(room)  # another attempt of this seek was quicker, on another server
                if isinstance(answer, Rejection) and answer.code == SAME_ADDRESS:
                    tried.add(room.id)
                    continue
                if isinstance(answer, Rejection) and answer.code not in _FULL | {"seat_taken"}:
                    return answer
                full = isinstance(answer, Rejection) and answer.code in _FULL
                if full:
                    tried.add(room.id)
                if full or not welcomes(room):
                    await self.give_way(seek.game, room.id)
                if isinstance(answer, int):
                    await _fill(room)
                    return room, answer

    async def _meet(self, seek: Seek, create: Create, tried: set[str]) -> Room | Rejection:
        """The room in which seekers of this game have waited longest, except those in `tried`. Without one, opens a
        room; returns the rejection if that fails."""
        new = new_id(create.visibility)
        await self.note(seek, new)  # before any other seeker is sent there
        id = await self._store.meet(seek.game, new, HELD, tried)
        room = None if id == new else await self.find(id)
        if room is not None:
            return room
        await seek.may_open(id)
        opened = await self._rooms.open(id, create, seek.player.id)
        if isinstance(opened, Rejection):
            await self._store.release(seek.game, id)
        return opened

    async def _claim(self, seek: Seek, room: Room, tried: set[str]) -> Room | None:
        """Claim a room for all attempts of this seek. Returns the room of an earlier attempt, if there is one. If that
        room does not exist, adds it to `tried` and returns None."""
        if not seek.key:
            return room
        id = await self._store.claim(seek.player.id, seek.key, room.id, tried)
        claimed = room if id == room.id else await self.find(id)
        if claimed is None:
            tried.add(id)
        return claimed

    async def _sought(self, seek: Seek) -> Room | None:
        """The room in which an earlier attempt of this seek has taken a seat; None if there is none."""
        claimed = await self._store.claimed(seek.player.id, seek.key) if seek.key else None
        room = None if claimed is None else await self.find(claimed)
        return room if room is not None and seek.player.id in seated(room) else None

    async def _take_seat(self, room: Room, seek: Seek) -> int | Rejection:
        """Take a random free seat, so that colours don't depend on the order of arrival. A seated player keeps their
        seat. At a table that computers fill, the first player also moves first."""
        state, player, seating = room.state, seek.player, self._seating
        assert state is not None  # the room was found or opened
        if state.status is not Status.OPEN and not state.young:
            return refused("already_started", "The game in this room has begun.")
        seat = None
        if state.seat_of(player.id) is None:
            free = _free(state)
            if not free:
                return refused("seats_reserved", "The free seats in this room are kept for bots.")
            alone = state.terms.fill and all(one.player is None for one in state.seats)
            seat = state.seat_name(state.position.turn) if alone else secrets.choice(free)
        return await seating.seat(room, player.id, player.name, seat, seating.digest(seek.origin))

    # -- ranges --

    async def note(self, seek: Seek, room: str) -> None:
        """Store the range of a seek, if it has one, in a room."""
        if seek.range is not None:
            wanted = Range(seek.range, seek.since, self._clock())
            await self._store.note_range(room, seek.player.id, wanted)

    async def _fits(self, seek: Seek, room: Room) -> bool:
        """Whether a player may sit down with the seekers in a room. If so, stores the range of the seek there."""
        await self.note(seek, room.id)  # before reading the others': if two come at once, one sees the other
        if await self.suits(seek, room):
            return True
        if seek.range is not None:
            await self._store.drop_range(room.id, seek.player.id)
        return False

    async def suits(self, seek: Seek, room: Room) -> bool:
        """Whether a player and the seekers in a room are within all their ranges. Stores no range."""
        player, now, there = seek.player.id, self._clock(), seated(room)
        noted = await self._store.ranges(room.id)
        if seek.range is not None:
            noted[player] = Range(seek.range, seek.since, now)
        elif noted.pop(player, None) is not None:  # of an earlier seek
            await self._store.drop_range(room.id, player)
        ranges = {who: one for who, one in noted.items() if who in there or who == player or one.noted + PROMISED > now}
        if not ranges:
            return True
        all = {player, *there, *ranges}
        try:
            standings = await self._strengths.of(all, seek.kind)
        except ArchiveUnavailable:
            standings = {}  # ratings are unknown, so nobody is within a range; seekers without a range go elsewhere
        return may_meet(ranges, {who: one.rating for who, one in standings.items()}, all, now)

    # -- rooms --

    async def find(self, id: str) -> Room | None:
        """A room in which seekers may wait. None if the store has none: it was only just promised, or has expired."""
        try:
            return await self._rooms.find(id)
        except (NoSuchRoom, ArchiveUnavailable):  # nobody waits in an archived room
            return None

    def notice(self, change: RoomChange) -> None:
        """This server has changed a room, or its followers."""
        if _may_welcome(change.after, change.gone):
            self._waiting[change.room.id] = change.room

    async def give_way(self, game: str, room: str) -> None:
        """Send no more seekers of a kind of game to a room."""
        with unless_unavailable(_log, "place not released", room=room):  # its entry expires some seconds later
            await self._store.release(game, room)

    async def _look_around(self) -> None:
        for room in list(self._waiting.values()):
            await self._look(room)

    async def _look(self, room: Room) -> None:
        """Renew the entry of a room, if a seeker still waits there."""
        state = room.state
        if state is None or not welcomes(room) or not self._rooms.holds(room):
            del self._waiting[room.id]
            return
        people = (seat for seat in room.online() if level_of(state.seats[seat].player or "") is None)
        if any(True for _ in people) and _free(state):
            control = None if state.clocks is None else state.clocks.control
            terms = state.terms
            game = game_of(state.variant, control, rated=terms.rated, pool=terms.pool, fill=terms.fill)
            await self._store.hold(game, room.id, HELD)


def game_of(variant: str, control: Control | None, *, rated: bool = True, pool: str = "", fill: int = 0) -> str:
    """The name of a kind of game. Seekers of the same name are paired."""
    rules = VARIANTS.get(variant)
    rated = rated and not (rules is not None and rules.one_player_a_team)
    game = variant if control is None else f"{variant}:{control.base}:{control.increment}:{control.delay}"
    kind = f":fill:{fill}" if fill else "" if rated else ":casual"  # which is never rated
    return f"{game}{kind}{':pool:' if pool else ''}{pool}"


def pool_of(code: str) -> str:
    """The name of a pool: it hides the code, and ignores how the code is written."""
    plain = code.replace("-", "").casefold().encode()
    return hashlib.blake2b(plain, person=b"pool", digest_size=12).hexdigest()


def seated(room: Room) -> set[str]:
    """The players who have a seat in a room."""
    return set() if room.state is None else {seat.player for seat in room.state.seats if seat.player is not None}


def waits(room: Room) -> bool:
    """Whether a room is one of seekers, its game has not begun, and a seeker waits there."""
    return room.state is not None and not room.gone and _waits(room.state)


def _waits(state: State) -> bool:
    open = state.terms.seek and state.status is Status.OPEN
    return open and any(seat.player is not None for seat in state.seats)


def welcomes(room: Room) -> bool:
    """Whether seekers find a seat in a room, or may: somebody waits there, or the game is young and has computers that
    give their seats up."""
    return room.state is not None and _may_welcome(room.state, room.gone)


def _may_welcome(state: State, gone: bool) -> bool:
    return not gone and (_waits(state) or (state.terms.seek and state.young and bool(_free(state))))


async def _again(room: Room) -> tuple[Room, int]:
    """Answer a repeated seek whose player has a seat in a room."""
    await _fill(room)
    return room, room.seq


async def _fill(room: Room) -> None:
    """Invite computer players to the seats that are free, where the terms say so."""
    state = room.state
    if state is None or not state.terms.fill or state.status is not Status.OPEN:
        return
    for index in state.position.rules.players:
        name, seat = state.seat_name(index), state.seats[index]
        if seat.player is None and seat.invited is None:
            await room.judge(Invite(state.terms.fill, name), state.host)  # refused, if somebody has just sat down there


async def make_ready(room: Room, player: str, origin: str) -> bool:
    """Prepare a room of seekers for a player who wants to sit down; returns whether they may.

    The seekers there must answer a ping, or they lose their seats. In a game of more than two, players from one address
    may not sit together, unless its terms allow that: one person with three names would play three of four seats
    against a stranger. Raises `LogUnavailable`.
    """
    state = room.state
    if state is None or state.terms.fill or not waits(room) or state.seat_of(player) is not None:
        return True  # a table that computers fill has no time to lose: its first player is on the way to it
    others = [seat.player for seat in state.seats if seat.player is not None]
    present = await room.check_alive(others)
    for other in others:
        if other not in present:
            _log.debug("a seeker is gone", room=room.id, player=other)
            await room.judge(Stand(), other)
    together = len(state.position.rules.players) == 2 or state.terms.same_address
    return not origin or together or origin not in present.values()


def _free(state: State) -> list[str]:
    """The seats that a seeker may take. Where computers fill the table, theirs are free too."""
    names, fills = state.position.seats, state.terms.fill > 0
    if state.status is Status.OPEN:
        pairs = zip(names, state.seats, strict=True)
        return [name for name, seat in pairs if seat.player is None and (fills or seat.invited is None)]
    taken = computers(state)
    return [names[index] for index in sorted(state.position.alive) if fills and state.seats[index].player in taken]
