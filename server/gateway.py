"""The door: WebSocket connections in, frames to sessions and back. The only module that knows `websockets`' sockets."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Final

import structlog
from websockets.asyncio.server import Server, ServerConnection, broadcast, serve
from websockets.exceptions import ConnectionClosedError
from websockets.typing import Origin, Subprotocol

from protocol.codec import CODECS, JSON, MAX_FRAME, Codec
from protocol.errors import CloseCode
from protocol.from_server import Closing
from server.outbound import Encoded
from server.session import Session
from server.web import Web

MAX_OUTBOX: Final = 1024 * 1024
"""How many bytes may wait for a slow reader before it is let go. It comes back and resumes."""

MAX_BACKLOG: Final = 16
"""How many unread frames a connection may have here before its socket is no longer read."""

HEARTBEAT: Final = 30.0
"""Seconds between pings of a connection, and for the answer to one."""

RETRY_MS: Final = 500
"""How long clients should wait, in milliseconds, before they come back from a restart."""

_log = structlog.get_logger(__name__)

MakeSession = Callable[["Socket", Codec], Session]


class Socket:
    """A connection as its session sees it. Its outbox is the transport's buffer, bounded by `MAX_OUTBOX`."""

    def __init__(self, connection: ServerConnection, codec: Codec) -> None:
        self._connection = connection
        self._text = codec.text
        self._closing: asyncio.Task[None] | None = None

    @property
    def address(self) -> str:
        """Where the other end is: its IP address."""
        return str(self._connection.remote_address[0])

    def send(self, data: bytes) -> None:
        """Take one frame's bytes; never block. Nothing is sent on a connection that is closing."""
        if self._closing is not None:
            return
        broadcast((self._connection,), data, text=self._text)
        if self._connection.transport.get_write_buffer_size() > MAX_OUTBOX:
            self.close(CloseCode.SLOW_READER, "frames were not read in time; resume with watch since")

    def close(self, code: CloseCode, reason: str) -> None:
        """End the connection, saying why. The rest of the outbox goes out first."""
        if self._closing is None:
            self._closing = asyncio.get_running_loop().create_task(self._connection.close(code, reason))

    @property
    def round_trip(self) -> int:
        """How long the network takes there and back, in milliseconds, by the last ping; 0 before its answer."""
        return int(self._connection.latency * 1000)

    async def closed(self) -> None:
        """Wait until it is."""
        if self._closing is not None:
            await self._closing


class Gateway:
    """Listens, and runs one session for each connection."""

    def __init__(self, web: Web, make_session: MakeSession) -> None:
        self._web = web
        self._make_session = make_session
        self._server: Server | None = None
        self.sessions: set[Session] = set()

    async def open(self, host: str, port: int, origins: Sequence[str] | None) -> tuple[str, int]:
        """Start to listen; returns the address. Port 0 takes a free one. Raises `OSError` if it is taken."""
        self._server = await serve(
            self._handle,
            host,
            port,
            origins=None if origins is None else [Origin(origin) for origin in origins] + [None],
            subprotocols=[Subprotocol(name) for name in CODECS],
            select_subprotocol=_select,
            compression=None,
            max_size=MAX_FRAME,
            max_queue=MAX_BACKLOG,
            ping_interval=HEARTBEAT,
            ping_timeout=HEARTBEAT,
            process_request=self._web.answer,
            server_header="fourfold",
        )
        address: tuple[str, int] = next(iter(self._server.sockets)).getsockname()[:2]
        return address

    async def close(self) -> None:
        """Stop listening, tell everybody, and close every connection with `RESTART`."""
        assert self._server is not None  # opened before
        farewell = Encoded(Closing("restart", RETRY_MS))
        for session in self.sessions:
            session.send(farewell)
        self._server.close(code=CloseCode.RESTART, reason="the server is restarting; connect again and resume")
        await self._server.wait_closed()

    async def _handle(self, connection: ServerConnection) -> None:
        codec = CODECS[connection.subprotocol] if connection.subprotocol else JSON
        socket = Socket(connection, codec)
        session = self._make_session(socket, codec)
        self.sessions.add(session)
        try:
            await connection.ping()  # whose answer is the first measure of the round trip; nobody waits for it
            async for data in connection:
                await session.receive(data)
        except ConnectionClosedError as error:
            _log.debug("connection lost", player=session.player_id, error=str(error))
        finally:
            self.sessions.discard(session)
            session.end()
        await socket.closed()


def _select(_: ServerConnection, offered: Sequence[Subprotocol]) -> Subprotocol | None:
    """The first of ours that the client offers. One that offers none, or none of ours, speaks JSON."""
    return next((Subprotocol(name) for name in CODECS if name in offered), None)
