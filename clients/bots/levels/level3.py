"""Level 3: mate, or else save endangered pieces, or else a safe move, or else level 2. It never endangers pieces
without need.

A piece is in danger if an opponent could capture it, and a square is safe if no opponent could capture there. A move
endangers the moved piece if it can be captured on its new square. It also endangers other pieces that it exposes. A
piece counts only if the capture would win something: a lesser piece captures it, or nobody could recapture. A move is
*sound* if it endangers nothing, or captures more than it endangers.
"""

from fourfold.clients.bots.levels import level2
from fourfold.clients.bots.levels.lookahead import Lookahead, Moves, best
from fourfold.engine.moves import Move
from fourfold.engine.tables import Man


def moves(ahead: Lookahead) -> Moves:
    """The moves of the first rule that has any."""
    return level2.mates(ahead) or rescues(ahead) or safe_moves(ahead) or level2.moves(ahead)


def rescues(ahead: Lookahead) -> Moves:
    """The moves that save the most valuable piece that can be saved."""
    army = ahead.position.armies[ahead.seat]
    endangered = [army[square] for square in ahead.attackers]
    for man in sorted(endangered, key=ahead.worth, reverse=True):
        found = removals(ahead, man) or escapes(ahead, man)
        if found:
            return found
    return []


def removals(ahead: Lookahead, man: Man) -> Moves:
    """For a piece with a single attacker: the moves that capture the attacker, safely or at a profit, or that give up a
    lesser piece for an attacker that cannot escape."""
    sources = {attack.source for attack in ahead.attackers[man.square]}
    if len(sources) > 1:
        return []
    capturing = [move for move in ahead.moves if move.target in sources]
    fair = [move for move in capturing if ahead.sound(move)]
    if not fair and not escapes(ahead, man):
        fair = [move for move in capturing if ahead.risk(move) < ahead.worth(man)]
    return best(fair, ((-ahead.risk(move),) for move in fair))


def escapes(ahead: Lookahead, man: Man) -> Moves:
    """The moves of a piece to safe squares that expose no other piece. Of these, the most valuable captures, and of
    these, the checks."""
    away = [move for move in ahead.moves if move.source == man.square and not ahead.risk(move)]
    return best(away, (_gains(ahead, move) for move in away))


def safe_moves(ahead: Lookahead) -> Moves:
    """The sound moves of pieces that are not in danger. Of these, the most profitable, and of these, the checks."""
    sound = [move for move in ahead.moves if move.source not in ahead.attackers and ahead.sound(move)]
    return best(sound, (_gains(ahead, move) for move in sound))


def _gains(ahead: Lookahead, move: Move) -> tuple[int, ...]:
    return ahead.taken(move) - ahead.risk(move), ahead.checks(move)
