"""The kinds of pieces, their letters, and how each of them steps. No board, no rules of a game.

Where pieces may go also depends on what stands in their way: that is `movegen`'s part.
"""

from __future__ import annotations

from dataclasses import dataclass
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
    """A kind of piece. The promoted queen of four-player chess moves as a queen and is worth one point."""

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
        """The letter for promoting to it: a promoted queen is written q, like any other."""
        return PieceKind.QUEEN.letter if self is PieceKind.PROMOTED_QUEEN else self.letter

    @property
    def noun(self) -> str:
        """The word for a sentence: "knight"."""
        return "queen" if self is PieceKind.PROMOTED_QUEEN else self.name.lower()


KIND_OF_LETTER = {kind.letter: kind for kind in PieceKind}

NOBODY = -1
"""The seat of a grey piece whose owner is not known."""


@dataclass(frozen=True, slots=True)
class Piece:
    """What stands on a square: whose it is (a seat's number), what it is, and whether it has turned grey
    (its player is out: it blocks and can be taken, but neither moves nor attacks)."""

    seat: int
    kind: PieceKind
    grey: bool = False


AXES: tuple[tuple[Direction, Direction], ...] = (
    (EAST, WEST),
    (NORTH, SOUTH),
    (NORTH_EAST, SOUTH_WEST),
    (NORTH_WEST, SOUTH_EAST),
)
"""The four lines through a square: two orthogonal ones, then two diagonal ones; each first towards squares
of higher numbers."""

ORTHOGONAL, DIAGONAL = (0, 1), (2, 3)

SLIDES: dict[PieceKind, tuple[int, ...]] = {
    PieceKind.BISHOP: DIAGONAL,
    PieceKind.ROOK: ORTHOGONAL,
    PieceKind.QUEEN: ORTHOGONAL + DIAGONAL,
    PieceKind.PROMOTED_QUEEN: ORTHOGONAL + DIAGONAL,
}
"""Along which of the `AXES` a sliding piece moves."""

LEAPS: dict[PieceKind, tuple[Direction, ...]] = {
    PieceKind.KNIGHT: tuple(
        Direction(files, ranks) for files in (-2, -1, 1, 2) for ranks in (-2, -1, 1, 2) if abs(files) != abs(ranks)
    ),
    PieceKind.KING: tuple(direction for axis in AXES for direction in axis),
}
"""Where a piece that does not slide steps to."""


def sideways(forward: Direction) -> tuple[Direction, Direction]:
    """The two directions across a pawn's way."""
    return Direction(forward.ranks, forward.files), Direction(-forward.ranks, -forward.files)


def pawn_captures(forward: Direction) -> tuple[Direction, Direction]:
    """Where a pawn captures: one forward and one to the side."""
    one, other = sideways(forward)
    return (
        Direction(forward.files + one.files, forward.ranks + one.ranks),
        Direction(forward.files + other.files, forward.ranks + other.ranks),
    )
