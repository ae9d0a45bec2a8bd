"""Castling in algebraic notation, ``O-O`` and ``O-O-O``, for every board."""

from __future__ import annotations

from fourfold.engine.errors import IllegalMove
from fourfold.engine.moves import Move
from fourfold.engine.position import Position

_SHORT = {"O-O": True, "O-O-O": False}


def read(position: Position, text: str) -> Move | None:
    """The castling move for ``O-O`` or ``O-O-O``, with letters or zeros; None for any other text. Raises
    `IllegalMove`, as `Position.find` does."""
    short = _SHORT.get(text.upper().replace("0", "O"))
    if short is None:
        return None
    for castle in (*position.castles(position.turn), *position.tables.castles_of[position.turn]):
        if castle.short == short and castle.move.source == position.kings[position.turn]:
            return position.find(castle.move.text)
    seat = position.rules.seats[position.turn].called
    raise IllegalMove("cannot_move_there", f"{seat} cannot castle: the king is not on its starting square.")


def write(position: Position, move: Move) -> str | None:
    """The text of a legal castling; None for any other move."""
    castle = position.castle_of(move)
    if castle is None:
        return None
    return "O-O" if castle.short else "O-O-O"
