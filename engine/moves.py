"""Moves. Each move of a variant is one shared object, used in every position.

`tables` knows the moves of each piece. `movegen` knows which of them are legal.
"""

from __future__ import annotations

from dataclasses import dataclass

from fourfold.engine.geometry import Geometry
from fourfold.engine.pieces import PieceKind


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Move:
    """A move from one square to another, with its promotion. Take moves from `Position.legal_moves`, or from text by
    `Position.find` and `Variant.move`.

    Castling is the king's two-step move, and en passant is an ordinary move; the position knows what they mean.
    Each move of a variant is one object, so compare moves by identity. Moves cannot be pickled: send their `text`.

    >>> from fourfold.engine import Position
    >>> move = Position.start().find("e2e4")
    >>> move.text, move.source, move.target, move.promotion
    ('e2e4', 12, 28, None)
    """

    source: int
    """The number of the square that the piece leaves; for a drop, of its target."""
    target: int
    """The number of the square that it reaches."""
    promotion: PieceKind | None
    """The kind of piece that a pawn becomes, or None."""
    text: str
    """The move in coordinate notation, such as ``e2e4`` or ``e7e8q``; a drop as ``N@f3``."""
    bit: int
    """The target square as a bit mask."""
    drop: PieceKind | None = None
    """The kind of piece that is dropped from the hand, or None. A drop's source is its target."""

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Move {self.text}>"

    def __reduce__(self) -> str:
        raise TypeError(f"A move cannot be pickled: each process has its own object. Send its text, '{self.text}'.")


class MoveTable:
    """The moves of one variant, each created once."""

    def __init__(self, geometry: Geometry) -> None:
        self._names = geometry.names
        self._moves: dict[tuple[int, int, PieceKind | None], Move] = {}
        self.by_text: dict[str, Move] = {}

    def move(self, source: int, target: int, promotion: PieceKind | None = None) -> Move:
        """The move between two squares."""
        move = self._moves.get((source, target, promotion))
        if move is None:
            text = self._names[source] + self._names[target]
            if promotion is not None:
                text += promotion.promotion_letter
            move = Move(source, target, promotion, text, 1 << target)
            self._moves[source, target, promotion] = self.by_text[text] = move
        return move

    def drop(self, kind: PieceKind, target: int) -> Move:
        """The drop of a piece on a square. Call it once for each."""
        text = f"{kind.letter.upper()}@{self._names[target]}"
        self.by_text[text] = move = Move(target, target, None, text, 1 << target, kind)
        return move
