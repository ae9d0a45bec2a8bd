"""FEN, the notation of positions for two players (Forsyth-Edwards Notation, PGN standard section 16.1).

The parser checks the notation only; `setup` checks whether the position is possible. The writer names the en passant
square only if a pawn can capture there, as is usual today. The parser accepts it in any case.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from fourfold.engine.errors import InvalidNotation
from fourfold.engine.pieces import KIND_OF_LETTER, Piece
from fourfold.engine.position import Position
from fourfold.engine.rules import Rules
from fourfold.engine.setup import Setup

_FEN4 = re.compile(r"\s*[RBYG]-")
_CASTLING = {"K": (0, True), "Q": (0, False), "k": (1, True), "q": (1, False)}


class Fen:
    """Reads and writes FEN. Variants with their own castling override `read_castling` and `write_castling`."""

    def read(self, text: str, rules: Rules) -> Setup:
        """Parse a FEN. The two counters are optional, and so are all fields after the turn. Raises `InvalidNotation`
        (`invalid_fen`)."""
        fields = text.split()
        if _FEN4.match(text):
            raise invalid("it is a FEN4, for four players; name its variant, such as 'ffa'")
        if not 2 <= len(fields) <= 6:
            raise invalid(f"a FEN has six fields, not {len(fields)}")
        board, turn, castling, skipped, halfmove, fullmove = fields + ["-", "-", "0", "1"][len(fields) - 2 :]
        if turn not in ("w", "b"):
            raise invalid(f"the side to move is w or b, not '{turn[:12]}'")
        seat = "wb".index(turn)
        pieces = _read_board(board, rules)
        rights = self.read_castling(castling, pieces, rules)
        return Setup(
            pieces=pieces,
            turn=seat,
            castling=frozenset(rights),
            castling_rooks={right: rook for right, rook in rights.items() if rook is not None},
            en_passant={} if skipped == "-" else {1 - seat: _read_square(skipped, rules)},
            halfmove=_read_count(halfmove, "half-move clock"),
            ply=2 * max(_read_count(fullmove, "move number") - 1, 0) + seat,
        )

    def write(self, position: Position) -> str:
        """The position as FEN."""
        board = position.rules.geometry
        skipped = [board.names[step.skipped] for step in position.steps if position.takes(step)]
        return " ".join(
            (
                _write_board(position),
                "wb"[position.turn],
                self.write_castling(position) or "-",
                skipped[0] if skipped else "-",
                str(position.halfmove),
                str(position.ply // 2 + 1),
            )
        )

    def read_castling(
        self, text: str, pieces: Mapping[int, Piece], rules: Rules
    ) -> dict[tuple[int, bool], int | None]:
        """Parse castling rights: pairs of a seat and True for the short side, each with its rook's square or None.
        Raises `InvalidNotation`."""
        if text == "-":
            return {}
        if not all(letter in _CASTLING for letter in text) or len(set(text)) != len(text):
            raise invalid(f"castling rights are K, Q, k, q or -, not '{text[:12]}'")
        return dict.fromkeys(_CASTLING[letter] for letter in text)

    def write_castling(self, position: Position) -> str:
        """The letters of the castling rights; empty if there are none."""
        return "".join(
            letter
            for letter, (seat, short) in _CASTLING.items()
            if any(castle.short == short for castle in position.castles(seat))
        )


def invalid(reason: str) -> InvalidNotation:
    """The error for an unreadable FEN."""
    return InvalidNotation("invalid_fen", f"This FEN cannot be read: {reason}.")


def _read_board(text: str, rules: Rules) -> dict[int, Piece]:
    geometry = rules.geometry
    rows = text.split("/")
    if len(rows) != geometry.ranks:
        raise invalid(f"the board has {geometry.ranks} ranks, not {len(rows)}")
    pieces = {}
    for rank, row in zip(reversed(range(geometry.ranks)), rows, strict=True):
        file = 0
        for symbol in row:
            if symbol in "12345678":
                file += int(symbol)
            elif symbol.lower() in "pnbrqk":
                if file < geometry.files:
                    kind = KIND_OF_LETTER[symbol.lower()]
                    pieces[geometry.at(file, rank)] = Piece(int(symbol.islower()), kind)
                file += 1
            else:
                raise invalid(f"'{symbol}' on rank {rank + 1} is neither a piece nor a number of squares")
        if file != geometry.files:
            raise invalid(f"rank {rank + 1} has {file} squares instead of {geometry.files}")
    return pieces


def _write_board(position: Position) -> str:
    geometry = position.rules.geometry
    rows = []
    for rank in reversed(range(geometry.ranks)):
        men = (position.man_at(geometry.at(file, rank)) for file in range(geometry.files))
        cells = ("1" if man is None else man.kind.letter if man.seat else man.kind.letter.upper() for man in men)
        rows.append(re.sub("1+", lambda empty: str(len(empty[0])), "".join(cells)))
    return "/".join(rows)


def _read_square(text: str, rules: Rules) -> int:
    square = rules.geometry.index.get(text)
    if square is None:
        raise invalid(f"the en passant square '{text[:12]}' is not a square of the board")
    return square


def _read_count(text: str, what: str) -> int:
    if not re.fullmatch("[0-9]{1,5}", text):
        raise invalid(f"the {what} is a number, not '{text[:12]}'")
    return int(text)
