"""The free space on the disk of the embedded store, and the brakes when it runs out.

A store that can't write its append-only file takes no decisions, and may leave half of one in the file. So the server
stops earlier: first it opens no new rooms, then it takes no decisions at all. Games stay as they are.
"""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

import structlog

LOW: Final = 500 * 10**6
"""Free bytes below which no new rooms are opened."""

LOW_SHARE: Final = 0.05
"""The share of the disk below which no new rooms are opened either, up to `MOST_LOW`."""

MOST_LOW: Final = 2 * 10**9
"""Free bytes that are enough on a disk of any size."""

FULL: Final = 100 * 10**6
"""Free bytes below which the server takes no decisions."""

SMALL_LOW: Final = 0.1
"""The share that counts instead of `LOW` on a file system of less than 5 GB."""

SMALL_FULL: Final = 0.02
"""The share that counts instead of `FULL` on a file system of less than 5 GB."""

MARGIN: Final = 10
"""A brake is released when a tenth more than its limit is free: one part in this many."""

READ_ONLY: Final = (
    "The server's disk is full. It takes no moves until there is space again. Games are kept, and clocks stand still."
)
"""The announcement to players when the disk is full."""

FREED: Final = "The server's disk has space again. Games go on."
"""The announcement to players when there is space again."""

_log = structlog.get_logger(__name__)


class Limits(NamedTuple):
    """The free bytes below which no new rooms are opened, and below which no decisions are taken."""

    low: int
    full: int


def limits(total: int) -> Limits:
    """The limits on a file system of `total` bytes."""
    low = max(LOW, min(LOW_SHARE * total, MOST_LOW))
    return Limits(int(min(low, SMALL_LOW * total)), int(min(FULL, SMALL_FULL * total)))


class Disk:
    """The file system of a folder, as last looked at."""

    def __init__(self, folder: Path) -> None:
        self.tell: Callable[[str], object] = _nobody
        """Called with a sentence for players when the server stops to take decisions, and when it takes them again."""
        self.free = 0
        """Free bytes at the last look."""
        self.limits = Limits(0, 0)
        self.low = False
        """Whether there is too little space for new rooms."""
        self.full = False
        """Whether there is too little space for decisions."""
        self._folder = folder

    def look(self) -> None:
        """Look now. A folder that can't be looked at leaves everything as it was."""
        try:
            usage = shutil.disk_usage(self._folder)
        except OSError as error:
            _log.warning("the free space of the disk can't be known", folder=str(self._folder), error=str(error))
            return
        self.free, self.limits = usage.free, limits(usage.total)
        low, full = self._is_below(self.limits.low, self.low), self._is_below(self.limits.full, self.full)
        folder, megabytes = str(self._folder), self.free // 10**6
        if full and not self.full:
            _log.error("the disk is full: no decisions until there is space", folder=folder, free_mb=megabytes)
            self.tell(READ_ONLY)
        elif low and not self.low:
            _log.warning("the disk is nearly full: no new rooms", folder=folder, free_mb=megabytes)
        if self.full and not full:
            _log.warning("the disk has space again: decisions are taken", free_mb=megabytes)
            self.tell(FREED)
        elif self.low and not low:
            _log.info("the disk has space again: new rooms are opened", free_mb=megabytes)
        self.low, self.full = low, full

    def holds(self, folder: Path) -> bool:
        """Whether a folder, which may not exist yet, is on this file system."""
        there = next(place for place in (folder, *folder.parents) if place.exists())
        return there.stat().st_dev == self._folder.stat().st_dev

    def _is_below(self, limit: int, before: bool) -> bool:
        return self.free < limit + (limit // MARGIN if before else 0)


def _nobody(_: str) -> None:
    """Replaces the callback until there are players."""
