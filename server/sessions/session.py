"""One connection's conversation: who it is, which rooms it follows, and the answer to each request.

A session knows players and rooms; it knows of its socket only that frames can be sent to it and that
it can be closed.
"""

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final, Protocol

import structlog
from structlog.contextvars import bind_contextvars

from fourfold.engine.errors import InvalidNotation, InvalidSetup
from fourfold.engine.match import State, Status, rehearse
from fourfold.engine.match import commands as c
from fourfold.engine.match.clock import Control
from fourfold.engine.match.events import Rejection, refused
from fourfold.engine.match.export import NoSuchFormat
from fourfold.engine.match.state import start_faults
from fourfold.engine.match.terms import Terms
from fourfold.engine.notation.game import Remark
from fourfold.protocol import from_client as ask
from fourfold.protocol import from_server as wire
from fourfold.protocol.codec import Codec
from fourfold.protocol.errors import CloseCode, ErrorKind, Unreadable
from fourfold.server.bots.dispatch import BotDispatch
from fourfold.server.clock import Clock
from fourfold.server.limits.admission import BOT, EXPORT, KEY, READ, SEAT, SPEECH, Admission
from fourfold.server.limits.refused import RequestRefused
from fourfold.server.limits.tariff import MISSED, cost
from fourfold.server.limits.yielding_lock import YieldingLock
from fourfold.server.lobby.index import ListingFilter
from fourfold.server.lobby.lobby import Lobby
from fourfold.server.lobby.matchmaking import Matchmaking, game_of, make_ready, waits
from fourfold.server.metrics import Metrics
from fourfold.server.players.identity import BadToken, Identities, Player, is_bot, level_of
from fourfold.server.rooms.fanout import Encoded
from fourfold.server.rooms.openings import Openings
from fourfold.server.rooms.registry import NoSuchRoom, Rooms
from fourfold.server.rooms.room import Room
from fourfold.server.rooms.scribe import Scribe
from fourfold.server.rooms.writer import DAMAGED, NEWER, UNAVAILABLE, Accepted, Answer
from fourfold.server.sessions.chat import Chat
from fourfold.server.sessions.inbound import COMMANDS
from fourfold.server.sessions.passwords import PasswordVault
from fourfold.server.sessions.variants import variants
from fourfold.server.storage.event_log import LogUnavailable, NewerEntry, OtherLineage, UnreadableEntry

AT_ONCE: Final = 10
"""How many moves that a game begins with are made in one turn of the event loop: half a millisecond's work."""

MAX_STRIKES: Final = 20
"""So many unreadable frames, or tokens and keys that are none, a connection may send before it is closed."""

_log = structlog.get_logger(__name__)


class Peer(Protocol):
    """The other end, as the gateway gives it."""

    @property
    def address(self) -> str:
        """Where it is: its IP address."""
        ...

    def send(self, data: bytes) -> None:
        """Take one frame's bytes; never block."""
        ...

    async def drained(self) -> None:
        """Wait until little of what was sent is still unread."""
        ...

    async def answers(self, seconds: float) -> bool:
        """Whether it answers a ping within so many seconds."""
        ...

    def close(self, code: CloseCode, reason: str) -> None:
        """End the connection, saying why."""
        ...

    @property
    def round_trip(self) -> int:
        """How long the network takes there and back, in milliseconds, as last measured; 0 before."""
        ...


@dataclass(frozen=True, slots=True)
class Services:
    """What every session of this server shares. `name` is the server's name and version, `build` the version of the
    browser client that it hands out."""

    name: str
    build: str
    rooms: Rooms
    identities: Identities
    locksmith: PasswordVault
    scribe: Scribe
    chat: Chat
    lobby: Lobby
    seeks: Matchmaking
    summons: BotDispatch
    admission: Admission
    openings: Openings
    metrics: Metrics
    clock: Clock
    turns: YieldingLock


class Session:
    """See the module. The gateway feeds `receive` and calls `end` when the connection is gone."""

    def __init__(self, peer: Peer, codec: Codec, house: Services) -> None:
        self._peer = peer
        self._codec = codec
        self._rooms = house.rooms
        self._identities = house.identities
        self._locksmith = house.locksmith
        self._scribe = house.scribe
        self._chat = house.chat
        self._lobby = house.lobby
        self._seeks = house.seeks
        self._summons = house.summons
        self._admission = house.admission
        self._openings = house.openings
        self._metrics = house.metrics
        self._turns = house.turns
        self._clock = house.clock
        self._server = house.name
        self._build = house.build
        self._player: Player | None = None
        self._followed: dict[str, Room] = {}
        self._sought: tuple[str, Room] | None = None  # which kind of game, and where it is waited for
        self._strikes = 0
        self._gone = False
        self.due = 0
        """What has been asked cost so many tokens more than one each, for which nobody has been charged yet."""

    @property
    def player_id(self) -> str:
        """Whose session it is; empty before the hello."""
        return "" if self._player is None else self._player.id

    def send(self, frame: Encoded) -> None:
        """Send a frame that may go to others too."""
        self._peer.send(frame.to(self._codec))

    def reply(self, frame: wire.Reply, id: int | None) -> None:
        """Send the answer to the request `id`."""
        if id is not None:
            frame.id = id
        self._peer.send(self._codec.encode(frame))

    async def drained(self) -> None:
        """Wait until little of what was sent is still unread."""
        await self._peer.drained()

    @property
    def origin(self) -> str:
        """The address it comes from; empty for the machine itself, which is nobody's address."""
        address = self._peer.address
        return address if self._admission.counts(address) else ""

    async def answers(self, seconds: float) -> bool:
        """Whether the client is there now: whether it answers within so many seconds."""
        return await self._peer.answers(seconds)

    def receive(self, data: bytes | str) -> Coroutine[Any, Any, None] | None:
        """Carry out one frame. Whatever it holds, it is answered: at once, or else by running what is returned."""
        try:
            request = self._codec.read_request(data)
        except Unreadable as error:
            self._metrics.errors[error.code] += 1
            _log.debug("unreadable", code=error.code, player=self.player_id)
            self.reply(wire.Error(kind=ErrorKind.UNREADABLE, code=error.code, message=error.message), error.id)
            self._strike()
            return None
        self.due += cost(request) - 1
        try:
            if self._player is None and not isinstance(request, ask.Hello | ask.Ping):
                raise RequestRefused("hello_first", 'Say hello first: {"type": "hello"}.')
            waiting = _HANDLE[type(request)](self, request)
        except _REFUSALS as error:
            self._refuse_for(error, request)
            return None
        return None if waiting is None else self._wait(waiting, request)

    async def _wait(self, waiting: Awaitable[None], request: ask.Request) -> None:
        try:
            await waiting
        except _REFUSALS as error:
            self._refuse_for(error, request)

    def _refuse_for(self, error: Exception, request: ask.Request) -> None:
        match error:
            case RequestRefused():
                self._refuse(error.rejection, request)
            case NoSuchRoom():
                self._refuse(refused("no_such_room", "There is no such room."), request)
            case UnreadableEntry():
                self._refuse(NEWER if isinstance(error, NewerEntry) else DAMAGED, request)
            case _:
                self._refuse(refused("unavailable", f"{error} Try again.", UNAVAILABLE), request)

    def _strike(self) -> None:
        """Once too often, and the connection ends: who sends such frames will not mend."""
        self._strikes += 1
        if self._strikes >= MAX_STRIKES:
            self._peer.close(CloseCode.POLICY, f"{MAX_STRIKES} unreadable frames or forged tokens or keys")

    def end(self) -> None:
        """The connection is gone: follow nothing more."""
        self._gone = True
        self._lobby.unfollow(self)
        self._summons.unregister(self)
        for room in self._followed.values():
            room.leave(self)
        self._followed.clear()

    def _refuse(self, rejection: Rejection, request: ask.Request, room: Room | None = None) -> None:
        error = wire.Error(kind=rejection.kind, code=rejection.code, message=rejection.message)
        if rejection.retry is not None:
            error.retry = rejection.retry
        id = getattr(request, "room", None)
        if id is not None:
            error.room = id
            room = room or self._followed.get(id)
            if room is not None:
                error.seq = room.shown_to(self.player_id).seq
        self._metrics.errors[error.code] += 1
        asked = request.__struct_config__.tag
        _log.debug("refused", request=asked, code=error.code, room=id, player=self.player_id)
        self.reply(error, request.id)

    # -- who --

    def _hello(self, request: ask.Hello) -> None:
        if self._player is not None:
            raise RequestRefused("already_greeted", "This connection has said hello; open another to be someone else.")
        try:
            player = self._player = self._identities.greet(request.token, request.name, bot=request.bot)
        except BadToken as error:
            self._strike()
            raise RequestRefused("bad_token", str(error)) from error
        bind_contextvars(player=player.id)
        _log.debug("hello", name=player.name)
        welcome = wire.Welcome(player.id, player.name, player.token, self._server, self._clock(), self._build)
        self.reply(welcome, request.id)

    def _variants(self, request: ask.Variants) -> None:
        self.reply(wire.Variants(variants()), request.id)

    def _ping(self, request: ask.Ping) -> None:
        self.reply(wire.Pong(self._clock()), request.id)

    # -- coming and going --

    async def _create(self, request: ask.Create) -> None:
        id = self._rooms.name(request.visibility, self.player_id, request.key)
        await self._openings.claim(self._peer.address, id)
        control = _control(request.clock)
        lock = None if request.password is None else await self._locksmith.make(request.password)
        terms = Terms(request.chat, lock, delay=request.delay)
        moves = tuple(request.moves)
        command = c.Create(request.variant, request.position, moves, request.visibility, control, terms)
        command = await self._rehearsed(command)
        room = await self._rooms.open(id, command, self.player_id, request.key)
        if isinstance(room, Rejection):
            self._refuse(room, request)
        else:
            _log.info("room opened", room=room.id, variant=request.variant, player=self.player_id)
            self.reply(wire.Created(room.id), request.id)

    async def _rehearsed(self, command: c.Create) -> c.Create:
        """The same with all its moves made, some at a time: many would keep everybody waiting if made at once."""
        command = replace(command, seed=secrets.randbits(48))
        rehearsal = rehearse(command)
        while True:
            async with self._turns:
                for _ in range(AT_ONCE):
                    try:
                        next(rehearsal)
                    except StopIteration as end:
                        return replace(command, played=end.value)

    async def _check(self, request: ask.Check) -> None:
        try:
            async with self._turns:
                faults = start_faults(request.variant, request.position)
        except InvalidNotation as error:
            self._refuse(Rejection("unreadable", error.code, error.message), request)
            return
        self.reply(wire.Checked([wire.Fault(fault.code, fault.message) for fault in faults]), request.id)

    async def _read(self, request: ask.Read) -> None:
        self._admission.do(READ, self._peer.address)
        try:
            found = await self._scribe.read(request.text, request.format)
        except (InvalidNotation, InvalidSetup) as error:
            self._refuse(Rejection("unreadable", "no_game", str(error)), request)
            return
        bad = found.failure
        stopped = None if bad is None else _stop(bad)
        remarks = [_stop(remark) for remark in found.remarks]
        ended = None if found.ending is None or found.ending.reason is None else found.ending.reason.value
        parsed = wire.Parsed(
            found.variant, found.position, list(found.moves), found.skipped, found.last, ended, stopped, remarks
        )
        self.reply(parsed, request.id)

    async def _room(self, request: Any) -> Room:
        """The room of a request, if this player may know of it. Raises `RequestRefused` and what `Rooms.find` does."""
        room = self._followed.get(request.room)
        if room is not None and not room.gone:
            return room
        room = await self._rooms.find(request.room)
        state = room.state
        assert state is not None  # a room that is found has one
        lock = state.terms.lock
        if lock is None or self._belongs_to(state):
            return room
        password = getattr(request, "password", None)
        if password is None:
            raise RequestRefused("password_needed", "This room has a password; join or watch it with one.")
        await self._locksmith.unlock(room.id, lock, password, self._peer.address)
        return room

    def _belongs_to(self, state: State) -> bool:
        """Whether this player is the host, is seated, or is a bot that the service itself has called here."""
        id = self.player_id
        level = level_of(id)  # anybody may say that they are a bot; only the service makes those that have a level
        called = level is not None and any(seat.invited == level for seat in state.seats)
        return called or id == state.host or state.seat_of(id) is not None

    async def _join(self, request: ask.Join) -> None:
        room = await self._room(request)
        assert self._player is not None  # checked in receive

        def answered(answer: Accepted | Rejection) -> None:
            if isinstance(answer, Rejection):
                self._refuse(answer, request, room)
            else:
                self._joined(request, room, answer)

        if room.state is None or room.state.seat_of(self.player_id) is None:
            self._admission.do(SEAT, self._peer.address)
        if not await make_ready(room, self.player_id, self.origin):
            raise RequestRefused("same_address", "Somebody from your address waits at this table; play at another.")
        sit = c.Sit(self._player.name, request.seat, is_bot(self.player_id))
        room.submit(sit, self.player_id, answered)

    def _joined(self, request: ask.Request, room: Room, answer: Accepted) -> None:
        assert room.state is not None
        seat = room.state.seat_of(self.player_id)
        if seat is None:
            self._refuse(refused("not_seated", "Your seat was taken from you at once; try again."), request, room)
            return
        self.reply(wire.Joined(room.id, room.state.seat_name(seat), answer.seq), request.id)
        # The decision goes to those who follow already; this session's snapshot comes after, and contains it.
        asyncio.get_running_loop().call_soon(self._enter, room)

    async def _watch(self, request: ask.Watch) -> None:
        room = await self._room(request)
        since = request.since
        if since is not None and since > room.known_to(self.player_id):
            await room.writer.load()  # another node may have told him what is still unheard here
            if room.gone:
                raise NoSuchRoom(room.id)
        if since is not None and since > room.known_to(self.player_id):
            end = room.shown_to(self.player_id).seq
            ahead = refused("ahead", f"The log of this room ends at {end}; watch it without since.")
            self._refuse(ahead, request, room)
            return
        if self._followed.get(room.id) is not room:
            self._unfollow(room.id)
        self._followed[room.id] = room
        if since is None:
            room.enter(self, request.id, preview=request.preview)
            return
        self.due += max(room.shown_to(self.player_id).seq - since, 0) // MISSED
        try:
            await room.resume(self, since, request.id, decided=request.decided, preview=request.preview)
        except OtherLineage as error:
            self._unfollow(room.id)
            self._refuse(refused("ahead", f"{error} Watch it without since."), request, room)
        except (LogUnavailable, UnreadableEntry):
            self._unfollow(room.id)
            raise

    def _enter(self, room: Room) -> None:
        if not self._gone:
            self._followed[room.id] = room
            room.enter(self)

    def _unfollow(self, id: str) -> None:
        room = self._followed.pop(id, None)
        if room is not None:
            room.leave(self)

    async def _leave(self, request: ask.Leave) -> None:
        room = await self._room(request)
        state = room.state
        seated = state is not None and state.status is Status.OPEN and state.seat_of(self.player_id) is not None

        def answered(answer: Accepted | Rejection) -> None:
            if isinstance(answer, Rejection):
                self._refuse(answer, request, room)
                return
            self.reply(wire.Ok(room=room.id, seq=answer.seq), request.id)
            self._unfollow(room.id)

        if seated:
            room.submit(c.Stand(), self.player_id, answered)
        else:
            answered(Accepted(room.shown_to(self.player_id).seq))

    async def _bot(self, request: ask.Bot) -> None:
        room = await self._room(request)
        self._admission.do(BOT, self._peer.address)
        room.submit(c.Invite(request.level, request.seat), self.player_id, self._answering(request, room))

    def _serve(self, request: ask.Serve) -> None:
        self._admission.do(KEY, self._peer.address)
        if not self._summons.register(self, request.key):
            self._strike()
            raise RequestRefused("bad_key", "This is not the key of this server's bot hosts; its BOTS_KEY is.")
        self.reply(wire.Ok(), request.id)

    async def _say(self, request: ask.Say) -> None:
        room = await self._room(request)
        if room.id not in self._followed:
            raise RequestRefused("not_following", "Watch or join this room to talk in it.")
        assert room.state is not None and self._player is not None  # found, and checked in receive
        self._admission.do(SPEECH, self._peer.address)
        text = self._chat.judge(room.state, self._player.id, request)
        await room.say(self._player.id, self._player.name, text, request.to)
        self.reply(wire.Ok(room=room.id), request.id)

    # -- the lobby --

    def _list(self, request: ask.Rooms) -> None:
        part = ListingFilter(request.variant, request.status, request.limit)
        if request.follow is False:
            self._lobby.unfollow(self)
        listings, more = self._lobby.follow(self, part) if request.follow else self._lobby.find(part)
        self.reply(wire.Rooms(listings, more), request.id)

    async def _seek(self, request: ask.Seek) -> None:
        assert self._player is not None  # checked in receive
        self._admission.do(SEAT, self._peer.address)
        control = _control(request.clock)
        game = game_of(request.variant, control)
        if self._sought is not None and self._sought[0] != game and waits(self._sought[1]):
            await self._give_up()
        may_open = partial(self._openings.claim, self._peer.address)
        answer = await self._seeks.sit(self._player, self.origin, request.variant, control, may_open)
        if isinstance(answer, Rejection):
            self._refuse(answer, request)
        else:
            self._sought = game, answer[0]
            self._joined(request, *answer)

    async def _unseek(self, request: ask.Unseek) -> None:
        await self._give_up()
        self.reply(wire.Ok(), request.id)

    async def _give_up(self) -> None:
        """Leave the room where this connection waits for others. Raises `RequestRefused` if its game has begun."""
        room = None if self._sought is None else self._sought[1]
        self._sought = None
        if room is None or self._followed.get(room.id) is not room:
            return  # left, by another road
        answer = await room.judge(c.Stand(), self.player_id)
        if isinstance(answer, Accepted):
            self._unfollow(room.id)
        elif answer.code == "already_started":
            raise RequestRefused(answer.code, "The game you sought has begun.")

    # -- the game --

    def _answering(self, request: ask.Request, room: Room) -> Answer:
        """Answers a command by `ok` or `error`."""

        def answered(answer: Accepted | Rejection) -> None:
            if isinstance(answer, Rejection):
                self._refuse(answer, request, room)
            else:
                self.reply(wire.Ok(room=room.id, seq=answer.seq), request.id)

        return answered

    def _command(self, request: Any) -> Awaitable[None] | None:
        room = self._followed.get(request.room)
        if room is None or room.gone:
            return self._command_from_outside(request)
        self._submit(request, room)  # as all moves are, without a task for each
        return None

    async def _command_from_outside(self, request: Any) -> None:
        self._submit(request, await self._room(request))

    def _submit(self, request: Any, room: Room) -> None:
        command = COMMANDS[type(request)](request, self._peer.round_trip)
        room.submit(command, self.player_id, self._answering(request, room), request.key or "")

    async def _legal(self, request: ask.Legal) -> None:
        room = await self._room(request)
        state = room.shown_to(self.player_id)
        position = state.position
        moves = position.legal_texts() if state.status is Status.PLAYING else []
        if request.square is not None:
            square = position.geometry.index.get(request.square)
            if square is None:
                bad_square = refused("bad_square", f"There is no square {request.square!r} on this board.")
                self._refuse(bad_square, request, room)
                return
            moves = [move.text for move in position.legal_moves() if move.source == square] if moves else []
        self.reply(wire.Legal(room.id, position.seats[position.turn], moves, state.seq), request.id)

    async def _export(self, request: ask.Export) -> None:
        room = await self._room(request)
        self._admission.do(EXPORT, self._peer.address)
        decisions = await room.writer.read()
        if not decisions:  # its time is over, though it is still held here
            raise NoSuchRoom(room.id)
        decisions = decisions[: room.shown_to(self.player_id).seq]
        attendance = room.attendance(self.player_id)
        try:
            text = await self._scribe.write(room.id, decisions, attendance, request.format)
        except NoSuchFormat as error:
            self._refuse(refused("no_such_format", str(error)), request, room)
            return
        self.reply(wire.Exported(room.id, request.format, text, decisions[-1].seq), request.id)


def _stop(remark: Remark) -> wire.Stop:
    return wire.Stop(remark.line, remark.ply, remark.move, remark.code, remark.reason)


def _control(clock: ask.Clock | None) -> Control | None:
    return None if clock is None else Control(clock.base, clock.increment, clock.delay)


_REFUSALS: Final = (RequestRefused, NoSuchRoom, UnreadableEntry, LogUnavailable)

_HANDLE: dict[type[ask.Request], Callable[[Session, Any], Awaitable[None] | None]] = {
    ask.Hello: Session._hello,
    ask.Ping: Session._ping,
    ask.Variants: Session._variants,
    ask.Create: Session._create,
    ask.Check: Session._check,
    ask.Read: Session._read,
    ask.Join: Session._join,
    ask.Watch: Session._watch,
    ask.Leave: Session._leave,
    ask.Bot: Session._bot,
    ask.Legal: Session._legal,
    ask.Export: Session._export,
    ask.Say: Session._say,
    ask.Rooms: Session._list,
    ask.Seek: Session._seek,
    ask.Unseek: Session._unseek,
    ask.Serve: Session._serve,
    **dict.fromkeys(COMMANDS, Session._command),
}
