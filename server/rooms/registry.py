"""The rooms of this node: read from the log when somebody asks for them, dropped when nobody follows them."""

import asyncio
import hashlib
import re
import secrets
from collections import Counter
from collections.abc import Callable, Collection, Coroutine, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, Literal

import structlog

from fourfold.engine.match import Status
from fourfold.engine.match.commands import Create
from fourfold.engine.match.events import Rejection
from fourfold.server.clock import Clock
from fourfold.server.metrics import Metrics
from fourfold.server.rooms.fanout import FanoutScheduler
from fourfold.server.rooms.hand_over import HandOver
from fourfold.server.rooms.retention import USUAL, Retention
from fourfold.server.rooms.room import Departed, Notice, Room
from fourfold.server.rooms.takeover import Takeover
from fourfold.server.rooms.vacancy import USUAL as AWAY_LIMITS
from fourfold.server.rooms.vacancy import AwayLimits
from fourfold.server.storage.event_log import Callbacks, EventLog, LogUnavailable, Outage, UnreadableEntry
from fourfold.server.supervision import end, supervise

SWEEP: Final = 30.0
"""Seconds between sweeps. A room that is idle at two sweeps in a row is dropped."""

QUARANTINE: Final = 10.0
"""For how many seconds a room whose log can't be read is refused without reading it again."""

_ID_ALPHABET: Final = "23456789abcdefghjkmnpqrstuvwxyz"  # no characters that are mistaken for one another
_ID_LENGTH: Final = {"public": 8, "private": 16}
"""The id is all that protects a private room: there are 31¹⁶, too many to guess one."""

_ID: Final = re.compile("|".join(f"[{_ID_ALPHABET}]{{{length}}}" for length in _ID_LENGTH.values()))
"""The form of an id. Nothing else that a client asks for reaches the store, where it might name something else."""

_log = structlog.get_logger(__name__)


class NoSuchRoom(LookupError):
    """There is no room of this id."""


class NotOpened(NoSuchRoom):
    """The room can't be opened; `rejection` says why."""

    def __init__(self, rejection: Rejection) -> None:
        super().__init__(rejection.message)
        self.rejection = rejection


class RoomRegistry:
    """Finds rooms, opens new ones, and drops those that are idle."""

    def __init__(
        self,
        log: EventLog,
        clock: Clock,
        secret: bytes,
        retention: Retention = USUAL,
        notices: Sequence[Notice] = (),
        metrics: Metrics | None = None,
        away_limits: AwayLimits = AWAY_LIMITS,
        holds: Callable[[str, bool], None] = lambda room, held: None,
        hand_over: HandOver | None = None,
        make_room: type[Room] = Room,
        heard: Sequence[Notice] = (),
        departed: Departed | None = None,
    ) -> None:
        """`secret` is known to all nodes and nobody else: the ids of rooms opened under a key are derived from it.
        `holds` is told of each room that is held here from now on, or no longer. Without `hand_over` games that are
        over stay in the store."""
        self._log = log
        self._secret = secret
        self._clock = clock
        self._retention = retention
        self._notices = notices
        self._heard = heard
        self._departed = departed
        self._moved: dict[str, Room] = {}
        self._metrics = metrics or Metrics()
        self._away_limits = away_limits
        self._hand_over = hand_over
        self._make_room = make_room
        self._takeover = Takeover(log, clock, self._alarm, self._take)
        self._due: set[str] = set()
        self._ringing: asyncio.Task[None] | None = None
        self._holds = holds
        self._scheduler = FanoutScheduler()
        self._rooms: dict[str, Room] = {}
        self._loading: dict[str, asyncio.Task[Room]] = {}
        self._idle: set[str] = set()
        self._quarantined: dict[str, tuple[float, UnreadableEntry]] = {}  # until when, and why
        self._doubted = 0
        self._checking: set[asyncio.Task[None]] = set()
        log.watch(Callbacks(self._outage, self._lost, self._back, self._loss))
        self._sweeper = supervise("sweeper", self._sweep)

    def start(self) -> None:
        """Begin to take over the games of dead nodes. Call once players can connect: until then nobody is away."""
        self._takeover.start()

    async def find(self, id: str) -> Room:
        """The room, read from the log if it is not held here yet.

        Raises `NoSuchRoom`, `UnreadableEntry` or `LogUnavailable`.
        """
        if not _ID.fullmatch(id):
            raise NoSuchRoom(id)
        until, error = self._quarantined.get(id, (0.0, None))
        if error is not None and until > asyncio.get_running_loop().time():
            raise error.with_traceback(None)
        while True:
            try:
                return await self._once(id, lambda: self._load(id))
            except NotOpened:
                continue  # somebody was opening it at the same moment, and could not: that says nothing of the log

    def name(self, visibility: Literal["public", "private"], player: str, key: str | None = None) -> str:
        """An id for a new room; with a `key`, the same one on every node, for this player and key alone."""
        return new_id(visibility) if key is None else id_of(self._number(player, key), visibility)

    async def open(self, id: str, command: Create, player: str, key: str | None = None) -> Room | Rejection:
        """Open the room of an id, or return the reason why it can't be opened.

        Others may be opening it at the same time: all get the same room. Raises `LogUnavailable`.
        """
        while True:
            try:
                return await self._once(id, lambda: self._open(id, command, player, key))
            except NotOpened as error:
                return error.rejection
            except NoSuchRoom:
                continue  # somebody looked for the room at the same moment, and was told of it first

    async def _once(self, id: str, get: Callable[[], Coroutine[Any, Any, Room]]) -> Room:
        """The room if it is here, else what `get` returns, called once for all who ask meanwhile."""
        room = self._rooms.get(id)
        if room is not None and not room.gone:
            return room
        loading = self._loading.get(id)
        if loading is None:
            loading = self._loading[id] = asyncio.create_task(get())
            loading.add_done_callback(lambda _: self._loading.pop(id))
        try:
            return await asyncio.shield(loading)
        finally:
            del loading  # its exception tells of this frame, and would keep itself

    @property
    def crowded(self) -> bool:
        """Whether the store has so little memory left that no new rooms should be opened."""
        return self._log.crowded

    def holding(self, id: str) -> Room | None:
        """The room of an id, if this node keeps it up to date."""
        return self._rooms.get(id)

    def reach(self, most: int) -> bool:
        """Whether there are at least so many rooms here whose game is not over."""
        if len(self._rooms) < most:
            return False
        states = (room.state for room in self._rooms.values())
        return sum(state is not None and state.status is not Status.FINISHED for state in states) >= most

    def take_moved(self) -> Mapping[str, Room]:
        """The rooms in which this node has made decisions that no notice tells of, since this was last called."""
        moved = self._moved.copy()
        self._moved.clear()
        return moved

    def holds(self, room: Room) -> bool:
        """Whether this node still keeps a room up to date."""
        return self._rooms.get(room.id) is room

    def _number(self, player: str, key: str) -> int:
        """A number that every node computes alike and nobody can guess without the secret."""
        digest = hashlib.blake2b(f"{player}\0{key}".encode(), key=self._secret, person=b"room", digest_size=16)
        return int.from_bytes(digest.digest())

    def census(self) -> Mapping[tuple[str, str], int]:
        """How many rooms are held here, by variant and status."""
        states = (room.state for room in self._rooms.values())
        return Counter((state.variant, state.status.value) for state in states if state is not None)

    def overdue(self) -> int:
        """How many rooms are held here that should have been archived by now."""
        now = self._clock()
        return sum(room.due_to_leave(now) for room in self._rooms.values())

    @property
    def looked(self) -> float | None:
        """When this node last looked for rooms to take over (seconds of `time.monotonic`); None if it does not."""
        return self._takeover.looked

    @property
    def doubted(self) -> int:
        """How many rooms have not been compared with the log since the store lost something."""
        return self._doubted

    async def settled(self) -> None:
        """Wait until every command that rooms were given has been answered."""
        await asyncio.gather(*(room.writer.settled() for room in self._rooms.values()))

    async def close(self) -> None:
        """Drop everything; the log keeps it."""
        self._sweeper.cancel()
        if self._ringing is not None:
            self._ringing.cancel()
        await end(self._checking)
        await self._takeover.close()
        if self._hand_over is not None:
            await self._hand_over.close()
        self._scheduler.stop()
        for room in list(self._rooms.values()):
            room.close()
            await room.writer.wait_closed()

    async def _follow(self, id: str) -> Room:
        deadlines = self._takeover.deadlines
        room = self._make_room(
            id,
            self._log,
            self._clock,
            deadlines,
            self._scheduler,
            self._retention,
            self._notices,
            self._moved,
            self._metrics,
            self._away_limits,
            self._hand_over,
            self._heard,
            self._departed,
        )
        await self._log.follow(id, room)
        return room

    async def _load(self, id: str) -> Room:
        room = await self._follow(id)
        try:
            await room.writer.load()
        except LogUnavailable:
            await self._drop(room)
            raise
        except UnreadableEntry as error:
            await self._drop(room)
            self._quarantined[id] = asyncio.get_running_loop().time() + QUARANTINE, error
            raise
        if room.state is None:
            await self._drop(room)
            raise NoSuchRoom(id)
        await room.ask()
        self._hold(room)
        room.credit(self._log.outages())
        room.notify()
        return room

    async def _open(self, id: str, command: Create, player: str, key: str | None) -> Room:
        room = await self._follow(id)
        command = replace(command, seed=command.seed or secrets.randbits(48))
        answer = await room.judge(command, player, key or "")
        if room.state is None or room.gone:
            assert isinstance(answer, Rejection)  # else there would be a room
            await self._drop(room)
            raise NotOpened(answer)
        self._hold(room)
        if room.seq > 1 or key is not None:  # it has been opened before, and others may be there
            await room.ask()
            room.credit(self._log.outages())
            room.notify()
        return room

    def _hold(self, room: Room) -> None:
        self._rooms[room.id] = room
        self._holds(room.id, True)

    async def _drop(self, room: Room) -> None:
        if self._rooms.pop(room.id, None) is not None:
            self._holds(room.id, False)
        self._moved.pop(room.id, None)
        room.close()
        await self._takeover.hand_over(room.id)
        await self._log.unfollow(room.id, room)
        await room.writer.wait_closed()

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP)
            idle = {id for id, room in self._rooms.items() if room.idle}
            for id in idle & self._idle:
                if self._rooms[id].idle:  # dropping the one before gave others time to come
                    await self._drop(self._rooms[id])
            self._idle = idle
            now = asyncio.get_running_loop().time()
            self._quarantined = {id: entry for id, entry in self._quarantined.items() if entry[0] > now}
            _log.debug("swept", rooms=len(self._rooms), idle=len(idle))

    # -- what the store tells --

    def _outage(self, outage: Outage) -> None:
        self._metrics.outages += 1
        self._metrics.outage_seconds += (outage.end - outage.start) / 1000
        _log.warning("outage", start=outage.start, end=outage.end, rooms=len(self._rooms))
        self._each(lambda room: room.credit((outage,)))

    def _lost(self, nodes: Collection[str]) -> None:
        _log.warning("nodes lost", nodes=sorted(nodes))
        self._each(lambda room: room.lose(nodes))

    def _back(self) -> None:
        """The other nodes have taken this one for dead, and forgotten who is here."""
        self._each(Room.missed)

    def _loss(self) -> None:
        """The store has lost something: each room is reading on now, and finds out whether it is concerned."""
        self._metrics.losses += 1
        for room in list(self._rooms.values()):
            self._doubted += 1
            task = asyncio.create_task(self._check(room))
            self._checking.add(task)
            task.add_done_callback(self._checking.discard)

    async def _check(self, room: Room) -> None:
        try:
            await room.writer.settled()
        finally:
            self._doubted -= 1

    def _each(self, do: Callable[[Room], object]) -> None:
        """Do something with every room held here; a failure in one does not keep the others from it."""
        for room in list(self._rooms.values()):
            _alone(room, do)

    # -- deadlines --

    def _alarm(self, id: str) -> None:
        self._due.add(id)
        if self._ringing is None or self._ringing.done():
            self._ringing = asyncio.create_task(self._ring())

    async def _ring(self) -> None:
        """Act on the deadlines that have passed, once the store is there: an outage counts against nobody."""
        while self._due:
            await self._log.steady()
            due, self._due = self._due, set()
            for id in due:
                room = self._rooms.get(id)
                if room is not None:
                    _alone(room, Room.alarm)

    async def _take(self, id: str) -> None:
        try:
            await self.find(id)
        except NoSuchRoom:
            _log.warning("a deadline without a room", room=id)


def _alone(room: Room, do: Callable[[Room], object]) -> None:
    try:
        do(room)
    except Exception:  # noqa: BLE001 - told in the log, and others go on
        _log.exception("a room failed", room=room.id)


def new_id(visibility: Literal["public", "private"] = "public") -> str:
    """An id that no room has."""
    return id_of(secrets.randbits(128), visibility)


def id_of(number: int, visibility: Literal["public", "private"]) -> str:
    """The id that follows from a number, which is far larger than all ids need."""
    digits = []
    for _ in range(_ID_LENGTH[visibility]):
        number, digit = divmod(number, len(_ID_ALPHABET))
        digits.append(_ID_ALPHABET[digit])
    return "".join(digits)
