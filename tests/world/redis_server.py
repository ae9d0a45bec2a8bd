"""The model of Redis behind a socket: its protocol (RESP 2 and 3), and channels to listen to."""

import asyncio
from typing import Any, Final

import hiredis

from tests.world.loop import Machine, WorldLoop
from tests.world.redis import NO_HISTORY, DiskFull, Redis, RedisError, Reply, Scored, Status

TURN: Final = 60e-6
"""Seconds for the commands that have arrived on a connection, including the sync to disk."""

WAITS: Final = {b"WAIT": 1, b"WAITAOF": 2}
"""The commands that wait for replicas, with the place of the number of replicas in each."""

TRIP: Final = 300e-6
"""Seconds at most until what the server has written arrives at its replica, or the replica's answer at the server."""

FOLLOWS: Final = 0.5
"""Seconds at most after which a replica follows a server that has started."""


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

    def replicate(self) -> None:
        """Send the replica what has been written."""
        self.redis.changed.clear()

    def having(self, write: int) -> int:
        """How many replicas have this write, and all before it, on their disks."""
        return 0

    def _listeners(self, channel: bytes) -> int:
        return sum(channel in client.channels for client in self.clients)

    def _publish(self, channel: bytes, message: bytes) -> int:
        there = [client for client in self.clients if channel in client.channels]
        for client in there:
            client.push([b"smessage", channel, message])
        return len(there)


class RedisServer(Hub):
    """A server on a machine of its own. Its data survives its death, since it syncs every write. If it is `replicated`,
    a replica follows it."""

    def __init__(
        self, loop: WorldLoop, address: str, redis: Redis | None = None, *, replicated: bool = False
    ) -> None:
        super().__init__(redis or Redis(loop.store_date))
        self.address = address
        self.machine: Machine | None = None
        self.replica: Replica | None = None
        self._replicated = replicated
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

    def start(self, former: str = NO_HISTORY) -> None:
        """Begin to serve, after the server with the replication id `former`, if it was this one's master."""
        machine = self.machine = self._loop.machine("store")
        self.clients.clear()
        self.redis.forget()
        self.redis.history, self.redis.former = self._loop.chance.randbytes(20).hex(), former
        self._loop.on(machine, lambda: self._loop.network.listen(self.make, self.address))
        if self._replicated:
            self.follow_later()

    def follow_later(self) -> None:
        """Soon a replica follows."""
        if self.machine is not None:
            self._loop.call_on(self.machine, self._loop.time() + FOLLOWS * self._loop.chance.random(), self.follow)

    def follow(self) -> None:
        """A replica gets a copy of all data, and follows from now on."""
        self.part()
        self.replica = Replica(self._loop, self)
        self.redis.replicas = self.replica.told
        self.acknowledged()

    def part(self) -> "Replica | None":
        """The replica follows no more; returns it, if there is one."""
        replica, self.replica = self.replica, None
        self.redis.replicas = list
        if replica is not None:
            replica.machine.die()
        return replica

    def replicate(self) -> None:
        """See `Hub`."""
        if self.replica is None:
            self.redis.changed.clear()
        elif self.redis.changed:
            self.replica.send(self.redis.writes, self.redis.changes())

    def having(self, write: int) -> int:
        """See `Hub`."""
        return int(self.replica is not None and self.replica.synced >= write)

    def acknowledged(self) -> None:
        """The replica has more."""
        for client in list(self.clients):
            client.look()

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


class Replica:
    """A replica on a machine of its own. It applies what its master has written, in order, and tells once that is on
    its disk."""

    def __init__(self, loop: WorldLoop, master: RedisServer) -> None:
        self.machine = loop.machine("replica")
        self.redis = Redis(loop.store_date)
        self.redis.data, self.redis.ends = master.redis.copied()
        self.synced = master.redis.writes
        """The last write of its master that is on its disk, as the master knows."""
        self._loop = loop
        self._master = master
        self._heard = self._arrives = loop.time()

    def told(self) -> list[dict[str, Any]]:
        """What INFO of its master says of it."""
        lag = int(self._loop.time() - self._heard)
        return [{"ip": "replica", "port": 0, "state": "online", "offset": self.synced, "lag": lag}]

    def send(self, write: int, changes: list[tuple[bytes, Any, int | None]]) -> None:
        """Send it the changes up to a write."""
        self._arrives = max(self._arrives, self._loop.time() + TRIP * self._loop.chance.random())
        self._loop.call_on(self.machine, self._arrives, self._apply, write, changes)

    def _apply(self, write: int, changes: list[tuple[bytes, Any, int | None]]) -> None:
        self.redis.apply(changes)
        machine = self._master.machine
        if machine is not None:
            trip = (TURN + TRIP) * self._loop.chance.random()
            self._loop.call_on(machine, self._loop.time() + trip, self._hear, write)

    def _hear(self, write: int) -> None:
        """Runs at the master."""
        self.synced, self._heard = max(self.synced, write), self._loop.time()
        if self._master.replica is self:
            self._master.acknowledged()


class _Client(asyncio.Protocol):
    def __init__(self, server: Hub) -> None:
        self.channels: dict[bytes, None] = {}
        self._server = server
        self._reader = hiredis.Reader()
        self._protocol = 2
        self._waiting: list[list[bytes]] = []
        self._out: list[bytes] = []
        self._wrote = 0  # the number of its last write
        self._patience: asyncio.TimerHandle | None = None  # of a command that waits for replicas
        self._impatient = False
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
        """Answer what has arrived, up to a command that has to wait for replicas."""
        while self._waiting and not self._waits(self._waiting[0]):
            self._answer(self._waiting.pop(0))
        self.flush()

    def look(self) -> None:
        """The replica has more."""
        if self._patience is not None:
            self._work()

    def _waits(self, command: list[bytes]) -> bool:
        place = WAITS.get(command[0].upper())
        if place is None:
            return False
        self._server.replicate()
        if self._impatient or self._server.having(self._wrote) >= int(command[place]):
            if self._patience is not None:
                self._patience.cancel()
            self._patience, self._impatient = None, False
            return False
        if self._patience is None:
            self._patience = asyncio.get_running_loop().call_later(int(command[-1]) / 1000, self._give_up)
        return True

    def _give_up(self) -> None:
        self._impatient = True
        self._work()

    def _answer(self, command: list[bytes]) -> None:
        name = command[0].upper()
        if name in WAITS:
            having = self._server.having(self._wrote)
            self._out.append(packed(having if name == b"WAIT" else [1, having], self._protocol))
        elif name == b"HELLO":
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
            redis = self._server.redis
            before = redis.writes
            try:
                reply = redis.run(command)
            except RedisError as error:
                self._out.append(refusal(error))
            except DiskFull:
                self._server.die_full()
            else:
                self._out.append(packed(reply, self._protocol))
            if redis.writes > before:
                self._wrote = redis.writes

    def push(self, message: list[Any]) -> None:
        """Send a message that is not a reply."""
        told = packed(message, self._protocol)
        self._out.append(b">" + told[1:] if self._protocol == 3 else told)
        asyncio.get_running_loop().call_soon(self.flush)

    def flush(self) -> None:
        """Send what there is to send."""
        self._server.replicate()
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
