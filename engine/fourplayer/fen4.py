"""FEN4, the notation of positions for four players.

``turn-dead-castleshort-castlelong-points-halfmove[-{extra}]-board``: each list is in the order red, blue,
yellow, green. The board runs from rank 14 down, with ``/`` between ranks and ``,`` between cells. A cell is a
piece, a number of empty squares, or ``x`` for a missing corner. A piece is its colour's letter and one of
``PNBRQK``, or ``D`` for a promoted queen; a grey one has ``d`` in front.

The parser reads these extra fields and skips others. The writer omits fields without content.

* ``'enPassant':('h3:h4','','','')``: for each seat, the skipped square and the pawn's square;
* ``'out':('b','g')``: the order of eliminations, if there are several;
* ``'ply':12``: the plies played. The default is 0; while nobody is out, it is the number of filled en passant slots,
  each of which is a double step;
* ``'gameOver':'king_captured'``, in teams: the missing king was captured;
* ``'checks':(0,1,0,0)``: the checks that each seat has given, in variants that count them.

Other programs read fewer extra fields, or another form of the board. The options of `Fen4` choose what to write.

For a variant with fewer colours, the lists still have four entries, and a colour without a seat counts as out.

The parser also accepts old forms: corners as empty squares, missing commas, and ``X``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from fourfold.engine.errors import InvalidNotation
from fourfold.engine.geometry import OFF
from fourfold.engine.pieces import KIND_OF_LETTER, NOBODY, Piece
from fourfold.engine.position import Position
from fourfold.engine.rules import Rules
from fourfold.engine.setup import Setup
from fourfold.engine.tables import Man

_COLOURS = "rbyg"
_FOUR = r"(-?\d{1,5}(?:,-?\d{1,5}){3})"
_FIELDS = re.compile(rf"([RBYG])-{_FOUR}-{_FOUR}-{_FOUR}-{_FOUR}-(\d{{1,5}})-(?:(.*)-)?([^-]*)", re.DOTALL | re.ASCII)
_FEN = re.compile(r"\s*[1-8PNBRQKpnbrqk]+(?:/[1-8PNBRQKpnbrqk]+){7}\s")
_CELL = re.compile(r"(d?)([rbyg])([PNBRQKD])|(d)([PNBRQKD])|(\d{1,5})|([xX])", re.ASCII)
_EXTRA = re.compile(r"'(\w+)':(\([^()]*\)|'[^']*'|[^,{}()']+)", re.ASCII)
_OVER = "'king_captured'"

EXTRAS = ("enPassant", "out", "ply", "gameOver", "checks")
"""The extra fields, in written order."""


@dataclass(frozen=True, slots=True)
class Fen4:
    """Reads and writes FEN4.

    The fields affect writing only. `extras` names the extra fields to write. `walls` writes corners as ``x`` instead of
    empty squares, `promoted` writes a promoted queen as ``D`` instead of ``Q``, and `grey` writes a ``d`` before grey
    pieces.
    """

    extras: tuple[str, ...] = EXTRAS
    walls: bool = True
    promoted: bool = True
    grey: bool = True

    def read(self, text: str, rules: Rules) -> Setup:
        """Parse a FEN4. Blanks and line breaks are ignored. Raises `InvalidNotation` (`invalid_fen`)."""
        match = _FIELDS.fullmatch("".join(text.split()))
        if match is None and _FEN.match(text):
            raise _invalid("it is a FEN, for two players; name its variant, such as 'standard'")
        if match is None:
            raise _invalid(
                "it should read turn-dead-castleshort-castlelong-points-halfmove-board, the turn as one of "
                "R, B, Y, G, and the four lists as four numbers each (of five digits at most), such as 0,0,0,0"
            )
        turn, dead, short, long, points, halfmove, extra, board = match.groups()
        extras = dict(reversed(_EXTRA.findall(extra or "")))  # of duplicate names, the first counts
        out = frozenset(_flagged(dead, rules))
        en_passant = _read_en_passant(extras.get("enPassant"), rules)
        rights = [(seat, True) for seat in _flagged(short, rules)] + [(seat, False) for seat in _flagged(long, rules)]
        return Setup(
            pieces=_read_board(board, rules),
            turn=_read_seat(turn.lower(), rules),
            castling=frozenset(rights),
            en_passant=en_passant,
            halfmove=int(halfmove),
            ply=_read_ply(extras.get("ply"), _usual_ply(len(en_passant), bool(out))),
            dead=out,
            points=tuple(map(int, _by_seat(points.split(","), rules))),
            fallen=_read_order(extras.get("out"), out, rules),
            over=rules.in_teams and extras.get("gameOver") == _OVER,
            checks=_read_checks(extras.get("checks"), rules),
        )

    def write(self, position: Position) -> str:
        """The position as FEN4."""
        rules = position.rules
        seats = range(len(rules.seats))
        fields = [
            rules.seats[position.turn].letter.upper(),
            _slots([int(seat not in position.alive) for seat in seats], rules, absent=1),
            _write_castling(position, short=True),
            _write_castling(position, short=False),
            _slots(position.points or [0 for _ in seats], rules),
            str(position.halfmove),
        ]
        known = _extras(position)
        extras = [f"'{name}':{known[name]}" for name in self.extras if name in known]
        if extras:
            fields.append("{" + ",".join(extras) + "}")
        fields.append(self._board(position))
        return "-".join(fields)

    def _board(self, position: Position) -> str:
        geometry = position.rules.geometry
        texts = {square: self._cell(man) for army in position.armies for square, man in army.items()}
        if self.walls:
            texts[OFF] = "x"
        rows = []
        for rank in reversed(range(geometry.ranks)):
            cells: list[str] = []
            empty = 0
            for square in geometry.row(rank):
                text = texts.get(square)
                if text is None:
                    empty += 1
                    continue
                if empty:
                    cells.append(str(empty))
                    empty = 0
                cells.append(text)
            if empty:
                cells.append(str(empty))
            rows.append(",".join(cells))
        return "/".join(rows)

    def _cell(self, piece: Man) -> str:
        """The text of a piece."""
        cell = piece.cell if self.grey else piece.cell[-2:]
        return cell if self.promoted else cell.replace("D", "Q")


def _invalid(reason: str) -> InvalidNotation:
    return InvalidNotation("invalid_fen", f"This FEN4 cannot be read: {reason}.")


def _read_seat(colour: str, rules: Rules) -> int:
    """The seat of a colour, given by its letter."""
    for seat, side in enumerate(rules.seats):
        if side.letter == colour:
            return seat
    raise _invalid(f"no seat of this variant has the colour {colour}")


def _by_seat(slots: Sequence[str], rules: Rules) -> list[str]:
    """The entries of the variant's seats, from a list with one entry for each of the four colours."""
    return [slots[_COLOURS.index(side.letter)] for side in rules.seats]


def _slots(values: Sequence[object], rules: Rules, absent: object = 0) -> str:
    """A list with an entry for each of the four colours, from the entries of the seats."""
    by_letter = {side.letter: value for side, value in zip(rules.seats, values, strict=True)}
    return ",".join(str(by_letter.get(colour, absent)) for colour in _COLOURS)


def _flagged(numbers: str, rules: Rules) -> list[int]:
    return [seat for seat, number in enumerate(_by_seat(numbers.split(","), rules)) if int(number)]


def _write_castling(position: Position, short: bool) -> str:
    seats = range(len(position.rules.seats))
    return _slots(
        [int(any(castle.short == short for castle in position.castles(seat))) for seat in seats], position.rules
    )


def _strings(text: str | None) -> list[str]:
    """The strings of a list such as ``('b','g')``; empty for anything else."""
    return [slot.strip("'\"") for slot in text[1:-1].split(",")] if text is not None and text[0] == "(" else []


def _read_en_passant(text: str | None, rules: Rules) -> dict[int, int]:
    slots = _strings(text)
    if slots and len(slots) != len(_COLOURS):
        raise _invalid(f"enPassant has a slot for each of {len(_COLOURS)} seats, not {len(slots)}")
    skipped = {}
    for seat, slot in enumerate(_by_seat(slots, rules) if slots else ()):
        if slot:
            square = rules.geometry.index.get(slot.split(":")[0])
            if square is None:
                raise _invalid(f"the en passant slot '{slot[:12]}' is not two squares such as h3:h4")
            skipped[seat] = square
    return skipped


def _read_order(text: str | None, dead: frozenset[int], rules: Rules) -> tuple[int, ...]:
    letters = _strings(text)
    if any(len(letter) != 1 or letter not in _COLOURS for letter in letters):
        raise _invalid("out has the letters of the players who are out, in their order, such as ('b','g')")
    seats = dict.fromkeys(_read_seat(letter, rules) for letter in letters)
    order = tuple(seat for seat in seats if seat in dead)
    return tuple(dead) if not order and len(dead) == 1 else order  # one alone needs no order


def _read_ply(text: str | None, usual: int) -> int:
    if text is None:
        return usual
    if not re.fullmatch("[0-9]{1,5}", text):
        raise _invalid(f"the ply is a number of five digits at most, not '{text[:12]}'")
    return int(text)


def _read_checks(text: str | None, rules: Rules) -> tuple[int, ...] | None:
    if text is None:
        return None
    if not re.fullmatch(r"\(\d(,\d){3}\)", text, re.ASCII):
        raise _invalid(f"checks has the checks that each seat has given, such as (0,1,0,0), not '{text[:12]}'")
    return tuple(map(int, _by_seat(text[1:-1].split(","), rules)))


def _usual_ply(steps: int, any_out: bool) -> int:
    """The default number of plies, for a text without `ply`."""
    return 0 if any_out else steps


def _extras(position: Position) -> dict[str, str]:
    """The extra fields with content, by name."""
    extras = {}
    if position.steps:
        extras["enPassant"] = _write_en_passant(position)
    order = position.order_out()
    if order and len(position.kings) - len(position.alive) > 1:
        extras["out"] = "(" + ",".join(f"'{position.rules.seats[seat].letter}'" for seat in order) + ")"
    if position.ply != _usual_ply(len(position.steps), len(position.alive) < len(position.kings)):
        extras["ply"] = str(position.ply)
    if position.rules.in_teams and -1 in position.kings:
        extras["gameOver"] = _OVER
    if position.checks is not None and any(position.checks):
        extras["checks"] = f"({_slots(position.checks, position.rules)})"
    return extras


def _write_en_passant(position: Position) -> str:
    names = position.rules.geometry.names
    slots = ["''" for _ in position.rules.seats]
    for step in position.steps:
        slots[step.seat] = f"'{names[step.skipped]}:{names[step.landed]}'"
    return "(" + _slots(slots, position.rules, absent="''") + ")"


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
                raise _invalid(f"a piece {where} is on a missing corner of the board")
            else:
                seat = _read_seat(cell[2], rules) if cell[2] else NOBODY
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
            raise _invalid(f"'{row[place : place + 12]}' {where} is not a piece, a number of squares, or x")
        cells.append(match)
        place = match.end()
        if row[place : place + 1] == ",":
            place += 1
    return cells
