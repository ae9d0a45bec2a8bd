"""How much memory there is for the embedded store: that of the machine, or of the container that this process is in."""

import os
from collections.abc import Iterator
from pathlib import Path, PurePosixPath


def default_limit() -> int:
    """How many bytes of memory the store may use by default: half of what is usable.

    Redis and Valkey may need as much again while they rewrite their append-only file, and the server needs some too.
    """
    return usable() // 2


def usable(root: Path = Path("/")) -> int:
    """How many bytes of memory this process may use: the machine's, or the least limit of its control groups."""
    return min([os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"), *_limits(root)])


def _limits(root: Path) -> Iterator[int]:
    """The limits of this process' control groups and those around them, of version 1 and 2. Where there are no control
    groups, there are no limits."""
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
        for folder in (place, *place.parents):  # in a container only the last of them may be there: its own
            try:
                limit = (root / mount / folder.relative_to("/") / name).read_text().strip()
            except OSError:
                continue
            if limit.isdecimal():  # else it is "max"
                yield int(limit)
