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
