"""The evaluation of structures on the 8x8 board: pawns, king safety, rooks and bishops.

The unit is a hundredth of a pawn. Squares are bits of an integer: a1 is the lowest, b1 the next, h8 the highest. The
numbers were fitted like those of `squares`. `mailbox` combines them.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from fourfold.clients.bots.search.squares import ENDGAME, OPENING
from fourfold.engine.pieces import PieceKind
from fourfold.engine.tables import Man, Tables

_BOARD: Final = (1 << 56) - 1
"""All squares on which pawns can be, and the row before the first of them; compiled code holds this many bits in a
register."""

_ROWS: Final = 0x0101010101010101
"""The first square of each row."""

_FILE: Final = [_ROWS << file & _BOARD for file in range(8)]
_BESIDE: Final = [_FILE[file - 1] * (file > 0) | _FILE[(file + 1) % 8] * (file < 7) for file in range(8)]
"""The neighbouring files of each file."""

_AHEAD: Final = [_FILE[square & 7] & _BOARD << 8 * ((square >> 3) + 1) & _BOARD for square in range(64)]
"""The squares before each square on its own file, for the side that moves up the board."""

_WAY: Final = [
    (_FILE[square & 7] | _BESIDE[square & 7]) & _BOARD << 8 * ((square >> 3) + 1) & _BOARD for square in range(64)
]
"""The same with the neighbouring files: without an opposing pawn there, a pawn is passed."""

_FRIENDS: Final = [_BESIDE[square & 7] & (0xFFFF << 8 * (square >> 3) >> 8) & _BOARD for square in range(64)]
"""The squares of pawns that support a pawn on each square: beside it, or behind and beside."""

_PASSED: Final = ((0, 0), (5, 11), (-22, 31), (-19, 22), (2, 44), (15, 93), (56, 174), (0, 0))
"""The bonus of a passed pawn by its row, in the opening and in the endgame."""

_SUPPORTED: Final = ((0, 0), (3, 3), (11, 14), (7, 11), (20, 20), (70, 41), (64, 68), (0, 0))
"""The additional bonus of a supported passed pawn."""

_DOUBLED: Final = (-21, -14)
_ISOLATED: Final = (-15, 0)
_ON_OPEN: Final = (31, 34)
"""The bonus of a rook on a file without pawns, and on a file with only enemy pawns."""

_ON_HALF: Final = (14, 52)
_PAIR: Final = (42, 67)
"""The bonus of two bishops."""

_TO_MOVE: Final = (17, 9)
"""The bonus of the side to move."""

_AWAY: Final = -16
"""The bonus of a king that has left its first two rows, in the opening."""

_NEXT, _SECOND, _BEYOND, _BEHIND = 25, 16, 15, 7
"""The bonus by the distance of the king's foremost own pawn on a file in front of it: the next row, the second,
farther, or none."""

_NONE: Final = (-14, -2)
"""The bonus of a file without own pawns, and of one with enemy pawns, in front of the king."""

_STORM: Final = (0, 34, -20, -2, 9, 9, 9, 0)
"""The bonus of an enemy pawn on a file in front of the king, by its row."""

STAGES: Final = 16
"""The number of stages from the opening (`STAGES`) to the endgame (0)."""


def blended(early: int, late: int, pairs: int, on_free: int, on_half: int, to_move: int, strength: int) -> int:
    """How much better the first side stands. `early` and `late` are the leads of its pieces and pawns in the opening
    and in the endgame. The next arguments are its surplus of bishop pairs, of rooks on files without pawns, and of
    rooks on files with only enemy pawns. `to_move` is 1 or -1. `strength` is the number of pieces of both sides, with
    queens counted twice."""
    early += _PAIR[0] * pairs + _ON_OPEN[0] * on_free + _ON_HALF[0] * on_half + _TO_MOVE[0] * to_move
    late += _PAIR[1] * pairs + _ON_OPEN[1] * on_free + _ON_HALF[1] * on_half + _TO_MOVE[1] * to_move
    stage = min(strength, STAGES)
    found = early * stage + late * (STAGES - stage)
    return found // STAGES if found >= 0 else -(-found // STAGES)


@cache
def worths(tables: Tables) -> dict[Man, tuple[int, int]]:
    """The value of each piece on its square, in the opening and in the endgame."""
    worths = {}
    for seat, by_kind in enumerate(tables.men):
        for kind, men in by_kind.items():
            shown = PieceKind.QUEEN if kind is PieceKind.PROMOTED_QUEEN else kind
            for man in men:
                square = man.square if seat else man.square ^ 56  # the tables start with the farthest row
                worths[man] = OPENING[shown][square], ENDGAME[shown][square]
    return worths


def pawns_and_kings(white: int, black: int, king: int, other: int) -> tuple[int, int, int, int, int]:
    """The lead of the first side's pawns (squares as bits) with the king behind them, in the opening and in the
    endgame. Also, as bits: the files without pawns, the files with pawns of only the first side, and those of only the
    other side."""
    own = _side(white, black, king, other)
    theirs = _side(_turned(black), _turned(white), other ^ 56, king ^ 56)
    whites, blacks = _files(white), _files(black)
    return own[0] - theirs[0], own[1] - theirs[1], 0xFF & ~(whites | blacks), whites & ~blacks, blacks & ~whites


def _files(squares: int) -> int:
    """The files of some squares, as bits."""
    squares |= squares >> 32
    squares |= squares >> 16
    return (squares | squares >> 8) & 0xFF


def _side(pawns: int, others: int, king: int, foe: int) -> tuple[int, int]:
    """The value of a side's pawns and of its king's square, in the opening and in the endgame. The side moves up the
    board."""
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
            if row > 2:  # a king near the square in front of the pawn supports or stops it
                late += (9 * _apart(foe, square + 8) - 5 * _apart(king, square + 8)) * (row - 1)
    return early, late


def _shelter(pawns: int, others: int, king: int) -> int:
    """The value of the pawns in front of a king, and of enemy pawns that approach it, while there are pieces to attack
    it."""
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
    """The number of moves that a king needs between two squares."""
    return max(abs((square & 7) - (other & 7)), abs((square >> 3) - (other >> 3)))


def _turned(squares: int) -> int:
    """The same squares, mirrored to the other side of the board."""
    return int.from_bytes(squares.to_bytes(8, "little"), "big")
