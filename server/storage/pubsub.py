"""Subscriptions at one store node: a connection that receives the appends and messages of other servers.

A connection that is lost, or silent when it is made or pinged, is replaced, and listeners that may have missed
something are notified. The channels are shard channels: on a cluster, only those belong to the node that holds the
room.

A message is `<version> <time> <seal><packed decision>`, or `!` and the message of a server.
"""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any, Final

import structlog
from redis.asyncio.connection import AbstractConnection
from redis.exceptions import RedisError, ResponseError

from fourfold.server.storage.event_log import Listener, Notification
from fourfold.server.storage.records import SIZE, unpack
from fourfold.server.supervision import end, supervise

PING: Final = 1.0
"""Seconds between pings of the connection."""

SILENCE: Final = 3
"""How many pings without any answer mean that the connection is dead."""

TOLD: Final = b"!"
"""Marks a message that is not a decision."""

_log = structlog.get_logger(__name__)


class Subscriptions:
    """Notifies listeners from `start` to `close`."""

    def __init__(self, connection: AbstractConnection, displaced: Callable[[], None]) -> None:
        """`displaced` is called when a channel has moved to another node."""
        self.confirmed: set[bytes] = set()
        """The channels whose subscription the node has confirmed."""
        self._connection = connection
        self._displaced = displaced
        self._listeners: dict[bytes, Listener] = {}
        self._awaited: dict[bytes, asyncio.Future[None]] = {}
        self._wanted = asyncio.Event()
        self._up = False
        self._heard = False  # since the last ping
        self._heard_of = False  # since the connection was made
        self._tasks: list[asyncio.Task[None]] = []
        self._soon = asyncio.get_running_loop().call_soon  # a listener's fault must not end this task

    def start(self) -> None:
        """Connect on the first subscription, and stay connected."""
        self._tasks = [supervise("doorbells", self._listen), supervise("doorbell pings", self._ping)]

    async def close(self) -> None:
        """Stop listening."""
        await end(self._tasks)
        await self._connection.disconnect(nowait=True)

    async def add(self, channel: bytes, listener: Listener) -> None:
        """Listen to a channel. Returns once the node has confirmed it, however long that takes."""
        confirmed = self._awaited.get(channel) or asyncio.get_running_loop().create_future()
        await self.adopt(channel, listener, confirmed)
        await asyncio.shield(confirmed)

    async def adopt(self, channel: bytes, listener: Listener, awaited: "asyncio.Future[None] | None") -> None:
        """Listen to a channel that another node had.

        Once it is confirmed, `awaited` is done. Without `awaited`, the listener's `missed` is called.
        """
        self._listeners[channel] = listener
        if awaited is not None:
            self._awaited[channel] = awaited
        self._wanted.set()
        await self._send("SSUBSCRIBE", channel)

    async def release(self, channel: bytes) -> "asyncio.Future[None] | None":
        """Stop listening, because the channel has moved to another node; returns the future to pass to that node's
        `adopt`."""
        self._listeners.pop(channel, None)
        awaited = self._awaited.pop(channel, None)
        if channel in self.confirmed:
            self.confirmed.discard(channel)
            await self._send("SUNSUBSCRIBE", channel)
        return awaited

    async def remove(self, channel: bytes, listener: Listener) -> None:
        """Stop listening, unless the channel has a new listener."""
        if self._listeners.get(channel) is listener:
            del self._listeners[channel]
            self._awaited.pop(channel, None)
            self.confirmed.discard(channel)
            await self._send("SUNSUBSCRIBE", channel)

    async def _send(self, *command: str | bytes) -> None:
        """Send a command if there is a connection. If there is none, the next one subscribes to everything anyway."""
        if self._up and self._connection.is_connected:
            try:
                await self._connection.send_command(*command, check_health=False)
            except (RedisError, OSError) as error:
                _log.debug("subscription not sent", error=str(error))  # the reader notices, and reconnects

    async def _listen(self) -> None:
        while True:
            if not self._listeners:
                self._wanted.clear()
                await self._wanted.wait()
            try:
                async with asyncio.timeout(PING * SILENCE):
                    await self._connection.connect()  # type: ignore[no-untyped-call]
                commands = self._connection.pack_commands(("SSUBSCRIBE", channel) for channel in self._listeners)
                self._up = True  # from here on, `adopt` sends by itself
                await self._connection.send_packed_command(commands, check_health=False)
                while True:
                    await self._hear()
            except (RedisError, OSError) as error:
                say = _log.warning if self._up and self._heard_of else _log.debug
                say("doorbells lost", error=str(error), channels=len(self._listeners))
            finally:
                self._up = self._heard_of = False
                self.confirmed.clear()
                await self._connection.disconnect(nowait=True)
            await asyncio.sleep(0.1)  # paces the attempts

    async def _hear(self) -> None:
        try:
            answer: Any = await self._connection.read_response(disconnect_on_error=False, push_request=True)
        except ResponseError as error:
            _log.warning("doorbell refused", error=str(error))
            self._displaced()
            return
        self._heard = self._heard_of = True
        if not isinstance(answer, list) or len(answer) < 3:
            return  # the answer to a ping
        kind, channel, message = answer
        listener = self._listeners.get(channel)
        if listener is None:
            return
        if kind == b"smessage":
            if message.startswith(TOLD):
                self._soon(listener.told, message[1:])
            else:
                self._soon(listener.notified, _notification(message))
        elif kind == b"ssubscribe":
            self.confirmed.add(channel)
            if (awaited := self._awaited.pop(channel, None)) is not None:
                awaited.set_result(None)
            else:
                self._soon(listener.missed)  # while the connection was away
        elif kind == b"sunsubscribe" and channel in self.confirmed:
            self.confirmed.discard(channel)
            self._displaced()

    async def _ping(self) -> None:
        silent = 0
        while True:
            await asyncio.sleep(PING)
            silent = 0 if self._heard or not self._up else silent + 1
            self._heard = False
            if silent >= SILENCE:
                _log.warning("doorbells silent", seconds=silent * PING)
                await self._connection.disconnect(nowait=True)  # the reader notices, and reconnects
            else:
                await self._send("PING")


def _notification(message: bytes) -> Notification:
    number, at, packed = message.split(b" ", 2)
    seq, sealed, lineage = int(number), None, None
    if packed[:1] < b"\x80":  # a schema number; an entry without a seal begins with an array
        sealed, packed = packed[:SIZE], packed[SIZE:]
        lineage = sealed[-8:]
    return Notification(seq, lineage, partial(unpack, seq, int(at), packed, sealed))
