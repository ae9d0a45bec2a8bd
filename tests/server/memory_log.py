"""A log in this process's memory, for tests of what stands on a log: durable for as long as the process is."""

import asyncio
import secrets
from collections.abc import Callable, Collection, Mapping, Sequence
from hashlib import blake2b

from fourfold.engine.match.events import Decision
from fourfold.server.clock import Clock
from fourfold.server.storage.event_log import (
    AppendConflict,
    AppendRequest,
    Listener,
    OtherLineage,
    Outage,
)


class MemoryLog:
    """The only node of its log."""

    def __init__(self, clock: Clock) -> None:
        self.node = secrets.token_hex(4)
        self.now = clock
        self._rooms: dict[str, list[Decision]] = {}
        self._ends: dict[str, int] = {}
        self._listeners: dict[str, Listener] = {}
        self._reminders: dict[str, int] = {}

    def append(self, request: AppendRequest) -> asyncio.Future[Decision]:
        """See `EventLog`."""
        room, expected, by, key, events, keep, lineage = request
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

    @property
    def certain(self) -> bool:
        """See `EventLog`."""
        return True

    async def beat(self) -> None:
        """See `EventLog`."""

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
    """See `ReadDecision`."""

    def __init__(self, decision: Decision, follows: bytes) -> None:
        self.lineage: bytes | None = decision.lineage
        self._decision = decision
        self._follows = follows

    def __call__(self, before: bytes | None = None) -> Decision:
        if before not in (None, self._follows):
            raise OtherLineage(f"Entry {self._decision.seq} follows others than those held.")
        return self._decision
