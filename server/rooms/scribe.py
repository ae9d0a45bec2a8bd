"""Writes games as text for those who ask, and reads them: in a thread, one at a time, since a long game takes longer
than others may wait.

What it writes from cannot change, so that nothing has to be locked.
"""

import asyncio
from typing import Final

from fourfold.engine.match import Decision, replay
from fourfold.engine.notation.resume import Resumed, read
from fourfold.protocol.projection import Attendance
from fourfold.server.rooms.export import export

AT_ONCE: Final = 1
"""How many games this process writes or reads at the same time: the event loop has the rest of the processor."""


class Scribe:
    """See the module."""

    def __init__(self) -> None:
        self._free = asyncio.Semaphore(AT_ONCE)

    async def write(self, room: str, decisions: list[Decision], attendance: Attendance, format: str) -> str:
        """The game that a room's log comes to, as text. Raises `NoSuchFormat`."""
        async with self._free:
            return await asyncio.to_thread(lambda: export(room, decisions, replay(decisions), attendance, format))

    async def read(self, text: str, format: str | None) -> Resumed:
        """The game of a text. Raises `InvalidNotation` or `InvalidSetup` if no game begins there."""
        async with self._free:
            return await asyncio.to_thread(read, text, format)
