"""Polyglot, the format of opening books for two players (http://hgm.nubati.net/book_format.html): entries of 16 bytes
that are sorted by the position's key.

Read the file yourself, for a large book as ``memoryview(mmap.mmap(...))``.

>>> from fourfold.engine import Position
>>> from fourfold.engine.twoplayer import polyglot
>>> hex(polyglot.key(Position.start()))
'0x463b96181691fc9c'
>>> book = polyglot.Book(bytes.fromhex("463b96181691fc9c 031c 0007 00000000"))
>>> [(entry.move.text, entry.weight) for entry in book.entries(Position.start())]
[('e2e4', 7)]
"""

from __future__ import annotations

import struct
from bisect import bisect_left
from typing import Final, NamedTuple

from fourfold.engine.errors import IllegalMove, InvalidNotation
from fourfold.engine.moves import Move
from fourfold.engine.position import Position
from fourfold.engine.twoplayer.polyglot_keys import KEYS

_ENTRY: Final = struct.Struct(">QHHI")
_CASTLING, _EN_PASSANT, _TURN = 768, 772, 780
_PROMOTIONS: Final = ("", "n", "b", "r", "q")
_FILES: Final = "abcdefgh"


class Entry(NamedTuple):
    """A move of a book."""

    move: Move
    """The move, legal in the position."""
    weight: int
    """How good the move is; 0 means that it should not be played. Choose among moves in proportion to it."""
    learn: int
    """A number for programs that learn; 0 in most books."""


class Book:
    """An opening book. Raises `InvalidNotation` (`invalid_book`) if the data are not whole entries."""

    def __init__(self, data: bytes | bytearray | memoryview) -> None:
        self._data = memoryview(data)
        if len(self._data) % _ENTRY.size:
            raise InvalidNotation("invalid_book", f"A Polyglot book has entries of {_ENTRY.size} bytes each.")

    def __len__(self) -> int:
        """The number of entries."""
        return len(self._data) // _ENTRY.size

    def entries(self, position: Position) -> list[Entry]:
        """The legal moves of the book in a position, the highest weight first; empty if the position is not in it.
        Raises `ValueError` as `key` does."""
        wanted = key(position)
        at = bisect_left(range(len(self)), wanted, key=lambda number: self._entry(number)[0])
        found = []
        while at < len(self) and (entry := self._entry(at))[0] == wanted:
            move = _move(position, entry[1])
            if move is not None:
                found.append(Entry(move, entry[2], entry[3]))
            at += 1
        return sorted(found, key=lambda entry: -entry.weight)

    def _entry(self, number: int) -> tuple[int, int, int, int]:
        key, move, weight, learn = _ENTRY.unpack_from(self._data, number * _ENTRY.size)
        return key, move, weight, learn


def key(position: Position) -> int:
    """The 64-bit key of a position in Polyglot books. Counters make no difference. Raises `ValueError` unless the
    board is 8x8 and has two players."""
    if len(position.seats) != 2 or position.geometry.name != "8x8":
        raise ValueError("Polyglot books have positions for two players on 8x8 only.")
    found = 0
    for seat in range(2):
        for man in position.men(seat):
            found ^= KEYS[64 * (2 * man.kind + 1 - seat) + man.square]
        for castle in position.castles(seat):
            found ^= KEYS[_CASTLING + 2 * seat + (not castle.short)]
    for step in position.steps:
        if position.takers(position.turn, step):
            found ^= KEYS[_EN_PASSANT + position.geometry.file(step.skipped)]
    return found if position.turn else found ^ KEYS[_TURN]


def _move(position: Position, packed: int) -> Move | None:
    """The legal move of an entry; None if it is illegal here, because another position has the same key."""
    target, source = (f"{_FILES[packed >> shift & 7]}{(packed >> shift + 3 & 7) + 1}" for shift in (0, 6))
    promotion = packed >> 12 & 7
    if promotion >= len(_PROMOTIONS):
        return None
    try:
        return position.find(source + target + _PROMOTIONS[promotion])
    except IllegalMove:
        return None
