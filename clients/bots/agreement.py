"""Whether a bot agrees to a draw, and whether it claims the end that the rules allow.

A bot agrees unless it stands better than the others. Where points count, it agrees if it would come first. It does not
look ahead.
"""

from typing import Final

from fourfold.clients.bots.search.evaluation import PAWN
from fourfold.clients.bots.search.mailbox import worth
from fourfold.clients.table import Table
from fourfold.engine.outcome import Termination
from fourfold.engine.position import Position

SETTLED: Final = 20
"""Moves of its own that a bot plays before it agrees to a draw."""

BETTER: Final = PAWN // 2
"""The lead over the mean of the other teams, in pawns, above which a bot plays on."""


def agrees(table: Table, seat: str) -> bool:
    """Whether a bot at a seat agrees to a draw, or where points count, to end the game on points."""
    # Eliminated players have no turns, so every player still in has made at least this many moves.
    if len(table.moves) // len(table.seats) < SETTLED:
        return False
    return _profits(table.position, table.position.seats.index(seat))


def claims(table: Table, seat: str) -> bool:
    """Whether a bot at a seat with a claim claims the end of the game."""
    return _profits(table.position, table.position.seats.index(seat))


def _profits(position: Position, seat: int) -> bool:
    """Whether ending the game now costs a seat nothing."""
    if position.points is None:
        return worth(position, seat) < BETTER
    if position.may_claim(seat) is Termination.POINTS:
        outcome = position.claim(seat).outcome
    else:
        outcome = position.end_in_draw(Termination.AGREEMENT).outcome
    return outcome is not None and seat in outcome.winners
