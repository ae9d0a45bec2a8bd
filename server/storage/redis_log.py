"""The event log on Redis or Valkey, one server or a cluster: a stream for each room, an entry for each decision.

An append whose reply is lost may or may not have been stored. It is sent again. If it had been stored, the version no
longer fits, the answer is a conflict, and the room finds the command's key when it reads on.
"""

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Coroutine, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Any, Final, Self

import structlog
from redis.exceptions import RedisError
from redis.exceptions import TimeoutError as RedisTimeoutError

from fourfold.engine.decisions import Decision
from fourfold.server.clock import Ticks, monotonic, ticks
from fourfold.server.storage import form
from fourfold.server.storage.cluster import Cluster
from fourfold.server.storage.disk import READ_ONLY, Disk
from fourfold.server.storage.event_log import (
    AppendRequest,
    Callbacks,
    DamagedEntry,
    EventLog,
    Listener,
    LogUnavailable,
    Outage,
)
from fourfold.server.storage.heartbeat import FRESH, STAMP, STAMP_KEYS, Heartbeat, StoreData
from fourfold.server.storage.keys import Keys
from fourfold.server.storage.pipeline import Append, NotReplicated, Pipeline, Publish
from fourfold.server.storage.pubsub import TOLD
from fourfold.server.storage.records import Entry, descend, pack, seal, unpacked
from fourfold.server.storage.redis_node import RedisNode, database, without_password
from fourfold.server.storage.reminders import Reminders
from fourfold.server.storage.safety import Inspector, WrongStore
from fourfold.server.supervision import Tasks
from fourfold.server.yielding_lock import YieldingLock

RETIRE: Final = """
local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
if not last or last[1] ~= ARGV[1] .. '-0' or last[2][4] ~= ARGV[2] or (last[2][6] or '') ~= ARGV[3] then return 0 end
redis.call('DEL', KEYS[1])
redis.call('XADD', KEYS[1], last[1], unpack(last[2]))
local small = redis.call('DUMP', KEYS[1])
redis.call('DEL', KEYS[1])
redis.call('RESTORE', KEYS[1], ARGV[4], small)
redis.call('PEXPIRE', KEYS[2], ARGV[4])
return 1
"""
"""KEYS: the stream, the lines of chat. ARGV: the number of its last entry, the entry's bytes and its seal (empty:
none), and for how many milliseconds to keep both. Returns 0 if it is not the last.

The stream is recreated, because a trimmed one keeps its memory. Then it is restored from its bytes, because a new
stream reserves memory for more entries. A full store lets a script continue that has deleted something.
"""

KEEP_LINE: Final = """
local life = redis.call('PTTL', KEYS[2])
if life == -2 then return end
local first = redis.call('XRANGE', KEYS[2], '-', '+', 'COUNT', 1)[1]
if life == -1 or first[1] == '1-0' then life = ARGV[3] end
redis.call('RPUSH', KEYS[1], ARGV[1])
redis.call('LTRIM', KEYS[1], -ARGV[2], -1)
redis.call('PEXPIRE', KEYS[1], life)
"""
"""KEYS: the list of a room's chat lines; the room's stream. ARGV: the new line; how many lines the list holds; the
milliseconds until the list expires. If `RETIRE` has set an end for the stream, the list expires no later than the
stream. If the stream does not exist, the script stores nothing."""

AGREE: Final = """
local held = redis.call('GET', KEYS[1])
if held then return held end
redis.call('SET', KEYS[1], ARGV[1])
return ARGV[1]
"""
"""KEYS: a key. ARGV: a new value. Stores the value unless the key has one, and returns the key's value. One script does
both, because the store may be emptied between two commands."""

PATIENCE: Final = 10.0
"""Seconds for which an append waits for a store that is away, before it fails."""

HOPE: Final = 3.0
"""Seconds without an answer of the store after which reads fail at once."""

READERS: Final = 16
"""How many logs are read at the same time. After an outage thousands of rooms read on, and must not open a connection
each."""

AT_ONCE: Final = 64
"""How many entries of long logs are read in one turn of the event loop, of all logs together."""

ATTEMPTS: Final = 5
"""Attempts at each step of the opening while the store is too slow to answer. It, or the machine, may still be
starting."""

_PAGE: Final = 1000
"""How many entries one read requests: enough for any game, few enough not to stall the store."""

PROBE: Final = "fourfold:{alive}:probe"
"""A key on the node with the stamps. The server writes it to find out whether replicas answer."""

ARCHIVE: Final = "fourfold:archive"
"""The key with the id of the archive for this store's games."""

DEPARTED: Final = "fourfold:{alive}:departed"
"""The key of the set of servers that have lately stopped in an orderly way. It shares the heartbeat's hash tag."""

REMEMBERED: Final = 60
"""Seconds for which the store remembers an orderly stop."""

SECRET: Final = "fourfold:secret"
"""The key of the secret that signs players' tokens."""

_BEFORE: Final = "fourfold:{"
_BEHIND: Final = "}:log"
"""The text before and after a room's id in the key of its stream."""

_log = structlog.get_logger(__name__)


def stream(room: str) -> str:
    """The key of a room's stream. The room is its hash tag: on a cluster all keys of a room share a slot."""
    return f"{_BEFORE}{room}{_BEHIND}"


def chat_of(room: str) -> str:
    """The key of a room's chat lines."""
    return f"{_BEFORE}{room}}}:chat"


def room_of(stream: str) -> str:
    """The room of a stream, by its key."""
    return stream[len(_BEFORE) : -len(_BEHIND)]


async def _repeat(step: Callable[[], Awaitable[None]]) -> None:
    """Take a step of the opening, up to `ATTEMPTS` times while it ends in a timeout. A refused connection fails at
    once."""
    for attempt in range(1, ATTEMPTS + 1):
        try:
            await step()
            return
        except (RedisTimeoutError, LogUnavailable) as error:
            timeout = error if isinstance(error, RedisTimeoutError) else error.__cause__
            if attempt == ATTEMPTS or not isinstance(timeout, RedisTimeoutError):
                raise
            _log.warning("the store is slow to answer", attempt=attempt, error=str(timeout))


class RedisLog(EventLog):
    """The event log on a store. Created by `open`, ended by `close`."""

    def __init__(
        self,
        url: str,
        *,
        unsafe: bool = False,
        replicas: int = 0,
        disk: Disk | None = None,
        ticks: Ticks = ticks,
    ) -> None:
        self.node = secrets.token_hex(4)
        self.archive: Callable[[str], Awaitable[list[Entry] | None]] | None = None
        """Returns the whole log of a room that has left the store; None if there is no such room. May raise
        `LogUnavailable`."""
        self._url = url
        self._unsafe = unsafe
        self._replicas = replicas
        self._disk = disk
        number = database(url)
        self._suffix = f"@{number}" if number else ""  # of channels, which are not part of a database
        self._cluster = Cluster(url, self._make_node, self._relocate)
        self._reminders = Reminders(self._cluster)
        self.keys = Keys(self._cluster)
        """All keys of the store."""
        self._only: Pipeline | None = None  # without a cluster
        self._inspector = Inspector(lambda: self._cluster.masters, replicas, disk, self._replaced, unsafe=unsafe)
        self._heartbeat = Heartbeat(self.node, self._lacking, self._stamp, self._outage_history, ticks)
        self._heartbeat.callbacks = Callbacks(self._outage, self._lost, self._back, self._loss)
        self._watching: list[Callbacks] = []
        self._ticks = ticks
        self._listeners: dict[str, Listener] = {}
        self._readers = asyncio.Semaphore(READERS)
        self._long_logs = YieldingLock()
        self._tasks = Tasks()
        self._secret: bytes | None = None  # issued by this log
        self._visiting = False  # without a heartbeat
        self._loop = asyncio.get_running_loop()

    @classmethod
    async def open(
        cls,
        url: str,
        *,
        unsafe: bool = False,
        replicas: int = 0,
        disk: Disk | None = None,
        ticks: Ticks = ticks,
    ) -> Self:
        """Connect to a store, or to a whole cluster through one of its nodes (`redis://`, `rediss://` or `unix://`).

        An append is acknowledged, and can be read, only when `replicas` replicas have it on their disks. While `disk`
        is full, appends fail. `ticks` carry the store's clock on between its answers. Raises `LogUnavailable` if the
        store does not answer or can't be used, or if it is unsafe and `unsafe` is false.
        """
        log = cls(url, unsafe=unsafe, replicas=replicas, disk=disk, ticks=ticks)
        await log._open(partial(form.claim, log._cluster.command), log._inspector.start, log._heartbeat.start)
        return log

    @classmethod
    async def visit(cls, url: str) -> Self:
        """Connect without becoming one of the store's servers: the others do not see this one. It may only use `keys`,
        `entries`, `execute` and `tell`. Raises `LogUnavailable`."""
        log = cls(url)
        log._visiting = True
        await log._open()
        return log

    async def _open(self, *begin: Callable[[], Awaitable[None]]) -> None:
        try:
            await _repeat(self._cluster.open)
            self._only = self._cluster.only.pipeline if self._cluster.only else None
            for start in begin:
                await _repeat(start)
        except (WrongStore, RedisError, OSError, LogUnavailable) as error:
            await self.close()
            what = "cannot be used" if isinstance(error, WrongStore) else "does not answer"
            raise LogUnavailable(f"The store at {without_password(self._url)} {what}: {error}") from error

    async def close(self) -> None:
        """Stop. Waiting appends fail with `LogUnavailable`."""
        await self._inspector.close()
        await self._heartbeat.close()
        if self.certain:
            await self._depart()
        for task in self._tasks:
            task.cancel()
        await self._cluster.close()

    @property
    def errors(self) -> int:
        """How often the store failed to answer, or answered with an error."""
        return self._cluster.errors

    # -- nodes --

    def _make_node(self, url: str) -> RedisNode:
        cluster, local = self._cluster, int(not self._unsafe)
        return RedisNode(url, cluster.refresh, cluster.of, self._displaced, self._replicas, local)

    def _displaced(self) -> None:
        self._do(self._cluster.refresh())

    def _do(self, work: Coroutine[Any, Any, object]) -> None:
        async def run() -> None:
            with contextlib.suppress(LogUnavailable):
                await work

        self._tasks.start(run())

    async def _relocate(self) -> None:
        """Listen to each room at the node that holds it now."""
        for room, listener in list(self._listeners.items()):
            channel = self._channel(room)
            here = self._cluster.of(stream(room)).subscriptions
            awaited = None
            for node in self._cluster.nodes:
                if node.subscriptions is not here:
                    awaited = await node.subscriptions.release(channel) or awaited
            if self._listeners.get(room) is listener and channel not in here.confirmed:
                await here.adopt(channel, listener, awaited)

    def _require_contact(self) -> None:
        """Raises `LogUnavailable` if the store has been silent for `HOPE` seconds. Waiting would be in vain."""
        silence = self._heartbeat.silence
        if silence > HOPE and not self._visiting:
            raise LogUnavailable(f"The store has not answered for {silence:.0f} s.")

    # -- writing --

    def append(self, request: AppendRequest) -> asyncio.Future[Decision]:
        loop = self._loop
        done: asyncio.Future[Decision] = loop.create_future()
        if self._disk is not None and self._disk.full:
            done.set_exception(LogUnavailable(READ_ONLY))
            return done
        place = stream(request.room)
        packed = pack(request.by, request.key, request.events)
        lineage = sealed = b""
        if request.lineage is not None:
            lineage = descend(request.lineage, packed)
            sealed = seal(lineage, packed)
        channel, until = place + self._suffix, loop.time() + PATIENCE
        item = Append(request, place, channel, packed, lineage, sealed, until, done, not self._replicas)
        (self._only or self._cluster.of(place).pipeline).put(item)
        return done

    def tell(self, room: str, message: bytes) -> asyncio.Future[int]:
        loop = self._loop
        done: asyncio.Future[int] = loop.create_future()
        place = stream(room)
        item = Publish(place, place + self._suffix, TOLD + message, loop.time() + PATIENCE, done)
        self._cluster.of(place).pipeline.put(item)
        return done

    async def keep_line(self, room: str, line: bytes, most: int, life: int) -> None:
        keys = chat_of(room), stream(room)
        await self.execute(keys[0], "EVAL", KEEP_LINE, 2, *keys, line, most, life)

    async def lines(self, room: str) -> list[bytes]:
        key = chat_of(room)
        found: list[bytes] = await self.execute(key, "LRANGE", key, 0, -1)
        return found

    # -- reading --

    async def read(self, room: str, after: int = 0, lineage: bytes | None = None) -> list[Decision]:
        self._require_contact()
        # also reads the entry that the reader holds, to compare it
        first = after + 1 if after == 0 or lineage is None else after
        entries = await self.entries(room, first)
        if self.archive is not None and await self._has_left(room, first, entries):
            archived = await self.archive(room)
            entries = [] if archived is None else archived[first - 1 :]
        found = unpacked(entries, after, lineage)
        decisions = list(found) if len(entries) <= AT_ONCE else await self._in_slices(found)
        if decisions and self._replicas:
            await self._replicated(room)
        return decisions

    async def _in_slices(self, found: Iterator[Decision]) -> list[Decision]:
        """All of them, a few in each turn of the event loop."""
        decisions: list[Decision] = []
        while True:
            async with self._long_logs:
                some = list(islice(found, AT_ONCE))
            decisions += some
            if len(some) < AT_ONCE:
                return decisions

    async def _has_left(self, room: str, first: int, entries: Sequence[Entry]) -> bool:
        """Whether a log has left the store, which has these entries from number `first` on: only the last one, or none.
        If the log ends before `first`, it has not left."""
        if entries or first == 1:
            return not entries or entries[0].seq > first
        return not await self._cluster.command(stream(room), "EXISTS", stream(room))

    async def entries(self, room: str, first: int = 1) -> list[Entry]:
        """The entries of a room's log from number `first` on, as this store has them. Raises `DamagedEntry`, and
        `LogUnavailable`."""
        key = stream(room)
        entries: list[Entry] = []
        while True:
            async with self._readers:
                start = f"{entries[-1].seq + 1 if entries else first}-0"
                page = await self._cluster.command(key, "XRANGE", key, start, "+", "COUNT", _PAGE)
            for id, fields in page:
                seq = int(id.split(b"-")[0])
                try:
                    entries.append(Entry(seq, int(fields[b"t"]), fields[b"d"], fields.get(b"s")))
                except (KeyError, ValueError) as error:
                    raise DamagedEntry(seq, f"it lacks a required field ({error!r})") from error
            if len(page) < _PAGE:
                return entries

    async def rooms(self) -> AsyncIterator[list[str]]:
        """The ids of all rooms with more than one entry here, some at a time. An id may come twice. Raises
        `LogUnavailable`."""
        for node in self._cluster.masters:
            cursor = 0
            while True:
                try:
                    found: Any = await node.client.scan(cursor, stream("*"), count=_PAGE)
                    cursor, keys = found
                    pipeline = node.client.pipeline(transaction=False)
                    for key in keys:
                        pipeline.xlen(key)
                    sizes = list(zip(keys, await pipeline.execute(), strict=True))
                except (RedisError, OSError) as error:
                    raise LogUnavailable(f"The store does not answer: {error}") from error
                yield [room_of(str(key, "ascii")) for key, size in sizes if size > 1]
                if cursor == 0:
                    break

    async def retire(self, room: str, last: Entry, keep: int) -> bool:
        """Remove the entries of a log before its `last`, and that one after `keep` milliseconds, with the chat. Returns
        False, and removes nothing, if that is not the last entry. Raises `LogUnavailable`."""
        key, sealed = stream(room), last.sealed or b""
        keys = key, chat_of(room)
        retired = bool(await self.execute(key, "EVAL", RETIRE, 2, *keys, last.seq, last.packed, sealed, keep))
        if retired:
            self.witness.forget(room)
        return retired

    async def _replicated(self, room: str) -> None:
        """Wait until enough replicas have the entries just read. Raises `LogUnavailable`."""
        key = f"fourfold:{{{room}}}:read"
        try:
            await self._cluster.of(key).pipeline.require_replicas(key)
        except (NotReplicated, RedisError, OSError) as error:
            raise LogUnavailable(f"The entries just read may still be lost: {error}.") from error

    # -- notifications --

    async def follow(self, room: str, listener: Listener) -> None:
        """As `EventLog.follow`: returns when the store has confirmed the subscription, so that nothing is missed."""
        self._require_contact()
        self._listeners[room] = listener
        subscriptions = self._cluster.of(stream(room)).subscriptions
        try:
            await asyncio.wait_for(subscriptions.add(self._channel(room), listener), PATIENCE)
        except OSError as error:  # this includes a timeout
            await self.unfollow(room, listener)
            raise LogUnavailable(f"The store does not notify this server of {room}.") from error

    def _channel(self, room: str) -> bytes:
        return (stream(room) + self._suffix).encode()

    async def unfollow(self, room: str, listener: Listener) -> None:
        if self._listeners.get(room) is listener:
            del self._listeners[room]
        for node in self._cluster.nodes:
            await node.subscriptions.remove(self._channel(room), listener)

    # -- clock, outages, servers --

    def now(self) -> int:
        return (self._ticks() + self._heartbeat.offset) // 1000

    @property
    def certain(self) -> bool:
        return monotonic() - self._heartbeat.asked < FRESH

    async def beat(self) -> None:
        await self._heartbeat.beat()

    async def steady(self) -> None:
        await self._heartbeat.steady()

    def outages(self) -> Sequence[Outage]:
        return self._heartbeat.outages

    def watch(self, callbacks: Callbacks) -> None:
        self._watching.append(callbacks)

    def _outage(self, outage: Outage) -> None:
        for one in self._watching:
            one.outage(outage)

    def _lost(self, nodes: Collection[str]) -> None:
        for one in self._watching:
            one.lost(nodes)
        self._do(self._report(nodes))

    def _back(self) -> None:
        for one in self._watching:
            one.back()

    def _loss(self) -> None:
        self._miss()
        self.witness.doubt()
        for one in self._watching:
            one.loss()

    def _replaced(self) -> None:
        self._miss()
        for one in self._watching:
            one.replaced()

    def _miss(self) -> None:
        """The store may have lost data: store the secret again, and have all listeners read what they follow."""
        if self._secret is not None:
            self._do(self._keep_secret(self._secret))
        for listener in list(self._listeners.values()):
            listener.missed()

    async def _report(self, gone: Collection[str]) -> None:
        """Log the dead servers, except those that stopped in an orderly way."""
        departed: list[bytes] = []
        with contextlib.suppress(LogUnavailable):  # then a planned stop is logged as a fault
            departed = await self._cluster.command(DEPARTED, "SMEMBERS", DEPARTED)
        lost = set(gone).difference(node.decode() for node in departed)
        if lost:
            _log.warning("nodes lost", nodes=sorted(lost))

    async def _lacking(self) -> str | None:
        """Why the store can't acknowledge writes although it answers; None if it can. Raises `LogUnavailable`."""
        if self._inspector.read_only is not None or not self._replicas:
            return self._inspector.read_only
        try:
            await self._cluster.ask(PROBE, lambda _: self._cluster.of(PROBE).pipeline.require_replicas(PROBE))
        except NotReplicated as error:
            self._cluster.of(PROBE).trouble.tell(str(error))
            return f"Nothing can be acknowledged: {error}."
        return None

    async def _stamp(self, acknowledges: bool) -> list[Any]:
        at, *_ = keys = STAMP_KEYS
        told = self.node, secrets.token_hex(8), int(acknowledges)
        answer: list[Any] = await self._cluster.command(at, "EVAL", STAMP, len(keys), *keys, *told)
        if acknowledges:
            self._cluster.of(at).trouble.over()
        return answer

    async def _outage_history(self) -> list[bytes]:
        entries: list[bytes] = await self._cluster.command(STAMP_KEYS[1], "LRANGE", STAMP_KEYS[1], 0, -1)
        return entries

    async def _depart(self) -> None:
        """Tell the other servers at once that this one has stopped in an orderly way."""
        pipeline = self._cluster.of(DEPARTED).client.pipeline(transaction=False)
        pipeline.sadd(DEPARTED, self.node)
        pipeline.expire(DEPARTED, REMEMBERED)
        pipeline.zrem(STAMP_KEYS[2], self.node)
        try:
            async with asyncio.timeout(1.0):
                await pipeline.execute()
        except (RedisError, OSError) as error:
            _log.debug("not departed", error=str(error))  # they notice later

    async def remind(self, times: Mapping[str, int | None], take: int = 0, lease: int = 0) -> list[str]:
        return await self._reminders.remind(times, take, lease)

    async def remind_first(self, rooms: Sequence[str], time: int) -> None:
        """Set reminders for rooms that have none, at `time`. Raises `LogUnavailable`."""
        self._require_contact()
        await self._reminders.remind_first(rooms, time)

    async def agree(self, key: str, value: str) -> str:
        """Store a value under a key unless it has one; returns the value that all servers share. Raises
        `LogUnavailable`."""
        found: bytes = await self.execute(key, "EVAL", AGREE, 1, key, value)
        return found.decode()

    # -- the state of the store --

    @property
    def crowded(self) -> str | None:
        return self._inspector.crowded

    @property
    def read_only(self) -> str | None:
        return self._inspector.read_only

    @property
    def heard(self) -> float:
        """When the store last answered, also with a refusal, in seconds of the event loop's clock."""
        return max(self._heartbeat.heard, self._inspector.heard)  # a beat waits for replicas, an inspection does not

    @property
    def up(self) -> bool:
        """Whether the store lately acknowledged writes, and passed the last inspection."""
        return monotonic() - self._heartbeat.asked < HOPE and self._inspector.trouble is None

    @property
    def memory(self) -> tuple[int, float]:
        """The store's used memory in bytes, and how full its fullest node is, from 0 to 1."""
        return self._inspector.used, self._inspector.fullness

    @property
    def data(self) -> tuple[StoreData | None, StoreData | None]:
        """The store's data at the first beat of this server, and at the latest."""
        return self._heartbeat.first, self._heartbeat.data

    @property
    def servers(self) -> int:
        """How many servers shared the store at the last beat, including this one."""
        return self._heartbeat.servers

    async def why_not(self) -> str | None:
        """Why the store can't be relied on to take writes now; None if it can. Waits while the store is silent."""
        try:
            await self._inspector.look()
            if self._inspector.trouble is None:
                await self._heartbeat.beat()
        except LogUnavailable as error:
            return str(error)
        return self._inspector.trouble

    # -- other keys --

    async def execute(self, key: str, *command: str | bytes | int) -> Any:
        """The answer to one command, which touches one key. Raises `LogUnavailable`."""
        self._require_contact()
        return await self._cluster.command(key, *command)

    async def secret(self) -> bytes:
        """The secret that signs players' tokens: created once and stored, so that all servers share it.

        Raises `LogUnavailable`.
        """
        self._secret = await self._keep_secret(secrets.token_bytes(32))
        return self._secret

    async def _keep_secret(self, secret: bytes) -> bytes:
        """Store a secret, unless there is one; returns the stored one."""
        answer: bytes = await self._cluster.command(SECRET, "EVAL", AGREE, 1, SECRET, secret)
        return answer
