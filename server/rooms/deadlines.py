"""The deadlines of rooms: the times at which something must happen even if no command comes.

One heap and one timer serve all rooms of this node. Most deadlines are put off before they come, for example by a move.
That does not touch the heap: a room's entry that comes to the top too early is put back. The heap skips entries that
have been replaced and entries of rooms without a deadline. It removes them when they outnumber the others.
"""

import asyncio
import heapq
from collections.abc import Callable
from typing import Final

from fourfold.server.clock import Clock

AGAIN: Final = 1000
"""Milliseconds after which a missed deadline is reported again. The store may have been away."""

SLACK: Final = 1000
"""How many stale entries the heap may hold in any case."""

Ring = Callable[[str], None]


class Deadlines:
    """Calls `ring(room)` when a room's deadline (milliseconds since 1970, by `clock`) has passed.

    Calls `appeared(room)` when a room gets its first deadline or an earlier one.
    """

    def __init__(self, clock: Clock, ring: Ring, appeared: Ring = lambda _: None) -> None:
        self._clock = clock
        self._ring = ring
        self._appeared = appeared
        self.by_room: dict[str, int] = {}
        """The current deadlines. Other objects only read this."""
        self._heap: list[tuple[int, str]] = []
        self._entered: dict[str, int] = {}  # the time of each room's entry: no later than its deadline
        self._timer: asyncio.TimerHandle | None = None

    def set(self, room: str, deadline: int | None) -> None:
        """Set a room's deadline; None clears it."""
        before = self.by_room.get(room)
        if before == deadline:
            return
        if deadline is None:
            del self.by_room[room]
            return
        self.by_room[room] = deadline
        entered = self._entered.get(room)
        if entered is None or deadline < entered:
            self._enter(deadline, room)
            if self._heap[0] == (deadline, room):
                self._arm()
        if before is None or deadline < before:
            self._appeared(room)

    def stop(self) -> None:
        """Forget all deadlines."""
        if self._timer is not None:
            self._timer.cancel()
        self._heap.clear()
        self._entered.clear()
        self.by_room.clear()

    def _enter(self, time: int, room: str) -> None:
        if len(self._heap) > 2 * len(self.by_room) + SLACK:
            self._entered = {one: at for one, at in self._entered.items() if one in self.by_room}
            self._heap = [(at, one) for one, at in self._entered.items()]
            heapq.heapify(self._heap)
        self._entered[room] = time
        heapq.heappush(self._heap, (time, room))

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
            time, room = heapq.heappop(self._heap)
            if self._entered.get(room) != time:
                continue
            del self._entered[room]
            deadline = self.by_room.get(room)
            if deadline is None:
                continue
            self._enter(deadline if deadline > now else now + AGAIN, room)
            if deadline <= now:
                self._ring(room)
        self._arm()
