"""Level 4: the opening book; else, where there is something to fight about, level 3; else prevent checks, and of the
moves that prevent them alike, control the most squares.

What level 3 holds equal it decides by its own last two rules.
"""

from clients.bots import level3
from clients.bots.openings import book
from clients.bots.sight import Moves, Sight, best


def moves(sight: Sight) -> Moves:
    """The moves of the first rule that has any."""
    known = book.reactive(sight.position) or setup(sight)
    if known:
        return known
    candidates = level3.moves(sight) if contact(sight) else [move for move in sight.moves if not sight.risk(move)]
    return controlling(sight, preventing(sight, candidates or level3.moves(sight)))


def setup(sight: Sight) -> Moves:
    """The moves with which a setup goes on, while nobody disturbs it."""
    if sight.attackers():
        return []
    return [move for move in book.setup(sight.position) if not sight.risk(move)]


def contact(sight: Sight) -> bool:
    """Whether one of the own men is attacked, or a move takes or checks."""
    return bool(sight.attackers()) or any(sight.taken(move) or sight.checks(move) for move in sight.moves)


def preventing(sight: Sight, moves: Moves) -> Moves:
    """Those of the moves after which the fewest of the rivals' moves check."""
    return best(moves, ((-sight.possible_checks(move),) for move in moves))


def controlling(sight: Sight, moves: Moves) -> Moves:
    """Those of the moves after which the own men attack the most squares."""
    return best(moves, ((sight.control(move),) for move in moves))
