"""What is sent in one turn of the event loop, collected, and handed on in the next: to each connection in one go.

Handing something to the system costs more than making it: an answer, an update and a turn go out together.
"""

import asyncio
from typing import Protocol

from fourfold.server.transport.frames import frame


class Flushable(Protocol):
    """Who has an outbox."""

    def flush(self) -> None:
        """Hand what is in the outbox to the system."""
        ...


class WriteBatch:
    """See the module."""

    def __init__(self) -> None:
        self._waiting: list[Flushable] = []
        self._last: tuple[bytes, bool, bytes] = (b"", False, b"")

    def frame(self, data: bytes, text: bool) -> bytes:
        """The bytes of a WebSocket frame; made once for all who are sent the same one after the other."""
        last, as_text, framed = self._last
        if data is not last or text is not as_text:
            framed = frame(data, text=text)
            self._last = data, text, framed
        return framed

    def call(self, sender: Flushable) -> None:
        """A connection has something in its outbox."""
        if not self._waiting:
            asyncio.get_running_loop().call_soon(self._collect)
        self._waiting.append(sender)

    def _collect(self) -> None:
        waiting, self._waiting = self._waiting, []
        for sender in waiting:
            sender.flush()
