"""Level 1: any legal move."""

from clients.bots.sight import Moves, Sight


def moves(sight: Sight) -> Moves:
    """All legal moves."""
    return sight.moves
