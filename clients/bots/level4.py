"""Level 4: the opening book; else, where there is something to fight about, level 3; else prevent checks, and of the
moves that prevent them alike, control the most squares.

It is a level 3 as well: where it prevents checks, it chooses among all moves that put nothing in needless danger. What
level 3 holds equal it decides by its own last two rules.
"""

from fourfold.clients.bots import level3
from fourfold.clients.bots.lookahead import Moves, Sight, best
from fourfold.clients.bots.openings import book


def moves(sight: Sight) -> Moves:
    """The moves of the first rule that has any."""
    known = book.reactive(sight.position) or prepared(sight)
    if known:
        return known
    candidates = level3.moves(sight) if contact(sight) else [move for move in sight.moves if sight.sound(move)]
    return controlling(sight, preventing(sight, candidates or level3.moves(sight)))


def prepared(sight: Sight) -> Moves:
    """The replies to what a neighbour has done, else the moves with which a setup goes on: no matter what the opponents
    do, unless one of the own pieces is attacked. Where there are several, those that put nothing in danger."""
    if attacked(sight):
        return []
    known = book.replies(sight.position) or book.setup(sight.position)
    return [move for move in known if sight.sound(move)] or known


def attacked(sight: Sight) -> bool:
    """Whether one of the own pieces is under attack, the king by a check."""
    return bool(sight.attackers) or sight.checked()


def contact(sight: Sight) -> bool:
    """Whether one of the own pieces is attacked, or a move takes or checks."""
    return attacked(sight) or any(sight.taken(move) or sight.checks(move) for move in sight.moves)


def preventing(sight: Sight, moves: Moves) -> Moves:
    """Those of the moves after which the fewest of the rivals' moves check."""
    return best(moves, ((-sight.possible_checks(move),) for move in moves))


def controlling(sight: Sight, moves: Moves) -> Moves:
    """Those of the moves after which the own men attack the most squares."""
    return best(moves, ((sight.control(move),) for move in moves))
