"""The levels by number, each as a chooser.

Levels 1 to 4 are modules with `moves(sight)`, which returns the moves that the level holds best; one of them is played
at random. Level 5 searches.
"""

import random
from collections.abc import Callable
from time import monotonic
from typing import Final, Protocol

from fourfold.clients.bots import level1, level2, level3, level4
from fourfold.clients.bots.level5 import Level5
from fourfold.clients.bots.lookahead import Moves, Sight
from fourfold.engine.position import Position


class Chooser(Protocol):
    """Chooses moves."""

    def choose(self, position: Position, budget: float) -> str:
        """A legal move (coordinate notation) of the side to move, found within about `budget` seconds.

        The position must be one in which there is a move.
        """


RULES: Final[dict[int, Callable[[Sight], Moves]]] = {
    1: level1.moves,
    2: level2.moves,
    3: level3.moves,
    4: level4.moves,
}


class ByRules:
    """A level of 1 to 4. It has a generator of its own: the same seed and the same positions give the same moves."""

    def __init__(self, level: int, seed: int | str | None = None) -> None:
        self._moves = RULES[level]
        self._generator = random.Random(seed)

    def choose(self, position: Position, budget: float) -> str:
        """As a `Chooser`; takes some milliseconds, whatever the budget."""
        return self._generator.choice(sorted(move.text for move in self._moves(Sight(position))))


LEVELS: Final = (*RULES, 5)
"""The levels there are."""


def chooser(level: int, seed: int | str | None = None, clock: Callable[[], float] = monotonic) -> Chooser:
    """A player of a level, whose budget is measured by a clock (in seconds). Raises ValueError for no level."""
    if level not in LEVELS:
        raise ValueError(f"There is no level {level}; there are {', '.join(map(str, LEVELS))}.")
    return Level5(seed, clock) if level == 5 else ByRules(level, seed)
