"""The writer of a study: edits, judged by the engine."""

from typing import Final

from fourfold.engine.match.events import Decision, Rejection
from fourfold.engine.study import Study, decide, evolve
from fourfold.engine.study.commands import Edit
from fourfold.engine.study.events import Deleted, Event
from fourfold.server.rooms.log_writer import LogWriter
from fourfold.server.rooms.retention import DAY

AFTERWARDS: Final = DAY
"""For how many milliseconds the log of a study is kept that was deleted: nobody opens it anew by an old command."""


class StudyWriter(LogWriter):
    """Judges the edits of one study. What an edit takes long to judge by is computed before: see
    `StudyRoom.prepare`."""

    def evolve(self, before: Study | None, decision: Decision) -> Study:
        """The study after a decision."""
        return evolve(before, decision)

    def decide(self, command: Edit, by: str, now: int) -> tuple[Event, ...] | Rejection:
        """What an edit leads to."""
        return decide(self.state, command, by, now)

    def keep(self, events: tuple[Event, ...]) -> int | None:
        """A study is kept until it is deleted."""
        return AFTERWARDS if isinstance(events[-1], Deleted) else None
