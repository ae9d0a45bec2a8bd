"""The writer of a study: edits, judged by the engine."""

from collections.abc import Callable
from typing import Final

from fourfold.engine.match.events import Decision, Rejection
from fourfold.engine.study import Study, decide, evolve
from fourfold.engine.study.commands import Edit
from fourfold.engine.study.events import Created, Deleted, Event
from fourfold.server.clock import Clock
from fourfold.server.metrics import Metrics
from fourfold.server.rooms.log_writer import LogWriter, Taken
from fourfold.server.rooms.replica import History
from fourfold.server.rooms.retention import DAY
from fourfold.server.storage.event_log import EventLog

AFTERWARDS: Final = DAY
"""For how many milliseconds the log of a study is kept that was deleted: nobody opens it anew by an old command."""

GUEST: Final = 90 * DAY
"""For how many milliseconds the study of a guest is kept when nobody changes it, and no server reads it. As a game that
is played: a guest who does not come back cannot delete theirs."""

Kept = Callable[[str], int | None]
"""For how many milliseconds a player's studies are kept when nothing happens to them; None for good."""


class StudyWriter(LogWriter):
    """Judges the edits of one study. What an edit takes long to judge by is computed before: see
    `StudyRoom.prepare`."""

    def __init__(
        self,
        kept: Kept,
        room: str,
        log: EventLog,
        clock: Clock,
        metrics: Metrics,
        taken: Taken,
        renewed: Callable[[History], None],
        ended: Callable[[Rejection], None],
    ) -> None:
        """See `LogWriter`. (Each argument is named, since mypyc passes a star to `super` as one tuple.)"""
        super().__init__(room, log, clock, metrics, taken, renewed, ended)
        self._kept = kept

    def evolve(self, before: Study | None, decision: Decision) -> Study:
        """The study after a decision."""
        return evolve(before, decision)

    def decide(self, command: Edit, by: str, now: int) -> tuple[Event, ...] | Rejection:
        """What an edit leads to."""
        return decide(self.state, command, by, now)

    def keep(self, events: tuple[Event, ...]) -> int | None:
        """A study is kept until it is deleted, or its owner is a guest and has been away for long."""
        if isinstance(events[-1], Deleted):
            return AFTERWARDS
        first = events[0]
        return self._kept(first.owner if isinstance(first, Created) else self.state.owner)
