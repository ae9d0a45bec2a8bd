"""What this node holds of one room's log: the match folded from it, and the one writer of it here.

Commands wait in one queue and are judged one at a time: decide, append, and only when the log has
taken the events: evolve, acknowledge, hand on. Other nodes write to the same log; whatever comes
from there, and whatever we missed, takes the same way in: `apply`.

It knows nobody who follows the room: what it takes it hands on, once and in order.
"""

import asyncio
import itertools
import math
import secrets
from collections import deque
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from contextvars import Context
from dataclasses import dataclass, replace
from functools import partial
from time import perf_counter
from typing import Any, Final

import structlog

from fourfold.engine.match import State, decide, evolve
from fourfold.engine.match.commands import Command, Credit, Move, Propose
from fourfold.engine.match.events import Decision, Finished, Moved, Rejection, refused
from fourfold.server.clock import Clock
from fourfold.server.metrics import Metrics
from fourfold.server.rooms.keys import Keys
from fourfold.server.rooms.retention import Retention
from fourfold.server.storage.event_log import (
    AppendConflict,
    AppendRequest,
    DamagedEntry,
    EventLog,
    LogUnavailable,
    NewerEntry,
    OtherLineage,
    Outage,
    Read,
    UnreadableEntry,
)
from fourfold.server.storage.records import BEGINNING

LINEAGES: Final = 16
"""How many of the latest lineages are held: a doorbell about one of these may be late, or tell of another log."""

FOLDED: Final = 200
"""How many decisions that were read are taken in one turn of the event loop: some milliseconds' work."""

READ_AGAIN: Final = 0.3
"""Seconds between attempts to read on from a store that is away."""

UNAVAILABLE: Final = 1000
"""Milliseconds after which what the store was away for may be asked again."""

GONE: Final = refused("no_such_room", "This room's time is over; it is no longer kept.")

DAMAGED: Final = refused("damaged", "This room's log is damaged, and its game can't go on. Tell who runs the server.")

NEWER: Final = refused("newer", "A newer version of this server wrote this room's log. Connect again, or try later.")

FAILED: Final = refused("failed", "The server has failed to judge this. It is not carried out; the game goes on.")

_log = structlog.get_logger(__name__)
_NOBODYS: Final = Context()
"""What a room does by itself is not logged as done by the player who happened to set it off."""
_own_keys = (f"node.{secrets.token_hex(6)}.{n}" for n in itertools.count())


@dataclass(frozen=True, slots=True)
class Accepted:
    """A command was carried out: at version `seq`, now in the log."""

    seq: int


Answer = Callable[[Accepted | Rejection], None]

Taken = Callable[[Decision, State | None, State, bool], None]
"""Given a decision of the log, the state before and after it, and whether it was made here."""


@dataclass(eq=False, slots=True)
class _Ask:
    """A command in the queue, who asks, under which key, and whom to answer; `sure`: whether all outages before it are
    known."""

    command: Command
    by: str
    key: str
    answer: Answer
    sure: bool = False


class RoomWriter:
    """See the module. `state` is None until the room's first decision."""

    def __init__(
        self,
        room: str,
        log: EventLog,
        clock: Clock,
        retention: Retention,
        metrics: Metrics,
        taken: Taken,
        renewed: Callable[[Sequence[tuple[Decision, State]]], None],
        ended: Callable[[Rejection], None],
        absent: Callable[[], Mapping[int, int]],
    ) -> None:
        """`renewed` is called when the log was found to be another than was held, and read anew: with its decisions and
        the states they lead to, all of them if watchers see the room late, else the latest. `ended` is called with the
        reason when nothing can be done with the log any more. `absent` says who is, for a proposal."""
        self.state: State | None = None
        self.end: Rejection | None = None
        """Why nothing can be done here any more: the log's time is over, or it can't be read."""
        self.closed = False
        self._room = room
        self._log = log
        self._clock = clock
        self._retention = retention
        self._metrics = metrics
        self._taken = taken
        self._renewed = renewed
        self._ended = ended
        self._absent = absent
        self._queue: deque[_Ask] = deque()
        self._busy = False
        self._heard = 0.0
        self._keys = Keys()
        self._lineages: deque[bytes] = deque(maxlen=LINEAGES)  # of the latest entries
        self._tasks: set[asyncio.Task[None]] = set()
        self._judged = self._handed_on = 0.0  # when the decision now being appended was begun, and when made
        self._settled: asyncio.Future[None] | None = None  # that somebody waits for

    @property
    def seq(self) -> int:
        """The version held here."""
        return 0 if self.state is None else self.state.seq

    @property
    def gone(self) -> bool:
        """Whether nothing can be done here any more."""
        return self.end is not None

    @property
    def lineage(self) -> bytes:
        """The lineage held here."""
        return self._lineages[-1] if self._lineages else BEGINNING

    @property
    def busy(self) -> bool:
        """Whether a command waits, or the log is being written or read."""
        return self._busy or bool(self._queue)

    # -- the writer --

    def submit(self, command: Command, by: str, answer: Answer, key: str = "") -> None:
        """Judge a command in its turn and answer it: once it is kept, or with the reason why not.

        `by` is the player's id; `key` the client's own for this command, empty where it has none.
        """
        if self.end is not None:
            answer(self.end)
            return
        self._queue.append(_Ask(command, by, key or next(_own_keys), answer))
        self._next()

    async def settled(self) -> None:
        """Wait until every command there is has been answered."""
        while self._queue or self._busy:
            self._settled = self._settled or asyncio.get_running_loop().create_future()
            await self._settled

    def _next(self) -> None:
        if self._heard > self.seq and not self._busy:
            self._heard = 0.0
            self._occupy(self._catch_up)
        while self._queue and not self._busy:
            ask = self._queue[0]
            owed = self._owed()
            if owed is not None and type(ask.command) is not Credit:
                ask = _Ask(Credit(owed.start, owed.end), "", next(_own_keys), self._credited)
                self._queue.appendleft(ask)
            # A move says on which position: one that was made already is refused as stale, and only then looked for.
            if type(ask.command) is not Move and self._answer_again(ask):
                continue
            if type(ask.command) is Propose and not self._tell_absent(ask, ask.command):
                continue
            judged = perf_counter()
            try:
                verdict = decide(self.state, ask.command, ask.by, self._clock())
            except Exception:  # noqa: BLE001 - a fault of ours: it shall not keep everybody else from playing on
                _log.exception("a command failed", room=self._room, command=ask.command)
                self._answer(ask, FAILED)
                continue
            if isinstance(verdict, Rejection):
                if self._answer_again(ask):
                    continue
                if self.state is None:
                    self._answer(ask, verdict)
                else:
                    self._occupy(partial(self._reconsider, ask, verdict))
            elif not verdict:
                self._answer(ask, Accepted(self.seq))
            else:
                self._busy = True
                self._judged, self._handed_on = judged, perf_counter()
                keep = self._retention.after(self.state, verdict)
                append = AppendRequest(self._room, self.seq, ask.by, ask.key, verdict, keep, self.lineage)
                future = self._log.append(append)
                future.add_done_callback(partial(self._appended, ask), context=_NOBODYS)
        if self._settled is not None and not self._busy:
            self._settled.set_result(None)
            self._settled = None

    def _owed(self) -> Outage | None:
        """The first outage that the player whose clock runs has not been given back. Nothing is judged before it is."""
        state, outages = self.state, self._log.outages()
        if not outages or state is None or state.clocks is None or state.clocks.since is None:
            return None
        known = max(state.clocks.since, state.credited)
        return next((outage for outage in outages if outage.end > known), None) if outages[-1].end > known else None

    def _credited(self, answer: Accepted | Rejection) -> None:
        """If time can't be given back now, the command that comes next can't be judged either."""
        if isinstance(answer, Rejection) and self._queue:
            self._answer(self._queue[0], answer)

    def _answer(self, ask: _Ask, answer: Accepted | Rejection) -> None:
        """Answer the first command, unless it has been answered: what is read meanwhile may have told the same."""
        if self._queue and self._queue[0] is ask:
            self._queue.popleft()
            ask.answer(answer)

    def _tell_absent(self, ask: _Ask, command: Propose) -> bool:
        """Have a proposal know who is absent. False if the store must be asked first whether it was away: what nobody
        could do meanwhile is held against nobody."""
        absent, now = self._absent(), self._clock()
        ask.command = replace(command, absent=absent)
        if ask.sure or all(at > now for at in absent.values()):
            return True
        ask.sure = True
        self._occupy(self._log.steady)
        return False

    def _answer_again(self, ask: _Ask) -> bool:
        """Give a command that was carried out before, and has come again, its first answer; whether it was."""
        seq = self._keys.find(ask.by, ask.key)
        if seq is not None:
            self._answer(ask, Accepted(seq))
        return seq is not None

    def _refuse_all(self, rejection: Rejection) -> None:
        while self._queue:
            self._queue.popleft().answer(rejection)

    def _appended(self, ask: _Ask, future: "asyncio.Future[Decision]") -> None:
        self._busy = False
        error = future.exception()
        if error is None:
            decision, metrics = future.result(), self._metrics
            metrics.append.observe(perf_counter() - self._handed_on)
            try:
                self.apply((decision,))
            except UnreadableEntry as fault:
                self._quarantine(fault)
                return
            metrics.decision.observe(perf_counter() - self._judged)
            metrics.moves += type(decision.events[0]) is Moved
            last = decision.events[-1]
            if isinstance(last, Finished):
                _log.info("game over", room=self._room, how=last.outcome.termination.value)
            self._next()
        elif isinstance(error, AppendConflict):
            self._metrics.conflicts += 1
            self._occupy(self._catch_up)  # then the same command is judged again
        elif isinstance(error, LogUnavailable):
            self._answer(ask, _unavailable(error))
            self._next()
        else:
            raise error

    async def _reconsider(self, ask: _Ask, verdict: Rejection) -> None:
        """Refuse only what the log refuses as it is now: other nodes may have written what is still unheard here."""
        seq = self.seq
        await self._catch_up()
        if self.seq == seq:  # else it is answered, or judged again
            self._answer(ask, verdict)

    def _occupy(self, work: Callable[[], Coroutine[Any, Any, object]]) -> None:
        """Do some reading while no command is judged."""

        async def run() -> None:
            try:
                await work()
            finally:
                self._busy = False
            self._next()

        self._busy = True
        self.do(run())

    # -- what comes in from the log --

    def apply(self, decisions: Iterable[Decision]) -> None:
        """Take decisions of the log, in order; those already held are passed over.

        The one way in: for this node's own appends, for the doorbell and for catching up. Raises `DamagedEntry`.
        """
        for decision in decisions:
            if decision.seq <= self.seq:
                continue
            assert decision.seq == self.seq + 1  # callers close gaps by reading
            before = self.state
            self.state = after = _evolve(before, decision)
            self._lineages.append(decision.lineage)
            self._keys.add(decision.by, decision.key)
            first = self._queue[0] if self._queue else None
            ours = first is not None and (first.by, first.key) == (decision.by, decision.key)
            if first is not None and ours:
                self._answer(first, Accepted(decision.seq))
            self._taken(decision, before, after, ours)

    def ring(self, seq: int, read: Read) -> None:
        """The doorbell. While busy we only note what it said: our own append's answer may tell the same, and first."""
        if self.closed or self.gone:
            return
        if seq <= self.seq:
            if read.lineage is not None and not self._held(seq, read.lineage):
                self.hear(math.inf)
        elif self._busy:
            self._heard = max(self._heard, seq)
        elif seq == self.seq + 1:
            try:
                self.apply((read(self.lineage),))
            except (LogUnavailable, OtherLineage):
                self._occupy(self._catch_up)
            except UnreadableEntry as error:
                self._quarantine(error)
        else:
            self._occupy(self._catch_up)

    def _held(self, seq: int, lineage: bytes) -> bool:
        """Whether entry `seq`, which is held, is known to be of a lineage."""
        ago = self.seq - seq
        return ago < len(self._lineages) and self._lineages[-1 - ago] in (lineage, BEGINNING)

    def hear(self, seq: float) -> None:
        """Word that the log may have come to version `seq` (`math.inf`: that nobody knows): read on, if so."""
        self._heard = max(self._heard, seq)
        self._next()

    def look(self) -> None:
        """Read on soon: the log may have grown, or may have become another."""
        self.hear(math.inf)

    async def read(self, after: int = 0, decided: int | None = None) -> list[Decision]:
        """All decisions after version `after`; with `decided`, only if that version was decided at this time.

        Raises `LogUnavailable`, or `OtherLineage` if that version was decided at another time.
        """
        if decided is None or after == 0:
            return await self._log.read(self._room, after)
        found = await self._log.read(self._room, after - 1)
        if not found or found[0].at != decided:
            raise OtherLineage(f"Version {after} of this room is another now.")
        return found[1:]

    async def read_on(self, after: int) -> list[Decision]:
        """All decisions after version `after`, as soon as the log can be read."""
        while True:
            try:
                return await self.read(after)
            except LogUnavailable as error:
                _log.debug("cannot read on", room=self._room, error=str(error))
            await asyncio.sleep(READ_AGAIN)

    async def load(self) -> None:
        """Read on; from the start, if the log is another than was held. Raises `LogUnavailable`, `UnreadableEntry`."""
        try:
            try:
                decisions = await self._log.read(self._room, self.seq, self.lineage or None)
            except OtherLineage as error:
                await self._read_anew(error)
                return
            for start in range(0, len(decisions), FOLDED):
                self.apply(decisions[start : start + FOLDED])
                await asyncio.sleep(0)  # others have their turn
        except UnreadableEntry as error:
            self._quarantine(error)
            raise

    async def _read_anew(self, why: OtherLineage) -> None:
        """What is held was lost by the store: hold what there is instead, which others may have played on."""
        while True:
            before = self.state
            decisions = await self._log.read(self._room)
            if not decisions:
                self._stop(GONE)
                return
            state: State | None = None
            history: list[tuple[Decision, State]] = []
            for number, decision in enumerate(decisions, 1):
                state = _evolve(state, decision)
                if not state.terms.delay:
                    history.clear()
                history.append((decision, state))
                if number % FOLDED == 0:
                    await asyncio.sleep(0)  # others have their turn
            if self.state is before:
                break
        assert state is not None  # there are decisions
        self._metrics.lineages += 1
        _log.warning("room read anew", room=self._room, held=self.seq, kept=state.seq, why=str(why))
        self.state = state
        self._lineages.clear()
        self._lineages.extend(decision.lineage for decision in decisions[-LINEAGES:])
        self._keys = Keys()
        for decision in decisions:
            self._keys.add(decision.by, decision.key)
        self._renewed(history)

    async def _catch_up(self) -> None:
        """Read on, as soon as the log can be read."""
        while not self.gone:
            try:
                await self.load()
                return
            except UnreadableEntry:
                return
            except LogUnavailable as error:
                _log.debug("cannot read on", room=self._room, error=str(error))
                self._refuse_all(_unavailable(error))
            await asyncio.sleep(READ_AGAIN)

    def _quarantine(self, error: UnreadableEntry) -> None:
        """Nobody can say how this game stands: whoever asks is told so, and other rooms go on."""
        if self.gone:
            return
        self._metrics.quarantined += 1
        _log.error("room quarantined", room=self._room, why=str(error))
        self._stop(NEWER if isinstance(error, NewerEntry) else DAMAGED)

    def _stop(self, why: Rejection) -> None:
        if self.end is None:
            self.end = why
            self._refuse_all(why)
            self._ended(why)

    def do(self, work: Coroutine[Any, Any, None]) -> None:
        """Do some work of the room's own, until it is closed."""
        task = asyncio.get_running_loop().create_task(work, context=_NOBODYS)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def close(self) -> None:
        """Take and do nothing any more; the log keeps what was. Whoever was handed things on to is let go."""
        self.closed = True
        self._taken, self._renewed, self._ended = _let_go, _let_go, _let_go
        self._absent = dict
        for task in self._tasks:
            task.cancel()

    async def wait_closed(self) -> None:
        """Wait until what was being done has ended."""
        await asyncio.gather(*self._tasks, return_exceptions=True)


def _let_go(*_: object) -> None:
    """Instead of whom a closed ledger told: what nobody holds any more is freed at once, not when cycles are sought."""


def _evolve(state: State | None, decision: Decision) -> State:
    """The state after a decision. Raises `DamagedEntry` if that can't have been taken."""
    try:
        return evolve(state, decision)
    except Exception as error:  # whatever a decision does that nobody took
        raise DamagedEntry(decision.seq, f"it cannot have happened ({error!r})") from error


def _unavailable(error: LogUnavailable) -> Rejection:
    return refused("unavailable", f"{error} Send the command again with the same key.", UNAVAILABLE)
