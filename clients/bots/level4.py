"""Level 4: the opening book; else, where there is something to fight about, level 3; else prevent checks, else
control the most squares.

What its rules hold equal, it decides by the last one.
"""

from clients.bots import level3
from clients.bots.openings import book
from clients.bots.sight import Moves, Sight, best


def moves(sight: Sight) -> Moves:
    """The moves of the first rule that has any."""
    known = book.reactive(sight.position) or setup(sight)
    if known:
        return known
    if contact(sight):
        return controlling(sight, level3.moves(sight))
    quiet = [move for move in sight.moves if not sight.risk(move)]
    return preventing(sight, quiet) or controlling(sight, quiet) or level3.moves(sight)


def setup(sight: Sight) -> Moves:
    """The moves with which a setup goes on, while nobody disturbs it."""
    if sight.attackers():
        return []
    return [move for move in book.setup(sight.position) if not sight.risk(move)]


def contact(sight: Sight) -> bool:
    """Whether one of the own men is attacked, or a move takes or checks."""
    return bool(sight.attackers()) or any(sight.taken(move) or sight.checks(move) for move in sight.moves)


def preventing(sight: Sight, moves: Moves) -> Moves:
    """Those of the moves after which the fewest of the rivals' moves check, if that is fewer than now."""
    checks = sight.present_checks()
    if not checks:
        return []
    after = {move: sight.possible_checks(move) for move in moves}
    fewer = [move for move in moves if after[move] < checks]
    return controlling(sight, best(fewer, ((-after[move],) for move in fewer)))


def controlling(sight: Sight, moves: Moves) -> Moves:
    """Those of the moves after which the own men attack the most squares."""
    return best(moves, ((sight.control(move),) for move in moves))
