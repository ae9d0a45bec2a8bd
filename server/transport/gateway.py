"""The door: listens, takes connections in, gives each a session, and empties the house when the server goes."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Coroutine, Sequence
from contextvars import copy_context
from functools import partial
from http import HTTPStatus
from time import monotonic
from typing import Any, Final

import structlog
from structlog.contextvars import bind_contextvars
from websockets.http11 import Request, Response

from fourfold.protocol.codec import Codec
from fourfold.protocol.errors import CloseCode
from fourfold.protocol.from_server import Closing
from fourfold.server.limits.admission import Admission, AdmissionDenied
from fourfold.server.limits.rate import TokenBucket
from fourfold.server.metrics import Metrics
from fourfold.server.rooms.fanout import Encoded
from fourfold.server.sessions.session import Session
from fourfold.server.supervision import supervise
from fourfold.server.transport.connection import GRACE, Connection
from fourfold.server.transport.http import HttpEndpoints, denied, failed
from fourfold.server.transport.write_batch import WriteBatch

HELLO: Final = 10.0
"""How many seconds a connection has to say what it wants, and then to say hello."""

HEARTBEAT: Final = 30.0
"""Seconds between pings of a connection, and for a sign of life after one."""

FINISH: Final = 10.0
"""How many seconds what is in flight has to finish when the server goes away: as long as an append is tried."""

RETRY_MS: Final = 500
"""How long clients should wait, in milliseconds, before they come back from a restart."""

AWAY_MS: Final = 1000
"""How long, in milliseconds, clients should wait before they come back from a server that is cut off from its store;
and a millisecond more for each that is sent away before, lest all come at once."""

_AWAY: Final = AdmissionDenied(
    HTTPStatus.SERVICE_UNAVAILABLE, "cut_off", "This server can't reach its store; others may.", retry=1
)
_GOING: Final = AdmissionDenied(
    HTTPStatus.SERVICE_UNAVAILABLE, "going", "This server is going away; connect again.", retry=1
)
_AT_ONCE: Final = 100  # pings sent in one turn of the event loop

_log = structlog.get_logger(__name__)

MakeSession = Callable[[Connection, Codec], Session]


class Gateway:
    """Listens, and runs one session for each connection."""

    def __init__(self, web: HttpEndpoints, admission: Admission, metrics: Metrics, make_session: MakeSession) -> None:
        self.post = WriteBatch()
        self.metrics = metrics
        self._web = web
        self._admission = admission
        self._make_session = make_session
        self._server: asyncio.Server
        self._heart: asyncio.Task[None]
        self._lines: dict[Connection, Callable[[], None] | None] = {}  # and what takes each off the count it is in
        self._visits: dict[Connection, Visit] = {}
        self._asking: set[asyncio.Task[Response | None]] = set()  # the requests by HTTP that have no answer yet
        self._left = asyncio.Event()  # set when somebody leaves
        self._away = False  # whether newcomers are sent elsewhere
        self._in_flight = 0
        self._quiet: asyncio.Event | None = None  # set once nothing is in flight any more; None while we take requests

    def __len__(self) -> int:
        return len(self._visits)

    async def open(self, host: str, port: int) -> tuple[str, int]:
        """Start to listen; returns the address. Port 0 takes a free one. Raises `OSError` if it is taken."""
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(partial(Connection, self), host, port, backlog=1024)
        self._heart = supervise("connections", self._beat)
        address: tuple[str, int] = self._server.sockets[0].getsockname()[:2]
        return address

    async def close(self, finish: Callable[[], Awaitable[None]], at_once: asyncio.Event) -> None:
        """Tell everybody, take no more requests, `finish` what is in flight, and close with `RESTART`.

        Takes at most `FINISH` and `GRACE` together, or until `at_once` is set. Until the end, plain HTTP is
        answered, so that whoever asks learns that the server is not ready.
        """
        self._quiet = asyncio.Event()
        self._rest()
        farewell = Encoded(Closing("restart", RETRY_MS))
        for visit in self._visits.values():
            visit.session.send(farewell)
        await _first(self._finish(finish), at_once, FINISH)
        for line in list(self._visits):
            line.close(CloseCode.RESTART, "the server is restarting; connect again and resume")
        await _first(self._empty(self._visits), at_once, 2 * GRACE)
        self._heart.cancel()
        self._server.close()
        for line in list(self._lines):
            line.hang_up()
        await self._server.wait_closed()
        for those in (self._lines, self._visits, self._asking):
            await self._empty(those)

    def send_away(self, *, elsewhere: bool) -> None:
        """The store is out of reach: send everybody away, once. Whoever comes back is let in, unless they may come
        in `elsewhere`: then nobody is until `take_in`."""
        self._away = elsewhere
        for number, (line, visit) in enumerate(list(self._visits.items())):
            visit.session.send(Encoded(Closing("store", AWAY_MS + number)))
            line.close(CloseCode.RESTART, "this server can't reach its store; connect again and resume")

    def take_in(self) -> None:
        """The store is in reach again."""
        self._away = False

    async def _finish(self, finish: Callable[[], Awaitable[None]]) -> None:
        assert self._quiet is not None  # only on the way out
        await self._quiet.wait()
        await finish()

    def _rest(self) -> None:
        if self._quiet is not None and not self._in_flight:
            self._quiet.set()

    async def _empty(self, those: Collection[object]) -> None:
        """Wait until all of them have left."""
        while those:
            self._left.clear()
            await self._left.wait()

    # -- lines: see `line.Keeper` --

    def came(self, line: Connection) -> None:
        """Somebody has connected, and said nothing yet."""
        if self._admission.knock(line.host):
            self._lines[line] = partial(self._admission.knocked, line.host)
            line.expect(HELLO, line.hang_up)
        else:
            line.hang_up()

    def asked(self, line: Connection, request: Request) -> None:
        """He wants something by HTTP."""
        task = asyncio.get_running_loop().create_task(self._judge(line, request))
        self._asking.add(task)
        task.add_done_callback(partial(self._answer, line, request))

    def gone(self, line: Connection) -> None:
        """The connection is no more."""
        self._uncount(line)
        self._lines.pop(line, None)
        self._left.set()

    def _uncount(self, line: Connection) -> None:
        left = self._lines.get(line)
        if left is not None:
            left()
            self._lines[line] = None

    async def _judge(self, line: Connection, request: Request) -> Response | None:
        """The response to a request; None takes it in as a WebSocket, and counts it."""
        headers = request.headers
        forwarded = headers.get_all("X-Forwarded-For")
        metrics = self._admission.reads_metrics(line.host, forwarded)
        response = await self._web.answer(request, body=line.has_body, metrics=metrics)
        if response is not None or line.gone:
            return response
        self._uncount(line)
        origins = headers.get_all("Origin")
        line.address = self._admission.address(line.host, forwarded)
        refusal = self._admission.refusal(line.address, origins[0] if origins else None)
        if self._quiet is not None or self._away:
            refusal = _AWAY if self._away else _GOING
        if refusal is None:
            self._admission.enter(line.address)
            self._lines[line] = partial(self._admission.leave, line.address)
            return None
        self.metrics.refusals[refusal.code] += 1
        _log.debug("turned away", address=line.address, code=refusal.code)
        return denied(refusal)

    def _answer(self, line: Connection, request: Request, judged: asyncio.Task[Response | None]) -> None:
        self._asking.discard(judged)
        self._left.set()
        error = judged.exception()
        if error is not None:
            _log.error("an answer failed", connection=line.name, exc_info=error)
        response = judged.result() if error is None else failed()
        if line.answer(request, response, last=self.going):
            self._let_in(line)

    # -- sessions --

    def _let_in(self, line: Connection) -> None:
        session = self._make_session(line, line.codec)
        visit = self._visits[line] = Visit(self, line, session, self._admission.flows(line.address))
        visit.begin()

    @property
    def going(self) -> bool:
        """Whether no more requests are taken: clients ask again where they go."""
        return self._quiet is not None

    def began(self) -> None:
        """A request is being carried out."""
        self._in_flight += 1

    def ended(self) -> None:
        """It has been."""
        self._in_flight -= 1
        self._rest()

    def left(self, line: Connection) -> None:
        """Its session has ended."""
        del self._visits[line]
        self._left.set()

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(HEARTBEAT)
            for number, line in enumerate(list(self._visits)):
                if number % _AT_ONCE == 0:
                    await asyncio.sleep(0)
                if not line.beat():
                    line.close(CloseCode.SILENT, f"no sign of life for {HEARTBEAT:.0f} s; resume with watch since")


class Visit:
    """A session on its line: it is given one request after the other, in order, and no faster than its flows allow.

    Most requests are carried out at once. One that has to wait for something does so in a task.
    """

    __slots__ = ("_context", "_flows", "_gateway", "_line", "_pause", "_task", "session")

    def __init__(self, gateway: Gateway, line: Connection, session: Session, flows: Sequence[TokenBucket]) -> None:
        self.session = session
        self._gateway = gateway
        self._line = line
        self._flows = flows
        self._pause: asyncio.TimerHandle | None = None  # until the next request's time has come
        self._task: asyncio.Task[None] | None = None  # what has to end before it
        self._context = copy_context()  # for all that is logged on the way
        self._context.run(bind_contextvars, connection=line.name)

    def begin(self) -> None:
        """It is there; what it has said already is in the inbox."""
        self._context.run(_log.debug, "connected", address=self._line.address)
        self._line.expect(HELLO, self._late)
        self._line.reader = self._read
        self._read()

    def _late(self) -> None:
        if not self.session.player_id:
            self._line.close(CloseCode.POLICY, f'no hello within {HELLO:.0f} s; say {{"type": "hello"}} first')

    def _read(self) -> None:
        """Carry out what is in the inbox, until something has to be waited for.

        Who is too fast fills his own socket meanwhile; what is still unread when he goes is lost.
        """
        line = self._line
        if line.gone and self._pause is not None:
            self._pause.cancel()
            self._pause = None
            line.inbox.clear()
        while line.inbox and self._task is None and self._pause is None:
            message = line.take()
            if self._gateway.going:
                continue
            now = monotonic()
            wait = max([flow.spend(now) for flow in self._flows], default=0.0)
            if not wait:
                self._carry_out(message)
            elif line.gone:
                line.inbox.clear()
            else:
                self._pause = asyncio.get_running_loop().call_later(wait, self._go_on, message)
        if line.gone and self._task is None:
            self._end()

    def _go_on(self, message: bytes | str) -> None:
        self._pause = None
        if not self._gateway.going:
            self._carry_out(message)
        self._read()

    def _carry_out(self, message: bytes | str) -> None:
        try:
            waiting = self._context.run(self.session.receive, message)
        except Exception as error:  # noqa: BLE001 - told in the log, and others go on
            self._fail(error)
            return
        self._charge()
        if waiting is not None:
            self._gateway.began()
            self._task = asyncio.get_running_loop().create_task(waiting, context=self._context)
            self._task.add_done_callback(self._carried_out)

    def _charge(self) -> None:
        """Have what was dearer than one token paid for: what it costs is known when it has been read."""
        tokens, self.session.due = self.session.due, 0
        if tokens:
            now = monotonic()
            for flow in self._flows:
                flow.charge(now, tokens)

    def _carried_out(self, task: asyncio.Task[None]) -> None:
        self._task = None
        self._charge()
        self._gateway.ended()
        error = None if task.cancelled() else task.exception()
        if error is not None:
            self._fail(error)
        self._read()

    def _fail(self, error: BaseException) -> None:
        """A fault of ours, of which this client alone shall suffer."""
        self._context.run(_log.error, "a request failed", exc_info=error)
        self._line.close(CloseCode.INTERNAL, "")

    def _end(self) -> None:
        line = self._line
        line.reader = None
        self._context.run(self.session.end)
        self._context.run(_log.debug, "disconnected", code=line.close_code, reason=line.close_reason)
        self._gateway.left(line)


async def _first(work: Coroutine[Any, Any, None], at_once: asyncio.Event, most: float) -> None:
    """Do some work, for at most so many seconds, and not a moment longer than until `at_once` is set."""
    tasks = {asyncio.create_task(work), asyncio.create_task(at_once.wait())}
    done, _ = await asyncio.wait(tasks, timeout=most, return_when=asyncio.FIRST_COMPLETED)
    for task in tasks - done:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    for task in done:
        task.result()
