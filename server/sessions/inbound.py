"""The requests of one connection: read in order, paced by the limits, each passed to its handler."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine
from contextvars import copy_context
from functools import partial
from typing import Any, Final, NamedTuple

import structlog
from structlog.contextvars import bind_contextvars

from fourfold.engine.decisions import Rejection, refused
from fourfold.engine.match import Status
from fourfold.protocol import from_client as ask
from fourfold.protocol import from_server as wire
from fourfold.protocol.errors import CloseCode, ErrorKind, Unreadable
from fourfold.server.limits.prices import LEAST, REQUESTS
from fourfold.server.limits.refused import RequestRefused, RequestRejected
from fourfold.server.limits.turns import Flow
from fourfold.server.replication.holding import NoSuchRoom
from fourfold.server.replication.rejections import DAMAGED, NEWER, UNAVAILABLE
from fourfold.server.sessions import (
    accounts,
    administration,
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
"""Seconds within which a connection must say hello."""

AHEAD: Final = 8
"""How many requests of a connection are read before their turn comes."""

OVERTAKING: Final = (ask.Move, ask.Vote, ask.Resign, ask.Claim)
"""Commands that overtake other requests when a player of a running game sends them. Only their own rate limits them."""

_log = structlog.get_logger(__name__)

Read = ask.Request | Unreadable
"""The content of a frame: a request, or the reason why it is unreadable."""

Handler = Callable[[Session, Any], Awaitable[None] | None]
"""Handles a request: at once, or in the coroutine that it returns.

Raises `RequestRejected`, `NoSuchRoom`, `UnreadableEntry` or `LogUnavailable`. Each of these answers the request with
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
    ask.React: rooms.react,
    ask.Chat: rooms.chat,
    ask.Rooms: lobby.list_rooms,
    ask.Pool: lobby.list_pool,
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
    ask.Preferences: accounts.preferences,
    ask.Rename: accounts.rename,
    ask.Administer: accounts.administer,
    ask.Revoke: accounts.revoke,
    ask.Grant: accounts.grant,
    ask.Moderate: moderation.moderate,
    ask.Moderation: moderation.show,
    ask.Report: moderation.report,
    ask.Settle: moderation.settle,
    ask.Status: administration.status,
    ask.Doctor: administration.doctor,
    ask.Accounts: administration.accounts,
    ask.Backups: administration.backups,
    ask.Backup: administration.backup,
    ask.Operate: administration.operate,
    ask.SetUp: administration.set_up,
    ask.Bot: bots.invite,
    ask.Serve: bots.serve,
    ask.Study: studies.create,
    ask.Piece: studies.piece,
    ask.Chapters: studies.read_chapters,
    ask.Import: studies.import_game,
    ask.Edit: studies.edit,
    ask.Look: studies.look,
    ask.Stand: studies.stand,
    ask.Studies: studies.list_studies,
    **dict.fromkeys(game.COMMANDS, game.command),
}

_REFUSALS: Final = (RequestRejected, NoSuchRoom, UnreadableEntry, LogUnavailable)


class Held(NamedTuple):
    """A message whose request still waits, and the room if it is a command.

    The decoded request can take ten times as much memory as the message.
    """

    message: bytes | str
    room: str | None


class InFlight:
    """Counts the requests in progress, so that a shutdown can wait for them."""

    def __init__(self) -> None:
        self.draining = False
        """Whether the server has stopped accepting requests."""
        self._count = 0
        self._none_left = asyncio.Event()

    def began(self) -> None:
        """Count a request."""
        self._count += 1

    def ended(self) -> None:
        """Uncount a request."""
        self._count -= 1
        if self.draining and not self._count:
            self._none_left.set()

    async def drain(self) -> None:
        """Wait until all requests in progress have ended."""
        if self._count:
            await self._none_left.wait()


class Inbound:
    """Reads the requests of one connection.

    Most requests are handled at once. A request that has to wait runs in a task, and the next one starts when that task
    ends. Only the commands of a player in a running game overtake others.
    """

    __slots__ = (
        "_ahead", "_asked", "_context", "_ended", "_first", "_flow", "_held", "_in_flight", "_running", "_source",
        "_task", "session",
    )  # fmt: skip

    def __init__(
        self, source: Peer, session: Session, flow: Flow, in_flight: InFlight, ended: Callable[[], None]
    ) -> None:
        """`flow` limits the cost of requests. `ended` is called once the session has ended."""
        self.session = session
        self._source = source
        self._flow = flow
        self._in_flight = in_flight
        self._ended = ended
        self._held: deque[Held] = deque()  # requests not handled yet
        self._asked = False  # whether the first of them waits for its turn
        self._first = 0  # how many overtaking commands wait for their turn
        self._task: asyncio.Task[None] | None = None  # the task of the request in progress
        self._running: str | None = None  # the room of that request, if it is a command
        self._ahead: set[str] = set()  # rooms with an overtaking command in progress
        self._context = copy_context()  # the fields that the log adds for this connection
        self._context.run(bind_contextvars, connection=source.name)

    def begin(self) -> None:
        """Start reading. The inbox already holds what the client has sent so far."""
        self._context.run(_log.debug, "connected", address=self._source.address)
        self._source.expect(HELLO, self._late)
        self._source.reader = self._read
        self._read()

    def _late(self) -> None:
        if not self.session.player_id:
            self._source.close(CloseCode.POLICY, f'no hello within {HELLO:.0f} s; say {{"type": "hello"}} first')

    def _read(self) -> None:
        """Handle the requests in the inbox until one has to wait.

        Meanwhile, a client that sends too fast fills its own socket. If it disconnects, requests beyond its budget are
        lost.
        """
        source = self._source
        while source.inbox and len(self._held) < AHEAD:
            message = source.inbox.pop(0)
            if source.paused:
                source.taken()
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
        """Handle the request of a message, or hold the message until its turn."""
        if self._held or not self._may(request):
            self._held.append(Held(message, _room(request)))
        else:
            self._carry_out(request)

    def _may(self, request: Read) -> bool:
        """Whether the first waiting request may be handled now. If not, its turn comes later."""
        if self._task is not None or self._asked or _room(request) in self._ahead:
            return False
        self._asked = not self._flow.ask(price(request), self._its_turn)
        return not self._asked

    def _go_on(self) -> None:
        """Handle the held requests, as far as they need not wait."""
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
        """Whether a request is a command of a player in a running game, which only its own rate limits."""
        if not isinstance(request, OVERTAKING):
            return False
        room = self.session.followed.get(request.room)
        state = None if room is None else room.live
        if state is None or state.status is not Status.PLAYING:
            return False
        return state.seat_of(self.session.player_id) is not None

    def _overtakes(self, request: Read) -> bool:
        """Whether a request may overtake: as in `_plays`, with no earlier command waiting in that room. Commands of one
        room keep their order."""
        if not self._plays(request):
            return False
        room = _room(request)
        return room != self._running and room not in self._ahead and all(room != held.room for held in self._held)

    def _go_first(self, message: bytes | str, request: Read) -> bool:
        """Handle a command before all waiting requests, or schedule it. Returns False if too many commands wait."""
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
            else:  # the game has ended meanwhile, or the previous command is still in progress
                self._take(message, request)
        self._read()

    def _carry_out(self, request: Read, *, ahead: bool = False) -> None:
        """Handle a request; `ahead` says that it overtakes others."""
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
        """Charge for the cost of a request beyond its price."""
        due, self.session.due = self.session.due, 0.0
        if due:
            self._flow.pay(due)

    def _carried_out(self, ahead: str | None, task: asyncio.Task[None]) -> None:
        """Finish a task: the command that was `ahead` in a room, or the first held request."""
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
        """Close the connection after a server error. Other connections are not affected."""
        self._context.run(_log.error, "a request failed", exc_info=error)
        self._source.close(CloseCode.INTERNAL, "")

    def _end(self) -> None:
        source = self._source
        source.reader = None
        self._flow.end()
        try:
            self._context.run(self.session.end)
        finally:  # a shutdown waits for the end of every session
            self._context.run(_log.debug, "disconnected", code=source.close_code, reason=source.close_reason)
            self._ended()


def decode(session: Session, data: bytes | str) -> Read:
    """The request in a frame, or the reason why it is unreadable."""
    try:
        return session.codec.read_request(data)
    except Unreadable as error:
        error.__cause__ = error.__context__ = None  # its frames lead back to this error: only the collector frees such
        return error.with_traceback(None)


def _room(request: Any) -> str | None:
    """The room of a request that is a command; else None."""
    return request.room if type(request) in game.COMMANDS else None


def price(request: Read) -> float:
    """The price of a request, in milliseconds."""
    return LEAST if isinstance(request, Unreadable) else REQUESTS[type(request)].of(request)


def handle(session: Session, request: Read) -> Coroutine[Any, Any, None] | None:
    """Handle a request: at once, or in the coroutine that this returns. Every frame gets an answer."""
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
        case RequestRejected():
            return error.rejection
        case NoSuchRoom():
            return refused("no_such_room", "There is no such room.")
        case NewerEntry():
            return NEWER
        case UnreadableEntry():
            return DAMAGED
        case _:
            return refused("unavailable", f"{error} Try again.", UNAVAILABLE)
