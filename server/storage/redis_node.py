"""One Redis server as the log uses it: a writer with its pipeline, questions, and doorbells.

What is put here goes out with all else that gathers in one turn of the event loop (group commit). What a
server that is away, loading or failing over leaves unanswered is sent again, for as long as it has patience;
what by now belongs to another server of a cluster goes there.
"""

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any, Final, Protocol
from urllib.parse import urlsplit

import structlog
from hiredis import pack_command
from redis.asyncio import Redis
from redis.asyncio.connection import AbstractConnection, parse_url
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import (
    AskError,
    BusyLoadingError,
    ClusterDownError,
    ConnectionError,
    NoScriptError,
    ReadOnlyError,
    RedisError,
    ResponseError,
    TimeoutError,
    TryAgainError,
)

from fourfold.server.storage import safety
from fourfold.server.storage.pubsub import Subscriptions
from fourfold.server.storage.tasks import end
from fourfold.server.storage.trouble import TroubleReporter
from fourfold.server.supervision import supervise

AWAY: Final = (ConnectionError, TimeoutError, BusyLoadingError, ReadOnlyError, ClusterDownError, OSError)
"""What a server that is restarting, loading or failing over answers: wait, and send again."""

ELSEWHERE: Final = (AskError, TryAgainError)  # MOVED is an AskError too
"""What a server answers whose keys are on their way to another, or there already."""

REPLICATION: Final = 1500
"""For so many milliseconds replicas may take to receive something, and as many again to sync it to disk."""

SILENCE: Final = 5.0
"""After so many seconds without the answers to a pipeline its connection is taken for dead."""

PAUSE: Final = 0.1
"""Seconds between attempts; what they wait for is an answer."""

_log = structlog.get_logger(__name__)


class PipelineItem(Protocol):
    """Something to write. It is told the answer, or that there will be none, once."""

    @property
    def place(self) -> str:
        """The key that decides which server of a cluster it goes to."""
        ...

    @property
    def deadline(self) -> float:
        """Until when, by the event loop's clock, it may be sent."""
        ...

    def command(self) -> tuple[str | int | bytes, ...]:
        """What to say to the server."""
        ...

    @property
    def durable(self) -> bool:
        """Whether it is to be on replicas too, where some are wanted."""
        ...

    def answered(self, answer: Any) -> "PipelineItem | None":
        """The server has said this, and done it for good; returns what is to be written then."""
        ...

    def failed(self, reason: str) -> None:
        """It is not known to have been done."""
        ...


class NotReplicated(Exception):
    """It is written, but not known to be on as many replicas as are wanted."""


class RedisNode:
    """Writes from `start` to `close`.

    `scripts` are loaded where they are missing. `refresh` finds out anew which server holds what, and `holder`
    tells it. `displaced` is called when doorbells have left.
    """

    def __init__(
        self,
        url: str,
        scripts: Sequence[str],
        refresh: Callable[[], Awaitable[None]],
        holder: Callable[[str], "RedisNode"],
        displaced: Callable[[], None],
        replicas: int = 0,
        local: int = 1,
    ) -> None:
        """`replicas` is how many must have synced an append to disk, beside the server itself (unless `local` is 0)."""
        self.url = url
        self.errors = 0
        """How often it did not answer, or refused to write."""
        self.client = _client(url, timeout=SILENCE)
        self._lines = _client(url, timeout=None)  # makes connections, and has none itself
        make = self._lines.connection_pool.make_connection
        self._line: AbstractConnection = make()  # type: ignore[no-untyped-call]
        self.doorbells = Subscriptions(make(), displaced)  # type: ignore[no-untyped-call]
        self._scripts = scripts
        self._replicas = replicas
        # A replica says what it has synced when it is asked. Asked at once it has not yet, and the next time it says so
        # is a second later; asked when it is known to have received it, it has.
        self._until_durable: tuple[tuple[str | int, ...], ...] = (
            ("WAIT", replicas, REPLICATION),
            ("WAITAOF", local, replicas, REPLICATION),
        )
        self._waits = b"".join(map(_pack, self._until_durable))
        self._refresh = refresh
        self._holder = holder
        self.trouble = TroubleReporter(without_password(url))
        self.away = False
        """Whether it could not be reached when something was last to be written."""
        self._queue: list[PipelineItem] = []
        self._wake = asyncio.Event()
        self._writer: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to write and to listen."""
        self.doorbells.start()
        self._writer = supervise("writer", self._write)

    async def close(self) -> None:
        """Stop. What still waits fails."""
        if self._writer is not None:
            await end([self._writer])
        _fail(self._queue, "this server is stopping")
        self._queue = []
        await self.doorbells.close()
        await self._line.disconnect(nowait=True)
        await self._lines.aclose()
        await self.client.aclose()

    async def faults(self) -> list[str]:
        """What makes it unsafe. Raises `RedisError` or `OSError`."""
        info: dict[str, Any] = await self.client.info()
        config: dict[str, str] = {}
        try:
            config |= {str(name): str(value) for name, value in (await self.client.config_get(*safety.OPTIONS)).items()}
        except ResponseError as error:
            url = without_password(self.url)
            _log.warning("the store's appendfsync can't be known; it should be always", url=url, error=str(error))
        return safety.faults(config, info)

    async def version(self) -> tuple[int, ...]:
        """Which Redis it is, or which one it is like. Raises `RedisError` or `OSError`."""
        info: dict[str, Any] = await self.client.info("server")
        return tuple(int(part) for part in str(info["redis_version"]).split(".")[:2])

    async def info(self) -> dict[str, Any]:
        """What it says of its memory, its disk and its replicas. Raises `RedisError` or `OSError`."""
        return await self.client.info("memory", "persistence", "replication")

    def put(self, item: PipelineItem) -> None:
        """Send it with the next pipeline."""
        self._queue.append(item)
        self._wake.set()

    async def _write(self) -> None:
        """Send what has gathered, one pipeline at a time; what gathers meanwhile goes with the next."""
        await self._recover(strayed=False)  # so that the server has the scripts before they are wanted
        while True:
            while not self._queue:
                self._wake.clear()
                await self._wake.wait()
            batch, self._queue = self._queue, []
            try:
                answers = await self._send(batch)
                again, strayed = self._answer(batch, answers)
            except asyncio.CancelledError:
                _fail(batch, "this server is stopping")
                raise
            except Exception:
                _fail(batch, "this server has failed to send it")
                await self._line.disconnect(nowait=True)  # what may still come would be taken for other answers
                raise
            if again:
                self._queue = again + self._queue
                await self._recover(strayed=strayed)

    def _answer(self, batch: list[PipelineItem], answers: list[Any]) -> tuple[list[PipelineItem], bool]:
        """Tell each item its answer; returns those to be sent again, and whether that may be to another server."""
        again, strayed = [], False
        for item, answer in zip(batch, answers, strict=True):
            if isinstance(answer, (NoScriptError, *ELSEWHERE, *AWAY)):
                again.append(item)
                strayed |= not isinstance(answer, NoScriptError)
            elif isinstance(answer, NotReplicated):
                item.failed(str(answer))
            elif isinstance(answer, Exception):
                self.errors += 1
                self.trouble.tell(str(answer))
                item.failed(f"the store refused to write: {answer}")
            elif (then := item.answered(answer)) is not None:
                self.put(then)
        return again, strayed

    async def _send(self, batch: list[PipelineItem]) -> list[Any]:
        """One pipeline; an answer or an exception for each item.

        By hand on a connection of its own: what redis-py's pipelines do besides costs more than all the rest of it.
        """
        line = self._line
        answers: list[Any] = []
        waits = len(self._until_durable) if self._replicas and any(item.durable for item in batch) else 0
        try:
            async with asyncio.timeout(SILENCE):
                await line.connect()  # type: ignore[no-untyped-call]
                packed = b"".join(map(_packed, batch)) + (self._waits if waits else b"")
                await line.send_packed_command(packed, check_health=False)
                for _ in range(len(batch) + waits):
                    try:
                        answers.append(await line.read_response(disconnect_on_error=False))
                    except ResponseError as error:
                        answers.append(error)
        except (RedisError, OSError) as error:
            self.errors += 1
            answers = [ConnectionError(str(error))] * len(batch)
            await line.disconnect(nowait=True)  # what may still come would be taken for other answers
        if waits and len(answers) > len(batch):
            *answers, _, synced = answers
            if (missing := self._missing(synced)) is not None:
                self.errors += 1
                self.trouble.tell(str(missing))
                return [
                    missing if item.durable and not isinstance(answer, Exception) else answer
                    for item, answer in zip(batch, answers, strict=True)
                ]
        return answers

    def _missing(self, synced: Any) -> "NotReplicated | None":
        """What is wrong, by the answer to WAITAOF."""
        if isinstance(synced, list) and synced[1] >= self._replicas:
            return None
        have = synced[1] if isinstance(synced, list) else synced
        return NotReplicated(f"{have} of {self._replicas} replicas have it in time")

    async def require_replicas(self, key: str) -> None:
        """Wait until all that has been written so far is on the replicas that are wanted; `key` may be written for it.

        Raises `NotReplicated`, `RedisError` or `OSError`.
        """
        if self._replicas:
            # By a write of its own: a server waits for what the same connection has written.
            pipeline = self.client.pipeline(transaction=False)
            pipeline.set(key, "", px=1000)
            for command in self._until_durable:
                pipeline.execute_command(*command)
            *_, synced = await pipeline.execute()
            if (missing := self._missing(synced)) is not None:
                raise missing

    async def _recover(self, *, strayed: bool) -> None:
        """Wait until what is in the queue is worth sending: until the server has the scripts (again)."""
        loop = asyncio.get_running_loop()
        while True:
            if strayed:
                await self._refresh()
                self._pass_on()
            late = [item for item in self._queue if item.deadline <= loop.time()]
            self._queue = [item for item in self._queue if item.deadline > loop.time()]
            _fail(late, "the store is away")
            try:
                for script in self._scripts:
                    await self.client.script_load(script)
                if self.away:
                    self.away = False
                    self.trouble.over()
                return
            except (RedisError, OSError) as error:
                self.errors += 1
                self.away = True
                self.trouble.tell(str(error))
            if not self._queue:
                return
            await asyncio.sleep(PAUSE)
            strayed = True

    def _pass_on(self) -> None:
        """Give what by now belongs to other servers to them."""
        queue, self._queue = self._queue, []
        for item in queue:
            self._holder(item.place).put(item)


def _packed(item: PipelineItem) -> bytes:
    return _pack(item.command())


def _pack(command: tuple[str | int | bytes, ...]) -> bytes:
    packed: bytes = pack_command(command)  # type: ignore[arg-type]  # its stub means tuples of one
    return packed


def _fail(items: Iterable[PipelineItem], reason: str) -> None:
    for item in items:
        item.failed(reason)


def check_url(url: str) -> None:
    """Raises ValueError for what names no store."""
    parts = urlsplit(url)
    parse_url(url)
    if parts.scheme != "unix" and not re.fullmatch("/?[0-9]*", parts.path):
        raise ValueError("the database is a number")


def database(url: str) -> int:
    """Which of a store's databases a URL names."""
    number: int = parse_url(url).get("db", 0)
    return number


def without_password(url: str) -> str:
    """A server's URL as it may be shown."""
    parts = urlsplit(url)
    return url if parts.password is None else url.replace(f":{parts.password}@", ":***@", 1)


def _client(url: str, timeout: float | None) -> Redis:
    return Redis.from_url(
        url,
        socket_timeout=timeout,
        socket_connect_timeout=2.0,
        health_check_interval=0,
        retry=Retry(NoBackoff(), 0),  # retries are ours: they must read the log, not just repeat
    )
