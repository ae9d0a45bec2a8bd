"""Level 4: the opening book, or else level 3 in a fight. A fight means attacks, captures or checks. Without one, it
plays the moves that best prevent checks, and of these the ones that control the most squares.

It extends level 3. To prevent checks, it chooses among all moves that endanger nothing without need. It breaks ties of
level 3 by its own last two rules.
"""

from fourfold.clients.bots.levels import level3
from fourfold.clients.bots.levels.lookahead import Lookahead, Moves, best
from fourfold.clients.bots.openings import book


def moves(ahead: Lookahead) -> Moves:
    """The moves of the first rule that has any."""
    known = [move for move in book.reactive(ahead.position) if move in ahead.moves] or prepared(ahead)
    if known:
        return known
    candidates = level3.moves(ahead) if contact(ahead) else [move for move in ahead.moves if ahead.sound(move)]
    return controlling(ahead, preventing(ahead, candidates or level3.moves(ahead)))


def prepared(ahead: Lookahead) -> Moves:
    """Book replies to a neighbour's moves, or else the next moves of a setup. Setups ignore the opponents, unless an
    own piece is attacked. Of several moves, the ones that endanger nothing."""
    if attacked(ahead):
        return []
    known = book.replies(ahead.position) or book.setup(ahead.position)
    known = [move for move in known if move in ahead.moves]
    return [move for move in known if ahead.sound(move)] or known


def attacked(ahead: Lookahead) -> bool:
    """Whether an own piece is attacked; for the king, by a check."""
    return bool(ahead.attackers) or ahead.checked()


def contact(ahead: Lookahead) -> bool:
    """Whether an own piece is attacked, or a move captures, checks or wins."""
    return attacked(ahead) or any(
        ahead.taken(move) or ahead.checks(move) or ahead.mates(move) for move in ahead.moves
    )


def preventing(ahead: Lookahead, moves: Moves) -> Moves:
    """The moves after which the opponents have the fewest checks."""
    return best(moves, ((-ahead.possible_checks(move),) for move in moves))


def controlling(ahead: Lookahead, moves: Moves) -> Moves:
    """The moves after which the own pieces attack the most squares."""
    return best(moves, ((ahead.control(move),) for move in moves))
