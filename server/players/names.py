"""The names of accounts: which may be taken, and when two look alike.

Two names look alike if they have the same skeleton (Unicode UTS 39, from the package confusable-homoglyphs), letters'
case, spaces and punctuation aside.
"""

import re
import unicodedata
from functools import cache
from typing import Final

from fourfold.server.players.sanitize import shown

MAX_NAME: Final = 24
"""How many characters of a name are kept."""

GUEST: Final = " (guest)"
BOT: Final = " (bot)"
"""What follows the name of a guest, or of a bot without an account, that would pass for another's."""

_STAFF: Final = (
    "admin", "administrator", "moderator", "mod", "operator", "server", "system", "fourfold", "support",
)  # fmt: skip
"""Whom players take at their word: no guest passes for one either."""

_WORDS: Final = (
    *_STAFF, "host", "you",
    "nobody", "everybody", "white", "black", "red", "blue", "yellow", "green", "level", "computer", "bot",
)  # fmt: skip
"""Names that no account has: they are the service's, or would be misread."""

_SIMILAR: Final = str.maketrans({"i": "l"})
"""What the case of letters makes alike: `I` looks like `l`."""


class BadName(ValueError):
    """A name that no account may have; the message says why, and what would be right."""


def clean_name(name: str) -> str:
    """A name as it may be shown: normalised, visible characters on one line, at most `MAX_NAME` of them."""
    return shown(unicodedata.normalize("NFKC", name))[:MAX_NAME].strip()


def skeleton(name: str) -> str:
    """What a name looks like; names of the same skeleton look alike. Empty for one without letters and digits."""
    seen = _look(_look(unicodedata.normalize("NFKC", name)).casefold()).translate(_SIMILAR)
    return "".join(char for char in seen if char.isalnum() or unicodedata.category(char)[0] == "M")


def account_name(name: str) -> str:
    """A name as an account has it. Raises `BadName`."""
    cleaned = clean_name(name)
    if not skeleton(cleaned):
        raise BadName("A name has at least one letter or digit.")
    if is_reserved(cleaned) or skeleton(cleaned).startswith(skeleton("guest")):
        raise BadName(f"Nobody is called {cleaned} here, and nobody whose name looks like it; choose another.")
    return cleaned


def is_reserved(name: str) -> bool:
    """Whether a name is the service's own, or a seat's, or looks like a computer player's."""
    return skeleton(name) in set(map(skeleton, _WORDS)) or is_level(name)


def is_staff(name: str) -> bool:
    """Whether a name looks like that of somebody who runs the service."""
    return skeleton(name) in set(map(skeleton, _STAFF))


def is_level(name: str) -> bool:
    """Whether a name looks like a computer player's."""
    return _levels().fullmatch(skeleton(name)) is not None


def marked_name(name: str, *, bot: bool = False) -> str:
    """The name of a guest, or of a `bot`, who may not have the one asked for."""
    mark = BOT if bot else GUEST
    return name.removesuffix(mark)[: MAX_NAME - len(mark)].strip() + mark


@cache
def _levels() -> re.Pattern[str]:
    players = "|".join(map(skeleton, ("level", "computer", "computer player", "bot")))
    return re.compile(f"(?:{players})[0-9lo]+")  # of the digits, 1 looks like l, and 0 like o


def _look(text: str) -> str:
    prototypes = _prototypes()
    return "".join(prototypes.get(char, char) for char in unicodedata.normalize("NFD", text))


@cache
def _prototypes() -> dict[str, str]:
    """What each character that looks like another is replaced by: the one that most others look like."""
    from confusable_homoglyphs.confusables import confusables_data  # a megabyte, read when it is first needed

    found = {}
    for char, alike in confusables_data.items():
        if len(char) == 1:
            looks = [char, *(other["c"] for other in alike)]
            best = min(looks, key=lambda look: (-len(confusables_data.get(look, ())), look))
            if best != char:
                found[char] = best
    return found
