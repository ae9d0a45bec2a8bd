"""The log on Redis or Valkey: one stream a room, one entry a decision, one script that appends.

The script compares the expected version with the stream's length, stamps the time, adds the entry
at id `<version>-0`, sets how long the stream is kept from now on and rings the room's doorbell, all
atomically. Appends of one turn of the event loop travel in one pipeline (group commit): one writer
task, one connection, one fsync for all.

An append whose reply is lost may or may not have landed. It is simply sent again: if it had landed,
the version no longer fits, the answer is a conflict, and the writer's room finds its own key when it reads on.
"""

import asyncio
import secrets
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Self
from urllib.parse import urlsplit

import structlog
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import (
    BusyLoadingError,
    ConnectionError,
    MasterDownError,
    NoScriptError,
    ReadOnlyError,
    RedisError,
    TimeoutError,
)

from engine.match.events import Decision, Event
from server.doorbells import TOLD, Doorbells
from server.event_log import AppendConflict, Listener, LogUnavailable, Outage
from server.heartbeat import STAMP, STAMP_KEYS, Heartbeat
from server.records import pack, unpack

APPEND: Final = """
local version = redis.call('XLEN', KEYS[1])
if version ~= tonumber(ARGV[1]) then return {0, version} end
local time = redis.call('TIME')
local at = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))
version = version + 1
redis.call('XADD', KEYS[1], version .. '-0', 't', at, 'd', ARGV[2])
if ARGV[3] == '' then redis.call('PERSIST', KEYS[1]) else redis.call('PEXPIRE', KEYS[1], ARGV[3]) end
redis.call('SPUBLISH', KEYS[1], version .. ' ' .. at .. ' ' .. ARGV[2])
return {1, tonumber(at)}
"""
"""KEYS: the stream, whose name is also the doorbell's channel. ARGV: expected version, packed decision,
milliseconds to keep the stream (empty: for good). Returns {1, time in ms} when appended, {0, version} on a conflict."""

REMINDERS: Final = "fourfold:alarms"
"""A sorted set: rooms by the time, in milliseconds since 1970, at which somebody must look at them."""

TAKE: Final = """
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local rooms = redis.call('ZRANGE', KEYS[1], '-inf', string.format('%.0f', now), 'BYSCORE', 'LIMIT', 0, ARGV[1])
local later = string.format('%.0f', now + ARGV[2])
for _, room in ipairs(rooms) do redis.call('ZADD', KEYS[1], later, room) end
return rooms
"""
"""KEYS: the reminders. ARGV: how many rooms at most, and for how many milliseconds to put them off. Returns them."""

PATIENCE: Final = 10.0
"""How long, in seconds, an append waits for a store that is away before it gives up."""

_AWAY: Final = (ConnectionError, TimeoutError, BusyLoadingError, ReadOnlyError, MasterDownError, OSError)
"""What a store that is restarting, loading or failing over answers: wait, and send again."""

_PAGE: Final = 1000
"""How many entries one read asks for: enough for any game in one go, little enough not to stall the store."""

_CHUNK: Final = 500
"""How many reminders one command sets."""

_log = structlog.get_logger(__name__)


def _stream(room: str) -> str:
    """The stream's key. The room is its hash tag: on a cluster all keys of a room share a slot."""
    return f"fourfold:{{{room}}}:log"


def _client(url: str, timeout: float | None) -> Redis:
    return Redis.from_url(
        url,
        socket_timeout=timeout,
        socket_connect_timeout=2.0,
        health_check_interval=0,
        retry=Retry(NoBackoff(), 0),  # retries are ours: they must read the log, not just repeat
    )


@dataclass(slots=True)
class _Append:
    """An append on its way: what to write, until when to try, whom to tell."""

    room: str
    expected: int
    by: str
    key: str
    events: tuple[Event, ...]
    packed: bytes
    keep: int | None
    deadline: float
    done: asyncio.Future[Decision]

    def command(self, sha: str) -> tuple[str | int | bytes, ...]:
        """What to ask the store."""
        keep = "" if self.keep is None else self.keep
        return "EVALSHA", sha, 1, _stream(self.room), self.expected, self.packed, keep

    def answered(self, answer: Any) -> None:
        """What the store said."""
        if self.done.done():
            return
        if answer[0]:
            self.done.set_result(Decision(self.expected + 1, answer[1], self.by, self.key, self.events))
        else:
            self.done.set_exception(AppendConflict(f"{self.room} is at {answer[1]}, not at {self.expected}"))


@dataclass(slots=True)
class _Tell:
    """Something told, on its way."""

    room: str
    message: bytes
    deadline: float
    done: asyncio.Future[int]

    def command(self, sha: str) -> tuple[str | int | bytes, ...]:
        """What to ask the store."""
        return "SPUBLISH", _stream(self.room), TOLD + self.message

    def answered(self, answer: Any) -> None:
        """What the store said."""
        if not self.done.done():
            self.done.set_result(answer)


_Item = _Append | _Tell


def _without_password(url: str) -> str:
    parts = urlsplit(url)
    return url if parts.password is None else url.replace(f":{parts.password}@", ":***@", 1)


class RedisLog:
    """See `EventLog` for what it promises. Made by `open`, ended by `close`."""

    def __init__(self, url: str) -> None:
        self.node = secrets.token_hex(4)
        self.errors = 0
        """How often the store did not answer, or answered with an error."""
        self._commands = _client(url, timeout=5.0)
        self._listener = _client(url, timeout=None)
        connection = self._listener.connection_pool.make_connection()  # type: ignore[no-untyped-call]
        self._doorbells = Doorbells(connection, self._displaced)
        self._heartbeat = Heartbeat(self.node, self._stamp, self._outage_history)
        self._sha = ""
        self._queue: list[_Item] = []
        self._wake = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    @classmethod
    async def open(cls, url: str) -> Self:
        """Connect to a store (`redis://`, `rediss://` or `unix://`). Raises `LogUnavailable` if it does not answer."""
        log = cls(url)
        try:
            log._sha = await log._commands.script_load(APPEND)
            await log._heartbeat.start()
        except (RedisError, OSError, LogUnavailable) as error:
            await log.close()
            raise LogUnavailable(f"The store at {_without_password(url)} does not answer: {error}") from error
        log._doorbells.start()
        log._tasks = [asyncio.create_task(log._write())]
        return log

    async def close(self) -> None:
        """Stop. Appends still waiting fail with `LogUnavailable`."""
        while running := [task for task in self._tasks if not task.done()]:
            for task in running:
                task.cancel()
            await asyncio.wait(running, timeout=1.0)  # redis-py can lose a cancellation: then once more
        self._fail(self._queue, "this server is stopping")
        self._queue = []
        await self._heartbeat.close()
        await self._depart()
        await self._doorbells.close()
        await self._listener.aclose()
        await self._commands.aclose()

    # -- writing --

    def append(
        self, room: str, expected: int, by: str, key: str, events: tuple[Event, ...], keep: int | None = None
    ) -> asyncio.Future[Decision]:
        """See `EventLog`."""
        loop = asyncio.get_running_loop()
        done: asyncio.Future[Decision] = loop.create_future()
        packed = pack(by, key, events)
        self._queue.append(_Append(room, expected, by, key, events, packed, keep, loop.time() + PATIENCE, done))
        self._wake.set()
        return done

    def tell(self, room: str, message: bytes) -> asyncio.Future[int]:
        """See `EventLog`."""
        loop = asyncio.get_running_loop()
        done: asyncio.Future[int] = loop.create_future()
        self._queue.append(_Tell(room, message, loop.time() + PATIENCE, done))
        self._wake.set()
        return done

    async def _write(self) -> None:
        """Send what has gathered, one pipeline at a time; what gathers meanwhile goes with the next."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            batch, self._queue = self._queue, []
            try:
                again = await self._send(batch)
            except asyncio.CancelledError:
                self._fail(batch, "this server is stopping")
                raise
            if again:
                await self._retry_later(again)

    async def _send(self, batch: list[_Item]) -> list[_Item]:
        """One pipeline. Returns what has to be sent again."""
        pipeline = self._commands.pipeline(transaction=False)
        for item in batch:
            pipeline.execute_command(*item.command(self._sha))
        try:
            answers: list[Any] = await pipeline.execute(raise_on_error=False)
        except _AWAY as error:
            answers = [error] * len(batch)
            self.errors += 1
        again = []
        for item, answer in zip(batch, answers, strict=True):
            if isinstance(answer, (NoScriptError, *_AWAY)):
                again.append(item)
            elif isinstance(answer, Exception):
                self.errors += 1
                self._fail([item], f"the store refused to write: {answer}")
            else:
                item.answered(answer)
        return again

    async def _retry_later(self, items: list[_Item]) -> None:
        """Put what was not answered back at the head of the queue, once the store has the script (again)."""
        loop = asyncio.get_running_loop()
        while True:
            late = [item for item in items if item.deadline <= loop.time()]
            self._fail(late, "the store is away")
            items = [item for item in items if item.deadline > loop.time()]
            try:
                self._sha = await self._commands.script_load(APPEND)
                break
            except (RedisError, OSError) as error:
                self.errors += 1
                _log.warning("store away", error=str(error), waiting=len(items) + len(self._queue))
                if not items and not self._queue:
                    return
                items, self._queue = items + self._queue, []
                await asyncio.sleep(0.1)  # paces the attempts; what they wait for is the store's answer
        self._queue = items + self._queue
        self._wake.set()

    @staticmethod
    def _fail(items: Iterable[_Item], reason: str) -> None:
        for item in items:
            if not item.done.done():
                item.done.set_exception(LogUnavailable(f"Not known to be kept: {reason}."))

    # -- reading --

    async def read(self, room: str, after: int = 0) -> list[Decision]:
        """See `EventLog`."""
        decisions: list[Decision] = []
        while True:
            try:
                page: Any = await self._commands.xrange(_stream(room), f"{after + 1}-0", "+", count=_PAGE)
            except (RedisError, OSError) as error:
                self.errors += 1
                raise LogUnavailable(f"The log of {room} cannot be read: {error}") from error
            for id, fields in page:
                decisions.append(unpack(int(id.split(b"-")[0]), int(fields[b"t"]), fields[b"d"]))
            if len(page) < _PAGE:
                return decisions
            after = decisions[-1].seq

    # -- hearing --

    async def follow(self, room: str, listener: Listener) -> None:
        """See `EventLog`. Returns when the store has confirmed: from then on nothing goes unheard."""
        try:
            await asyncio.wait_for(self._doorbells.add(_stream(room).encode(), listener), PATIENCE)
        except OSError as error:  # a time-out is one
            await self.unfollow(room, listener)
            raise LogUnavailable(f"The doorbell of {room} cannot be heard.") from error

    async def unfollow(self, room: str, listener: Listener) -> None:
        """See `EventLog`."""
        await self._doorbells.remove(_stream(room).encode(), listener)

    def _displaced(self) -> None:
        """Only a cluster moves rooms from server to server."""

    # -- what all nodes agree on --

    def now(self) -> int:
        """See `EventLog`: the store's time, estimated from the heartbeat's round trips."""
        return self._heartbeat.now()

    @property
    def healthy(self) -> bool:
        """See `EventLog`."""
        return self._heartbeat.healthy

    async def steady(self) -> None:
        """See `EventLog`."""
        await self._heartbeat.steady()

    def outages(self) -> Sequence[Outage]:
        """See `EventLog`."""
        return self._heartbeat.outages

    def watch(
        self,
        outage: Callable[[Outage], None],
        lost: Callable[[Collection[str]], None],
        back: Callable[[], None],
    ) -> None:
        """See `EventLog`."""
        self._heartbeat.watch(outage, lost, back)

    async def _stamp(self) -> list[Any]:
        try:
            answer: list[Any] = await self._commands.eval(STAMP, len(STAMP_KEYS), *STAMP_KEYS, self.node)
        except (RedisError, OSError) as error:
            raise LogUnavailable(f"The store does not answer: {error}") from error
        return answer

    async def _depart(self) -> None:
        """Let the other nodes know at once that this one lives no more."""
        try:
            async with asyncio.timeout(1.0):
                await self._commands.zrem(STAMP_KEYS[2], self.node)
        except (RedisError, OSError) as error:
            _log.debug("not departed", error=str(error))  # they will notice

    async def _outage_history(self) -> list[bytes]:
        try:
            entries: Any = await self._commands.lrange(STAMP_KEYS[1], 0, -1)
        except (RedisError, OSError) as error:
            raise LogUnavailable(f"The store does not answer: {error}") from error
        return list(entries)

    async def remind(self, times: Mapping[str, int | None], take: int = 0, lease: int = 0) -> list[str]:
        """See `EventLog`. Takes one pipeline."""
        pipeline = self._commands.pipeline(transaction=False)
        later = [(room, time) for room, time in times.items() if time is not None]
        for start in range(0, len(later), _CHUNK):
            pipeline.zadd(REMINDERS, dict(later[start : start + _CHUNK]))
        done = [room for room, time in times.items() if time is None]
        for start in range(0, len(done), _CHUNK):
            pipeline.zrem(REMINDERS, *done[start : start + _CHUNK])
        if take:
            pipeline.eval(TAKE, 1, REMINDERS, take, lease)
        try:
            answers = await pipeline.execute()
        except (RedisError, OSError) as error:
            raise LogUnavailable(f"The store does not answer: {error}") from error
        return [room.decode() for room in answers[-1]] if take else []

    # -- keeping house --

    async def ping(self) -> None:
        """Whether the store answers. Raises `LogUnavailable` if not."""
        try:
            await self._commands.ping()
        except (RedisError, OSError) as error:
            raise LogUnavailable(f"The store does not answer: {error}") from error

    async def execute(self, key: str, *command: str | bytes | int) -> Any:
        """The answer to one command, which touches one key. Raises `LogUnavailable`."""
        try:
            return await self._commands.execute_command(*command)  # type: ignore[no-untyped-call]
        except (RedisError, OSError) as error:
            raise LogUnavailable(f"The store does not answer: {error}") from error

    async def secret(self) -> bytes:
        """The secret that signs players' tokens: made once, kept in the store, so that every node knows it."""
        try:
            await self._commands.set("fourfold:secret", secrets.token_bytes(32), nx=True)
            secret = await self._commands.get("fourfold:secret")
        except (RedisError, OSError) as error:
            raise LogUnavailable(f"The store does not answer: {error}") from error
        assert isinstance(secret, bytes)  # set just now, by us or by whoever was first
        return secret
