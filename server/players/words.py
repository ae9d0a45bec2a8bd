"""Finds banned words in any spelling: with spaces or points between the letters, with digits for letters, with accents,
or with look-alike letters."""

import re
import unicodedata
from collections.abc import Collection, Iterator
from typing import Final

from fourfold.server.players.names import skeleton

_DIGITS: Final = dict(zip("013456789", "oieasgtbg", strict=True))

_SYMBOLS: Final = {"@": "a", "$": "s", "!": "i", "|": "i", "€": "e"}
"""Symbols that stand for letters, or are mere punctuation: both are tried."""

_READINGS: Final = (
    (re.compile(r"[^\W_]+"), str.maketrans(_DIGITS)),
    (re.compile(rf"(?:[^\W_]|[{re.escape(''.join(_SYMBOLS))}])+"), str.maketrans(_DIGITS | _SYMBOLS)),
)
"""A part of a text: its letters, and the letters that its symbols may stand for."""


def plain(text: str) -> str:
    """The letters of a word, the same for all its spellings; empty without letters and digits."""
    return _letters(_unmarked(text), str.maketrans(_DIGITS | _SYMBOLS))


def found(text: str, words: Collection[str]) -> str | None:
    """The first of `words` (as `plain` returns them) in a text; None if there is none. Only whole words count: a word
    may be split, but may not be part of a longer one."""
    longest = max(map(len, words), default=0)
    unmarked = _unmarked(text)
    for pattern, table in _READINGS:
        parts = [(_letters(part, table), any(map(str.isalpha, part))) for part in pattern.findall(unmarked)]
        for run in _runs(parts, longest):
            if run in words:
                return run
    return None


def _runs(parts: list[tuple[str, bool]], longest: int) -> Iterator[str]:
    """Joins of neighbouring parts, up to a length; without those of digits alone, which are numbers."""
    for start in range(len(parts)):
        run, lettered = "", False
        for letters, has_letters in parts[start:]:
            run, lettered = run + letters, lettered or has_letters
            if len(run) > longest:
                break
            if lettered:
                yield run


def _unmarked(text: str) -> str:
    """A text without accents and invisible characters."""
    decomposed = unicodedata.normalize("NFKD", text)
    return "".join(char for char in decomposed if unicodedata.category(char) not in ("Mn", "Me", "Mc", "Cf"))


def _letters(part: str, table: dict[int, str]) -> str:
    return skeleton(part.translate(table))
