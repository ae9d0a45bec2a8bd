"""Absolute deadlines, one for each room: what must happen although nobody says anything.

One heap and one timer for all rooms of this node. Setting a deadline again replaces it; an entry
that was replaced is skipped when it surfaces.
"""

import asyncio
import heapq
from collections.abc import Callable

from server.event_log import Clock

Ring = Callable[[str], None]


class Alarms:
    """Calls `ring(room)` once a room's deadline (milliseconds since 1970, by `clock`) has passed."""

    def __init__(self, clock: Clock, ring: Ring) -> None:
        self._clock = clock
        self._ring = ring
        self._heap: list[tuple[int, str]] = []
        self._due: dict[str, int] = {}
        self._timer: asyncio.TimerHandle | None = None

    def set(self, room: str, deadline: int | None) -> None:
        """Set a room's deadline; None clears it."""
        if self._due.get(room) == deadline:
            return
        if deadline is None:
            del self._due[room]
            return
        self._due[room] = deadline
        heapq.heappush(self._heap, (deadline, room))
        if self._heap[0] == (deadline, room):
            self._arm()

    def stop(self) -> None:
        """Ring no more."""
        if self._timer is not None:
            self._timer.cancel()
        self._heap.clear()
        self._due.clear()

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
            deadline, room = heapq.heappop(self._heap)
            if self._due.get(room) == deadline:
                del self._due[room]
                self._ring(room)
        self._arm()
