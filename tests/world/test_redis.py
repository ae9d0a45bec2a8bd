"""The model of Redis passes the contract of the log, and answers commands like a real store."""

import asyncio
import itertools
import random
import signal
import socket
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import hiredis
import pytest

from fourfold.server.lobby import challenges, listing_store
from fourfold.server.storage import keys, redis_log
from fourfold.server.storage.event_log import EventLog
from fourfold.server.storage.redis_log import RedisLog
from tests.server.storage.test_event_log import TestContract as Contract
from tests.server.storage.test_event_log import log, room, there  # noqa: F401 - fixtures of the contract
from tests.server.storage.test_replicas import Pair, pair  # noqa: F401 - a fixture
from tests.world.loop import WorldLoop
from tests.world.network import Network
from tests.world.redis import Redis, RedisError
from tests.world.redis_server import Hub, RedisServer, packed, refusal

pytestmark = pytest.mark.interpreted  # it looks at the scripts inside modules

_paths = itertools.count()


@pytest.fixture
async def nodes(tmp_path: Path) -> AsyncIterator[tuple[EventLog, EventLog]]:
    """The log on the model, as two nodes see it."""
    path = tmp_path / f"{next(_paths)}.sock"
    server = await asyncio.get_running_loop().create_unix_server(Hub(Redis(time.time)).make, path)
    url = f"unix://{path}"
    here, other = await RedisLog.open(url), await RedisLog.open(url)
    yield here, other
    await here.close()
    await other.close()
    server.close()


class TestModel(Contract):
    """The contract of the log, kept by the model."""


class Real:
    """A connection to a real store: commands out, bytes in."""

    def __init__(self, url: str) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.connect(urlsplit(url).path)
        self._socket.settimeout(60)

    def run(self, command: list[bytes]) -> object:
        self._socket.sendall(hiredis.pack_command(tuple(command)))
        reader = hiredis.Reader(replyError=Refusal)
        while (reply := reader.gets()) is False:
            reader.feed(self._socket.recv(65536))
        return reply

    def close(self) -> None:
        self._socket.close()


class Refusal(Exception):
    """An error that a store answers."""


def code(reply: object) -> object:
    """A reply; of an error, its code."""
    return str(reply).split()[0] if isinstance(reply, Refusal) else reply


def model(redis: Redis, command: list[bytes]) -> object:
    reader = hiredis.Reader(replyError=Refusal)
    try:
        reader.feed(packed(redis.run(command), 2))
    except RedisError as error:
        reader.feed(refusal(error))
    return reader.gets()


SCRIPTS = (
    challenges.CHANGE, listing_store.POST, keys._REMOVE_LOG, redis_log.RETIRE,
    "return {redis.call('ZSCORE', KEYS[1], ARGV[1]), redis.call('HGETALL', KEYS[1]), 1}",
    "return {1, false, 2}", "return redis.call('SET', KEYS[1], ARGV[1] + 1)", "return {tonumber(ARGV[1]), 1.9, true}",
)  # fmt: skip


def commands(chance: random.Random) -> list[bytes]:
    """A command, as servers use it, and of keys of all kinds."""
    kind = chance.choice(["s", "h", "l", "z", "x", "m"])
    key = f"{{model}}:{chance.choice([kind] * 9 + ['h'])}{chance.randrange(3)}"
    word, other = (chance.choice(["a", "b", "c", "d"]) for _ in range(2))
    score, least, most = (chance.randrange(-3, 9) for _ in range(3))
    number = chance.randrange(1, 9)
    low, high = chance.choice(["-inf", f"{least}", f"({least}"]), chance.choice(["+inf", f"{most}", f"({most}"])
    choices: dict[str, list[list[object]]] = {
        "s": [
            ["GET", key], ["SET", key, word], ["SET", key, word, "NX"], ["GETDEL", key], ["SET", key, "", "PX", 60_000],
        ],
        "h": [
            ["HSET", key, word, score, other, 1], ["HGET", key, word], ["HGETALL", key], ["HDEL", key, word, other],
            ["HKEYS", key], ["HLEN", key], ["HEXISTS", key, word], ["HSETNX", key, word, other],
            ["HMGET", key, word, "no"], ["HINCRBY", key, "number", 2],
        ],
        "l": [
            ["RPUSH", key, word, other], ["LRANGE", key, least, most], ["LTRIM", key, -4, -1], ["LRANGE", key, 0, -1],
        ],
        "z": [
            ["ZADD", key, score, word, least, other], ["ZADD", key, "NX", score, word], ["ZREM", key, word],
            ["ZSCORE", key, word], ["ZCARD", key], ["ZRANGE", key, 0, -1], ["ZRANGE", key, 0, 2, "WITHSCORES"],
            ["ZRANGE", key, low, high, "BYSCORE", "LIMIT", 0, 2], ["ZRANGE", key, high, low, "BYSCORE", "REV"],
            ["ZRANGE", key, high, low, "BYSCORE", "REV", "LIMIT", 1, 2], ["ZRANGE", key, 0, 1, "REV"],
            ["ZRANGEBYSCORE", key, low, high], ["ZREMRANGEBYSCORE", key, low, high],
        ],
        "x": [
            ["XADD", key, f"{number}-0", "t", score, "d", word], ["XLEN", key], ["XRANGE", key, "-", "+"],
            ["XRANGE", key, f"{number}-0", "+", "COUNT", 2], ["XREVRANGE", key, "+", "-", "COUNT", 1],
            ["XRANGE", key, "-", f"({number}-0"], ["XRANGE", key, f"({number}-0", f"{number + 2}-0"],
        ],
        "m": [["SADD", key, word], ["SADD", key, word, other], ["SMEMBERS", key]],
    }  # fmt: skip
    every: list[list[object]] = [
        ["EXISTS", key], ["TYPE", key], ["DEL", key], ["PERSIST", key], ["PEXPIRE", key, 60_000], ["EXPIRE", key, 60],
        ["EVAL", chance.choice(SCRIPTS), 1, key, word, number, score],
    ]  # fmt: skip
    chosen = chance.choice(choices[kind] * 3 + every)
    return [str(part).encode() for part in chosen]


@pytest.mark.parametrize("seed", range(2))
def test_it_answers_as_a_real_store_does(seed: int, embedded_url: str) -> None:
    real, redis, chance = Real(embedded_url), Redis(time.time), random.Random(seed)
    try:
        names = [f"{{model}}:{kind}{number}".encode() for kind in "shlzxm" for number in range(3)]
        real.run([b"DEL", *names])
        said: list[list[bytes]] = []
        for _ in range(1000):
            command = commands(chance)
            said.append(command)
            expected, found = real.run(command), model(redis, command)
            if command[0] == b"SMEMBERS" and isinstance(expected, list) and isinstance(found, list):
                expected, found = sorted(expected), sorted(found)  # a set has no order
            assert code(found) == code(expected), said[-5:]
    finally:
        real.close()


WAITING: Final = (
    ("SET", "key", "1"), ("WAIT", "1", "60000"), ("WAITAOF", "1", "1", "60000"),
    "the replica stops", ("SET", "key", "2"), ("WAIT", "1", "50"), ("WAITAOF", "1", "1", "50"),
    "it goes on", ("WAIT", "1", "60000"), ("WAITAOF", "1", "1", "60000"),
)  # fmt: skip
"""Commands that wait for a replica, and what happens to it in between."""

WAITED: Final = [b"OK", 1, [1, 1], b"OK", 0, [1, 0], 1, [1, 1]]


def test_a_real_store_waits_for_its_replica(pair: Pair) -> None:  # noqa: F811
    signals = {"the replica stops": signal.SIGSTOP, "it goes on": signal.SIGCONT}
    got = []
    with socket.create_connection(("127.0.0.1", pair.ports[0]), timeout=60) as connection:
        for step in WAITING:
            if isinstance(step, str):
                pair.processes[1].send_signal(signals[step])
                continue
            connection.sendall(hiredis.pack_command(step))
            reader = hiredis.Reader()
            while (reply := reader.gets()) is False:
                reader.feed(connection.recv(65536))
            got.append(reply)
    assert got == WAITED


def test_the_model_waits_as_long() -> None:
    loop = WorldLoop(1)
    Network(loop)
    server = RedisServer(loop, "/store", replicated=True)

    async def go() -> list[object]:
        server.start()
        reads, writes = await asyncio.open_unix_connection("/store")
        got = []
        for step in WAITING:
            if isinstance(step, str):
                assert server.replica is not None
                server.replica.machine.frozen = step == "the replica stops"
                continue
            writes.write(hiredis.pack_command(step))
            reader = hiredis.Reader()
            while (reply := reader.gets()) is False:
                reader.feed(await reads.read(65536))
            got.append(reply)
        writes.close()
        await writes.wait_closed()
        return got

    assert loop.run(go()) == WAITED
    loop.end()
