"""FEN, the notation of positions for two players (Forsyth-Edwards Notation, PGN standard section 16.1).

The parser checks the notation only; `setup` checks whether the position is possible. The writer names the en passant
square only if a pawn can capture there, as is usual today. The parser accepts it in any case.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from operator import itemgetter

from fourfold.engine.errors import InvalidNotation
from fourfold.engine.geometry import Geometry
from fourfold.engine.pieces import Piece, PieceKind
from fourfold.engine.position import Position
from fourfold.engine.rules import Rules
from fourfold.engine.setup import Setup
from fourfold.engine.tables import Tables
from fourfold.engine.values import mypyc_attr

_FEN4 = re.compile(r"\s*[RBYG]-")
_PIECES = {
    letter: Piece(seat, kind)
    for kind in PieceKind
    if kind is not PieceKind.PROMOTED_QUEEN
    for seat, letter in enumerate((kind.letter.upper(), kind.letter))
}
_RUNS = tuple(("1" * number, str(number)) for number in range(8, 1, -1))
_CASTLING = {"K": (0, True), "Q": (0, False), "k": (1, True), "q": (1, False)}


@mypyc_attr(allow_interpreted_subclasses=True)
class Fen:
    """Reads and writes FEN. Variants with their own castling override `read_castling` and `write_castling`."""

    def read(self, text: str, rules: Rules) -> Setup:
        """Parse a FEN. The two counters are optional, and so are all fields after the turn. Raises `InvalidNotation`
        (`invalid_fen`)."""
        fields = text.split()
        if fields and "-" in fields[0] and _FEN4.match(text):
            raise invalid("it is a FEN4, for four players; name its variant, such as 'ffa'")
        if not 2 <= len(fields) <= 6:
            raise invalid(f"a FEN has six fields, not {len(fields)}")
        board, turn, castling, skipped, halfmove, fullmove = fields + ["-", "-", "0", "1"][len(fields) - 2 :]
        if turn not in ("w", "b"):
            raise invalid(f"the side to move is w or b, not '{turn[:12]}'")
        seat = 0 if turn == "w" else 1
        board, hands = _read_hands(board, rules) if rules.drops else (board, ())
        pieces = _read_board(board, rules)
        rights = self.read_castling(castling, pieces, rules)
        rooks = {right: rook for right, rook in rights.items() if rook is not None} if rights else {}
        return Setup(
            pieces=pieces,
            turn=seat,
            castling=frozenset(rights),
            castling_rooks=rooks,
            en_passant={} if skipped == "-" else {1 - seat: _read_square(skipped, rules)},
            halfmove=_read_count(halfmove, "half-move clock"),
            ply=2 * max(_read_count(fullmove, "move number") - 1, 0) + seat,
            hands=hands,
        )

    def write(self, position: Position) -> str:
        """The position as FEN."""
        skipped = "-"
        for step in position.steps:
            if skipped == "-" and position.takes(step):
                skipped = position.rules.geometry.names[step.skipped]
        rights = self.write_castling(position) or "-"
        turn = "wb"[position.turn]
        board = _write_board(position) + (f"[{_write_hands(position)}]" if position.hands else "")
        return f"{board} {turn} {rights} {skipped} {position.halfmove} {position.ply // 2 + 1}"

    def read_castling(
        self, text: str, pieces: Mapping[int, Piece], rules: Rules
    ) -> dict[tuple[int, bool], int | None]:
        """Parse castling rights: pairs of a seat and True for the short side, each with its rook's square or None.
        Raises `InvalidNotation`."""
        rights: dict[tuple[int, bool], int | None] = {}
        for letter in "" if text == "-" else text:
            right = _CASTLING.get(letter)
            if right is None or right in rights:
                raise invalid(f"castling rights are K, Q, k, q or -, not '{text[:12]}'")
            rights[right] = None
        return rights

    def write_castling(self, position: Position) -> str:
        """The letters of the castling rights; empty if there are none."""
        return _write_rights(position.tables, position.rights) if position.rights else ""


def invalid(reason: str) -> InvalidNotation:
    """The error for an unreadable FEN."""
    return InvalidNotation("invalid_fen", f"This FEN cannot be read: {reason}.")


@lru_cache(maxsize=256)
def _write_rights(tables: Tables, rights: int) -> str:
    """The letters of a set of castling rights."""
    kept = {(castle.seat, castle.short) for castle in tables.castles if castle.bit & rights}
    return "".join([letter for letter, right in _CASTLING.items() if right in kept])


def _read_board(text: str, rules: Rules) -> dict[int, Piece]:
    geometry = rules.geometry
    rows = text.split("/")
    if len(rows) != geometry.ranks:
        raise invalid(f"the board has {geometry.ranks} ranks, not {len(rows)}")
    pieces = {}
    files = geometry.files
    squares = _squares(geometry)
    start = 0
    for row in rows:
        place = start
        start += files
        for symbol in row:
            piece = _PIECES.get(symbol)
            if piece is not None:
                if place < start:
                    pieces[squares[place]] = piece
                place += 1
            elif symbol in "12345678":
                place += int(symbol)
            elif symbol == "~" and rules.drops and (last := pieces.get(squares[place - 1])) is not None:
                pieces[squares[place - 1]] = replace(last, promoted=last.kind in rules.promotions)
            else:
                rank = geometry.ranks + 1 - start // files
                raise invalid(f"'{symbol}' on rank {rank} is neither a piece nor a number of squares")
        if place != start:
            rank, found = geometry.ranks + 1 - start // files, place - start + files
            raise invalid(f"rank {rank} has {found} squares instead of {files}")
    return pieces


@lru_cache(maxsize=32)
def _squares(geometry: Geometry) -> tuple[int, ...]:
    """The squares in the order of a FEN."""
    return tuple([square for row in geometry.rows() for square in row])


@lru_cache(maxsize=32)
def _cells(geometry: Geometry) -> Callable[[list[str]], tuple[str, ...]]:
    """Orders the cells of a board for FEN. The cell after all squares is a slash, and the last one a missing square."""
    order = [square for row in geometry.rows() for square in (*row, geometry.size)]
    picked: Callable[[list[str]], tuple[str, ...]] = itemgetter(*order[:-1])
    return picked


def _write_board(position: Position) -> str:
    geometry = position.rules.geometry
    cells = ["1"] * (geometry.size + 2)
    cells[geometry.size] = "/"
    for army in position._armies:
        for square, man in army.items():
            cells[square] = man.symbol
    text = "".join(_cells(geometry)(cells))
    for ones, number in _RUNS:
        text = text.replace(ones, number)
    return text


def _read_hands(text: str, rules: Rules) -> tuple[str, tuple[tuple[int, ...], ...]]:
    """The board, and the hands after it: in square brackets, or as one more row."""
    board, bracket, held = text.rstrip("]").partition("[")
    if not bracket and text.count("/") == rules.geometry.ranks:
        board, _, held = text.rpartition("/")
    hands = [[0] * len(PieceKind) for _ in rules.seats]
    for letter in "" if held == "-" else held:
        piece = _PIECES.get(letter)
        if piece is None or piece.kind not in rules.drops:
            raise invalid(f"'{letter}' is not a piece that a hand can have")
        hands[piece.seat][piece.kind] += 1
    return board, tuple([tuple(hand) for hand in hands])


def _write_hands(position: Position) -> str:
    """The letters of the pieces in the hands, White's first, the most valuable first."""
    return "".join(
        [
            position.tables.men[seat][kind][0].symbol * hand[kind]
            for seat, hand in enumerate(position.hands)
            for kind in reversed(position.rules.drops)
        ]
    )


def _read_square(text: str, rules: Rules) -> int:
    square = rules.geometry.index.get(text)
    if square is None:
        raise invalid(f"the en passant square '{text[:12]}' is not a square of the board")
    return square


def _read_count(text: str, what: str) -> int:
    if not (text.isdecimal() and text.isascii() and len(text) <= 5):
        raise invalid(f"the {what} is a number, not '{text[:12]}'")
    return int(text)
