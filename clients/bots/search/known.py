"""The transposition table: results of a search by position, for later visits of the same position.

An entry is one integer, not a tuple: a table has hundreds of thousands of entries, and Python's garbage collector
would visit each tuple again and again.
"""

from __future__ import annotations

from itertools import islice
from typing import Final

from fourfold.engine.moves import Move

EXACT: Final = 0
AT_LEAST: Final = 1
AT_MOST: Final = 2
"""The kinds of scores."""

_BOUND: Final = 3
_DEPTH: Final = 2
_MOVE: Final = 10
_SCORE: Final = 26
"""The first bit of the depth, of the move's number, and of the score. The lowest bits are the kind of score."""

_ZERO: Final = 1 << 22
"""The score 0 in an entry: scores are negative too."""


class Known:
    """Results by position: the depth of its search, its score, the kind of score, and the best move."""

    def __init__(self) -> None:
        self._entries: dict[int, int] = {}
        self._moves: list[Move | None] = [None]
        self._numbers: dict[Move, int] = {}
        """Entries have the number of a move in `_moves`."""

    def __len__(self) -> int:
        return len(self._entries)

    def entry(self, key: int) -> int:
        """The entry of a position; -1 if there is none."""
        found = self._entries.get(key)
        return -1 if found is None else found

    def move(self, entry: int) -> Move | None:
        """The best move of an entry, if one is known."""
        return self._moves[entry >> _MOVE & 0xFFFF]

    def remember(self, key: int, depth: int, score: int, bound: int, move: Move | None, most: int) -> None:
        """Put in an entry. If there are already `most` entries, the older half goes."""
        entries = self._entries
        if len(entries) >= most:
            for old in list(islice(entries, most // 2)):
                del entries[old]
        number = 0
        if move is not None:
            numbered = self._numbers.get(move)
            if numbered is None:
                numbered = self._numbers[move] = len(self._moves)
                self._moves.append(move)
            number = numbered
        entries[key] = score + _ZERO << _SCORE | number << _MOVE | max(depth, 0) << _DEPTH | bound


def depth_of(entry: int) -> int:
    """The depth of an entry's search, in plies."""
    return entry >> _DEPTH & 0xFF


def score_of(entry: int) -> int:
    """The score of an entry."""
    return (entry >> _SCORE) - _ZERO


def bound_of(entry: int) -> int:
    """The kind of an entry's score: `EXACT`, `AT_LEAST` or `AT_MOST`."""
    return entry & _BOUND
