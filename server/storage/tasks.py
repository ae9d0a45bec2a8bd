"""How tasks that talk to the store are ended."""

import asyncio
from collections.abc import Iterable


async def end(tasks: Iterable[asyncio.Task[None]]) -> None:
    """Cancel tasks, and wait until they have ended."""
    while running := [task for task in tasks if not task.done()]:
        for task in running:
            task.cancel()
        await asyncio.wait(running, timeout=1.0)  # redis-py can lose a cancellation: then once more
