"""Our levels as policies: functions from a position to an action."""

from __future__ import annotations

from collections.abc import Callable

from fourfold.clients.bots.levels import chooser
from fourfold.clients.environments.encoding import encoding_of
from fourfold.engine.position import Position


def policy(level: int, seed: int | None = None, budget: float = 0.1) -> Callable[[Position], int]:
    """The policy of a level, 1 to 5. Level 5 thinks for `budget` seconds a move. At levels 1 to 4, the same seed and
    positions give the same actions. Raises `ValueError` for an unknown level."""
    choose = chooser(level, seed)

    def act(position: Position) -> int:
        return encoding_of(position.variant).action(position, position.find(choose(position, budget)))

    return act
