"""The requests of one connection: read in order, no faster than its limits allow, each handed to its handler."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextvars import copy_context
from time import monotonic
from typing import Any, Final, Protocol

import structlog
from structlog.contextvars import bind_contextvars

from fourfold.engine.match.events import Rejection, refused
from fourfold.protocol import from_client as ask
from fourfold.protocol import from_server as wire
from fourfold.protocol.errors import CloseCode, ErrorKind, Unreadable
from fourfold.server.limits.prices import LEAST, REQUESTS
from fourfold.server.limits.rate import TokenBucket
from fourfold.server.limits.refused import RequestRefused
from fourfold.server.rooms.holding import NoSuchRoom
from fourfold.server.rooms.log_writer import DAMAGED, NEWER, UNAVAILABLE
from fourfold.server.sessions import (
    accounts,
    analysis,
    bots,
    explorer,
    game,
    games,
    identity,
    lobby,
    moderation,
    people,
    puzzles,
    ratings,
    rooms,
    studies,
)
from fourfold.server.sessions.session import Peer, Session
from fourfold.server.storage.event_log import LogUnavailable, NewerEntry, UnreadableEntry

HELLO: Final = 10.0
"""How many seconds a connection has to say hello."""

_log = structlog.get_logger(__name__)

Handler = Callable[[Session, Any], Awaitable[None] | None]
"""Carries out a request, at once or by running what it returns.

Raises `RequestRefused`, `NoSuchRoom`, `UnreadableEntry` or `LogUnavailable`, each of which answers the request by
`error`.
"""

HANDLERS: Final[dict[type[ask.Request], Handler]] = {
    ask.Hello: identity.hello,
    ask.Ping: identity.ping,
    ask.Variants: identity.list_variants,
    ask.Create: rooms.create,
    ask.Check: rooms.check,
    ask.Read: rooms.read,
    ask.Join: rooms.join,
    ask.Watch: rooms.watch,
    ask.Leave: rooms.leave,
    ask.Legal: game.legal,
    ask.Export: game.export,
    ask.Say: rooms.say,
    ask.Rooms: lobby.list_rooms,
    ask.Games: games.search,
    ask.Download: games.download,
    ask.Results: games.results,
    ask.Ratings: ratings.of,
    ask.Leaderboard: ratings.leaderboard,
    ask.Strengths: ratings.strengths,
    ask.Explore: explorer.explore,
    ask.Analyse: analysis.analyse,
    ask.Unanalyse: analysis.unanalyse,
    **dict.fromkeys((ask.Found, ask.Examined), analysis.answered),
    ask.Review: analysis.review,
    ask.Puzzles: puzzles.list_puzzles,
    ask.Solve: puzzles.solve,
    ask.Seek: lobby.seek,
    ask.Unseek: lobby.unseek,
    ask.Challenge: people.challenge,
    ask.Answer: people.answer,
    ask.Cancel: people.cancel,
    ask.People: people.list_people,
    ask.Follow: people.follow,
    ask.Unfollow: people.unfollow,
    ask.Following: people.list_followed,
    ask.Account: accounts.show,
    ask.Passkey: accounts.begin,
    ask.Oidc: accounts.begin_at_provider,
    ask.Register: accounts.register,
    ask.Login: accounts.login,
    ask.Enroll: accounts.enroll,
    ask.Recovery: accounts.recovery,
    ask.Rename: accounts.rename,
    ask.Administer: accounts.administer,
    ask.Revoke: accounts.revoke,
    ask.Grant: accounts.grant,
    ask.Moderate: moderation.moderate,
    ask.Moderation: moderation.show,
    ask.Report: moderation.report,
    ask.Settle: moderation.settle,
    ask.Bot: bots.invite,
    ask.Serve: bots.serve,
    ask.Study: studies.create,
    ask.Piece: studies.piece,
    ask.Edit: studies.edit,
    ask.Look: studies.look,
    ask.Stand: studies.stand,
    ask.Studies: studies.list_studies,
    **dict.fromkeys(game.COMMANDS, game.command),
}

_REFUSALS: Final = (RequestRefused, NoSuchRoom, UnreadableEntry, LogUnavailable)


class Source(Peer, Protocol):
    """A connection from which requests are read."""

    inbox: list[bytes | str]
    reader: Callable[[], None] | None
    gone: bool

    @property
    def name(self) -> str:
        """The connection's name in the log."""
        ...

    @property
    def close_code(self) -> int:
        """The close code that the client sent."""
        ...

    @property
    def close_reason(self) -> str:
        """The reason that came with it."""
        ...

    def take(self) -> bytes | str:
        """Remove the first message from the inbox."""
        ...

    def expect(self, seconds: float, late: Callable[[], None]) -> None:
        """Call `late` after so many seconds, unless something else is expected before."""
        ...


class InFlight:
    """Counts the requests that are being carried out, so that a shutdown can wait for them."""

    def __init__(self) -> None:
        self.draining = False
        """Whether no more requests are taken."""
        self._count = 0
        self._none_left = asyncio.Event()

    def began(self) -> None:
        """Count a request."""
        self._count += 1

    def ended(self) -> None:
        """Discount one."""
        self._count -= 1
        if self.draining and not self._count:
            self._none_left.set()

    async def drain(self) -> None:
        """Wait until those that are being carried out have ended."""
        if self._count:
            await self._none_left.wait()


class Inbound:
    """Reads the requests of one connection.

    Most requests are carried out at once. One that has to wait for something does so in a task, and the next one is
    read when it has ended.
    """

    __slots__ = ("_buckets", "_context", "_ended", "_in_flight", "_pause", "_source", "_task", "session")

    def __init__(
        self,
        source: Source,
        session: Session,
        buckets: Sequence[TokenBucket],
        in_flight: InFlight,
        ended: Callable[[], None],
    ) -> None:
        """`buckets` bound the rate of requests; `ended` is called once the session has ended."""
        self.session = session
        self._source = source
        self._buckets = buckets
        self._in_flight = in_flight
        self._ended = ended
        self._pause: asyncio.TimerHandle | None = None  # until the next request may be carried out
        self._task: asyncio.Task[None] | None = None  # the request that is being carried out
        self._context = copy_context()  # what the log says of this connection
        self._context.run(bind_contextvars, connection=source.name)

    def begin(self) -> None:
        """Begin to read. What the client has sent already is in the inbox."""
        self._context.run(_log.debug, "connected", address=self._source.address)
        self._source.expect(HELLO, self._late)
        self._source.reader = self._read
        self._read()

    def _late(self) -> None:
        if not self.session.player_id:
            self._source.close(CloseCode.POLICY, f'no hello within {HELLO:.0f} s; say {{"type": "hello"}} first')

    def _read(self) -> None:
        """Carry out what is in the inbox, until something has to be waited for.

        A client that is too fast fills its own socket meanwhile. What is still unread when it goes is lost.
        """
        source = self._source
        if source.gone and self._pause is not None:
            self._pause.cancel()
            self._pause = None
            source.inbox.clear()
        while source.inbox and self._task is None and self._pause is None:
            message = source.take()
            if self._in_flight.draining:
                continue
            now = monotonic()
            wait = 0.0
            for bucket in self._buckets:
                wait = max(wait, bucket.wait(now))
            if not wait:
                self._carry_out(message)
            elif source.gone:
                source.inbox.clear()
            else:
                self._pause = asyncio.get_running_loop().call_later(wait, self._go_on, message)
        if source.gone and self._task is None:
            self._end()

    def _go_on(self, message: bytes | str) -> None:
        self._pause = None
        if not self._in_flight.draining:
            self._carry_out(message)
        self._read()

    def _carry_out(self, message: bytes | str) -> None:
        try:
            waiting = self._context.run(handle, self.session, message)
        except Exception as error:  # noqa: BLE001 - logged; other connections go on
            self._fail(error)
            return
        if self.session.due:
            self._charge()
        if waiting is not None:
            self._in_flight.began()
            self._task = asyncio.get_running_loop().create_task(waiting, context=self._context)
            self._task.add_done_callback(self._carried_out)

    def _charge(self) -> None:
        """Charge for what requests have cost."""
        due, self.session.due = self.session.due, 0.0
        if due:
            now = monotonic()
            for bucket in self._buckets:
                bucket.spend(now, due)

    def _carried_out(self, task: asyncio.Task[None]) -> None:
        self._task = None
        self._charge()
        self._in_flight.ended()
        error = None if task.cancelled() else task.exception()
        if error is not None:
            self._fail(error)
        self._read()

    def _fail(self, error: BaseException) -> None:
        """Close the connection after a fault of the server's; no other connection is affected."""
        self._context.run(_log.error, "a request failed", exc_info=error)
        self._source.close(CloseCode.INTERNAL, "")

    def _end(self) -> None:
        source = self._source
        source.reader = None
        try:
            self._context.run(self.session.end)
        finally:  # a stop waits for the end of every session
            self._context.run(_log.debug, "disconnected", code=source.close_code, reason=source.close_reason)
            self._ended()


def handle(session: Session, data: bytes | str) -> Coroutine[Any, Any, None] | None:
    """Carry out one frame, at once or by running what is returned. Every frame is answered, whatever it holds."""
    try:
        request = session.codec.read_request(data)
    except Unreadable as error:
        session.services.metrics.errors[error.code] += 1
        _log.debug("unreadable", code=error.code, player=session.player_id)
        session.reply(wire.Error(kind=ErrorKind.UNREADABLE, code=error.code, message=error.message), error.id)
        session.strike()
        session.due += LEAST
        return None
    session.due += REQUESTS[type(request)].of(request)
    try:
        if session.player is None and not isinstance(request, ask.Hello | ask.Ping):
            raise RequestRefused("hello_first", 'Say hello first: {"type": "hello"}.')
        waiting = HANDLERS[type(request)](session, request)
    except _REFUSALS as error:
        session.refuse(_rejection(error), request)
        return None
    return None if waiting is None else _wait(waiting, session, request)


async def _wait(waiting: Awaitable[None], session: Session, request: ask.Request) -> None:
    try:
        await waiting
    except _REFUSALS as error:
        session.refuse(_rejection(error), request)


def _rejection(error: Exception) -> Rejection:
    match error:
        case RequestRefused():
            return error.rejection
        case NoSuchRoom():
            return refused("no_such_room", "There is no such room.")
        case NewerEntry():
            return NEWER
        case UnreadableEntry():
            return DAMAGED
        case _:
            return refused("unavailable", f"{error} Try again.", UNAVAILABLE)
