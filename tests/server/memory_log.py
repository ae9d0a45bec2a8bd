"""A log in this process's memory, for tests of the code above logs. It is durable as long as the process lives."""

import asyncio
import secrets
from collections.abc import Mapping, Sequence
from hashlib import blake2b

from fourfold.engine.decisions import Decision
from fourfold.server.clock import Clock
from fourfold.server.storage.event_log import (
    AppendConflict,
    AppendRequest,
    Callbacks,
    EventLog,
    Listener,
    Notification,
    OtherLineage,
    Outage,
)


class MemoryLog(EventLog):
    """The only node of its log."""

    def __init__(self, clock: Clock) -> None:
        self.node = secrets.token_hex(4)
        self.now = clock
        self._rooms: dict[str, list[Decision]] = {}
        self._ends: dict[str, int] = {}
        self._listeners: dict[str, Listener] = {}
        self._chats: dict[str, list[bytes]] = {}
        self._reminders: dict[str, int] = {}

    def append(self, request: AppendRequest) -> asyncio.Future[Decision]:
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
        at = max(log[-1].at, self.now()) if log else self.now()
        decision = Decision(expected + 1, at, by, key, events, after)
        log.append(decision)
        self._ends.pop(room, None)
        if keep is not None:
            self._ends[room] = decision.at + keep
        future.set_result(decision)
        if room in self._listeners:
            loop.call_soon(self._listeners[room].notified, _notification(decision, before))
        return future

    async def read(self, room: str, after: int = 0, lineage: bytes | None = None) -> list[Decision]:
        self._expire(room)
        log = self._rooms.get(room, [])
        if lineage is not None and after and (len(log) < after or log[after - 1].lineage != lineage):
            raise OtherLineage(f"{room} has another entry {after}, or none.")
        return log[after:]

    def _expire(self, room: str) -> None:
        if room in self._ends and self._ends[room] <= self.now():
            del self._rooms[room], self._ends[room]

    async def keep_line(self, room: str, line: bytes, most: int, life: int) -> None:
        self._chats[room] = [*self._chats.get(room, []), line][-most:]

    async def lines(self, room: str) -> list[bytes]:
        return self._chats.get(room, [])

    async def follow(self, room: str, listener: Listener) -> None:
        self._listeners[room] = listener

    async def unfollow(self, room: str, listener: Listener) -> None:
        if self._listeners.get(room) is listener:
            del self._listeners[room]

    def tell(self, room: str, message: bytes) -> asyncio.Future[int]:
        loop = asyncio.get_running_loop()
        future: asyncio.Future[int] = loop.create_future()
        future.set_result(room in self._listeners)
        if room in self._listeners:
            loop.call_soon(self._listeners[room].told, message)
        return future

    @property
    def crowded(self) -> str | None:
        return None

    @property
    def read_only(self) -> str | None:
        return None

    @property
    def certain(self) -> bool:
        return True

    async def beat(self) -> None:
        """See `EventLog`."""

    async def steady(self) -> None:
        """See `EventLog`."""

    def outages(self) -> Sequence[Outage]:
        """See `EventLog`. Memory is never away."""
        return ()

    def watch(self, callbacks: Callbacks) -> None:
        """None of these events ever happens here."""

    async def remind(self, times: Mapping[str, int | None], take: int = 0, lease: int = 0) -> list[str]:
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



def _notification(decision: Decision, follows: bytes) -> Notification:
    def read(before: bytes | None) -> Decision:
        if before not in (None, follows):
            raise OtherLineage(f"Entry {decision.seq} follows different entries from those held.")
        return decision

    return Notification(decision.seq, decision.lineage, read)
