"""A connection: its bytes, and what WebSocket (RFC 6455) has to say about them. It knows neither requests nor players.

Before it is a WebSocket, and if it never becomes one, it carries requests by HTTP and their answers, one at a time.

The messages among its frames wait in the inbox for whoever reads it. What is sent waits in the outbox for the end of
the event loop's turn.
"""

import asyncio
import struct
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
from fourfold.server.transport.frames import WebSocketProtocol
from fourfold.server.transport.write_batch import WriteBatch

MAX_OUTBOX: Final = 1024 * 1024
"""How many bytes may wait for a slow reader before it is let go. It comes back and resumes."""

MAX_BACKLOG: Final = 16
"""How many unread messages a connection may have here before its socket is no longer read."""

BITE: Final = 2048
"""How many bytes of what has come from one connection are looked at in a turn of the event loop: some hundred frames
at most, and a millisecond or two."""

MAX_CONTROLS: Final = 1000
"""How many pings, pongs and fragments of messages a client may send between two heartbeats."""

STALL: Final = 30.0
"""How many seconds whoever is waited for may take to read what he was sent."""

GRACE: Final = 5.0
"""How many seconds a client has to read what was sent, and to answer, when its connection is closed."""

KEPT: Final = 15.0
"""How many seconds a connection is kept for its next request by HTTP; `LEAST` of an answer must be read in it."""

LEAST: Final = 4096
"""How many bytes of its answers a client reads at least in `KEPT`, or else it is hung up on."""

MAX_ANSWERS: Final = 100
"""How many requests by HTTP are answered on one connection."""

_log = structlog.get_logger(__name__)


class ConnectionListener(Protocol):
    """Who keeps the lines: the gateway."""

    @property
    def post(self) -> WriteBatch:
        """Carries off what is sent."""
        ...

    @property
    def metrics(self) -> Metrics:
        """Counts who is let go."""
        ...

    def came(self, line: "Connection") -> None:
        """Somebody has connected, and said nothing yet."""
        ...

    def asked(self, line: "Connection", request: Request) -> None:
        """He wants something by HTTP; `Connection.answer` is due."""
        ...

    def gone(self, line: "Connection") -> None:
        """The connection is no more."""
        ...


class Connection(asyncio.Protocol):
    """A connection from its first byte on. The outbox and the transport's buffer together hold `MAX_OUTBOX` at most."""

    __slots__ = (
        "_answers", "_awaited", "_blocked", "_controls", "_ending", "_heard", "_keeper", "_outbox", "_parts", "_paused",
        "_pinged", "_protocol", "_rest", "_text", "_timer", "_trip", "address", "gone", "host", "inbox", "reader",
        "transport",
    )  # fmt: skip

    def __init__(self, keeper: ConnectionListener) -> None:
        self._keeper = keeper
        self._protocol = WebSocketProtocol()
        self.transport: asyncio.Transport
        self._timer: asyncio.TimerHandle | None = None
        self._rest = memoryview(b"")  # of what has come: not looked at yet
        self._parts: tuple[bool, bytearray] | None = None  # of a message: whether it is text, and what there is of it
        self._paused = False  # because the inbox is full, or a request has no answer yet
        self._text = False
        self._outbox: list[bytes] = []
        self._blocked: asyncio.Event | None = None  # while much is unread; set when it no longer is
        self._ending = False
        self._answers = 0  # to requests by HTTP
        self._controls = 0
        self._heard = True
        self._pinged: float | None = None  # when the ping was sent that has no answer yet
        self._awaited: asyncio.Future[bool] | None = None  # whether it is answered, where somebody waits for that
        self._trip = 0.0
        self.host = ""
        """The IP address of the other end of this connection."""
        self.address = ""
        """Where the client is: the same, or what a proxy has told; of IPv6 the network."""
        self.inbox: list[bytes | str] = []
        """The messages that have come, to be had by `take`."""
        self.reader: Callable[[], None] | None = None
        """To be called when something is in the inbox, and when the connection is gone."""
        self.gone = False
        """Whether the connection is no more."""

    # -- who it is --

    @property
    def name(self) -> str:
        """What it is called in the log."""
        return self._protocol.id.hex[:8]

    @property
    def has_body(self) -> bool:
        """Whether the last request by HTTP announces a body."""
        return self._protocol.body

    @property
    def codec(self) -> Codec:
        """The form of the wire that was agreed on. Who offered none of ours speaks JSON."""
        return CODECS.get(self._protocol.subprotocol or "", JSON)

    @property
    def round_trip(self) -> int:
        """How long the network takes there and back, in milliseconds, by the last ping; 0 before its answer."""
        return int(self._trip * 1000)

    @property
    def close_code(self) -> int:
        """The close code that the client sent: 1005 for none, 1006 if it went without a word; 0 before."""
        return int(self._protocol.close_code or 0)

    @property
    def close_reason(self) -> str:
        """The reason that came with it."""
        return self._protocol.close_reason or ""

    # -- coming and going --

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """It is there, and has said nothing yet."""
        self.transport = cast(asyncio.Transport, transport)
        self.transport.set_write_buffer_limits(MAX_OUTBOX // 32)
        self.host = (transport.get_extra_info("peername") or ("",))[0]
        self._keeper.came(self)

    def expect(self, seconds: float, late: Callable[[], None]) -> None:
        """Do `late` if for so long nothing else is expected."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(seconds, late)

    def hang_up(self) -> None:
        """End the connection without a word."""
        self.transport.abort()

    def answer(self, request: Request, response: Response | None, *, last: bool = False) -> bool:
        """Answer a request by a response, or by None: as a WebSocket. Returns whether it is one now.

        The next request may come on the same connection, unless this is to be the `last` or has a body, which nobody
        reads, or the client wants it so. Whoever has gone is sent nothing.
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
            self._text = self.codec.text
            self._ping()
        else:
            self._expect_reading()
        if self._blocked is None:
            self._ask_on()
        return opened

    def _ask_on(self) -> None:
        """Look at what has come behind a request that has its answer now, and read on."""
        self._paused = False
        self._look_at(b"")
        asyncio.get_running_loop().call_soon(self._read_on)

    def _expect_reading(self, left: int | None = None) -> None:
        """Hang up unless the client asks for something else, or goes on reading what it was sent."""
        unread = self.transport.get_write_buffer_size()
        if left is not None and (not unread or unread > left - LEAST):
            self.hang_up()
        else:
            self.expect(KEPT, lambda: self._expect_reading(unread))

    def close(self, code: CloseCode, reason: str) -> None:
        """End the connection, saying why. The rest of the outbox goes out first, if it is read within `GRACE`."""
        if not self._ending:
            self._end()
            self.flush()
            if self._protocol.state is State.OPEN:
                self._protocol.send_close(code, reason)
                self._write()

    def _end(self) -> None:
        """Send nothing more, and wait for the other end to go."""
        self._ending = True
        if self._protocol.state is not State.CONNECTING:  # in which there is a time to be gone by already
            self.expect(GRACE, self.hang_up)

    def eof_received(self) -> None:
        """The client will send nothing more; then nor do we."""
        self._protocol.receive_eof()
        self._write()
        self._end()

    def connection_lost(self, exc: Exception | None) -> None:
        """It is gone."""
        self._protocol.end()
        self._rest = memoryview(b"")
        self._tell(answered=False)
        self.gone = self._ending = True
        if self._timer is not None:
            self._timer.cancel()
        self.resume_writing()
        self._keeper.gone(self)
        if self.reader is not None:
            self.reader()

    # -- what comes --

    def data_received(self, data: bytes) -> None:
        """A sign of life. The system hands over a quarter of a mebibyte at once, which may be forty thousand frames:
        they are taken bite by bite, as fast as they are carried out."""
        self._heard = True
        if self._rest:
            self._rest = memoryview(bytes(self._rest) + data)  # one bite has been taken, and the next will be
        elif len(data) <= BITE:
            self._look_at(data)
        else:
            self._rest = memoryview(data)
            self._bite()

    def _bite(self) -> None:
        bite, self._rest = self._rest[:BITE], self._rest[BITE:]
        self._look_at(bytes(bite))
        if self._rest:
            self.transport.pause_reading()
            if not self._paused:
                asyncio.get_running_loop().call_soon(self._read_on)

    def _read_on(self) -> None:
        """There is room for more messages."""
        if self._rest:
            self._bite()
        if not (self._rest or self._paused or self.gone):
            self.transport.resume_reading()

    def _look_at(self, data: bytes) -> None:
        protocol = self._protocol
        try:
            message = protocol.message(data)
            if message is not None:
                self.inbox.append(message)
            else:
                protocol.receive_data(data)
                events = protocol.events_received()
                self._write()
                if self.transport.get_write_buffer_size() > 2 * MAX_OUTBOX:
                    self.hang_up()  # on whoever lets even the answers to his pings pile up
                for event in events:
                    self._hear(event)
        except UnicodeDecodeError as error:
            self._fail(CloseCode.BAD_TEXT, f"{error.reason} at position {error.start}")
        if self.inbox:
            if self.reader is not None:
                self.reader()
            if len(self.inbox) > MAX_BACKLOG and not self._paused:
                self._paused = True
                self.transport.pause_reading()

    def _hear(self, event: Event) -> None:
        """Whatever is no message, and so not read at its pace, is counted: pings are answered at once, and fragments
        kept until the message is whole."""
        if isinstance(event, Request):
            self._paused = True  # until it has its answer
            self.transport.pause_reading()
            self._keeper.asked(self, event)
            return
        assert isinstance(event, Frame)  # of a client nothing else comes
        if event.opcode not in CTRL_OPCODES:
            self._put(event)
        elif event.opcode is Opcode.PONG and self._pinged is not None and event.data == _moment(self._pinged):
            self._trip = asyncio.get_running_loop().time() - self._pinged
            self._pinged = None
            self._tell(answered=True)
        if event.opcode in CTRL_OPCODES or not event.fin:
            self._controls += 1
            if self._controls == MAX_CONTROLS:
                self._fail(CloseCode.POLICY, "too many pings or fragments")

    def _put(self, frame: Frame) -> None:
        """A message, or a part of one. Raises `UnicodeDecodeError` if it is text and no UTF-8."""
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

    def take(self) -> bytes | str:
        """The message that is first in the inbox, out of it."""
        message = self.inbox.pop(0)
        if self._paused and len(self.inbox) <= MAX_BACKLOG // 4:
            self._paused = False
            asyncio.get_running_loop().call_soon(self._read_on)
        return message

    def _fail(self, code: CloseCode, reason: str) -> None:
        """What came breaks the rules: look at nothing more."""
        self._protocol.fail(code, reason)
        self._write()

    # -- what is sent --

    def send(self, data: bytes) -> None:
        """Take one frame's bytes; never block. Nothing is sent on a connection that is closing."""
        if self._ending:
            return
        post = self._keeper.post
        if not self._outbox:
            post.call(self)
        self._outbox.append(post.frame(data, self._text))

    def flush(self) -> None:
        """Hand what is in the outbox to the transport."""
        frames, self._outbox = self._outbox, []
        if not frames or self._protocol.state is not State.OPEN:
            return
        transport = self.transport
        transport.write(frames[0] if len(frames) == 1 else b"".join(frames))
        if transport.get_write_buffer_size() > MAX_OUTBOX and not self._ending:
            self._drop()

    async def drained(self) -> None:
        """Wait until little of the outbox is left; one who is too slow even for that is let go."""
        self.flush()
        await asyncio.sleep(0)  # others have their turn, however fast this one reads
        if self._blocked is not None:
            try:
                async with asyncio.timeout(STALL):
                    await self._blocked.wait()
            except TimeoutError:
                self._drop()

    def pause_writing(self) -> None:
        """Much is unread."""
        self._blocked = asyncio.Event()

    def resume_writing(self) -> None:
        """No longer."""
        if self._blocked is not None:
            self._blocked.set()
            self._blocked = None
            if self._protocol.state is State.CONNECTING and not (self._protocol.asked or self.transport.is_closing()):
                self._ask_on()

    def _drop(self) -> None:
        self._keeper.metrics.drops += 1
        _log.info("slow reader", connection=self.name, address=self.address)
        self.close(CloseCode.SLOW_READER, "frames were not read in time; resume with watch since")

    def beat(self) -> bool:
        """Ask for a sign of life; returns whether there was one since this was last done."""
        alive = self._heard or self._paused or bool(self._rest)  # who sends more than is read lives, too
        if self._protocol.state is State.OPEN:
            self._heard = False
            self._controls = 0
            if alive and self._blocked is None:
                self._ping()
        return alive

    async def answers(self, seconds: float) -> bool:
        """Whether the client is there now: whether it answers a ping within so many seconds."""
        if self._ending or self._protocol.state is not State.OPEN:
            return False
        awaited = self._awaited
        if awaited is None:
            awaited = self._awaited = asyncio.get_running_loop().create_future()
            self._ping()
        await asyncio.wait((awaited,), timeout=seconds)
        if self._awaited is awaited:
            self._awaited = None  # whoever asks later has another ping sent
        return awaited.done() and awaited.result()

    def _tell(self, *, answered: bool) -> None:
        awaited, self._awaited = self._awaited, None
        if awaited is not None:
            awaited.set_result(answered)

    def _ping(self) -> None:
        """Send a ping, whose answer also measures the round trip."""
        self._pinged = asyncio.get_running_loop().time()
        self._protocol.send_ping(_moment(self._pinged))
        self._write()

    def _write(self) -> None:
        """Send what the protocol has to say: the handshake, pings and their answers, the end."""
        transport = self.transport
        for data in self._protocol.data_to_send():
            if transport.is_closing():
                return
            if data:
                transport.write(data)
            else:
                transport.write_eof()
        if not self._ending and self._protocol.close_expected():
            self._end()  # and hang up on whoever goes on sending all the same


def _closes(request: Request) -> bool:
    """Whether a client wants no second answer on its connection, or may not know how to take one."""
    wanted = ",".join(request.headers.get_all("Connection")).lower()
    return request.protocol != "HTTP/1.1" or "close" in [token.strip() for token in wanted.split(",")]


def _moment(time: float) -> bytes:
    """What a ping says that was sent at this time."""
    return struct.pack("!d", time)
