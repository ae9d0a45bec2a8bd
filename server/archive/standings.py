"""What is asked about ratings, as records without SQLAlchemy. Ratings are in thousandths of a point, times in
milliseconds since 1970."""

from typing import Final, NamedTuple

from fourfold.server.ratings.standing import UNIT, Standing

RECENT: Final = 90 * 86_400_000
"""For how many milliseconds after their last game players are on a leaderboard."""

CERTAIN: Final = 110 * UNIT
"""With which deviation, at most, they are (thousandths of a point)."""


class SeatChange(NamedTuple):
    """What a game did to a seat's rating: before, after, the deviation after it; and the score that was expected, and
    that was made, in thousandths."""

    before: int
    after: int
    deviation: int
    expected: int
    scored: int


class Point(NamedTuple):
    """A rating, and its deviation, after a game that ended then."""

    ended: int
    rating: int
    deviation: int


class Leader(NamedTuple):
    """An account, its name, and how it stands."""

    player: str
    name: str
    standing: Standing
