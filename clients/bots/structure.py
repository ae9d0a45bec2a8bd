"""What stands well together on the board of two: pawns, and the king behind them.

The unit is a hundredth of a pawn. Squares are bits of an integer: a1 is the lowest, b1 the next, h8 the highest. What
was found is remembered, since most moves of a search change neither. (Rooks on open files and two bishops were tried:
to look for them costs a quarter of the positions that are searched.)
"""

from __future__ import annotations

from typing import Final

_BOARD: Final = (1 << 64) - 1
_FILE: Final = [0x0101010101010101 << file for file in range(8)]
_BESIDE: Final = [_FILE[file - 1] * (file > 0) | _FILE[(file + 1) % 8] * (file < 7) for file in range(8)]
"""The files next to each."""

_AHEAD: Final = [_FILE[square & 7] & _BOARD << 8 * ((square >> 3) + 1) & _BOARD for square in range(64)]
"""The squares before each on its own file, as the side that goes up the board sees it."""

_WAY: Final = [
    (_FILE[square & 7] | _BESIDE[square & 7]) & _BOARD << 8 * ((square >> 3) + 1) & _BOARD for square in range(64)
]
"""The same with the files beside: where no opposing pawn stands, the pawn has passed them all."""

_FRIENDS: Final = [_BESIDE[square & 7] & (0xFFFF << 8 * (square >> 3) >> 8) & _BOARD for square in range(64)]
"""Where a pawn that supports a pawn on each square stands: beside it, or behind and beside."""

_PASSED: Final = ((0, 0), (0, 6), (4, 12), (10, 26), (22, 48), (40, 80), (60, 115), (0, 0))
"""What a passed pawn is worth besides by its row, in the opening and in the endgame."""

_DOUBLED: Final = (-10, -18)
_ISOLATED: Final = (-12, -12)
_REMEMBERED: Final = 50_000


class Structure:
    """Judges positions of one search."""

    def __init__(self, stages: int) -> None:
        """`stages` is how finely the way from the opening (`stages`) to the endgame (0) is divided."""
        self._stages = stages
        self._known: dict[tuple[int, tuple[int, ...]], tuple[int, int]] = {}

    def of(self, pawns: int, kings: tuple[int, ...], stage: int) -> int:
        """How much better the first side stands, at a stage of the game. `pawns` are those of the first side and, 64
        bits above, of the other; `kings` are the squares of both."""
        key = pawns, kings
        found = self._known.get(key)
        if found is None:
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            white, black = pawns & _BOARD, pawns >> 64
            own = _side(white, black, kings[0], kings[1])
            theirs = _side(_turned(black), _turned(white), kings[1] ^ 56, kings[0] ^ 56)
            found = self._known[key] = own[0] - theirs[0], own[1] - theirs[1]
        early, late = found
        return int((early * stage + late * (self._stages - stage)) / self._stages)


def _side(pawns: int, others: int, king: int, foe: int) -> tuple[int, int]:
    """The worth of a side's pawns and of its king's place, in the opening and in the endgame; it goes up the board."""
    early, late = _shelter(pawns, others, king), 0
    left = pawns
    while left:
        square = (left & -left).bit_length() - 1
        left &= left - 1
        row = square >> 3
        doubled = pawns & _AHEAD[square]
        if doubled:
            early, late = early + _DOUBLED[0], late + _DOUBLED[1]
        if not pawns & _BESIDE[square & 7]:
            early, late = early + _ISOLATED[0], late + _ISOLATED[1]
        elif pawns & _FRIENDS[square]:
            early, late = early + 4 + 2 * row, late + 2 + row
        if not doubled and not others & _WAY[square]:
            early, late = early + _PASSED[row][0], late + _PASSED[row][1]
            if row > 2:  # who is near the square before it helps it, or stops it
                late += (5 * _apart(foe, square + 8) - 3 * _apart(king, square + 8)) * (row - 1) // 2
    return early, late


def _shelter(pawns: int, others: int, king: int) -> int:
    """The worth of the pawns before a king, and of those that come at it, while there are pieces to attack it."""
    row = king >> 3
    if row > 1:
        return -78
    middle = min(max(king & 7, 1), 6)
    worth = 0
    for file in (middle - 1, middle, middle + 1):
        own, hostile = pawns & _FILE[file], others & _FILE[file]
        before = own >> 8 * (row + 1)
        if not own:
            worth -= 16 if hostile else 26
        elif before & 0xFF:
            worth += 10
        elif before & 0xFF00:
            worth += 5
        elif not before:
            worth -= 8
        if hostile:
            nearest = (hostile & -hostile).bit_length() - 1 >> 3
            worth -= 5 * max(0, 4 - nearest)
    return worth


def _apart(square: int, other: int) -> int:
    """How many moves a king needs from one square to another."""
    return max(abs((square & 7) - (other & 7)), abs((square >> 3) - (other >> 3)))


def _turned(squares: int) -> int:
    """The same squares, seen from the other side of the board."""
    return int.from_bytes(squares.to_bytes(8, "little"), "big")
