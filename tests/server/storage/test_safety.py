"""A store that may lose acknowledged writes is refused at the start, and one that refuses writes is reported."""

import asyncio
import json
import os
import subprocess
import urllib.error
import urllib.request
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from redis import Redis

from fourfold.server.storage.embedded import find_binary
from fourfold.server.storage.safety import Condition, condition, faults
from tests import forked
from tests.conftest import StoreProcess, store
from tests.server.conftest import node

Dial = Any  # see conftest

SAFE = {"appendonly": "yes", "appendfsync": "always", "maxmemory-policy": "noeviction"}


@pytest.mark.parametrize(
    ("config", "info", "words"),
    [
        (SAFE, {}, []),
        (SAFE | {"appendonly": "no"}, {}, ["appendonly should be yes"]),
        (SAFE | {"appendfsync": "everysec"}, {}, ["appendfsync should be always"]),
        (SAFE | {"maxmemory-policy": "volatile-lru"}, {}, ["should be noeviction, not volatile-lru"]),
        (
            {"appendonly": "no", "appendfsync": "no", "maxmemory-policy": "allkeys-lru"},
            {},
            ["appendonly should be yes", "not allkeys-lru"],
        ),
        ({}, {"aof_enabled": 1, "maxmemory_policy": "noeviction"}, []),
        ({}, {"aof_enabled": 0, "maxmemory_policy": "allkeys-lfu"}, ["appendonly should be yes", "not allkeys-lfu"]),
    ],
)
def test_every_fault_is_named_with_what_would_be_right(
    config: dict[str, str], info: dict[str, Any], words: list[str]
) -> None:
    found = faults(config, info)
    assert len(found) == len(words)
    for fault, word in zip(found, words, strict=True):
        assert word in fault


GOOD = {"role": "master", "aof_enabled": 1, "maxmemory": 0, "used_memory": 10}


@pytest.mark.parametrize(
    ("change", "word", "fullness"),
    [
        ({}, None, 0.0),
        ({"maxmemory": 100}, None, 0.1),
        ({"maxmemory": 10}, "out of memory", 1.0),
        ({"maxmemory": 10, "mem_not_counted_for_evict": 5}, None, 0.5),
        ({"role": "slave"}, "replica", 0.0),
        ({"aof_last_write_status": "err"}, "append-only file", 0.0),
        ({"aof_enabled": 0}, "append-only file", 0.0),
    ],
)
def test_a_condition_is_read_from_what_the_store_says(
    change: dict[str, Any], word: str | None, fullness: float
) -> None:
    found = condition(GOOD | change, 0, unsafe=False)
    assert found.fullness == fullness
    assert found.trouble is None if word is None else word in (found.trouble or "")


def test_replicas_that_answer_are_counted() -> None:
    well = {"ip": "127.0.0.1", "port": 1, "state": "online", "offset": 1, "lag": 1}
    assert condition(GOOD | {"slave0": well, "slave1": well}, 2, unsafe=False) == Condition(used=10)
    for other in ({}, {"slave1": well | {"lag": 9}}, {"slave1": well | {"state": "wait_bgsave"}}):
        said = condition(GOOD | {"connected_slaves": 2, "slave0": well} | other, 2, unsafe=False).trouble or ""
        assert "1 of 2 replicas answer" in said


@contextmanager
def configured(**options: str) -> Iterator[StoreProcess]:
    """A store with some options changed."""
    with store(find_binary()) as process:
        with Redis.from_url(process.url) as client:
            for name, value in options.items():
                client.config_set(name.replace("_", "-"), value)
        yield process


def server(url: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """A server that should end by itself."""
    return forked.run("--port", "0", "--bots", "0", "--redis", url, *arguments, env=os.environ | environment)


@pytest.mark.parametrize(
    ("option", "value", "cure"),
    [
        ("appendonly", "no", "appendonly should be yes"),
        ("appendfsync", "everysec", "appendfsync should be always"),
        ("maxmemory_policy", "allkeys-lru", "maxmemory-policy should be noeviction"),
    ],
)
def test_an_unsafe_store_is_refused_in_one_sentence(option: str, value: str, cure: str) -> None:
    with configured(**{option: value}) as process:
        ended = server(process.url)
    assert ended.returncode == 1
    (line,) = [line for line in ended.stderr.splitlines() if line.startswith("fourfold-server: ")]
    assert cure in line
    assert "--unsafe-store" in line
    assert "Traceback" not in ended.stderr


@pytest.mark.slow
def test_a_wrong_address_is_one_sentence() -> None:
    for url in ("http://localhost:6379", "redis://localhost:port"):
        ended = server(url)
        assert ended.returncode == 2
        assert "write a store as redis://" in ended.stderr
        assert "Traceback" not in ended.stderr


@pytest.fixture
async def serve(tmp_path: Path) -> AsyncIterator[Callable[..., Any]]:
    """Starts a server on a store with this configuration; returns its address, and a client of the store."""
    async with AsyncExitStack() as servers:
        with ExitStack() as stores:

            async def serve(options: dict[str, str], **settings: Any) -> tuple[str, Redis]:
                process = stores.enter_context(configured(**options))
                client = stores.enter_context(Redis.from_url(process.url))
                return await servers.enter_async_context(node(process.url, tmp_path, **settings)), client

            yield serve
            await servers.aclose()


async def test_an_unsafe_store_may_be_allowed(serve: Callable[..., Any], dial: Dial) -> None:
    address, _ = await serve({"appendfsync": "everysec"}, unsafe_store=True)
    wire = await dial(at=address)
    assert (await wire.asks("create"))["type"] == "created"


@pytest.mark.slow
async def test_where_config_is_forbidden_the_rest_is_judged(serve: Callable[..., Any], dial: Dial) -> None:
    with configured() as process, Redis.from_url(process.url) as client:
        client.acl_setuser("managed", enabled=True, passwords=["+x"], keys=["*"], channels=["*"],
                           commands=["+@all", "-config"])  # fmt: skip
        url = process.url.replace("unix://", "unix://managed:x@")
        async with node(url, process.folder) as address:
            wire = await dial(at=address)
            assert (await wire.asks("create"))["type"] == "created"
        client.config_set("maxmemory-policy", "allkeys-lru")
        ended = await asyncio.to_thread(server, url)
        assert ended.returncode == 1
        assert "maxmemory-policy should be noeviction" in ended.stderr


def ready(address: str) -> tuple[int, dict[str, Any]]:
    try:
        with urllib.request.urlopen(f"{address}/readyz", timeout=240) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        with error:
            return error.code, json.load(error)


async def until_ready_is(
    address: str, status: int, word: str = "", see_to_it: Callable[[], None] = lambda: None
) -> dict[str, Any]:
    async with asyncio.timeout(240):
        while True:
            see_to_it()
            found, said = await asyncio.to_thread(ready, address)
            if found == status and word in json.dumps(said):
                return said
            await asyncio.sleep(0.05)


def fill(client: Redis, part: float) -> None:
    """Fill this share of the allowed memory."""
    client.config_set("maxmemory", int(client.info("memory")["used_memory"] / part))


async def test_no_new_rooms_where_memory_is_nearly_full_and_games_go_on(
    serve: Callable[..., Any], dial: Dial, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fourfold.server.storage.safety.INSPECTION", 0.1)
    address, client = await serve({})
    white, black = await dial(at=address), await dial(at=address)
    room = (await white.asks("create"))["room"]
    for wire in (white, black):
        await wire.asks("join", room=room)
    for n in range(40):
        client.set(f"ballast{n}", b"x" * 1_000_000)
    said = await until_ready_is(address, 200, "no new rooms", lambda: fill(client, 0.95))
    assert said["ready"] and "memory" in said["warning"]
    refused = await white.asks("create")
    assert refused["code"] == "store_full"
    assert refused["retry"] > 0
    assert (await white.asks("seek"))["code"] == "store_full"
    assert (await white.asks("move", room=room, move="e2e4", seq=3, key="k"))["type"] == "ok"
    await until_ready_is(address, 200, '"warning": null', lambda: fill(client, 0.5))
    assert (await white.asks("create"))["type"] == "created"


@pytest.mark.parametrize(
    ("harm", "word"),
    [
        ("memory", "memory"),
        ("replicas", "replicas"),
        ("read-only", "replica"),
    ],
)
async def test_a_store_that_takes_no_writes_makes_the_server_not_ready(
    serve: Callable[..., Any], harm: str, word: str
) -> None:
    address, client = await serve({})
    await until_ready_is(address, 200)
    match harm:
        case "memory":
            client.config_set("maxmemory", 100_000)
        case "replicas":
            client.config_set("min-replicas-to-write", 1)
        case _:
            client.replicaof("127.0.0.1", 1)
    said = await until_ready_is(address, 503)
    assert word in said["why"]
    match harm:
        case "memory":
            client.config_set("maxmemory", 0)
        case "replicas":
            client.config_set("min-replicas-to-write", 0)
        case _:
            client.replicaof("NO", "ONE")
    await until_ready_is(address, 200)


async def test_a_secret_of_ones_own_signs_the_tokens(serve: Callable[..., Any], dial: Dial) -> None:
    """Also when the store has another one, or none any more."""
    address, client = await serve({}, secret="sixteen letters!")
    wire = await dial(at=address)
    other, other_client = await serve({}, secret="sixteen letters!")
    again = await dial(at=other, token=wire.token)
    assert again.player == wire.player
    assert not client.exists("fourfold:secret") and not other_client.exists("fourfold:secret")
    third, _ = await serve({}, secret="another sixteen!")
    stranger = await dial(at=third, hello=False)
    assert (await stranger.asks("hello", token=wire.token))["code"] == "bad_token"
