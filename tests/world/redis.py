"""A model of Redis: its data, the commands that servers use, and Lua scripts, run by Lua itself.

It knows no connections: see `redis_server`. Its errors have Redis' texts.
"""

import fnmatch
import hashlib
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from typing import Any, Final

from lupa import lua51

Reply = Any
"""None, a whole number, a float, bytes, `Status`, a list, or a dict."""


class Status(bytes):
    """A reply that is a word, such as OK."""


class RedisError(Exception):
    """A reply that is an error."""


OK: Final = Status(b"OK")

NO_HISTORY: Final = "0" * 40
"""The replication id of a server that has taken over from no other."""


class Stream:
    """Entries by their ids, oldest first."""

    def __init__(self) -> None:
        self.ids: list[tuple[int, int]] = []
        self.fields: list[list[bytes]] = []
        self.last = (0, 0)

    def add(self, id: tuple[int, int], fields: list[bytes]) -> None:
        if id <= self.last:
            raise RedisError("ERR The ID specified in XADD is equal or smaller than the target stream top item")
        self.ids.append(id)
        self.fields.append(fields)
        self.last = id

    def between(self, start: tuple[int, int], end: tuple[int, int], most: int | None, *, backwards: bool) -> list[Any]:
        """The entries from one id to another, at most `most`; `backwards`: the newest first."""
        first, last = bisect_left(self.ids, start), bisect_right(self.ids, end)
        places = range(last - 1, first - 1, -1) if backwards else range(first, last)
        return [[b"%d-%d" % self.ids[place], self.fields[place]] for place in places[:most]]


class Sorted(dict[bytes, float]):
    """Members with their scores."""

    def ranked(self) -> list[tuple[bytes, float]]:
        return sorted(self.items(), key=lambda item: (item[1], item[0]))


class Members(dict[bytes, None]):
    """The members of a set, in the order in which they came."""


class Redis:
    """The data of one server, and its limits."""

    def __init__(self, now: Callable[[], float]) -> None:
        """`now` gives the seconds since 1970."""
        self.now = now
        self.data: dict[bytes, Any] = {}
        self.ends: dict[bytes, int] = {}
        self.config = {b"maxmemory": b"0", b"min-replicas-to-write": b"0", b"appendonly": b"yes",
                       b"appendfsync": b"always", b"maxmemory-policy": b"noeviction", b"port": b"0"}  # fmt: skip
        self.replica = False
        self.space: int | None = None
        """The free bytes of its disk; None: no limit."""
        self.listeners: Callable[[bytes], int] = lambda channel: 0
        self.publish: Callable[[bytes, bytes], int] = lambda channel, message: 0
        self.replicas: Callable[[], list[dict[str, Any]]] = list
        """What INFO says of its replicas."""
        self.history = self.former = NO_HISTORY
        """Its replication id, and that of the server that it has taken over from."""
        self.writes = 0
        self.changed: set[bytes] = set()
        """The keys of these writes, until their replication."""
        self._scripts: dict[bytes, Any] = {}
        self._lua: Any = None
        self._in_script = self._written = False

    def forget(self) -> None:
        """Forget what a server does not keep when it ends: the scripts that it was told."""
        self._scripts.clear()

    def copied(self) -> tuple[dict[bytes, Any], dict[bytes, int]]:
        """All that it holds now."""
        return {key: _copied(value) for key, value in self.data.items()}, dict(self.ends)

    def changes(self) -> list[tuple[bytes, Any, int | None]]:
        """The keys that were written since the last call, with their values and ends now."""
        keys, self.changed = sorted(self.changed), set()
        return [(key, _copied(self.data.get(key)), self.ends.get(key)) for key in keys]

    def apply(self, changes: list[tuple[bytes, Any, int | None]]) -> None:
        """Make the same changes as another one."""
        for key, value, end in changes:
            self.data.pop(key, None)
            self.ends.pop(key, None)
            if value is not None:
                self.data[key] = value
            if end is not None:
                self.ends[key] = end

    # -- one command --

    def run(self, command: list[bytes]) -> Reply:
        """The reply to a command. Raises `RedisError`; `DiskFull` if the server dies of it."""
        name = command[0].upper()
        what = COMMANDS.get(name)
        if what is None:
            raise RedisError(f"ERR unknown command '{name.decode()}'")
        if name in WRITES:
            self._allow(name, command)
        return what(self, *command[1:])

    def _allow(self, name: bytes, command: list[bytes]) -> None:
        if self.replica:
            raise RedisError("READONLY You can't write against a read only replica.")
        if int(self.config[b"min-replicas-to-write"]):
            raise RedisError("NOREPLICAS Not enough good replicas to write.")
        if 0 < int(self.config[b"maxmemory"]) < 1000 and name in GROWS and not self._written:
            raise RedisError("OOM command not allowed when used memory > 'maxmemory'.")
        if self.space is not None:
            self.space -= 50 + sum(map(len, command))
            if self.space < 0:
                raise DiskFull
        self._written = self._in_script
        self.writes += 1
        self.changed.update(command[1:] if name == b"DEL" else command[1:2])

    @property
    def milliseconds(self) -> int:
        return int(self.now() * 1000)

    def look(self, key: bytes, kind: type | None = None) -> Any:
        """The value of a key, which may be over by now. Raises `RedisError` if it is of another kind."""
        end = self.ends.get(key)
        if end is not None and end <= self.milliseconds:
            self.data.pop(key, None)
            del self.ends[key]
        value = self.data.get(key)
        if value is not None and kind is not None and type(value) is not kind:
            raise RedisError("WRONGTYPE Operation against a key holding the wrong kind of value")
        return value

    def make(self, key: bytes, kind: type) -> Any:
        value = self.look(key, kind)
        if value is None:
            value = self.data[key] = kind()
        return value

    def drop(self, key: bytes) -> bool:
        there = self.look(key) is not None
        self.data.pop(key, None)
        self.ends.pop(key, None)
        return there

    def tidy(self, key: bytes) -> None:
        """Empty collections are deleted."""
        if not self.data.get(key, True):
            self.drop(key)

    # -- scripts --

    def load(self, text: bytes) -> bytes:
        digest = hashlib.sha1(text, usedforsecurity=False).hexdigest().encode()
        if digest not in self._scripts:
            self._scripts[digest] = self._compile(text)
        return digest

    def _compile(self, text: bytes) -> Any:
        if self._lua is None:
            self._lua = lua51.LuaRuntime(encoding=None, unpack_returned_tuples=True)
            self._lua.globals()[b"_call"] = self._call
            self._lua.execute(b"redis = {call = function(...) return _call(...) end}")
        return self._lua.execute(b"return function(KEYS, ARGV) " + text + b"\nend")

    def _call(self, *arguments: Any) -> Any:
        return self._to_lua(self.run([_text(one) for one in arguments]))

    def _to_lua(self, reply: Reply) -> Any:
        if reply is None:
            return False
        if isinstance(reply, Status):
            return self._lua.table_from({b"ok": bytes(reply)})
        if isinstance(reply, dict):
            reply = [part for pair in reply.items() for part in pair]
        if isinstance(reply, list | tuple):
            return self._lua.table_from([self._to_lua(one) for one in reply])
        if isinstance(reply, float):
            return _score(reply)
        return reply

    def evaluate(self, script: Any, keys: list[bytes], arguments: list[bytes]) -> Reply:
        self._in_script, self._written = True, False
        try:
            answer = script(self._lua.table_from(keys), self._lua.table_from(arguments))
        except lua51.LuaError as error:
            raise RedisError(f"ERR {error}") from error
        except RedisError as error:
            raise RedisError(f"{error} script: 0, on @user_script:1.") from error
        finally:
            self._in_script = self._written = False
        return _from_lua(answer)


def _copied(value: Any) -> Any:
    """A value of a key; its parts never change."""
    if value is None or isinstance(value, bytes):
        return value
    if isinstance(value, Stream):
        twin = Stream()
        twin.ids, twin.fields, twin.last = value.ids.copy(), value.fields.copy(), value.last
        return twin
    return type(value)(value)


class DiskFull(Exception):
    """The server has died because its disk is full. The write in progress is lost."""


def _from_lua(value: Any) -> Reply:
    if value is None or value is False:
        return None
    if value is True:
        return 1
    if isinstance(value, bytes):
        return value
    if isinstance(value, int | float):
        return int(value)
    if value[b"ok"] is not None:
        return Status(value[b"ok"])
    parts = []
    for number in range(1, len(value) + 1):
        if value[number] is None:
            break
        parts.append(_from_lua(value[number]))
    return parts


def _text(value: Any) -> bytes:
    if isinstance(value, bytes):
        return value
    if isinstance(value, float):
        return _score(value)
    return b"%d" % value


def _score(value: float) -> bytes:
    return b"%d" % value if value == int(value) else repr(value).encode()


def _id(text: bytes, sequence: int = 0) -> tuple[int, int]:
    if text == b"-":
        return (0, 0)
    if text == b"+":
        return (2**64, 2**64)
    number, _, rest = text.partition(b"-")
    return int(number), int(rest) if rest else sequence


def _span(start: bytes, end: bytes) -> tuple[tuple[int, int], tuple[int, int]]:
    first = _id(start.lstrip(b"("))
    last = _id(end.lstrip(b"("), 2**64)
    if start.startswith(b"("):
        first = (first[0], first[1] + 1)
    if end.startswith(b"("):
        last = (last[0], last[1] - 1)
    return first, last


def _options(words: tuple[bytes, ...]) -> dict[bytes, bytes]:
    """Options that have a value each."""
    return {words[i].upper(): words[i + 1] for i in range(0, len(words) - 1, 2)}


COMMANDS: Final[dict[bytes, Callable[..., Reply]]] = {}
WRITES: Final[set[bytes]] = set()
GROWS: Final[set[bytes]] = set()


def _command(name: str, kind: str = "reads") -> Callable[[Callable[..., Reply]], Callable[..., Reply]]:
    def keep(do: Callable[..., Reply]) -> Callable[..., Reply]:
        COMMANDS[name.encode()] = do
        if kind != "reads":
            WRITES.add(name.encode())
        if kind == "grows":
            GROWS.add(name.encode())
        return do

    return keep


# -- all kinds of keys --


@_command("TIME")
def _time(redis: Redis) -> Reply:
    micros = int(redis.now() * 1_000_000)
    return [b"%d" % (micros // 1_000_000), b"%d" % (micros % 1_000_000)]


@_command("EXISTS")
def _exists(redis: Redis, *keys: bytes) -> Reply:
    return sum(redis.look(key) is not None for key in keys)


@_command("DEL", "writes")
def _del(redis: Redis, *keys: bytes) -> Reply:
    return sum(redis.drop(key) for key in keys)


@_command("TYPE")
def _type(redis: Redis, key: bytes) -> Reply:
    return Status(_KINDS.get(type(redis.look(key)), b"none"))


_KINDS: Final = {bytes: b"string", dict: b"hash", Sorted: b"zset", Members: b"set", list: b"list", Stream: b"stream"}


@_command("PTTL")
def _pttl(redis: Redis, key: bytes) -> Reply:
    if redis.look(key) is None:
        return -2
    return redis.ends[key] - redis.milliseconds if key in redis.ends else -1


def _expire(redis: Redis, key: bytes, milliseconds: int) -> Reply:
    if redis.look(key) is None:
        return 0
    redis.ends[key] = redis.milliseconds + milliseconds
    return 1


@_command("PEXPIRE", "writes")
def _pexpire(redis: Redis, key: bytes, milliseconds: bytes) -> Reply:
    return _expire(redis, key, int(float(milliseconds)))


@_command("EXPIRE", "writes")
def _expire_seconds(redis: Redis, key: bytes, seconds: bytes) -> Reply:
    return _expire(redis, key, int(seconds) * 1000)


@_command("PERSIST", "writes")
def _persist(redis: Redis, key: bytes) -> Reply:
    redis.look(key)
    return int(redis.ends.pop(key, None) is not None)


@_command("SCAN")
def _scan(redis: Redis, cursor: bytes, *words: bytes) -> Reply:
    pattern = _options(words).get(b"MATCH", b"*").decode()
    known = [key for key in sorted(redis.data) if redis.look(key) is not None]
    return [b"0", [key for key in known if fnmatch.fnmatchcase(key.decode(), pattern.replace("[", "[[]"))]]


@_command("DUMP")
def _dump(redis: Redis, key: bytes) -> Reply:
    redis.shelf = _copied(redis.look(key))  # type: ignore[attr-defined]
    return b"shelved"


@_command("RESTORE", "grows")
def _restore(redis: Redis, key: bytes, keep: bytes, _value: bytes) -> Reply:
    redis.data[key] = redis.shelf  # type: ignore[attr-defined]
    if int(keep):
        _expire(redis, key, int(keep))
    return OK


# -- strings --


@_command("GET")
def _get(redis: Redis, key: bytes) -> Reply:
    return redis.look(key, bytes)


@_command("SET", "grows")
def _set(redis: Redis, key: bytes, value: bytes, *words: bytes) -> Reply:
    upper = [word.upper() for word in words]
    if b"NX" in upper and redis.look(key) is not None:
        return None
    redis.drop(key)
    redis.data[key] = value
    if b"PX" in upper:
        _expire(redis, key, int(words[upper.index(b"PX") + 1]))
    return OK


@_command("GETDEL", "writes")
def _getdel(redis: Redis, key: bytes) -> Reply:
    value = redis.look(key, bytes)
    redis.drop(key)
    return value


# -- hashes --


@_command("HGET")
def _hget(redis: Redis, key: bytes, field: bytes) -> Reply:
    return (redis.look(key, dict) or {}).get(field)


@_command("HMGET")
def _hmget(redis: Redis, key: bytes, *fields: bytes) -> Reply:
    held = redis.look(key, dict) or {}
    return [held.get(field) for field in fields]


@_command("HGETALL")
def _hgetall(redis: Redis, key: bytes) -> Reply:
    return dict(redis.look(key, dict) or {})


@_command("HKEYS")
def _hkeys(redis: Redis, key: bytes) -> Reply:
    return list(redis.look(key, dict) or {})


@_command("HLEN")
def _hlen(redis: Redis, key: bytes) -> Reply:
    return len(redis.look(key, dict) or {})


@_command("HEXISTS")
def _hexists(redis: Redis, key: bytes, field: bytes) -> Reply:
    return int(field in (redis.look(key, dict) or {}))


@_command("HSCAN")
def _hscan(redis: Redis, key: bytes, cursor: bytes, *_words: bytes) -> Reply:
    return [b"0", [part for pair in (redis.look(key, dict) or {}).items() for part in pair]]


@_command("HSET", "grows")
def _hset(redis: Redis, key: bytes, *pairs: bytes) -> Reply:
    held = redis.make(key, dict)
    before = len(held)
    for i in range(0, len(pairs), 2):
        held[pairs[i]] = pairs[i + 1]
    return len(held) - before


@_command("HSETNX", "grows")
def _hsetnx(redis: Redis, key: bytes, field: bytes, value: bytes) -> Reply:
    held = redis.make(key, dict)
    if field in held:
        return 0
    held[field] = value
    return 1


@_command("HINCRBY", "grows")
def _hincrby(redis: Redis, key: bytes, field: bytes, by: bytes) -> Reply:
    held = redis.make(key, dict)
    number = int(held.get(field, 0)) + int(by)
    held[field] = b"%d" % number
    return number


@_command("HDEL", "writes")
def _hdel(redis: Redis, key: bytes, *fields: bytes) -> Reply:
    return _removed(redis, key, redis.look(key, dict), fields)


def _removed(redis: Redis, key: bytes, held: dict[bytes, Any] | None, names: tuple[bytes, ...]) -> int:
    """Remove names from a hash or a sorted set; returns how many it had."""
    gone = sum((held or {}).pop(name, None) is not None for name in names)
    redis.tidy(key)
    return gone


# -- lists --


@_command("RPUSH", "grows")
def _rpush(redis: Redis, key: bytes, *values: bytes) -> Reply:
    held = redis.make(key, list)
    held += values
    return len(held)


def _slice(start: bytes, end: bytes, size: int) -> slice:
    first, last = int(start), int(end)
    first, last = first + size if first < 0 else first, last + size if last < 0 else last
    return slice(max(0, first), last + 1)


@_command("LRANGE")
def _lrange(redis: Redis, key: bytes, start: bytes, end: bytes) -> Reply:
    held = redis.look(key, list) or []
    return held[_slice(start, end, len(held))]


@_command("LTRIM", "writes")
def _ltrim(redis: Redis, key: bytes, start: bytes, end: bytes) -> Reply:
    held = redis.look(key, list)
    if held is not None:
        held[:] = held[_slice(start, end, len(held))]
        redis.tidy(key)
    return OK


# -- sets --


@_command("SADD", "grows")
def _sadd(redis: Redis, key: bytes, *members: bytes) -> Reply:
    held = redis.make(key, Members)
    before = len(held)
    held.update(dict.fromkeys(members))
    return len(held) - before


@_command("SREM", "writes")
def _srem(redis: Redis, key: bytes, *members: bytes) -> Reply:
    held = redis.look(key, Members) or {}
    gone = sum(member in held for member in members)
    for member in members:
        held.pop(member, None)
    redis.tidy(key)
    return gone


@_command("SMEMBERS")
def _smembers(redis: Redis, key: bytes) -> Reply:
    return list(redis.look(key, Members) or {})


# -- sorted sets --


@_command("ZADD", "grows")
def _zadd(redis: Redis, key: bytes, *words: bytes) -> Reply:
    rest = list(words)
    only_new = rest[0].upper() == b"NX"
    if only_new:
        rest.pop(0)
    held = redis.make(key, Sorted)
    new = 0
    for i in range(0, len(rest), 2):
        score, member = float(rest[i]), rest[i + 1]
        new += member not in held
        if not (only_new and member in held):
            held[member] = score
    return new


@_command("ZREM", "writes")
def _zrem(redis: Redis, key: bytes, *members: bytes) -> Reply:
    return _removed(redis, key, redis.look(key, Sorted), members)


@_command("ZSCORE")
def _zscore(redis: Redis, key: bytes, member: bytes) -> Reply:
    score = (redis.look(key, Sorted) or {}).get(member)
    return None if score is None else float(score)


@_command("ZCARD")
def _zcard(redis: Redis, key: bytes) -> Reply:
    return len(redis.look(key, Sorted) or {})


def _bound(text: bytes) -> tuple[float, bool]:
    """A score, and whether it is itself left out."""
    return float(text.lstrip(b"(")), text.startswith(b"(")


def _scored(held: Sorted, least: bytes, most: bytes) -> Iterator[tuple[bytes, float]]:
    (low, over), (high, under) = _bound(least), _bound(most)
    for member, score in held.ranked():
        if (score > low or (score == low and not over)) and (score < high or (score == high and not under)):
            yield member, score


@_command("ZRANGE")
def _zrange(redis: Redis, key: bytes, start: bytes, end: bytes, *words: bytes) -> Reply:
    upper = [word.upper() for word in words]
    held = redis.look(key, Sorted) or Sorted()
    if b"BYSCORE" in upper:
        backwards = b"REV" in upper
        found = list(_scored(held, end, start) if backwards else _scored(held, start, end))
        if backwards:
            found.reverse()
        if b"LIMIT" in upper:
            at = upper.index(b"LIMIT")
            skip, most = int(float(words[at + 1])), int(float(words[at + 2]))
            found = found[skip : skip + most if most >= 0 else None]
    else:
        ranked = held.ranked()
        if b"REV" in upper:
            ranked.reverse()
        found = ranked[_slice(start, end, len(ranked))]
    if b"WITHSCORES" in upper:
        return Scored(found)
    return [member for member, _ in found]


class Scored(list[Any]):
    """Members with their scores, which the two versions of the protocol write in two ways."""


@_command("ZRANGEBYSCORE")
def _zrangebyscore(redis: Redis, key: bytes, least: bytes, most: bytes) -> Reply:
    return [member for member, _ in _scored(redis.look(key, Sorted) or Sorted(), least, most)]


@_command("ZREMRANGEBYSCORE", "writes")
def _zremrangebyscore(redis: Redis, key: bytes, least: bytes, most: bytes) -> Reply:
    held = redis.look(key, Sorted) or Sorted()
    gone = [member for member, _ in _scored(held, least, most)]
    for member in gone:
        del held[member]
    redis.tidy(key)
    return len(gone)


# -- streams --


@_command("XADD", "grows")
def _xadd(redis: Redis, key: bytes, id: bytes, *fields: bytes) -> Reply:
    there = redis.look(key, Stream)
    stream = there or Stream()
    stream.add(_id(id), list(fields))
    if there is None:
        redis.data[key] = stream
    return id


@_command("XLEN")
def _xlen(redis: Redis, key: bytes) -> Reply:
    stream = redis.look(key, Stream)
    return 0 if stream is None else len(stream.ids)


def _entries(redis: Redis, key: bytes, start: bytes, end: bytes, words: tuple[bytes, ...], *, backwards: bool) -> Reply:
    stream = redis.look(key, Stream)
    count = _options(words).get(b"COUNT")
    most = None if count is None else int(count)
    return [] if stream is None else stream.between(*_span(start, end), most, backwards=backwards)


@_command("XRANGE")
def _xrange(redis: Redis, key: bytes, start: bytes, end: bytes, *words: bytes) -> Reply:
    return _entries(redis, key, start, end, words, backwards=False)


@_command("XREVRANGE")
def _xrevrange(redis: Redis, key: bytes, end: bytes, start: bytes, *words: bytes) -> Reply:
    return _entries(redis, key, start, end, words, backwards=True)


# -- messages and scripts --


@_command("SPUBLISH")
def _spublish(redis: Redis, channel: bytes, message: bytes) -> Reply:
    return redis.publish(channel, message)


@_command("PUBSUB")
def _pubsub(redis: Redis, what: bytes, *channels: bytes) -> Reply:
    return [part for channel in channels for part in (channel, redis.listeners(channel))]


def _split(count: bytes, words: tuple[bytes, ...]) -> tuple[list[bytes], list[bytes]]:
    return list(words[: int(count)]), list(words[int(count) :])


@_command("EVAL")
def _eval(redis: Redis, text: bytes, count: bytes, *words: bytes) -> Reply:
    return redis.evaluate(redis._scripts[redis.load(text)], *_split(count, words))


@_command("EVALSHA")
def _evalsha(redis: Redis, digest: bytes, count: bytes, *words: bytes) -> Reply:
    script = redis._scripts.get(digest)
    if script is None:
        raise RedisError("NOSCRIPT No matching script. Please use EVAL.")
    return redis.evaluate(script, *_split(count, words))


@_command("SCRIPT")
def _script(redis: Redis, what: bytes, text: bytes) -> Reply:
    return redis.load(text)


# -- the server itself --


@_command("CONFIG")
def _config(redis: Redis, what: bytes, *words: bytes) -> Reply:
    if what.upper() == b"SET":
        redis.config |= {words[i]: words[i + 1] for i in range(0, len(words), 2)}
        return OK
    return {name: redis.config[name] for name in words if name in redis.config}


@_command("REPLICAOF")
def _replicaof(redis: Redis, host: bytes, port: bytes) -> Reply:
    redis.replica = host.upper() != b"NO"
    return OK


@_command("INFO")
def _info(redis: Redis, *_sections: bytes) -> Reply:
    used = 1_000_000
    told = {
        "redis_version": "7.2.4", "cluster_enabled": 0, "role": "slave" if redis.replica else "master",
        "aof_enabled": 1, "aof_last_write_status": "ok", "aof_rewrite_in_progress": 0, "aof_rewrite_scheduled": 0,
        "used_memory": used, "mem_not_counted_for_evict": 0, "maxmemory": redis.config[b"maxmemory"].decode(),
        "maxmemory_policy": "noeviction", "connected_slaves": len(redis.replicas()),
        "master_replid": redis.history, "master_replid2": redis.former,
    }  # fmt: skip
    for number, replica in enumerate(redis.replicas()):
        told[f"slave{number}"] = ",".join(f"{name}={value}" for name, value in replica.items())
    return "".join(f"{name}:{value}\r\n" for name, value in told.items()).encode()


@_command("PING")
def _ping(redis: Redis, *words: bytes) -> Reply:
    return words[0] if words else Status(b"PONG")


@_command("SELECT")
def _select(redis: Redis, _number: bytes) -> Reply:
    return OK


@_command("CLIENT")
def _client(redis: Redis, what: bytes, *_words: bytes) -> Reply:
    if what.upper() not in (b"SETINFO", b"SETNAME"):
        raise RedisError(f"ERR unknown subcommand '{what.decode()}'")
    return OK
