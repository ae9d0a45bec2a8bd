"""What of a text that somebody has written others are shown: one line of what can be seen. Pure.

A text may reach a page, a terminal or a log. So nothing in it breaks a line, turns the direction of writing, hides,
or piles up on a letter so high that it covers its neighbours.
"""

import unicodedata
from typing import Final

MARKS: Final = 4
"""How many marks a letter keeps: as many as any living script puts on one (vowels, points and accents together)."""

_FILLERS: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")
"""Letters, marks and symbols that look like nothing at all."""

_SEEN: Final = frozenset("LNPS")
"""Letters, numbers, punctuation, symbols: the general categories of what can be seen by itself."""


def shown(text: str, keep: str = "") -> str:
    """The text as it may be shown; empty if nothing of it could be seen. Of format characters it keeps `keep` alone."""
    line: list[str] = []
    marks = 0
    for char in text:
        category = unicodedata.category(char)
        marks = marks + 1 if category in ("Mn", "Me") else 0
        if char.isspace():
            line.append(" ")
        elif char in keep or (category[0] != "C" and char not in _FILLERS and marks <= MARKS):
            line.append(char)
    if any(unicodedata.category(char)[0] in _SEEN for char in line):
        return " ".join("".join(line).split())
    return ""
