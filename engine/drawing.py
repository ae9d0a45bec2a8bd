"""A board as text, and as a picture (SVG).

The shapes of the pieces are ours, drawn on a square of 100 by 100; the browser client uses the same. Grey pieces are
lighter and have no inner lines.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from math import hypot
from typing import NamedTuple

from fourfold.engine.board import Board
from fourfold.engine.errors import InvalidNotation
from fourfold.engine.geometry import OFF, Direction, Geometry
from fourfold.engine.pieces import PieceKind
from fourfold.engine.tables import Man


def text(board: Board) -> str:
    """The board as lines of text, highest rank first. An empty square is ``.``; a missing corner is blank."""
    rules = board.tables.rules
    geometry = rules.geometry
    two = len(rules.seats) == 2
    width = 1 if two else 3
    lines = []
    for rank in reversed(range(geometry.ranks)):
        words = []
        for file in range(geometry.files):
            square = geometry.at(file, rank)
            man = None if square == OFF else board.man_at(square)
            if man is None:
                word = " " if square == OFF else "."
            elif two:
                word = man.kind.letter if man.seat else man.kind.letter.upper()
            else:
                word = man.cell
            words.append(word.rjust(width))
        lines.append(" ".join(words).rstrip())
    return "\n".join(lines)


class _Shape(NamedTuple):
    """The shape of a piece as SVG paths: filled outline, inner lines, and spots filled with the colour of the lines."""

    body: str
    lines: tuple[str, ...]
    spots: tuple[str, ...] = ()


class _Paint(NamedTuple):
    """The colours of an army's pieces: body, rim and inner lines."""

    body: str
    rim: str
    line: str


_FOOT = "M22 82.5h56c3.6 0 6 2.2 6 5v1.5c0 1.7-1.3 3-3 3H19c-1.7 0-3-1.3-3-3v-1.5c0-2.8 2.4-5 6-5z"

_SHAPES = {
    PieceKind.PAWN: _Shape(
        "M50 17.5c-8.4 0-15.2 6.8-15.2 15.2 0 4.7 2.1 8.8 5.4 11.6-4 .7-7.6 2.2-7.6 4.7 0 2.4 3.9 3.5 8.6 "
        "3.9-1.2 9-6 15.5-13.4 20.5-3.3 2.2-5.3 4.9-5.8 9.1h56c-.5-4.2-2.5-6.9-5.8-9.1-7.4-5-12.2-11.5-13.4-20.5 "
        "4.7-.4 8.6-1.5 8.6-3.9 0-2.5-3.6-4-7.6-4.7 3.3-2.8 5.4-6.9 5.4-11.6 0-8.4-6.8-15.2-15.2-15.2z",
        ("M41.5 52.8c5.5.6 11.5.6 17 0",),
    ),
    PieceKind.KNIGHT: _Shape(
        "M76 82.5c4.5-21 2.5-41.5-8-54.5-4.5-5.5-10-9-15.5-10.3L51.5 8c-4 1.7-7 4.3-8.7 "
        "7.7-1.8-1.9-4-3.4-6.8-4.2-.4 3.9.1 7.3 1.4 10.1-4.4 3.1-7.3 7.5-9 12.9-1.9 5.9-6.7 10.7-10.8 16.7-3.7 "
        "5.4-3.3 12 1.2 14.6 2.3 1.3 4.9.9 6.7-.6 1.7 2.3 5 2 7.5-.4 4.2-4 8.4-4.9 13.2-6.2 1.3 7-3.1 11-9 "
        "15.2-4.7 3.3-8.2 6-9.2 8.7z",
        (
            "M53 24.5c12 6.5 18 22 16.2 49.5",
            "M46.2 58.6c3.5-1.1 6.3-3.4 8.3-7.1",
            "M25.5 65.2c.3-2 1.3-3.6 3-4.9",
        ),
        (
            "M36.2 31.8c3-1.4 6.1-.8 7.6 1.1-1.7 2.4-4.9 3.1-8.2 1.9-.9-.9-.6-2.3.6-3z",
            "M20.6 55.7a2 2 0 1 0 3.3 2.3 2 2 0 0 0-3.3-2.3z",
        ),
    ),
    PieceKind.BISHOP: _Shape(
        "M50 7.5a6.4 6.4 0 0 0-4 11.4C36 26.5 29.5 36 29.5 46.5c0 7.3 3.3 13 8.3 16.6-2.7.8-4.3 2-4.3 3.7 0 2 "
        "2.3 3.3 5.7 4-1.3 3.4-6.5 5-11.4 6.7-2.9 1-4.7 2.6-5.3 "
        "5h55c-.6-2.4-2.4-4-5.3-5-4.9-1.7-10.1-3.3-11.4-6.7 3.4-.7 5.7-2 5.7-4 0-1.7-1.6-2.9-4.3-3.7 5-3.6 "
        "8.3-9.3 8.3-16.6C70.5 36 64 26.5 54 18.9A6.4 6.4 0 0 0 50 7.5z",
        (
            "M38.5 63.2c7.5 1.5 15.5 1.5 23 0",
            "M40 70.9c6.5 1 13.5 1 20 0",
        ),
    ),
    PieceKind.ROOK: _Shape(
        "M24 15.5c-1.1 0-2 .9-2 2V32c0 3 1.3 5 3.7 6.8l6.8 5.1-2.4 26.6-4.9 4c-2.5 2-3.5 4.6-3.5 "
        "8h56.6c0-3.4-1-6-3.5-8l-4.9-4-2.4-26.6 6.8-5.1C76.7 37 78 35 78 32V17.5c0-1.1-.9-2-2-2h-8.5c-1.1 0-2 "
        ".9-2 2v6.3h-8.3v-6.3c0-1.1-.9-2-2-2H44.8c-1.1 0-2 .9-2 2v6.3h-8.3v-6.3c0-1.1-.9-2-2-2z",
        ("M27.5 37.8h45M33 44.3h34M30.5 70.2h39",),
    ),
    PieceKind.QUEEN: _Shape(
        "M50 7.8a6.3 6.3 0 0 0-2.6 12L41 42.5 31.6 23.8a6 6 0 1 0-5.1 1.8l1.6 20.9-12.3-12.9a5.8 5.8 0 1 0-3.9 "
        "2.9l14.4 32.9-1.5 5.1c-1.7 2-2.6 4.7-2.6 8h55.6c0-3.3-.9-6-2.6-8l-1.5-5.1 14.4-32.9a5.8 5.8 0 1 "
        "0-3.9-2.9L71.9 46.5l1.6-20.9a6 6 0 1 0-5.1-1.8L59 42.5l-6.4-22.7a6.3 6.3 0 0 0-2.6-12z",
        (
            "M26.8 69c15-4.2 31.4-4.2 46.4 0",
            "M25.3 75.2c16-3.7 33.4-3.7 49.4 0",
        ),
    ),
    PieceKind.KING: _Shape(
        "M46.7 5.5v5.3h-5.6v6.6h5.6v6.2c-4.2 2.7-7.2 6.5-8.6 10.8-2.9-2.2-6.5-3.3-10.6-3.3C17.8 31.1 11 38 11 "
        "46.7c0 9.8 8.3 15.6 13.6 22.5v5.9c-1.5 2.1-2.3 4.5-2.3 7.4h55.4c0-2.9-.8-5.3-2.3-7.4v-5.9C80.7 62.3 89 "
        "56.5 89 46.7c0-8.7-6.8-15.6-16.5-15.6-4.1 0-7.7 1.1-10.6 "
        "3.3-1.4-4.3-4.4-8.1-8.6-10.8v-6.2h5.6v-6.6h-5.6V5.5c0-.6-.4-1-1-1h-4.6c-.6 0-1 .4-1 1z",
        (
            "M25 68.8c16-4.6 34-4.6 50 0",
            "M25 75.2c16-3.9 34-3.9 50 0",
            "M50 45c-.9-6.7-5.3-9.8-11.9-10.6M50 45c.9-6.7 5.3-9.8 11.9-10.6",
        ),
    ),
}
_SHAPES[PieceKind.PROMOTED_QUEEN] = _Shape(
    _SHAPES[PieceKind.QUEEN].body,
    (
        "M26.8 69c15-4.2 31.4-4.2 46.4 0",
        "M29 52c5 9 9 10 12-2 3 11 15 11 18 0 3 12 7 11 12 2",
    ),
)

_PAINTS = {
    "white": _Paint("#fcfbf7", "#201e1a", "#201e1a"),
    "black": _Paint("#35332f", "#0d0c0b", "#f1ede3"),
    "red": _Paint("#9e1111", "#2c0303", "#ffd9d2"),
    "blue": _Paint("#16337f", "#040d28", "#d3deff"),
    "yellow": _Paint("#e7db37", "#3a3500", "#3a3500"),
    "green": _Paint("#60d1b4", "#063a2d", "#063a2d"),
}
_OTHER = _Paint("#a78bca", "#2a1d3d", "#2a1d3d")
"""For seats whose colour is not listed above."""
_GREY = _Paint("#d5d2c9", "#4a473f", "none")
_TWO, _MORE = ("#efece1", "#8fab9b"), ("#e8e5dd", "#b6b2a7")
_CHANGED, _CHECKED = "#e6b800", "#ff2b1a"
_LABEL = "#3b3832"
_SIDE = 100


_ARROW = re.compile(r"([GRYB]?)([a-z]\d{1,2})([a-z]\d{1,2})?")
_SHAPE_COLOURS = {"G": "#15781b", "R": "#882020", "Y": "#e68f00", "B": "#003088"}
"""The colours of arrows and marks, by their letters in PGN."""


def svg(
    board: Board,
    size: int,
    changed: Collection[int] = (),
    checked: Collection[int] = (),
    *,
    orientation: int = 0,
    coordinates: bool = False,
    arrows: Iterable[str] = (),
    marks: Iterable[str] = (),
) -> str:
    """The board as an SVG document, `size` pixels wide. It highlights the squares in `changed` and, in red, those in
    `checked`. `Position.svg` describes the rest, and its errors."""
    geometry = board.tables.rules.geometry
    view = _View(geometry, board.tables.rules.seats[orientation].forward)
    shapes = [*(_shape(geometry, text, arrow=False) for text in marks), *(_shape(geometry, text) for text in arrows)]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {view.width} {view.height}" '
        f'width="{size}" height="{round(size * view.height / view.width)}">'
    ]
    light, dark = _TWO if len(board.tables.seats) == 2 else _MORE
    for square in range(geometry.size):
        x, y = view.corner(square)
        pale = (geometry.file(square) + geometry.rank(square)) % 2
        parts.append(_rectangle(x, y, light if pale else dark))
        for marked, colour in ((changed, _CHANGED), (checked, _CHECKED)):
            if square in marked:
                parts.append(_rectangle(x, y, colour, 0.45))
        if coordinates:
            parts += view.labels(square)
        man = board.man_at(square)
        if man is not None:
            parts += [f'<g transform="translate({x} {y})">', *_piece(board, man), "</g>"]
    parts += [view.drawn(shape) for shape in shapes]
    return "\n".join([*parts, "</svg>"])


class _Drawn(NamedTuple):
    """An arrow between two squares, or a ring on one."""

    colour: str
    square: int
    target: int


def _shape(geometry: Geometry, text: str, arrow: bool = True) -> _Drawn:
    """Parse an arrow (``Ge2e4``, ``e2e4``) or a mark (``Rd5``, ``d5``)."""
    match = _ARROW.fullmatch(text)
    names = [name for name in match.groups()[1:] if name is not None] if match is not None else []
    if match is None or len(names) != 1 + arrow or not all(name in geometry.index for name in names):
        form = "an arrow such as e2e4 or Ge2e4" if arrow else "a square such as e4 or Re4"
        raise InvalidNotation("bad_arrow" if arrow else "bad_mark", f"'{text[:20]}' is not {form} on this board.")
    squares = [geometry.index[name] for name in names]
    return _Drawn(_SHAPE_COLOURS[match[1] or "G"], squares[0], squares[-1])


class _View:
    """A board as a seat sees it: squares of `_SIDE` units, with the seat's own back row at the bottom."""

    def __init__(self, geometry: Geometry, forward: Direction) -> None:
        self._geometry = geometry
        self._forward = forward
        self._right = Direction(forward.ranks, -forward.files)
        self._corners = {square: self._place(square) for square in range(geometry.size)}
        columns, rows = zip(*self._corners.values(), strict=True)
        self._left, self._top = min(columns), min(rows)
        self.width = (max(columns) - self._left + 1) * _SIDE
        self.height = (max(rows) - self._top + 1) * _SIDE
        # The outermost squares carry the labels: the lowest of each column, and the leftmost of each row.
        self._lowest = {column: max(row for one, row in self._corners.values() if one == column) for column in columns}
        self._first = {row: min(column for column, one in self._corners.values() if one == row) for row in rows}

    def _place(self, square: int) -> tuple[int, int]:
        """The column and row of a square, rightwards and downwards from anywhere."""
        file, rank = self._geometry.file(square), self._geometry.rank(square)
        column = file * self._right.files + rank * self._right.ranks
        return column, -(file * self._forward.files + rank * self._forward.ranks)

    def corner(self, square: int) -> tuple[int, int]:
        """The upper left corner of a square."""
        column, row = self._corners[square]
        return (column - self._left) * _SIDE, (row - self._top) * _SIDE

    def labels(self, square: int) -> Iterator[str]:
        """The labels in a square: of its column at the bottom, of its row on the left."""
        (column, row), (x, y), name = self._corners[square], self.corner(square), self._geometry.names[square]
        file, rank = name[0], name[1:]
        below, beside = (rank, file) if self._forward.files else (file, rank)
        for shown, label, dx, dy, anchor in (
            (self._lowest[column] == row, below, _SIDE - 4, _SIDE - 5, "end"),
            (self._first[row] == column, beside, 4, 23, "start"),
        ):
            if shown:
                yield (
                    f'<text x="{x + dx}" y="{y + dy}" text-anchor="{anchor}" font-family="sans-serif" font-size="24" '
                    f'fill="{_LABEL}">{label}</text>'
                )

    def drawn(self, shape: _Drawn) -> str:
        """An arrow, or a ring round a square."""
        (x, y), (to_x, to_y) = ((one + _SIDE // 2 for one in self.corner(at)) for at in (shape.square, shape.target))
        length = hypot(to_x - x, to_y - y)
        if not length:
            ring = f'r="{_SIDE // 2 - 5}" fill="none" stroke="{shape.colour}" stroke-opacity="0.75" stroke-width="7"'
            return f'<circle cx="{x}" cy="{y}" {ring}/>'
        ahead, across = (to_x - x) / length, (to_y - y) / length
        head = _SIDE * 0.36

        def point(back: float, aside: float) -> str:
            return f"{to_x - ahead * back - across * aside:.1f} {to_y - across * back + ahead * aside:.1f}"

        outline = (
            point(length - 12, 6), point(head - 6, 6), point(head, head / 2), point(6, 0), point(head, -head / 2),
            point(head - 6, -6), point(length - 12, -6),
        )  # fmt: skip
        path = f"M{'L'.join(outline)}z"
        return f'<path d="{path}" fill="{shape.colour}" fill-opacity="0.75" stroke="none"/>'


def _rectangle(x: int, y: int, colour: str, opacity: float = 1) -> str:
    return f'<rect x="{x}" y="{y}" width="{_SIDE}" height="{_SIDE}" fill="{colour}" fill-opacity="{opacity}"/>'


def _piece(board: Board, man: Man) -> Iterator[str]:
    shape = _SHAPES[man.kind]
    paint = _GREY if man.piece.grey else _PAINTS.get(board.tables.seats[man.seat], _OTHER)
    for path in (shape.body, _FOOT):
        yield f'<path d="{path}" fill="{paint.body}" stroke="{paint.rim}" stroke-width="3.2" stroke-linejoin="round"/>'
    for path in shape.lines:
        yield f'<path d="{path}" fill="none" stroke="{paint.line}" stroke-width="2.8" stroke-linecap="round"/>'
    for path in shape.spots:
        yield f'<path d="{path}" fill="{paint.line}"/>'
