"""Within which distance of ratings seekers meet: each may name a range, which widens while they wait. Pure."""

from collections.abc import Collection, Mapping
from typing import Final, NamedTuple

from fourfold.server.ratings.standing import UNIT

WIDENS: Final = 5
"""By how many points a range widens in each second."""


class Range(NamedTuple):
    """So many points at first, since when it widens, and when it was noted last (milliseconds since 1970)."""

    points: int
    since: int
    noted: int

    def width(self, now: int) -> int:
        """How many points it has become."""
        return self.points + WIDENS * max(now - self.since, 0) // 1000


def may_meet(ranges: Mapping[str, Range], ratings: Mapping[str, int], players: Collection[str], now: int) -> bool:
    """Whether players may sit at one table: all who are with somebody who has a range are rated, and within it.
    `ratings` are in thousandths of a point."""
    for player, wanted in ranges.items():
        for other in players:
            if other == player:
                continue
            if player not in ratings or other not in ratings:
                return False
            if abs(ratings[player] - ratings[other]) > wanted.width(now) * UNIT:
                return False
    return True
