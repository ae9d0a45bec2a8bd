"""What happens to rooms that people have left: free seats, closed rooms, adjourned games. Pure.

Before the game, a seat becomes free when its player has been away for a while, sooner in a room of seekers. The room
closes when nobody has been there for some minutes.

An untimed game without any person is adjourned after some minutes, and leaves the lists. A player who comes back
resumes it. If nobody comes back, it is closed: with one person after a day, with several people shortly before the
store deletes it. The log has the deadline, so any server can act on it.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Self

from fourfold.engine.match import State, Status
from fourfold.engine.match.commands import Adjourn, Close, Command, Stand
from fourfold.engine.match.decide import NOBODY
from fourfold.server import settings
from fourfold.server.clock import DAY, HOUR
from fourfold.server.players.identity import is_bot
from fourfold.server.settings import Settings

SEEKER: Final = 10_000
"""Milliseconds for which an absent seeker keeps their seat."""

LEAST: Final = 2_000
"""Milliseconds for which any seat is kept at least. A page that reloads is away for a moment."""

ABSENCE: Final = 1000 * settings.ABSENCE
"""Milliseconds after which an away player of a fast game counts as absent, by default."""

DESERTED: Final = 1000 * settings.DESERTED
"""Milliseconds for which an empty room whose game has not begun is kept, by default."""

ADJOURNED: Final = 10 * 60 * 1000
"""Milliseconds without a move and without a person after which an untimed game is adjourned."""

LONE: Final = DAY
"""Milliseconds after which an adjourned game with one person is closed."""

SHARED: Final = 89 * DAY
"""The same with several people: a day before the store deletes it."""

LOOK: Final = HOUR
"""Milliseconds between checks of a room from which nobody is missing. It needs a deadline: that is how another node
finds the room when this one dies."""


@dataclass(frozen=True, slots=True)
class AwayLimits:
    """Milliseconds after which an away player of a fast game counts as absent, and for which an empty room whose game
    has not begun is kept (None: as long as its log)."""

    absence: int = ABSENCE
    deserted: int | None = DESERTED

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """The limits from the settings."""
        return cls(settings.absence * 1000, settings.deserted * 1000 or None)


USUAL: Final = AwayLimits()


@dataclass(frozen=True, slots=True)
class Vacancy:
    """Before the game: since when the players of seats are `away`, and since when the room is `empty` (None if somebody
    is here), in milliseconds since 1970."""

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
        """The commands to carry out now, and the player each is for."""
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


@dataclass(frozen=True, slots=True)
class Desertion:
    """In an untimed game: since when the room is `empty` of people (None: somebody is here), and when the last `outage`
    ended, in milliseconds since 1970."""

    state: State
    empty: int | None
    outage: int

    def __bool__(self) -> bool:
        """Whether something will be due that is not in the log."""
        return self.empty is not None and self.state.adjourned is None

    def deadline(self, now: int) -> int:
        """When to call `due` next."""
        due = self._due()
        return now + LOOK if due is None else due

    def due(self, now: int) -> Iterator[tuple[Command, str]]:
        """The commands to carry out now, and the player each is for."""
        due = self._due()
        if due is not None and due <= now:
            yield (Adjourn(now + self._kept()) if self.state.adjourned is None else Close()), NOBODY

    def _due(self) -> int | None:
        if self.empty is None:
            return None
        if self.state.adjourned is None:
            return max(self.empty, self.outage, self.state.at) + ADJOURNED
        return max(self.state.adjourned, self.outage + ADJOURNED)

    def _kept(self) -> int:
        seats = self.state.seats
        people = {seats[index].player for index in self.state.position.alive if not is_bot(seats[index].player or "")}
        return SHARED if len(people) > 1 else LONE


def missing(
    state: State,
    away: Callable[[State], Mapping[int, int]],
    empty: int | None,
    deserted: int | None,
    outage: int,
    limits: AwayLimits,
) -> Vacancy | Desertion | None:
    """The vacancy or desertion of a room; None if the clock decides its future, or nothing will happen."""
    match state.status:
        case Status.OPEN:
            return Vacancy(state, away(state), None if empty is None else max(empty, outage), limits)
        case Status.PLAYING if state.clocks is None:
            return Desertion(state, deserted, outage)
    return None
