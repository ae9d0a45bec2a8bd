"""A very cheap WebSocket client, so that the server dominates the measurement.

It implements just enough of RFC 6455: the handshake, whole data frames, pings, and the close. Payloads are masked with
zeros, which the RFC permits, and which the server has to undo like any mask.
"""

import asyncio
import base64
import secrets
import struct
from collections.abc import Callable
from typing import Final, Self, cast
from urllib.parse import urlsplit

_TEXT: Final = 0x81
_DATA: Final = 0x82
_CLOSE: Final = 0x88
_PING: Final = 0x89
_PONG: Final = 0x8A
_NO_MASK: Final = b"\0\0\0\0"

Hear = Callable[[bytes], None]


class Refused(Exception):
    """The server refused the connection. The message is its answer."""


class Wire(asyncio.Protocol):
    """One connection. `hear` gets each message. `lost` is called once when either side has ended the connection."""

    def __init__(self, hear: Hear, lost: Callable[[], None], request: bytes, kind: int) -> None:
        """Used by `dial`, the way to create one."""
        self._hear = hear
        self._lost = lost
        self._request = request
        self._kind = kind
        self._buffer = b""
        self._open = False
        self._opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._transport: asyncio.Transport
        self.ended = asyncio.Event()
        """Set when the connection has ended and all its messages have been handled."""

    @classmethod
    async def dial(
        cls,
        url: str,
        hear: Hear,
        lost: Callable[[], None],
        subprotocol: str | None = None,
        *,
        text: bool = False,
        local: str | None = None,
    ) -> Self:
        """Connect to `http://HOST:PORT/PATH?QUERY`, with text or binary frames, from an address of this machine.

        Raises `OSError`, or `Refused`."""
        parts = urlsplit(url)
        assert parts.hostname is not None  # our own servers' URLs have one
        offer = "" if subprotocol is None else f"Sec-WebSocket-Protocol: {subprotocol}\r\n"
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        request = (
            f"GET {target} HTTP/1.1\r\nHost: {parts.netloc}\r\nUpgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Key: {base64.b64encode(secrets.token_bytes(16)).decode()}\r\n{offer}\r\n"
        )
        loop = asyncio.get_running_loop()
        wire = cls(hear, lost, request.encode(), _TEXT if text else _DATA)
        source = None if local is None else (local, 0)
        await loop.create_connection(lambda: wire, parts.hostname, parts.port, local_addr=source)
        await wire._opened
        return wire

    def send(self, data: bytes) -> None:
        """Send one message."""
        self._send(self._kind, data)

    def cut(self) -> None:
        """End it without a close, as when a network fails."""
        self._transport.abort()

    def close(self) -> None:
        """End it in an orderly way."""
        self._send(_CLOSE, b"\x03\xe8")
        self._transport.close()

    def _send(self, head: int, data: bytes) -> None:
        size = len(data)
        if size < 126:
            self._transport.write(bytes((head, 0x80 | size)) + _NO_MASK + data)
        else:
            self._transport.write(struct.pack("!BBH", head, 0x80 | 126, size) + _NO_MASK + data)

    # -- what asyncio calls --

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._transport.write(self._request)

    def connection_lost(self, exc: Exception | None) -> None:
        if not self._opened.done():
            self._opened.set_exception(Refused(f"the connection ended in its handshake: {exc}"))
        self.ended.set()
        self._lost()

    def data_received(self, data: bytes) -> None:
        if self._buffer:
            data = self._buffer + data
        start, end = 0, len(data)
        if not self._open:
            start = self._shake(data)
            if not self._open:
                self._buffer = data  # the handshake is not complete yet
                return
        while end - start >= 2:
            size = data[start + 1]
            payload = start + 2
            if size == 126:
                payload += 2
                if end < payload:
                    break
                size = int.from_bytes(data[start + 2 : payload])
            elif size == 127:
                payload += 8
                if end < payload:
                    break
                size = int.from_bytes(data[start + 2 : payload])
            if end < payload + size:
                break
            head, start = data[start], payload + size
            if head in (_DATA, _TEXT):
                self._hear(data[payload:start])
            elif head == _PING:
                self._send(_PONG, data[payload:start])
            elif head == _CLOSE:
                self._transport.close()
                return
        self._buffer = data[start:]

    def _shake(self, data: bytes) -> int:
        """Parse the answer to the handshake; returns where frames begin, once it is complete."""
        head, found, _ = data.partition(b"\r\n\r\n")
        if not found:
            return 0
        self._open = True
        if not head.startswith(b"HTTP/1.1 101"):
            self._opened.set_exception(Refused(head.split(b"\r\n")[0].decode(errors="replace")))
            self._transport.abort()
            return len(data)
        self._opened.set_result(None)
        return len(head) + 4
