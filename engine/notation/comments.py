"""Comments of games: their lines, and how they stand in braces in PGN and PGN4.

Many programs fill lines of 80 characters, and break comments to do so; nothing in PGN tells such a break from one that
somebody made. So a comment of several lines is written with a line break right behind its opening brace, and is then
read as it is. Any other is read as one line if its lines are as full as such programs make them.
"""

from __future__ import annotations

import re
from itertools import pairwise

WIDTH = 79
"""How many characters a line of a file has at most."""

_NARROW, _WIDE = 70, 80
"""Programs that fill lines go on to the next one once they would have more characters than a number between these."""

_WORD = re.compile(r"(?:\[%[^\]]*\]|\S)+")


def lines(text: str) -> str:
    """A text in its lines, without blanks that show nothing: at the ends of lines, or more than one between words."""
    return "\n".join(" ".join(line.split()) for line in text.splitlines()).strip("\n")


def words(text: str) -> list[str]:
    """The words of a text. A command (``[%clk 0:03:00]``) is not broken."""
    return _WORD.findall(text)


def braced(comment: str) -> list[str]:
    """A comment as words to write: none if there is nothing to say."""
    if not comment:
        return []
    comment = comment.replace("}", ")")  # nothing in PGN can stand for a closing brace within a comment
    if "\n" not in comment:
        return [f"{{{comment}}}"]
    # At the beginning of a line these would begin a tag, or a line that is passed over.
    safe = (f" {line}" if line.startswith(("[", "%")) else line for line in comment.split("\n"))
    return ["\n".join(("{", *safe, "}"))]


def read(text: str, column: int) -> str:
    """A comment, of what stands in braces; so many characters stand before the opening one in its line."""
    found = lines(text)
    apart = not text.splitlines()[0].strip() if found else False
    return found if apart or not _filled(f"{{{text}}}", column) else " ".join(found.split())


def _filled(text: str, column: int) -> bool:
    """Whether lines end only where the next word had no room."""
    for line, following in pairwise(text.splitlines()):
        length = column + len(line.rstrip())
        column = 0
        after = words(following)
        if not after or length + 1 + len(after[0]) <= _NARROW or (length > _WIDE and len(words(line)) > 1):
            return False
    return True
