"""A lock for long computations: one piece at a time, each in its own turn of the event loop.

However many are asked for at once, a short request waits for one piece at most.
"""

import asyncio
from types import TracebackType


class YieldingLock:
    """Hold it by `async with` for each piece. Waiters get it in the order they came."""

    def __init__(self) -> None:
        self._lock = asyncio.Lock()

    async def __aenter__(self) -> None:
        await self._lock.acquire()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            await asyncio.sleep(0)  # everything else that is due runs first
        finally:
            self._lock.release()
