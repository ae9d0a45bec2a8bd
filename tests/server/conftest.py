"""A server in the test's own event loop, on a real store, and plain sockets to talk to it frame by frame."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import msgpack
import msgspec
import pytest
from redis import Redis, RedisCluster
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from fourfold.protocol.errors import ERRORS, SUBPROTOCOL_JSON, SUBPROTOCOL_MSGPACK
from fourfold.protocol.from_client import REQUESTS
from fourfold.server import health
from fourfold.server.archive.acts import record
from fourfold.server.archive.database import Database
from fourfold.server.bots.dispatch import key_of
from fourfold.server.maintenance import backups
from fourfold.server.process import serve
from fourfold.server.sessions import passwords
from fourfold.server.settings import Settings
from fourfold.server.storage import pipeline, pubsub, redis_log, redis_node
from fourfold.server.transport import cutoff, raster
from tests import new_archive
from tests.conftest import HANG, archive_of, forget_earlier, some

APART = 1_000
"""How many milliseconds the clocks of two servers may differ."""

AFTER = 1
"""Seconds until a game is archived, in tests marked `archiving`."""


class Wire:
    """A client that knows only the protocol: sends and receives maps."""

    def __init__(self, connection: ClientConnection, *, text: bool) -> None:
        self.connection = connection
        self.frames: list[dict[str, Any]] = []
        self._text = text
        self._ids = 0
        self._arrived = asyncio.Event()
        self._reader = asyncio.create_task(self._read())
        self.player = self.token = ""

    async def _read(self) -> None:
        async for data in self.connection:
            self.frames.append(msgspec.json.decode(data) if self._text else msgpack.unpackb(data))
            self._arrived.set()

    async def say(self, type: str, **fields: Any) -> int:
        """Send a request; returns its id."""
        self._ids += 1
        message = {"type": type, "id": self._ids, **fields}
        await self.connection.send(msgspec.json.encode(message).decode() if self._text else msgpack.packb(message))
        return self._ids

    async def seen(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The first matching frame, already received or still to come."""
        async with asyncio.timeout(HANG):
            looked = 0
            while True:
                for frame in self.frames[looked:]:
                    if wanted(frame):
                        return frame
                looked = len(self.frames)
                self._arrived.clear()
                await self._arrived.wait()

    async def asks(self, type: str, **fields: Any) -> dict[str, Any]:
        """Send a request and wait for its reply."""
        id = await self.say(type, **fields)
        try:
            reply = await self.seen(lambda frame: frame.get("id") == id)
        except TimeoutError:
            raise AssertionError(f"no answer to {type} {fields}; the last frames: {self.frames[-3:]}") from None
        if reply["type"] == "error":
            assert reply["kind"] == ERRORS[reply["code"]].kind
        elif type in REQUESTS:
            assert reply["type"] in REQUESTS[type].answers
        return reply

    async def asks_until(self, wanted: Callable[[dict[str, Any]], bool], type: str, **fields: Any) -> dict[str, Any]:
        """Send a request again and again, until its reply matches: the server may not have heard yet what another
        server or a command has done."""
        async with asyncio.timeout(HANG):
            while not wanted(reply := await self.asks(type, **fields)):
                pass
        return reply

    async def refused(self, code: str, type: str, **fields: Any) -> dict[str, Any]:
        """Send a request again and again, until it is refused with this code."""
        return await self.asks_until(lambda reply: reply.get("code") == code, type, **fields)

    async def seq(self, seq: int) -> dict[str, Any]:
        """The update with this version."""
        return await self.seen(lambda frame: frame["type"] == "update" and frame["seq"] == seq)

    async def closed(self) -> tuple[int, str]:
        """Wait for the end of the connection; returns its code and reason."""
        async with asyncio.timeout(HANG):
            await self.connection.wait_closed()
        return self.connection.close_code or 0, self.connection.close_reason or ""

    def updates(self) -> list[dict[str, Any]]:
        return [frame for frame in self.frames if frame["type"] == "update"]

    async def end(self) -> None:
        await self.connection.close()
        await asyncio.gather(self._reader, return_exceptions=True)


Dial = Callable[..., Awaitable[Wire]]


async def each_moves_twice(players: Sequence[Wire], room: str) -> None:
    """Each player makes two moves, in turn order, so that the game can be rated."""
    seq = 0
    for player in [*players, *players]:
        turn = await player.seen(partial(_is_later_turn, room, seq))
        seq = turn["seq"]
        moved = await player.asks("move", room=room, move=turn["legal"][0], seq=seq, key=f"move {seq}")
        assert moved["type"] == "ok", moved


def _is_later_turn(room: str, seq: int, frame: dict[str, Any]) -> bool:
    return frame["type"] == "turn" and frame["room"] == room and frame["seq"] > seq


async def appointed(archive: str, player: str) -> None:
    """Give an account the role of an admin, in an archive."""
    database = await Database.open(archive, Path())
    try:
        await database.orders.appoint(player, "admin", record("test", "appoint admin", player, "", 0))
    finally:
        await database.close()


@asynccontextmanager
async def node(store_url: str | None, folder: Path, **changes: Any) -> AsyncIterator[str]:
    """A running server on a store (None: the embedded one), with the usual settings except `changes`; yields its HTTP
    address."""
    stop = asyncio.Event()
    up: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    usual = {"bots": 0, "fair_play": "account", "exhibition": False}
    usual |= {"database_url": archive_of(store_url) if store_url else None}
    settings = Settings(port=0, redis_url=store_url, data_dir=folder, **(usual | changes))
    if settings.database_url is None and folder.is_dir():  # noqa: ASYNC240 - it is in memory
        new_archive.lay(folder)
    task = asyncio.create_task(serve(settings, stop, up.set_result))
    await asyncio.wait({task, up}, return_when=asyncio.FIRST_COMPLETED)
    if not up.done():
        await task  # raises the error that stopped the start
    try:
        yield await up
    finally:
        stop.set()
        await task


def client(url: str) -> Redis | RedisCluster:
    """A plain client of a store."""
    return Redis.from_url(url) if url.startswith("unix:") else RedisCluster.from_url(url)


@pytest.fixture(params=some(1, "valkey", "redis", "cluster"))
def every_clean_url(request: pytest.FixtureRequest) -> str:
    """An empty store: ours, Debian's, or a cluster."""
    name = {"valkey": "embedded_url", "redis": "debian_url", "cluster": "redis_cluster"}[request.param]
    found = request.getfixturevalue(name)
    url: str = getattr(found, "url", found)
    with client(url) as store:
        store.flushall()
    forget_earlier(url)
    return url


@pytest.fixture(autouse=True)
def patience(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine a store may be silent for seconds. This process's servers then wait for it: they stay ready,
    refuse nothing, and do not send their players away. In tests with a store of their own to freeze or kill, they do
    as in production."""
    if not any("frail" in name for name in request.fixturenames):
        for module, name in (
            (cutoff, "AFTER"), (health, "PATIENCE"), (redis_log, "HOPE"), (redis_log, "PATIENCE"),
            (pipeline, "SILENCE"), (redis_node, "SILENCE"), (pubsub, "SILENCE"), (raster, "LONGEST"),
        ):  # fmt: skip
            monkeypatch.setattr(module, name, HANG)


@pytest.fixture(autouse=True)
def usual_priority(monkeypatch: pytest.MonkeyPatch) -> None:
    """The servers' backups and pictures are made at the usual priority: beside busy processes a low one takes
    minutes."""
    for module in (backups, raster):
        monkeypatch.setattr(module, "NICE", 0)


@pytest.fixture(autouse=True)
def cheap_passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rooms' passwords are hashed at a thousandth of the cost."""
    monkeypatch.setattr(passwords, "_LOG2_N", 4)


@pytest.fixture(autouse=True)
def late(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """With `--late`, this process's servers hear late of each other's changes. That fails tests that look at one server
    right after another has changed something."""
    seconds = request.config.getoption("late")
    if not seconds:
        return
    usual = pubsub.Subscriptions.__init__

    def begin(self: pubsub.Subscriptions, *arguments: Any, **options: Any) -> None:
        usual(self, *arguments, **options)
        self._soon = partial(asyncio.get_running_loop().call_later, seconds)  # type: ignore[assignment]

    monkeypatch.setattr(pubsub.Subscriptions, "__init__", begin)


@pytest.fixture
def no_outages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Servers may be silent for a minute, as on a busy machine: the store counts no outage, and no server as dead. An
    outage gives clocks their time back, and no departure counts in it."""
    stamp = redis_log.STAMP
    for condition in ("last > 2000", "now - 10000"):  # of an outage, and of a server that is dead
        assert stamp.count(condition) == 1
        stamp = stamp.replace(condition, f"{condition.rpartition(' ')[0]} {1000 * HANG:.0f}")
    monkeypatch.setattr(redis_log, "STAMP", stamp)


@pytest.fixture
def store(common_url: str) -> Iterator[Redis | RedisCluster]:
    """A plain client of the servers' shared store."""
    with client(common_url) as store:
        yield store


@pytest.fixture
def common_url(embedded_url: str) -> str:
    """The shared store of the servers, empty: a server would also take over and archive what other tests left."""
    with client(embedded_url) as store:
        store.flushall()
    forget_earlier(embedded_url)
    return embedded_url


@pytest.fixture
def database_url() -> str | None:
    """The database of the servers of tests marked `archiving`; None: one in their folder."""
    return None


@pytest.fixture
def settings(request: pytest.FixtureRequest, database_url: str | None, tmp_path: Path) -> dict[str, Any]:
    """The unusual settings of the servers."""
    if request.node.get_closest_marker("archiving") is None:
        return {}
    if database_url is None:
        new_archive.lay(tmp_path)
    return {"archive_after": AFTER, "database_url": database_url}


async def left(url: str, room: str) -> None:
    """Wait until the store has only the last entry of a room's log."""
    async with asyncio.timeout(HANG):
        while entries(url, room) > 1:
            await asyncio.to_thread(time.sleep, 0.02)


def entries(url: str, room: str) -> int:
    """The number of entries of a room's log in the store."""
    with Redis.from_url(url) as store:
        return int(store.xlen(f"fourfold:{{{room}}}:log"))  # type: ignore[arg-type]


@pytest.fixture
async def start(common_url: str, tmp_path: Path) -> AsyncIterator[Callable[..., Awaitable[str]]]:
    """Starts a server, with some settings changed; returns its HTTP address."""
    async with AsyncExitStack() as stack:

        async def start(**changes: Any) -> str:
            return await stack.enter_async_context(node(common_url, tmp_path, **changes))

        yield start


@pytest.fixture
async def address(common_url: str, tmp_path: Path, settings: dict[str, Any]) -> AsyncIterator[str]:
    """A running server's HTTP address."""
    async with node(common_url, tmp_path, **settings) as address:
        yield address


@pytest.fixture
async def elsewhere(common_url: str, tmp_path: Path, settings: dict[str, Any]) -> AsyncIterator[str]:
    """The HTTP address of a second server on the same store."""
    async with node(common_url, tmp_path, **settings) as address:
        yield address


@pytest.fixture
async def third(common_url: str, tmp_path: Path, settings: dict[str, Any]) -> AsyncIterator[str]:
    """The HTTP address of a third server on the same store."""
    async with node(common_url, tmp_path, **settings) as address:
        yield address


@pytest.fixture
def brief(common_url: str, tmp_path: Path, settings: dict[str, Any]) -> Callable[[], AbstractAsyncContextManager[str]]:
    """Another server on the same store, for the duration of the context; yields its HTTP address."""
    return lambda: node(common_url, tmp_path, **settings)


@pytest.fixture
def host(dial: Dial, store: Redis | RedisCluster) -> Callable[[], Awaitable[Wire]]:
    """Opens the connection of a bot host."""

    async def host() -> Wire:
        wire = await dial(bot=True)
        key = key_of(store.get("fourfold:secret"))  # type: ignore[arg-type]
        assert (await wire.asks("serve", key=key))["type"] == "ok"
        return wire

    return host


@pytest.fixture
async def dial(address: str) -> AsyncIterator[Dial]:
    """Opens a connection, to the server unless `at` names another, and says hello on it unless `hello` is false."""
    async with AsyncExitStack() as stack:

        async def dial(
            *,
            at: str = address,
            text: bool = True,
            hello: bool = True,
            headers: dict[str, str] | None = None,
            **greeting: Any,
        ) -> Wire:
            subprotocol = Subprotocol(SUBPROTOCOL_JSON if text else SUBPROTOCOL_MSGPACK)
            url = f"{at.replace('http', 'ws')}/ws"
            options = {"compression": None, "max_size": None, "additional_headers": headers, "open_timeout": HANG}
            wire = Wire(await connect(url, subprotocols=[subprotocol], **options), text=text)
            stack.push_async_callback(wire.end)
            if hello:
                welcome = await wire.asks("hello", **greeting)
                assert welcome["type"] == "welcome"
                wire.player, wire.token = welcome["player"], welcome["token"]
            return wire

        yield dial
