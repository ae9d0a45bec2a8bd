"""A lock for long computations: one piece at a time, each in its own turn of the event loop.

However many are asked for at once, a short request waits for one piece at most.
"""

import asyncio


class YieldingLock(asyncio.Lock):
    """Hold it by `async with` for each piece. Waiters get it in the order they came."""

    async def __aexit__(self, *_: object) -> None:
        try:
            await asyncio.sleep(0)  # everything else that is due runs first
        finally:
            self.release()
