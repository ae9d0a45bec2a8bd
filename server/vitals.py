"""The server's vital signs over the last hour, in memory: samples of its metrics for the admin's page.

Each process takes a reading of itself at the same moments. A sample is the sum of the readings of one moment.
"""

import asyncio
import os
import resource
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple, Protocol

from fourfold.server.clock import Clock, monotonic
from fourfold.server.metrics import Metrics, quantile
from fourfold.server.supervision import end, supervise

PERIOD: Final = 15.0
"""Seconds between samples."""

KEPT: Final = 240
"""How many samples are kept: those of an hour."""

SLOWEST: Final = 0.99
"""The share of appends that are at most as slow as the sample says."""

EARLY: Final = 1_000
"""Milliseconds that a reading may come before its moment: a timer and the store's clock differ a little."""

_MS: Final = int(PERIOD * 1000)
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


class Reading(NamedTuple):
    """What one process contributes to a sample. `slot` is its time, in periods since 1970. `appends` are as in
    `Histogram.counts`; `errors` counts the error codes."""

    slot: int
    connections: int
    rooms: int
    playing: int
    moves: float
    appends: list[int]
    memory: int
    errors: dict[str, int]


class History(NamedTuple):
    """Samples, oldest first, and how often each error code was sent in the last hour."""

    samples: list[Sample]
    errors: dict[str, int]


class Others(Protocol):
    """The other processes of this server. `workers.worker.Worker` implements it, in a folder above."""

    def tell(self, reading: Reading) -> None:
        """Add a reading of this process to the history of all."""

    async def history(self, since: int) -> History | None:
        """The history of all, with the samples after a time (ms since 1970); None if it can't be had."""


class Hour:
    """The readings of the last hour, of all processes of a server."""

    def __init__(self) -> None:
        self._slots: dict[int, dict[int, Reading]] = {}  # the readings of the processes, by slot

    def add(self, process: int, reading: Reading) -> None:
        """Add a reading of a process (its id)."""
        self._slots.setdefault(reading.slot, {})[process] = reading
        while len(self._slots) > KEPT:
            del self._slots[min(self._slots)]

    def since(self, time: int) -> History:
        """The samples after a time (ms since 1970), and the errors of the whole hour.

        The newest sample is left out while a process that is part of the one before has not contributed to it.
        """
        slots = sorted(self._slots)
        if len(slots) > 1 and not self._slots[slots[-2]].keys() <= self._slots[slots[-1]].keys():
            slots.pop()
        found = [_summed(slot, [*self._slots[slot].values()]) for slot in slots if slot * _MS > time]
        errors = Counter[str]()
        for readings in self._slots.values():
            for reading in readings.values():
                errors.update(reading.errors)
        return History(found, dict(errors))


def _summed(slot: int, readings: Sequence[Reading]) -> Sample:
    slow = quantile([sum(counts) for counts in zip(*(one.appends for one in readings), strict=True)], SLOWEST)
    return Sample(
        slot * _MS,
        sum(one.connections for one in readings),
        sum(one.rooms for one in readings),
        sum(one.playing for one in readings),
        round(sum(one.moves for one in readings), 2),
        None if slow is None else round(slow * 1000, 2),
        sum(one.memory for one in readings),
        sum(sum(one.errors.values()) for one in readings),
    )


class Vitals:
    """Takes readings of this process from `start` to `close`."""

    def __init__(
        self,
        metrics: Metrics,
        clock: Clock,
        connections: Callable[[], int],
        rooms: Callable[[], Mapping[tuple[str, str], int]],
        others: Others | None = None,
    ) -> None:
        """`rooms` returns the number of rooms here by variant and status. With `others`, this is a worker."""
        self.started = clock()
        """When the server started."""
        self._metrics = metrics
        self._clock = clock
        self._connections = connections
        self._rooms = rooms
        self._others = others
        self._hour = Hour()
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

    async def history(self, since: int) -> History:
        """The history of all processes of this server, with the samples after a time (ms since 1970); of this process
        alone if the others don't answer."""
        whole = None if self._others is None else await self._others.history(since)
        return self._hour.since(since) if whole is None else whole

    async def _watch(self) -> None:
        """Take a reading at the start, and at each multiple of the period, as all processes do."""
        while True:
            self.sample()
            await asyncio.sleep(((self._slot() + 1) * _MS - self._clock()) / 1000)

    def _slot(self) -> int:
        return (self._clock() + EARLY) // _MS

    def sample(self) -> None:
        """Take a reading now."""
        metrics, now = self._metrics, monotonic()
        moves, appends, errors = metrics.moves, metrics.append.counts(), Counter(metrics.errors)
        seconds = max(now - self._sampled, 1e-3)
        rooms = self._rooms()
        reading = Reading(
            self._slot(),
            self._connections(),
            sum(rooms.values()),
            sum(count for (_, status), count in rooms.items() if status == "playing"),
            (moves - self._moves) / seconds,
            [count - before for count, before in zip(appends, self._appends, strict=True)],
            memory(),
            dict(errors - self._errors),
        )
        self._hour.add(os.getpid(), reading)
        if self._others is not None:
            self._others.tell(reading)
        self._sampled, self._moves, self._appends, self._errors = now, moves, appends, errors


def memory() -> int:
    """The memory of this process, in bytes; where the system does not tell, the most that it has ever had."""
    try:
        return int(_STATM.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
