"""Notices when this server can't reach the store, so that its players can go to another server."""

import asyncio
from collections.abc import Callable
from typing import Final

import structlog

from fourfold.server.clock import monotonic

AFTER: Final = 3.0
"""Seconds without an answer of the store after which this server counts as cut off."""

LOOK: Final = 0.25
"""Seconds between checks."""

ASLEEP: Final = 1.0
"""Seconds between two checks that mean that this process was suspended, and could not hear the store either."""

_log = structlog.get_logger(__name__)


async def watch(heard: Callable[[], float], left: Callable[[], None], back: Callable[[], None]) -> None:
    """Call `left` when the server is cut off, and `back` when it is connected again. Runs until cancelled.

    `heard` returns when the store last answered, in seconds of the event loop's clock.
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
