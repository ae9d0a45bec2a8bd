"""The look of a square: its colours, the piece on it and the marks, as lines of coloured text.

All colours are set, including backgrounds, so that a board looks the same on dark and light terminals. Without colours,
letters distinguish the seats, and signs are the marks.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from rich.segment import Segment
from rich.style import Style

from fourfold.clients.terminal.fullscreen.figures import Shares, figure
from fourfold.clients.terminal.fullscreen.grid import Size
from fourfold.clients.terminal.text.drawing import FILLED, OUTLINED, SEAT_COLOURS, piece_letters, signs


class ShownPiece(NamedTuple):
    """A piece to draw: its seat's name (empty for nobody's), its letter, and whether it is grey."""

    seat: str
    letter: str
    grey: bool


class SquareLook(NamedTuple):
    """Everything that affects the drawing of a square."""

    many: bool  # players: more than two
    light: bool
    piece: ShownPiece | None
    last: bool = False
    check: bool = False
    selected: bool = False
    target: bool = False
    capture: bool = False
    cursor: bool = False
    movable: bool | None = None  # None: not a piece of the player to move, or unknown


WHITE: Final = "#ffffff"
INK: Final = "#14171a"
GREY: Final = "#7d7973"
GREY_RIM: Final = "#4f4c47"
ON_SEAT: Final = {"white": INK, "black": WHITE, "red": WHITE, "blue": WHITE, "yellow": INK, "green": INK}
"""The text colour on a seat's own colour."""

_RIMS: Final = {"white": "#45423c", "yellow": "#5a5200", "green": "#11604b"}
_GROUNDS: Final = {
    1: {False: ("#4f7358", "#7da386"), True: ("#a9a498", "#c4bfb3")},
    4: {False: ("#6c9672", "#cac7ba"), True: ("#a8a397", "#cdc8bc")},
    6: {False: ("#7fa58a", "#e2e0d8"), True: ("#b3aea2", "#dcd8cd")},
}
"""The dark and light squares, for two and for four, by their least number of rows. Where a piece is one character, they
are mid-tones, in contrast to white and black. With more room for rims, they are softer. They are close to colours of
the older terminals' 256, so that these look much the same."""

_LAST: Final = "#d9a92b"
_CHECK: Final = "#e5482f"
_SELECTED: Final = "#3fa66a"
_TARGET: Final = "#0f5a3c"
_CAPTURE: Final = "#c2341d"


def mixed(one: str, other: str, share: float) -> str:
    """A mixture of two colours; `share` is the part of the other."""
    pairs = zip(bytes.fromhex(one[1:]), bytes.fromhex(other[1:]), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def seat_style(seat: str) -> str:
    """The style of bold text on a seat's colour."""
    return f"bold {ON_SEAT[seat]} on {SEAT_COLOURS[seat].rgb}"


class PieceColours(NamedTuple):
    """The colours of a figure."""

    body: str
    rim: str
    line: str


def piece_colours(piece: ShownPiece) -> PieceColours:
    """The colours of a piece: light ones have a dark rim, dark ones light lines."""
    if piece.grey or piece.seat not in SEAT_COLOURS:
        return PieceColours(GREY, GREY_RIM, GREY_RIM)
    body = SEAT_COLOURS[piece.seat].rgb
    rim = _RIMS.get(piece.seat, body)
    return PieceColours(body, rim, rim if rim != body else mixed(body, WHITE, 0.45))


def blended(ground: str, colours: PieceColours, shares: Shares) -> str:
    """The ground mixed with a figure's colours by weights."""
    parts = zip(*(bytes.fromhex(colour[1:]) for colour in (ground, *colours)), strict=True)
    weights = (1 - sum(shares), *shares)
    return "#" + "".join(
        f"{round(sum(w * value for w, value in zip(weights, values, strict=True))):02x}" for values in parts
    )


@lru_cache(4096)
def square(look: SquareLook, size: Size, ascii: bool, coloured: bool) -> tuple[tuple[Segment, ...], ...]:
    """The lines of a square: in letters (`ascii`), in figures of one character, or in blocks if there is room."""
    if not coloured:
        lines = _plain(look, size, ascii)
    elif size.height > 3 and not ascii:
        lines = _figure(look, size)
    else:
        lines = _glyph(look, size, ascii)
    return tuple(tuple(line) for line in lines)


def _ground(look: SquareLook, size: Size, ascii: bool) -> str:
    rows = 1 if ascii else size.height
    colour = _GROUNDS[max(least for least in _GROUNDS if least <= rows)][look.many][look.light]
    for mark, tint, share in (
        (look.last, _LAST, 0.62), (look.selected, _SELECTED, 0.75),
        (look.check, _CHECK, 0.85), (look.capture, _CAPTURE, 0.38),
    ):  # fmt: skip
        if mark:
            colour = mixed(colour, tint, share)
    return colour


def _figure(look: SquareLook, size: Size) -> list[list[Segment]]:
    """A piece in block characters, or a dot for an empty target."""
    ground = _ground(look, size, ascii=False)
    letter = look.piece.letter if look.piece is not None else "." if look.target or look.capture else None
    if letter is None:
        cells = [[(" ", INK, ground)] * size.width for _ in range(size.height)]
    else:
        dot = mixed(ground, _TARGET, 0.8)
        own = PieceColours(dot, dot, dot) if look.piece is None else piece_colours(look.piece)
        cells = [
            [(cell.character, blended(ground, own, cell.ink), blended(ground, own, cell.ground)) for cell in row]
            for row in figure(letter, *size)
        ]
    for x, y, sign, colour in _frame(look, size):
        cells[y][x] = (sign, colour, ground)
    return [[Segment(sign, _style(ink, on)) for sign, ink, on in row] for row in cells]


def _glyph(look: SquareLook, size: Size, ascii: bool) -> list[list[Segment]]:
    """A piece as one character on a token of its colour, or as letters."""
    ground = _ground(look, size, ascii)
    cells = [[(" ", INK, ground)] * size.width for _ in range(size.height)]
    middle, line = size.width // 2, size.height // 2
    piece = look.piece
    if piece is not None:
        body = piece_colours(piece).body
        ink = ON_SEAT.get(piece.seat, INK) if not piece.grey else WHITE
        if ascii:
            written = piece_letters(piece.seat, piece.letter, grey=piece.grey, many=look.many)
            for n, letter in enumerate(written):
                place = middle + 1 - len(written) + n
                cells[line][place] = (letter, ink, body) if look.many else (letter, body, ground)
        elif look.many or size.height > 1:
            for y, token in enumerate(_TOKENS[size.height], line - (size.height > 1)):
                for x, sign in enumerate(token, middle - len(token) // 2):
                    cells[y][x] = (sign, body, ground)
            cells[line][middle] = (FILLED[piece.letter], ink, body)
        else:
            cells[line][middle] = (FILLED[piece.letter], body, ground)
    elif look.target or look.capture:
        sign = "X" if ascii else "●" if size.height > 1 else "•"
        cells[line][middle] = (sign, _TARGET, ground)
    for x, y, sign, colour in _frame(look, size, ascii):
        cells[y][x] = (sign, colour, ground)
    return [[Segment(sign, _style(ink, on)) for sign, ink, on in row] for row in cells]


_TOKENS: Final = {1: ("▐ ▌",), 2: ("▗▄▖", "▐ ▌"), 3: ("▗▄▄▄▖", "▐   ▌", "▝▀▀▀▘")}
"""The token below a glyph, by its rows."""


def _frame(look: SquareLook, size: Size, ascii: bool = False) -> list[tuple[int, int, str, str]]:
    """The signs at the edge of a square: for the cursor, and around captures."""
    right, bottom = size.width - 1, size.height - 1
    if not (look.cursor or look.capture):
        return []
    colour = _CAPTURE if look.capture else INK
    if size.height == 1:
        left_sign, right_sign = ("{", "}") if look.capture and not look.cursor else ("[", "]")
        return [(0, 0, left_sign, colour), (right, 0, right_sign, colour)]
    if ascii:
        corners = ("{", "}", "{", "}") if look.capture and not look.cursor else ("+", "+", "+", "+")
    else:
        corners = ("╭", "╮", "╰", "╯") if look.capture and not look.cursor else ("┏", "┓", "┗", "┛")
    places = ((0, 0), (right, 0), (0, bottom), (right, bottom))
    return [(x, y, sign, colour) for (x, y), sign in zip(places, corners, strict=True)]


def _plain(look: SquareLook, size: Size, ascii: bool) -> list[list[Segment]]:
    """A square without colours: letters, or outlined and filled figures, distinguish the seats."""
    piece = look.piece
    if piece is None:
        empty = "·" if not ascii else "."
        text = "X" if look.target or look.capture else "o" if look.last else " " if look.light else empty
    elif look.many or ascii:
        text = piece_letters(piece.seat, piece.letter, grey=piece.grey, many=look.many)
    else:
        text = (OUTLINED if piece.seat == "white" else FILLED)[piece.letter]
    wide = 1 if len(text) == 1 or "\ufe0e" in text else 2
    before = (size.width - wide) // 2 if wide == 1 else max(1, (size.width - wide) // 2)
    after = size.width - wide - before
    left, right = " " * before, " " * after
    if piece is not None or look.capture:
        around, alone = signs(capture=look.capture, movable=look.movable, last=look.last, check=look.check)
        left = left[:-1] + (around[0] if right else alone)
        right = around[1] + right[1:] if right else ""
    strong = look.selected or (piece is not None and not piece.grey)
    style = Style(reverse=look.cursor, bold=strong, underline=look.selected)
    blank = [Segment(" " * size.width, Style(reverse=look.cursor))]
    lines = [blank] * size.height
    lines[size.height // 2] = [Segment(left + text + right, style)]
    return lines


@lru_cache(8192)
def _style(ink: str, on: str) -> Style:
    return Style(color=ink, bgcolor=on)
