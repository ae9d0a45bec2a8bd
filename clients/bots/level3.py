"""Level 3: mate, else save what is in danger, else a safe move, else level 2. It never puts a man in needless danger.

A man is in danger where an opponent could take it, and a square safe where none could. A move endangers the man that it
puts where it can be taken, and any that it exposes: that would be lost after the move, and not before, since a lesser
man takes it or nobody could take back. A move is *sound* if it endangers nothing, or takes more than it endangers.
"""

from fourfold.clients.bots import level2
from fourfold.clients.bots.lookahead import Lookahead, Moves, best
from fourfold.engine.moves import Move
from fourfold.engine.tables import Man


def moves(ahead: Lookahead) -> Moves:
    """The moves of the first rule that has any."""
    return level2.mates(ahead) or rescues(ahead) or safe_moves(ahead) or level2.moves(ahead)


def rescues(ahead: Lookahead) -> Moves:
    """Those that save the most valuable man that can be saved."""
    army = ahead.position.armies[ahead.seat]
    endangered = [army[square] for square in ahead.attackers]
    for man in sorted(endangered, key=ahead.worth, reverse=True):
        found = removals(ahead, man) or escapes(ahead, man)
        if found:
            return found
    return []


def removals(ahead: Lookahead, man: Man) -> Moves:
    """If a man has one attacker only: the moves that take it, safely, or winning more than they risk, or
    giving up a lesser man for one that cannot escape."""
    sources = {attack.source for attack in ahead.attackers[man.square]}
    if len(sources) > 1:
        return []
    capturing = [move for move in ahead.moves if move.target in sources]
    fair = [move for move in capturing if ahead.sound(move)]
    if not fair and not escapes(ahead, man):
        fair = [move for move in capturing if ahead.risk(move) < ahead.worth(man)]
    return best(fair, ((-ahead.risk(move),) for move in fair))


def escapes(ahead: Lookahead, man: Man) -> Moves:
    """The moves of a man to safe squares, exposing no other: those that take the most on the way,
    and of these those that check."""
    away = [move for move in ahead.moves if move.source == man.square and not ahead.risk(move)]
    return best(away, (_gains(ahead, move) for move in away))


def safe_moves(ahead: Lookahead) -> Moves:
    """The sound moves of men that are not in danger: those that win the most, and of these those that check."""
    sound = [move for move in ahead.moves if move.source not in ahead.attackers and ahead.sound(move)]
    return best(sound, (_gains(ahead, move) for move in sound))


def _gains(ahead: Lookahead, move: Move) -> tuple[int, ...]:
    return ahead.taken(move) - ahead.risk(move), ahead.checks(move)
