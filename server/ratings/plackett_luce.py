"""Plackett-Luce for games of more than two players and for teams, as in openskill: from the order in which they finish.
Tied sides share a place. Pure.

openskill's scale of 25 ± 25/3 is stretched to that of `scale`: one of its points is 42 of ours. Its `beta`, the amount
of chance in a game, is chosen for certain ratings: 400 points mean odds of ten to one between two players, and between
two teams whose players differ by as much. Its `gamma`, which would slow the shrinking of deviations, is 1: for players
of known strength, expected scores are then nearest to actual scores.
"""

import math
from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

from openskill.models import PlackettLuce

from fourfold.server.ratings.scale import LOGIT, START, UNKNOWN

DRIFT: Final = 0.06 * LOGIT
"""By how many points strength changes in a rating period: as for a new player in Glicko-2."""


class Rating(NamedTuple):
    """A player's rating, and its deviation."""

    rating: float = START
    deviation: float = UNKNOWN


Sides = Sequence[Sequence[Rating]]
"""The players of each side: of each team, or one on each."""


def expected(sides: Sides) -> list[float]:
    """The expected score of each side: the share of the other sides that it finishes before."""
    scale = _scale(sides)
    strengths = [math.exp(sum(player.rating - START for player in side) / scale) for side in sides]
    return [
        sum(one / (one + other) for place, other in enumerate(strengths) if place != index) / (len(sides) - 1)
        for index, one in enumerate(strengths)
    ]


def scored(places: Sequence[int]) -> list[float]:
    """The score of each side by its place (1 the first): the share of the others before which it finished. A tied side
    counts half."""
    others = len(places) - 1
    return [
        (sum(place < other for other in places) + (sum(place == other for other in places) - 1) / 2) / others
        for place in places
    ]


def rate(sides: Sides, places: Sequence[int]) -> list[list[Rating]]:
    """All players' ratings after a game in which the sides came to these places (1 the first)."""
    model = _model(len(sides), len(sides[0]))
    teams = [[model.rating(mu=player.rating, sigma=player.deviation) for player in side] for side in sides]
    rated = model.rate(teams, ranks=[float(place) for place in places])
    return [[Rating(player.mu, player.sigma) for player in side] for side in rated]


def _scale(sides: Sides) -> float:
    """The rating difference of sides, in points, at odds of e to one, given their uncertainty: the model's c."""
    beta = _beta(len(sides), len(sides[0]))
    return math.sqrt(sum(beta**2 + sum(player.deviation**2 for player in side) for side in sides))


def _beta(sides: int, size: int) -> float:
    return LOGIT * size / math.sqrt(sides)


@cache
def _model(sides: int, size: int) -> PlackettLuce:
    return PlackettLuce(mu=START, sigma=UNKNOWN, beta=_beta(sides, size), gamma=_undamped, tau=0.0)


def _undamped(*_: object) -> float:
    return 1.0
