"""The likeliest ratings of players, and their errors. Pure functions of rounds.

The model is Bradley and Terry's for two sides. Among four without teams it is the first choice of Plackett and Luce:
each seat wins the table in proportion to its player's strength. So k of n seats have k/n of the chances against equal
players, and both models are one: the logistic curve of `share_at`. A draw counts as half a win, and a shared first
place as its share. Hunter, "MM algorithms for generalized Bradley-Terry models" (The Annals of Statistics 32, 2004),
has both models. Newton's method finds the maximum: the likelihood has only one.

The likelihood is Firth's, "Bias reduction of maximum likelihood estimates" (Biometrika 80, 1993). It is as if one game
for each player but one, half won and half lost, were added where the ratings depend on it most. It gives a finite
rating to a player who has won every game.

The errors do not trust the model's spread: draws narrow it, and the games of one opening depend on each other. They are
those of the "sandwich" with rounds as its clusters: Liang and Zeger, "Longitudinal data analysis using generalized
linear models" (Biometrika 73, 1986).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from operator import mul
from typing import Final, TypeAlias

from fourfold.clients.bots.arena.statistics import CONFIDENCE, share_at

AVERAGE: Final = 1500.0
"""The mean rating of a list without an anchor."""

_SLOPE: Final = math.log(10) / 400
"""Elo's scale as that of the natural logarithm."""

_WIDE: Final = 1e4
"""A standard deviation of ratings before any game, in Elo. It only matters between players without common opponents."""

_TIED: Final = 1e-5
"""Information about the mean of all ratings, which games do not have: any amount fixes the mean at 0."""

_LEAST: Final = 1e-12
"""The least share whose logarithm is taken."""

_STEPS: Final = 200
_LONGEST: Final = 400.0
"""The most Elo by which a step of Newton's method changes a rating."""

_PRECISE: Final = 1e-6
"""Elo by which the last step changes no rating."""

_Matrix: TypeAlias = list[list[float]]


@dataclass(frozen=True, slots=True)
class Round:
    """The games of one opening between two players: the points of the first, and its share if both were equal."""

    players: tuple[str, str]
    points: float
    games: int
    expected: float


@dataclass(frozen=True, slots=True)
class Rating:
    """A rating, and the half-width of its 95 % interval. The error is that of the distance to the list's mean."""

    value: float
    error: float


def fit(rounds: Sequence[Round], anchor: tuple[str, float] | None = None) -> dict[str, Rating]:
    """The rating of each player in rounds.

    The `anchor` is a player and its rating; without one, or if it has not played, the mean is `AVERAGE`. The errors are
    the same either way.
    """
    model = _Model(rounds)
    values = model.likeliest()
    found = dict(zip(model.names, map(Rating, values, model.errors(values)), strict=True))
    shift = AVERAGE
    if anchor is not None and anchor[0] in found:
        shift = anchor[1] - found[anchor[0]].value
    return {name: Rating(rating.value + shift, rating.error) for name, rating in found.items()}


@dataclass(frozen=True, slots=True)
class _Match:
    """All games between two players, by their places in the list of names, with the same expectation."""

    first: int
    second: int
    expected: float
    points: float
    games: int

    def share(self, values: Sequence[float]) -> float:
        """The first player's likely share of the points."""
        return share_at(values[self.first] - values[self.second], self.expected)

    def weight(self, share: float) -> float:
        """The information about the difference of the two ratings, at this likely share."""
        return _SLOPE**2 * self.games * share * (1 - share)

    def added(self, share: float, inverse: _Matrix) -> float:
        """The number of added games: the part of the fit that depends on this match alone, from 0 to 1."""
        spread = inverse[self.first][self.first] + inverse[self.second][self.second]
        return self.weight(share) * (spread - inverse[self.first][self.second] - inverse[self.second][self.first])


class _Model:
    """The likelihood of ratings, and its derivatives. Ratings are in the order of `names`."""

    def __init__(self, rounds: Sequence[Round]) -> None:
        self.names = sorted({name for one in rounds for name in one.players})
        place = {name: index for index, name in enumerate(self.names)}
        self._rounds = [
            _Match(place[one.players[0]], place[one.players[1]], one.expected, one.points, one.games) for one in rounds
        ]
        together: dict[tuple[int, int, float], list[_Match]] = defaultdict(list)
        for one in self._rounds:
            together[one.first, one.second, one.expected].append(one)
        self._matches = [
            _Match(*key, sum(one.points for one in some), sum(one.games for one in some))
            for key, some in together.items()
        ]  # fmt: skip

    def likeliest(self) -> list[float]:
        """The likeliest ratings; their mean is 0."""
        values = [0.0] * len(self.names)
        best, step = self._step(values)
        for _ in range(_STEPS):
            longest = max(map(abs, step), default=0.0)
            scale = min(1.0, _LONGEST / max(longest, _PRECISE))
            while scale * longest > _PRECISE:  # too long a step can leave the likelihood lower
                tried = [value + scale * change for value, change in zip(values, step, strict=True)]
                found, following = self._step(tried)
                if found > best:
                    break
                scale /= 2
            else:
                break
            values, best, step = tried, found, following
        mean = sum(values) / len(values) if values else 0.0
        return [value - mean for value in values]

    def _step(self, values: Sequence[float]) -> tuple[float, list[float]]:
        """The logarithm of the corrected likelihood up to a constant, and the step of Newton's method from there."""
        inverse, volume = _inverse(self._information(values))
        likelihood = volume / 2 - sum(value * value for value in values) / (2 * _WIDE**2)
        slopes = [-value / _WIDE**2 for value in values]
        for one in self._matches:
            share = min(max(one.share(values), _LEAST), 1 - _LEAST)
            likelihood += one.points * math.log(share) + (one.games - one.points) * math.log(1 - share)
            added = one.added(share, inverse)
            pull = _SLOPE * (one.points - one.games * share + added * (0.5 - share))
            slopes[one.first] += pull
            slopes[one.second] -= pull
        return likelihood, [sum(map(mul, row, slopes)) for row in inverse]

    def errors(self, values: Sequence[float]) -> list[float]:
        """The half-widths of the 95 % intervals. The bread of the sandwich is the inverse information; its filling is
        the square of each round's pull at the ratings. Each added game counts as a round."""
        size = len(values)
        bread, _ = _inverse(self._information(values))
        filling = [[0.0] * size for _ in range(size)]
        for one in self._rounds:
            _add(filling, one, (_SLOPE * (one.points - one.games * one.share(values))) ** 2)
        for one in self._matches:
            share = one.share(values)
            _add(filling, one, _SLOPE**2 * one.added(share, bread) * (share**2 + (1 - share) ** 2) / 2)
        found = []
        for row in bread:
            variance = sum(row[a] * row[b] * filling[a][b] for a in range(size) for b in range(size))
            found.append(CONFIDENCE * math.sqrt(max(variance, 0.0)))
        return found

    def _information(self, values: Sequence[float]) -> _Matrix:
        """Fisher's information: how sharply the likelihood falls around these ratings."""
        size = len(values)
        found = [[_TIED + (1 / _WIDE**2 if row == column else 0.0) for column in range(size)] for row in range(size)]
        for one in self._matches:
            _add(found, one, one.weight(one.share(values)))
        return found


def _add(matrix: _Matrix, one: _Match, weight: float) -> None:
    """Add what depends on the difference of two ratings alone."""
    for row, column, sign in (
        (one.first, one.first, 1), (one.second, one.second, 1), (one.first, one.second, -1), (one.second, one.first, -1)
    ):  # fmt: skip
        matrix[row][column] += sign * weight


def _inverse(matrix: _Matrix) -> tuple[_Matrix, float]:
    """The inverse of a positive definite matrix, and the logarithm of its determinant, by Gauss and Jordan."""
    size = len(matrix)
    rows = [[*row, *(float(index == column) for column in range(size))] for index, row in enumerate(matrix)]
    volume = 0.0
    for index in range(size):
        pivot = rows[index][index]
        volume += math.log(pivot)
        rows[index] = own = [value / pivot for value in rows[index]]
        for other in range(size):
            if other != index and rows[other][index]:
                factor = rows[other][index]
                rows[other] = [value - factor * part for value, part in zip(rows[other], own, strict=True)]
    return [row[size:] for row in rows], volume
