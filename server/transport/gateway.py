"""Accepts connections, starts a session for each, drains on shutdown."""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Collection, Coroutine, Sequence
from functools import partial
from http import HTTPStatus
from typing import Any, Final, Protocol

import structlog
from websockets.http11 import Request, Response

from fourfold.protocol.codec import Codec
from fourfold.protocol.errors import CloseCode
from fourfold.protocol.from_server import Closing
from fourfold.server.limits.admission import Admission, AdmissionDenied
from fourfold.server.limits.prices import PATHS
from fourfold.server.metrics import Metrics
from fourfold.server.replication.fanout import Encoded
from fourfold.server.sessions.inbound import Inbound, InFlight
from fourfold.server.sessions.session import Session
from fourfold.server.supervision import end, supervise
from fourfold.server.transport.bites import BiteQueue
from fourfold.server.transport.connection import GRACE, Connection, WriteBatch
from fourfold.server.transport.http import GOING, LEAVING, HttpEndpoints, denied, failed, is_probe, route, unavailable
from fourfold.server.transport.listeners import BACKLOG

FIRST_REQUEST: Final = 10.0
"""Seconds within which a new connection must send an HTTP request."""

HEARTBEAT: Final = 30.0
"""Seconds between pings of a connection, and for which it may be silent after one."""

FINISH: Final = 10.0
"""Seconds for which a shutdown waits for requests in progress: as long as an append is retried."""

RETRY_MS: Final = 500
"""Milliseconds that clients should wait before they reconnect after a restart."""

AWAY_MS: Final = 1000
"""Milliseconds that clients should wait before they leave a server that is cut off from its store. Each client waits
one more than the one before, so that not all connect at once."""

_AWAY: Final = AdmissionDenied(
    HTTPStatus.SERVICE_UNAVAILABLE, "cut_off", "This server can't reach its store; others may.", retry=1
)
_AT_ONCE: Final = 100  # pings sent in one turn of the event loop

_log = structlog.get_logger(__name__)

MakeSession = Callable[[Connection, Codec], Session]


class Listening(Protocol):
    """The source of connections: an `asyncio.Server`, or in a worker process an `Entrance`, which takes connections
    that another process has accepted."""

    def close(self) -> None:
        """Stop making connections."""

    async def wait_closed(self) -> None:
        """Wait until no connection is being made."""


class Gateway:
    """Listens, and runs one session for each connection."""

    def __init__(self, web: HttpEndpoints, admission: Admission, metrics: Metrics, make_session: MakeSession) -> None:
        self.batch = WriteBatch()
        self.bites = BiteQueue()
        self.metrics = metrics
        self._web = web
        self._admission = admission
        self._make_session = make_session
        self._listening: Sequence[Listening] = ()
        self._heart: asyncio.Task[None]
        # each with the function that removes it from its count
        self._connections: dict[Connection, Callable[[], None] | None] = {}
        self._sessions: dict[Connection, Inbound] = {}
        self._answering: set[asyncio.Task[Response | None]] = set()  # HTTP requests without an answer yet
        self._left = asyncio.Event()  # set when any of these has ended
        self._away = False  # whether new connections are sent to another server
        self._in_flight = InFlight()
        self._drained = False

    def __len__(self) -> int:
        """The number of sessions."""
        return len(self._sessions)

    async def open(self, listeners: Sequence[socket.socket]) -> tuple[str, int]:
        """Listen at bound sockets, which `close` closes; returns the first address. Raises `OSError` if another program
        has begun to listen at an address."""
        host, port, *_ = listeners[0].getsockname()
        loop = asyncio.get_running_loop()
        self.take_from(*[await loop.create_server(self.make, sock=one, backlog=BACKLOG) for one in listeners])
        return host, port

    def take_from(self, *listening: Listening) -> None:
        """Take the connections of other sources, which use `make`."""
        self._listening = listening
        self._heart = supervise("connections", self._beat)

    def make(self) -> Connection:
        """The protocol of a new connection."""
        return Connection(self)

    async def drain(self, finish: Callable[[], Awaitable[None]], at_once: asyncio.Event) -> None:
        """Send `closing` to all, take no more requests, await `finish`, and close with `RESTART`.

        `finish` ends when the rooms have written their pending decisions. Takes at most `FINISH` and `GRACE` seconds
        together, or until `at_once` is set; then it cuts the remaining sessions, since the rest of the server ends
        after them. Meanwhile HTTP is answered as usual. Afterwards, until `close`, HTTP only says that the server is
        going away and when to try again. That needs no other part of the server.
        """
        self._in_flight.draining = True
        farewell = Encoded(Closing("restart", RETRY_MS))
        for inbound in self._sessions.values():
            inbound.session.send(farewell)
        await _first(self._finish(finish), at_once, FINISH)
        for connection in list(self._sessions):
            connection.close(CloseCode.RESTART, "the server is restarting; connect again and resume")
        await _first(self._empty(self._sessions), at_once, 2 * GRACE)
        for connection in list(self._sessions):
            connection.hang_up()
        await _first(self._empty(self._sessions), asyncio.Event(), GRACE)
        self._drained = True

    async def close(self) -> None:
        """Stop listening, and cut all connections."""
        await end([self._heart])
        for one in self._listening:
            one.close()
        self._cut()
        for one in self._listening:
            await one.wait_closed()
        self._cut()  # connections that were being made
        for task in self._answering:
            task.cancel()  # nobody is there to get an answer, and it may still wait for its turn
        for those in (self._connections, self._sessions, self._answering):
            await self._empty(those)

    def _cut(self) -> None:
        for connection in list(self._connections):
            connection.hang_up()

    def send_away(self, *, elsewhere: bool) -> None:
        """Close all connections, because the store is out of reach.

        With `elsewhere`, another server may reach it: then no connection is accepted until `take_in`.
        """
        self._away = elsewhere
        for number, (connection, inbound) in enumerate(list(self._sessions.items())):
            inbound.session.send(Encoded(Closing("store", AWAY_MS + number)))
            connection.close(CloseCode.RESTART, "this server can't reach its store; connect again and resume")

    def take_in(self) -> None:
        """Accept connections again, because the store is in reach."""
        self._away = False

    async def _finish(self, finish: Callable[[], Awaitable[None]]) -> None:
        await self._in_flight.drain()
        await finish()

    async def _empty(self, those: Collection[object]) -> None:
        """Wait until all of them have ended."""
        while those:
            self._left.clear()
            await self._left.wait()

    # -- connections: see `ConnectionListener` --

    def connected(self, connection: Connection) -> None:
        """Count a new connection, or cut it if there are too many from its address."""
        if self._admission.knock(connection.host):
            self._connections[connection] = partial(self._admission.knocked, connection.host)
            connection.expect(FIRST_REQUEST, connection.hang_up)
        else:
            connection.hang_up()

    def requested(self, connection: Connection, request: Request) -> None:
        """Answer an HTTP request."""
        task = asyncio.get_running_loop().create_task(self._judge(connection, request))
        self._answering.add(task)
        task.add_done_callback(partial(self._answer, connection, request))

    def disconnected(self, connection: Connection) -> None:
        """Drop a connection that has ended."""
        self._uncount(connection)
        self._connections.pop(connection, None)
        self._left.set()

    def _uncount(self, connection: Connection) -> None:
        left = self._connections.get(connection)
        if left is not None:
            left()
            self._connections[connection] = None

    async def _judge(self, connection: Connection, request: Request) -> Response | None:
        """The response to an HTTP request; None accepts it as a WebSocket, and counts it."""
        if self._drained:
            return unavailable(request.path, GOING, LEAVING)
        headers = request.headers
        forwarded = headers.get_all("X-Forwarded-For")
        metrics = self._admission.reads_metrics(connection.host, forwarded)
        address = self._admission.address(connection.host, forwarded)
        denial = None if is_probe(request) else self._admission.ban(address)
        denial = denial or await self._admission.http_turn(PATHS[route(request)], address)
        if denial is None:
            response = await self._web.answer(request, body=connection.has_body, metrics=metrics, address=address)
        else:
            response = denied(denial)
            self.metrics.refusals[denial.code] += 1
        if response is not None or connection.gone:
            return response
        self._uncount(connection)
        origins = headers.get_all("Origin")
        connection.address = address
        connection.page = origins[0].lower() if origins else ""
        refusal = self._admission.refusal(connection.address, origins[0] if origins else None)
        if self._in_flight.draining or self._away:
            refusal = _AWAY if self._away else GOING
        if refusal is None:
            self._admission.enter(connection.address)
            self._connections[connection] = partial(self._admission.leave, connection.address)
            return None
        self.metrics.refusals[refusal.code] += 1
        _log.debug("turned away", address=connection.address, code=refusal.code)
        return denied(refusal)

    def _answer(self, connection: Connection, request: Request, judged: asyncio.Task[Response | None]) -> None:
        self._answering.discard(judged)
        self._left.set()
        if judged.cancelled():
            return
        error = judged.exception()
        if error is not None:
            _log.error("an answer failed", connection=connection.name, exc_info=error)
        response = judged.result() if error is None else failed()
        if connection.answer(request, response, last=self._in_flight.draining):
            self._let_in(connection)

    # -- sessions --

    def _let_in(self, connection: Connection) -> None:
        session = self._make_session(connection, connection.codec)
        flow = self._admission.flow(connection.address)
        inbound = Inbound(connection, session, flow, self._in_flight, partial(self._ended, connection))
        self._sessions[connection] = inbound
        inbound.begin()

    def _ended(self, connection: Connection) -> None:
        del self._sessions[connection]
        self._left.set()

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(HEARTBEAT)
            for number, connection in enumerate(list(self._sessions)):
                if number % _AT_ONCE == 0:
                    await asyncio.sleep(0)
                if not connection.beat():
                    reason = f"no sign of life for {HEARTBEAT:.0f} s; resume with watch since"
                    connection.close(CloseCode.SILENT, reason)


async def _first(work: Coroutine[Any, Any, None], at_once: asyncio.Event, most: float) -> None:
    """Await some work for at most `FINISH` seconds, or until `at_once` is set."""
    tasks = {asyncio.create_task(work), asyncio.create_task(at_once.wait())}
    done, _ = await asyncio.wait(tasks, timeout=most, return_when=asyncio.FIRST_COMPLETED)
    for task in tasks - done:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    for task in done:
        task.result()
