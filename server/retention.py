"""How long a room's log is kept when nothing more happens in it. Pure: the log's store counts the time."""

from dataclasses import dataclass
from typing import Final

from engine.match import State, Status
from engine.match.events import Event, Finished, Started

DAY: Final = 24 * 60 * 60 * 1000
"""Milliseconds."""

_LEADS_TO: Final = {Started: Status.PLAYING, Finished: Status.FINISHED}


@dataclass(frozen=True, slots=True)
class Retention:
    """Milliseconds for each part of a match's life; None keeps for good.

    A game with clocks ends by itself, so it is the untimed one that may be abandoned.
    """

    open: int | None = DAY
    playing: int | None = 90 * DAY
    finished: int | None = 30 * DAY

    def after(self, state: State | None, events: tuple[Event, ...]) -> int | None:
        """How long to keep the log after a decision of these events on a state (None: before the first)."""
        status = Status.OPEN if state is None else state.status
        for event in events:
            status = _LEADS_TO.get(type(event), status)
        if status is Status.PLAYING:
            return self.playing
        return self.open if status is Status.OPEN else self.finished


USUAL: Final = Retention()
