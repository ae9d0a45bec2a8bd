"""The requests of one connection: read in order, no faster than its limits allow, each handed to its handler."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine
from contextvars import copy_context
from functools import partial
from typing import Any, Final, NamedTuple, Protocol

import structlog
from structlog.contextvars import bind_contextvars

from fourfold.engine.match import Status
from fourfold.engine.match.events import Rejection, refused
from fourfold.protocol import from_client as ask
from fourfold.protocol import from_server as wire
from fourfold.protocol.errors import CloseCode, ErrorKind, Unreadable
from fourfold.server.limits.prices import LEAST, REQUESTS
from fourfold.server.limits.refused import RequestRefused
from fourfold.server.limits.turns import Flow
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

AHEAD: Final = 8
"""How many requests of a connection are read before their turn has come."""

OVERTAKING: Final = (ask.Move, ask.Vote, ask.Resign, ask.Claim)
"""The commands that wait for nothing but their own rate, if a player of a running game sends them."""

_log = structlog.get_logger(__name__)

Read = ask.Request | Unreadable
"""What a frame holds: a request, or why there is none."""

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


class Held(NamedTuple):
    """A message whose request is not carried out yet, and the room in which it is a command, if any.

    The request itself may take ten times as much memory.
    """

    message: bytes | str
    room: str | None


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
    carried out when it has ended. Only the commands of a player in a running game overtake others.
    """

    __slots__ = (
        "_ahead", "_asked", "_context", "_ended", "_first", "_flow", "_held", "_in_flight", "_running", "_source",
        "_task", "session",
    )  # fmt: skip

    def __init__(
        self, source: Source, session: Session, flow: Flow, in_flight: InFlight, ended: Callable[[], None]
    ) -> None:
        """`flow` bounds what requests may cost; `ended` is called once the session has ended."""
        self.session = session
        self._source = source
        self._flow = flow
        self._in_flight = in_flight
        self._ended = ended
        self._held: deque[Held] = deque()  # the requests that are not carried out yet
        self._asked = False  # whether the first of them waits for its turn
        self._first = 0  # how many commands that overtake wait for theirs
        self._task: asyncio.Task[None] | None = None  # of the request that is being carried out
        self._running: str | None = None  # the room in which that is a command
        self._ahead: set[str] = set()  # the rooms in which commands are being carried out that have overtaken others
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

        A client that is too fast fills its own socket meanwhile. When it goes, what exceeds its budget is lost.
        """
        source = self._source
        while source.inbox and len(self._held) < AHEAD:
            message = source.take()
            if self._in_flight.draining:
                continue
            request = decode(self.session, message)
            if not (self._overtakes(request) and self._go_first(message, request)):
                self._take(message, request)
        if source.gone:
            if self._asked and (self._flow.dry() or self._in_flight.draining):
                self._flow.cancel()
                self._asked = False
                self._held.clear()
                source.inbox.clear()
            if not (self._asked or self._first or self._task or self._ahead or source.reader is None):
                self._end()

    def _take(self, message: bytes | str, request: Read) -> None:
        """Carry out the request in a message, or hold the message until it can be."""
        if self._held or not self._may(request):
            self._held.append(Held(message, _room(request)))
        else:
            self._carry_out(request)

    def _may(self, request: Read) -> bool:
        """Whether a request, the first of those that wait, may be carried out now. If not, it has its turn later."""
        if self._task is not None or self._asked or _room(request) in self._ahead:
            return False
        self._asked = not self._flow.ask(price(request), self._its_turn)
        return not self._asked

    def _go_on(self) -> None:
        """Carry out the requests that are held, as far as they need not wait."""
        while self._held:
            request = decode(self.session, self._held[0].message)
            if not self._may(request):
                break
            self._held.popleft()
            self._carry_out(request)

    def _its_turn(self) -> None:
        self._asked = False
        if self._in_flight.draining:
            self._held.clear()
        else:
            self._carry_out(decode(self.session, self._held.popleft().message))
            self._go_on()
        self._read()

    def _plays(self, request: Read) -> bool:
        """Whether a request is a command of a player in a running game, which waits for nothing but its own rate."""
        if not isinstance(request, OVERTAKING):
            return False
        room = self.session.followed.get(request.room)
        state = None if room is None or room.gone else room.state
        if state is None or state.status is not Status.PLAYING:
            return False
        return state.seat_of(self.session.player_id) is not None

    def _overtakes(self, request: Read) -> bool:
        """The same, and no earlier command in that room waits: these keep their order."""
        if not self._plays(request):
            return False
        room = _room(request)
        return room != self._running and room not in self._ahead and all(room != held.room for held in self._held)

    def _go_first(self, message: bytes | str, request: Read) -> bool:
        """Carry a command out, or have it carried out, before all that waits. False: there were too many."""
        first = self._flow.ask_first(partial(self._its_turn_first, message))
        if first:
            self._carry_out(request, ahead=True)
        elif first is False:
            self._first += 1
        return first is not None

    def _its_turn_first(self, message: bytes | str) -> None:
        self._first -= 1
        if not self._in_flight.draining:
            request = decode(self.session, message)
            if self._plays(request) and _room(request) not in self._ahead:
                self._carry_out(request, ahead=True)
            else:  # the game has ended meanwhile, or the command before is not carried out yet
                self._take(message, request)
        self._read()

    def _carry_out(self, request: Read, *, ahead: bool = False) -> None:
        """Carry a request out, `ahead` of others that are held or being carried out."""
        try:
            waiting = self._context.run(handle, self.session, request)
        except Exception as error:  # noqa: BLE001 - logged; other connections go on
            self._fail(error)
            return
        self._charge()
        if waiting is not None:
            self._in_flight.began()
            task = asyncio.get_running_loop().create_task(waiting, context=self._context)
            room = _room(request)
            if ahead and room is not None:
                self._ahead.add(room)
                task.add_done_callback(partial(self._carried_out, room))
            else:
                self._task, self._running = task, room
                task.add_done_callback(partial(self._carried_out, None))

    def _charge(self) -> None:
        """Charge for what a request has cost beyond its price."""
        due, self.session.due = self.session.due, 0.0
        if due:
            self._flow.pay(due)

    def _carried_out(self, ahead: str | None, task: asyncio.Task[None]) -> None:
        """A task has ended: of the command that was `ahead` in a room, or of the first request that was held."""
        if ahead is None:
            self._task = self._running = None
        else:
            self._ahead.discard(ahead)
        self._charge()
        self._in_flight.ended()
        error = None if task.cancelled() else task.exception()
        if error is not None:
            self._fail(error)
        self._go_on()
        self._read()

    def _fail(self, error: BaseException) -> None:
        """Close the connection after a fault of the server's; no other connection is affected."""
        self._context.run(_log.error, "a request failed", exc_info=error)
        self._source.close(CloseCode.INTERNAL, "")

    def _end(self) -> None:
        source = self._source
        source.reader = None
        self._flow.end()
        try:
            self._context.run(self.session.end)
        finally:  # a stop waits for the end of every session
            self._context.run(_log.debug, "disconnected", code=source.close_code, reason=source.close_reason)
            self._ended()


def decode(session: Session, data: bytes | str) -> Read:
    """The request in a frame, or why there is none."""
    try:
        return session.codec.read_request(data)
    except Unreadable as error:
        return error.with_traceback(None)


def _room(request: Any) -> str | None:
    """The room in which a request is a command."""
    return request.room if type(request) in game.COMMANDS else None


def price(request: Read) -> float:
    """What a request costs, in milliseconds."""
    return LEAST if isinstance(request, Unreadable) else REQUESTS[type(request)].of(request)


def handle(session: Session, request: Read) -> Coroutine[Any, Any, None] | None:
    """Carry out a request, at once or by running what is returned. Every frame is answered, whatever it holds."""
    if isinstance(request, Unreadable):
        session.services.metrics.errors[request.code] += 1
        _log.debug("unreadable", code=request.code, player=session.player_id)
        session.reply(wire.Error(kind=ErrorKind.UNREADABLE, code=request.code, message=request.message), request.id)
        session.strike()
        return None
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
