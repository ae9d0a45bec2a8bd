"""Precomputed tables of a variant's board for searches on a `mailbox`."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from fourfold.clients.bots.search.board import KING_WORTH
from fourfold.engine.geometry import OFF
from fourfold.engine.pieces import LEAPS, SLIDES, PieceKind, pawn_captures
from fourfold.engine.rules import Rules
from fourfold.engine.tables import DoubleStep, Man, tables_of
from fourfold.engine.zobrist import key

STRAIGHT: Final = 1
DIAGONAL: Final = 2
LINE: Final = 3
KNIGHT: Final = 4
BESIDE: Final = 8
"""Kinds of attacks: along ranks and files, along diagonals, along both, as a knight, as a king. The numbers can be
added."""

_PAWN: Final = 16
_REACH: Final = {PieceKind.KNIGHT: KNIGHT, PieceKind.KING: BESIDE, PieceKind.PAWN: _PAWN}

SHORT: Final = (1 << 62) - 1
"""The number of bits in keys: few enough for a register of compiled code."""

GONE: Final = 9
"""The first number of a Zobrist feature of the search; the engine does not use it."""


class Plan:
    """The tables of a variant's board for a search, by piece codes and squares.

    The code of a seat's piece is ``1 + 7 * seat + kind``. Pieces that are grey at the root have the codes of one
    further seat. 0 is an empty square.
    """

    def __init__(self, rules: Rules) -> None:
        board, tables = rules.geometry, tables_of(rules)
        self.size = board.size
        self.seats = seats = len(rules.seats)
        squares = range(board.size)
        owners = [(seat, kind) for seat in range(seats + 1) for kind in PieceKind]
        self.seat_of = [-1, *(seat for seat, _ in owners)]
        self.kind_of = [-1, *(int(kind) for _, kind in owners)]
        self.team_of = [-2, *(rules.teams[seat] if seat < seats else -1 for seat, _ in owners)]
        self.reach = [0, *(_ways(kind) if seat < seats else 0 for seat, kind in owners)]
        worths = [max(1, value) for value in rules.values]
        worths[PieceKind.KING] = KING_WORTH
        self.value_of = [0, *(worths[kind] if seat < seats else -1 for seat, kind in owners)]
        self.points_of = [0, *(rules.values[kind] if seat < seats else 0 for seat, kind in owners)]
        self.men: list[list[Man]] = [[], *(tables.men[seat][kind] for seat in range(seats) for kind in PieceKind)]
        ways = LEAPS[PieceKind.KING]
        rays = [[(DIAGONAL if way.files and way.ranks else STRAIGHT, board.ray(square, way)) for way in ways]
                for square in squares]  # fmt: skip
        self.rays = [tuple((way, ray) for way, ray in rays[square] if ray) for square in squares]
        """By square: the directions of its lines, and the squares of each line, the nearest first."""
        self.knights = [_existing(board.step(square, leap) for leap in LEAPS[PieceKind.KNIGHT]) for square in squares]
        captures = [[way.opposite() for way in pawn_captures(side.forward)] for side in rules.seats]
        self.pawns = [[_existing(board.step(square, way) for way in back) for square in squares] for back in captures]
        """By seat and square: the squares from which the seat's pawns attack it."""
        self.way = [[0] * board.size for _ in squares]
        """The direction from one square to another: a line, or a knight's move."""
        self.between: list[dict[int, tuple[int, ...]]] = [{} for _ in squares]
        """By two squares on a line: the squares between them."""
        for square in squares:
            for way, ray in rays[square]:
                for number, other in enumerate(ray):
                    self.way[square][other] = way
                    self.between[square][other] = ray[:number]
            for other in self.knights[square]:
                self.way[square][other] = KNIGHT
        shift = tables.planes.key_shift
        self.keys = [0] * board.size
        for men in self.men[1:]:
            self.keys += [man.mark >> shift & SHORT for man in men]
        self.keys += [key(GONE, kind, square) & SHORT for kind in PieceKind for square in squares]
        self.turn_keys = [turn & SHORT for turn in tables.turn_keys]
        self.gone_keys = [key(GONE, seat) & SHORT for seat in range(seats)]
        self.double_steps: list[DoubleStep | None] = [None] * board.size**2
        """Moves by source and target as one number."""
        for move, step in tables.double_steps.items():
            self.double_steps[move.source * board.size + move.target] = step
        self.empty = {castle: _squares(castle.empty) for castle in tables.castles}
        """The squares that must be empty for a castling."""


def _ways(kind: PieceKind) -> int:
    if kind in _REACH:
        return _REACH[kind]
    return sum({STRAIGHT if axis < 2 else DIAGONAL for axis in SLIDES[kind]})


def _existing(squares: Iterable[int]) -> tuple[int, ...]:
    return tuple([square for square in squares if square != OFF])


def _squares(bits: int) -> tuple[int, ...]:
    return tuple([square for square in range(bits.bit_length()) if bits >> square & 1])


@lru_cache(maxsize=32)
def plan_of(rules: Rules) -> Plan:
    """The plan of these rules, created on first use."""
    return Plan(rules)
