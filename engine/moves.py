"""Moves, each of them one object, made once and used in every position.

Where a piece may go is `tables`' knowledge; whether a move leaves the king in check is `movegen`'s question.
"""

from __future__ import annotations

from dataclasses import dataclass

from fourfold.engine.geometry import Geometry
from fourfold.engine.pieces import PieceKind


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Move:
    """From one square to another, promoting to a kind of piece if the move does.

    Castling is the king's two-step move and en passant an ordinary one; the position knows what they mean.
    `text` is the move in coordinate notation (``e2e4``, ``e7e8q``), `bit` the target square's bit. There
    is one object for each move of a variant, so moves are compared by identity.
    """

    source: int
    target: int
    promotion: PieceKind | None
    text: str
    bit: int

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Move {self.text}>"

    def __reduce__(self) -> str:
        raise TypeError(f"A move is one object in each process and is not pickled: send its text, '{self.text}'.")


class MoveTable:
    """All moves of one variant, each made once."""

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
