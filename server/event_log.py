"""The log: the port through which everything that happens is kept, and its form in memory.

A room's log is a list of decisions numbered from 1 without gaps. It only grows, by `append`, which
names the version it expects; of two writers who expect the same version, one wins. That is all
the coordination Fourfold has.
"""

import asyncio
from collections.abc import Callable
from typing import Protocol

from engine.match.events import Decision, Event

Clock = Callable[[], int]
"""Tells the time, in milliseconds since 1970. The second port: tests bring their own."""

Bell = Callable[[Decision | None], None]
"""Called with each decision a followed room's log takes, in order; with None when some may have been missed."""


class AppendConflict(Exception):
    """The log is not at the expected version: someone else was first. Read on and decide again."""


class LogUnavailable(Exception):
    """The store cannot be reached or refuses to write. Whether an append landed is then unknown: read to find out."""


class EventLog(Protocol):
    """What every log promises."""

    def append(
        self, room: str, expected: int, by: str, key: str, events: tuple[Event, ...], keep: int | None = None
    ) -> asyncio.Future[Decision]:
        """Add one decision at version `expected` + 1; done once it is durable.

        Fails with `AppendConflict` or `LogUnavailable`. `by` and `key` name the command that caused it:
        whoever cannot know whether his append landed looks for them in the log.

        If nothing is appended for `keep` milliseconds after, the room's whole log goes, as if it had
        never been; with None it stays.
        """
        ...

    async def read(self, room: str, after: int = 0) -> list[Decision]:
        """All decisions after version `after`, oldest first. Raises `LogUnavailable`."""
        ...

    async def follow(self, room: str, bell: Bell) -> None:
        """Ring `bell` for the room from now on. One bell a room; raises `LogUnavailable`."""
        ...

    async def unfollow(self, room: str) -> None:
        """Ring no more."""
        ...


class MemoryLog:
    """A log in this process's memory: durable for as long as the process is."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._rooms: dict[str, list[Decision]] = {}
        self._ends: dict[str, int] = {}
        self._bells: dict[str, Bell] = {}

    def append(
        self, room: str, expected: int, by: str, key: str, events: tuple[Event, ...], keep: int | None = None
    ) -> asyncio.Future[Decision]:
        """See `EventLog`."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Decision] = loop.create_future()
        self._expire(room)
        log = self._rooms.setdefault(room, [])
        if len(log) != expected:
            future.set_exception(AppendConflict(f"{room} is at {len(log)}, not at {expected}"))
            return future
        decision = Decision(expected + 1, self._clock(), by, key, events)
        log.append(decision)
        self._ends.pop(room, None)
        if keep is not None:
            self._ends[room] = decision.at + keep
        future.set_result(decision)
        if room in self._bells:
            loop.call_soon(self._bells[room], decision)
        return future

    async def read(self, room: str, after: int = 0) -> list[Decision]:
        """See `EventLog`."""
        self._expire(room)
        return self._rooms.get(room, [])[after:]

    def _expire(self, room: str) -> None:
        if room in self._ends and self._ends[room] <= self._clock():
            del self._rooms[room], self._ends[room]

    async def follow(self, room: str, bell: Bell) -> None:
        """See `EventLog`."""
        self._bells[room] = bell

    async def unfollow(self, room: str) -> None:
        """See `EventLog`."""
        self._bells.pop(room, None)
