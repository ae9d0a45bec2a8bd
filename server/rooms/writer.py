"""The writer of a game's room: match commands, decided by the engine.

Before each decision the writer adds two facts from outside the match: it gives back the time of an outage to the clock,
and adds the absent players to a proposal.
"""

from collections.abc import Callable

import structlog

from fourfold.engine.decisions import Decision, Rejection
from fourfold.engine.match import State, decide, evolve
from fourfold.engine.match.commands import Command, Credit, Move, Propose
from fourfold.engine.match.events import Credited, Event, Finished, Moved
from fourfold.server.clock import Clock
from fourfold.server.metrics import Metrics
from fourfold.server.replication.log_writer import LogWriter, Request, Taken
from fourfold.server.replication.rejections import unavailable
from fourfold.server.replication.replica import History
from fourfold.server.rooms.retention import TURNING, Retention
from fourfold.server.storage.event_log import EventLog, LogUnavailable

_log = structlog.get_logger(__name__)


class RoomWriter(LogWriter[State, Command]):
    """Decides the commands of one match."""

    def __init__(
        self,
        room: str,
        log: EventLog,
        clock: Clock,
        retention: Retention,
        metrics: Metrics,
        taken: Taken[State],
        renewed: Callable[[History[State]], None],
        ended: Callable[[Rejection], None],
        inform: Callable[[Propose], Propose],
    ) -> None:
        """`inform` returns a proposal with the absent players filled in. The other arguments are as in `LogWriter`."""
        super().__init__(room, log, clock, metrics, taken, renewed, ended)
        self._retention = retention
        self._inform = inform

    def evolve(self, before: State | None, decision: Decision) -> State:
        """The match after a decision."""
        return evolve(before, decision)

    def delayed(self, state: State) -> bool:
        """Whether watchers see the match late."""
        return state.terms.delay > 0

    def decide(self, command: Command, by: str, now: int) -> tuple[Event, ...] | Rejection:
        """The events of a command, or a rejection."""
        return decide(self.state, command, by, now)

    def keep(self, events: tuple[Event, ...]) -> int | None:
        """How long to keep the log, by the retention rules."""
        state = self.state
        if state is None or not TURNING.isdisjoint(map(type, events)):
            return self._retention.after(state, events)
        return self._retention.during[state.status]

    def made(self, decision: Decision) -> None:
        """Count a decision of this node."""
        kind = type(decision.events[0])
        if kind is Moved:
            self._metrics.moves += 1
        elif kind is Credited:
            self._metrics.credits += 1
        last = decision.events[-1]
        if isinstance(last, Finished):
            _log.info("game over", room=self._room, how=last.outcome.termination.value)

    def is_dated(self, command: Command) -> bool:
        """Whether it is a move: that names the position it is for."""
        return type(command) is Move

    def ready(self, request: Request[Command]) -> bool:
        """Whether a request may be decided now: see `LogWriter.ready`."""
        command = request.command
        return self._know_outages(request) and (type(command) is not Propose or self._know_absent(request, command))

    def _know_outages(self, request: Request[Command]) -> bool:
        """While a clock runs, returns False if something comes before the request: asking the store about outages, or
        giving the player the time of an outage back."""
        state, log = self.state, self._log
        if state is None or state.clocks is None or state.clocks.since is None:
            return True
        if not (request.sure or log.certain):
            request.sure = True
            self._occupy(self._ask_for_outages)
            return False
        outages, known = log.outages(), max(state.clocks.since, state.credited)
        if not outages or outages[-1].end <= known or type(request.command) is Credit:
            return True
        owed = next(outage for outage in outages if outage.end > known)
        command = Credit(owed.start, owed.end)
        self._queue.insert(0, Request(command, "", self.own_key(), self._credited, sure=True))
        return False

    async def _ask_for_outages(self) -> None:
        try:
            await self._log.beat()
        except LogUnavailable as error:
            self._reject_all(unavailable(error))

    def _credited(self, answer: int | Rejection) -> None:
        """If the time can't be given back now, the next command can't be decided either."""
        if isinstance(answer, Rejection) and self._queue:
            self._answer(self._queue[0], answer)

    def _know_absent(self, request: Request[Command], command: Propose) -> bool:
        """Fill in the absent players of a proposal. Returns False if the store must first be asked about outages: an
        outage never counts as absence."""
        command, now = self._inform(command), self._clock()
        request.command = command
        if request.sure or all(at > now for at in command.absent.values()):
            return True
        request.sure = True
        self._occupy(self._ask_for_outages)
        return False

    def close(self) -> None:
        """Stop everything, and release the room."""
        super().close()
        self._inform = _uninformed


def _uninformed(command: Propose) -> Propose:
    """Replaces the callback of the room once the writer is closed."""
    return command
