"""Comments of games: their lines, and their form between braces in PGN and PGN4.

Many programs wrap comments at 80 characters, and PGN cannot tell such a break from one that the author made. We
write a comment of several lines with a line break directly after its opening brace. The parser then keeps its
lines. It joins the lines of any other comment if they are as full as such programs make them.
"""

from __future__ import annotations

import re
from itertools import pairwise

WIDTH = 79
"""The longest line that we write, in characters."""

_NARROW, _WIDE = 70, 80
"""The range of line lengths at which other programs wrap, in characters."""

_WORD = re.compile(r"(?:\[%[^\]]*\]|\S)+")


def lines(text: str) -> str:
    """A text without superfluous blanks: none at the ends of lines, and one between words."""
    return "\n".join(" ".join(line.split()) for line in text.splitlines()).strip("\n")


def words(text: str) -> list[str]:
    """The words of a text. A command (``[%clk 0:03:00]``) counts as one word."""
    return _WORD.findall(text)


def braced(comment: str) -> list[str]:
    """A comment as words for `movetext.wrapped`; empty for an empty comment."""
    if not comment:
        return []
    comment = comment.replace("}", ")")  # PGN has no escape for a closing brace within a comment
    if "\n" not in comment:
        return [f"{{{comment}}}"]
    # At the start of a line, "[" would start a tag, and "%" a line that parsers skip.
    safe = (f" {line}" if line.startswith(("[", "%")) else line for line in comment.split("\n"))
    return ["\n".join(("{", *safe, "}"))]


def read(text: str, column: int) -> str:
    """Parse the text between two braces. `column` is the number of characters before the opening brace in its line."""
    found = lines(text)
    apart = not text.splitlines()[0].strip() if found else False
    return found if apart or not _filled(f"{{{text}}}", column) else " ".join(found.split())


def _filled(text: str, column: int) -> bool:
    """Whether each line ends only because the next word did not fit."""
    for line, following in pairwise(text.splitlines()):
        length = column + len(line.rstrip())
        column = 0
        after = words(following)
        if not after or length + 1 + len(after[0]) <= _NARROW or (length > _WIDE and len(words(line)) > 1):
            return False
    return True
