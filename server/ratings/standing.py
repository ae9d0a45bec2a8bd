"""How a player stands in a kind of game, in whole numbers. Pure."""

from dataclasses import dataclass, replace
from typing import Final

from fourfold.server.ratings.glicko import VOLATILITY
from fourfold.server.ratings.levels import rated_level, start_of
from fourfold.server.ratings.scale import LOGIT, START, UNKNOWN, aged

UNIT: Final = 1000
"""How many units of a whole number are a point, or a score of 1."""

FINE: Final = 1_000_000_000
"""How many units are a volatility of 1."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How a player stands in a kind of game: rating and deviation in thousandths of a point, the volatility in
    billionths, in how many games, and when the last of them ended (ms since 1970)."""

    rating: int = round(START * UNIT)
    deviation: int = round(UNKNOWN * UNIT)
    volatility: int = round(VOLATILITY * FINE)
    games: int = 0
    last: int = 0


def standing_of(player: str, variant: str) -> Standing:
    """How a player stands who has no rated game."""
    start = start_of(player, variant)
    return Standing() if start is None else Standing(start[0] * UNIT, start[1] * UNIT)


def now(player: str, standing: Standing, time: int) -> Standing:
    """How a player stands some time after the last game: the deviation has grown. The levels do not change."""
    if rated_level(player) is not None or not standing.games:
        return standing
    drift = LOGIT * standing.volatility / FINE
    deviation = aged(standing.deviation / UNIT, drift, time - standing.last)
    return replace(standing, deviation=round(deviation * UNIT))
