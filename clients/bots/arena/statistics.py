"""The statistics of a match: Elo, its error, and the sequential test. Pure functions of points.

Games are played in rounds: the games of one opening, in which the sides change seats. A round's points are the mean of
its games. Between two sides a round is a pair of games, and has one of five results: the *pentanomial* model. Both
games of a pair depend on the opening, so the error of a match comes from its rounds, not from its games.

The sequential test is the generalized sequential probability ratio test (GSPRT) as Fishtest, the testing framework of
Stockfish, uses it. Van den Bergh, "A practical introduction to the GSPRT" and "Comments on the maximum likelihood
estimate of a multinomial distribution with a given expectation value", proposition 1.1, have the formulas
(https://www.cantate.be/Fishtest/support_MLE_multinomial.pdf).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

CONFIDENCE: Final = 1.96
"""The half-width of a 95 % interval, in standard deviations."""

PAIR: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
"""The possible points of a pair of games between two sides."""

_MISSING: Final = 1e-3
"""The number of times that a result of `PAIR` counts if it did not occur, so that each expectation is possible. The
value is Fishtest's."""

_HALVINGS: Final = 100
"""Most steps of a bisection: enough for the precision of a float."""


def elo(share: float, expected: float) -> float:
    """The difference in Elo that explains a share of the points, if equal players would have the `expected` share."""
    share = min(max(share, 1e-4), 1 - 1e-4)
    return 400 * (math.log10(share / (1 - share)) - math.log10(expected / (1 - expected)))


def share_at(difference: float, expected: float) -> float:
    """The share of the points at a difference in Elo: the inverse of `elo`."""
    return 1 / (1 + (1 - expected) / expected * 10 ** (-difference / 400))


def error_of(points: Sequence[float]) -> float:
    """The half-width of a share's 95 % interval, from the points of independent games or rounds. An added win and loss
    prevent overconfidence after few games."""
    count = len(points) + 2
    mean = (sum(points) + 1) / count
    variance = (sum((point - mean) ** 2 for point in points) + (1 - mean) ** 2 + mean**2) / count
    return CONFIDENCE * math.sqrt(variance / count)


def elo_error(share: float, margin: float, expected: float) -> float:
    """The half-width of the interval of Elo for a share with the error `margin`."""
    return (elo(min(share + margin, 1), expected) - elo(max(share - margin, 0), expected)) / 2


def rounds_of(points: Sequence[float], games: int) -> list[float]:
    """The points of each whole round. A round has `games` games."""
    whole = len(points) - len(points) % games
    return [sum(points[start : start + games]) / games for start in range(0, whole, games)]


def pentanomial(rounds: Iterable[float]) -> tuple[int, ...]:
    """How many pairs of games have each of the results `PAIR`."""
    counts = Counter(rounds)
    return tuple(counts[points] for points in PAIR)


@dataclass(frozen=True, slots=True)
class SequentialTest:
    """A test of whether the first side is stronger by `elo0` (H0) or by `elo1` (H1), which can stop after each round.
    Both errors have the probability `risk`. Equal players would have the `expected` share of the points.

    >>> test = SequentialTest(0, 20)
    >>> round(test.upper, 2), test.verdict(3.0), test.verdict(1.5)
    (2.94, 'H1', None)
    """

    elo0: float
    elo1: float
    expected: float = 0.5
    risk: float = 0.05

    @property
    def upper(self) -> float:
        """The ratio at which H1 is accepted; H0 is accepted at the same negative ratio."""
        return math.log((1 - self.risk) / self.risk)

    def verdict(self, ratio: float) -> str | None:
        """The accepted hypothesis at a log-likelihood ratio; None if the test goes on."""
        if abs(ratio) < self.upper:
            return None
        return "H1" if ratio > 0 else "H0"

    def ratio(self, rounds: Mapping[float, float]) -> float:
        """The logarithm of how much likelier these rounds are under H1 than under H0. `rounds` has the number of rounds
        by their points. 0 without rounds."""
        if not any(rounds.values()):
            return 0.0
        counts = dict.fromkeys(PAIR, _MISSING) | {points: n for points, n in rounds.items() if n}
        total = sum(counts.values())
        pulls = []
        for difference in (self.elo0, self.elo1):
            share = share_at(difference, self.expected)
            pulls.append((share, _pull({points: n / total for points, n in counts.items()}, share)))
        (share0, pull0), (share1, pull1) = pulls
        return sum(
            n * (math.log1p(pull0 * (points - share0)) - math.log1p(pull1 * (points - share1)))
            for points, n in counts.items()
        )


def _pull(frequencies: Mapping[float, float], mean: float) -> float:
    """The parameter x of the likeliest distribution with this mean: it has the frequency of each value a, divided by
    1 + x (a - mean). x solves the equation sum of p (a - mean) / (1 + x (a - mean)) = 0, whose left side falls."""
    low, high = -1 / (max(frequencies) - mean), -1 / (min(frequencies) - mean)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if middle in (low, high):
            break  # no float is between them
        slopes = (p * (a - mean) / max(1 + middle * (a - mean), 1e-300) for a, p in frequencies.items())
        if sum(slopes) > 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2
