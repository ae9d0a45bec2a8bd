"""SIGTERM: requests are answered, clients are notified and move on, and the process ends in time."""

import asyncio
import json
import os
import random
import signal
import time
import urllib.error
import urllib.request
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from typing import Any

import pytest
from redis import Redis
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from fourfold.clients.connection import Connection
from fourfold.clients.table import Table
from fourfold.protocol import from_server as told
from fourfold.protocol import projection
from fourfold.protocol.errors import CloseCode
from fourfold.server.storage.redis_log import RedisLog
from fourfold.server.transport import gateway
from tests.conftest import HANG
from tests.games.conftest import running

pytestmark = pytest.mark.slow

Server = Any  # see conftest


@contextmanager
def standing_still(store_url: str) -> Iterator[Callable[[], None]]:
    """The store answers nothing until it is released."""
    with Redis.from_url(store_url) as client:
        store = client.info("server")["process_id"]
    os.kill(store, signal.SIGSTOP)
    try:
        yield lambda: os.kill(store, signal.SIGCONT)
    finally:
        os.kill(store, signal.SIGCONT)


async def get(url: str) -> tuple[int, dict[str, Any]]:
    def ask() -> tuple[int, dict[str, Any]]:
        try:
            with urllib.request.urlopen(url, timeout=240) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            with error:
                return error.code, json.load(error)

    return await asyncio.to_thread(ask)


class Wire:
    """A client that speaks JSON and does nothing by itself."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        self.heard: list[dict[str, Any]] = []

    @classmethod
    @asynccontextmanager
    async def dial(cls, url: str) -> AsyncIterator["Wire"]:
        async with connect(f"{url.replace('http', 'ws')}/ws") as connection:
            wire = cls(connection)
            await wire.asks("hello")
            yield wire

    async def say(self, type: str, **fields: Any) -> None:
        await self.connection.send(json.dumps({"type": type, **fields}))

    async def until(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        async with asyncio.timeout(240):
            while True:
                frame: dict[str, Any] = json.loads(await self.connection.recv())
                self.heard.append(frame)
                if wanted(frame):
                    return frame

    async def asks(self, type: str, **fields: Any) -> dict[str, Any]:
        await self.say(type, id=1, **fields)
        return await self.until(lambda frame: frame.get("id") == 1)

    async def rest(self) -> list[dict[str, Any]]:
        """All remaining frames until the end."""
        rest = []
        async with asyncio.timeout(240):
            try:
                while True:
                    rest.append(json.loads(await self.connection.recv()))
            except ConnectionClosed:
                return rest


@asynccontextmanager
async def seated(url: str) -> AsyncIterator[tuple[str, Wire, Wire]]:
    async with Wire.dial(url) as white, Wire.dial(url) as black:
        room = (await white.asks("create"))["room"]
        for wire in (white, black):
            assert (await wire.asks("join", room=room))["type"] == "joined"
        await black.until(lambda frame: frame["type"] == "room")
        yield room, white, black


async def test_what_is_in_flight_is_kept_and_answered(three_servers: list[Server], embedded_url: str) -> None:
    server, other, _ = three_servers
    async with seated(server.url) as (room, white, black):
        with standing_still(embedded_url) as go_on:
            await white.say("move", id=7, room=room, move="e2e4", seq=3, key="k")
            await white.asks("ping")  # the move has been read, and waits for the store
            server.signal(signal.SIGTERM)
            closing = await black.until(lambda frame: frame["type"] == "closing")
            assert closing["reason"] == "restart"
            assert closing["retry"] > 0
            status, body = await get(f"{server.url}/readyz")
            assert (status, body["why"]) == (503, "the server is going away")
            with pytest.raises(InvalidStatus) as caught:
                await connect(f"{server.url.replace('http', 'ws')}/ws")
            assert caught.value.response.status_code == 503
            assert caught.value.response.headers["Retry-After"] == "1"
            await black.say("resign", id=8, room=room, key="too late")
            go_on()
        after = {wire: await wire.rest() for wire in (white, black)}
        assert {"type": "ok", "id": 7, "room": room, "seq": 4} in after[white]
        assert [frame["seq"] for frame in after[black] if frame["type"] == "update"] == [4]
        assert not [frame for frame in after[black] if frame.get("id") == 8]
        for wire in (white, black):
            assert wire.connection.close_code == CloseCode.RESTART
            assert "resume" in (wire.connection.close_reason or "")
        assert await asyncio.to_thread(server.ended) == 0
    async with Wire.dial(other.url) as witness:
        snapshot = await witness.asks("watch", room=room)
        assert (snapshot["seq"], snapshot["moves"], snapshot["status"]) == (4, ["e2e4"], "playing")


def waiting_for_long() -> None:
    """Let this process's server wait for ten minutes until all that was asked is done."""
    gateway.FINISH = 10 * HANG  # type: ignore[misc]


@pytest.fixture
def waiting_server(embedded_url: str) -> Iterator[Server]:
    with running(embedded_url, 0, begin=waiting_for_long) as server:
        yield server


async def test_a_second_signal_is_obeyed_at_once(waiting_server: Server, embedded_url: str) -> None:
    server = waiting_server
    async with seated(server.url) as (room, white, black):
        with standing_still(embedded_url):
            await white.say("move", id=7, room=room, move="e2e4", seq=3, key="k")
            await white.asks("ping")
            server.signal(signal.SIGTERM)
            await black.until(lambda frame: frame["type"] == "closing")
            server.signal(signal.SIGTERM)
            assert await asyncio.to_thread(server.ended) == 0
        assert not [frame for frame in await white.rest() if frame.get("id") == 7]


async def test_it_ends_in_time_though_the_store_is_away_and_nobody_reads(
    three_servers: list[Server], embedded_url: str
) -> None:
    server = three_servers[0]
    async with seated(server.url) as (room, white, _):
        host, port = server.url.removeprefix("http://").split(":")
        _, writer = await asyncio.open_connection(host, int(port), limit=16)
        writer.write(
            b"GET /ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
            b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
        )
        silent = await asyncio.open_connection(host, int(port))  # sends nothing at all
        with standing_still(embedded_url):
            await white.say("move", id=7, room=room, move="e2e4", seq=3, key="k")
            await white.asks("ping")
            began = time.monotonic()
            server.signal(signal.SIGTERM)
            assert await asyncio.to_thread(server.ended) == 0  # without a limit it would wait for the store
            assert time.monotonic() - began >= gateway.FINISH
        for stream in (writer, silent[1]):
            stream.transport.abort()


class Guest:
    """A client at the one address, with its state from frames and the number of its new starts."""

    def __init__(self, connection: Connection, room: str) -> None:
        self.connection = connection
        self.frames = connection.follow(room)
        self.updates: list[told.Update] = []
        self.snapshots = 0
        self.table: Table | None = None

    async def until(self, seq: int) -> Table:
        async with asyncio.timeout(240):
            while self.table is None or self.table.seq < seq:
                match await anext(self.frames):
                    case told.Room() as room:
                        self.snapshots += 1
                        self.table = Table.of(room)
                    case told.Update() as update:
                        assert self.table is not None
                        self.updates.append(update)
                        self.table = self.table.after(update)
        return self.table


async def test_clients_are_carried_over_to_another_node(
    three_servers: list[Server], one_address: str, embedded_url: str
) -> None:
    """Players and watchers at one address; each node is drained in turn, in the middle of a game."""
    chance = random.Random(11)
    async with AsyncExitStack() as stack:
        guests: list[Guest] = []
        room = ""
        for number in range(8):
            connection = await stack.enter_async_context(Connection(one_address))
            room = room or await connection.create("survivor")
            if number < 4:
                await connection.join(room)
            guests.append(Guest(connection, room))
        seq = 5
        for guest in guests:
            await guest.until(seq)

        async def play(plies: int) -> None:
            nonlocal seq
            for _ in range(plies):
                table = await guests[0].until(seq)
                mover = guests[table.position.turn]
                await mover.until(seq)
                move = chance.choice(sorted(table.position.legal_texts()))
                seq = await mover.connection.move(room, move, seq)

        await play(4)
        for server in three_servers:
            playing = asyncio.create_task(play(8))
            await guests[-1].until(seq)
            server.signal(signal.SIGTERM)
            assert await asyncio.to_thread(server.ended) == 0
            await playing
            await asyncio.to_thread(server.start)
            await play(4)
        tables = [await guest.until(seq) for guest in guests]
        assert all(table == tables[0] for table in tables)
        log = await RedisLog.open(embedded_url)
        try:
            decisions = await log.read(room)
        finally:
            await log.close()
    assert len(tables[0].moves) == 4 + 3 * 12
    names = tables[0].position.seats
    said = {decision.seq: projection.update(room, names, decision) for decision in decisions}
    for guest in guests:
        assert guest.snapshots == 1  # never anew: only the missed decisions
        first = guest.updates[0].seq
        assert [update.seq for update in guest.updates] == list(range(first, seq + 1))
        assert guest.updates == [said[update.seq] for update in guest.updates]
