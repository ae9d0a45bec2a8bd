"""Keys of a store are copied and restored, whatever their type, on one server and on a cluster."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
from redis import Redis

from fourfold.server.storage.keys import Copy
from fourfold.server.storage.redis_log import RedisLog
from tests.server.conftest import client


def fill(store: Any) -> None:
    store.set("fourfold:a", b"\xff\0text")
    store.rpush("fourfold:b", *(f"item {number}" for number in range(2500)))
    store.hset("fourfold:{c}:d", mapping={f"field {number}": number for number in range(2500)})
    store.sadd("fourfold:e", "one", "two")
    store.zadd("fourfold:f", {"now": 1_700_000_000_123, "half": 0.5})
    for number in range(1, 1101):
        store.xadd("fourfold:{room}:log", {"d": f"entry {number}"}, id=f"{number}-0")
    store.pexpire("fourfold:{room}:log", 600_000)
    store.set("another:key", "of others")


async def copies(log: RedisLog) -> list[Copy]:
    names = {name async for names in log.keys.names() for name in names}
    found = [await log.keys.copy(name) for name in sorted(names)]
    return [copy for copy in found if copy is not None]


@pytest.fixture
async def log(every_clean_url: str) -> AsyncIterator[RedisLog]:
    log = await RedisLog.visit(every_clean_url)
    yield log
    await log.close()


async def test_all_is_put_back_as_it_was(every_clean_url: str, log: RedisLog) -> None:
    with client(every_clean_url) as store:
        fill(store)
        before = await copies(log)
        assert [copy.type for copy in before] == ["string", "list", "set", "zset", "hash", "stream"]
        await log.keys.remove(copy.name for copy in before)
        assert await copies(log) == [] and store.get("another:key") == b"of others"
        for copy in before:
            await log.keys.put(copy)
        after = await copies(log)
    keeps = [copy.keep for copy in after]
    assert keeps[:-1] == [None] * 5 and keeps[-1] is not None and 500_000 < keeps[-1] <= 600_000
    for one, other in zip(before, after, strict=True):
        assert (one.name, one.type) == (other.name, other.type)
        same = sorted if one.type in ("set", "hash") else list
        assert same(one.value) == same(other.value)


async def test_a_key_that_has_gone_is_none(log: RedisLog) -> None:
    assert await log.keys.copy("fourfold:never") is None


async def test_a_visitor_is_no_server_of_the_store(embedded_url: str) -> None:
    with Redis.from_url(embedded_url) as store:
        store.flushall()
        log = await RedisLog.visit(embedded_url)
        assert not store.keys("fourfold:*")
        await log.close()
        assert not store.keys("fourfold:*")
