"""What follows from a move among four: who goes out, what becomes of the army, whose turn is next.

A player whose king is taken, or attacked without a remedy, is out at once, also when others would move
before him (where the rules judge mate at once). His pieces turn grey and stay: they bar the way and can be
taken, but attack nothing.

These functions finish a position that is being built, before anybody has seen it.
"""

from __future__ import annotations

from engine.movegen import can_move, in_check
from engine.outcome import Elimination, Termination
from engine.pieces import Piece
from engine.position import Position
from engine.tables import Man


def expose(position: Position, mover: int) -> None:
    """Note whose live king is attacked, apart from the mover's."""
    tables = position.tables
    kings, forces, total = position.kings, position.forces, position.total
    exposed: tuple[int, ...] = ()
    for seat in tables.clockwise[mover]:
        king = kings[seat]
        if king >= 0:
            threats = tables.threats[king]
            if threats.reached(total ^ forces[tables.teams[seat]], total):
                exposed += (seat,)
    position.exposed = exposed


def judge_mates(position: Position, mover: int, by: int | None) -> None:
    """Put out everybody who is mated, clockwise from the mover. Each goes grey before the next is judged,
    and may so save him."""
    for seat in position.exposed:
        if in_check(position, seat) and not can_move(position, seat):
            go_out(position, seat, Termination.CHECKMATE, by)
    if position.eliminated:
        expose(position, mover)


def take_kings(position: Position, taken: tuple[Man, ...], by: int) -> None:
    """Put out everybody whose live king was taken."""
    for man in taken:
        if man.king and not man.piece.grey:
            go_out(position, man.seat, Termination.KING_CAPTURED, by)


def go_out(position: Position, seat: int, reason: Termination, by: int | None) -> None:
    """Put a seat out: note it, and turn its army grey."""
    elimination = Elimination(seat, reason, by)
    position.alive = tuple(other for other in position.alive if other != seat)
    position.out = (*position.out, elimination)
    position.eliminated = (*position.eliminated, elimination)
    turn_grey(position, seat)


def turn_grey(position: Position, seat: int) -> None:
    """Make all pieces of a seat grey; its rights are gone."""
    tables = position.tables
    armies, forces = position.armies, position.forces
    grey = armies[-1] = armies[-1].copy()
    for man in armies[seat].values():
        shadow = tables.men_of(Piece(seat, man.kind, grey=True))[man.square]
        grey[man.square] = shadow
        forces[man.team] ^= man.mark
        forces[-1] ^= shadow.mark
        position.total ^= man.mark ^ shadow.mark
    armies[seat] = {}
    position.kings = (*position.kings[:seat], -1, *position.kings[seat + 1 :])
    for castle in tables.castles_of[seat]:
        position.rights &= ~castle.bit
    # No earlier position can come again.
    position.history = b""


def pass_turn(position: Position, mover: int) -> None:
    """Give the turn to the next seat that has a live king. A seat that is passed over loses the double
    step that could still be taken in passing."""
    for seat in position.tables.clockwise[mover]:
        if position.kings[seat] >= 0:
            position.turn = seat
            return
        if position.steps:
            position.steps = tuple(step for step in position.steps if step.seat != seat)
