"""Level 4: the opening book; else, where there is something to fight about, level 3; else prevent checks, and of the
moves that prevent them alike, control the most squares.

It is a level 3 as well: where it prevents checks, it chooses among all moves that put nothing in needless danger. What
level 3 holds equal it decides by its own last two rules.
"""

from fourfold.clients.bots import level3
from fourfold.clients.bots.lookahead import Lookahead, Moves, best
from fourfold.clients.bots.openings import book


def moves(ahead: Lookahead) -> Moves:
    """The moves of the first rule that has any."""
    known = [move for move in book.reactive(ahead.position) if move in ahead.moves] or prepared(ahead)
    if known:
        return known
    candidates = level3.moves(ahead) if contact(ahead) else [move for move in ahead.moves if ahead.sound(move)]
    return controlling(ahead, preventing(ahead, candidates or level3.moves(ahead)))


def prepared(ahead: Lookahead) -> Moves:
    """The replies to what a neighbour has done, else the moves with which a setup goes on: no matter what the opponents
    do, unless one of the own pieces is attacked. Where there are several, those that put nothing in danger."""
    if attacked(ahead):
        return []
    known = book.replies(ahead.position) or book.setup(ahead.position)
    known = [move for move in known if move in ahead.moves]
    return [move for move in known if ahead.sound(move)] or known


def attacked(ahead: Lookahead) -> bool:
    """Whether one of the own pieces is under attack, the king by a check."""
    return bool(ahead.attackers) or ahead.checked()


def contact(ahead: Lookahead) -> bool:
    """Whether one of the own pieces is attacked, or a move takes or checks."""
    return attacked(ahead) or any(ahead.taken(move) or ahead.checks(move) for move in ahead.moves)


def preventing(ahead: Lookahead, moves: Moves) -> Moves:
    """Those of the moves after which the fewest of the opponents' moves check."""
    return best(moves, ((-ahead.possible_checks(move),) for move in moves))


def controlling(ahead: Lookahead, moves: Moves) -> Moves:
    """Those of the moves after which the own men attack the most squares."""
    return best(moves, ((ahead.control(move),) for move in moves))
