"""Writes games out for those who ask: in a thread, one at a time, since a long game takes longer than others may wait.

What it writes from cannot change, so that nothing has to be locked.
"""

import asyncio
from typing import Final

from engine.match import Decision, replay
from server.export import export
from server.outbound import Attendance

AT_ONCE: Final = 1
"""How many games this process writes at the same time: the event loop has the rest of the processor."""


class Scribe:
    """See the module."""

    def __init__(self) -> None:
        self._writing = asyncio.Semaphore(AT_ONCE)

    async def write(self, room: str, decisions: list[Decision], attendance: Attendance, format: str) -> str:
        """The game that a room's log comes to, as text. Raises `NoSuchFormat`."""
        async with self._writing:
            return await asyncio.to_thread(lambda: export(room, decisions, replay(decisions), attendance, format))
