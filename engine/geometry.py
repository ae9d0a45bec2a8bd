"""The shape of a board: its squares, their names and their neighbours.

A board is drawn as rows of text (``.`` a square, ``#`` none). In memory it is a padded grid of cells, in
which "off the board" and "a missing corner" have the same value. For another shape, write another drawing.
This module knows no pieces, players or rules.

Squares are small integers. They count from the first square of the first rank (``a1`` on 8x8) along each
rank and then upwards, and skip missing corners.
"""

from __future__ import annotations

from typing import NamedTuple

OFF = -1
"""The result of a step that leaves the board."""

_PADDING = 2  # a knight's longest stride


class Direction(NamedTuple):
    """A step on the board, as the first seat sees it."""

    files: int
    """Files to the right; negative to the left."""
    ranks: int
    """Ranks up; negative down."""

    def opposite(self) -> Direction:
        """The step back."""
        return Direction(-self.files, -self.ranks)


NORTH, EAST, SOUTH, WEST = Direction(0, 1), Direction(1, 0), Direction(0, -1), Direction(-1, 0)
NORTH_EAST, SOUTH_EAST = Direction(1, 1), Direction(1, -1)
SOUTH_WEST, NORTH_WEST = Direction(-1, -1), Direction(-1, 1)


class Geometry:
    """A board's shape, read from a drawing whose first row is the highest rank.

    >>> from fourfold.engine.geometry import CROSS_14
    >>> CROSS_14.size, CROSS_14.names[0], CROSS_14.index["h7"], CROSS_14.at(0, 0)
    (160, 'd1', 73, -1)
    """

    def __init__(self, name: str, drawing: tuple[str, ...]) -> None:
        self.name = name
        """Such as ``8x8``."""
        self.files = len(drawing[0])
        """The number of files, missing corners included."""
        self.ranks = len(drawing)
        """The number of ranks, missing corners included."""
        self._width = self.files + 2 * _PADDING
        self._grid = [OFF] * (self._width * (self.ranks + 2 * _PADDING))
        self._cells: list[int] = []
        names: list[str] = []
        for rank, row in enumerate(reversed(drawing)):
            for file, cell in enumerate(row):
                if cell == ".":
                    place = self._cell(file, rank)
                    self._grid[place] = len(names)
                    self._cells.append(place)
                    names.append(f"{chr(ord('a') + file)}{rank + 1}")
        self.names = tuple(names)
        """The name of each square, by number."""
        self.index = {name: square for square, name in enumerate(names)}
        """The number of each square, by name."""
        self.size = len(names)
        """The number of squares that exist."""

    def rows(self) -> list[list[int]]:
        """The squares of each rank, from the highest down; `OFF` for missing ones."""
        return [[self.at(file, rank) for file in range(self.files)] for rank in reversed(range(self.ranks))]

    def missing(self) -> list[str]:
        """The names of the missing squares, such as ``a1`` on the 14x14 board."""
        cells = ((file, rank) for rank in range(self.ranks) for file in range(self.files))
        return [f"{chr(ord('a') + file)}{rank + 1}" for file, rank in cells if self.at(file, rank) == OFF]

    def __repr__(self) -> str:
        return f"<Geometry {self.name}>"

    def _cell(self, file: int, rank: int) -> int:
        return (rank + _PADDING) * self._width + file + _PADDING

    def at(self, file: int, rank: int) -> int:
        """The square on a file and rank, or `OFF`. Both count from 0 and must lie within the bounds."""
        return self._grid[self._cell(file, rank)]

    def row(self, rank: int) -> list[int]:
        """The squares of a rank, one for each file; `OFF` where there is none. Ranks count from 0."""
        start = self._cell(0, rank)
        return self._grid[start : start + self.files]

    def file(self, square: int) -> int:
        """The file of a square, counted from 0."""
        return self._cells[square] % self._width - _PADDING

    def rank(self, square: int) -> int:
        """The rank of a square, counted from 0."""
        return self._cells[square] // self._width - _PADDING

    def step(self, square: int, direction: Direction) -> int:
        """The square one step away, or `OFF`. A step is at most two files and two ranks."""
        return self._grid[self._cells[square] + direction.ranks * self._width + direction.files]

    def ray(self, square: int, direction: Direction) -> tuple[int, ...]:
        """The squares from here to the edge in one direction, nearest first. The start is left out."""
        squares = []
        while (square := self.step(square, direction)) != OFF:
            squares.append(square)
        return tuple(squares)

    def depth(self, square: int, forward: Direction) -> int:
        """The rank of a square as the seat with this `forward` direction counts: 1 is its back row. For the
        first seat of any game this is the rank's number."""
        if forward.ranks:
            rank = self.rank(square)
            return rank + 1 if forward.ranks > 0 else self.ranks - rank
        file = self.file(square)
        return file + 1 if forward.files > 0 else self.files - file


SQUARE_8 = Geometry("8x8", ("........",) * 8)

CROSS_14 = Geometry(
    "14x14",
    ("###........###",) * 3 + ("..............",) * 8 + ("###........###",) * 3,
)
