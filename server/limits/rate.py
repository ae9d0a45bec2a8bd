"""How often something may be done: so many times in a time window, or so many tokens a second.

Counts are this process's own, and forgotten as soon as they no longer matter.
"""

from collections import deque
from collections.abc import Hashable
from typing import Final

from fourfold.server.clock import Clock

DEBT: Final = 1.0
"""Seconds that a bucket makes its owner wait at most, however much was spent at once."""


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


class TokenBucket:
    """So many tokens a second in the long run, after a burst. Times are in seconds.

    One number is kept: the moment at which the bucket is full again. Each token spent puts it off, and the burst is how
    far ahead of now it may lie before the next one waits.
    """

    __slots__ = ("_burst", "_cost", "_full_at")

    def __init__(self, rate: float, burst: float) -> None:
        self._cost = 1 / rate
        self._burst = burst / rate
        self._full_at = 0.0

    def wait(self, now: float) -> float:
        """Seconds until something may be spent; 0 for now."""
        return max(self._full_at - now - self._burst, 0.0)

    def spend(self, now: float, tokens: float) -> None:
        """Spend tokens, more than there are if need be: the next ones wait for that, but never longer than `DEBT`."""
        self._full_at = min(max(self._full_at, now) + tokens * self._cost, now + self._burst + DEBT)

    def full(self, now: float) -> bool:
        """Whether nothing is missing."""
        return self._full_at <= now
