"""Level 2: mate, or else capture with check, or else capture or check, or else level 1.

Among equal captures the choice is random. A check without a capture counts like a pawn.
"""

from fourfold.clients.bots.levels import level1
from fourfold.clients.bots.levels.lookahead import Lookahead, Moves, best
from fourfold.engine.pieces import PieceKind


def moves(ahead: Lookahead) -> Moves:
    """The moves of the first rule that has any."""
    return mates(ahead) or captures_with_check(ahead) or captures_and_checks(ahead) or level1.moves(ahead)


def mates(ahead: Lookahead) -> Moves:
    """The moves that mate or capture a king."""
    return [move for move in ahead.moves if ahead.mates(move)]


def captures_with_check(ahead: Lookahead) -> Moves:
    """The most valuable captures with check."""
    both = [move for move in ahead.moves if ahead.taken(move) and ahead.checks(move)]
    return best(both, ((ahead.taken(move),) for move in both))


def captures_and_checks(ahead: Lookahead) -> Moves:
    """The most valuable captures and checks."""
    either = [move for move in ahead.moves if ahead.taken(move) or ahead.checks(move)]
    check = ahead.position.rules.values[PieceKind.PAWN]
    return best(either, ((ahead.taken(move) or check,) for move in either))
