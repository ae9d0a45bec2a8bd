"""The door: WebSocket connections in, frames to sessions and back. The only module that knows `websockets`' sockets."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from functools import partial
from http import HTTPStatus
from typing import Any, Final, cast

import structlog
from structlog.contextvars import bind_contextvars
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed, ConnectionClosedError
from websockets.frames import CTRL_OPCODES, Frame, Opcode
from websockets.http11 import Request, Response
from websockets.protocol import Event, State
from websockets.typing import Subprotocol

from protocol.codec import CODECS, JSON, MAX_FRAME, Codec
from protocol.errors import CloseCode
from protocol.from_server import Closing
from server.admission import Admission, Refusal
from server.metrics import Metrics
from server.outbound import Encoded
from server.session import Session
from server.web import Web, refused

MAX_OUTBOX: Final = 1024 * 1024
"""How many bytes may wait for a slow reader before it is let go. It comes back and resumes."""

MAX_BACKLOG: Final = 16
"""How many unread frames a connection may have here before its socket is no longer read."""

BITE: Final = 2048
"""How many bytes of what has come from one connection are looked at in a turn of the event loop: some hundred frames
at most, and a millisecond or two."""

MAX_CONTROLS: Final = 1000
"""How many pings, pongs and fragments of messages a client may send between two heartbeats."""

HELLO: Final = 10.0
"""How many seconds a connection has to say what it wants, and then to say hello."""

HEARTBEAT: Final = 30.0
"""Seconds between pings of a connection, and for a sign of life after one."""

FINISH: Final = 10.0
"""How many seconds what is in flight has to finish when the server goes away: as long as an append is tried."""

GRACE: Final = 5.0
"""How many seconds a client has to read what was sent, and to answer, when its connection is closed."""

RETRY_MS: Final = 500
"""How long clients should wait, in milliseconds, before they come back from a restart."""

_GOING: Final = Refusal(HTTPStatus.SERVICE_UNAVAILABLE, "going", "This server is going away; connect again.", retry=1)
_AT_ONCE: Final = 100  # pings sent in one turn of the event loop

_log = structlog.get_logger(__name__)

MakeSession = Callable[["Socket", Codec], Session]


class Line(ServerConnection):
    """A connection from its first byte on: counted where it comes from, and watched for signs of life."""

    def __init__(self, admission: Admission, lines: "set[Line]", *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._admission = admission
        self._lines = lines
        self._left: Callable[[], None] | None = None  # takes it off the count it is in
        self._controls = 0
        self._heard = True
        self._end: asyncio.TimerHandle | None = None
        self._rest = memoryview(b"")  # of what has come: not looked at yet
        self.host = self.address = ""

    @property
    def name(self) -> str:
        """What it is called in the log."""
        return self.id.hex[:8]

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """It is there, and has said nothing yet."""
        super().connection_made(transport)
        self.recv_messages.resume = partial(self.loop.call_soon, self._read_on)
        self._lines.add(self)
        self.host = (transport.get_extra_info("peername") or ("",))[0]
        if self._admission.knock(self.host):
            self._left = partial(self._admission.knocked, self.host)
        else:
            self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """It is gone."""
        self._rest = memoryview(b"")
        if self._end is not None:
            self._end.cancel()
        self._lines.discard(self)
        self._leave()
        super().connection_lost(exc)

    def enter(self, forwarded: Sequence[str], origin: str | None) -> Refusal | None:
        """It has asked to come in as a WebSocket: count it, or say why it may not."""
        self._leave()
        self.address = self._admission.address(self.host, forwarded)
        refusal = self._admission.refusal(self.address, origin)
        if refusal is None:
            self._admission.enter(self.address)
            self._left = partial(self._admission.leave, self.address)
        return refusal

    def _leave(self) -> None:
        if self._left is not None:
            self._left()
            self._left = None

    def data_received(self, data: bytes) -> None:
        """A sign of life. The system hands over a quarter of a mebibyte at once, which may be forty thousand frames:
        they are taken bite by bite, as fast as they are carried out."""
        self._heard = True
        if self._rest:
            self._rest = memoryview(bytes(self._rest) + data)  # one bite has been taken, and the next will be
        elif len(data) <= BITE:
            self._take(data)
        else:
            self._rest = memoryview(data)
            self._bite()

    def _bite(self) -> None:
        bite, self._rest = self._rest[:BITE], self._rest[BITE:]
        self._take(bytes(bite))
        if self._rest:
            self.transport.pause_reading()
            if not self.recv_messages.paused:
                self.loop.call_soon(self._read_on)

    def _take(self, data: bytes) -> None:
        super().data_received(data)
        if self.transport.get_write_buffer_size() > 2 * MAX_OUTBOX:
            self.transport.abort()  # whoever lets even the answers to his pings pile up
        elif self._end is None and self.protocol.close_expected():
            self._end = self.loop.call_later(GRACE, self.transport.abort)  # whoever goes on sending all the same

    def _read_on(self) -> None:
        """There is room for more frames."""
        if self._rest:
            self._bite()
        if not self._rest and not self.recv_messages.paused:
            self.transport.resume_reading()

    def process_event(self, event: Event) -> None:
        """Whatever is no message, and so not read at its pace, is counted here: pings are answered at once, and
        fragments kept until the message is whole."""
        super().process_event(event)
        if isinstance(event, Frame) and (event.opcode in CTRL_OPCODES or not event.fin):
            self._controls += 1
            if self._controls == MAX_CONTROLS:
                self.protocol.fail(CloseCode.POLICY, "too many pings or fragments")
                self.send_data()

    async def gone_within(self, seconds: float) -> bool:
        """Wait for so long, or until the connection is gone; returns whether it is."""
        done, _ = await asyncio.wait((self.connection_lost_waiter,), timeout=seconds)
        return bool(done)

    async def beat(self) -> bool:
        """Ask for a sign of life; returns whether there was one since this was last done."""
        alive = self._heard or self.recv_messages.paused or bool(self._rest)  # who sends more than is read lives, too
        if self.protocol.state is State.OPEN:
            self._heard = False
            self._controls = 0
            if alive and not self.paused:
                await self.ping()  # whose answer also measures the round trip
        elif self.close_deadline is not None and self.loop.time() > self.close_deadline:
            self.transport.abort()
        return alive


class Post:
    """Takes what is sent in one turn of the event loop, and hands it on in the next: to each connection in one go.

    Handing something to the system costs more than making it: an answer, an update and a turn go out together.
    """

    def __init__(self) -> None:
        self._waiting: list[Socket] = []
        self._last: tuple[bytes, bool, bytes] = (b"", False, b"")

    def frame(self, data: bytes, text: bool) -> bytes:
        """The bytes of a WebSocket frame; made once for all who are sent the same one after the other."""
        last, as_text, framed = self._last
        if data is not last or text is not as_text:
            framed = Frame(Opcode.TEXT if text else Opcode.BINARY, data).serialize(mask=False)
            self._last = data, text, framed
        return framed

    def call(self, socket: "Socket") -> None:
        """A connection has something in its outbox."""
        if not self._waiting:
            asyncio.get_running_loop().call_soon(self._collect)
        self._waiting.append(socket)

    def _collect(self) -> None:
        waiting, self._waiting = self._waiting, []
        for socket in waiting:
            socket.flush()


class Socket:
    """A connection as its session sees it. Its outbox and the transport's buffer together hold `MAX_OUTBOX` at most."""

    def __init__(self, line: Line, codec: Codec, metrics: Metrics, post: Post) -> None:
        self._line = line
        self._text = codec.text
        self._metrics = metrics
        self._post = post
        self._outbox: list[bytes] = []
        self._closing: asyncio.Task[None] | None = None

    @property
    def address(self) -> str:
        """Where the other end is: its IP address, or of IPv6 the network."""
        return self._line.address

    @property
    def round_trip(self) -> int:
        """How long the network takes there and back, in milliseconds, by the last ping; 0 before its answer."""
        return int(self._line.latency * 1000)

    def send(self, data: bytes) -> None:
        """Take one frame's bytes; never block. Nothing is sent on a connection that is closing."""
        if self._closing is not None:
            return
        if not self._outbox:
            self._post.call(self)
        self._outbox.append(self._post.frame(data, self._text))

    def flush(self) -> None:
        """Hand what is in the outbox to the transport."""
        frames, self._outbox = self._outbox, []
        if not frames or self._line.protocol.state is not State.OPEN:
            return
        transport = self._line.transport
        transport.write(frames[0] if len(frames) == 1 else b"".join(frames))
        if self._closing is None and transport.get_write_buffer_size() > MAX_OUTBOX:
            self._drop()

    async def drained(self) -> None:
        """Wait until little of the outbox is left; one who is too slow even for that is let go."""
        self.flush()
        await asyncio.sleep(0)  # others have their turn, however fast this one reads
        try:
            async with asyncio.timeout(HEARTBEAT):
                await self._line.drain()
        except TimeoutError:
            self._drop()
        except ConnectionError as error:
            _log.debug("connection lost", error=str(error))

    def close(self, code: CloseCode, reason: str) -> None:
        """End the connection, saying why. The rest of the outbox goes out first, if it is read within `GRACE`."""
        if self._closing is None:
            self._closing = asyncio.get_running_loop().create_task(self._close(code, reason))
            self.flush()

    async def _close(self, code: CloseCode, reason: str) -> None:
        try:
            async with asyncio.timeout(GRACE):
                await self._line.close(code, reason)
        except TimeoutError:
            self._line.transport.abort()

    def _drop(self) -> None:
        self._metrics.drops += 1
        _log.info("slow reader", connection=self._line.name, address=self._line.address)
        self.close(CloseCode.SLOW_READER, "frames were not read in time; resume with watch since")

    async def beat(self) -> None:
        """Close the connection if it is dead."""
        if not await self._line.beat():
            self.close(CloseCode.SILENT, f"no sign of life for {HEARTBEAT:.0f} s; resume with watch since")

    async def closed(self) -> None:
        """Wait until it is, if it was closed from here."""
        if self._closing is not None:
            await self._closing


class Gateway:
    """Listens, and runs one session for each connection."""

    def __init__(self, web: Web, admission: Admission, metrics: Metrics, make_session: MakeSession) -> None:
        self._web = web
        self._admission = admission
        self._metrics = metrics
        self._make_session = make_session
        self._post = Post()
        self._server: Server
        self._heart: asyncio.Task[None]
        self._lines: set[Line] = set()
        self._sessions: dict[Socket, Session] = {}
        self._receiving = 0
        self._quiet: asyncio.Event | None = None  # set once nothing is being received any more; None while we do

    def __len__(self) -> int:
        return len(self._sessions)

    async def open(self, host: str, port: int) -> tuple[str, int]:
        """Start to listen; returns the address. Port 0 takes a free one. Raises `OSError` if it is taken."""
        self._server = await serve(
            self._handle,
            host,
            port,
            subprotocols=[Subprotocol(name) for name in CODECS],
            select_subprotocol=_select,
            compression=None,
            max_size=MAX_FRAME,
            max_queue=MAX_BACKLOG,
            write_limit=MAX_OUTBOX // 32,
            open_timeout=HELLO,
            ping_interval=None,  # one heart for all connections instead of a task for each
            process_request=self._answer,
            server_header="fourfold",
            create_connection=cast(type[ServerConnection], partial(Line, self._admission, self._lines)),
            backlog=1024,
        )
        self._heart = asyncio.create_task(self._beat())
        address: tuple[str, int] = next(iter(self._server.sockets)).getsockname()[:2]
        return address

    async def close(self, finish: Callable[[], Awaitable[None]], at_once: asyncio.Event) -> None:
        """Tell everybody, take no more requests, `finish` what is in flight, and close with `RESTART`.

        Takes at most `FINISH` and `GRACE` together, or until `at_once` is set. Until the end, plain HTTP is
        answered, so that whoever asks learns that the server is not ready.
        """
        self._quiet = asyncio.Event()
        self._rest()
        farewell = Encoded(Closing("restart", RETRY_MS))
        for session in self._sessions.values():
            session.send(farewell)
        await _first(self._finish(finish), at_once, FINISH)
        for socket in self._sessions:
            socket.close(CloseCode.RESTART, "the server is restarting; connect again and resume")
        await _first(_all_closed(list(self._sessions)), at_once, 2 * GRACE)
        self._heart.cancel()
        self._server.close()
        for line in list(self._lines):
            line.transport.abort()
        await self._server.wait_closed()

    async def _finish(self, finish: Callable[[], Awaitable[None]]) -> None:
        assert self._quiet is not None  # only on the way out
        await self._quiet.wait()
        await finish()

    def _rest(self) -> None:
        if self._quiet is not None and not self._receiving:
            self._quiet.set()

    async def _answer(self, connection: ServerConnection, request: Request) -> Response | None:
        assert isinstance(connection, Line)
        response = await self._judge(connection, request)
        if connection.protocol.close_expected():  # what came behind the request was no frame
            connection.transport.abort()
            await connection.wait_closed()  # then nothing is sent
        return response

    async def _judge(self, connection: Line, request: Request) -> Response | None:
        """The response to a request; None takes it in as a WebSocket."""
        response = await self._web.answer(connection, request)
        if response is not None:
            return response
        origins = request.headers.get_all("Origin")
        refusal = connection.enter(request.headers.get_all("X-Forwarded-For"), origins[0] if origins else None)
        if self._quiet is not None:
            refusal = _GOING
        if refusal is None:
            return None
        self._metrics.refusals[refusal.code] += 1
        _log.debug("turned away", address=connection.address, code=refusal.code)
        return refused(refusal)

    async def _handle(self, connection: ServerConnection) -> None:
        assert isinstance(connection, Line)
        codec = CODECS[connection.subprotocol] if connection.subprotocol else JSON
        socket = Socket(connection, codec, self._metrics, self._post)
        session = self._sessions[socket] = self._make_session(socket, codec)
        loop = asyncio.get_running_loop()
        bind_contextvars(connection=connection.name)
        _log.debug("connected", address=connection.address)
        patience = loop.call_later(HELLO, _expect_hello, socket, session)
        flows = self._admission.flows(connection.address)
        try:
            await connection.ping()  # whose answer is the first measure of the round trip; nobody waits for it
            async for data in connection:
                # Who is too fast fills his own socket meanwhile; what is still unread when he goes is lost.
                wait = 0.0 if self._quiet is not None else max((flow.spend(loop.time()) for flow in flows), default=0.0)
                if wait and await connection.gone_within(wait):
                    break
                if self._quiet is not None:
                    continue  # the client asks again where it goes
                self._receiving += 1
                try:
                    await session.receive(data)
                finally:
                    self._receiving -= 1
                    self._rest()
        except ConnectionClosedError as error:
            _log.debug("connection lost", error=str(error))
        finally:
            patience.cancel()
            del self._sessions[socket]
            session.end()
            _log.debug("disconnected", code=int(connection.close_code or 0), reason=connection.close_reason)
        await socket.closed()

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(HEARTBEAT)
            for number, socket in enumerate(list(self._sessions)):
                if number % _AT_ONCE == 0:
                    await asyncio.sleep(0)
                try:
                    await socket.beat()
                except ConnectionClosed as error:
                    _log.debug("connection lost", error=str(error))


async def _first(work: Coroutine[Any, Any, None], at_once: asyncio.Event, most: float) -> None:
    """Do some work, for at most so many seconds, and not a moment longer than until `at_once` is set."""
    tasks = {asyncio.create_task(work), asyncio.create_task(at_once.wait())}
    done, _ = await asyncio.wait(tasks, timeout=most, return_when=asyncio.FIRST_COMPLETED)
    for task in tasks - done:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    for task in done:
        task.result()


async def _all_closed(sockets: Sequence[Socket]) -> None:
    await asyncio.gather(*(socket.closed() for socket in sockets))


def _expect_hello(socket: Socket, session: Session) -> None:
    if not session.player_id:
        socket.close(CloseCode.POLICY, f'no hello within {HELLO:.0f} s; say {{"type": "hello"}} first')


def _select(_: ServerConnection, offered: Sequence[Subprotocol]) -> Subprotocol | None:
    """The first of ours that the client offers. One that offers none, or none of ours, speaks JSON."""
    return next((Subprotocol(name) for name in CODECS if name in offered), None)
