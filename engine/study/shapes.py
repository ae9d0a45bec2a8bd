"""Arrows and marked squares, and their commands in PGN comments: ``[%csl Gd4,Re5]`` and ``[%cal Gd2d4]``. Other
commands, such as ``[%eval 0.3]``, are also separated from the text of comments."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from fourfold.engine.notation.comments import lines
from fourfold.engine.values import value

COLOURS: Final = {"G": "green", "R": "red", "Y": "yellow", "B": "blue"}
"""The colours of arrows and marks, by their letters in PGN."""

_LETTERS: Final = {colour: letter for letter, colour in COLOURS.items()}
_COMMAND: Final = re.compile(r"\[%(\w+)\s*([^\]]*)\]")
_SHAPE: Final = re.compile(r"([GRYB])([a-z]\d{1,2})([a-z]\d{1,2})?")


@value
class Shape:
    """A marked square, or an arrow if it has a `target`."""

    colour: str
    square: str
    target: str | None = None


def split(comment: str, squares: Iterable[str]) -> tuple[tuple[Shape, ...], str, str]:
    """Split a comment into its shapes, its other commands, and its text. Commands that draw on unknown squares count as
    other commands."""
    known = frozenset(squares)
    found: list[Shape] = []
    others: list[str] = []

    def take(command: re.Match[str]) -> str:
        shapes = _shapes(command[2], known) if command[1] in ("csl", "cal") else None
        if shapes is None:
            others.append(command[0])
        else:
            found.extend(shapes)
        return " "

    said = ((line, _COMMAND.sub(take, line)) for line in comment.split("\n"))
    rest = "\n".join(after for line, after in said if after.strip() or not line.strip())
    return tuple(dict.fromkeys(found)), " ".join(others), lines(rest)


def _shapes(text: str, known: frozenset[str]) -> list[Shape] | None:
    """The shapes in a command; None if it is malformed or names unknown squares."""
    shapes = [_SHAPE.fullmatch(word.strip()) for word in text.split(",")]
    read = [Shape(COLOURS[shape[1]], shape[2], shape[3]) for shape in shapes if shape is not None]
    if len(read) < len(shapes) or any({one.square, one.target or one.square} - known for one in read):
        return None
    return read


def joined(shapes: Sequence[Shape], others: str, comment: str) -> str:
    """A PGN comment from shapes, other commands and text. Marks come before arrows."""
    marks = [f"{_LETTERS[shape.colour]}{shape.square}" for shape in shapes if shape.target is None]
    arrows = [f"{_LETTERS[shape.colour]}{shape.square}{shape.target}" for shape in shapes if shape.target is not None]
    commands = [f"[%{name} {','.join(given)}]" for name, given in (("csl", marks), ("cal", arrows)) if given]
    return " ".join(filter(None, (*commands, others, comment)))
