"""How often something may be done: so many times in any stretch of so long, counted for each key.

Counts are this process's own and are forgotten as soon as they no longer matter.
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
        """How many milliseconds the next time is off; 0 if it may be now."""
        done = self._done.get(key)
        if done is None or len(done) < self._times:
            return 0
        return max(0, done[0] + self._window - self._clock())

    def count(self, key: Hashable) -> None:
        """It was done, now."""
        now = self._clock()
        done = self._done.pop(key, None) or deque(maxlen=self._times)
        done.append(now)
        self._done[key] = done
        while (oldest := next(iter(self._done.items())))[1][-1] + self._window <= now:
            del self._done[oldest[0]]

    def forgive(self, key: Hashable) -> None:
        """The last time does not count."""
        done = self._done.get(key)
        if done:
            done.pop()
            if not done:
                del self._done[key]


class TokenBucket:
    """So many tokens a second in the long run, after a burst, by one number. Times are in seconds.

    The number is the moment at which nothing will be spent any more; every token spent moves it on, and the
    burst is how far ahead of now it may lie.
    """

    __slots__ = ("_cost", "_free_at", "_slack")

    def __init__(self, rate: float, burst: float) -> None:
        self._cost = 1 / rate
        self._slack = (burst - 1) / rate
        self._free_at = 0.0

    def spend(self, now: float) -> float:
        """Spend one; returns for how long to hold it back."""
        wait = max(self._free_at - now - self._slack, 0.0)
        self.charge(now, 1)
        return wait

    def charge(self, now: float, tokens: int) -> None:
        """Spend tokens for what has been done: what comes next is held back for it."""
        self._free_at = max(self._free_at, now) + tokens * self._cost
