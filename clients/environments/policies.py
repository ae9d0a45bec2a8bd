"""Our levels as policies: functions from a position to an action."""

from __future__ import annotations

from collections.abc import Callable

from fourfold.clients.bots.levels import chooser
from fourfold.clients.environments.encoding import encoding_of
from fourfold.engine.position import Position


def policy(level: int, seed: int | None = None, budget: float = 0.1) -> Callable[[Position], int]:
    """The choices of a level, 1 to 5; level 5 thinks for so many seconds. The same seed and positions give the same
    actions at levels 1 to 4. Raises `ValueError` for no level."""
    choose = chooser(level, seed)

    def act(position: Position) -> int:
        return encoding_of(position.variant).action(position, position.find(choose(position, budget)))

    return act
