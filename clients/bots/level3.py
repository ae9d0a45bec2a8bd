"""Level 3: mate, else save what is in danger, else a safe move, else level 2. It never puts a man in needless danger.

A man is in danger where a rival could take it, and a square safe where none could. A move endangers the man that it
puts where it can be taken, and any that it exposes: that would be lost after the move, and not before, since a lesser
man takes it or nobody could take back. A move is *sound* if it endangers nothing, or takes more than it endangers.
"""

from fourfold.clients.bots import level2
from fourfold.clients.bots.lookahead import Moves, Sight, best
from fourfold.engine.moves import Move
from fourfold.engine.tables import Man


def moves(sight: Sight) -> Moves:
    """The moves of the first rule that has any."""
    return level2.mates(sight) or rescues(sight) or safe_moves(sight) or level2.moves(sight)


def rescues(sight: Sight) -> Moves:
    """Those that save the most valuable man that can be saved."""
    army = sight.position.armies[sight.seat]
    endangered = [army[square] for square in sight.attackers]
    for man in sorted(endangered, key=sight.worth, reverse=True):
        found = removals(sight, man) or escapes(sight, man)
        if found:
            return found
    return []


def removals(sight: Sight, man: Man) -> Moves:
    """If a man has one attacker only: the moves that take it, safely, or winning more than they risk, or
    giving up a lesser man for one that cannot escape."""
    sources = {attack.source for attack in sight.attackers[man.square]}
    if len(sources) > 1:
        return []
    capturing = [move for move in sight.moves if move.target in sources]
    fair = [move for move in capturing if sight.sound(move)]
    if not fair and not escapes(sight, man):
        fair = [move for move in capturing if sight.risk(move) < sight.worth(man)]
    return best(fair, ((-sight.risk(move),) for move in fair))


def escapes(sight: Sight, man: Man) -> Moves:
    """The moves of a man to safe squares, exposing no other: those that take the most on the way,
    and of these those that check."""
    away = [move for move in sight.moves if move.source == man.square and not sight.risk(move)]
    return best(away, (_spoils(sight, move) for move in away))


def safe_moves(sight: Sight) -> Moves:
    """The sound moves of men that are not in danger: those that win the most, and of these those that check."""
    sound = [move for move in sight.moves if move.source not in sight.attackers and sight.sound(move)]
    return best(sound, (_spoils(sight, move) for move in sound))


def _spoils(sight: Sight, move: Move) -> tuple[int, ...]:
    return sight.taken(move) - sight.risk(move), sight.checks(move)
