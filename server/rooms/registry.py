"""The rooms of this node: loaded from the log on demand, dropped when nobody follows them."""

import asyncio
import re
import secrets
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final, Literal

import structlog

from fourfold.engine.decisions import Rejection
from fourfold.engine.match import Status
from fourfold.engine.match.commands import Create
from fourfold.server.clock import Clock
from fourfold.server.metrics import Metrics
from fourfold.server.replication.holding import Holding, NoSuchRoom, NotOpened, alone
from fourfold.server.replication.ids import ALPHABET, id_of_length, number_of, random_number
from fourfold.server.rooms.hand_over import HandOver
from fourfold.server.rooms.retention import USUAL, Retention
from fourfold.server.rooms.room import Departed, Notice, Room
from fourfold.server.rooms.takeover import Takeover
from fourfold.server.rooms.vacancy import USUAL as AWAY_LIMITS
from fourfold.server.rooms.vacancy import AwayLimits
from fourfold.server.storage.event_log import Callbacks, EventLog, Outage
from fourfold.server.supervision import end

_ID_LENGTH: Final = {"public": 8, "private": 16}
"""The lengths of ids. The id is a private room's only protection: there are 31¹⁶, too many to guess one."""

_ID: Final = re.compile("|".join(f"[{ALPHABET}]{{{length}}}" for length in _ID_LENGTH.values()))
"""The format of an id."""

_log = structlog.get_logger(__name__)


class RoomRegistry(Holding[Room]):
    """Finds rooms, opens new ones, and drops idle ones."""

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
        departed: Sequence[Callable[[Departed], None]] = (),
    ) -> None:
        """`secret` is known only to the nodes. The ids of rooms opened under a key are derived from it. `holds` is
        called when this node starts or stops holding a room. Without `hand_over`, finished games stay in the store."""

        def make(id: str) -> Room:
            return make_room(
                id,
                log,
                clock,
                self._takeover.deadlines,
                self._scheduler,
                retention,
                notices,
                self._moved,
                self._metrics,
                away_limits,
                hand_over,
                heard,
                departed,
            )

        super().__init__(log, make, _is_id)
        self._secret = secret
        self._clock = clock
        self._moved: dict[str, Room] = {}
        self._metrics = metrics or Metrics()
        self._hand_over = hand_over
        self._takeover = Takeover(log, clock, self._alarm, self._take)
        self._due: set[str] = set()
        self._ringing: asyncio.Task[None] | None = None
        self._holds = holds
        log.watch(Callbacks(outage=self._outage))

    def start(self) -> None:
        """Start to take over the games of dead nodes. Call this once players can connect: until then nobody counts as
        away."""
        self._takeover.start()

    def name(self, visibility: Literal["public", "private"], player: str, key: str | None = None) -> str:
        """An id for a new room. With a `key`, every node returns the same id for this player and key."""
        return new_id(visibility) if key is None else id_of(number_of(player, key, self._secret, b"room"), visibility)

    async def open(self, id: str, command: Create, player: str, key: str | None = None) -> Room | Rejection:
        """Open a room under an id. Returns the room, or the reason why it can't be opened.

        Others may be opening it at the same time: all get the same room. Raises `LogUnavailable`.
        """
        return await self._opened(id, lambda: self._open(id, command, player, key))

    @property
    def crowded(self) -> str | None:
        """Why the store is too full for new rooms; None if it is not."""
        return self._log.crowded

    @property
    def read_only(self) -> str | None:
        """Why no room takes decisions now, in a sentence for players; None if rooms do."""
        return self._log.read_only

    def reach(self, most: int) -> bool:
        """Whether at least `most` rooms here have a game that is not over."""
        if len(self._rooms) < most:
            return False
        states = (room.state for room in self._rooms.values())
        return sum(state is not None and state.status is not Status.FINISHED for state in states) >= most

    def take_moved(self) -> Mapping[str, Room]:
        """Rooms with decisions of this node that no notice has reported, since the last call."""
        moved = self._moved.copy()
        self._moved.clear()
        return moved

    def census(self) -> Mapping[tuple[str, str], int]:
        """The number of rooms held here, by variant and status."""
        states = (room.state for room in self._rooms.values())
        return Counter((state.variant, state.status.value) for state in states if state is not None)

    def overdue(self) -> int:
        """The number of rooms held here that should have been archived by now."""
        now = self._clock()
        return sum(room.due_to_leave(now) for room in self._rooms.values())

    def waiting(self) -> int:
        """The number of rooms waiting for the archive: those held here, and those that this node has delayed and
        dropped."""
        put_off = set() if self._hand_over is None else {*self._hand_over.put_off}
        return self.overdue() + len(put_off - self._rooms.keys())

    @property
    def looked(self) -> float | None:
        """When this node last looked for rooms to take over, by the event loop's clock; None if it does not."""
        return self._takeover.looked

    async def close(self) -> None:
        """Drop everything; the logs remain."""
        await self._takeover.close()
        await end([self._ringing])
        if self._hand_over is not None:
            await self._hand_over.close()
        await super().close()

    async def _loaded(self, room: Room) -> None:
        await room.ask()
        self._hold(room)
        room.credit(self._log.outages())
        room.notify()

    async def _open(self, id: str, command: Create, player: str, key: str | None) -> Room:
        room = await self._follow(id)
        command = replace(command, seed=command.seed or secrets.randbits(48))
        answer = await room.judge(command, player, key or "")
        if room.state is None or room.gone:
            assert isinstance(answer, Rejection)  # else the room would have existed
            await self._drop(room)
            raise NotOpened(answer)
        self._hold(room)
        if room.seq > 1 or key is not None:  # it was opened before, and others may be there
            await room.ask()
            room.credit(self._log.outages())
            room.notify()
        return room

    def _hold(self, room: Room) -> None:
        super()._hold(room)
        self._holds(room.id, True)

    async def _drop(self, room: Room) -> None:
        if self._rooms.get(room.id) is not None:
            self._holds(room.id, False)
        self._moved.pop(room.id, None)
        await super()._drop(room)

    async def _let_go(self, id: str) -> None:
        await self._takeover.hand_over(id)

    # -- notifications of the store --

    def _outage(self, outage: Outage) -> None:
        self._metrics.outages += 1
        self._metrics.outage_seconds += (outage.end - outage.start) / 1000
        _log.warning("outage", start=outage.start, end=outage.end, rooms=len(self._rooms))
        self._each(lambda room: room.credit((outage,)))

    def loss(self) -> None:
        """The store has lost data: as in `Holding`, and count it."""
        self._metrics.losses += 1
        super().loss()

    async def _check(self, room: Room) -> None:
        await super()._check(room)
        room.put_off(0)  # the store may have gone back to a log that had left it

    # -- deadlines --

    def _alarm(self, id: str) -> None:
        self._due.add(id)
        if self._ringing is None or self._ringing.done():
            self._ringing = asyncio.create_task(self._ring())

    async def _ring(self) -> None:
        """Act on the deadlines that have passed, once the store is there. An outage never counts against a player."""
        while self._due:
            await self._log.steady()
            due, self._due = self._due, set()
            for id in sorted(due):
                room = self._rooms.get(id)
                if room is not None:
                    alone(room, Room.alarm)

    async def _take(self, id: str) -> None:
        try:
            await self.find(id)
        except NoSuchRoom:
            _log.warning("a deadline without a room", room=id)


def _is_id(text: str) -> bool:
    return _ID.fullmatch(text) is not None


def new_id(visibility: Literal["public", "private"] = "public") -> str:
    """A fresh room id."""
    return id_of(random_number(), visibility)


def id_of(number: int, visibility: Literal["public", "private"]) -> str:
    """The id for a number. The number is much larger than the id space."""
    return id_of_length(number, _ID_LENGTH[visibility])
