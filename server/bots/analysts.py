"""Sends positions and games to bot hosts for analysis.

A host gets a job, a `consult` or an `examine`, and answers with `found` or `examined`. If this server has no host, the
job goes to all servers, and the first host that answers keeps it. A host that arrives while jobs wait gets them.
Nothing is stored: a job ends when its host or server dies.
"""

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

import msgspec
import structlog

from fourfold.protocol import from_client as ask
from fourfold.protocol import from_server as wire
from fourfold.server.replication.fanout import Encoded, Follower
from fourfold.server.storage.event_log import EventLog, Listener, unless_unavailable
from fourfold.server.supervision import Tasks, end

ROOM: Final = "analyses"
"""The room id for messages about jobs between servers. No room has this id."""

PATIENCE: Final = 10.0
"""Seconds within which a host must first answer a job. Also the seconds by which it may exceed the job's own time."""

Job: TypeAlias = wire.Consult | wire.Examine
Answer: TypeAlias = ask.Found | ask.Examined
Take: TypeAlias = Callable[[Answer | None], None]
"""Called with each answer to a job; with None at the end if there is no host, or if the job has ended early."""

_log = structlog.get_logger(__name__)


class Wanted(msgspec.Struct, tag=True, frozen=True):
    """A job that needs a host."""

    job: Job


class Hosted(msgspec.Struct, tag=True, frozen=True):
    """A server has a host now. Servers with unanswered jobs send them again."""


class Answered(msgspec.Struct, tag=True, frozen=True):
    """The answer of a host, connected to the server `by`, to the job of an id; None if the job has ended."""

    id: str
    by: str
    answer: Answer | None


class Dropped(msgspec.Struct, tag=True, frozen=True):
    """The job of an id is not needed any more, except by the server `keep`, if any."""

    id: str
    keep: str = ""


_encode: Final = msgspec.msgpack.Encoder().encode
_decode: Final = msgspec.msgpack.Decoder(Wanted | Hosted | Answered | Dropped).decode


@dataclass(slots=True)
class _Waiting:
    """A pending job of this server: for how many seconds, and from the host of which server."""

    job: Job
    take: Take
    seconds: float
    timer: asyncio.TimerHandle
    by: str = ""


class Analysts(Listener):
    """Runs from `open` to `close`."""

    def __init__(self, log: EventLog, name: str) -> None:
        """`name` identifies this server among all."""
        self._log = log
        self._name = name
        self._hosts: list[Follower] = []
        self._elsewhere = False
        self._waiting: dict[str, _Waiting] = {}
        self._given: dict[str, Follower] = {}
        self._tasks = Tasks()

    async def open(self) -> None:
        """Start. Raises `LogUnavailable`."""
        await self._log.follow(ROOM, self)

    async def close(self) -> None:
        """Stop."""
        for waiting in self._waiting.values():
            waiting.timer.cancel()
        await end(self._tasks)
        await self._log.unfollow(ROOM, self)

    # -- pending jobs --

    def begin(self, job: Job, seconds: float, take: Take) -> None:
        """Start a job that should take `seconds`. Its time limit is `PATIENCE` seconds longer, and begins with the
        first answer. For a review it begins again with each result, because a busy machine is slow."""
        timer = asyncio.get_running_loop().call_later(PATIENCE, self._give_up, job.job)
        self._waiting[job.job] = _Waiting(job, take, seconds, timer)
        if self._hosts:
            self._give(job)
        else:
            self._tell(Wanted(job))

    def end(self, id: str) -> None:
        """Drop a job, if it is pending."""
        waiting = self._waiting.pop(id, None)
        if waiting is not None:
            waiting.timer.cancel()
            if id in self._given:
                self._dismiss(id)
            else:
                self._tell(Dropped(id))

    def _take(self, id: str, by: str, answer: Answer | None) -> None:
        """Pass on the results of the host that answered first."""
        waiting = self._waiting[id]
        if waiting.by not in ("", by):
            self._tell(Dropped(id, waiting.by))
            return
        if isinstance(answer, ask.Examined) or (answer is not None and not waiting.by):
            waiting.by = by
            waiting.timer.cancel()
            late = waiting.seconds + PATIENCE
            waiting.timer = asyncio.get_running_loop().call_later(late, self._give_up, id)
        if answer is None or answer.done:
            del self._waiting[id]
            waiting.timer.cancel()
        waiting.take(answer)

    def _give_up(self, id: str) -> None:
        """End a job whose time is over: no host has answered, or the host is too slow."""
        waiting = self._waiting[id]
        if self.hosted:
            _log.warning("an analysis was given up", kind=type(waiting.job).__name__.lower(), begun=bool(waiting.by))
        self.end(id)
        waiting.take(None)

    # -- hosts --

    @property
    def hosted(self) -> bool:
        """Whether a host is connected to this server, or has been to another one."""
        return self._elsewhere or bool(self._hosts)

    def register(self, host: Follower) -> None:
        """Give jobs to a host."""
        if host not in self._hosts:
            self._hosts.append(host)
            self._tell(Hosted())

    def unregister(self, host: Follower) -> None:
        """A connection has ended. If it was a host, its jobs end too."""
        if host in self._hosts:
            self._hosts.remove(host)
            for id in [id for id, one in self._given.items() if one is host]:
                del self._given[id]
                self._answer(id, None)

    def answered(self, host: Follower, answer: Answer) -> bool:
        """Take an answer of a host; False if the host may stop."""
        if self._given.get(answer.job) is not host:
            return False
        if answer.done:
            del self._given[answer.job]
        self._answer(answer.job, answer)
        return True

    def _answer(self, id: str, answer: Answer | None) -> None:
        if id in self._waiting:
            self._take(id, self._name, answer)
        else:
            self._tell(Answered(id, self._name, answer))

    def _give(self, job: Job) -> None:
        """Give a job to the host with the fewest jobs."""
        busy = Counter(map(id, self._given.values()))
        host = min(self._hosts, key=lambda one: busy[id(one)])
        self._given[job.job] = host
        host.send(Encoded(job))

    def _dismiss(self, id: str) -> None:
        self._given.pop(id).send(Encoded(wire.Dismiss(id)))

    # -- messages of servers --

    def _tell(self, message: Wanted | Hosted | Answered | Dropped) -> None:
        self._tasks.start(self._pass_on(_encode(message)))

    async def _pass_on(self, message: bytes) -> None:
        with unless_unavailable(_log, "job not sent"):  # the client's wait will time out
            await self._log.tell(ROOM, message)

    def told(self, message: bytes) -> None:
        """A server, perhaps this one, has a job, a host, an answer to a job, or has dropped one."""
        try:
            said = _decode(message)
        except msgspec.DecodeError:
            return  # of a newer version
        match said:
            case Wanted(job) if self._hosts and job.job not in self._given:
                self._give(job)
            case Hosted():
                self._elsewhere = True
                for id, waiting in self._waiting.items():
                    if not waiting.by and id not in self._given:
                        self._tell(Wanted(waiting.job))
            case Answered(id, by, answer):
                self._elsewhere = True
                if id in self._waiting:
                    self._take(id, by, answer)
            case Dropped(id, keep) if id in self._given and keep != self._name:
                self._dismiss(id)
