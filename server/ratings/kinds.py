"""The kinds of game with separate ratings: a variant, and for two players a speed."""

from typing import Final, NamedTuple

from fourfold.engine.match.clock import Control
from fourfold.engine.variants import rules_of

MOVES: Final = 40
"""The number of moves per player for which a time control is estimated."""

SPEEDS: Final = {"bullet": 3, "blitz": 8, "rapid": 25}
"""The speeds, each with the limit in minutes on a player's time for `MOVES` moves. Above the last it is `classical`."""

UNTIMED: Final = "untimed"

ALL_SPEEDS: Final = ("bullet", "blitz", "rapid", "classical", UNTIMED)


class Kind(NamedTuple):
    """A variant, and a speed. The speed is empty for the variants of more than two players, which have one rating
    each."""

    variant: str
    speed: str = ""


def speed_of(control: Control | None) -> str:
    """The speed of a time control."""
    if control is None:
        return UNTIMED
    minutes = (control.base + MOVES * (control.increment + control.delay)) / 60_000
    return next((speed for speed, limit in SPEEDS.items() if minutes < limit), "classical")


def kind_of(variant: str, seats: int, control: Control | None) -> Kind:
    """The kind of a game with this number of seats."""
    return Kind(variant, speed_of(control) if seats == 2 else "")


def side_of(variant: str, turn: int) -> int:
    """The side of the `turn`th seat in the turn order, counted from 0."""
    return rules_of(variant).teams[turn]
