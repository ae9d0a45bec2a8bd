"""All keys that servers have in a store: copies, restores and removes them.

A copy has the value, not the store's internal form of it, so that it fits any version of Redis and Valkey.
"""

import itertools
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterable, Sequence
from typing import Any, Final, NamedTuple

from redis.asyncio import Redis
from redis.exceptions import RedisError

from fourfold.server.storage.cluster import Cluster
from fourfold.server.storage.event_log import LogUnavailable
from fourfold.server.storage.records import Entry

OURS: Final = "fourfold:*"
"""The pattern of all keys that servers use."""

_PAGE: Final = 1000
"""How many keys, or entries of a stream, one request reads."""


_REMOVE_LOG: Final = """
local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
if not last or last[1] ~= ARGV[1] .. '-0' then return 0 end
return redis.call('DEL', KEYS[1])
"""
"""KEYS: the stream. ARGV: the number of its last entry. Returns 0 if it is not the last."""


_REPLACE_LOG: Final = """
local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
if not last or last[1] ~= ARGV[1] .. '-0' then return 0 end
local keep = redis.call('PTTL', KEYS[1])
redis.call('DEL', KEYS[1])
for i = 2, #ARGV, 4 do
  if ARGV[i + 3] == '' then
    redis.call('XADD', KEYS[1], ARGV[i] .. '-0', 't', ARGV[i + 1], 'd', ARGV[i + 2])
  else
    redis.call('XADD', KEYS[1], ARGV[i] .. '-0', 't', ARGV[i + 1], 'd', ARGV[i + 2], 's', ARGV[i + 3])
  end
end
if keep > 0 then redis.call('PEXPIRE', KEYS[1], keep) end
return 1
"""
"""KEYS: the stream. ARGV: the number of its last entry; then of each entry its number, time, bytes and seal (empty:
none). Returns 0 if it is not the last."""


class Copy(NamedTuple):
    """A key with its type, its remaining life in milliseconds (None: for ever), and its value as plain data."""

    name: str
    type: str
    keep: int | None
    value: Any


class Keys:
    """The keys of a store, one server or a cluster. All methods raise `LogUnavailable`."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster

    async def names(self, pattern: str = OURS) -> AsyncIterator[list[str]]:
        """The names of all keys that match a pattern, some at a time. A name may come twice."""
        for node in self._cluster.masters:
            cursor = 0
            while True:
                try:
                    found: Any = await node.client.scan(cursor, pattern, count=_PAGE)
                except (RedisError, OSError) as error:
                    raise LogUnavailable(f"The store does not answer: {error}") from error
                cursor, names = found
                yield [name.decode() for name in names]
                if cursor == 0:
                    break

    async def copy(self, name: str) -> Copy | None:
        """A key as it is now; None if it is gone."""
        type: str = (await self._command(name, "TYPE", name)).decode()
        if type not in _READERS:
            return None
        keep: int = await self._command(name, "PTTL", name)
        value = await _READERS[type](self._command, name)
        return Copy(name, type, keep if keep >= 0 else None, value) if value else None

    async def put(self, copy: Copy) -> None:
        """Write a key that does not exist."""

        async def put(client: Redis) -> object:
            pipeline = client.pipeline(transaction=False)
            for command in _WRITERS[copy.type](copy.name, copy.value):
                pipeline.execute_command(*command)
            if copy.keep is not None:
                pipeline.pexpire(copy.name, copy.keep)
            return await pipeline.execute()

        await self._cluster.ask(copy.name, put)

    async def remove(self, names: Iterable[str]) -> None:
        """Delete keys."""
        for name in names:
            await self._command(name, "DEL", name)

    async def remove_mentions(self, words: Collection[str], but: Collection[str] = ()) -> None:
        """Delete the fields of hashes that contain one of `words`, and the hashes named by one. Fields named in `but`
        are kept. Delete the words from sorted sets, and the members of lists that contain one."""
        found = [word.encode() for word in words]
        async for names in self.names():
            for name in names:
                type = (await self._command(name, "TYPE", name)).decode()
                if type == "zset" and found:
                    await self._command(name, "ZREM", name, *found)
                if type == "list":
                    for member in await _READERS[type](self._command, name):
                        if any(word in member for word in found):
                            await self._command(name, "LREM", name, 0, member)
                if type != "hash":
                    continue
                if any(f"{{{word}}}" in name for word in words) and not but:
                    await self.remove([name])
                    continue
                gone = [
                    field
                    for field, value in await _read_hash(self._command, name)
                    if field.decode() not in but and any(word in field or word in value for word in found)
                ]
                if gone:
                    await self._command(name, "HDEL", name, *gone)

    async def remove_log(self, name: str, last: int) -> bool:
        """Delete a room's stream if its last entry has this number; returns whether it did."""
        return bool(await self._command(name, "EVAL", _REMOVE_LOG, 1, name, last))

    async def replace_log(self, name: str, entries: Sequence[Entry]) -> bool:
        """Replace the entries of a room's stream by others with the same numbers, if its last entry still has the last
        number. Returns whether it did. Servers that hold the room reload it, because its lineage has changed."""
        parts = [part for entry in entries for part in (entry.seq, entry.at, entry.packed, entry.sealed or b"")]
        return bool(await self._command(name, "EVAL", _REPLACE_LOG, 1, name, entries[-1].seq, *parts))

    async def _command(self, key: str, *command: str | bytes | int) -> Any:
        return await self._cluster.command(key, *command)


_Command = Callable[..., Awaitable[Any]]


async def _read_stream(command: _Command, name: str) -> list[Any]:
    """All entries as of one moment. Meanwhile the log may grow, or the archive may take all but its last entry."""
    while True:
        entries: list[Any] = []
        start = "-"
        while True:
            page = await command(name, "XRANGE", name, start, "+", "COUNT", _PAGE)
            entries += [[id, dict(fields)] for id, fields in page]
            if len(page) < _PAGE:
                break
            start = "(" + page[-1][0].decode()
        first = await command(name, "XRANGE", name, "-", "+", "COUNT", 1)
        if not entries or not first or first[0][0] == entries[0][0]:
            return entries


def _reader(*command: str | int) -> Callable[[_Command, str], Awaitable[Any]]:
    async def read(ask: _Command, name: str) -> Any:
        verb, *rest = command
        return await ask(name, verb, name, *rest)

    return read


async def _read_scores(command: _Command, name: str) -> list[Any]:
    return [[member, float(score)] for member, score in await command(name, "ZRANGE", name, 0, -1, "WITHSCORES")]


async def _read_hash(command: _Command, name: str) -> list[Any]:
    return [[field, value] for field, value in (await command(name, "HGETALL", name)).items()]


async def _read_set(command: _Command, name: str) -> list[Any]:
    return list(await command(name, "SMEMBERS", name))


_READERS: Final[dict[str, Callable[[_Command, str], Awaitable[Any]]]] = {
    "string": _reader("GET"),
    "list": _reader("LRANGE", 0, -1),
    "hash": _read_hash,
    "set": _read_set,
    "zset": _read_scores,
    "stream": _read_stream,
}
"""The reader for values of each type."""


def _each(verb: str, of: Callable[[Any], list[Any]]) -> Callable[[str, Sequence[Any]], list[list[Any]]]:
    """Commands that add all members of a value, each command some of them."""

    def write(name: str, value: Sequence[Any]) -> list[list[Any]]:
        parts = [value[start : start + _PAGE] for start in range(0, len(value), _PAGE)]
        return [[verb, name, *itertools.chain.from_iterable(map(of, part))] for part in parts]

    return write


_WRITERS: Final[dict[str, Callable[[str, Any], list[list[Any]]]]] = {
    "string": lambda name, value: [["SET", name, value]],
    "list": _each("RPUSH", lambda one: [one]),
    "hash": _each("HSET", list),
    "set": _each("SADD", lambda one: [one]),
    "zset": _each("ZADD", lambda pair: [repr(pair[1]), pair[0]]),
    "stream": lambda name, value: [
        ["XADD", name, id, *itertools.chain.from_iterable(fields.items())] for id, fields in value
    ],
}
"""The commands that write a value of each type."""
