"""When this server can't reach the store, and its players would be better off at another.

It watches how long the store has said nothing, be it yes or no, while this server itself was running.
"""

import asyncio
from collections.abc import Callable
from time import monotonic
from typing import Final

import structlog

AFTER: Final = 3.0
"""Seconds without a word of the store, after which this server is cut off."""

LOOK: Final = 0.25
"""Seconds between looks."""

ASLEEP: Final = 1.0
"""Seconds between two looks that show that this server was not running: then it has not listened either."""

_log = structlog.get_logger(__name__)


async def watch(heard: Callable[[], float], left: Callable[[], None], back: Callable[[], None]) -> None:
    """Call `left` once the server is cut off, and `back` when it no longer is, until cancelled.

    `heard` is when the store last said something, by `time.monotonic`.
    """
    since = looked = monotonic()
    cut_off = False
    while True:
        await asyncio.sleep(LOOK)
        now = monotonic()
        if now - looked > ASLEEP:
            since = now
        looked = now
        silence = now - max(heard(), since)
        if silence >= AFTER and not cut_off:
            cut_off = True
            _log.error("cut off from the store: players are sent away", seconds=round(silence, 1))
            left()
        elif silence < AFTER and cut_off and heard() > since:
            cut_off = False
            _log.warning("the store is in reach again")
            back()
