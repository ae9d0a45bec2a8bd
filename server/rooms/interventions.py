"""What an operator's command does in a room.

The process of the command writes to no room's log: it tells all servers, and each gives a command of the match to its
own writer of the room, under one key. So it is carried out once, in the usual way.
"""

import asyncio
from typing import Final

import msgspec
import structlog

from fourfold.engine.match.commands import Close, Kick
from fourfold.engine.match.decide import NOBODY
from fourfold.server.rooms.holding import NoSuchRoom
from fourfold.server.rooms.registry import RoomRegistry
from fourfold.server.storage.event_log import EventLog, Listener, LogUnavailable, UnreadableEntry
from fourfold.server.supervision import end

ROOM: Final = "interventions"
"""The room id under which servers are told. No room has such an id."""

_log = structlog.get_logger(__name__)


class Intervention(msgspec.Struct):
    """What is to be done in a room: free a `seat`, or close the room if that is None. `key` is the command's."""

    room: str
    key: str
    seat: str | None = None

    def command(self) -> Kick | Close:
        """The command of the match."""
        return Close() if self.seat is None else Kick(self.seat)


_encode: Final = msgspec.msgpack.Encoder().encode
_decode: Final = msgspec.msgpack.Decoder(Intervention).decode


async def publish(log: EventLog, intervention: Intervention) -> int:
    """Tell all servers; returns how many were told. Raises `LogUnavailable`."""
    return await log.tell(ROOM, _encode(intervention))


class Interventions(Listener):
    """Carries out what this server is told, from `open` to `close`. What it misses, another does."""

    def __init__(self, log: EventLog, rooms: RoomRegistry) -> None:
        self._log = log
        self._rooms = rooms
        self._tasks: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        """Begin. Raises `LogUnavailable`."""
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
        task = asyncio.create_task(self._carry_out(intervention))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _carry_out(self, intervention: Intervention) -> None:
        try:
            room = await self._rooms.find(intervention.room)
            await room.judge(intervention.command(), NOBODY, intervention.key)
        except (NoSuchRoom, LogUnavailable, UnreadableEntry) as error:
            _log.debug("intervention not carried out", room=intervention.room, error=str(error))
