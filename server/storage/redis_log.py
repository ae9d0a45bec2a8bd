"""The log on Redis or Valkey, be it one server or a cluster: one stream a room, one entry a decision.

An append whose reply is lost may or may not have landed. It is simply sent again: if it had landed,
the version no longer fits, the answer is a conflict, and the writer's room finds its own key when it reads on.
"""

import asyncio
import contextlib
import secrets
from collections.abc import Awaitable, Callable, Collection, Coroutine, Mapping, Sequence
from time import monotonic
from typing import Any, Final, Self, TypeVar

import structlog
from redis.asyncio import Redis
from redis.exceptions import RedisError, ResponseError

from fourfold.engine.match.events import Decision
from fourfold.server.storage.append import APPEND, Append, Publish, more, stream
from fourfold.server.storage.cluster import Cluster, WrongStore
from fourfold.server.storage.event_log import (
    AppendRequest,
    DamagedEntry,
    Listener,
    LogRefused,
    LogUnavailable,
    OtherLineage,
    Outage,
)
from fourfold.server.storage.heartbeat import STAMP, STAMP_KEYS, Heartbeat
from fourfold.server.storage.lineage import BEGINNING, descend, seal, unseal
from fourfold.server.storage.records import pack, unpack
from fourfold.server.storage.redis_node import AWAY, ELSEWHERE, NotReplicated, RedisNode, database, without_password
from fourfold.server.storage.safety import CLEARED, CROWDED, Condition, condition
from fourfold.server.storage.tasks import end
from fourfold.server.supervision import supervise

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

HOPE: Final = 3.0
"""Seconds without a word of the store after which readers are told so at once."""

ATTEMPTS: Final = 20
"""How often a question follows a key from server to server before it gives up: for about two seconds."""

READERS: Final = 16
"""How many logs are read at once, lest thousands of rooms that read on after an outage want a connection each."""

WAITS: Final = (7, 2)
"""The first Redis that can wait until its replicas have synced to disk."""

INSPECTION: Final = 2.0
"""Seconds between looks at how the store is doing."""

_PAGE: Final = 1000
"""How many entries one read asks for: enough for any game in one go, little enough not to stall the store."""

SECRET: Final = "fourfold:secret"
"""Where the secret is kept that signs players' tokens."""

_CHUNK: Final = 500
"""How many reminders one command sets."""

_log = structlog.get_logger(__name__)


_T = TypeVar("_T")


def _page(key: str, first: int) -> Callable[[Redis], Awaitable[Any]]:
    return lambda client: client.xrange(key, f"{first}-0", count=_PAGE)


class RedisLog:
    """See `EventLog` for what it promises. Made by `open`, ended by `close`."""

    def __init__(self, url: str, *, unsafe: bool = False, replicas: int = 0) -> None:
        self._unsafe = unsafe
        self._replicas = replicas
        self._more = more(database(url))
        self._conditions: dict[str, Condition] = {}
        self._crowded = False
        self._inspector: asyncio.Task[None] | None = None
        self.node = secrets.token_hex(4)
        self._slots = Cluster(url, self._make_server, self._relocate)
        self._heartbeat = Heartbeat(self.node, self._stamp, self._outage_history)
        self._listeners: dict[str, Listener] = {}
        self._readers = asyncio.Semaphore(READERS)
        self._tasks: set[asyncio.Task[None]] = set()
        self._secret: bytes | None = None  # that this log has given
        self._unanswered = 0
        self._loop = asyncio.get_running_loop()

    @classmethod
    async def open(cls, url: str, *, unsafe: bool = False, replicas: int = 0) -> Self:
        """Connect to a store, or to a whole cluster by one of its servers (`redis://`, `rediss://` or `unix://`).

        What is appended is acknowledged, and read, only when so many `replicas` have it on their disks. Raises
        `LogUnavailable` if the store does not answer, or cannot serve, or, unless that is allowed, is `unsafe`.
        """
        log = cls(url, unsafe=unsafe, replicas=replicas)
        try:
            await log._slots.open()
            await log._require_safety()
            await log._heartbeat.start()
            log._inspector = supervise("store inspector", log._inspect)
        except (WrongStore, RedisError, OSError, LogUnavailable) as error:
            await log.close()
            what = "cannot be used" if isinstance(error, WrongStore) else "does not answer"
            raise LogUnavailable(f"The store at {without_password(url)} {what}: {error}") from error
        return log

    async def close(self) -> None:
        """Stop. Appends still waiting fail with `LogUnavailable`."""
        if self._inspector is not None:
            await end([self._inspector])
        await self._heartbeat.close()
        if self._heartbeat.healthy:
            await self._depart()
        for task in self._tasks:
            task.cancel()
        await self._slots.close()

    @property
    def errors(self) -> int:
        """How often the store did not answer, or answered with an error."""
        return self._unanswered + sum(server.errors for server in self._slots.servers)

    # -- which server --

    def _make_server(self, url: str) -> RedisNode:
        slots, local = self._slots, int(not self._unsafe)
        return RedisNode(url, (APPEND,), slots.refresh, slots.of, self._displaced, self._replicas, local)

    def _displaced(self) -> None:
        self._do(self._slots.refresh())

    def _do(self, work: Coroutine[Any, Any, object]) -> None:
        async def run() -> None:
            with contextlib.suppress(LogUnavailable):
                await work

        task = asyncio.create_task(run())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _relocate(self) -> None:
        """Listen where the rooms are now."""
        for room, listener in list(self._listeners.items()):
            channel = self._channel(room)
            here = self._slots.of(stream(room)).doorbells
            awaited = None
            for server in self._slots.servers:
                if server.doorbells is not here and server.doorbells.listens(channel):
                    awaited = await server.doorbells.release(channel)
            if self._listeners.get(room) is listener and not here.confirmed(channel):
                await here.adopt(channel, listener, awaited)

    def _require_contact(self) -> None:
        """Raises `LogUnavailable` at once where there is little hope: nobody shall wait for what will not come."""
        silence = monotonic() - self._heartbeat.heard
        if silence > HOPE:
            raise LogUnavailable(f"The store has not answered for {silence:.0f} s.")

    async def _ask(self, key: str, question: Callable[[Redis], Awaitable[_T]]) -> _T:
        """Put a question to the server that holds the key, wherever that has gone. Raises `LogUnavailable`."""
        for attempt in range(ATTEMPTS):
            try:
                return await question(self._slots.of(key).client)
            except (RedisError, OSError) as error:
                if isinstance(error, (*ELSEWHERE, *AWAY)):
                    await self._slots.refresh()  # for the next attempt, be it ours or another's
                if not isinstance(error, ELSEWHERE) or attempt == ATTEMPTS - 1:
                    self._unanswered += 1
                    self._slots.of(key).trouble.tell(str(error))
                    if isinstance(error, ResponseError):
                        raise LogRefused(f"The store refuses: {error}") from error
                    raise LogUnavailable(f"The store does not answer: {error}") from error
        raise AssertionError("there is at least one attempt")

    # -- writing --

    def append(self, request: AppendRequest) -> asyncio.Future[Decision]:
        """See `EventLog`."""
        room, expected, by, key, events, keep, lineage = request
        loop = self._loop
        done: asyncio.Future[Decision] = loop.create_future()
        place = stream(room)
        packed = pack(by, key, events)
        before, after, sealed = lineage or b"", b"", b""
        if lineage is not None:
            after = descend(before, packed)
            sealed = seal(after, packed)
        until = loop.time() + PATIENCE
        item = Append(
            place, expected, by, key, events, packed, before, after, sealed, keep, self._hears, until, done,
            self._more, not self._replicas,
        )
        self._slots.of(place).put(item)
        return done

    def tell(self, room: str, message: bytes) -> asyncio.Future[int]:
        """See `EventLog`."""
        loop = self._loop
        done: asyncio.Future[int] = loop.create_future()
        place = stream(room)
        self._slots.of(place).put(Publish(place, place + self._more, message, loop.time() + PATIENCE, done))
        return done

    # -- reading --

    async def read(self, room: str, after: int = 0, lineage: bytes | None = None) -> list[Decision]:
        """See `EventLog`."""
        self._require_contact()
        key = stream(room)
        decisions: list[Decision] = []
        if after == 0:
            lineage = BEGINNING
        first = after + 1 if after == 0 or lineage is None else after  # what the reader holds is looked at too
        last = first - 1
        while True:
            async with self._readers:
                page = await self._ask(key, _page(key, last + 1))
            for id, fields in page:
                last += 1
                if int(id.split(b"-")[0]) != last:
                    raise DamagedEntry(last, "it is missing")
                try:
                    at, packed, sealed = int(fields[b"t"]), fields[b"d"], fields.get(b"s")
                    if last == after:
                        if sealed is not None and unseal(last, sealed, packed) != lineage:
                            raise OtherLineage(f"{room} has another entry {after} than the one held.")
                        continue
                    decision = unpack(last, at, packed, sealed, lineage)
                except (KeyError, ValueError) as error:
                    raise DamagedEntry(last, f"it lacks what every entry has ({error!r})") from error
                except OtherLineage as error:
                    if after:
                        raise
                    raise DamagedEntry(last, "it does not follow the entry before it") from error
                decisions.append(decision)
                lineage = decision.lineage or None
            if len(page) < _PAGE:
                break
        if last < after:
            raise OtherLineage(f"{room} has no entry {after}.")
        if decisions and self._replicas:
            await self._replicated(room)
        return decisions

    async def _replicated(self, room: str) -> None:
        """Wait until what was read of a room is on the replicas that are wanted. Raises `LogUnavailable`."""
        key = f"fourfold:{{{room}}}:read"
        try:
            await self._slots.of(key).require_replicas(key)
        except (NotReplicated, RedisError, OSError) as error:
            raise LogUnavailable(f"What was read may still be lost: {error}.") from error

    # -- hearing --

    async def follow(self, room: str, listener: Listener) -> None:
        """See `EventLog`. Returns when the store has confirmed: from then on nothing goes unheard."""
        self._require_contact()
        self._listeners[room] = listener
        doorbells = self._slots.of(stream(room)).doorbells
        try:
            await asyncio.wait_for(doorbells.add(self._channel(room), listener), PATIENCE)
        except OSError as error:  # a time-out is one
            await self.unfollow(room, listener)
            raise LogUnavailable(f"The doorbell of {room} cannot be heard.") from error

    def _hears(self, key: str) -> bool:
        return self._slots.of(key).doorbells.confirmed((key + self._more).encode())

    def _channel(self, room: str) -> bytes:
        return (stream(room) + self._more).encode()

    async def unfollow(self, room: str, listener: Listener) -> None:
        """See `EventLog`."""
        if self._listeners.get(room) is listener:
            del self._listeners[room]
        for server in self._slots.servers:
            await server.doorbells.remove(self._channel(room), listener)

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
        loss: Callable[[], None] = lambda: None,
    ) -> None:
        """See `EventLog`."""

        def lose() -> None:
            if self._secret is not None:
                self._do(self._keep_secret(self._secret))
            for listener in list(self._listeners.values()):
                listener.miss()
            loss()

        self._heartbeat.watch(outage, lost, back, lose)

    async def _stamp(self) -> list[Any]:
        async def stamp(client: Redis) -> list[Any]:
            name = secrets.token_hex(8)
            answer: list[Any] = await client.eval(STAMP, len(STAMP_KEYS), *STAMP_KEYS, self.node, name)
            return answer

        answer = await self._ask(STAMP_KEYS[0], stamp)
        self._slots.of(STAMP_KEYS[0]).trouble.over()
        return answer

    async def _outage_history(self) -> list[bytes]:
        async def history(client: Redis) -> list[bytes]:
            entries: Any = await client.lrange(STAMP_KEYS[1], 0, -1)
            return list(entries)

        return await self._ask(STAMP_KEYS[1], history)

    async def _depart(self) -> None:
        """Let the other nodes know at once that this one lives no more."""
        try:
            async with asyncio.timeout(1.0):
                await self._slots.of(STAMP_KEYS[2]).client.zrem(STAMP_KEYS[2], self.node)
        except (RedisError, OSError) as error:
            _log.debug("not departed", error=str(error))  # they will notice

    async def remind(self, times: Mapping[str, int | None], take: int = 0, lease: int = 0) -> list[str]:
        """See `EventLog`. Takes one pipeline."""
        later = [(room, time) for room, time in times.items() if time is not None]
        done = [room for room, time in times.items() if time is None]

        async def remind(client: Redis) -> list[Any]:
            pipeline = client.pipeline(transaction=False)
            for start in range(0, len(later), _CHUNK):
                pipeline.zadd(REMINDERS, dict(later[start : start + _CHUNK]))
            for start in range(0, len(done), _CHUNK):
                pipeline.zrem(REMINDERS, *done[start : start + _CHUNK])
            if take:
                pipeline.eval(TAKE, 1, REMINDERS, take, lease)
            return await pipeline.execute()

        answers = await self._ask(REMINDERS, remind)
        return [room.decode() for room in answers[-1]] if take else []

    # -- how the store is doing --

    async def _require_safety(self) -> None:
        """Raises `WrongStore` if a server that holds keys may lose what it has acknowledged."""
        for server in self._slots.masters:
            if self._replicas and await server.version() < WAITS:
                raise WrongStore("it lacks WAITAOF, which REPLICAS needs: Redis 7.2 or newer has it, and Valkey")
            found = await server.faults()
            if found and not self._unsafe:
                raise WrongStore(
                    f"it may lose games: {'; '.join(found)}. Mend that, or allow it by --unsafe-store (UNSAFE_STORE=1)"
                )
            if found:
                _log.warning("unsafe store", url=without_password(server.url), faults=found)

    async def _inspect(self) -> None:
        while True:
            with contextlib.suppress(LogUnavailable):  # told by whoever writes
                await self._look()
            await asyncio.sleep(INSPECTION)

    async def _look(self) -> None:
        """Ask every server that holds keys how it is doing. Raises `LogUnavailable`."""
        conditions = {}
        for server in self._slots.masters:
            try:
                info = await server.info()
            except (RedisError, OSError) as error:
                raise LogUnavailable(f"The store does not answer: {error}") from error
            conditions[server.url] = condition(info, self._replicas, unsafe=self._unsafe)
        self._conditions = conditions
        fullness = max((one.fullness for one in conditions.values()), default=0.0)
        crowded = fullness >= (CLEARED if self._crowded else CROWDED)
        if crowded != self._crowded:
            say = _log.warning if crowded else _log.info
            say("the store's memory is nearly full: no new rooms" if crowded else "new rooms again", used=fullness)
        self._crowded = crowded

    @property
    def crowded(self) -> bool:
        """See `EventLog`."""
        return self._crowded

    @property
    def heard(self) -> float:
        """When the store last said something, be it no, by `time.monotonic`."""
        return self._heartbeat.heard

    @property
    def accompanied(self) -> bool:
        """Whether other nodes lived when the store was last asked."""
        return self._heartbeat.accompanied

    async def why_not(self) -> str | None:
        """Why the store can't be relied on to take writes now; None if it can. May take as long as it is silent."""
        try:
            await self._heartbeat.beat()
            await self._look()
        except LogUnavailable as error:
            return str(error)
        return next((one.trouble for one in self._conditions.values() if one.trouble is not None), None)

    # -- keeping house --

    async def execute(self, key: str, *command: str | bytes | int) -> Any:
        """The answer to one command, which touches one key. Raises `LogUnavailable`."""

        self._require_contact()

        async def execute(client: Redis) -> Any:
            return await client.execute_command(*command)  # type: ignore[no-untyped-call]

        return await self._ask(key, execute)

    async def secret(self) -> bytes:
        """The secret that signs players' tokens: made once, kept in the store, so that every node knows it."""

        self._secret = await self._keep_secret(secrets.token_bytes(32))
        return self._secret

    async def _keep_secret(self, secret: bytes) -> bytes:
        """Keep a secret, unless there is one; the one that is kept. Raises `LogUnavailable`."""

        async def keep(client: Redis) -> Any:
            await client.set(SECRET, secret, nx=True)
            return await client.get(SECRET)

        answer = await self._ask(SECRET, keep)
        assert isinstance(answer, bytes)  # set just now, by us or by whoever was first
        return answer
