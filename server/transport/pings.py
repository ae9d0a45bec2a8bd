"""Pings of one connection: whether its client still answers, and the round-trip time of the network."""

import asyncio
import struct
from collections.abc import Callable


class Pings:
    """Makes pings, and takes the answers. The connection sends them."""

    __slots__ = ("_awaited", "_sent", "heard", "trip")

    def __init__(self) -> None:
        self._sent: float | None = None  # when the unanswered ping was sent
        self._awaited: asyncio.Future[bool] | None = None  # whether it is answered, if a caller waits for that
        self.heard = True
        """Whether anything has arrived since the last check."""
        self.trip = 0
        """The round trip of the last answered ping, in milliseconds; 0 before the first answer."""

    def ping(self) -> bytes:
        """The payload of a ping that is sent now."""
        self._sent = asyncio.get_running_loop().time()
        return _data(self._sent)

    def pong(self, data: bytes) -> None:
        """Take an answer. Answers to older pings are ignored."""
        if self._sent is not None and data == _data(self._sent):
            self.trip = int(1000 * (asyncio.get_running_loop().time() - self._sent))
            self._sent = None
            self._tell(answered=True)

    async def answered(self, seconds: float, ping: Callable[[], None]) -> bool:
        """Whether the client answers a ping, which `ping` sends, within `seconds`.

        Concurrent calls share one ping.
        """
        awaited = self._awaited
        if awaited is None:
            awaited = self._awaited = asyncio.get_running_loop().create_future()
            ping()
        await asyncio.wait((awaited,), timeout=seconds)
        if self._awaited is awaited:
            self._awaited = None  # later callers send another ping
        return awaited.done() and awaited.result()

    def end(self) -> None:
        """The connection has ended: no ping will be answered."""
        self._tell(answered=False)

    def _tell(self, *, answered: bool) -> None:
        awaited, self._awaited = self._awaited, None
        if awaited is not None:
            awaited.set_result(answered)


def _data(time: float) -> bytes:
    return struct.pack("!d", time)
