"""What a position is worth on the board of two: its men by their squares, and what stands well together.

The unit is a hundredth of a pawn. Squares are bits of an integer: a1 is the lowest, b1 the next, h8 the highest. The
numbers were found as those of `squares` were. `mailbox` puts them together.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from fourfold.clients.bots.squares import ENDGAME, OPENING
from fourfold.engine.pieces import PieceKind
from fourfold.engine.tables import Man, Tables

_BOARD: Final = (1 << 56) - 1
"""All squares on which pawns can stand, and the row before the first of them; compiled code holds so many bits in a
register."""

_ROWS: Final = 0x0101010101010101
"""The first square of each row."""

_FILE: Final = [_ROWS << file & _BOARD for file in range(8)]
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

_PASSED: Final = ((0, 0), (5, 11), (-22, 31), (-19, 22), (2, 44), (15, 93), (56, 174), (0, 0))
"""What a passed pawn is worth besides by its row, in the opening and in the endgame."""

_SUPPORTED: Final = ((0, 0), (3, 3), (11, 14), (7, 11), (20, 20), (70, 41), (64, 68), (0, 0))
"""The same for a pawn that another supports."""

_DOUBLED: Final = (-21, -14)
_ISOLATED: Final = (-15, 0)
_ON_OPEN: Final = (31, 34)
"""The same for a rook on a file without pawns, and on one where only the other side has any."""

_ON_HALF: Final = (14, 52)
_PAIR: Final = (42, 67)
"""The same for two bishops."""

_TO_MOVE: Final = (17, 9)
"""The same for being the one to move."""

_AWAY: Final = -16
"""What a king is worth in the opening that has left its first two rows."""

_NEXT, _SECOND, _BEYOND, _BEHIND = 25, 16, 15, 7
"""The same for its foremost own pawn on a file before it: on the next row, the second, farther on, or not before it."""

_NONE: Final = (-14, -2)
"""The same for a file without own pawns, and for one where the other side has some."""

_STORM: Final = (0, 34, -20, -2, 9, 9, 9, 0)
"""The same for a hostile pawn on a file before the king, by its row."""

STAGES: Final = 16
"""How finely the way from the opening (`STAGES`) to the endgame (0) is divided."""


def blended(early: int, late: int, pairs: int, on_free: int, on_half: int, to_move: int, strength: int) -> int:
    """How much better the first side stands: what its men and pawns are worth more in the opening and in the endgame,
    and how many more pairs of bishops, rooks on files without pawns, and rooks on files with only the other's it has.
    `to_move` is 1 or -1; `strength`, how many pieces both have, a queen counted twice."""
    early += _PAIR[0] * pairs + _ON_OPEN[0] * on_free + _ON_HALF[0] * on_half + _TO_MOVE[0] * to_move
    late += _PAIR[1] * pairs + _ON_OPEN[1] * on_free + _ON_HALF[1] * on_half + _TO_MOVE[1] * to_move
    stage = min(strength, STAGES)
    found = early * stage + late * (STAGES - stage)
    return found // STAGES if found >= 0 else -(-found // STAGES)


@cache
def worths(tables: Tables) -> dict[Man, tuple[int, int]]:
    """What each man is worth on its square, in the opening and in the endgame."""
    worths = {}
    for seat, by_kind in enumerate(tables.men):
        for kind, men in by_kind.items():
            shown = PieceKind.QUEEN if kind is PieceKind.PROMOTED_QUEEN else kind
            for man in men:
                square = man.square if seat else man.square ^ 56  # the tables begin with the farthest row
                worths[man] = OPENING[shown][square], ENDGAME[shown][square]
    return worths


def pawns_and_kings(white: int, black: int, king: int, other: int) -> tuple[int, int, int, int, int]:
    """How much better the pawns of the first side stand (squares as bits) and its king behind them, in the opening and
    in the endgame; the files without pawns, those with pawns of only the first side, and those with only the other's,
    each as bits."""
    own = _side(white, black, king, other)
    theirs = _side(_turned(black), _turned(white), other ^ 56, king ^ 56)
    whites, blacks = _files(white), _files(black)
    return own[0] - theirs[0], own[1] - theirs[1], 0xFF & ~(whites | blacks), whites & ~blacks, blacks & ~whites


def _files(squares: int) -> int:
    """The files with any of some squares, as bits."""
    squares |= squares >> 32
    squares |= squares >> 16
    return (squares | squares >> 8) & 0xFF


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
            early, late = early + _SUPPORTED[row][0], late + _SUPPORTED[row][1]
        if not doubled and not others & _WAY[square]:
            early, late = early + _PASSED[row][0], late + _PASSED[row][1]
            if row > 2:  # who is near the square before it helps it, or stops it
                late += (9 * _apart(foe, square + 8) - 5 * _apart(king, square + 8)) * (row - 1)
    return early, late


def _shelter(pawns: int, others: int, king: int) -> int:
    """The worth of the pawns before a king, and of those that come at it, while there are pieces to attack it."""
    row = king >> 3
    if row > 1:
        return _AWAY
    middle = min(max(king & 7, 1), 6)
    worth = 0
    for file in (middle - 1, middle, middle + 1):
        own, hostile = pawns & _FILE[file], others & _FILE[file]
        before = own >> 8 * (row + 1)
        if not own:
            worth += _NONE[hostile > 0]
        elif before & 0xFF:
            worth += _NEXT
        elif before & 0xFF00:
            worth += _SECOND
        else:
            worth += _BEYOND if before else _BEHIND
        if hostile:
            worth += _STORM[(hostile & -hostile).bit_length() - 1 >> 3]
    return worth


def _apart(square: int, other: int) -> int:
    """How many moves a king needs from one square to another."""
    return max(abs((square & 7) - (other & 7)), abs((square >> 3) - (other >> 3)))


def _turned(squares: int) -> int:
    """The same squares, seen from the other side of the board."""
    return int.from_bytes(squares.to_bytes(8, "little"), "big")
