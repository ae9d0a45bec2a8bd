"""Rate limits over a time window.

Counts belong to this process, and are dropped as soon as they no longer matter.
"""

from collections import deque
from collections.abc import Hashable

from fourfold.server.clock import Clock


class SlidingWindow:
    """At most `times` in any `window` milliseconds, for each key."""

    def __init__(self, times: int, window: int, clock: Clock) -> None:
        self._times = times
        self._window = window
        self._clock = clock
        self._done: dict[Hashable, deque[int]] = {}  # the most recent keys are last

    def __len__(self) -> int:
        """The number of keys with counts."""
        return len(self._done)

    def wait(self, key: Hashable) -> int:
        """Milliseconds until the key may act again; 0 for now."""
        done = self._done.get(key)
        if done is None or len(done) < self._times:
            return 0
        return max(0, done[0] + self._window - self._clock())

    def count(self, key: Hashable) -> None:
        """Count one use now."""
        now = self._clock()
        done = self._done.pop(key, None) or deque(maxlen=self._times)
        done.append(now)
        self._done[key] = done
        while (oldest := next(iter(self._done.items())))[1][-1] + self._window <= now:
            del self._done[oldest[0]]

    def forgive(self, key: Hashable) -> None:
        """Uncount the last use."""
        done = self._done.get(key)
        if done:
            done.pop()
            if not done:
                del self._done[key]


class Budget:
    """At most `most` in `window` milliseconds, counted from a key's first use."""

    def __init__(self, most: int, window: int, clock: Clock) -> None:
        self.most = most
        self._window = window
        self._clock = clock
        self._spent: dict[Hashable, tuple[int, int]] = {}  # since when, and how much; the earliest are first

    def __len__(self) -> int:
        """The number of keys with counts."""
        return len(self._spent)

    def wait(self, key: Hashable, amount: int) -> int:
        """Milliseconds until this amount may be spent; 0 for now. The first use may exceed `most`."""
        began, spent = self._current(key)
        return began + self._window - self._clock() if spent and spent + amount > self.most else 0

    def spend(self, key: Hashable, amount: int) -> None:
        """Count an amount."""
        began, spent = self._current(key)
        self._spent[key] = began, spent + amount

    def _current(self, key: Hashable) -> tuple[int, int]:
        now = self._clock()
        while self._spent and (oldest := next(iter(self._spent.items())))[1][0] + self._window <= now:
            del self._spent[oldest[0]]
        return self._spent.get(key, (now, 0))
