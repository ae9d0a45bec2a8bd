"""Level 1: any legal move."""

from fourfold.clients.bots.lookahead import Moves, Sight


def moves(sight: Sight) -> Moves:
    """All legal moves."""
    return sight.moves
