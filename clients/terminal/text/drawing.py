"""A position as lines of text, for two players and for four.

The board is readable without colours. For two players, White has outlined figures or capital letters, and Black filled
figures or small letters. For four, a piece is the first letter of its colour and its own letter: `Gk` is the green
king, and `gk` that of a player who is out.
"""

from typing import Final

from fourfold.clients.terminal.text.ink import Colour, Ink
from fourfold.clients.terminal.text.view import View
from fourfold.engine.pieces import NOBODY, Piece

SEAT_COLOURS: Final = {
    "white": Colour("#ffffff", 231),
    "black": Colour("#101418", 233),
    "red": Colour("#9e1111", 124),
    "blue": Colour("#16337f", 18),
    "yellow": Colour("#e7db37", 184),
    "green": Colour("#60d1b4", 79),
}
"""Two dark and two light colours, distinguishable with every kind of colour vision."""

_LIGHT: Final = SEAT_COLOURS["white"]
_DARK: Final = SEAT_COLOURS["black"]
_ON_SEAT: Final = {"red": _LIGHT, "blue": _LIGHT, "yellow": _DARK, "green": _DARK}
_GREY: Final = Colour("#262626", 235)
_SQUARES: Final = {
    2: (Colour("#5f5f87", 60), Colour("#5f87af", 67)),
    4: (Colour("#808080", 244), Colour("#949494", 246)),
}
"""The dark and light squares, by the number of players: mid-tones, in contrast to dark and light pieces."""
_LAST: Final = Colour("#af8700", 136)
_CHECK: Final = Colour("#d75f00", 166)

FILLED: Final = {"k": "♚", "q": "♛", "r": "♜", "b": "♝", "n": "♞", "p": "♟\ufe0e", "d": "♛"}
OUTLINED: Final = {"k": "♔", "q": "♕", "r": "♖", "b": "♗", "n": "♘", "p": "♙", "d": "♕"}


def board(view: View, ink: Ink, columns: int | None = None) -> list[str]:
    """The board from its view's side, topmost row first, with labels for ranks and files.

    If the view marks movable pieces, the pieces of the player to move are in square brackets if they can move, and in
    round ones if they cannot. If it shows a piece's moves, empty targets have an `X`, and captures are in braces; the
    target of a capture en passant has both. If `columns` are too few for that, one sign stands before a piece: `>` if
    it can move, `x` if it can be captured; or none. In variants with drops, the last line has the pieces in hand.
    """
    drawer = _Board(view, ink, _cell_width(view) if columns is None else _fitting(view, columns))
    hands = [f"{seat} {hand.upper()}" for seat, hand in zip(view.seats, view.hands, strict=False) if hand]
    held = [f"   In hand: {', '.join(hands)}"] if hands else []
    return [*map(drawer.row, range(len(view.orientation.rows))), drawer.columns(), *held]


def _fitting(view: View, columns: int) -> int:
    """The widest cells with which the board fits into `columns`; otherwise cells of one piece."""
    usual, across = _cell_width(view), len(view.orientation.column_labels)
    return next((cell for cell in (usual, usual - 1) if 3 + across * cell <= columns), usual - 2)


def width(view: View) -> int:
    """The width of the board with its labels, in columns."""
    return 3 + len(view.orientation.column_labels) * _cell_width(view)


def _cell_width(view: View) -> int:
    return 4 if len(view.seats) > 2 else 3


class _Board:
    """The common data of one drawing's squares."""

    def __init__(self, view: View, ink: Ink, width: int) -> None:
        self.view = view
        self.ink = ink
        self.orientation = view.orientation
        self.many = len(view.seats) > 2
        self.width = width
        self.room = width - _cell_width(view) + 2  # beside a piece
        self.shades = _SQUARES[4 if self.many else 2]

    def row(self, row: int) -> str:
        cells = "".join(self.cell(row, column) for column in range(len(self.orientation.column_labels)))
        return f"{self.ink.paint(f'{self.orientation.row_labels[row]:>2}', dim=True)} {cells}".rstrip()

    def columns(self) -> str:
        labels = "".join(label.center(self.width) for label in self.orientation.column_labels)
        return "   " + self.ink.paint(labels.rstrip(), dim=True)

    def cell(self, row: int, column: int) -> str:
        name = self.orientation.name(row, column)
        if name is None:
            return " " * self.width
        piece = self.view.pieces.get(name)
        ground = self.ground(name, light=(ord(name[0]) + int(name[1:])) % 2 == 1)
        left, right = self.edges(name, piece)
        if piece is None:
            target = name in self.view.targets | self.view.captures
            inner = self.blank(name).center(self.width - len(left + right))
            return self.ink.paint(left + inner + right, on=ground, in_=_DARK if target else None, bold=target)
        seat = self.view.seats[piece.seat] if piece.seat != NOBODY else ""
        mark = self.mark(seat, piece)
        if not self.many or piece.grey:
            colour = _GREY if piece.grey else SEAT_COLOURS[seat]
            return self.ink.paint(left + mark + right, on=ground, in_=colour, bold=not piece.grey)
        chip = self.ink.paint(mark, on=SEAT_COLOURS[seat], in_=_ON_SEAT[seat], bold=True)
        return self.ink.paint(left, on=ground, in_=_DARK) + chip + self.ink.paint(right, on=ground, in_=_DARK)

    def blank(self, name: str) -> str:
        """The text of an empty square."""
        if name in self.view.targets | self.view.captures:
            return "X"
        if self.ink.coloured:
            return " "
        return "o" if name in self.view.last else "·" if self.ink.unicode else "."

    def ground(self, name: str, *, light: bool) -> Colour:
        if name in self.view.checked:
            return _CHECK
        return _LAST if name in self.view.last else self.shades[light]

    def edges(self, name: str, piece: Piece | None) -> tuple[str, str]:
        """The signs on both sides of a piece, or before it, or none, as there is room."""
        around, before = self.signs(name, piece)
        if self.room == 2:
            return around[0], around[1]
        return before * self.room, ""

    def signs(self, name: str, piece: Piece | None) -> tuple[str, str]:
        """What the function `signs` returns for a square."""
        view = self.view
        own = piece is not None and piece.seat == view.seats.index(view.turn) and not piece.grey
        movable = name in view.movable if own and view.movable is not None else None
        marked = not self.ink.coloured and piece is not None and name in view.last
        return signs(capture=name in view.captures, movable=movable, last=marked)

    def mark(self, seat: str, piece: Piece) -> str:
        letter = piece.kind.letter
        if self.many or not self.ink.unicode:
            return piece_letters(seat, letter, grey=piece.grey, many=self.many)
        return (OUTLINED if seat == "white" else FILLED)[letter]


def signs(*, capture: bool, movable: bool | None, last: bool, check: bool = False) -> tuple[str, str]:
    """The characters that mark a piece: a pair around it, and for narrow cells a single one before it.
    `movable` is whether the piece can move; None leaves that unmarked."""
    if capture:
        return "{}", "x"
    if movable is None:
        return ("!!", "!") if check else (" *", "*") if last else ("  ", " ")
    left, right = "[]" if movable else "()"
    return left + ("!" if check else right), "!" if check else ">" if movable else " "


def piece_letters(seat: str, letter: str, *, grey: bool, many: bool) -> str:
    """A piece in ASCII: for four `Gk`, or `gk` if it is grey; for two `K` and `k`."""
    if not many:
        return letter.upper() if seat == "white" else letter
    colour = seat[:1] or "-"
    return (colour if grey else colour.upper()) + letter


def seat_mark(seat: str, ink: Ink) -> str:
    """A seat's colour, two columns wide, to print before its name."""
    if ink.coloured:
        return ink.paint("  ", on=SEAT_COLOURS[seat])
    return f"{seat[0].upper()} "
