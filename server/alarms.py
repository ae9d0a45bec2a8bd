"""Absolute deadlines, one for each room: what must happen although nobody says anything.

One heap and one timer for all rooms of this node. Setting a deadline again replaces it; an entry that
was replaced is skipped when it surfaces, or swept out when such entries outnumber the others. A deadline
that has rung and still stands rings again.
"""

import asyncio
import heapq
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from server.event_log import Clock

AGAIN: Final = 1000
"""Milliseconds after which a deadline that nobody has dealt with rings again: the store may have been away."""

SLACK: Final = 1000
"""So many replaced entries are not worth a sweep."""

Ring = Callable[[str], None]


class Alarms:
    """Calls `ring(room)` once a room's deadline (milliseconds since 1970, by `clock`) has passed.

    `appeared(room)` is called when a room that had no deadline is set one.
    """

    def __init__(self, clock: Clock, ring: Ring, appeared: Ring = lambda _: None) -> None:
        self._clock = clock
        self._ring = ring
        self._appeared = appeared
        self._heap: list[tuple[int, str, int]] = []
        self._due: dict[str, int] = {}
        self._timer: asyncio.TimerHandle | None = None

    @property
    def deadlines(self) -> Mapping[str, int]:
        """Those that stand, by room."""
        return MappingProxyType(self._due)

    def set(self, room: str, deadline: int | None) -> None:
        """Set a room's deadline; None clears it."""
        before = self._due.get(room)
        if before == deadline:
            return
        if deadline is None:
            del self._due[room]
            return
        self._due[room] = deadline
        self._push(deadline, room, deadline)
        if before is None:
            self._appeared(room)

    def stop(self) -> None:
        """Ring no more."""
        if self._timer is not None:
            self._timer.cancel()
        self._heap.clear()
        self._due.clear()

    def _push(self, time: int, room: str, deadline: int) -> None:
        if len(self._heap) > 2 * len(self._due) + SLACK:
            self._heap = list({entry for entry in self._heap if self._due.get(entry[1]) == entry[2]})
            heapq.heapify(self._heap)
        heapq.heappush(self._heap, (time, room, deadline))
        if self._heap[0] == (time, room, deadline):
            self._arm()

    def _arm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._heap:
            delay = max(0, self._heap[0][0] - self._clock()) / 1000
            self._timer = asyncio.get_running_loop().call_later(delay, self._fire)

    def _fire(self) -> None:
        now = self._clock()
        while self._heap and self._heap[0][0] <= now:
            _, room, deadline = heapq.heappop(self._heap)
            if self._due.get(room) == deadline:
                heapq.heappush(self._heap, (now + AGAIN, room, deadline))
                self._ring(room)
        self._arm()
