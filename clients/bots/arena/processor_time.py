"""The processor time of other processes."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Final

_PROCESSES: Final = Path("/proc")
_TICKS: Final = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100


def processor_time(pid: int) -> float | None:
    """The processor time of a process, its threads and its children, in seconds. None if the process has ended, or on
    other systems than Linux."""
    try:
        numbers = (_PROCESSES / str(pid) / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    own = sum(map(int, numbers[11:15])) / _TICKS  # its own, and that of children which have ended
    children = ""
    with suppress(OSError):
        children = (_PROCESSES / str(pid) / "task" / str(pid) / "children").read_text()
    return own + sum(processor_time(int(child)) or 0.0 for child in children.split())
