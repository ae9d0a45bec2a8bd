"""Rooms whose game has not begun, and who has left them: when a seat is free again, and when a room is closed. Pure.

A seat is free again when its player has been away for a while, and sooner where strangers wait for each other. A
room ends when for some minutes nobody at all has been there. Who is there is told by others.
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
"""How many milliseconds the seat of somebody is kept who seeks a game."""

LEAST: Final = 2_000
"""How many milliseconds a seat is kept at least: who loads a page anew is away for a moment."""

ABSENCE: Final = 1000 * settings.ABSENCE
"""After how many milliseconds away a player counts as absent, by default."""

DESERTED: Final = 1000 * settings.DESERTED
"""How many milliseconds a room that has not begun is kept while nobody is there, by default."""

LOOK: Final = HOUR
"""After how many milliseconds a room is looked at again from which nobody is missing. It has a deadline all the same:
by that another node finds it when this one dies, with all who were in it."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How many milliseconds somebody is away before that counts as absence, and how many a room that has not begun is
    kept while nobody is there (None: as long as its log)."""

    absence: int = ABSENCE
    deserted: int | None = DESERTED

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """As the settings say."""
        return cls(settings.absence * 1000, settings.deserted * 1000 or None)


USUAL: Final = Patience()


@dataclass(frozen=True, slots=True)
class Vacancy:
    """Who is missing from a room that has not begun: players (`away`, by seat) and everybody (`empty`), with the moment
    from which that is counted (ms since 1970)."""

    state: State
    away: Mapping[int, int]
    empty: int | None
    patience: Patience

    def __bool__(self) -> bool:
        """Whether something comes of it, unless somebody comes."""
        return bool(self.away) or self._end() is not None

    def deadline(self, now: int) -> int:
        """When next to look what is due."""
        end = self._end()
        return min([*self._freed().values(), *([] if end is None else [end])], default=now + LOOK)

    def due(self, now: int) -> Iterator[tuple[Command, str]]:
        """What is to be done, and on whose behalf."""
        end = self._end()
        if end is not None and end <= now:
            yield Close(), NOBODY
            return
        for seat, time in self._freed().items():
            player = self.state.seats[seat].player
            if time <= now and player is not None:
                yield Stand(), player

    def _freed(self) -> dict[int, int]:
        kept = SEEKER if self.state.terms.seek else max(self.patience.absence, LEAST)
        return {seat: since + kept for seat, since in self.away.items()}

    def _end(self) -> int | None:
        kept = self.patience.deserted
        return None if self.empty is None or kept is None else self.empty + kept
