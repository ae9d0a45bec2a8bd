"""Arrows and marked squares, and how a comment of PGN tells of them: ``[%csl Gd4,Re5]`` and ``[%cal Gd2d4]``."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from fourfold.engine.values import value

COLOURS: Final = {"G": "green", "R": "red", "Y": "yellow", "B": "blue"}
"""The colours that programs draw in, by the letters of PGN."""

_LETTERS: Final = {colour: letter for letter, colour in COLOURS.items()}
_COMMAND: Final = re.compile(r"\[%(?:csl|cal)\s+([^\]]*)\]\s*")
_SHAPE: Final = re.compile(r"([GRYB])([a-z]\d{1,2})([a-z]\d{1,2})?")


@value
class Shape:
    """A marked square, or, with a `target`, an arrow to another one."""

    colour: str
    square: str
    target: str | None = None


def split(comment: str, squares: Iterable[str]) -> tuple[tuple[Shape, ...], str]:
    """The shapes that a comment tells of, and the comment without them. What names no square of the board stays in the
    comment."""
    known = frozenset(squares)
    found: list[Shape] = []

    def take(command: re.Match[str]) -> str:
        shapes = [_SHAPE.fullmatch(word.strip()) for word in command[1].split(",")]
        read = [Shape(COLOURS[shape[1]], shape[2], shape[3]) for shape in shapes if shape is not None]
        if len(read) < len(shapes) or any({one.square, one.target} - known - {None} for one in read):
            return command[0]
        found.extend(read)
        return ""

    rest = _COMMAND.sub(take, comment).strip()
    return tuple(dict.fromkeys(found)), rest


def joined(shapes: Sequence[Shape], comment: str) -> str:
    """A comment that tells of shapes, the marks first."""
    marks = [f"{_LETTERS[shape.colour]}{shape.square}" for shape in shapes if shape.target is None]
    arrows = [f"{_LETTERS[shape.colour]}{shape.square}{shape.target}" for shape in shapes if shape.target is not None]
    commands = [f"[%{name} {','.join(given)}]" for name, given in (("csl", marks), ("cal", arrows)) if given]
    return " ".join(filter(None, (*commands, comment)))
