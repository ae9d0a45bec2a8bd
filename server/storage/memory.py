"""The memory available to the embedded store: that of the machine, or of this process's container."""

import os
from collections.abc import Iterator
from pathlib import Path, PurePosixPath


def default_limit() -> int:
    """The default memory limit of the store, in bytes: half of the usable memory.

    Redis and Valkey may need as much again while they rewrite their append-only file, and the server needs some too.
    """
    return usable() // 2


def usable(root: Path = Path("/")) -> int:
    """The memory that this process may use, in bytes: the machine's, or the lowest limit of its control groups."""
    return min([os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"), *_limits(root)])


def _limits(root: Path) -> Iterator[int]:
    """The limits of this process's control groups and of their parents, in versions 1 and 2. Empty without control
    groups."""
    try:
        groups = (root / "proc/self/cgroup").read_text().splitlines()
    except OSError:
        return
    for group in groups:
        _, controllers, path = group.split(":", 2)
        if not controllers:
            mount, name = "sys/fs/cgroup", "memory.max"
        elif "memory" in controllers.split(","):
            mount, name = "sys/fs/cgroup/memory", "memory.limit_in_bytes"
        else:
            continue
        place = PurePosixPath(path)
        for folder in (place, *place.parents):  # in a container only its own group may be visible, the last of them
            try:
                limit = (root / mount / folder.relative_to("/") / name).read_text().strip()
            except OSError:
                continue
            if limit.isdecimal():  # else it is "max"
                yield int(limit)
