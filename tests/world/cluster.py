"""A cluster of `tests.faults` on simulated machines: its nodes run the product's own `serve`, its store is a model.

The campaign's own code plays there, and injects the faults.
"""

import asyncio
import random
import signal
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing, suppress
from dataclasses import astuple
from pathlib import Path
from typing import Any, Final, Self
from urllib.parse import urlsplit

from redis.exceptions import ConnectionError, ResponseError

from fourfold.server.process import serve
from fourfold.server.ratings.standing import UNIT, Standing
from fourfold.server.settings import Settings
from fourfold.server.storage.event_log import LogUnavailable
from fourfold.server.storage.redis_log import room_of, stream
from tests.faults import archive, cluster, store
from tests.faults.cluster import SECRET
from tests.faults.game import ABSENCE
from tests.faults.link import Link
from tests.world.loop import Machine, WorldLoop
from tests.world.redis import Redis, RedisError, Stream
from tests.world.redis_server import RedisServer

DRIFT: Final = (50e-6, 50e-6, 50e-6, 500e-6)
"""The largest drift of a node's clock as a fraction: on a usual machine, or on one whose date is being corrected."""

DIRECT: Final = 0.5e-3
"""Seconds that the harness waits for an answer of the store."""


def _loop() -> WorldLoop:
    loop = asyncio.get_running_loop()
    assert isinstance(loop, WorldLoop)
    return loop


class Node(cluster.Node):
    """A server in this process, on a machine of its own."""

    def __init__(self, name: str, store: "Store", archive: "Archive", folder: Path, ready: Callable[[], None],
                 archive_after: int, drift: float, replicas: int = 0) -> None:  # fmt: skip
        """`drift` is the fraction by which its clock is too fast. It acknowledges what `replicas` replicas have."""
        self.name = name
        self.workers = 1
        self.link = Link(lambda: store.address)
        self.address = None
        self.deaths = []
        self._drift = drift
        self._archive = archive
        self._archive_after = archive_after
        self._replicas = replicas
        self._ready = ready
        self._folder = folder
        self._machine: Machine | None = None
        self._stop = self._at_once = asyncio.Event()
        self._ended = asyncio.Event()
        self._left: list[str] = []
        self._task: asyncio.Task[None]

    @property
    def runs(self) -> bool:
        """See `Process`."""
        return self._machine is not None and not self._machine.dead and not self._ended.is_set()

    async def _started(self) -> bool:
        loop = _loop()
        machine = self._machine = loop.machine(self.name)
        self._stop, self._at_once, self._ended = asyncio.Event(), asyncio.Event(), asyncio.Event()
        announced: asyncio.Future[str] = loop.create_future()
        settings = Settings(
            host="127.0.0.1", port=0, redis_url=f"redis://127.0.0.1:{self.link.port}", data_dir=self._folder, bots=0,
            absence=ABSENCE // 1000, archive_after=self._archive_after, secret=SECRET,
            replicas=self._replicas,
        )  # fmt: skip

        def announce(url: str) -> None:
            loop.on(loop.outside, lambda: announced.done() or announced.set_result(url))

        def ticks() -> int:
            return int(loop.time() * 1_000_000 * (1 + self._drift))

        async def run() -> None:
            try:
                await serve(settings, self._stop, announce, self._at_once, ticks=ticks, bind=loop.network.bind)
            except (LogUnavailable, OSError) as error:
                loop.tell(machine, f"does not start: {error}")
            except Exception as error:
                loop.failed.append(f"{self.name} ended by {error!r}")
                raise
            finally:
                if not machine.dead:
                    loop.on(loop.outside, self._ended.set)

        self._task = loop.on(machine, lambda: loop.create_task(run()))
        ended = asyncio.ensure_future(self._ended.wait())
        await asyncio.wait([announced, ended], return_when=asyncio.FIRST_COMPLETED)
        ended.cancel()
        if not announced.done():
            machine.die()
            return False
        self._ready()
        parts = urlsplit(announced.result())
        assert parts.hostname is not None and parts.port is not None
        self.address = (parts.hostname, parts.port)
        return True

    def worker(self, number: int) -> int | None:
        """It has none."""
        return None

    def signal(self, number: signal.Signals) -> None:
        """See `Process`."""
        machine = self._machine
        if machine is None or not self.runs:
            return
        if number == signal.SIGKILL:
            machine.die()
            self._ended.set()
        elif number in (signal.SIGSTOP, signal.SIGCONT):
            machine.frozen = number == signal.SIGSTOP
        elif self._stop.is_set():
            self._at_once.set()
        else:
            self._stop.set()

    async def kill(self) -> None:
        """See `Process`."""
        self.address = None
        self.signal(signal.SIGKILL)

    async def drain(self, *, at_once: bool) -> None:
        """See `cluster.Node`."""
        self.signal(signal.SIGTERM)
        if at_once:
            await asyncio.sleep(0.05)
            self.signal(signal.SIGTERM)
        with suppress(TimeoutError):
            await asyncio.wait_for(self._ended.wait(), 60)
        if self.runs:
            self.deaths.append(1)  # it does not end
        self.address = None
        if self._machine is not None:
            self._left = _loop().tasks(self._machine)
            self._machine.die()


    async def rest(self) -> list[str]:
        """Stop in order; returns the faults: it does not end, or leaves tasks running."""
        machine = self._machine
        await self.drain(at_once=False)
        wrong = [f"{self.name} does not end"] if self.deaths else []
        if machine is not None and not wrong:
            wrong += [f"{self.name} leaves {name} running" for name in self._left]
        return wrong


class _Client:
    """Reads and changes the store directly, as redis-py's client would: the harness looks at it all the time."""

    def __init__(self, server: RedisServer) -> None:
        self._server = server

    async def execute_command(self, *command: Any) -> Any:
        """The reply to a command. Raises `ConnectionError` or `ResponseError` of redis-py."""
        await asyncio.sleep(DIRECT)
        while self._server.runs and self._server.frozen:  # noqa: ASYNC110 - a machine that goes on sets no event
            await asyncio.sleep(0.01)
        if not self._server.runs:
            raise ConnectionError("the store is away")
        try:
            return self._server.redis.run([str(one).encode() if isinstance(one, int | str) else one for one in command])
        except RedisError as error:
            raise ResponseError(str(error)) from error

    async def xrevrange(self, key: str, count: int) -> Any:
        return _entries(await self.execute_command("XREVRANGE", key, "+", "-", "COUNT", count))

    async def xrange(self, key: str, min: str = "-", max: str = "+") -> Any:
        return _entries(await self.execute_command("XRANGE", key, min, max))

    async def xadd(self, key: str, fields: dict[str, Any], id: str) -> Any:
        return await self.execute_command("XADD", key, id, *(part for pair in fields.items() for part in pair))

    async def xlen(self, key: str) -> Any:
        return await self.execute_command("XLEN", key)

    async def exists(self, key: str) -> Any:
        return await self.execute_command("EXISTS", key)

    async def zscore(self, key: str, member: str) -> Any:
        return await self.execute_command("ZSCORE", key, member)

    async def hget(self, key: str, field: str) -> Any:
        return await self.execute_command("HGET", key, field)

    async def lrange(self, key: str, start: int, end: int) -> Any:
        return await self.execute_command("LRANGE", key, start, end)

    async def config_set(self, name: str, value: Any) -> Any:
        return await self.execute_command("CONFIG", "SET", name, value)

    async def scan_iter(self, pattern: str, count: int) -> AsyncIterator[bytes]:
        for key in (await self.execute_command("SCAN", 0, "MATCH", pattern))[1]:
            yield key


def _room(key: bytes) -> str:
    return room_of(key.decode())


def _entries(found: list[Any]) -> list[Any]:
    return [(id, dict(zip(fields[::2], fields[1::2], strict=True))) for id, fields in found]


class Store(store.Store):
    """A model of Redis on a machine of its own. A replica on another machine follows it if it is `replicated`."""

    def __init__(
        self, loop: WorldLoop, archive: "Archive", server: RedisServer | None = None, *, replicated: bool = False
    ) -> None:
        self.archive = archive
        self._server = server or RedisServer(loop, "/store", replicated=replicated)
        self.address = self._server.address
        self.client: Any = _Client(self._server)
        self.excused: set[str] = set()
        """Rooms that had left the store when it went back: it may have them again."""

    @property
    def redis(self) -> Redis:
        """The model."""
        return self._server.redis

    @property
    def runs(self) -> bool:
        """See `Process`."""
        return self._server.runs

    async def start(self) -> None:
        """See `store.Store`."""
        if not self.runs:
            self._server.start()

    def signal(self, number: signal.Signals) -> None:
        """See `Process`."""
        if number == signal.SIGKILL:
            self._server.kill()
        elif self._server.machine is not None:
            self._server.machine.frozen = number == signal.SIGSTOP

    async def kill(self) -> None:
        """See `Process`."""
        self._server.kill()

    async def fill(self, left: int, seconds: float) -> None:
        """See `store.Store`."""
        over = asyncio.get_running_loop().time() + seconds
        server = self._server
        server.redis.space = left
        with suppress(TimeoutError):
            async with asyncio.timeout_at(over):
                while True:
                    server.full.clear()
                    await server.full.wait()
                    await asyncio.sleep(0.01)
                    server.start()
        server.redis.space = None
        server.kill()
        await asyncio.sleep(0.01)
        server.start()

    def shelve(self) -> Any:
        """See `store.Store`."""
        return self._server.redis.copied()

    async def go_back(self, shelf: Any) -> None:
        """See `store.Store`."""
        await self.kill()
        await asyncio.sleep(0.01)
        self.swap(shelf)
        self._server.start()

    def swap(self, shelf: Any) -> None:
        """Have the data of the shelf from now on, whoever is connected. The shelf can't be used again."""
        self._excuse()
        redis = self._server.redis
        redis.data, redis.ends = shelf

    def _excuse(self) -> None:
        streams = [key for key, value in self._server.redis.data.items() if isinstance(value, Stream)]
        self.excused.update(_room(key) for key in streams if self._size(key) == 1)

    def _size(self, key: bytes) -> int:
        stream = self._server.redis.data.get(key)
        return len(stream.ids) if isinstance(stream, Stream) else 0

    def size(self, room: str) -> int:
        """How many entries of a room's log are here, now."""
        return self._size(stream(room).encode())

    async def hands_over(self, before: set[str]) -> bool:
        """See `store.Store`. It is asked every few milliseconds, so it costs one step."""
        return self.runs and not self._server.frozen and not before.issuperset(self.leaving())

    def leaving(self) -> list[str]:
        """The rooms that have been ended for good, with their whole logs still here."""
        data = self._server.redis.data
        found = []
        for key, value in data.items():
            if isinstance(value, Stream) and len(value.ids) > 1 and value.fields[-1][3].endswith(b"archived"):
                found.append(_room(key))
        return sorted(found)

    async def replicate(self) -> Self:
        """See `store.Store`."""
        loop = _loop()
        redis = Redis(loop.store_date)
        redis.data, redis.ends = self._server.redis.copied()
        server = RedisServer(loop, f"{self.address}'", redis)
        replica = type(self)(loop, self.archive, server)
        server.start()
        redis.replica = True
        return replica

    async def give_way(self, replica: Self) -> None:
        """See `store.Store`."""
        await self.kill()
        self._excuse()
        former = self.redis.history
        self._server, self.address, self.client = replica._server, replica.address, replica.client
        self.redis.history, self.redis.former = _loop().chance.randbytes(20).hex(), former
        await self.unseal()

    @property
    def replica(self) -> Machine | None:
        """The machine of the replica that follows it, if there is one."""
        return None if self._server.replica is None else self._server.replica.machine

    def lose_replica(self) -> None:
        """The replica dies; soon another one follows."""
        self._server.part()
        self._server.follow_later()

    async def promote(self) -> None:
        """Die, and become the replica that has followed, if there is one. Another one follows later."""
        replica = self._server.part()
        if replica is None:
            return
        await self.kill()
        self._excuse()
        former = self.redis.history
        self._server = RedisServer(_loop(), f"{self.address}'", replica.redis, replicated=True)
        self.address, self.client = self._server.address, _Client(self._server)
        self._server.start(former)


def _drift(chance: random.Random) -> float:
    most = chance.choice(DRIFT)
    return chance.uniform(-most, most)


class Archive(archive.Archive):
    """SQLite's file in the nodes' folder."""

    @asynccontextmanager
    async def locked(self) -> AsyncIterator[None]:
        """See `archive.Archive`."""
        async with self._alone():
            yield

    async def appoint(self, player: str) -> None:
        """Give an account the role of an admin."""
        async with self._alone() as connection:
            connection.execute("UPDATE accounts SET role = 'admin' WHERE player = ?", (player,))
            connection.execute("COMMIT")

    async def give_rating(self, player: str, speed: str, points: int | None) -> None:
        """Give a player a rating for two (None: take it again), which no games explain."""
        async with self._alone() as connection:
            connection.execute("DELETE FROM standings WHERE player = ?", (player,))
            if points is not None:
                standing = Standing(points * UNIT, games=30)
                row = "standard", speed, player, *astuple(standing)
                connection.execute("INSERT INTO standings VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
            connection.execute("COMMIT")

    @asynccontextmanager
    async def _alone(self) -> AsyncIterator[sqlite3.Connection]:
        """A transaction, as soon as nobody else has one. It is undone at the end, unless it has been committed."""
        with closing(sqlite3.connect(self._path, timeout=0, isolation_level=None)) as connection:
            while True:
                try:
                    connection.execute("BEGIN IMMEDIATE")
                    break
                except sqlite3.OperationalError:
                    await asyncio.sleep(0.01)  # paces the attempts
            yield connection


class Cluster(cluster.Cluster):
    """Nodes and a store in one process, from `start` to the end of the world."""

    patience = 1.0

    def __init__(self, loop: WorldLoop, nodes: int, folder: Path, archive_after: int, replicas: int = 0) -> None:
        self.folder = folder
        self.archive = Archive(folder)
        self.archives = archive_after > 0
        self.store = Store(loop, self.archive, replicated=replicas > 0)
        self.returns = []
        self.nodes = [
            Node(name, self.store, self.archive, folder, self._came, archive_after, _drift(loop.chance), replicas)
            for name in (f"node{number}" for number in range(nodes))
        ]
