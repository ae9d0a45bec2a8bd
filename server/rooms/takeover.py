"""Takes over the deadlines of rooms whose node is gone.

A node writes reminders for its rooms with a deadline to the store, some seconds ahead, and renews them while it lives.
When a reminder is not renewed, the first node that notices it takes the room over: it loads the room, which sets its
deadline there. If two nodes take the same room, the log still accepts only one decision.

A decision is in the log a moment before its reminder. If the node dies between the two, the deadline waits until
somebody opens the room. A node that stops in an orderly way writes the reminder first.
"""

import asyncio
import contextlib
import math
import random
from collections.abc import Awaitable, Callable
from typing import Final

import structlog

from fourfold.server.clock import Clock, monotonic
from fourfold.server.rooms.deadlines import Deadlines, Ring
from fourfold.server.storage.event_log import EventLog, LogUnavailable, UnreadableEntry, unless_unavailable
from fourfold.server.supervision import end, supervise

AHEAD: Final = 15_000
"""How many milliseconds ahead a reminder lasts. A dead node's rooms are taken over after that at the latest."""

GRACE: Final = 2_000
"""Milliseconds after a deadline before another node takes the room over."""

REFRESH: Final = 5_000
"""Milliseconds after which a reminder is renewed."""

LOOK: Final = 1.0
"""Seconds between searches for rooms to take over, varied by a fifth so that nodes do not search at the same time."""

TAKE: Final = 100
"""How many rooms a node takes over at a time."""

QUARANTINE: Final = 3_600_000
"""Milliseconds for which a room with an unreadable log is left alone. An operator may repair it."""

_log = structlog.get_logger(__name__)


class Takeover:
    """Keeps reminders for this node's `deadlines` in the store, and calls `load` for rooms that this node takes over.

    `load` sets the room's deadline, if there is one, in `deadlines`. It may fail with `LogUnavailable`, or with
    `UnreadableEntry`.
    """

    def __init__(self, log: EventLog, clock: Clock, ring: Ring, load: Callable[[str], Awaitable[object]]) -> None:
        self.deadlines = Deadlines(clock, ring, self._appeared)
        self._log = log
        self._clock = clock
        self._load = load
        self._noted: dict[str, int] = {}  # when
        self._promised: dict[str, int] = {}  # until when no other node takes the room
        self._fresh: set[str] = set()
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self.looked: float | None = None
        """When it last searched for rooms to take over, by the event loop's clock; None before `start`."""

    def start(self) -> None:
        """Start to write reminders, and to take rooms over."""
        self.looked = monotonic()
        self._task = supervise("takeover", self._watch)

    async def hand_over(self, room: str) -> None:
        """This node no longer holds the room. Another node takes it over at its deadline."""
        deadline = self.deadlines.by_room.get(room)
        self.deadlines.set(room, None)
        self._forget(room)
        self._fresh.discard(room)
        if deadline is not None:
            with unless_unavailable(_log, "not handed over", room=room):  # the last reminder stands
                await self._log.remind({room: deadline + GRACE})

    async def close(self) -> None:
        """Write the reminders of new deadlines, and stop. Other nodes then take the rooms over."""
        await end([self._task])
        if self._fresh:
            with unless_unavailable(_log, "deadlines not noted"):
                await self._note(self._fresh, take=0)
        self.deadlines.stop()

    def _appeared(self, room: str) -> None:
        """A room has a deadline, or an earlier one. Write its reminder at once if the present one lasts longer."""
        if self.deadlines.by_room[room] + GRACE < self._promised.get(room, math.inf):
            self._fresh.add(room)
            self._wake.set()

    def _forget(self, room: str) -> None:
        self._noted.pop(room, None)
        self._promised.pop(room, None)

    async def _watch(self) -> None:
        """Write reminders for new deadlines at once. Every `LOOK` seconds, renew reminders and search for rooms to take
        over."""
        loop = asyncio.get_running_loop()
        next_look = loop.time()
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout_at(next_look):
                    await self._wake.wait()
            self._wake.clear()
            fresh, self._fresh = self._fresh, set()
            try:
                if loop.time() < next_look:
                    await self._note(fresh, take=0)
                    continue
                next_look = loop.time() + LOOK * random.uniform(0.8, 1.2)
                taken = await self._note(fresh | self._stale(), take=TAKE)
                self.looked = monotonic()
            except LogUnavailable as error:
                self._fresh |= fresh
                _log.debug("deadlines not noted", error=str(error))
                continue
            except BaseException:  # also when `close` ends this task
                self._fresh |= fresh
                raise
            if taken:
                await asyncio.gather(*map(self._take, taken))
                if len(taken) == TAKE:
                    next_look = loop.time()

    def _stale(self) -> set[str]:
        """The rooms whose reminders must be renewed or removed."""
        old = self._clock() - REFRESH
        deadlines = self.deadlines.by_room
        return {room for room, noted in self._noted.items() if noted <= old or room not in deadlines}

    async def _note(self, rooms: set[str], take: int) -> list[str]:
        now = self._clock()
        times: dict[str, int | None] = {}
        for room in sorted(rooms):
            deadline = self.deadlines.by_room.get(room)
            times[room] = None if deadline is None else min(max(deadline, now) + GRACE, now + AHEAD)
        taken = await self._log.remind(times, take, AHEAD)
        for room, time in times.items():
            if time is None:
                self._forget(room)
            elif room in self.deadlines.by_room:  # not cleared or handed over meanwhile
                self._noted[room] = now
                self._promised[room] = time
        return taken

    async def _take(self, room: str) -> None:
        """Take one room over. A failure does not stop the others."""
        try:
            await self._load(room)
        except LogUnavailable as error:
            _log.debug("not taken over", room=room, error=str(error))
        except UnreadableEntry as error:
            _log.error("deadline put off", room=room, error=str(error), hours=QUARANTINE / 3_600_000)
            with contextlib.suppress(LogUnavailable):
                await self._log.remind({room: self._clock() + QUARANTINE})
        except Exception:  # noqa: BLE001 - told in the log, and others go on
            _log.exception("not taken over", room=room)
        else:
            self._noted[room] = self._clock()  # if it has no deadline, its reminder is removed at the next search
