"""Who is missing from a room whose game has not begun: when their seat becomes free, and when the room is closed. Pure.

A seat becomes free when its player has been away for a while, sooner in a room of seekers. A room is closed when nobody
at all has been there for some minutes.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Self

from fourfold.engine.match import State
from fourfold.engine.match.commands import Close, Command, Stand
from fourfold.engine.match.decide import NOBODY
from fourfold.server import settings
from fourfold.server.rooms.retention import HOUR
from fourfold.server.settings import Settings

SEEKER: Final = 10_000
"""For how many milliseconds the seat of a seeker who is away is kept."""

LEAST: Final = 2_000
"""For how many milliseconds a seat is kept at least: a player who reloads the page is away for a moment."""

ABSENCE: Final = 1000 * settings.ABSENCE
"""After how many milliseconds away a player counts as absent, by default."""

DESERTED: Final = 1000 * settings.DESERTED
"""For how many milliseconds a room whose game has not begun is kept while nobody is there, by default."""

LOOK: Final = HOUR
"""After how many milliseconds a room is looked at again from which nobody is missing. It needs a deadline: that is how
another node finds the room when this one dies."""


@dataclass(frozen=True, slots=True)
class AwayLimits:
    """After how many milliseconds away a player counts as absent, and for how many a room whose game has not begun is
    kept while nobody is there (None: as long as its log)."""

    absence: int = ABSENCE
    deserted: int | None = DESERTED

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """As the settings say."""
        return cls(settings.absence * 1000, settings.deserted * 1000 or None)


USUAL: Final = AwayLimits()


@dataclass(frozen=True, slots=True)
class Vacancy:
    """Since when the players of seats are `away`, and since when the room is `empty` (None if somebody is here), in
    milliseconds since 1970."""

    state: State
    away: Mapping[int, int]
    empty: int | None
    limits: AwayLimits

    def __bool__(self) -> bool:
        """Whether something will be due if nobody comes."""
        return bool(self.away) or self._end() is not None

    def deadline(self, now: int) -> int:
        """When to call `due` next."""
        end = self._end()
        return min([*self._freed().values(), *([] if end is None else [end])], default=now + LOOK)

    def due(self, now: int) -> Iterator[tuple[Command, str]]:
        """The commands to be carried out now, and on whose behalf."""
        end = self._end()
        if end is not None and end <= now:
            yield Close(), NOBODY
            return
        for seat, time in self._freed().items():
            player = self.state.seats[seat].player
            if time <= now and player is not None:
                yield Stand(), player

    def _freed(self) -> dict[int, int]:
        kept = SEEKER if self.state.terms.seek else max(self.limits.absence, LEAST)
        return {seat: since + kept for seat, since in self.away.items()}

    def _end(self) -> int | None:
        kept = self.limits.deserted
        return None if self.empty is None or kept is None else self.empty + kept
