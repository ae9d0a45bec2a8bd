"""Has positions and games analysed by hosts of bots, for whoever asks.

A host is given a job, a `consult` or an `examine`, and answers by `found` or `examined`. If this server has no host,
the job goes to all servers, and the first host that answers keeps it. A host that comes while jobs wait is given them.
Nothing is stored: a job whose host or server dies ends.
"""

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol, TypeAlias

import msgspec
import structlog

from fourfold.protocol import from_client as ask
from fourfold.protocol import from_server as wire
from fourfold.server.rooms.fanout import Encoded
from fourfold.server.storage.event_log import EventLog, Listener, LogUnavailable
from fourfold.server.supervision import end

ROOM: Final = "analyses"
"""The room id under which servers tell each other of jobs. No room has such an id."""

PATIENCE: Final = 10.0
"""How many seconds a host has to answer for the first time, and after the end of its time."""

Job: TypeAlias = wire.Consult | wire.Examine
Answer: TypeAlias = ask.Found | ask.Examined
Take: TypeAlias = Callable[[Answer | None], None]
"""Takes each answer to a job; None, at the end, if there is no host or it has ended before its time."""

_log = structlog.get_logger(__name__)


class Wanted(msgspec.Struct, tag=True, frozen=True):
    """A job that a host is to be found for."""

    job: Job


class Hosted(msgspec.Struct, tag=True, frozen=True):
    """A server has a host now: who waits for a job that nobody has answered tells of it again."""


class Answered(msgspec.Struct, tag=True, frozen=True):
    """What a host says of the job of an id, which is connected to the server `by`; None if it has ended."""

    id: str
    by: str
    answer: Answer | None


class Dropped(msgspec.Struct, tag=True, frozen=True):
    """Nobody waits for the job of an id any more, but of the server `keep`, if of any."""

    id: str
    keep: str = ""


_encode: Final = msgspec.msgpack.Encoder().encode
_decode: Final = msgspec.msgpack.Decoder(Wanted | Hosted | Answered | Dropped).decode


class Host(Protocol):
    """The connection of a host of bots."""

    def send(self, frame: Encoded) -> None:
        """Send a frame. Never blocks."""
        ...


@dataclass(slots=True)
class _Waiting:
    """Somebody here waits for a job: for so many seconds, and from the host of which server."""

    job: Job
    take: Take
    seconds: float
    timer: asyncio.TimerHandle
    by: str = ""


class Analysts(Listener):
    """Works from `open` to `close`."""

    def __init__(self, log: EventLog, name: str) -> None:
        """`name` tells this server from all others."""
        self._log = log
        self._name = name
        self._hosts: list[Host] = []
        self._waiting: dict[str, _Waiting] = {}
        self._given: dict[str, Host] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        """Begin. Raises `LogUnavailable`."""
        await self._log.follow(ROOM, self)

    async def close(self) -> None:
        """Stop."""
        for waiting in self._waiting.values():
            waiting.timer.cancel()
        await end(self._tasks)
        await self._log.unfollow(ROOM, self)

    # -- those who wait --

    def begin(self, job: Job, seconds: float, take: Take) -> None:
        """Have a job done, in about so many seconds."""
        timer = asyncio.get_running_loop().call_later(PATIENCE, self._give_up, job.job)
        self._waiting[job.job] = _Waiting(job, take, seconds, timer)
        if self._hosts:
            self._give(job)
        else:
            self._tell(Wanted(job))

    def end(self, id: str) -> None:
        """Nobody waits for a job any more, if anybody has."""
        waiting = self._waiting.pop(id, None)
        if waiting is not None:
            waiting.timer.cancel()
            if id in self._given:
                self._dismiss(id)
            else:
                self._tell(Dropped(id))

    def _take(self, id: str, by: str, answer: Answer | None) -> None:
        """Pass on what the host that answered first has found."""
        waiting = self._waiting[id]
        if waiting.by not in ("", by):
            self._tell(Dropped(id, waiting.by))
            return
        if answer is not None and not waiting.by:
            waiting.by = by
            waiting.timer.cancel()
            late = waiting.seconds + PATIENCE
            waiting.timer = asyncio.get_running_loop().call_later(late, self._give_up, id)
        if answer is None or answer.done:
            del self._waiting[id]
            waiting.timer.cancel()
        waiting.take(answer)

    def _give_up(self, id: str) -> None:
        """No host has answered in time."""
        take = self._waiting[id].take
        self.end(id)
        take(None)

    # -- hosts --

    def register(self, host: Host) -> None:
        """Give jobs to a host."""
        if host not in self._hosts:
            self._hosts.append(host)
            self._tell(Hosted())

    def unregister(self, host: Host) -> None:
        """A connection has ended, perhaps that of a host: so have its jobs."""
        if host in self._hosts:
            self._hosts.remove(host)
            for id in [id for id, one in self._given.items() if one is host]:
                del self._given[id]
                self._answer(id, None)

    def answered(self, host: Host, answer: Answer) -> bool:
        """Take what a host has found; False if it need not go on."""
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
        """Give a job to the host that has the fewest."""
        busy = Counter(map(id, self._given.values()))
        host = min(self._hosts, key=lambda one: busy[id(one)])
        self._given[job.job] = host
        host.send(Encoded(job))

    def _dismiss(self, id: str) -> None:
        self._given.pop(id).send(Encoded(wire.Dismiss(id)))

    # -- what servers tell --

    def _tell(self, message: Wanted | Hosted | Answered | Dropped) -> None:
        task = asyncio.create_task(self._pass_on(_encode(message)))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _pass_on(self, message: bytes) -> None:
        try:
            await self._log.tell(ROOM, message)
        except LogUnavailable as error:
            _log.debug("a job was not told", error=str(error))  # whoever waits for it gives up

    def told(self, message: bytes) -> None:
        """A server, perhaps this one, has a job, a host, an answer to a job, or no longer waits for one."""
        try:
            said = _decode(message)
        except msgspec.DecodeError:
            return  # of a newer version
        match said:
            case Wanted(job) if self._hosts and job.job not in self._given:
                self._give(job)
            case Hosted():
                for id, waiting in self._waiting.items():
                    if not waiting.by and id not in self._given:
                        self._tell(Wanted(waiting.job))
            case Answered(id, by, answer) if id in self._waiting:
                self._take(id, by, answer)
            case Dropped(id, keep) if id in self._given and keep != self._name:
                self._dismiss(id)
