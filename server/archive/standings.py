"""What is asked about ratings, as records without SQLAlchemy. Ratings are in thousandths of a point, times in
milliseconds since 1970."""

from typing import NamedTuple

from fourfold.server.ratings.fold import Standing


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
