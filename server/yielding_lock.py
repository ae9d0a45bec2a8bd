"""A lock for long computations: one slice at a time, each in its own turn of the event loop.

However many computations run at once, a short request waits for one slice at most.
"""

import asyncio


class YieldingLock(asyncio.Lock):
    """Hold it with `async with` for each slice. Waiters get it in the order of arrival."""

    async def __aexit__(self, *_: object) -> None:
        try:
            await asyncio.sleep(0)  # everything else that is due runs first
        finally:
            self.release()
