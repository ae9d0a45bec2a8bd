"""Behaviour of the log on Redis and Valkey beyond the contract of logs."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

import pytest
import structlog

from fourfold.engine.match.events import Created, Moved
from fourfold.server.storage import heartbeat, redis_log, redis_node
from fourfold.server.storage.cluster import Cluster
from fourfold.server.storage.event_log import AppendRequest, Callbacks, LogUnavailable
from fourfold.server.storage.redis_log import ATTEMPTS, RedisLog, chat_of, stream
from tests.conftest import HANG
from tests.ports import free_port
from tests.server.conftest import client

KEPT = 60_000
"""Milliseconds."""

SMALL = 1000
"""Bytes."""


@pytest.fixture
async def log(every_clean_url: str) -> AsyncIterator[RedisLog]:
    log = await RedisLog.open(every_clean_url)
    yield log
    await log.close()


async def test_a_log_that_has_left_takes_little_memory(every_clean_url: str, log: RedisLog) -> None:
    await log.append(AppendRequest("room", 0, "ann", "0", (Created("standard", None, "public", "ann"),)))
    for seq in range(1, 80):
        await log.append(AppendRequest("room", seq, "ann", f"{seq}", (Moved(0, "e2e4", 1),)))
    *_, last = await log.entries("room")
    await log.keep_line("room", b"Hello", 10, 1000 * KEPT)
    with client(every_clean_url) as store:
        assert store.memory_usage(stream("room")) > 4 * SMALL
        store.config_set("maxmemory", 1)  # it is full
        try:
            assert await log.retire("room", last, KEPT)
        finally:
            store.config_set("maxmemory", 0)
        assert store.memory_usage(stream("room")) < SMALL
        assert 0 < store.pttl(stream("room")) <= KEPT
        assert 0 < store.pttl(chat_of("room")) <= KEPT, "the chat goes with it"
    assert [entry.seq for entry in await log.entries("room")] == [80]
    assert not await log.retire("room", last._replace(packed=b"another"), KEPT)


async def test_lines_of_a_room_that_has_left_end_with_its_log(every_clean_url: str, log: RedisLog) -> None:
    """Players may still talk in a room after its game has moved to the archive."""
    await log.append(AppendRequest("room", 0, "ann", "0", (Created("standard", None, "public", "ann"),)))
    await log.append(AppendRequest("room", 1, "ann", "1", (Moved(0, "e2e4", 1),)))
    await log.keep_line("room", b"before", 10, 1000 * KEPT)
    with client(every_clean_url) as store:
        assert store.pttl(chat_of("room")) > KEPT
        assert await log.retire("room", (await log.entries("room"))[-1], KEPT)
        await log.keep_line("room", b"after", 10, 1000 * KEPT)
        assert await log.lines("room") == [b"before", b"after"]
        assert 0 < store.pttl(chat_of("room")) <= KEPT
        store.delete(stream("room"), chat_of("room"))
        await log.keep_line("room", b"too late", 10, 1000 * KEPT)
        assert not store.exists(chat_of("room"))


async def test_the_time_of_a_log_never_goes_back(every_clean_url: str, log: RedisLog) -> None:
    """A store whose clock was set back holds an entry from the future. Later entries are no older than that one."""
    created, moved = (Created("standard", None, "public", "ann"),), (Moved(0, "e2e4", 1),)
    first = await log.append(AppendRequest("room", 0, "ann", "0", created))
    future = first.at + 3_600_000
    with client(every_clean_url) as store:
        ((_, fields),) = store.xrange(stream("room"))
        store.delete(stream("room"))
        store.xadd(stream("room"), fields | {b"t": future}, id="1-0")
    later = [await log.append(AppendRequest("room", seq, "ann", f"{seq}", moved)) for seq in (1, 2)]
    assert [decision.at for decision in later] == [future, future]
    assert [decision.at for decision in await log.read("room")] == [future, future, future]
    other = await log.append(AppendRequest("another", 0, "ann", "0", created))
    assert other.at < future, "other logs have the store's time"


async def test_a_server_that_stops_in_good_order_is_no_loss(
    every_clean_url: str, log: RedisLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(heartbeat, "PERIOD", HANG)  # the other would join again before its absence is noticed
    monkeypatch.setattr(redis_log, "FRESH", HANG)  # it says that it stops although its beat may be seconds ago
    for planned in (True, False):
        other = await RedisLog.open(every_clean_url)
        await log.beat()
        gone: list[str] = []
        log.watch(Callbacks(lost=gone.extend))
        with structlog.testing.capture_logs() as logs:
            if planned:
                await other.close()
            else:
                with client(every_clean_url) as store:
                    store.zrem("fourfold:{alive}:nodes", other.node)  # as after ten silent seconds
            await log.beat()
            async with asyncio.timeout(240):
                while log._tasks:
                    await asyncio.wait(log._tasks)
        assert gone == [other.node]
        lost = [entry["nodes"] for entry in logs if entry["event"] == "nodes lost"]
        assert lost == ([] if planned else [[other.node]])
        await other.close()


class SlowStore:
    """A listener in front of a store. It answers no client until `patient` clients have given up."""

    def __init__(self, path: str, patient: float) -> None:
        self._path = path
        self._patient = patient
        self._gave_up = 0
        self._serving: set[asyncio.Task[None]] = set()

    async def open(self) -> str:
        """Listen, and return the URL."""
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        host, port = self._server.sockets[0].getsockname()
        return f"redis://{host}:{port}"

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(self._serve(reader, writer))
        self._serving.add(task)
        task.add_done_callback(self._serving.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            if self._gave_up < self._patient:
                with contextlib.suppress(ConnectionError):
                    while await reader.read(65536):
                        pass
                self._gave_up += 1
                return
            there = await asyncio.open_unix_connection(self._path)
            await asyncio.gather(self._pump(reader, there[1]), self._pump(there[0], writer))
        finally:
            writer.close()

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError):
            while data := await reader.read(65536):
                writer.write(data)
                await writer.drain()
        writer.close()

    async def close(self) -> None:
        self._server.close()
        for task in self._serving:
            task.cancel()
        await asyncio.gather(*self._serving, return_exceptions=True)


@pytest.mark.parametrize("visiting", [False, True])
@pytest.mark.interpreted
async def test_a_store_that_is_slow_to_answer_is_asked_again(
    embedded_url: str, monkeypatch: pytest.MonkeyPatch, visiting: bool
) -> None:
    monkeypatch.setattr(redis_node, "SILENCE", 0.2)
    monkeypatch.setattr(redis_log, "ATTEMPTS", 1000)  # however slow the machine is
    slow = SlowStore(embedded_url.removeprefix("unix://"), patient=1)
    url = await slow.open()
    with structlog.testing.capture_logs() as logs:
        log = await (RedisLog.visit(url) if visiting else RedisLog.open(url))
    assert "the store is slow to answer" in [entry["event"] for entry in logs]
    pool = log._cluster.of("fourfold:probe").client.connection_pool
    pool.connection_kwargs["socket_timeout"] = HANG  # from now on the store may be slow
    for connection in (*pool._available_connections, *pool._in_use_connections):
        connection.socket_timeout = HANG
    assert await log.execute("fourfold:probe", "GET", "fourfold:probe") is None
    await log.close()
    await slow.close()


@pytest.mark.interpreted
async def test_a_store_that_never_answers_is_given_up(embedded_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(redis_node, "SILENCE", 0.05)
    slow = SlowStore(embedded_url.removeprefix("unix://"), patient=float("inf"))
    url = await slow.open()
    with structlog.testing.capture_logs() as logs, pytest.raises(LogUnavailable, match="does not answer"):
        await RedisLog.open(url)
    attempts = [entry["attempt"] for entry in logs if entry["event"] == "the store is slow to answer"]
    assert attempts == list(range(1, ATTEMPTS))
    await slow.close()


async def test_a_store_that_refuses_connections_is_given_up_at_once() -> None:
    with structlog.testing.capture_logs() as logs, pytest.raises(LogUnavailable, match="does not answer"):
        await RedisLog.visit(f"redis://127.0.0.1:{free_port()}")
    assert logs == []


async def test_servers_agree_even_if_the_store_is_emptied_meanwhile(
    log: RedisLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The key disappears after every command."""
    command = Cluster.command

    async def emptied(cluster: Cluster, key: str, *parts: str | bytes | int) -> Any:
        answer = await command(cluster, key, *parts)
        await command(cluster, key, "DEL", key)
        return answer

    monkeypatch.setattr(Cluster, "command", emptied)
    assert await log.agree("fourfold:archive", "an archive") == "an archive"
    assert len(await log.secret()) == 32
