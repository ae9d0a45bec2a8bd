"""Rating queries' records, without SQLAlchemy. Ratings are in thousandths of a point, times in milliseconds since
1970."""

from typing import Final, NamedTuple

from fourfold.server.ratings.standing import UNIT, Standing

RECENT: Final = 90 * 86_400_000
"""Milliseconds after their last game for which players stay on a leaderboard."""

CERTAIN: Final = 110 * UNIT
"""The greatest deviation of players on a leaderboard, in thousandths of a point."""


class SeatChange(NamedTuple):
    """The rating change of a seat in a game: before, after, the deviation after it; and the expected and the actual
    score, in thousandths."""

    before: int
    after: int
    deviation: int
    expected: int
    scored: int


class Point(NamedTuple):
    """A rating and its deviation after a game, with the time of the game's end."""

    ended: int
    rating: int
    deviation: int


class Leader(NamedTuple):
    """An account on a leaderboard: its name and standing."""

    player: str
    name: str
    standing: Standing
