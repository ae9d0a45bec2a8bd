"""One connection's conversation: its player, the rooms it follows, and its replies.

A session knows its socket only as a `Peer`, which sends frames and can be closed. The handlers of requests are the
modules beside this one. `inbound` reads the requests and finds their handlers.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Protocol

import structlog

from fourfold.engine.decisions import Rejection
from fourfold.engine.match import State
from fourfold.protocol import from_client as ask
from fourfold.protocol import from_server as wire
from fourfold.protocol.codec import Codec
from fourfold.protocol.errors import CloseCode
from fourfold.server.archive.archive import Archive
from fourfold.server.bots.analysts import Analysts
from fourfold.server.bots.dispatch import BotDispatch
from fourfold.server.bots.reviews import Reviews
from fourfold.server.clock import Clock
from fourfold.server.console import Console
from fourfold.server.limits.admission import Admission
from fourfold.server.limits.refused import RequestRefused
from fourfold.server.lobby.challenges import Challenges
from fourfold.server.lobby.leavers import Leavers
from fourfold.server.lobby.lobby import Lobby
from fourfold.server.lobby.matchmaking import Matchmaking
from fourfold.server.lobby.neighbours import Neighbours
from fourfold.server.lobby.online import Online
from fourfold.server.lobby.player_rooms import PlayerRooms
from fourfold.server.lobby.seating import Seating
from fourfold.server.lobby.strengths import Strengths
from fourfold.server.lobby.widening import Widening
from fourfold.server.metrics import Metrics
from fourfold.server.players.accounts import Accounts
from fourfold.server.players.first_admin import FirstAdmin
from fourfold.server.players.identity import Player
from fourfold.server.players.moderation import Moderation
from fourfold.server.players.passkeys import Ceremony
from fourfold.server.ratings.levels import level_of
from fourfold.server.replication.fanout import Encoded
from fourfold.server.rooms.export import GameConverter
from fourfold.server.rooms.registry import RoomRegistry
from fourfold.server.rooms.room import Room
from fourfold.server.rooms.room_limits import RoomLimits
from fourfold.server.sessions.chat import Chat
from fourfold.server.sessions.passwords import PasswordVault
from fourfold.server.sessions.refusals import refusing
from fourfold.server.studies.catalogue import Catalogue
from fourfold.server.studies.registry import StudyRegistry
from fourfold.server.studies.room import StudyRoom
from fourfold.server.yielding_lock import YieldingLock

REASON: Final = 120
"""Most bytes of a reason in a close frame."""

MAX_STRIKES: Final = 20
"""How many unreadable frames and forged tokens or keys a connection may send before the server closes it."""

MOST_FOLLOWED: Final = 100
"""How many rooms and studies a connection may follow at a time. Each room uses some 25 KB of the server's memory, a
study up to a megabyte. A page of games shows fewer."""

_log = structlog.get_logger(__name__)


class Peer(Protocol):
    """A connection to a client: its requests, and the way to answer. `transport.connection.Connection` implements it,
    in a folder above this one."""

    address: str
    """The client's IP address."""
    page: str
    """The origin of the page that opened the connection; empty for a program."""
    round_trip: int
    """The last measured round trip of the network, in milliseconds; 0 before the first measurement."""
    gone: bool
    """Whether the connection has ended. The session may go on for as long as a request is carried out."""
    inbox: list[bytes | str]
    """The received messages; the reader removes them."""
    paused: bool
    """Whether the socket is not read, because the inbox is full."""
    reader: Callable[[], None] | None
    """Called when the inbox is no longer empty, and when the connection has ended."""

    def send(self, data: bytes) -> None:
        """Send one WebSocket frame. Never blocks."""

    async def drained(self) -> None:
        """Wait until the client has read most of the sent frames."""

    async def answers(self, seconds: float) -> bool:
        """Whether the client answers a ping within `seconds`."""

    def close(self, code: CloseCode, reason: str) -> None:
        """Close the connection, giving the reason."""

    @property
    def name(self) -> str:
        """The connection's name in the log."""

    @property
    def close_code(self) -> int:
        """The close code that the client sent."""

    @property
    def close_reason(self) -> str:
        """The reason that the client sent with the close code."""

    def taken(self) -> None:
        """The caller has removed messages from the inbox while reading was paused."""

    def expect(self, seconds: float, late: Callable[[], None]) -> None:
        """Call `late` after `seconds`, unless `expect` is called again before."""


@dataclass(frozen=True, slots=True)
class Services:
    """The objects that all sessions of this server share."""

    name: str
    """The server's name and version."""
    build: str
    """The version of the browser client's files."""
    rooms: RoomRegistry
    accounts: Accounts
    passwords: PasswordVault
    converter: GameConverter
    chat: Chat
    lobby: Lobby
    player_rooms: PlayerRooms
    neighbours: Neighbours
    archive: Archive
    matchmaking: Matchmaking
    widening: Widening
    seating: Seating
    online: Online
    challenges: Challenges
    moderation: Moderation
    first_admin: FirstAdmin
    leavers: Leavers
    strengths: Strengths
    bots: BotDispatch
    analysts: Analysts
    reviews: Reviews
    studies: StudyRegistry
    catalogue: Catalogue
    admission: Admission
    room_limits: RoomLimits
    metrics: Metrics
    console: Console
    clock: Clock
    long_work: YieldingLock
    """Held for each piece of a long computation."""


class Session:
    """The state of a conversation, and its replies. The handlers of requests read and change it."""

    def __init__(self, peer: Peer, codec: Codec, services: Services) -> None:
        self.peer = peer
        self.codec = codec
        self.services = services
        self.player: Player | None = None
        """The player; None before `hello`."""
        self.ceremony: Ceremony | None = None
        """The passkey ceremony in progress on this connection."""
        self.followed: dict[str, Room] = {}
        """The rooms that the client follows, by id."""
        self.studies: dict[str, StudyRoom] = {}
        """The studies that the client follows, by id."""
        self.pieces: tuple[str, ...] = ()
        """The pieces received of an incomplete text: at most `MAX_PIECES`."""
        self.told_of = 0
        """The time of the latest departure that the player was warned about."""
        self.sought: tuple[str, Room] | None = None
        """The name of the seek, and the room in which the player waits. The name of a seek of an earlier connection is
        empty."""
        self.analysis = ""
        """The job of the client's latest analysis; empty if there was none."""
        self.due = 0.0
        """Milliseconds of request cost not charged yet: see `limits.prices`."""
        self.gone = False
        """Whether the connection has ended."""
        self._strikes = 0

    # -- identity --

    @property
    def player_id(self) -> str:
        """The player's id; empty before `hello`."""
        return "" if self.player is None else self.player.id

    @property
    def greeted(self) -> Player:
        """The player, for requests that come after `hello`."""
        assert self.player is not None  # without a player, only `hello` and `ping` are accepted
        return self.player

    @property
    def address(self) -> str:
        """The client's address, as `Admission.address` writes it."""
        return self.peer.address

    @property
    def origin(self) -> str:
        """The client's address; empty for the server's own machine, which has no limits."""
        address = self.peer.address
        return address if self.services.admission.counts(address) else ""

    # -- inbound --

    def strike(self) -> None:
        """Count a bad frame, token or key; close the connection after `MAX_STRIKES`."""
        self._strikes += 1
        if self._strikes >= MAX_STRIKES:
            self.peer.close(CloseCode.POLICY, f"{MAX_STRIKES} unreadable frames or forged tokens or keys")

    def sign_out(self) -> None:
        """Close the connection, because its session was signed out."""
        self.peer.close(CloseCode.SIGNED_OUT, "this device was signed out")

    def banish(self, why: str) -> None:
        """Close the connection, because its player or address is banned."""
        self.peer.close(CloseCode.BANNED, why.encode()[:REASON].decode(errors="ignore"))

    def announce(self, text: str) -> None:
        """Send the client an announcement to everyone."""
        self.peer.send(self.codec.frame(wire.Announced(text, self.services.clock())))

    async def answers(self, seconds: float) -> bool:
        """Whether the client answers a ping within `seconds`."""
        return await self.peer.answers(seconds)

    # -- outbound --

    def send(self, frame: Encoded) -> None:
        """Send a frame that other sessions may share."""
        self.peer.send(frame[self.codec])

    def reply(self, frame: wire.Reply, id: int | None) -> None:
        """Send the reply to the request `id`."""
        if id is not None:
            frame.id = id
        self.peer.send(self.codec.frame(frame))

    def refuse(self, rejection: Rejection, request: ask.Request, room: Room | None = None) -> None:
        """Answer a request with `error`, and with the version of its room that the player may know."""
        error = wire.Error(kind=rejection.kind, code=rejection.code, message=rejection.message)
        if rejection.retry is not None:
            error.retry = rejection.retry
        id = getattr(request, "room", None)
        if id is not None:
            error.room = id
            room = room or self.followed.get(id)
            if room is not None:
                error.seq = room.feed.shown_to(self.player_id).seq
        self.services.metrics.errors[error.code] += 1
        asked = request.__struct_config__.tag
        _log.debug("refused", request=asked, code=error.code, room=id, player=self.player_id)
        self.reply(error, request.id)

    def answer(self, request: ask.Request, room: Room, answer: int | Rejection) -> None:
        """Answer a command that a room has decided: `ok` with its version, or `error`."""
        if isinstance(answer, Rejection):
            self.refuse(answer, request, room)
        else:
            self.reply(wire.Ok(room=room.id, seq=answer), request.id)

    async def drained(self) -> None:
        """Wait until the client has read most of the sent frames, and all other clients that are sent much have had
        their turn."""
        await self.peer.drained()
        async with self.services.long_work:
            pass

    # -- rooms --

    async def room(self, request: Any) -> Room:
        """The room that a request names, if this player has access to it.

        Raises `RequestRefused`, `NoSuchRoom`, `UnreadableEntry` or `LogUnavailable`.
        """
        room = self.followed.get(request.room)
        if room is not None and not room.gone:
            return room
        room = await self.services.rooms.find(request.room)
        state = room.state
        assert state is not None  # a room that was found has one
        if self._belongs_to(state):
            return room
        with refusing():
            self.services.moderation.enter(room.id)
        lock = state.terms.lock
        if lock is None:
            return room
        password = getattr(request, "password", None)
        if password is None:
            raise RequestRefused("password_needed", "This room has a password. Send it with `join` or `watch`.")
        await self.services.passwords.unlock(room.id, lock, password, self.peer.address)
        return room

    def _belongs_to(self, state: State) -> bool:
        """Whether the player is the host, has a seat, or is a bot that this server called to the room."""
        id = self.player_id
        level = level_of(id)  # any client may claim to be a bot; only the server creates those with a level
        called = level is not None and any(seat.invited == level for seat in state.seats)
        return called or id == state.host or state.seat_of(id) is not None

    def may_follow(self, id: str) -> None:
        """Raises `RequestRefused` if the client already follows as many rooms as it may, not counting the room `id`."""
        here = id in self.followed or id in self.studies
        if len(self.followed) + len(self.studies) >= MOST_FOLLOWED and not here and self.origin:
            raise RequestRefused(
                "too_many_rooms_followed", f"You can follow {MOST_FOLLOWED} rooms on one connection. Leave one first."
            )

    def enter(self, room: Room) -> None:
        """Follow a room in which the player has a seat."""
        if not self.gone:
            self.followed[room.id] = room
            room.enter(self)

    def unfollow(self, id: str) -> None:
        """Stop following a room."""
        room = self.followed.pop(id, None)
        if room is not None:
            room.leave(self)

    def end(self) -> None:
        """The connection has ended: stop following everything."""
        self.gone = True
        self.services.lobby.unfollow(self)
        self.services.bots.unregister(self)
        self.services.online.unhost(self)
        self.services.analysts.unregister(self)
        self.services.analysts.end(self.analysis)
        if self.player is not None:
            self.services.accounts.leave(self, self.player)
            self.services.online.unfollow(self)
            self.services.online.go(self, self.player)
        for room in self.followed.values():
            room.leave(self)
        self.followed.clear()
        for study in self.studies.values():
            study.leave(self)
        self.studies.clear()
