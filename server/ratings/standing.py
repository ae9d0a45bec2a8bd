"""A player's standing in a kind of game, in whole numbers. Pure."""

from dataclasses import dataclass, replace
from typing import Final

from fourfold.server.ratings.glicko import VOLATILITY
from fourfold.server.ratings.levels import rated_level, start_of
from fourfold.server.ratings.scale import LOGIT, START, UNKNOWN, aged

UNIT: Final = 1000
"""Units per point, and per score of 1."""

FINE: Final = 1_000_000_000
"""Units per volatility of 1."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's standing in a kind of game: rating and deviation in thousandths of a point, the volatility in
    billionths, the number of games, and when the last of them ended (ms since 1970)."""

    rating: int = round(START * UNIT)
    deviation: int = round(UNKNOWN * UNIT)
    volatility: int = round(VOLATILITY * FINE)
    games: int = 0
    last: int = 0


def standing_of(player: str, variant: str) -> Standing:
    """The standing of a player without rated games."""
    start = start_of(player, variant)
    return Standing() if start is None else Standing(start[0] * UNIT, start[1] * UNIT)


def now(player: str, standing: Standing, time: int) -> Standing:
    """A standing some time after the last game: the deviation has grown. Those of levels do not change."""
    if rated_level(player) is not None or not standing.games:
        return standing
    drift = LOGIT * standing.volatility / FINE
    deviation = aged(standing.deviation / UNIT, drift, time - standing.last)
    return replace(standing, deviation=round(deviation * UNIT))
