"""Glicko-2, for two players, as in Mark Glickman's paper: http://www.glicko.net/glicko/glicko2.pdf. Pure."""

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

from fourfold.server.ratings.scale import LOGIT, START, UNKNOWN

VOLATILITY: Final = 0.06
"""The volatility of a new player."""

TAU: Final = 0.5
"""The system constant: how fast volatilities change."""

EPSILON: Final = 1e-6
"""The precision of a computed volatility."""


class Glicko(NamedTuple):
    """A player's rating, its deviation, and the volatility: how much the strength itself varies."""

    rating: float = START
    deviation: float = UNKNOWN
    volatility: float = VOLATILITY


def expected(player: Glicko, other: Glicko) -> float:
    """The expected score of a player against another: 1 for a win, a half for a draw."""
    return 1 / (1 + math.exp(-_weight(other) * (player.rating - other.rating) / LOGIT))


def rate(player: Glicko, results: Sequence[tuple[Glicko, float]], periods: float = 1.0) -> Glicko:
    """A player after games against others, with the score of each. `periods` is the duration of the games, in rating
    periods; 0 if the deviation already includes that time."""
    phi = player.deviation / LOGIT
    information = gain = 0.0
    for other, score in results:
        weight, expectation = _weight(other), expected(player, other)
        information += weight**2 * expectation * (1 - expectation)
        gain += weight * (score - expectation)
    variance = 1 / information
    volatility = _volatility(player.volatility, phi, variance, variance * gain)
    before = phi**2 + periods * volatility**2
    phi = 1 / math.sqrt(1 / before + 1 / variance)
    return Glicko(player.rating + LOGIT * phi**2 * gain, LOGIT * phi, volatility)


def _weight(other: Glicko) -> float:
    """The paper's g: the weight of a game, given the uncertainty of the opponent's rating."""
    return 1 / math.sqrt(1 + 3 * (other.deviation / LOGIT / math.pi) ** 2)


def _volatility(sigma: float, phi: float, variance: float, delta: float) -> float:
    """The new volatility: step 5 of the paper, by the Illinois algorithm."""
    a = math.log(sigma**2)

    def f(x: float) -> float:
        grown = phi**2 + variance + math.exp(x)
        return math.exp(x) * (delta**2 - grown) / (2 * grown**2) - (x - a) / TAU**2

    low, high = a, 0.0
    if delta**2 > phi**2 + variance:
        high = math.log(delta**2 - phi**2 - variance)
    else:
        steps = 1
        while f(a - steps * TAU) < 0:
            steps += 1
        high = a - steps * TAU
    at_low, at_high = f(low), f(high)
    while abs(high - low) > EPSILON:
        middle = low + (low - high) * at_low / (at_high - at_low)
        at_middle = f(middle)
        if at_middle * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = middle, at_middle
    return math.exp(low / 2)
