"""Level 1: any legal move."""

from fourfold.clients.bots.levels.lookahead import Lookahead, Moves


def moves(ahead: Lookahead) -> Moves:
    """All legal moves."""
    return ahead.moves
