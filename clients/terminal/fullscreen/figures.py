"""The six pieces drawn with block characters, at any size of a square.

A shape is a few outlines on a square of 100 by 100. It is laid over the cells of a square, with 8 by 8 points in each
cell. Each cell gets the best block character, and the best mixture of body, rim and line for its two colours. This
module knows no colours and no boards.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

Point = tuple[float, float]

_FLOOR: Final = 95
"""The base of every piece."""

_FOOT: Final = "M50 82h32c4 0 6 2 6 5v5c0 2-1 3-3 3h-35z"


class _Shape(NamedTuple):
    """Outlines, filled together, and lines over them (only if there is room): SVG paths of the commands M, L, H, V, C
    and Z, in upper or lower case. Symmetric figures have only their right halves."""

    halves: tuple[str, ...] = ()
    whole: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()


def _disc(x: float, y: float, radius: float) -> str:
    r, c = radius, 0.552 * radius
    return (
        f"M{x} {y - r}c{c:.2f} 0 {r} {r - c:.2f} {r} {r}c0 {c:.2f} {c - r:.2f} {r} {-r} {r}"
        f"c{-c:.2f} 0 {-r} {c - r:.2f} {-r} {-r}c0 {-c:.2f} {r - c:.2f} {-r} {r} {-r}z"
    )


def _bar(y: float, half: float, thick: float = 4) -> str:
    return f"M50 {y}h{half}v{thick}h{-half}z"


_SHAPES: Final = {
    "p": _Shape((_disc(50, 37, 19), "M50 48h9c1 13 6 19 14 25 4 3 6 6 7 11h-30z", _FOOT), lines=(_bar(79, 27),)),
    "n": _Shape(
        (_FOOT,),
        (
            "M79 83c5-21 3-43-8-56-5-6-11-10-17-11L51 5c-5 3-8 6-10 10-2-2-4-4-8-5 0 4 0 8 2 11-5 4-8 8-9 14"
            "-2 6-8 11-12 17-4 6-4 13 1 16 3 2 6 1 8-1 2 2 5 2 8 0 5-4 9-5 14-6 1 7-3 11-9 16-5 3-8 6-9 8z",
        ),
        ("M33 31c4-2 9-1 10 1-2 4-6 4-10 3z", "M58 25c11 10 14 25 12 50h-4c2-24-2-37-11-46z", "M21 55h4v4h-4z"),
    ),
    "b": _Shape(
        (
            _disc(50, 11, 8),
            "M50 15c14 9 23 20 23 33 0 7-4 13-10 17h-13z",
            "M50 62h11c3 2 5 3 5 5s-2 4-6 4c2 4 7 6 13 8 3 1 5 2 5 4h-28z",
            _FOOT,
        ),
        lines=(_bar(64, 14, 3), "M50 31h3v8h8v6h-8v9h-3z"),
    ),
    "r": _Shape(
        ("M50 13v10h9v-10h20v19c0 4-2 6-5 8l-7 5 2 27c0 0 10 4 10 11h-29z", "M50 20h12v6h-12z", _FOOT),
        lines=(_bar(39, 22), _bar(71, 19)),
    ),
    "q": _Shape(
        (
            _disc(50, 11, 8), _disc(77, 17, 7.5), _disc(93, 34, 7),
            "M50 14l9 33 17-29 0 31 16-15-15 36 1 6c2 2 3 4 3 7h-31z", _FOOT,
        ),
        lines=(_bar(66, 26), _bar(75, 27, 3)),
    ),
    "k": _Shape(
        (
            "M50 2h5v25h-5z", "M50 8h13v8h-13z",
            "M50 24c6 0 10 5 11 11 4-3 8-5 13-5 10 0 17 7 17 16 0 11-9 15-14 23v6c2 2 2 5 2 8h-29z", _FOOT,
        ),
        lines=(_bar(66, 26), _bar(75, 27, 3), "M50 40h3v18h-3z"),
    ),
    ".": _Shape((_disc(50, 50, 15),)),
}  # fmt: skip

_TOKEN: Final = re.compile(r"[a-zA-Z]|-?\d+(?:\.\d+)?")
_STEPS: Final = 6  # segments of a curve: more would make no visible difference


def outline(path: str) -> list[Point]:
    """The corners of a closed path."""
    tokens = _TOKEN.findall(path)
    points: list[Point] = []
    at, command, next_ = (0.0, 0.0), "M", 0

    def take(count: int) -> list[float]:
        nonlocal next_
        next_ += count
        return [float(token) for token in tokens[next_ - count : next_]]

    while next_ < len(tokens):
        if tokens[next_].isalpha():
            command = tokens[next_]
            next_ += 1
        here = at if command.islower() else (0.0, 0.0)
        match command.upper():
            case "Z":
                continue
            case "H":
                at = (here[0] + take(1)[0], at[1])
            case "V":
                at = (at[0], here[1] + take(1)[0])
            case "C":
                x1, y1, x2, y2, x3, y3 = (value + here[n % 2] for n, value in enumerate(take(6)))
                points += [_bezier(at, (x1, y1), (x2, y2), (x3, y3), step / _STEPS) for step in range(1, _STEPS)]
                at = (x3, y3)
            case _:
                x, y = take(2)
                at = (here[0] + x, here[1] + y)
        points.append(at)
    return points


def _bezier(a: Point, b: Point, c: Point, d: Point, t: float) -> Point:
    weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3)
    x, y = (sum(w * p[axis] for w, p in zip(weights, (a, b, c, d), strict=True)) for axis in (0, 1))
    return x, y


class Shares(NamedTuple):
    """The ingredients of a colour; the rest is the square's own."""

    body: float = 0
    rim: float = 0
    line: float = 0


class Cell(NamedTuple):
    """One character of a figure, with its foreground and background colours."""

    character: str
    ink: Shares
    ground: Shares


_SIDE: Final = 8  # points of a cell, in each direction
_ALL: Final = (1 << _SIDE * _SIDE) - 1


def _blocks() -> dict[str, int]:
    """Block characters by their filled points, as bits: row by row, the first at the highest bit."""
    half = _SIDE // 2
    full = (1 << _SIDE) - 1
    left, right = full ^ ((1 << half) - 1), (1 << half) - 1

    def rows(*masks: int) -> int:
        value = 0
        for mask in masks:
            value = value << _SIDE | mask
        return value

    blocks = {
        character: rows(*[upper] * half, *[lower] * half)
        for character, upper, lower in (
            (" ", 0, 0), ("▘", left, 0), ("▝", right, 0), ("▖", 0, left), ("▗", 0, right), ("▚", left, right),
            ("▌", left, left), ("▀", full, 0),
        )
    }  # fmt: skip
    for eighths, character in enumerate("▁▂▃▄▅▆▇", 1):
        blocks[character] = rows(*[0] * (8 - eighths), *[full] * eighths)
    for eighths, character in enumerate("▏▎▍▌▋▊▉", 1):
        blocks[character] = rows(*[full ^ (full >> eighths)] * 8)
    return blocks


_BLOCKS: Final = _blocks()

_ROOM_FOR_LINES: Final = 5
"""The number of rows from which figures have lines."""

_ROOM_FOR_CARE: Final = 6
"""The number of rows from which figures are fitted to the characters."""


@cache
def figure(letter: str, width: int, height: int) -> tuple[tuple[Cell, ...], ...]:
    """A piece on a square of columns and rows, by its letter (`d`, a promoted queen, looks like `q`). The letter `.` is
    a dot."""
    shape = _SHAPES["q" if letter == "d" else letter]
    across, down = width * _SIDE, height * _SIDE
    side = min(width / 2, float(height)) * _SIDE  # a character is about twice as high as wide
    rim = max(1, round(side * 0.034))
    tall, foot = side * 0.0098, down - side * 0.04
    if letter == ".":
        foot = down / 2 + (_FLOOR - 50) * tall
    elif height >= _ROOM_FOR_CARE:
        # The figure stands on the edge, stretched a little so that a character begins inside its upper rim:
        # a character with rim, body and neither would be a blur.
        highest = min(y for path in shape.halves + shape.whole for _, y in outline(path))
        rows = round((down - (_FLOOR - highest) * side / 100 + rim) / _SIDE)
        tall, foot = (down - max(0, _SIDE * rows - rim)) / (_FLOOR - highest), down

    def laid(paths: tuple[str, ...], mirror: bool) -> list[list[Point]]:
        signs = (1, -1) if mirror else (1,)
        return [
            [(across / 2 + sign * (x - 50) * side / 50, foot - (_FLOOR - y) * tall) for x, y in outline(path)]
            for path in paths
            for sign in signs
        ]

    outlines = laid(shape.halves, True) + laid(shape.whole, False)
    lines = laid(shape.lines, not shape.whole) if height >= _ROOM_FOR_LINES else []
    figure = [_filled(outlines, y + 0.5, across) for y in range(down)]
    drawn = [_filled(lines, y + 0.5, across) for y in range(down)]
    body = _shrunk(figure, rim * 2, rim, across)
    drawn = [line & row for line, row in zip(drawn, body, strict=True)]
    return tuple(
        tuple(_cell(figure, body, drawn, column, row, across) for column in range(width)) for row in range(height)
    )


def _filled(outlines: list[list[Point]], y: float, across: int) -> int:
    """The points of a row inside any of the outlines."""
    row = 0
    for corners in outlines:
        crossings = sorted(_crossings(corners, y))
        for start, end in zip(crossings[::2], crossings[1::2], strict=True):
            first, last = max(0, math.ceil(start - 0.5)), min(across, math.ceil(end - 0.5))
            if first < last:
                row |= ((1 << (last - first)) - 1) << (across - last)
    return row


def _crossings(corners: list[Point], y: float) -> Iterator[float]:
    for (x1, y1), (x2, y2) in zip(corners, [*corners[1:], corners[0]], strict=True):
        if (y1 <= y) != (y2 <= y):
            yield x1 + (y - y1) / (y2 - y1) * (x2 - x1)


def _shrunk(rows: list[int], by_columns: int, by_rows: int, across: int) -> list[int]:
    """The points at a distance from the edge."""
    narrow = []
    for row in rows:
        kept = row
        for step in range(1, by_columns + 1):
            kept &= (row << step) & (row >> step)
        narrow.append(kept & ((1 << across) - 1))
    edge = [0] * by_rows
    padded = [*edge, *narrow, *edge]
    shrunk = []
    for number in range(len(rows)):
        kept = -1
        for row in padded[number : number + 2 * by_rows + 1]:
            kept &= row
        shrunk.append(kept)
    return shrunk


def _cell(figure: list[int], body: list[int], lines: list[int], column: int, row: int, across: int) -> Cell:
    """The best block character, and the ingredients of its two colours."""
    shift = across - (column + 1) * _SIDE
    inside, core, line = 0, 0, 0
    for y in range(row * _SIDE, (row + 1) * _SIDE):
        inside, core, line = (
            bits << _SIDE | (rows[y] >> shift) & 0xFF for bits, rows in ((inside, figure), (core, body), (line, lines))
        )
    parts = (core & ~line, inside & ~core, line)
    best, least = Cell(" ", Shares(), Shares()), math.inf
    for character, block in _BLOCKS.items():
        error, shares = 0.0, []
        for points in (block, ~block & _ALL):
            size = points.bit_count()
            if not size:
                shares.append(Shares())
                continue
            bodies, rims, lined = ((part & points).bit_count() for part in parts)
            dark = rims + lined
            outside = size - bodies - dark
            # Rim and body are far apart, with the outside between them: distances 2, 1 and 1.
            error += (4 * bodies * dark + bodies * outside + dark * outside) / size
            shares.append(Shares(bodies / size, rims / size, lined / size))
        if error < least - 1e-9:
            best, least = Cell(character, shares[0], shares[1]), error
    return best
