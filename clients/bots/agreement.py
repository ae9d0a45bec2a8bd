"""When a program agrees to end a game before it is decided, and when it claims the end that the rules allow.

To end it is worth something to those only who stand no better than the others; or, where points count, who would come
first. It looks no move ahead.
"""

from typing import Final

from fourfold.clients.bots.evaluation import PAWN, Evaluation
from fourfold.clients.table import Table
from fourfold.engine.outcome import Termination
from fourfold.engine.position import Position

SETTLED: Final = 20
"""So many moves of its own a program plays before it agrees to end a game."""

BETTER: Final = PAWN // 2
"""From this advantage on, for its team over the mean of the others, a program wants to play on."""


def agrees(table: Table, seat: str) -> bool:
    """Whether who plays a seat agrees to a draw; where points count, to end the game on points."""
    # Those who are out make no moves, so that whoever is still in has made at least so many.
    if len(table.moves) // len(table.seats) < SETTLED:
        return False
    return _profits(table.position, table.position.seats.index(seat))


def claims(table: Table, seat: str) -> bool:
    """Whether who plays a seat, and may claim the end of the game, does so."""
    return _profits(table.position, table.position.seats.index(seat))


def _profits(position: Position, seat: int) -> bool:
    """Whether to end the game now is no loss to a seat."""
    if position.points is None:
        return Evaluation(position, seat).of(position) < BETTER
    if position.may_claim(seat) is Termination.POINTS:
        outcome = position.claim(seat).outcome
    else:
        outcome = position.end_in_draw(Termination.AGREEMENT).outcome
    return outcome is not None and seat in outcome.winners
