"""Level 2: mate, else take and check, else take or check, else level 1.

Chance decides between moves that take the same; a check that takes nothing counts as much as to take a pawn.
"""

from fourfold.clients.bots import level1
from fourfold.clients.bots.lookahead import Moves, Sight, best
from fourfold.engine.pieces import PieceKind


def moves(sight: Sight) -> Moves:
    """The moves of the first rule that has any."""
    return mates(sight) or captures_with_check(sight) or captures_and_checks(sight) or level1.moves(sight)


def mates(sight: Sight) -> Moves:
    """Those that mate, or take a king."""
    return [move for move in sight.moves if sight.mates(move)]


def captures_with_check(sight: Sight) -> Moves:
    """Those that both take and check; of these, those that take the most."""
    both = [move for move in sight.moves if sight.taken(move) and sight.checks(move)]
    return best(both, ((sight.taken(move),) for move in both))


def captures_and_checks(sight: Sight) -> Moves:
    """Those that take, and those that check, alike; of these, those that take the most."""
    either = [move for move in sight.moves if sight.taken(move) or sight.checks(move)]
    check = sight.position.rules.values[PieceKind.PAWN]
    return best(either, ((sight.taken(move) or check,) for move in either))
