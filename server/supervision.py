"""Tasks that last as long as the server: one that dies of a fault of ours is told in the log, counted, and begun anew.

What such a task looks after goes on being looked after; what it was just doing may be lost.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Coroutine
from typing import Any, Final

import structlog

AGAIN: Final = 1.0
"""Seconds until a task that died is begun anew."""

DEATHS: Final[Counter[str]] = Counter()
"""How often tasks of this process have died, by name."""

_log = structlog.get_logger(__name__)


def supervise(name: str, work: Callable[[], Coroutine[Any, Any, None]]) -> asyncio.Task[None]:
    """Do some work until it ends by itself or is cancelled, from its beginning whenever it dies of an exception."""
    return asyncio.create_task(_go_on(name, work), name=name)


async def _go_on(name: str, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    while True:
        try:
            await work()
            return
        except Exception:  # noqa: BLE001 - told in the log, counted, and mended as far as can be
            DEATHS[name] += 1
            _log.exception("a task died", task=name, again_seconds=AGAIN)
        await asyncio.sleep(AGAIN)
