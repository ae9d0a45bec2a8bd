"""The kinds of pieces, their letters, and their steps on an empty board.

`movegen` adds the pieces that stand in the way.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum

from fourfold.engine.geometry import (
    EAST,
    NORTH,
    NORTH_EAST,
    NORTH_WEST,
    SOUTH,
    SOUTH_EAST,
    SOUTH_WEST,
    WEST,
    Direction,
)


class PieceKind(IntEnum):
    """A kind of piece. The promoted queen of four-player chess moves like a queen and is worth one point."""

    PAWN = 0
    KNIGHT = 1
    BISHOP = 2
    ROOK = 3
    QUEEN = 4
    KING = 5
    PROMOTED_QUEEN = 6

    @property
    def letter(self) -> str:
        """The lower-case letter of FEN and FEN4."""
        return "pnbrqkd"[self]

    @property
    def promotion_letter(self) -> str:
        """The letter of a promotion to this kind. A promoted queen has ``q``, like any queen."""
        return PieceKind.QUEEN.letter if self is PieceKind.PROMOTED_QUEEN else self.letter

    @property
    def noun(self) -> str:
        """The English word, such as ``knight``."""
        return "queen" if self is PieceKind.PROMOTED_QUEEN else self.name.lower()


KIND_OF_LETTER = {kind.letter: kind for kind in PieceKind}

NOBODY = -1
"""The seat of a grey piece whose owner is not known."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece: its owner and its kind.

    >>> from fourfold.engine import Piece, PieceKind
    >>> Piece(0, PieceKind.KNIGHT).kind.noun
    'knight'
    """

    seat: int
    """The number of the owner's seat."""
    kind: PieceKind
    """The kind of piece."""
    grey: bool = False
    """Whether the owner is out. A grey piece blocks and can be captured. It neither moves nor attacks."""
    promoted: bool = field(default=False, repr=False)
    """Whether it was a pawn, in variants with drops: it is a pawn again in the hand of its captor."""


AXES: tuple[tuple[Direction, Direction], ...] = (
    (EAST, WEST),
    (NORTH, SOUTH),
    (NORTH_EAST, SOUTH_WEST),
    (NORTH_WEST, SOUTH_EAST),
)
"""The four lines through a square: two orthogonal ones, then two diagonal ones. The first direction of each leads
to squares with higher numbers."""

ORTHOGONAL, DIAGONAL = (0, 1), (2, 3)

SLIDES: dict[PieceKind, tuple[int, ...]] = {
    PieceKind.BISHOP: DIAGONAL,
    PieceKind.ROOK: ORTHOGONAL,
    PieceKind.QUEEN: ORTHOGONAL + DIAGONAL,
    PieceKind.PROMOTED_QUEEN: ORTHOGONAL + DIAGONAL,
}
"""The indices in `AXES` of the lines that a sliding piece moves along."""

LEAPS: dict[PieceKind, tuple[Direction, ...]] = {
    PieceKind.KNIGHT: tuple(
        Direction(files, ranks) for files in (-2, -1, 1, 2) for ranks in (-2, -1, 1, 2) if abs(files) != abs(ranks)
    ),
    PieceKind.KING: tuple(direction for axis in AXES for direction in axis),
}
"""The steps of the pieces that do not slide."""


def sideways(forward: Direction) -> tuple[Direction, Direction]:
    """The two directions at right angles to a pawn's."""
    return Direction(forward.ranks, forward.files), Direction(-forward.ranks, -forward.files)


def pawn_captures(forward: Direction) -> tuple[Direction, Direction]:
    """A pawn's two capturing steps: one square forward and one to the side."""
    one, other = sideways(forward)
    return (
        Direction(forward.files + one.files, forward.ranks + one.ranks),
        Direction(forward.files + other.files, forward.ranks + other.ranks),
    )
