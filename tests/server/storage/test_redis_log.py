"""Behaviour of the log on Redis and Valkey beyond the contract of logs."""

import asyncio
from collections.abc import AsyncIterator

import pytest
import structlog

from fourfold.engine.match.events import Created, Moved
from fourfold.server.storage.event_log import AppendRequest, Callbacks
from fourfold.server.storage.redis_log import RedisLog, stream
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
    with client(every_clean_url) as store:
        assert store.memory_usage(stream("room")) > 4 * SMALL
        store.config_set("maxmemory", 1)  # it is full
        try:
            assert await log.retire("room", last, KEPT)
        finally:
            store.config_set("maxmemory", 0)
        assert store.memory_usage(stream("room")) < SMALL
        assert 0 < store.pttl(stream("room")) <= KEPT
    assert [entry.seq for entry in await log.entries("room")] == [80]
    assert not await log.retire("room", last._replace(packed=b"another"), KEPT)


async def test_a_server_that_stops_in_good_order_is_no_loss(every_clean_url: str, log: RedisLog) -> None:
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
            async with asyncio.timeout(60):
                while log._tasks:
                    await asyncio.wait(log._tasks)
        assert gone == [other.node]
        lost = [entry["nodes"] for entry in logs if entry["event"] == "nodes lost"]
        assert lost == ([] if planned else [[other.node]])
        await other.close()
