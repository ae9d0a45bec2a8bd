"""The server's vital signs over the last hour, in memory: samples of its metrics for the admin's page."""

import asyncio
import os
import resource
from collections import Counter, deque
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from fourfold.server.clock import Clock, monotonic
from fourfold.server.metrics import Metrics, quantile
from fourfold.server.supervision import end, supervise

PERIOD: Final = 15.0
"""Seconds between samples."""

KEPT: Final = 240
"""How many samples are kept: those of an hour."""

SLOWEST: Final = 0.99
"""The share of appends that are at most as slow as the sample says."""

_STATM: Final = Path("/proc/self/statm")


class Sample(NamedTuple):
    """The vital signs at the time `at` (ms since 1970). `moves` are per second, `append` is in milliseconds (None:
    there was no append), `memory` is in bytes. These and `errors` are of the time since the sample before."""

    at: int
    connections: int
    rooms: int
    playing: int
    moves: float
    append: float | None
    memory: int
    errors: int


class Vitals:
    """Takes samples from `start` to `close`."""

    def __init__(
        self,
        metrics: Metrics,
        clock: Clock,
        connections: Callable[[], int],
        rooms: Callable[[], Mapping[tuple[str, str], int]],
    ) -> None:
        """`rooms` returns the number of rooms here by variant and status."""
        self.started = clock()
        """When the server started."""
        self._metrics = metrics
        self._clock = clock
        self._connections = connections
        self._rooms = rooms
        self._samples: deque[Sample] = deque(maxlen=KEPT)
        self._wrong: deque[Counter[str]] = deque(maxlen=KEPT)  # the error codes of each sample
        self._sampled = monotonic()
        self._moves = metrics.moves
        self._appends = metrics.append.counts()
        self._errors = Counter(metrics.errors)
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Start."""
        self._task = supervise("vitals", self._watch)

    async def close(self) -> None:
        """Stop."""
        await end([self._task])

    def samples(self, since: int) -> list[Sample]:
        """The samples after a time (ms since 1970), oldest first."""
        return [one for one in self._samples if one.at > since]

    def errors(self) -> Counter[str]:
        """How often each error code was sent in the time of the samples."""
        return sum(self._wrong, Counter[str]())

    async def _watch(self) -> None:
        while True:
            self.sample()
            await asyncio.sleep(PERIOD)

    def sample(self) -> None:
        """Take a sample now."""
        metrics, now = self._metrics, monotonic()
        moves, appends, errors = metrics.moves, metrics.append.counts(), Counter(metrics.errors)
        seconds = max(now - self._sampled, 1e-3)
        latest = [count - before for count, before in zip(appends, self._appends, strict=True)]
        slow = quantile(latest, SLOWEST)
        wrong, rooms = errors - self._errors, self._rooms()
        self._samples.append(
            Sample(
                self._clock(),
                self._connections(),
                sum(rooms.values()),
                sum(count for (_, status), count in rooms.items() if status == "playing"),
                round((moves - self._moves) / seconds, 2),
                None if slow is None else round(slow * 1000, 2),
                memory(),
                sum(wrong.values()),
            )
        )
        self._wrong.append(wrong)
        self._sampled, self._moves, self._appends, self._errors = now, moves, appends, errors


def memory() -> int:
    """The memory of this process, in bytes; where the system does not tell, the most that it has ever had."""
    try:
        return int(_STATM.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
