"""Work that takes long, done one piece at a time, each in a turn of the event loop of its own.

However many ask for it at once, whoever asks for something small waits for one piece at most.
"""

import asyncio
from types import TracebackType


class YieldingLock:
    """`async with turns:` waits for one's turn; those who came first have theirs first."""

    def __init__(self) -> None:
        self._lock = asyncio.Lock()

    async def __aenter__(self) -> None:
        await self._lock.acquire()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            await asyncio.sleep(0)  # everybody else has theirs
        finally:
            self._lock.release()
