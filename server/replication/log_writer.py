"""The only writer of a log on this node. Commands wait in one queue, and are decided one at a time.

Subclasses decide the commands. The order is always the same: decide, append to the log, and after the append evolve,
acknowledge, broadcast. Other nodes write to the same log. Their decisions, and missed ones, enter through the same
method: `apply`.
"""

import asyncio
import itertools
import math
import secrets
from collections.abc import Callable, Coroutine, Iterable
from contextvars import Context
from functools import partial
from time import perf_counter
from typing import Any, Final, Generic, TypeVar

import structlog

from fourfold.engine.decisions import Decision, Rejection
from fourfold.server.clock import Clock
from fourfold.server.metrics import Metrics
from fourfold.server.replication.rejections import CLOSED, DAMAGED, FAILED, GONE, NEWER, unavailable
from fourfold.server.replication.replica import FOLDED, History, Replica, Versioned
from fourfold.server.storage.event_log import (
    AppendConflict,
    AppendRequest,
    EventLog,
    LogUnavailable,
    NewerEntry,
    Notification,
    OtherLineage,
    UnreadableEntry,
    unless_unavailable,
)

READ_AGAIN: Final = 0.3
"""Seconds between attempts to read from a store that is away."""

_log = structlog.get_logger(__name__)
_NO_CONTEXT: Final = Context()
"""The log context of a room's own work, without the player whose command started it."""


Answer = Callable[[int | Rejection], None]
"""Called with the version at which a command was carried out, or with the rejection."""

_S = TypeVar("_S", bound=Versioned)
_C = TypeVar("_C")
"""The state that the log builds, and the commands to it."""

Taken = Callable[[Decision, _S | None, _S, bool], None]
"""Called with each decision of the log: the decision, the state before and after it, and whether this node made it."""


class Request(Generic[_C]):
    """A queued command: the player's id, the command's key, and the callback for the answer.

    `sure` says that the store was asked about outages.
    """

    __slots__ = ("answer", "by", "command", "key", "sure")

    # written out, because mypyc can't compile a dataclass that is generic
    def __init__(self, command: _C, by: str, key: str, answer: Answer, sure: bool = False) -> None:
        self.command = command
        self.by = by
        self.key = key
        self.answer = answer
        self.sure = sure


class LogWriter(Replica[_S], Generic[_S, _C]):
    """Decides the commands of one log and appends the decisions; applies the decisions of other nodes."""

    def __init__(
        self,
        room: str,
        log: EventLog,
        clock: Clock,
        metrics: Metrics,
        taken: Taken[_S],
        renewed: Callable[[History[_S]], None],
        ended: Callable[[Rejection], None],
    ) -> None:
        """`taken` is called with each decision, once and in order. `renewed` is called when the log turned out to be
        another one, with its decisions: all of them if watchers see the log late, else only the latest. `ended` is
        called with the reason when the log can't be used any more.
        """
        super().__init__(room, log)
        self._soon = asyncio.get_running_loop().call_soon
        self._name = secrets.token_hex(6)
        self._numbers = itertools.count()
        self.end: Rejection | None = None
        """Why the writer has stopped: the log is no longer kept, or can't be read. None while it works."""
        self.refuses: Rejection | None = None
        """Why this node takes no commands to the log; None if it does."""
        self.closed = False
        self._clock = clock
        self._metrics = metrics
        self._taken = taken
        self._renewed = renewed
        self._ended = ended
        self._queue: list[Request[_C]] = []
        self._busy = False
        self._heard = 0.0  # the latest version that this node has heard of
        self._tasks: set[asyncio.Task[None]] = set()
        self._started = self._decided = 0.0  # the latest append: when its command's decision began and ended
        self._settled: asyncio.Future[None] | None = None  # while somebody waits for that

    @property
    def busy(self) -> bool:
        """Whether a command waits, or the log is being written or read."""
        return self._busy or bool(self._queue)

    # -- for subclasses --

    def decide(self, command: _C, by: str, now: int) -> tuple[Any, ...] | Rejection:
        """The events of a command on the current state (empty if it changes nothing), or a rejection."""
        raise NotImplementedError

    def keep(self, events: tuple[Any, ...]) -> int | None:
        """Milliseconds to keep the log after these events; None for ever."""
        raise NotImplementedError

    def is_dated(self, command: _C) -> bool:
        """Whether a command names the version that it is for. If it was carried out already, it is rejected now, so
        its key is looked up only then."""
        return False

    def ready(self, request: Request[_C]) -> bool:
        """Whether the first request of the queue may be decided now. If not, something comes before it."""
        return True

    def made(self, decision: Decision) -> None:
        """A decision of this node has been stored and broadcast: count it."""

    # -- commands --

    def own_key(self) -> str:
        """The key of a command that has none of its player's."""
        return f"node.{self._name}.{next(self._numbers)}"

    def submit(self, command: _C, by: str, answer: Answer, key: str = "") -> None:
        """Queue a command. `answer` is called once the decision is in the log, or with the rejection.

        `by` is the player's id; `key` is unique among the player's commands, or empty.
        """
        if self.end is not None or self.refuses is not None or self.closed:
            answer(self.end or self.refuses or CLOSED)
            return
        self._queue.append(Request(command, by, key or self.own_key(), answer))
        self._next()

    async def settled(self) -> None:
        """Wait until every queued command has been answered, or the room is closed."""
        while (self._queue or self._busy) and not self.closed:
            self._settled = self._settled or asyncio.get_running_loop().create_future()
            await asyncio.shield(self._settled)  # others wait for it too

    def _next(self) -> None:
        if self.closed:
            return
        if self._heard > self.seq and not self._busy:
            self._heard = 0.0
            self._occupy(self._catch_up)
        while self._queue and not self._busy:
            request = self._queue[0]
            repeated = not self.is_dated(request.command) and self._answer_again(request)
            if not repeated and self.ready(request):
                self._judge(request)
        if not self._busy:
            self._settle()

    def _settle(self) -> None:
        if self._settled is not None:
            self._settled.set_result(None)
            self._settled = None

    def _judge(self, request: Request[_C]) -> None:
        self._started = perf_counter()
        try:
            verdict = self.decide(request.command, request.by, self._clock())
        except Exception:  # noqa: BLE001 - a fault of the server must not keep the others from playing on
            _log.exception("a command failed", room=self._room, command=request.command)
            self._answer(request, FAILED)
            return
        if isinstance(verdict, Rejection):
            if self._answer_again(request):
                return
            if self.state is None:
                self._answer(request, verdict)
            else:
                self._occupy(partial(self._reconsider, request, verdict))
        elif not verdict:
            self._answer(request, self.seq)
        else:
            self._busy = True
            self._decided = perf_counter()
            keep = self.keep(verdict)
            append = AppendRequest(self._room, self.seq, request.by, request.key, verdict, keep, self.lineage)
            self._log.append(append).add_done_callback(partial(self._appended, request), context=_NO_CONTEXT)

    async def _reconsider(self, request: Request[_C], verdict: Rejection) -> None:
        """Before a rejection, read the log again: other nodes may have appended decisions that have not arrived
        here."""
        seq = self.seq
        await self._catch_up()
        if self.seq == seq:  # else it is answered, or decided again
            self._answer(request, verdict)

    def _appended(self, request: Request[_C], future: "asyncio.Future[Decision]") -> None:
        self._busy = False
        error = future.exception()
        if error is None:
            decision, appended = future.result(), perf_counter()
            try:
                self.apply((decision,))
            except UnreadableEntry as fault:
                self._quarantine(fault)
                return
            self.made(decision)
            took = appended - self._decided, perf_counter() - self._started
            self._soon(self._metrics.observe, *took)  # when the players were sent it
            self._next()
        elif isinstance(error, AppendConflict):
            self._metrics.conflicts += 1
            request.sure = False  # the answer may have taken long
            self._occupy(self._catch_up)  # then the same command is decided again
        elif isinstance(error, LogUnavailable):
            self._answer(request, unavailable(error))
            self._next()
        else:
            raise error

    def _answer(self, request: Request[_C], answer: int | Rejection) -> None:
        """Answer the first request, unless a decision read meanwhile has answered it already."""
        if self._queue and self._queue[0] is request:
            del self._queue[0]
            request.answer(answer)

    def _answer_again(self, request: Request[_C]) -> bool:
        """Answer a repeated command with its first answer; returns whether it was a repeat."""
        seq = self.version_of(request.by, request.key)
        if seq is not None:
            self._answer(request, seq)
        return seq is not None

    def _reject_all(self, rejection: Rejection) -> None:
        while self._queue:
            self._queue.pop(0).answer(rejection)

    # -- decisions of the log --

    def apply(self, decisions: Iterable[Decision]) -> None:
        """Apply decisions of the log, in order. Decisions already held are skipped.

        This is the only entry for decisions: own appends, notifications, and catching up. Raises `DamagedEntry`.
        """
        for decision in decisions:
            if decision.seq <= self.seq:
                continue
            assert decision.seq == self.seq + 1  # callers close gaps by reading
            first = self._queue[0] if self._queue else None
            ours = first is not None and (first.by, first.key) == (decision.by, decision.key)
            keep = self.keep(decision.events) if ours else None
            before, after = self.state, self.take(decision)
            if first is not None and ours:
                self._answer(first, decision.seq)
                # once the players have been sent it
                self._soon(self._log.witness.note, self._room, decision, keep)
            self._taken(decision, before, after, ours)

    def notified(self, notification: Notification) -> None:
        """A decision was appended. While busy this is only noted: the answer to this node's own append may bring the
        same decision, and earlier."""
        seq = notification.seq
        if self.closed or self.end is not None:
            return
        if seq <= self.seq:
            if notification.lineage is not None and not self.agrees(seq, notification.lineage):
                self.look()
        elif self._busy:
            self._heard = max(self._heard, seq)
        elif seq == self.seq + 1:
            try:
                self.apply((notification.decision(self.lineage),))
            except OtherLineage:
                self._occupy(self._catch_up)
            except UnreadableEntry as error:
                self._quarantine(error)
        else:
            self._occupy(self._catch_up)

    def look(self, seq: float = math.inf) -> None:
        """Read the log soon: it has reached version `seq`, or has changed."""
        self._heard = max(self._heard, seq)
        self._next()

    async def read_on(self, after: int) -> list[Decision]:
        """All decisions after version `after`, for readers. Waits until the log can be read."""
        while True:
            with unless_unavailable(_log, "cannot read on", room=self._room):
                return await self.read(after)
            await asyncio.sleep(READ_AGAIN)

    async def load(self) -> None:
        """Read the new decisions; from the start, if the log is another one. Raises `LogUnavailable`,
        `UnreadableEntry`."""
        try:
            try:
                decisions = await self.missing()
            except OtherLineage as error:
                await self._read_anew(error)
                return
            for start in range(0, len(decisions), FOLDED):
                self.apply(decisions[start : start + FOLDED])
                await asyncio.sleep(0)  # let other tasks run
        except UnreadableEntry as error:
            self._quarantine(error)
            raise

    async def _read_anew(self, why: OtherLineage) -> None:
        held = self.seq
        history, kept = await self.read_anew()
        if not history:
            self._log.witness.doubt(self._room)  # it may have expired, or been erased
            self.stop(GONE)
            return
        self._metrics.lineages += 1
        if kept < held:
            if self._log.witness.went_back(self._room, kept):
                self._metrics.rooms_back += 1
                self._metrics.decisions_lost += held - kept
            _log.error("room went back: it holds less than was acknowledged", room=self._room, held=held, kept=kept)
        else:
            _log.warning("room read anew", room=self._room, held=held, why=str(why))
        self._renewed(history)

    async def _catch_up(self) -> None:
        """Read the new decisions as soon as the log can be read. Until then, reject all commands."""
        while self.end is None:
            try:
                await self.load()
                return
            except UnreadableEntry:
                return
            except LogUnavailable as error:
                _log.debug("cannot read on", room=self._room, error=str(error))
                self._reject_all(unavailable(error))
            await asyncio.sleep(READ_AGAIN)

    def _quarantine(self, error: UnreadableEntry) -> None:
        """Stop this room alone, because its log can't be read."""
        if self.end is not None:
            return
        self._metrics.quarantined += 1
        _log.error("room quarantined", room=self._room, why=str(error))
        self.stop(NEWER if isinstance(error, NewerEntry) else DAMAGED)

    def stop(self, why: Rejection) -> None:
        """Reject all commands from now on: the log can't be used any more."""
        if self.end is None:
            self.end = why
            self._reject_all(why)
            self._ended(why)

    # -- tasks --

    def _occupy(self, work: Callable[[], Coroutine[Any, Any, object]]) -> None:
        """Await some work on the log. No command is decided meanwhile."""

        async def run() -> None:
            try:
                await work()
            finally:
                self._busy = False
            self._next()

        self._busy = True
        self.do(run())

    def do(self, work: Coroutine[Any, Any, None]) -> None:
        """Run a task of the room, until the room is closed; from then on, drop it."""
        if self.closed:
            work.close()
            return
        task = asyncio.get_running_loop().create_task(work, context=_NO_CONTEXT)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def close(self) -> None:
        """Stop everything, answer all that wait, and release the callbacks, so that a closed room is freed at once,
        without the cyclic garbage collector."""
        self.closed = True
        self._reject_all(CLOSED)
        self._settle()
        self._taken, self._renewed, self._ended = ignore, ignore, ignore
        for task in self._tasks:
            task.cancel()

    async def wait_closed(self) -> None:
        """Wait until all tasks have ended."""
        await asyncio.gather(*self._tasks, return_exceptions=True)


async def answer_of(submit: Callable[[Answer], None]) -> int | Rejection:
    """Submit a command, and wait for its answer. It comes even if the caller has been cancelled."""
    answered: asyncio.Future[int | Rejection] = asyncio.get_running_loop().create_future()

    def take(answer: int | Rejection) -> None:
        if not answered.done():
            answered.set_result(answer)

    submit(take)
    return await answered


def ignore(*_: object) -> None:
    """Replaces a callback once its owner is closed, to break the reference cycle. Takes answers that nobody needs."""
