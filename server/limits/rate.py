"""How often something may be done in a time window.

Counts are this process's own, and forgotten as soon as they no longer matter.
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
        self._done: dict[Hashable, deque[int]] = {}  # those done last are last

    def __len__(self) -> int:
        """How many keys are remembered."""
        return len(self._done)

    def wait(self, key: Hashable) -> int:
        """In how many milliseconds it may be done again; 0 for now."""
        done = self._done.get(key)
        if done is None or len(done) < self._times:
            return 0
        return max(0, done[0] + self._window - self._clock())

    def count(self, key: Hashable) -> None:
        """Count that it is done now."""
        now = self._clock()
        done = self._done.pop(key, None) or deque(maxlen=self._times)
        done.append(now)
        self._done[key] = done
        while (oldest := next(iter(self._done.items())))[1][-1] + self._window <= now:
            del self._done[oldest[0]]

    def forgive(self, key: Hashable) -> None:
        """Discount the last time."""
        done = self._done.get(key)
        if done:
            done.pop()
            if not done:
                del self._done[key]


class Budget:
    """At most `most` in `window` milliseconds, counted from the first that a key spends."""

    def __init__(self, most: int, window: int, clock: Clock) -> None:
        self.most = most
        self._window = window
        self._clock = clock
        self._spent: dict[Hashable, tuple[int, int]] = {}  # since when, and how much; those that began first are first

    def __len__(self) -> int:
        """How many keys are remembered."""
        return len(self._spent)

    def wait(self, key: Hashable, amount: int) -> int:
        """In how many milliseconds so much may be spent; 0 for now. More than `most` may be, if it is the first."""
        began, spent = self._current(key)
        return began + self._window - self._clock() if spent and spent + amount > self.most else 0

    def spend(self, key: Hashable, amount: int) -> None:
        """Count it."""
        began, spent = self._current(key)
        self._spent[key] = began, spent + amount

    def _current(self, key: Hashable) -> tuple[int, int]:
        now = self._clock()
        while self._spent and (oldest := next(iter(self._spent.items())))[1][0] + self._window <= now:
            del self._spent[oldest[0]]
        return self._spent.get(key, (now, 0))
