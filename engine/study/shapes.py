"""Arrows and marked squares, and how a comment of PGN tells of them: ``[%csl Gd4,Re5]`` and ``[%cal Gd2d4]``. Other
commands in comments, such as ``[%eval 0.3]``, are kept apart from what people say."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from fourfold.engine.notation.comments import lines
from fourfold.engine.values import value

COLOURS: Final = {"G": "green", "R": "red", "Y": "yellow", "B": "blue"}
"""The colours that programs draw in, by the letters of PGN."""

_LETTERS: Final = {colour: letter for letter, colour in COLOURS.items()}
_COMMAND: Final = re.compile(r"\[%(\w+)\s*([^\]]*)\]")
_SHAPE: Final = re.compile(r"([GRYB])([a-z]\d{1,2})([a-z]\d{1,2})?")


@value
class Shape:
    """A marked square, or, with a `target`, an arrow to another one."""

    colour: str
    square: str
    target: str | None = None


def split(comment: str, squares: Iterable[str]) -> tuple[tuple[Shape, ...], str, str]:
    """The shapes that a comment tells of; its other commands, also those that draw where there is no square of the
    board; and the comment without all of them."""
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
    """The shapes that a command lists; None if it is none of this board."""
    shapes = [_SHAPE.fullmatch(word.strip()) for word in text.split(",")]
    read = [Shape(COLOURS[shape[1]], shape[2], shape[3]) for shape in shapes if shape is not None]
    if len(read) < len(shapes) or any({one.square, one.target or one.square} - known for one in read):
        return None
    return read


def joined(shapes: Sequence[Shape], others: str, comment: str) -> str:
    """A comment that tells of shapes, the marks first, with other commands."""
    marks = [f"{_LETTERS[shape.colour]}{shape.square}" for shape in shapes if shape.target is None]
    arrows = [f"{_LETTERS[shape.colour]}{shape.square}{shape.target}" for shape in shapes if shape.target is not None]
    commands = [f"[%{name} {','.join(given)}]" for name, given in (("csl", marks), ("cal", arrows)) if given]
    return " ".join(filter(None, (*commands, others, comment)))
