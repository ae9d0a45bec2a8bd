"""When a bot agrees to end a game, and when it claims the end that the rules allow.

A bot agrees if it stands no better than the others or, where points count, if it would come first. It looks no move
ahead.
"""

from typing import Final

from fourfold.clients.bots.evaluation import PAWN
from fourfold.clients.bots.mailbox import worth
from fourfold.clients.table import Table
from fourfold.engine.outcome import Termination
from fourfold.engine.position import Position

SETTLED: Final = 20
"""Moves of its own that a bot plays before it agrees to end a game."""

BETTER: Final = PAWN // 2
"""The advantage of its team over the mean of the others from which a bot plays on."""


def agrees(table: Table, seat: str) -> bool:
    """Whether a bot at a seat agrees to a draw; where points count, to end the game on points."""
    # Those who are out make no moves, so that whoever is still in has made at least so many.
    if len(table.moves) // len(table.seats) < SETTLED:
        return False
    return _profits(table.position, table.position.seats.index(seat))


def claims(table: Table, seat: str) -> bool:
    """Whether a bot at a seat that may claim the end of the game does so."""
    return _profits(table.position, table.position.seats.index(seat))


def _profits(position: Position, seat: int) -> bool:
    """Whether to end the game now is no loss to a seat."""
    if position.points is None:
        return worth(position, seat) < BETTER
    if position.may_claim(seat) is Termination.POINTS:
        outcome = position.claim(seat).outcome
    else:
        outcome = position.end_in_draw(Termination.AGREEMENT).outcome
    return outcome is not None and seat in outcome.winners
