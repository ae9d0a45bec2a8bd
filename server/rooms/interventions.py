"""Applies operators' commands to rooms.

The process of the command writes to no log. It notifies all servers. Each server submits the same match command, under
one key, to its own writer of the room. So the command takes effect once, like any other command.
"""

from typing import Final

import msgspec
import structlog

from fourfold.engine.match.commands import Close, Kick
from fourfold.engine.match.decide import NOBODY
from fourfold.server.replication.holding import NoSuchRoom
from fourfold.server.rooms.registry import RoomRegistry
from fourfold.server.storage.event_log import EventLog, Listener, LogUnavailable, UnreadableEntry
from fourfold.server.supervision import Tasks, end

ROOM: Final = "interventions"
"""The room id for messages to all servers. No room has this id."""

_log = structlog.get_logger(__name__)


class Intervention(msgspec.Struct):
    """An intervention: free `seat`, or close the room if that is None. `key` is the key of the command."""

    room: str
    key: str
    seat: str | None = None

    def command(self) -> Kick | Close:
        """The command of the match."""
        return Close() if self.seat is None else Kick(self.seat)


_encode: Final = msgspec.msgpack.Encoder().encode
_decode: Final = msgspec.msgpack.Decoder(Intervention).decode


async def publish(log: EventLog, intervention: Intervention) -> int:
    """Notify all servers; returns how many got it. Raises `LogUnavailable`."""
    return await log.tell(ROOM, _encode(intervention))


class Interventions(Listener):
    """Carries out the interventions that reach this server, from `open` to `close`. If it misses one, another server
    acts."""

    def __init__(self, log: EventLog, rooms: RoomRegistry) -> None:
        self._log = log
        self._rooms = rooms
        self._tasks = Tasks()

    async def open(self) -> None:
        """Start. Raises `LogUnavailable`."""
        await self._log.follow(ROOM, self)

    async def close(self) -> None:
        """Stop."""
        await self._log.unfollow(ROOM, self)
        await end(self._tasks)

    def told(self, message: bytes) -> None:
        try:
            intervention = _decode(message)
        except msgspec.DecodeError as error:
            _log.debug("intervention not read", error=str(error))  # of a newer version
            return
        self._tasks.start(self._carry_out(intervention))

    async def _carry_out(self, intervention: Intervention) -> None:
        try:
            room = await self._rooms.find(intervention.room)
            await room.judge(intervention.command(), NOBODY, intervention.key)
        except (NoSuchRoom, LogUnavailable, UnreadableEntry) as error:
            _log.debug("intervention not carried out", room=intervention.room, error=str(error))
