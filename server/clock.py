"""The time, for all of the server.

The date comes from a `Clock` and microseconds from `Ticks`: both are arguments, so that tests can bring their own.
Durations and deadlines come from the running event loop. No other module reads a clock, except to measure.
"""

import asyncio
import time
from collections.abc import Callable
from typing import Final

HOUR: Final = 60 * 60 * 1000
DAY: Final = 24 * HOUR
"""Milliseconds."""

Clock = Callable[[], int]
"""Gives the time in milliseconds since 1970."""

Ticks = Callable[[], int]
"""Gives the microseconds since any moment in the past. They never go back."""


def monotonic() -> float:
    """The running event loop's clock, in seconds: for durations and deadlines. It stands still during a turn of the
    loop."""
    return asyncio.get_running_loop().time()


def ticks() -> int:
    """This machine's `Ticks`. Its event loop's clock is too coarse to estimate the store's clock by."""
    return time.monotonic_ns() // 1000


def today() -> int:
    """This machine's date, in milliseconds since 1970: a `Clock` for commands that run beside servers."""
    return round(time.time() * 1000)
