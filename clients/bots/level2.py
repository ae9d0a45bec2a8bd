"""Level 2: mate, else take and check, else take or check, else level 1.

Chance decides between moves that take the same; a check that takes nothing counts as much as to take a pawn.
"""

from fourfold.clients.bots import level1
from fourfold.clients.bots.lookahead import Lookahead, Moves, best
from fourfold.engine.pieces import PieceKind


def moves(ahead: Lookahead) -> Moves:
    """The moves of the first rule that has any."""
    return mates(ahead) or captures_with_check(ahead) or captures_and_checks(ahead) or level1.moves(ahead)


def mates(ahead: Lookahead) -> Moves:
    """Those that mate, or take a king."""
    return [move for move in ahead.moves if ahead.mates(move)]


def captures_with_check(ahead: Lookahead) -> Moves:
    """Those that both take and check; of these, those that take the most."""
    both = [move for move in ahead.moves if ahead.taken(move) and ahead.checks(move)]
    return best(both, ((ahead.taken(move),) for move in both))


def captures_and_checks(ahead: Lookahead) -> Moves:
    """Those that take, and those that check, alike; of these, those that take the most."""
    either = [move for move in ahead.moves if ahead.taken(move) or ahead.checks(move)]
    check = ahead.position.rules.values[PieceKind.PAWN]
    return best(either, ((ahead.taken(move) or check,) for move in either))
