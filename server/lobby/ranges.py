"""Rating ranges of seekers: a seeker may name one, and it widens while they wait. Pure."""

from collections.abc import Collection, Mapping
from typing import Final, NamedTuple

from fourfold.server.ratings.standing import UNIT

WIDENS: Final = 5
"""Points by which a range widens per second."""


class Range(NamedTuple):
    """The points at first, since when it widens, and when it was stored last (milliseconds since 1970)."""

    points: int
    since: int
    noted: int

    def width(self, now: int) -> int:
        """The current width in points."""
        return self.points + WIDENS * max(now - self.since, 0) // 1000


def may_meet(ranges: Mapping[str, Range], ratings: Mapping[str, int], players: Collection[str], now: int) -> bool:
    """Whether players may sit at one table: everybody at a table with a ranged player must be rated, and within the
    range. `ratings` are in thousandths of a point."""
    for player, wanted in ranges.items():
        for other in players:
            if other == player:
                continue
            if player not in ratings or other not in ratings:
                return False
            if abs(ratings[player] - ratings[other]) > wanted.width(now) * UNIT:
                return False
    return True
