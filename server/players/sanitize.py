"""Makes text written by players safe to show: one line of visible characters.

The text may reach a page, a terminal or a log. So it must not break the line, change the direction of writing, hide
text, or stack so many marks on a letter that they cover its neighbours.
"""

import unicodedata
from typing import Final

MARKS: Final = 4
"""How many combining marks a letter keeps: as many as any living script needs."""

_FILLERS: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")
"""Letters, marks and symbols that are invisible."""

_SEEN: Final = frozenset("LNPS")
"""The Unicode categories of visible characters: letters, numbers, punctuation, symbols."""


def shown(text: str, keep: str = "") -> str:
    """The text in a form that is safe to show; empty if none of it is visible. It keeps only the format characters in
    `keep`."""
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    line: list[str] = []
    marks = 0
    categories = {char: unicodedata.category(char) for char in set(text)}
    for char in text:
        category = categories[char]
        marks = marks + 1 if category in ("Mn", "Me") else 0
        if char.isspace():
            line.append(" ")
        elif char in keep or (category[0] != "C" and char not in _FILLERS and marks <= MARKS):
            line.append(char)
    if any(categories.get(char, "Zs")[0] in _SEEN for char in line):
        return " ".join("".join(line).split())
    return ""
