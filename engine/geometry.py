"""The shape of a board: which squares exist, what they are called, and what lies next to what.

A board is drawn as rows of text (``.`` a square, ``#`` none) and kept as a padded grid of cells, so that
"off the board" and "a corner that was cut away" are one and the same cell value. Another shape is another
drawing, not other code. Nothing here knows of pieces, players or rules.

Squares are small integers, counted from the first square of the first rank (``a1`` on 8x8) along each
rank and then upwards, over the squares that exist.
"""

from __future__ import annotations

from typing import NamedTuple

OFF = -1
"""What a step leads to when it leaves the board."""

_PADDING = 2  # a knight's longest stride


class Direction(NamedTuple):
    """A step: so many files to the right, so many ranks up, as the first seat sees the board."""

    files: int
    ranks: int

    def opposite(self) -> Direction:
        return Direction(-self.files, -self.ranks)


NORTH, EAST, SOUTH, WEST = Direction(0, 1), Direction(1, 0), Direction(0, -1), Direction(-1, 0)
NORTH_EAST, SOUTH_EAST = Direction(1, 1), Direction(1, -1)
SOUTH_WEST, NORTH_WEST = Direction(-1, -1), Direction(-1, 1)


class Geometry:
    """A board's shape, read from a drawing whose first row is the highest rank.

    ``names[square]`` is a square's name, ``index[name]`` the way back; ``files`` and ``ranks`` bound the
    board, and ``at`` says which of the cells within these bounds are squares.
    """

    def __init__(self, name: str, drawing: tuple[str, ...]) -> None:
        self.name = name
        self.files = len(drawing[0])
        self.ranks = len(drawing)
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
        self.index = {name: square for square, name in enumerate(names)}
        self.size = len(names)

    def missing(self) -> list[str]:
        """The names of the cells within the bounds that are no squares."""
        cells = ((file, rank) for rank in range(self.ranks) for file in range(self.files))
        return [f"{chr(ord('a') + file)}{rank + 1}" for file, rank in cells if self.at(file, rank) == OFF]

    def __repr__(self) -> str:
        return f"<Geometry {self.name}>"

    def _cell(self, file: int, rank: int) -> int:
        return (rank + _PADDING) * self._width + file + _PADDING

    def at(self, file: int, rank: int) -> int:
        """The square on a file and rank, both counted from 0 and within the bounds, or `OFF`."""
        return self._grid[self._cell(file, rank)]

    def file(self, square: int) -> int:
        """The file of a square, counted from 0."""
        return self._cells[square] % self._width - _PADDING

    def rank(self, square: int) -> int:
        """The rank of a square, counted from 0."""
        return self._cells[square] // self._width - _PADDING

    def step(self, square: int, direction: Direction) -> int:
        """The square one step away (at most two files and two ranks), or `OFF`."""
        return self._grid[self._cells[square] + direction.ranks * self._width + direction.files]

    def ray(self, square: int, direction: Direction) -> tuple[int, ...]:
        """The squares from here to the edge in one direction, nearest first, without the start."""
        squares = []
        while (square := self.step(square, direction)) != OFF:
            squares.append(square)
        return tuple(squares)

    def depth(self, square: int, forward: Direction) -> int:
        """How far a square lies from the side of the board that `forward` points away from; 1 is the
        back row. For the first seat of any game that is the rank's number."""
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
