"""The levels by number, each as a function that chooses moves.

Levels 1 to 4 are modules with a function `moves(ahead)`, which returns the moves that the level considers best. One of
them is played at random. Level 5 searches, and can be limited to a strength in Elo.
"""

import random
from collections.abc import Callable
from time import monotonic
from typing import Final, TypeAlias

from fourfold.clients.bots.levels import level1, level2, level3, level4
from fourfold.clients.bots.levels.level5 import Level5
from fourfold.clients.bots.levels.lookahead import Lookahead, Moves
from fourfold.clients.bots.levels.strength import strength
from fourfold.engine.position import Position

Choose: TypeAlias = Callable[[Position, float], str]
"""Chooses a legal move (coordinate notation) for the side to move, within about `budget` seconds. The position must
have a legal move."""

RULES: Final[dict[int, Callable[[Lookahead], Moves]]] = {
    1: level1.moves,
    2: level2.moves,
    3: level3.moves,
    4: level4.moves,
}


_PLIES: Final = {2: 1, 3: 2, 4: 3}
"""In giveaway, captures are compulsory and danger is good, so the rules of levels 2 to 4 make no sense. These levels
search so many plies there."""

LEVELS: Final = (*RULES, 5)
"""The levels."""


def chooser(
    level: int, seed: int | str | None = None, clock: Callable[[], float] = monotonic, elo: int | None = None
) -> Choose:
    """A player of a level. A clock, in seconds, measures its budget. `elo` limits the strength of level 5. With it, and
    at levels 1 to 4, the same seed and the same positions give the same moves. Raises ValueError for an unknown level,
    or an impossible strength."""
    if level not in LEVELS:
        raise ValueError(f"Levels are {LEVELS[0]} to {LEVELS[-1]}, not {level}.")
    if level == 5:
        return Level5(seed, clock, strength=None if elo is None else strength(elo)).choose
    if elo is not None:
        raise ValueError(f"Only level 5 has a strength in Elo, not level {level}.")
    moves, generator = RULES[level], random.Random(seed)

    def choose(position: Position, budget: float) -> str:
        if position.rules.giveaway and level in _PLIES:
            return Level5(seed, clock, _PLIES[level]).choose(position, budget)
        return generator.choice(sorted(move.text for move in moves(Lookahead(position))))

    return choose
