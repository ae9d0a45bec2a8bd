"""Processes that can be killed, frozen and started again, and waiting for a condition."""

import asyncio
import ctypes
import signal
from collections.abc import Awaitable, Callable
from contextlib import suppress

from tests.forked import AwaitedServer

DIE_WITH_PARENT = 1  # PR_SET_PDEATHSIG

READY = 240.0
"""Seconds that a node or a store has to start, with all attempts."""


async def until(holds: Callable[[], Awaitable[bool]], seconds: float, pause: float) -> None:
    """Ask until it holds. Raises TimeoutError.

    The limit is also checked between two questions: on Python 3.11 redis-py can lose the cancellation by which
    `asyncio.timeout` ends one.
    """
    now = asyncio.get_running_loop().time
    end = now() + seconds
    async with asyncio.timeout(seconds):
        while not await holds():
            if now() >= end:
                raise TimeoutError
            await asyncio.sleep(pause)


def mortal() -> None:
    """Runs in a new process: makes the system kill it when the harness dies, if it can (Linux)."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(DIE_WITH_PARENT, signal.SIGKILL)


class Process:
    """A process that may be killed and frozen."""

    _process: asyncio.subprocess.Process | AwaitedServer | None = None

    @property
    def runs(self) -> bool:
        """Whether it has been started, and has not ended since."""
        return self._process is not None and self._process.returncode is None

    def signal(self, number: signal.Signals) -> None:
        """Send a signal, unless the process is gone."""
        if self._process is not None:
            with suppress(ProcessLookupError):
                self._process.send_signal(number)

    async def kill(self) -> None:
        """kill -9."""
        self.signal(signal.SIGKILL)
        if self._process is not None:
            await self._process.wait()
