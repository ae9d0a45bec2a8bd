"""A connection: HTTP requests and responses, and after the handshake WebSocket messages (RFC 6455).

Received messages wait in the inbox until they are taken. Sent frames wait in the outbox until the end of the event
loop's turn.
"""

import asyncio
from collections.abc import Callable
from http import HTTPStatus
from typing import Final, Protocol, cast

import structlog
from websockets.frames import CTRL_OPCODES, Frame, Opcode
from websockets.http11 import Request, Response
from websockets.protocol import Event, State

from fourfold.protocol.codec import CODECS, JSON, Codec
from fourfold.protocol.errors import CloseCode
from fourfold.server.metrics import Metrics
from fourfold.server.transport.bites import BiteQueue
from fourfold.server.transport.frames import WebSocketProtocol
from fourfold.server.transport.pings import Pings

MAX_OUTBOX: Final = 1024 * 1024
"""How many bytes may wait for a slow reader before the server closes the connection. The client can reconnect and
resume."""

MAX_BACKLOG: Final = 16
"""How many unread messages may wait in the inbox before the server stops reading the socket."""

BITE: Final = 2048
"""How many received bytes are parsed in one turn of the event loop: some hundred frames at most, and a millisecond or
two."""

ENDING_PAUSE: Final = 0.05
"""Seconds until the next bite of a connection that is closing: its client may still send as fast as it can. Each pause
is twice as long as the one before, so that such a client costs less and less."""

MAX_CONTROLS: Final = 1000
"""How many pings, pongs and fragments of messages a client may send between two of the server's pings."""

STALL: Final = 30.0
"""Seconds for which `drained` waits for a client to read the sent frames."""

GRACE: Final = 5.0
"""Seconds for which a closing connection waits for the client to read the rest and to answer."""

KEPT: Final = 15.0
"""Seconds for which a connection stays open for its next HTTP request. In each such period the client must read `LEAST`
bytes."""

LEAST: Final = 4096
"""How many bytes of a response a client must read in `KEPT` seconds, or the connection is cut."""

MAX_ANSWERS: Final = 100
"""How many HTTP requests one connection may send."""

_log = structlog.get_logger(__name__)


class WriteBatch:
    """Collects the frames sent in one turn of the event loop, and writes them in the next turn: one write per
    connection.

    A write costs more than building the frames, so an answer, an update and a turn go out together.
    """

    def __init__(self) -> None:
        self._soon = asyncio.get_running_loop().call_soon
        self._waiting: list[Connection] = []

    def add(self, connection: "Connection") -> None:
        """Schedule the flush of a connection, whose outbox was empty, for the next turn."""
        if not self._waiting:
            self._soon(self._flush)
        self._waiting.append(connection)

    def _flush(self) -> None:
        waiting, self._waiting = self._waiting, []
        for connection in waiting:
            connection.flush()


class ConnectionListener(Protocol):
    """Is notified of connections. `Gateway` implements it, and `TurningAway` on a server that can't serve; both import
    this module."""

    batch: WriteBatch
    bites: BiteQueue
    metrics: Metrics

    def connected(self, connection: "Connection") -> None:
        """A connection is open; nothing has arrived on it yet."""

    def requested(self, connection: "Connection", request: Request) -> None:
        """An HTTP request has arrived. The listener must call `Connection.answer`."""

    def disconnected(self, connection: "Connection") -> None:
        """The connection has ended."""


class Connection(asyncio.Protocol):
    """A connection from its first byte on. Its outbox and the transport's buffer hold at most `MAX_OUTBOX` together."""

    __slots__ = (
        "_answers", "_blocked", "_controls", "_ending", "_listener", "_outbox", "_parts", "_pause", "_pings",
        "_protocol", "_rest", "_timer", "address", "gone", "host", "inbox", "page", "paused", "reader", "round_trip",
        "transport",
    )  # fmt: skip

    def __init__(self, listener: ConnectionListener) -> None:
        self._listener = listener
        self._protocol = WebSocketProtocol()
        self.transport: asyncio.Transport
        self._timer: asyncio.TimerHandle | None = None
        self._pings = Pings()
        self._rest = memoryview(b"")  # received bytes that are not parsed yet
        self._parts: tuple[bool, bytearray] | None = None  # of an unfinished message: whether it is text, and the data
        self._outbox: list[bytes] = []
        self._blocked: asyncio.Event | None = None  # while much is unread by the client; set when it has been read
        self._ending = False
        self._pause = ENDING_PAUSE
        self._answers = 0  # to HTTP requests
        self._controls = 0
        self.host = ""
        """The IP address of the other end of this connection."""
        self.address = ""
        """The client's address: `host`, or the address that a proxy reported. For IPv6, the network."""
        self.page = ""
        """The origin of the page that opened the connection; empty for a program."""
        self.round_trip = 0
        """The round trip of the last answered ping, in milliseconds; 0 before the first answer."""
        self.inbox: list[bytes | str] = []
        """The received messages; the reader removes them."""
        self.paused = False
        """Whether the socket is not read, because the inbox is full, or an HTTP request has no answer yet."""
        self.reader: Callable[[], None] | None = None
        """Called when the inbox is no longer empty, and when the connection has ended."""
        self.gone = False
        """Whether the connection has ended."""

    # -- properties --

    @property
    def name(self) -> str:
        """The name of the connection in the log."""
        return self._protocol.id.hex[:8]

    @property
    def has_body(self) -> bool:
        """Whether the last HTTP request announces a body."""
        return self._protocol.body

    @property
    def codec(self) -> Codec:
        """The negotiated codec; JSON for a client that offered none."""
        return CODECS.get(self._protocol.subprotocol or "", JSON)

    @property
    def close_code(self) -> int:
        """The close code that the client sent; 1005 for none, 1006 if it sent no close frame, 0 before."""
        return int(self._protocol.close_code or 0)

    @property
    def close_reason(self) -> str:
        """The reason that the client sent with the close code."""
        return self._protocol.close_reason or ""

    # -- opening and closing --

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Called by asyncio when the connection is open."""
        self.transport = cast(asyncio.Transport, transport)
        self.transport.set_write_buffer_limits(MAX_OUTBOX // 32)
        self.host = (transport.get_extra_info("peername") or ("",))[0]
        self._listener.connected(self)

    def expect(self, seconds: float, late: Callable[[], None]) -> None:
        """Call `late` after `seconds`, unless `expect` is called again before. Does nothing on a connection that is
        closing: its only timer is the one that cuts it."""
        if not self._ending:
            self._set_timer(seconds, late)

    def _set_timer(self, seconds: float, late: Callable[[], None]) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(seconds, late)

    def hang_up(self) -> None:
        """Cut the connection, without a close frame."""
        self.transport.abort()

    def answer(self, request: Request, response: Response | None, *, last: bool = False) -> bool:
        """Answer an HTTP request: with a response, or (None) by accepting the WebSocket. Returns whether it is one now.

        The next request may come on the same connection, unless this is to be the `last` one, has a body (which is not
        read), or asks for the connection to be closed. Sends nothing once the connection is closed.
        """
        protocol = self._protocol
        if protocol.state is not State.CONNECTING or self.transport.is_closing():
            return False
        response = response or protocol.accept(request)
        headers = response.headers
        headers["Server"] = "fourfold"
        if request.method == "HEAD":
            response.body = b""
        self._answers += 1
        opened = response.status_code == HTTPStatus.SWITCHING_PROTOCOLS
        if not opened:
            last = last or protocol.body or self._answers >= MAX_ANSWERS or _closes(request) or "Connection" in headers
            if last:
                headers.pop("Connection", None)
                headers["Connection"] = "close"
        protocol.send_response(response, last=last)
        self._write()
        if opened:
            request.headers.clear()  # the protocol keeps the request as long as it lives
            self._ping()
        else:
            self._expect_reading()
        if self._blocked is None:
            self._ask_on()
        return opened

    def _ask_on(self) -> None:
        """Parse the bytes after an HTTP request that has been answered, and continue reading."""
        self.paused = False
        self._parse(b"")
        self._listener.bites.add(self._read_on)

    def _expect_reading(self, left: int | None = None) -> None:
        """Cut the connection in `KEPT` seconds, unless the client sends another request or keeps reading."""
        unread = self.transport.get_write_buffer_size()
        if left is not None and (not unread or unread > left - LEAST):
            self.hang_up()
        else:
            self._set_timer(KEPT, lambda: self._expect_reading(unread))

    def close(self, code: CloseCode, reason: str) -> None:
        """Close the connection, giving the reason. The outbox goes first, if the client reads it within `GRACE`
        seconds."""
        if not self._ending:
            self._ending = True
            self.flush()
            self._end()
            if self._protocol.state is State.OPEN:
                self._protocol.send_close(code, reason)
                self._write()

    def _end(self) -> None:
        """Send nothing more, and wait for the client to close its side."""
        self._ending = True
        self._outbox.clear()
        if self._protocol.state is not State.CONNECTING:  # `_expect_reading` cuts it in time
            self._set_timer(GRACE, self.hang_up)

    def eof_received(self) -> None:
        """Called by asyncio when the client will send nothing more. The server then stops sending too."""
        self._protocol.receive_eof()
        self._write()
        self._end()

    def connection_lost(self, exc: Exception | None) -> None:
        """Called by asyncio when the connection has ended."""
        self._protocol.end()
        self._rest = memoryview(b"")
        self._pings.end()
        self.gone = self._ending = True
        self._outbox.clear()
        if self._timer is not None:
            self._timer.cancel()
        self.resume_writing()
        self._listener.disconnected(self)
        if self.reader is not None:
            self.reader()

    # -- receiving --

    def data_received(self, data: bytes) -> None:
        """Called by asyncio with received bytes.

        The system delivers up to 256 KiB at once, which may be forty thousand frames. They are parsed in bites, as fast
        as they are handled. Connections with more than one bite take turns.
        """
        self._pings.heard = True
        if self._rest:
            self._rest = memoryview(bytes(self._rest) + data)  # the next bite is already scheduled
        elif len(data) <= BITE and not self._ending:
            self._parse(data)
        else:
            self._rest = memoryview(data)
            self._read_later()

    def _read_later(self) -> None:
        self.transport.pause_reading()
        if self.paused:
            return
        if self._ending:
            asyncio.get_running_loop().call_later(self._pause, self._read_on)
            self._pause *= 2
        else:
            self._listener.bites.add(self._read_on)

    def _read_on(self) -> bool:
        """Parse the next bite; read from the socket again once nothing is left. Returns whether it was a whole bite."""
        whole = len(self._rest) >= BITE
        if self._rest:
            bite, self._rest = self._rest[:BITE], self._rest[BITE:]
            self._parse(bytes(bite))
            if self._protocol.eof_sent:
                self._rest = memoryview(b"")  # the protocol would only discard it
        if self._rest:
            self._read_later()
        elif not (self.paused or self.gone):
            self.transport.resume_reading()
        return whole

    def _parse(self, data: bytes) -> None:
        protocol = self._protocol
        try:
            message = None if self._ending else protocol.message(data)
            if message is not None:
                self.inbox.append(message)
            else:
                protocol.receive_data(data)
                events = protocol.events_received()
                self._write()
                if self.transport.get_write_buffer_size() > 2 * MAX_OUTBOX:
                    self.hang_up()  # the client does not even read the answers to its pings
                for event in events:
                    self._take(event)
        except UnicodeDecodeError as error:
            self._fail(CloseCode.BAD_TEXT, f"{error.reason} at position {error.start}")
        if self.inbox:
            if self.reader is not None:
                self.reader()
            if len(self.inbox) > MAX_BACKLOG and not self.paused:
                self.paused = True
                self.transport.pause_reading()

    def _take(self, event: Event) -> None:
        """Take an HTTP request or a frame.

        Control frames and fragments are counted, because the inbox does not limit them.
        """
        if isinstance(event, Request):
            self.paused = True  # until it is answered
            if self._timer is not None:
                self._timer.cancel()  # the client owes nothing now: an answer may take long
            self.transport.pause_reading()
            self._listener.requested(self, event)
            return
        assert isinstance(event, Frame)  # a client sends no other events
        if event.opcode not in CTRL_OPCODES:
            self._put(event)
        elif event.opcode is Opcode.PONG:
            self._pings.pong(bytes(event.data))
            self.round_trip = self._pings.trip
        if event.opcode in CTRL_OPCODES or not event.fin:
            self._controls += 1
            if self._controls == MAX_CONTROLS:
                self._fail(CloseCode.POLICY, "too many pings or fragments")

    def _put(self, frame: Frame) -> None:
        """Take a message, or a fragment of one. Raises `UnicodeDecodeError` if it is text that is not UTF-8."""
        text, data = frame.opcode is Opcode.TEXT, frame.data
        if self._parts is not None:
            text, parts = self._parts
            parts += data
            data = parts
        elif not frame.fin:
            self._parts = text, bytearray(data)
        if frame.fin:
            self._parts = None
            self.inbox.append(str(data, "utf-8") if text else bytes(data))

    def taken(self) -> None:
        """The reader has removed messages from the inbox: read on, if that was paused and the inbox is short again."""
        if self.paused and len(self.inbox) <= MAX_BACKLOG // 4:
            self.paused = False
            self._listener.bites.add(self._read_on)

    def _fail(self, code: CloseCode, reason: str) -> None:
        """Fail the connection, because the client broke the WebSocket protocol."""
        self._protocol.fail(code, reason)
        self._write()

    # -- sending --

    def send(self, data: bytes) -> None:
        """Send one WebSocket frame. Never blocks; sends nothing once the connection is closing."""
        if not self._ending:
            if not self._outbox:
                self._listener.batch.add(self)
            self._outbox.append(data)

    def flush(self) -> None:
        """Pass the outbox to the transport."""
        if self._outbox:
            transport = self.transport
            transport.write(b"".join(self._outbox))
            self._outbox.clear()
            if transport.get_write_buffer_size() > MAX_OUTBOX and not self._ending:
                self._drop()

    async def drained(self) -> None:
        """Wait until the client has read most of the sent frames. Closes the connection if that takes over `STALL`
        seconds."""
        self.flush()
        await asyncio.sleep(0)  # let other tasks run, however fast this client reads
        if self._blocked is not None:
            try:
                async with asyncio.timeout(STALL):
                    await self._blocked.wait()
            except TimeoutError:
                self._drop()

    def pause_writing(self) -> None:
        """Called by asyncio when much is unread by the client."""
        self._blocked = asyncio.Event()

    def resume_writing(self) -> None:
        """Called by asyncio when the client has read most of it."""
        if self._blocked is not None:
            self._blocked.set()
            self._blocked = None
            if self._protocol.state is State.CONNECTING and not (self._protocol.asked or self.transport.is_closing()):
                self._ask_on()

    def _drop(self) -> None:
        self._listener.metrics.drops += 1
        _log.info("slow reader", connection=self.name, address=self.address)
        self.close(CloseCode.SLOW_READER, "frames were not read in time; resume with watch since")

    # -- liveness --

    def beat(self) -> bool:
        """Send a ping; returns whether anything has arrived since the last call."""
        pings = self._pings
        alive = pings.heard or self.paused or bool(self._rest)  # a client that sends faster than it is read is alive
        if self._protocol.state is State.OPEN:
            pings.heard = False
            self._controls = 0
            if alive and self._blocked is None:
                self._ping()
        return alive

    async def answers(self, seconds: float) -> bool:
        """Whether the client answers a ping within `seconds`."""
        if self._ending or self._protocol.state is not State.OPEN:
            return False
        return await self._pings.answered(seconds, self._ping)

    def _ping(self) -> None:
        self._protocol.send_ping(self._pings.ping())
        self._write()

    def _write(self) -> None:
        """Send the protocol's own output: the handshake, pings and pongs, the close frame."""
        transport = self.transport
        for data in self._protocol.data_to_send():
            if transport.is_closing():
                return
            if data:
                transport.write(data)
            else:
                transport.write_eof()
        if not self._ending and self._protocol.close_expected():
            self._end()  # and cut the connection if the client goes on sending


def _closes(request: Request) -> bool:
    """Whether the client wants no second response on its connection, or may not support one."""
    wanted = ",".join(request.headers.get_all("Connection")).lower()
    return request.protocol != "HTTP/1.1" or "close" in [token.strip() for token in wanted.split(",")]
