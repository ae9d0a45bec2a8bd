"""The writer of a study: edits, decided by the engine."""

from collections.abc import Callable
from typing import Final

from fourfold.engine.decisions import Decision, Rejection
from fourfold.engine.study import Study, decide, evolve
from fourfold.engine.study.commands import Edit
from fourfold.engine.study.events import Created, Deleted, Event
from fourfold.server.clock import DAY, Clock
from fourfold.server.metrics import Metrics
from fourfold.server.replication.log_writer import LogWriter, Taken
from fourfold.server.replication.replica import History
from fourfold.server.storage.event_log import EventLog

AFTERWARDS: Final = DAY
"""Milliseconds for which the log of a deleted study is kept, so that a late command can't open it again."""

GUEST: Final = 90 * DAY
"""Milliseconds for which the study of a guest is kept without edits and without being loaded: as long as a running
game. A guest who does not come back can't delete theirs."""

Kept = Callable[[str], int | None]
"""Returns the milliseconds for which a player's idle studies are kept; None for ever."""


class StudyWriter(LogWriter[Study, Edit]):
    """Decides the edits of one study. Slow computations for an edit run earlier: see `StudyRoom.prepare`."""

    def __init__(
        self,
        kept: Kept,
        room: str,
        log: EventLog,
        clock: Clock,
        metrics: Metrics,
        taken: Taken[Study],
        renewed: Callable[[History[Study]], None],
        ended: Callable[[Rejection], None],
    ) -> None:
        """See `LogWriter`. (Each argument is named, because mypyc passes a star to `super` as one tuple.)"""
        super().__init__(room, log, clock, metrics, taken, renewed, ended)
        self._kept = kept

    def evolve(self, before: Study | None, decision: Decision) -> Study:
        """The study after a decision."""
        return evolve(before, decision)

    def decide(self, command: Edit, by: str, now: int) -> tuple[Event, ...] | Rejection:
        """The events of an edit, or a rejection."""
        return decide(self.state, command, by, now)

    def keep(self, events: tuple[Event, ...]) -> int | None:
        """A study is kept until it is deleted, or until its owner, a guest, has been away for long."""
        if isinstance(events[-1], Deleted):
            return AFTERWARDS
        first = events[0]
        if isinstance(first, Created):
            return self._kept(first.owner)
        assert self.state is not None  # only `Created` comes first
        return self._kept(self.state.owner)
