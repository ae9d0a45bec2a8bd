"""Parts of received data, read one in each turn of the event loop, however many connections send more than that."""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Final

PAUSE: Final = 0.002
"""Seconds between a whole bite and the next one. A move passes through several turns of the event loop, each of which
would else have a bite."""

Read = Callable[[], bool]
"""Reads a bite; returns whether it was a whole one."""


class BiteQueue:
    """The connections of a server that have received more than one bite, in order."""

    def __init__(self) -> None:
        self._waiting: deque[Read] = deque()

    def add(self, read: Read) -> None:
        """Call `read` once, when it is its turn."""
        self._waiting.append(read)
        if len(self._waiting) == 1:
            asyncio.get_running_loop().call_soon(self._next)

    def _next(self) -> None:
        read = self._waiting[0]  # it stays until it has returned, so that `add` starts no second round
        whole = True
        try:
            whole = read()
        finally:
            self._waiting.popleft()
            if self._waiting:
                loop = asyncio.get_running_loop()
                if whole:
                    loop.call_later(PAUSE, self._next)
                else:
                    loop.call_soon(self._next)
