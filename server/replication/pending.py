"""Writes that wait for the store. A failed write is retried until the store has the latest value."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

import structlog

from fourfold.server.storage.event_log import LogUnavailable
from fourfold.server.supervision import end, supervise

AGAIN: Final = 0.5
"""Seconds until a failed write is retried."""

K = TypeVar("K")
V = TypeVar("V")

_log = structlog.get_logger(__name__)


class Pending(dict[K, V]):
    """The values that the store does not have yet, by key. They are written from `open` to `close`, one at a time."""

    def __init__(self, what: str, write: Callable[[K, V], Awaitable[None]]) -> None:
        """`what` names the kind of values in logs and metrics. `write` stores one, and raises `LogUnavailable`."""
        super().__init__()
        self._what = what
        self._write = write
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def open(self) -> None:
        """Start writing."""
        self._task = supervise(self._what, self._write_on)

    async def close(self) -> None:
        """Stop. Unwritten values stay here."""
        await end([self._task])

    def put(self, key: K, value: V) -> None:
        """Queue a value; it replaces an unwritten one of the same key."""
        self[key] = value
        self._wake.set()

    async def _write_on(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self:
                key, value = next(iter(self.items()))
                try:
                    await self._write(key, value)
                except LogUnavailable as error:
                    _log.debug("not noted", what=self._what, waiting=len(self), error=str(error))
                    await asyncio.sleep(AGAIN)  # paces the attempts
                    continue
                if key in self and self[key] == value:
                    del self[key]
