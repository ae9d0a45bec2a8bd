"""FEN4, the notation of positions for four.

``turn-dead-castleshort-castlelong-points-halfmove[-{extra}]-board``: each list in the order red, blue,
yellow, green; the board from rank 14 down, ranks divided by ``/`` and cells by ``,``. A cell is a piece (its
colour's letter and ``PNBRQK``, or ``D`` for a promoted queen; ``d`` in front of a grey one), a number of
empty squares, or ``x`` where there is no square. Of the extra fields, `enPassant` is read and written.

Older writers count the corners as empty squares, leave out the commas, or write ``X``: all are read.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from engine.errors import InvalidNotation
from engine.geometry import OFF
from engine.pieces import KIND_OF_LETTER, NOBODY, Piece
from engine.rules import Rules
from engine.setup import Setup

if TYPE_CHECKING:
    from engine.position import Position

_COLOURS = "rbyg"
_FOUR = r"(-?\d{1,5}(?:,-?\d{1,5}){3})"
_FIELDS = re.compile(rf"([RBYG])-{_FOUR}-{_FOUR}-{_FOUR}-{_FOUR}-(\d{{1,5}})-(?:(.*)-)?([^-]*)", re.DOTALL | re.ASCII)
_CELL = re.compile(r"(d?)([rbyg])([PNBRQKD])|(d)([PNBRQKD])|(\d{1,5})|([xX])", re.ASCII)
_EN_PASSANT = re.compile(r"'enPassant':\(([^)]*)\)")


class Fen4:
    """Reads and writes FEN4."""

    def read(self, text: str, rules: Rules) -> Setup:
        """What a FEN4 says; blanks and line breaks do not matter. Raises `InvalidNotation`, with code
        `invalid_fen`."""
        match = _FIELDS.fullmatch("".join(text.split()))
        if match is None:
            raise _invalid(
                "it should read turn-dead-castleshort-castlelong-points-halfmove-board, the turn as one of "
                "R, B, Y, G, and the four lists as four numbers each (of five digits at most), such as 0,0,0,0"
            )
        turn, dead, short, long, points, halfmove, extra, board = match.groups()
        return Setup(
            pieces=_read_board(board, rules),
            turn=_COLOURS.index(turn.lower()),
            castling=frozenset([(seat, True) for seat in _flagged(short)] + [(seat, False) for seat in _flagged(long)]),
            en_passant=_read_en_passant(extra or "", rules),
            halfmove=int(halfmove),
            dead=frozenset(_flagged(dead)),
            points=tuple(map(int, points.split(","))),
        )

    def write(self, position: Position) -> str:
        """A position's FEN4."""
        seats = range(len(position.rules.seats))
        fields = [
            _COLOURS[position.turn].upper(),
            ",".join(str(int(seat not in position.alive)) for seat in seats),
            _write_castling(position, short=True),
            _write_castling(position, short=False),
            ",".join(map(str, position.points or (0,) * len(seats))),
            str(position.halfmove),
        ]
        if position.steps:
            fields.append("{" + _write_en_passant(position) + "}")
        fields.append(_write_board(position))
        return "-".join(fields)


def _invalid(reason: str) -> InvalidNotation:
    return InvalidNotation("invalid_fen", f"This FEN4 cannot be read: {reason}.")


def _flagged(numbers: str) -> list[int]:
    return [seat for seat, number in enumerate(numbers.split(",")) if int(number)]


def _write_castling(position: Position, short: bool) -> str:
    return ",".join(
        str(int(any(position.rights & castle.bit for castle in castles if castle.short == short)))
        for castles in position.tables.castles_of
    )


def _read_en_passant(extra: str, rules: Rules) -> dict[int, int]:
    match = _EN_PASSANT.search(extra)
    if match is None:
        return {}
    slots = [slot.strip("'\"") for slot in match[1].split(",")]
    if len(slots) != len(rules.seats):
        raise _invalid(f"enPassant has a slot for each of {len(rules.seats)} seats, not {len(slots)}")
    skipped = {}
    for seat, slot in enumerate(slots):
        if slot:
            square = rules.geometry.index.get(slot.split(":")[0])
            if square is None:
                raise _invalid(f"the en passant slot '{slot}' is not two squares such as h3:h4")
            skipped[seat] = square
    return skipped


def _write_en_passant(position: Position) -> str:
    names = position.rules.geometry.names
    slots = [""] * len(position.rules.seats)
    for step in position.steps:
        slots[step.seat] = f"{names[step.skipped]}:{names[step.landed]}"
    return "'enPassant':(" + ",".join(f"'{slot}'" for slot in slots) + ")"


def _read_board(text: str, rules: Rules) -> dict[int, Piece]:
    geometry = rules.geometry
    rows = text.split("/")
    if len(rows) != geometry.ranks:
        raise _invalid(f"the board has {geometry.ranks} ranks, not {len(rows)}")
    pieces = {}
    for rank, row in zip(reversed(range(geometry.ranks)), rows, strict=True):
        where = f"on rank {rank + 1}"
        file = 0
        for cell in _cells(row, where):
            if cell[6]:
                file += int(cell[6])
                continue
            square = geometry.at(file, rank) if file < geometry.files else OFF
            if cell[7]:
                if square != OFF:
                    raise _invalid(f"there is a wall (x) {where}, where the board has a square")
            elif file >= geometry.files:
                pass  # reported below, with the number of squares
            elif square == OFF:
                raise _invalid(f"a piece {where} stands on a corner that the board has not")
            else:
                seat = _COLOURS.index(cell[2]) if cell[2] else NOBODY
                kind = KIND_OF_LETTER[(cell[3] or cell[5]).lower()]
                pieces[square] = Piece(seat, kind, grey=bool(cell[1] or cell[4]))
            file += 1
        if file != geometry.files:
            raise _invalid(f"there are {file} cells {where} instead of {geometry.files}")
    return pieces


def _cells(row: str, where: str) -> list[re.Match[str]]:
    cells = []
    place = 0
    while place < len(row):
        match = _CELL.match(row, place)
        if match is None:
            raise _invalid(f"'{row[place : place + 12]}' {where} is no piece, number of squares, or x")
        cells.append(match)
        place = match.end()
        if row[place : place + 1] == ",":
            place += 1
    return cells


def _write_board(position: Position) -> str:
    geometry = position.rules.geometry
    rows = []
    for rank in reversed(range(geometry.ranks)):
        cells: list[str] = []
        empty = 0
        for file in range(geometry.files):
            square = geometry.at(file, rank)
            man = None if square == OFF else position.man_at(square)
            if man is None and square != OFF:
                empty += 1
                continue
            if empty:
                cells.append(str(empty))
                empty = 0
            cells.append("x" if man is None else man.cell)
        if empty:
            cells.append(str(empty))
        rows.append(",".join(cells))
    return "/".join(rows)
