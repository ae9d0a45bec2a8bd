"""Calls bots to the seats of this server's rooms that need one.

A *bot host* is a connection that has authenticated with `serve`. The server sends it a `summon` for each seat that
waits for a bot: one to which a bot is invited, or whose bot is gone for a while although somebody is there to play
with. A bot takes the seat like any player; if two come, the log lets one sit. So nothing is stored: an unanswered call
is repeated, and another host takes over from one that crashed. If this server has no host, or its host has not
answered, the call goes to all servers.
"""

import asyncio
import hashlib
import hmac
import random
from collections.abc import Collection, Iterator
from typing import Final

import msgspec
import structlog

from fourfold.engine.match import State, Status
from fourfold.protocol import from_server as wire
from fourfold.server.players.identity import Identities
from fourfold.server.ratings.levels import level_of
from fourfold.server.replication.fanout import Encoded, Follower
from fourfold.server.rooms.registry import RoomRegistry
from fourfold.server.rooms.room import Room, RoomChange
from fourfold.server.storage.event_log import EventLog, Listener, unless_unavailable
from fourfold.server.supervision import Tasks, end, supervise

ROOM: Final = "summons"
"""The room id for messages about calls between servers. No room has this id."""

LOOK: Final = 3.0
"""Seconds between checks of rooms that need bots. A bot that is missing at two checks in a row is called again."""

AGAIN: Final = 10.0
"""Seconds without an answer after which a call is repeated."""

_log = structlog.get_logger(__name__)


class BotCall(msgspec.Struct, array_like=True, frozen=True):
    """A seat that waits for a bot of a level, or for one particular bot, the `player`."""

    room: str
    seat: str
    level: int
    player: str | None


_encode: Final = msgspec.msgpack.Encoder().encode
_decode: Final = msgspec.msgpack.Decoder(BotCall).decode


def key_of(secret: bytes) -> str:
    """The key that authenticates a bot host, derived from the servers' secret."""
    return hashlib.blake2b(b"serve", key=secret, person=b"bot host", digest_size=18).hexdigest()


class BotDispatch(Listener):
    """Calls bots, from `open` to `close`."""

    def __init__(self, log: EventLog, identities: Identities, key: str) -> None:
        self._log = log
        self._identities = identities
        self._key = key
        self._rooms: RoomRegistry
        self._hosts: list[Follower] = []
        self._wanting: dict[str, Room] = {}
        self._missed: set[BotCall] = set()
        self._called: dict[BotCall, float] = {}
        self._tasks = Tasks()
        self._looking: asyncio.Task[None]

    async def open(self, rooms: RoomRegistry) -> None:
        """Start. Raises `LogUnavailable`."""
        self._rooms = rooms
        await self._log.follow(ROOM, self)
        self._looking = supervise("summons", self._look_on)

    async def close(self) -> None:
        """Stop."""
        await end([self._looking, *self._tasks])
        await self._log.unfollow(ROOM, self)

    # -- hosts --

    def register(self, host: Follower, key: str) -> bool:
        """Send a host the calls from now on, and pending calls at once; returns False if the key is wrong."""
        if not hmac.compare_digest(key.encode(), self._key.encode()):
            return False
        if host not in self._hosts:
            self._hosts.append(host)
            _log.info("bot host", hosts=len(self._hosts))
        self._called.clear()
        for room in self._wanting.values():
            self._look(room)
        return True

    def unregister(self, host: Follower) -> None:
        """Stop sending calls to a connection, if it is a host."""
        if host in self._hosts:
            self._hosts.remove(host)
            self._called.clear()

    # -- rooms --

    def notice(self, change: RoomChange) -> None:
        """This server has changed a room, or its followers."""
        room, state = change.room, change.after
        if not change.news:
            return
        if any(seat.invited is not None or _house_bot(seat.player, seat.stand_in) for seat in state.seats):
            self._wanting[room.id] = room
            self._look(room)
        else:
            self._wanting.pop(room.id, None)

    async def _look_on(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(LOOK)
            missed, now = set(), loop.time()
            unanswered = {call for call, at in self._called.items() if now - at >= AGAIN}
            for call in unanswered:
                del self._called[call]
            for id, room in list(self._wanting.items()):
                if room.gone or not self._rooms.holds(room):
                    del self._wanting[id]
                    continue
                missed |= set(self._deserted(room))
                self._look(room, unanswered)
            self._missed = missed

    def _look(self, room: Room, unanswered: Collection[BotCall] = ()) -> None:
        """Make the due calls of a room. Those that have had no answer go to all servers."""
        for call in (*_invitations(room), *(call for call in self._deserted(room) if call in self._missed)):
            if call not in self._called:
                self._called[call] = asyncio.get_running_loop().time()
                self._call(call, here=call not in unanswered)

    def _deserted(self, room: Room) -> Iterator[BotCall]:
        """Calls for seats whose bot is gone, while somebody is there."""
        state = room.state
        if state is None or state.status is Status.FINISHED:
            return
        online = room.online()
        bots = {index: bot for index, seat in enumerate(state.seats) if (bot := _house_bot(seat.player, seat.stand_in))}
        if not room.watchers and not online - bots.keys():
            return
        for index, bot in bots.items():
            level = level_of(bot)
            if index not in online and level is not None and _is_first(state, index):
                yield BotCall(room.id, state.seat_name(index), level, bot)

    def _call(self, call: BotCall, *, here: bool) -> None:
        if here and self._hosts:
            self._pass_on(call)
        else:
            self._tasks.start(self._tell(call))

    async def _tell(self, call: BotCall) -> None:
        with unless_unavailable(_log, "bot call not sent", room=call.room):  # the call will be repeated
            await self._log.tell(ROOM, _encode(call))

    def _pass_on(self, call: BotCall) -> None:
        bot = self._identities.house_bot(call.level, call.player)
        random.choice(self._hosts).send(Encoded(wire.Summon(call.room, call.seat, call.level, bot.token)))

    # -- messages of nodes --

    def told(self, message: bytes) -> None:
        """A server, perhaps this one, has sent a call to all servers. Pass it on to a host of this one."""
        try:
            call = _decode(message)
        except msgspec.DecodeError:
            return  # of a newer version
        if self._hosts:
            self._pass_on(call)

    def __len__(self) -> int:
        """The number of hosts."""
        return len(self._hosts)


def _invitations(room: Room) -> Iterator[BotCall]:
    """Calls for seats to which a bot is invited and none has come."""
    state = room.state
    if state is None or state.status is Status.FINISHED:
        return
    for index, seat in enumerate(state.seats):
        if seat.invited is not None and seat.stand_in is None and _is_first(state, index):
            yield BotCall(room.id, state.seat_name(index), seat.invited, None)


def _is_first(state: State, seat: int) -> bool:
    """Whether a seat is the only one of its player, or the first. One bot comes for all of them."""
    return state.together(seat)[0] == seat


def _house_bot(player: str | None, stand_in: str | None) -> str | None:
    """The bot of a seat, if this service called it."""
    return next((bot for bot in (stand_in, player) if bot is not None and level_of(bot) is not None), None)
