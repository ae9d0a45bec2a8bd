"""The writer of one store node. All items of one turn of the event loop are written together (group commit).

Items that the node leaves unanswered, because it restarts, loads or fails over, are sent again until their deadline.
Items that have moved to another node of a cluster go to that node's pipeline.
"""

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from hiredis import pack_command
from redis import exceptions
from redis.asyncio import Redis
from redis.asyncio.connection import AbstractConnection

from fourfold.engine.decisions import Decision
from fourfold.server.storage.event_log import AppendConflict, AppendRequest, LogUnavailable
from fourfold.server.storage.trouble import TroubleReporter
from fourfold.server.supervision import end, supervise

AWAY: Final = (
    exceptions.ConnectionError, exceptions.TimeoutError, exceptions.BusyLoadingError, exceptions.ReadOnlyError,
    exceptions.ClusterDownError, OSError,
)  # fmt: skip
"""The errors of a node that is restarting, loading or failing over: wait, and send again."""

ELSEWHERE: Final = (exceptions.AskError, exceptions.TryAgainError)  # MOVED is an AskError too
"""The errors of a node whose keys are moving, or have moved, to another node."""

REPLICATION: Final = 1500
"""Milliseconds in which replicas have to receive an entry, and again to sync it to disk."""

SILENCE: Final = 5.0
"""Seconds without answers to a pipeline after which its connection counts as dead."""

PAUSE: Final = 0.1
"""Seconds between attempts to reach a node."""

APPEND: Final = """
local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
local id, seal, before = '0-0', nil, 0
if last then id, seal, before = last[1], last[2][6], tonumber(last[2][2]) end
if id ~= ARGV[1] .. '-0' or seal and ARGV[5] ~= '' and string.sub(seal, -8) ~= ARGV[5] then return {0, id} end
local time = redis.call('TIME')
local at = string.format('%.0f', math.max(before, time[1] * 1000 + math.floor(time[2] / 1000)))
local version = ARGV[1] + 1
if ARGV[6] == '' then redis.call('XADD', KEYS[1], version .. '-0', 't', at, 'd', ARGV[2])
else redis.call('XADD', KEYS[1], version .. '-0', 't', at, 'd', ARGV[2], 's', ARGV[6]) end
local keep, left = tonumber(ARGV[3]), redis.call('PTTL', KEYS[1])
if left ~= keep and (left > keep or left < keep * 0.99) then
    if keep < 0 then redis.call('PERSIST', KEYS[1]) else redis.call('PEXPIRE', KEYS[1], keep) end
end
local channel = KEYS[1] .. ARGV[7]
if redis.call('PUBSUB', 'SHARDNUMSUB', channel)[2] > tonumber(ARGV[4]) then
    redis.call('SPUBLISH', channel, version .. ' ' .. at .. ' ' .. ARGV[6] .. ARGV[2])
end
return {1, tonumber(at)}
"""
"""Compares the expected version and lineage with those of the last entry, stamps the time, adds the entry at id
`<version>-0`, sets how long the stream is kept and, if any other server listens, publishes the entry.

The time of a log never goes back, even if the store's clock is set back: an entry is never older than the one before.

KEYS: the stream. ARGV: expected version, packed decision, milliseconds to keep the stream (-1: for ever), how many
listeners are this server's own (0 or 1), the lineage expected (empty: not known), the seal (empty: none), and the
suffix that turns the stream's key into the channel's name. Returns {1, time in ms} when appended, {0, the last entry's
id} on a conflict.

The expiry is left alone while it is right to a hundredth, because setting it costs as much as the entry.

If a writer's own subscription has just been lost and the writer doesn't know yet, another server may not be notified.
When the subscription is back, the server announces its version, and the others catch up."""

END_TRANSACTION: Final = "redis.call('SET', KEYS[1], '', 'PX', 1000) redis.call('DEL', KEYS[1])"
"""Makes two writes, so that the store's append-only file gets a transaction, and keeps nothing.

If a store ends while it writes a transaction, for lack of disk or power, it later cuts the file after the last whole
command. That may leave the transaction open (in Redis 7.0; not in Valkey 9.1). Later writes outside a transaction, such
as appends, then belong to the open one for any reader of the file. They would be lost at the next start of the store.
The end of another transaction closes the open one too."""

_STOPPING: Final = "this server is stopping"

NOBODY: Final = 2**53
"""More listeners than there can be. With this number the script publishes nothing."""

_SHA: Final = hashlib.sha1(APPEND.encode(), usedforsecurity=False).hexdigest()


class NotReplicated(Exception):
    """An entry is written, but not known to be on enough replicas."""


@dataclass(slots=True)
class Append:
    """An append: the request, its stored form, and the future to resolve.

    `place` is the stream, which decides the cluster node for the command. The command may be sent until `deadline`, by
    the event loop's clock. `publishes` says whether the script publishes the entry. With replicas, the entry is
    published once they have it.
    """

    request: AppendRequest
    place: str
    channel: str
    packed: bytes
    lineage: bytes
    sealed: bytes
    deadline: float
    done: asyncio.Future[Decision]
    publishes: bool
    durable = True
    """Whether to wait until enough replicas have it, if replicas are required."""

    def command(self, confirmed: Collection[bytes]) -> tuple[str | int | bytes, ...]:
        """The call of the script, for a node that has confirmed our subscriptions to these channels."""
        asked, place = self.request, self.place
        keep = -1 if asked.keep is None else asked.keep
        listening = int(self.channel.encode() in confirmed) if self.publishes else NOBODY
        suffix = self.channel[len(place) :]
        last = asked.lineage or b"", self.sealed, suffix
        return "EVALSHA", _SHA, 1, place, asked.expected, self.packed, keep, listening, *last

    def answered(self, answer: Any) -> "Publish | None":
        """Resolve with the decision, or fail with `AppendConflict`. Returns the next item to write, if any."""
        publication, (_, expected, by, key, events, _, _) = None, self.request
        if answer[0] and not self.publishes:
            message = b"%d %d %b%b" % (expected + 1, answer[1], self.sealed, self.packed)
            publication = Publish(self.place, self.channel, message, self.deadline)
        if self.done.done():
            return publication
        if answer[0]:
            self.done.set_result(Decision(expected + 1, answer[1], by, key, events, self.lineage))
        else:
            self.done.set_exception(AppendConflict(f"{self.place} has another last entry than {expected}"))
        return publication

    def failed(self, reason: str) -> None:
        """Fail with `LogUnavailable`: the append may not have been stored."""
        if not self.done.done():
            self.done.set_exception(LogUnavailable(f"This may not have been stored: {reason}."))


@dataclass(slots=True)
class Publish:
    """A message to all listeners of a stream. `done` gets their number, if set. Listeners that miss an entry read it
    later."""

    place: str
    channel: str
    message: bytes
    deadline: float
    done: asyncio.Future[int] | None = None
    durable = False

    def command(self, _: Collection[bytes]) -> tuple[str | int | bytes, ...]:
        """The command."""
        return "SPUBLISH", self.channel, self.message

    def answered(self, answer: Any) -> None:
        """Resolve with the number of listeners."""
        if self.done is not None and not self.done.done():
            self.done.set_result(answer)

    def failed(self, reason: str) -> None:
        """Fail with `LogUnavailable`."""
        if self.done is not None and not self.done.done():
            self.done.set_exception(LogUnavailable(f"This may not have been sent: {reason}."))


PipelineItem = Append | Publish
"""An item to write. Exactly one of `answered` and `failed` is called, once."""


class Pipeline:
    """Writes to one node, from `start` to `close`."""

    def __init__(
        self,
        connection: AbstractConnection,
        client: Redis,
        confirmed: Collection[bytes],
        trouble: TroubleReporter,
        refresh: Callable[[], Awaitable[None]],
        holder: Callable[[str], "Pipeline"],
        replicas: int,
        local: int,
    ) -> None:
        """`confirmed` are the channels that this server hears from the node. `refresh` updates the map of keys to
        nodes, and `holder` returns the pipeline for a key. `replicas` is how many replicas must have synced an append
        to disk, beside the node itself (unless `local` is 0)."""
        self.errors = 0
        """How often the node failed to answer, or refused to write."""
        self._connection = connection
        self._client = client
        self._confirmed = confirmed
        self._trouble = trouble
        self._refresh = refresh
        self._holder = holder
        self._replicas = replicas
        # A replica reports the entries it has synced when it is asked. If asked at once, it has not synced yet, and
        # reports again only a second later. If asked after it has received the entry, it has synced it.
        self._until_durable: tuple[tuple[str | int, ...], ...] = (
            ("WAIT", replicas, REPLICATION),
            ("WAITAOF", local, replicas, REPLICATION),
        )
        self._waits = b"".join(map(_pack, self._until_durable))
        self._transaction_ended = False  # whether no transaction can be open in the store's file: see `END_TRANSACTION`
        self._away = False  # whether the node was unreachable at the last write
        self._queue: list[PipelineItem] = []
        self._wake = asyncio.Event()
        self._writer: asyncio.Task[None] | None = None
        self._closed = False

    def start(self) -> None:
        """Start writing."""
        self._writer = supervise("writer", self._write)

    async def close(self) -> None:
        """Stop. Waiting items fail, and later ones at once."""
        self._closed = True
        await end([self._writer])
        _fail(self._queue, _STOPPING)
        self._queue = []
        await self._connection.disconnect(nowait=True)

    def put(self, item: PipelineItem) -> None:
        """Send an item with the next batch."""
        if self._closed:
            item.failed(_STOPPING)
            return
        self._queue.append(item)
        self._wake.set()

    async def _write(self) -> None:
        """Send the waiting items, one batch at a time. Items that arrive meanwhile go with the next batch."""
        await self._recover(strayed=False)  # so that the node has the script before the first append
        while True:
            while not self._queue:
                self._wake.clear()
                await self._wake.wait()
            batch, self._queue = self._queue, []
            try:
                answers = await self._send(batch)
                again, strayed = self._answer(batch, answers)
            except asyncio.CancelledError:
                _fail(batch, _STOPPING)
                raise
            except Exception:
                _fail(batch, "this server failed to send it")
                # late answers would be taken for those of the next batch
                await self._connection.disconnect(nowait=True)
                raise
            if again:
                self._queue = again + self._queue
                await self._recover(strayed=strayed)

    def _answer(self, batch: list[PipelineItem], answers: list[Any]) -> tuple[list[PipelineItem], bool]:
        """Give each item its answer. Returns the items to send again, and whether their node may have changed."""
        again, strayed = [], False
        for item, answer in zip(batch, answers, strict=True):
            if not isinstance(answer, Exception):
                if (then := item.answered(answer)) is not None:
                    self.put(then)
            elif isinstance(answer, (exceptions.NoScriptError, *ELSEWHERE, *AWAY)):
                again.append(item)
                strayed |= not isinstance(answer, exceptions.NoScriptError)
            elif isinstance(answer, NotReplicated):
                item.failed(str(answer))
            else:
                self.errors += 1
                self._trouble.tell(str(answer))
                item.failed(f"the store refused to write: {answer}")
        return again, strayed

    async def _send(self, batch: list[PipelineItem]) -> list[Any]:
        """Send one batch; returns an answer or an exception for each item.

        This writes to a connection of its own: the pipelines of redis-py cost more than all the rest of this.
        """
        connection = self._connection
        answers: list[Any] = []
        if not connection.is_connected:
            self._transaction_ended = False
        waits = len(self._until_durable) if self._replicas and any(item.durable for item in batch) else 0
        try:
            async with asyncio.timeout(SILENCE):
                await connection.connect()  # type: ignore[no-untyped-call]
                packed = b"".join([_pack(item.command(self._confirmed)) for item in batch])
                if not self._transaction_ended:
                    packed = _pack(("EVAL", END_TRANSACTION, 1, f"{batch[0].place}:end")) + packed
                await connection.send_packed_command(packed + self._waits if waits else packed, check_health=False)
                if not self._transaction_ended:
                    with suppress(exceptions.ResponseError):  # then the appends are refused too
                        await connection.read_response(disconnect_on_error=False)
                        self._transaction_ended = True
                for _ in range(len(batch) + waits):
                    try:
                        answers.append(await connection.read_response(disconnect_on_error=False))
                    except exceptions.ResponseError as error:
                        answers.append(error)
        except (exceptions.RedisError, OSError) as error:
            self.errors += 1
            answers = [exceptions.ConnectionError(str(error))] * len(batch)
            await connection.disconnect(nowait=True)  # late answers would be taken for those of the next batch
        if waits and len(answers) > len(batch):
            *answers, _, synced = answers
            if (missing := self._missing(synced)) is not None:
                self.errors += 1
                self._trouble.tell(str(missing))
                return [
                    missing if item.durable and not isinstance(answer, Exception) else answer
                    for item, answer in zip(batch, answers, strict=True)
                ]
        return answers

    def _missing(self, synced: Any) -> NotReplicated | None:
        """What the answer to WAITAOF lacks; None if it is complete."""
        if isinstance(synced, list) and synced[1] >= self._replicas:
            return None
        have = synced[1] if isinstance(synced, list) else synced
        return NotReplicated(f"{have} of {self._replicas} replicas have it in time")

    async def require_replicas(self, key: str) -> None:
        """Wait until all earlier writes are on enough replicas. May write `key` for that.

        Raises `NotReplicated`, `RedisError` or `OSError`.
        """
        if self._replicas:
            # By a write of its own: a node waits for the writes of the same connection.
            pipeline = self._client.pipeline(transaction=False)
            pipeline.set(key, "", px=1000)
            for command in self._until_durable:
                pipeline.execute_command(*command)
            *_, synced = await pipeline.execute()
            if (missing := self._missing(synced)) is not None:
                raise missing

    async def _recover(self, *, strayed: bool) -> None:
        """Wait until sending the queue can succeed: until the node has the script (again)."""
        loop = asyncio.get_running_loop()
        while True:
            if strayed:
                await self._refresh()
                queue, self._queue = self._queue, []
                for item in queue:
                    self._holder(item.place).put(item)
            late = [item for item in self._queue if item.deadline <= loop.time()]
            self._queue = [item for item in self._queue if item.deadline > loop.time()]
            _fail(late, "the store is away")
            try:
                await self._client.script_load(APPEND)
                if self._away:
                    self._away = False
                    self._trouble.over()
                return
            except (exceptions.RedisError, OSError) as error:
                self.errors += 1
                self._away = True
                self._trouble.tell(str(error))
            if not self._queue:
                return
            await asyncio.sleep(PAUSE)
            strayed = True


def _pack(command: tuple[str | int | bytes, ...]) -> bytes:
    packed: bytes = pack_command(command)  # type: ignore[arg-type]  # its stub means tuples of one
    return packed


def _fail(items: Iterable[PipelineItem], reason: str) -> None:
    for item in items:
        item.failed(reason)
