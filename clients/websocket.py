"""One WebSocket to a Fourfold server, from the handshake to its loss.

This is the only client module that imports `websockets`. It interprets only the `welcome` that answers `hello`.
"""

import asyncio
from collections.abc import Callable
from typing import Final, Literal, Self, TypeAlias
from urllib.parse import quote, urlsplit

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus, NegotiationError, WebSocketException
from websockets.typing import Subprotocol

from fourfold.clients.errors import Dismissed, Unreachable
from fourfold.protocol.codec import Codec
from fourfold.protocol.errors import CloseCode, Unreadable
from fourfold.protocol.from_client import Hello, Request
from fourfold.protocol.from_server import Error, Frame, Welcome

OPENING: Final = 5.0
"""Seconds for a server to accept a socket, and again to send `welcome`."""

_FINAL_CLOSES: Final = {CloseCode.POLICY, CloseCode.TOO_BIG}
"""Close codes after which another attempt would end in the same way."""

_CURE: Final = "is a server running there? `fourfold-server` starts one"

Observer: TypeAlias = Callable[[Literal["in", "out"], Request | Frame], None]
"""Called with every message of a connection, in order."""


class Lost(Exception):
    """The socket is gone. The client can open another."""


def address(url: str, room: str | None = None) -> str:
    """The WebSocket address of the server at an http(s) or ws(s) URL, with the room of the connection, if it has one.

    A server with several workers uses it to bring the connections of a room together. Raises ValueError for any other
    URL.
    """
    parts = urlsplit(url)
    scheme = {"http": "ws", "https": "wss", "ws": "ws", "wss": "wss"}.get(parts.scheme)
    if scheme is None or not parts.hostname:
        raise ValueError(f"{url!r} is not a server address; use http://HOST:PORT, such as http://127.0.0.1:8080")
    query = "" if room is None else f"?room={quote(room, safe='')}"
    return f"{scheme}://{parts.netloc}{parts.path.rstrip('/').removesuffix('/ws')}/ws{query}"


def room_url(url: str, room: str) -> str:
    """The page of a room, for a browser."""
    return f"{_site(url)}/r/{room}"


def study_url(url: str, room: str) -> str:
    """The page of a study, for a browser."""
    return f"{_site(url)}/s/{room}"


def _site(url: str) -> str:
    return address(url).replace("ws", "http", 1).removesuffix("/ws")


class Socket:
    """An open socket after the `welcome`. Call `open` to get one. `welcome` is the server's frame."""

    welcome: Welcome

    def __init__(self, url: str, socket: ClientConnection, codec: Codec, observe: Observer | None) -> None:
        self._url = url
        self._socket = socket
        self._codec = codec
        self._observe = observe

    @classmethod
    async def open(
        cls, url: str, hello: Hello, codec: Codec, observe: Observer | None = None, room: str | None = None
    ) -> Self:
        """Connect and send `hello`. Raises `Unreachable` or `Dismissed`, and ValueError for a bad URL."""
        ws_url = address(url, room)
        here = urlsplit(ws_url).hostname in {"127.0.0.1", "::1", "localhost"}
        try:
            socket = await connect(
                ws_url,
                subprotocols=[Subprotocol(codec.subprotocol)],
                compression=None,
                proxy=None if here else True,
                ping_interval=None,  # the protocol has a `ping` message of its own
                open_timeout=OPENING,
                close_timeout=1,
            )
        except InvalidStatus as error:
            status = error.response.status_code
            fault = Unreachable if status >= 500 or status == 429 else Dismissed
            raise fault(f"{url} answered HTTP {status} instead of a Fourfold connection: {_CURE}.") from error
        except NegotiationError as error:
            raise Dismissed(f"{url} does not speak {codec.subprotocol}.") from error
        except (OSError, WebSocketException) as error:
            reason = "refused" if isinstance(error, ConnectionRefusedError) else str(error) or "no answer in time"
            raise Unreachable(f"No Fourfold server answers at {url} ({reason}): {_CURE}.") from error
        opened = cls(url, socket, codec, observe)
        try:
            async with asyncio.timeout(OPENING):
                opened.welcome = await opened._greet(hello)
        except BaseException as error:
            await opened.close()
            if isinstance(error, TimeoutError | Lost):
                raise Unreachable(f"{url} accepted a connection, but sent no welcome.") from error
            raise
        return opened

    async def _greet(self, hello: Hello) -> Welcome:
        if self._socket.subprotocol != self._codec.subprotocol:
            raise Dismissed(f"{self._url} does not speak {self._codec.subprotocol}.")
        await self.send(hello)
        while True:
            match await self.receive():
                case Welcome() as welcome:
                    return welcome
                case Error(code="unavailable", message=message):
                    raise Unreachable(f"{self._url}: {message}")
                case Error(code=code, message=message):
                    raise Dismissed(f"{self._url}: {message}", code)

    async def send(self, request: Request) -> None:
        """Send a request; raises `Lost`."""
        if self._observe is not None:
            self._observe("out", request)
        try:
            await self._socket.send(self._codec.encode(request), text=self._codec.text)
        except ConnectionClosed as error:
            raise Lost from error

    async def receive(self) -> Frame | None:
        """The next message; None for a type that this version does not know.

        Raises `Lost`, or `Dismissed` if the server closed for a permanent reason.
        """
        try:
            frame = self._codec.read_frame(await self._socket.recv())
        except ConnectionClosed as closed:
            if closed.rcvd is not None and closed.rcvd.code in _FINAL_CLOSES:
                why = closed.rcvd.reason or f"code {closed.rcvd.code}"
                raise Dismissed(f"{self._url} closed the connection: {why}") from closed
            raise Lost from closed
        except Unreadable as error:
            raise Dismissed(f"{self._url} is not a server that this client understands: {error.message}") from error
        if frame is not None and self._observe is not None:
            self._observe("in", frame)
        return frame

    async def close(self) -> None:
        """Close the socket, in at most a second. You can call it again."""
        try:
            await self._socket.close()
        finally:
            self._socket.transport.abort()  # if the closing handshake was cut short
