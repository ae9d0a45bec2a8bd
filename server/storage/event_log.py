"""The log: the port through which everything that happens is kept, and its form in memory.

A room's log is a list of decisions numbered from 1 without gaps. It only grows, by `append`, which
names the version it expects; of two writers who expect the same version, one wins. That is all
the coordination Fourfold has. Each entry has a lineage, which says what lies before it: a writer names that too, and
a reader who names what it holds learns if the log has become another (a store that went back, or lost its end).

Beside the log, the nodes that share it share a clock (`now`), the knowledge of when the store was away
(`outages`) and of who else lives (`watch`), a word about a room that nobody keeps (`tell`), and a list
of the rooms that somebody must look at (`remind`).
"""

import asyncio
import secrets
from collections.abc import Callable, Collection, Mapping, Sequence
from hashlib import blake2b
from typing import NamedTuple, Protocol

from fourfold.engine.match.events import Decision, Event

Clock = Callable[[], int]
"""Tells the time, in milliseconds since 1970. The second port: tests bring their own."""


class AppendConflict(Exception):
    """The log is not at the expected version: someone else was first. Read on and decide again."""


class LogUnavailable(Exception):
    """The store cannot be reached or refuses to write. Whether an append landed is then unknown: read to find out."""


class LogRefused(LogUnavailable):
    """The store is there, and refuses to do it."""


class OtherLineage(Exception):
    """The log does not go on from what its reader holds: the store has lost what it had kept. Read from the start."""


class UnreadableEntry(Exception):
    """An entry of a log that cannot be read or carried out here; none after it can."""

    def __init__(self, seq: int, why: str) -> None:
        super().__init__(f"Entry {seq} cannot be read: {why}.")
        self.seq = seq


class DamagedEntry(UnreadableEntry):
    """It is not what was written, or nothing that can have happened."""


class NewerEntry(UnreadableEntry):
    """A newer version of this server wrote it, and can read it."""


class Outage(NamedTuple):
    """A time, in milliseconds since 1970, in which no node reached the store: nobody could do anything."""

    start: int
    end: int


class Read(Protocol):
    """Gives a decision to a listener who holds the lineage `before` it, or does not say so.

    Raises `OtherLineage`, `UnreadableEntry`, or `LogUnavailable` if it must be read from the log. `lineage` is
    what the doorbell says that the decision's is, None if it does not.
    """

    lineage: bytes | None

    def __call__(self, before: bytes | None = None) -> Decision: ...


class Listener(Protocol):
    """Who follows a room. Its calls never block."""

    def ring(self, seq: int, read: Read) -> None:
        """The log took decision `seq`, which `read` gives. In order; but some may be missed, some ring twice.

        This node's own decisions, of which `append` tells, may ring or not.
        """
        ...

    def hear(self, message: bytes) -> None:
        """Somebody told this about the room; perhaps this very node."""
        ...

    def miss(self) -> None:
        """Decisions may have been taken, and things told, unheard."""
        ...


class EventLog(Protocol):
    """What every log promises. `node` is the name of this node among all that share it."""

    node: str

    def append(
        self,
        room: str,
        expected: int,
        by: str,
        key: str,
        events: tuple[Event, ...],
        keep: int | None = None,
        lineage: bytes | None = None,
    ) -> asyncio.Future[Decision]:
        """Add one decision at version `expected` + 1, on this `lineage`; done once it is durable.

        Without a lineage the entry has no seal, as those of older servers. Fails with `AppendConflict`, also if
        the log has another lineage, or with `LogUnavailable`. `by` and `key` name the command that caused it:
        whoever cannot know whether an append landed looks for them in the log.

        If nothing is appended for `keep` milliseconds after (or a hundredth less), the room's whole log goes, as
        if it had never been; with None it stays.
        """
        ...

    async def read(self, room: str, after: int = 0, lineage: bytes | None = None) -> list[Decision]:
        """All decisions after version `after`, oldest first.

        With the `lineage` that the reader holds at that version, raises `OtherLineage` if the log has none or
        another there, as it does if its entries do not follow each other. Raises `UnreadableEntry`, and
        `LogUnavailable`.
        """
        ...

    async def follow(self, room: str, listener: Listener) -> None:
        """From now on, let `listener` hear of the room: one for each room, the last one counts.

        Raises `LogUnavailable`.
        """
        ...

    async def unfollow(self, room: str, listener: Listener) -> None:
        """Let `listener` hear no more."""
        ...

    def tell(self, room: str, message: bytes) -> asyncio.Future[int]:
        """Let everybody who follows the room hear this, in the order of appends. Nobody keeps it.

        Gives the number of nodes that hear it, this one included if it follows. It may, seldom, be heard
        twice, or not by a node whose listener is then told of a miss. Fails with `LogUnavailable`.
        """
        ...

    def now(self) -> int:
        """The time by the log's own clock, the same on every node within some milliseconds."""
        ...

    @property
    def healthy(self) -> bool:
        """Whether the store has answered within the last two seconds."""
        ...

    @property
    def crowded(self) -> bool:
        """Whether there is so little room left that no new logs should be begun."""
        ...

    async def steady(self) -> None:
        """Wait until the store has answered something asked after this call: until all outages so far are known."""
        ...

    def outages(self) -> Sequence[Outage]:
        """The latest outages, oldest first."""
        ...

    def watch(
        self,
        outage: Callable[[Outage], None],
        lost: Callable[[Collection[str]], None],
        back: Callable[[], None],
        loss: Callable[[], None] = lambda: None,
    ) -> None:
        """Call `outage` with each new one, `lost` with nodes that live no more, `back` if this one was thought lost.

        `loss` is called when the store has lost what it had kept, after all listeners were told of a miss.
        """
        ...

    async def remind(self, times: Mapping[str, int | None], take: int = 0, lease: int = 0) -> list[str]:
        """Note when each of some rooms must be looked at (None: no more), and take up to `take` whose time has come.

        One that is taken is put off by `lease` milliseconds, so that nobody else takes it at once.
        Raises `LogUnavailable`.
        """
        ...


class MemoryLog:
    """A log in this process's memory: durable for as long as the process is, whose only node it is."""

    def __init__(self, clock: Clock) -> None:
        self.node = secrets.token_hex(4)
        self.now = clock
        self._rooms: dict[str, list[Decision]] = {}
        self._ends: dict[str, int] = {}
        self._listeners: dict[str, Listener] = {}
        self._reminders: dict[str, int] = {}

    def append(
        self,
        room: str,
        expected: int,
        by: str,
        key: str,
        events: tuple[Event, ...],
        keep: int | None = None,
        lineage: bytes | None = None,
    ) -> asyncio.Future[Decision]:
        """See `EventLog`."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Decision] = loop.create_future()
        self._expire(room)
        log = self._rooms.setdefault(room, [])
        before = log[-1].lineage if log else b""
        if len(log) != expected or lineage not in (None, before):
            future.set_exception(AppendConflict(f"{room} is at {len(log)}, not at {expected}"))
            return future
        after = blake2b(before + repr((by, key, events)).encode(), digest_size=8).digest()
        decision = Decision(expected + 1, self.now(), by, key, events, after)
        log.append(decision)
        self._ends.pop(room, None)
        if keep is not None:
            self._ends[room] = decision.at + keep
        future.set_result(decision)
        if room in self._listeners:
            loop.call_soon(self._listeners[room].ring, decision.seq, _Ringing(decision, before))
        return future

    async def read(self, room: str, after: int = 0, lineage: bytes | None = None) -> list[Decision]:
        """See `EventLog`."""
        self._expire(room)
        log = self._rooms.get(room, [])
        if lineage is not None and after and (len(log) < after or log[after - 1].lineage != lineage):
            raise OtherLineage(f"{room} has another entry {after}, or none.")
        return log[after:]

    def _expire(self, room: str) -> None:
        if room in self._ends and self._ends[room] <= self.now():
            del self._rooms[room], self._ends[room]

    async def follow(self, room: str, listener: Listener) -> None:
        """See `EventLog`."""
        self._listeners[room] = listener

    async def unfollow(self, room: str, listener: Listener) -> None:
        """See `EventLog`."""
        if self._listeners.get(room) is listener:
            del self._listeners[room]

    def tell(self, room: str, message: bytes) -> asyncio.Future[int]:
        """See `EventLog`."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[int] = loop.create_future()
        future.set_result(room in self._listeners)
        if room in self._listeners:
            loop.call_soon(self._listeners[room].hear, message)
        return future

    @property
    def healthy(self) -> bool:
        """See `EventLog`."""
        return True

    @property
    def crowded(self) -> bool:
        """See `EventLog`."""
        return False

    async def steady(self) -> None:
        """See `EventLog`."""

    def outages(self) -> Sequence[Outage]:
        """See `EventLog`. Memory is never away."""
        return ()

    def watch(
        self,
        outage: Callable[[Outage], None],
        lost: Callable[[Collection[str]], None],
        back: Callable[[], None],
        loss: Callable[[], None] = lambda: None,
    ) -> None:
        """See `EventLog`. None of it ever happens here."""

    async def remind(self, times: Mapping[str, int | None], take: int = 0, lease: int = 0) -> list[str]:
        """See `EventLog`."""
        for room, time in times.items():
            if time is None:
                self._reminders.pop(room, None)
            else:
                self._reminders[room] = time
        now = self.now()
        due = sorted((time, room) for room, time in self._reminders.items() if time <= now)[:take]
        for _, room in due:
            self._reminders[room] = now + lease
        return [room for _, room in due]


class _Ringing:
    """See `Read`."""

    def __init__(self, decision: Decision, follows: bytes) -> None:
        self.lineage: bytes | None = decision.lineage
        self._decision = decision
        self._follows = follows

    def __call__(self, before: bytes | None = None) -> Decision:
        if before not in (None, self._follows):
            raise OtherLineage(f"Entry {self._decision.seq} follows others than those held.")
        return self._decision
