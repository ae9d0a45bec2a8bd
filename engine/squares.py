"""Sets of squares, for boards of any shape.

>>> from fourfold.engine.geometry import SQUARE_8
>>> from fourfold.engine.squares import SquareSet
>>> centre = SquareSet.of(SQUARE_8, ("d4", "e4", "d5", "e5"))
>>> sorted(centre - {"e4"}), "d4" in centre, len(~centre)
(['d4', 'd5', 'e5'], True, 60)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass

from fourfold.engine.geometry import OFF, Geometry


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SquareSet(Set[str]):
    """An immutable set of squares of one board, by name, in the board's order. `mask` has a bit for each square number.

    All operators of sets work, with other sets of names too. ``~`` gives all other squares of the board. A set equals
    any set with the same names. `str` draws the board.

    Operations raise `KeyError` for names of squares that the board lacks.
    """

    geometry: Geometry
    """The shape of the board."""
    mask: int = 0
    """The set as an integer: bit n stands for square number n."""

    @classmethod
    def of(cls, geometry: Geometry, names: Iterable[str]) -> SquareSet:
        """The set of the squares with these names."""
        return cls(geometry, _mask(geometry, names))

    def __contains__(self, name: object) -> bool:
        square = self.geometry.index.get(name, OFF) if isinstance(name, str) else OFF
        return square != OFF and bool(self.mask >> square & 1)

    def __iter__(self) -> Iterator[str]:
        names = self.geometry.names
        return (names[square] for square in self.numbers())

    def __len__(self) -> int:
        return self.mask.bit_count()

    def numbers(self) -> Iterator[int]:
        """The numbers of the squares, in ascending order."""
        rest = self.mask
        while rest:
            lowest = rest & -rest
            yield lowest.bit_length() - 1
            rest ^= lowest

    def __and__(self, other: Iterable[object]) -> SquareSet:
        # Names of other boards' squares are never common.
        names = self.geometry.index
        return self._with(self.mask & self._of(name for name in other if isinstance(name, str) and name in names))

    def __or__(self, other: Iterable[str]) -> SquareSet:  # type: ignore[override]  # names of squares alone
        return self._with(self.mask | self._of(other))

    def __xor__(self, other: Iterable[str]) -> SquareSet:  # type: ignore[override]
        return self._with(self.mask ^ self._of(other))

    def __sub__(self, other: Iterable[object]) -> SquareSet:
        return self._with(self.mask & ~(self & other).mask)

    def __rsub__(self, other: Iterable[str]) -> SquareSet:
        return self._with(self._of(other) & ~self.mask)

    def __invert__(self) -> SquareSet:
        return self._with(~self.mask & (1 << self.geometry.size) - 1)

    __rand__, __ror__, __rxor__ = __and__, __or__, __xor__

    def __hash__(self) -> int:
        return self._hash()

    def __str__(self) -> str:
        """The board as lines of text, highest rank first: ``1`` a square of the set, ``.`` another square."""
        board = self.geometry
        rows = ((board.at(file, rank) for file in range(board.files)) for rank in reversed(range(board.ranks)))
        marks = {OFF: " "} | {square: ".1"[self.mask >> square & 1] for square in range(board.size)}
        return "\n".join(" ".join(marks[square] for square in row).rstrip() for row in rows)

    def __repr__(self) -> str:
        return f"<SquareSet {' '.join(self) or 'empty'}>"

    def _of(self, other: Iterable[str]) -> int:
        if isinstance(other, SquareSet) and other.geometry is self.geometry:
            return other.mask
        return _mask(self.geometry, other)

    def _with(self, mask: int) -> SquareSet:
        return SquareSet(self.geometry, mask)


def _mask(geometry: Geometry, names: Iterable[str]) -> int:
    mask = 0
    for name in names:
        mask |= 1 << geometry.index[name]
    return mask
