"""Level 2: mate, else take and check, else take or check, else level 1.

Of moves that take the same it prefers those of its least valuable man.
"""

from clients.bots import level1
from clients.bots.sight import Moves, Sight, best


def moves(sight: Sight) -> Moves:
    """The moves of the first rule that has any."""
    return mates(sight) or captures_with_check(sight) or captures_and_checks(sight) or level1.moves(sight)


def mates(sight: Sight) -> Moves:
    """Those that mate, or take a king."""
    return [move for move in sight.moves if sight.mates(move)]


def captures_with_check(sight: Sight) -> Moves:
    """Those that both take and check; of these, those that take the most."""
    both = [move for move in sight.moves if sight.taken(move) and sight.checks(move)]
    return _most_taken(sight, both)


def captures_and_checks(sight: Sight) -> Moves:
    """Those that take, and those that check, alike; of these, those that take the most."""
    either = [move for move in sight.moves if sight.taken(move) or sight.checks(move)]
    return _most_taken(sight, either)


def _most_taken(sight: Sight, moves: Moves) -> Moves:
    return best(moves, ((sight.taken(move), -sight.cost(move)) for move in moves))
