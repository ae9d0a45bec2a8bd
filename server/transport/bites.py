"""Parts of received data, read one in each turn of the event loop, however many connections send more than that."""

import asyncio
from collections import deque
from collections.abc import Callable

Read = Callable[[], None]


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
        try:
            read()
        finally:
            self._waiting.popleft()
            if self._waiting:
                asyncio.get_running_loop().call_soon(self._next)
