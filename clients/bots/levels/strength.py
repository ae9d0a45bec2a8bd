"""The strength of level 5 by Elo: how many positions it searches, and how much noise its scores have.

A strength has no unit of time, so it is the same on all machines that are fast enough. README.md in `clients/bots` has
the games by which the curve was calibrated.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Strength:
    """The most `nodes` of a search, and the standard deviation of the `noise` in the scores of root moves, in
    hundredths of a pawn."""

    nodes: int
    noise: float


_CURVE: Final = (
    (1000, 150, 33),
    (1100, 220, 27.5),
    (1200, 264, 25),
    (1600, 820, 15),
    (2200, 2655, 4.6),
)
"""Elo, nodes and noise of points on the curve. Between them, the noise is linear in Elo, and so is the logarithm of the
nodes. Below 200 nodes, more of them help little: a search hardly gets beyond the first ply. So the first step has more
noise and more nodes than the others."""

WEAKEST: Final = _CURVE[0][0]
STRONGEST: Final = _CURVE[-1][0]
"""The range of strengths in Elo. Below it, a search hardly looks at all moves. Above it, games for a calibration
would take too long."""


def strength(elo: int) -> Strength:
    """The strength of an Elo. Raises ValueError outside the range."""
    if not WEAKEST <= elo <= STRONGEST:
        raise ValueError(f"Strengths in Elo are {WEAKEST} to {STRONGEST}, not {elo}.")
    upper = min(bisect_right(_CURVE, elo, key=lambda point: point[0]), len(_CURVE) - 1)
    (low, least, most_noise), (high, most, least_noise) = _CURVE[upper - 1], _CURVE[upper]
    part = (elo - low) / (high - low)
    return Strength(round(least * (most / least) ** part), most_noise + part * (least_noise - most_noise))


def elo(text: str) -> int:
    """The Elo in a text. Raises ValueError for other texts, and outside the range."""
    if not text.isdecimal() or not WEAKEST <= int(text) <= STRONGEST:
        raise ValueError(f"strengths in Elo are {WEAKEST} to {STRONGEST}, not {text!r}")
    return int(text)
