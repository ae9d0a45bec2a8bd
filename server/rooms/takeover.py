"""The deadlines of rooms whose node is gone: taken over by any other.

A node notes the rooms that have a deadline with the log, for some seconds ahead, and puts them off again
and again while it lives. A room that is not put off any more is taken by whichever node looks first: it
loads the room, whose own alarm then acts. Two who take it do no harm, since the log takes one decision.

A deadline shows up in the log a moment before it is noted. If its node dies in that moment, the deadline
waits until somebody asks for the room.
"""

import asyncio
import contextlib
import math
import random
from collections.abc import Awaitable, Callable
from typing import Final

import structlog

from fourfold.server.clock import Clock
from fourfold.server.rooms.deadlines import Alarms, Ring
from fourfold.server.storage.event_log import EventLog, LogUnavailable, UnreadableEntry
from fourfold.server.storage.tasks import end
from fourfold.server.supervision import supervise

AHEAD: Final = 15_000
"""Milliseconds: so far ahead a node answers for its rooms, and so long after its death they are taken at the latest."""

GRACE: Final = 2_000
"""Milliseconds that a deadline may be past before another node believes that nobody deals with it."""

REFRESH: Final = 5_000
"""Milliseconds after which a room is put off again."""

LOOK: Final = 1.0
"""Seconds between looks for rooms to take, give or take a fifth, so that nodes do not look in step."""

TAKE: Final = 100
"""How many rooms a node takes at a time."""

QUARANTINE: Final = 3_600_000
"""Milliseconds for which a room whose log can't be read is put off: somebody may mend it."""

_log = structlog.get_logger(__name__)


class Takeover:
    """Keeps this node's deadlines (in `alarms`) noted, and calls `load` with rooms that this node has taken.

    `load` leaves the room's deadline, if it has one, in the alarms. It may fail with `LogUnavailable`, or with
    `UnreadableEntry`.
    """

    def __init__(self, log: EventLog, clock: Clock, ring: Ring, load: Callable[[str], Awaitable[object]]) -> None:
        self.alarms = Alarms(clock, ring, self._appeared)
        self._log = log
        self._clock = clock
        self._load = load
        self._noted: dict[str, int] = {}  # when
        self._promised: dict[str, int] = {}  # and until when nobody else looks at the room
        self._fresh: set[str] = set()
        self._wake = asyncio.Event()
        self._task = supervise("takeover", self._watch)

    async def hand_over(self, room: str) -> None:
        """This node holds the room no longer: leave its deadline to whoever is there when it comes."""
        deadline = self.alarms.deadlines.get(room)
        self.alarms.set(room, None)
        self._forget(room)
        self._fresh.discard(room)
        if deadline is not None:
            try:
                await self._log.remind({room: deadline + GRACE})
            except LogUnavailable as error:
                _log.debug("not handed over", room=room, error=str(error))  # the last note stands: taken too early

    async def close(self) -> None:
        """Keep nothing noted any more: other nodes take it over."""
        self.alarms.stop()
        await end([self._task])

    def _appeared(self, room: str) -> None:
        """A room has a deadline, or an earlier one: one that others would come to too late is noted at once."""
        if self.alarms.deadlines[room] + GRACE < self._promised.get(room, math.inf):
            self._fresh.add(room)
            self._wake.set()

    def _forget(self, room: str) -> None:
        self._noted.pop(room, None)
        self._promised.pop(room, None)

    async def _watch(self) -> None:
        """Note new deadlines at once; look after all of them, and for those of others, each second."""
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
            except LogUnavailable as error:
                self._fresh |= fresh
                _log.debug("deadlines not noted", error=str(error))
                continue
            except Exception:
                self._fresh |= fresh
                raise
            if taken:
                await asyncio.gather(*map(self._take, taken))
                if len(taken) == TAKE:
                    next_look = loop.time()

    def _stale(self) -> set[str]:
        """The rooms to put off again, and those to strike out."""
        old = self._clock() - REFRESH
        deadlines = self.alarms.deadlines
        return {room for room, noted in self._noted.items() if noted <= old or room not in deadlines}

    async def _note(self, rooms: set[str], take: int) -> list[str]:
        now = self._clock()
        times: dict[str, int | None] = {}
        for room in rooms:
            deadline = self.alarms.deadlines.get(room)
            times[room] = None if deadline is None else min(max(deadline, now) + GRACE, now + AHEAD)
        taken = await self._log.remind(times, take, AHEAD)
        for room, time in times.items():
            if time is None:
                self._forget(room)
            elif room in self.alarms.deadlines:  # not cleared or handed over meanwhile
                self._noted[room] = now
                self._promised[room] = time
        return taken

    async def _take(self, room: str) -> None:
        """Take one room over; whatever is wrong with it, the others are taken too."""
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
            self._noted[room] = self._clock()  # without a deadline, it is struck out at the next look
