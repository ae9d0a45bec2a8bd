"""Level 1: any legal move at random."""

import random

from engine.position import Position


class Level1:
    """Chooses by a generator of its own: the same seed and the same positions give the same moves."""

    def __init__(self, seed: int | str | None = None) -> None:
        self._generator = random.Random(seed)

    def choose(self, position: Position, budget: float) -> str:
        """A legal move in coordinate notation; takes no part of the budget (seconds) worth mentioning."""
        return self._generator.choice(sorted(position.legal_texts()))
