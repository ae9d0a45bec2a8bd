"""The layout of squares on the screen: a board in columns and rows of characters, at some size.

Pure. An `Orientation` knows the order of squares; here they have a width and a height. This module knows no pieces and
no colours.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

from fourfold.clients.terminal.text.orientation import Orientation


class Size(NamedTuple):
    """Columns and rows: of a square, or of a whole board."""

    width: int
    height: int


SIZES: Final = tuple(Size(*size) for size in ((3, 1), (5, 2), (7, 3), (8, 4), (10, 5), (12, 6), (14, 7), (16, 8)))
"""The sizes of a square. From four rows on, pieces are drawn as figures."""

LABELS: Final = Size(3, 1)
"""The room for the labels of ranks and files, left of the board and below it."""


@dataclass(frozen=True, slots=True)
class Grid:
    """A board whose squares are `square` characters large."""

    orientation: Orientation
    square: Size

    @property
    def columns(self) -> int:
        """Squares in a row of the screen."""
        return len(self.orientation.column_labels)

    @property
    def rows(self) -> int:
        """Squares in a column of the screen."""
        return len(self.orientation.row_labels)

    @property
    def size(self) -> Size:
        """The size of the whole drawing, labels included."""
        return Size(LABELS.width + self.columns * self.square.width, self.rows * self.square.height + LABELS.height)

    def under(self, x: int, y: int) -> str | None:
        """The square at a character of the drawing; None outside the board."""
        return self.orientation.name(y // self.square.height, (x - LABELS.width) // self.square.width)

    def corner(self, name: str) -> tuple[int, int]:
        """The first character of a square in the drawing: x and y."""
        row, column = self.orientation.places[name]
        return LABELS.width + column * self.square.width, row * self.square.height

    def light(self, name: str) -> bool:
        """Whether a square is a light one."""
        geometry = self.orientation.geometry
        square = geometry.index[name]
        return (geometry.file(square) + geometry.rank(square)) % 2 == 1


def largest(orientation: Orientation, room: Size) -> int:
    """The index of the largest of the `SIZES` at which a board fits; 0 if none does."""
    fitting = [
        number
        for number, square in enumerate(SIZES)
        if (size := Grid(orientation, square).size).width <= room.width and size.height <= room.height
    ]
    return max(fitting, default=0)
