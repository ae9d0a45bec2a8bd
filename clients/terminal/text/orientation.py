"""A board from a seat's side, where that seat's pawns move up."""

from collections.abc import Sequence
from functools import cached_property
from typing import Self

from fourfold.engine.geometry import OFF, Direction, Geometry
from fourfold.engine.position import Position


class Orientation:
    """A board turned so that `forward` points up.

    `rows` are the squares (numbers, `OFF` for missing ones), topmost row first, each from left to right. `row_labels`
    and `column_labels` name the ranks and files beside and below them.
    """

    def __init__(self, geometry: Geometry, forward: Direction) -> None:
        self.geometry = geometry
        ups = _along(geometry, forward)[::-1]
        rights = _along(geometry, Direction(forward.ranks, -forward.files))
        upright = forward.files == 0
        self.rows = tuple(
            tuple(geometry.at(right, up) if upright else geometry.at(up, right) for right in rights) for up in ups
        )
        ranks, files = (lambda number: str(number + 1)), (lambda number: chr(ord("a") + number))
        self.row_labels = tuple(map(ranks if upright else files, ups))
        self.column_labels = tuple(map(files if upright else ranks, rights))

    @classmethod
    def of(cls, position: Position, seat: str | None = None) -> Self:
        """The orientation of a seat; the first seat's by default."""
        number = 0 if seat is None else position.seats.index(seat)
        return cls(position.geometry, position.rules.seats[number].forward)

    @cached_property
    def places(self) -> dict[str, tuple[int, int]]:
        """The row and column of each square, by name, counted from the top left corner."""
        names = self.geometry.names
        return {
            names[square]: (row, column)
            for row, squares in enumerate(self.rows)
            for column, square in enumerate(squares)
            if square != OFF
        }

    def name(self, row: int, column: int) -> str | None:
        """The square at a row and column; None if there is none."""
        if not (0 <= row < len(self.rows) and 0 <= column < len(self.rows[0])):
            return None
        square = self.rows[row][column]
        return None if square == OFF else self.geometry.names[square]


def _along(geometry: Geometry, direction: Direction) -> Sequence[int]:
    """The files or ranks, counted from 0, in the order of a direction."""
    numbers = range(geometry.files if direction.files else geometry.ranks)
    return numbers if direction.files + direction.ranks > 0 else numbers[::-1]
