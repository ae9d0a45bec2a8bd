"""The model of Redis behind a socket: its protocol (RESP 2 and 3), and channels to listen to."""

import asyncio
from typing import Any, Final

import hiredis

from tests.world.loop import Machine, WorldLoop
from tests.world.redis import DiskFull, Redis, RedisError, Reply, Scored, Status

TURN: Final = 60e-6
"""Seconds for the commands that have arrived on a connection, including the sync to disk."""


class Hub:
    """Serves the clients of a model, on any event loop. `make` makes the protocol of a new connection."""

    runs = True
    """Whether anything is answered."""

    def __init__(self, redis: Redis) -> None:
        self.redis = redis
        self.clients: dict[_Client, None] = {}
        redis.listeners, redis.publish = self._listeners, self._publish

    def make(self) -> asyncio.Protocol:
        """The protocol of a new connection."""
        return _Client(self)

    def turn(self) -> float:
        """Seconds until arrived commands are answered."""
        return 0.0

    def die_full(self) -> None:
        """The disk is full."""
        raise NotImplementedError

    def _listeners(self, channel: bytes) -> int:
        return sum(channel in client.channels for client in self.clients)

    def _publish(self, channel: bytes, message: bytes) -> int:
        there = [client for client in self.clients if channel in client.channels]
        for client in there:
            client.push([b"smessage", channel, message])
        return len(there)


class RedisServer(Hub):
    """A server on a machine of its own. Its data survives its death, since it syncs every write."""

    def __init__(self, loop: WorldLoop, address: str, redis: Redis | None = None) -> None:
        super().__init__(redis or Redis(loop.store_date))
        self.address = address
        self.machine: Machine | None = None
        self.full = asyncio.Event()
        """Set when it has died of a full disk."""
        self._loop = loop

    @property
    def runs(self) -> bool:  # type: ignore[override]
        """Whether it lives."""
        return self.machine is not None and not self.machine.dead

    @property
    def frozen(self) -> bool:
        """Whether it stands still."""
        return self.machine is not None and self.machine.frozen

    def start(self) -> None:
        """Begin to serve."""
        machine = self.machine = self._loop.machine("store")
        self.clients.clear()
        self.redis.forget()
        self._loop.on(machine, lambda: self._loop.network.listen(self.make, self.address))

    def turn(self) -> float:
        """See `Hub`."""
        return TURN * self._loop.chance.random()

    def kill(self) -> None:
        """Die. Executed commands are kept, answered or not."""
        if self.machine is not None:
            self.machine.die()

    def die_full(self) -> None:
        """Die of a full disk."""
        self.kill()
        self._loop.on(self._loop.outside, self.full.set)


class _Client(asyncio.Protocol):
    def __init__(self, server: Hub) -> None:
        self.channels: dict[bytes, None] = {}
        self._server = server
        self._reader = hiredis.Reader()
        self._protocol = 2
        self._waiting: list[list[bytes]] = []
        self._out: list[bytes] = []
        self._transport: Any

    def connection_made(self, transport: Any) -> None:
        self._transport = transport
        self._server.clients[self] = None

    def connection_lost(self, error: Exception | None) -> None:
        self._server.clients.pop(self, None)

    def data_received(self, data: bytes) -> None:
        self._reader.feed(data)
        while (command := self._command()) is not None:
            self._waiting.append(command)
            if len(self._waiting) == 1:
                asyncio.get_running_loop().call_later(self._server.turn(), self._work)

    def _command(self) -> list[bytes] | None:
        found: Any = self._reader.gets()
        return None if found is False else found if isinstance(found, list) else [found]

    def _work(self) -> None:
        commands, self._waiting = self._waiting, []
        for command in commands:
            self._answer(command)
        self.flush()

    def _answer(self, command: list[bytes]) -> None:
        name = command[0].upper()
        if name == b"HELLO":
            self._protocol = int(command[1])
            self._out.append(packed({b"server": b"redis", b"proto": self._protocol}, self._protocol))
        elif name in (b"SSUBSCRIBE", b"SUNSUBSCRIBE"):
            for channel in command[1:]:
                if name == b"SSUBSCRIBE":
                    self.channels[channel] = None
                else:
                    self.channels.pop(channel, None)
                self.push([name.lower(), channel, len(self.channels)])
        else:
            try:
                reply = self._server.redis.run(command)
            except RedisError as error:
                self._out.append(refusal(error))
            except DiskFull:
                self._server.die_full()
            else:
                self._out.append(packed(reply, self._protocol))

    def push(self, message: list[Any]) -> None:
        """Send a message that is not a reply."""
        told = packed(message, self._protocol)
        self._out.append(b">" + told[1:] if self._protocol == 3 else told)
        asyncio.get_running_loop().call_soon(self.flush)

    def flush(self) -> None:
        """Send what there is to send."""
        if self._out and self._server.runs:
            self._transport.write(b"".join(self._out))
        self._out = []


def refusal(error: RedisError) -> bytes:
    """An error in its wire form."""
    return b"-%b\r\n" % " ".join(str(error).split()).encode()


def packed(reply: Reply, protocol: int) -> bytes:
    match reply:
        case None:
            return b"_\r\n" if protocol == 3 else b"$-1\r\n"
        case Status():
            return b"+%b\r\n" % reply
        case bytes():
            return b"$%d\r\n%b\r\n" % (len(reply), reply)
        case int():
            return b":%d\r\n" % reply
        case float():
            text = b"%d" % reply if reply == int(reply) else repr(reply).encode()
            return b",%b\r\n" % text if protocol == 3 else b"$%d\r\n%b\r\n" % (len(text), text)
        case dict() if protocol == 3:
            parts = [packed(part, protocol) for pair in reply.items() for part in pair]
            return b"%%%d\r\n%b" % (len(reply), b"".join(parts))
        case dict():
            return packed([part for pair in reply.items() for part in pair], protocol)
        case Scored() if protocol == 2:
            return packed([part for pair in reply for part in pair], protocol)
        case _:
            return b"*%d\r\n%b" % (len(reply), b"".join(packed(part, protocol) for part in reply))
