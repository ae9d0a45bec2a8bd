"""The common scale of all ratings. A new player has 1500 ± 350. A difference of 400 points means odds of ten to one.

Glicko-2 has this scale from its paper. Plackett-Luce, for four players, is scaled to it: see `plackett_luce`.
"""

import math
from typing import Final

START: Final = 1500.0
"""The rating of an unknown player."""

UNKNOWN: Final = 350.0
"""The deviation of an unknown player: the maximum."""

LOGIT: Final = 400 / math.log(10)
"""The rating difference, in points, at odds of e to one."""

PERIOD: Final = 4 * 86_400_000
"""The time, in milliseconds, in which a deviation grows by one volatility: 50 becomes 111 in a year without a game."""


def aged(deviation: float, drift: float, milliseconds: int) -> float:
    """A deviation after a time without a game. `drift` is by how many points strength changes in a `PERIOD`."""
    periods = max(milliseconds, 0) / PERIOD
    return min(math.hypot(deviation, drift * math.sqrt(periods)), UNKNOWN)
