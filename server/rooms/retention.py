"""How long a room's log is kept after its last event. Pure: the store counts the time."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Self

from fourfold.engine.match import State, Status
from fourfold.engine.match.decide import NOBODY
from fourfold.engine.match.events import Event, Finished, Started
from fourfold.server.clock import DAY, HOUR
from fourfold.server.settings import Settings

_LEADS_TO: Final = {Started: Status.PLAYING, Finished: Status.FINISHED}

TURNING: Final = frozenset(_LEADS_TO)
"""The events that begin or end a game, and so change how long its log is kept."""


@dataclass(frozen=True, slots=True)
class Retention:
    """How long logs are kept, in milliseconds for each status of a match; None keeps the log for ever.

    The log of a room that was `closed` before its game began is kept only until its followers have the news. So is
    the log of a game that the service itself had computers play.
    """

    open: int | None = DAY
    closed: int | None = HOUR
    playing: int | None = 90 * DAY
    finished: int | None = 30 * DAY
    during: Mapping[Status, int | None] = field(init=False)
    """How long the log is kept after a decision that neither begins nor ends a game."""

    def __post_init__(self) -> None:
        kept = {Status.OPEN: self.open, Status.PLAYING: self.playing, Status.FINISHED: self.finished}
        object.__setattr__(self, "during", kept)

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """The retention from the settings."""
        in_store = 0 if settings.archive_after else settings.retention_days  # else the archive deletes them
        return cls(finished=in_store * DAY or None)

    def after(self, state: State | None, events: tuple[Event, ...]) -> int | None:
        """How long to keep the log after these events, decided on a state (None before the first decision)."""
        before = status = Status.OPEN if state is None else state.status
        for event in events:
            status = _LEADS_TO.get(type(event), status)
        if status is Status.FINISHED and (before is Status.OPEN or (state is not None and state.host == NOBODY)):
            return self.closed
        return self.during[status]


USUAL: Final = Retention()
