"""A lock for long computations: one slice at a time, with a pause after each.

However many computations run at once, a short request waits for few slices. A move takes several turns of the event
loop, and would wait for a slice in each of them without the pauses.
"""

import asyncio
from typing import Final

PAUSE: Final = 0.002
"""Seconds after a slice: about as long as a move takes, with its write to the store."""


class YieldingLock(asyncio.Lock):
    """Hold it with `async with` for each slice. Waiters get it in the order of arrival."""

    async def __aexit__(self, *_: object) -> None:
        try:
            await asyncio.sleep(PAUSE)
        finally:
            self.release()
