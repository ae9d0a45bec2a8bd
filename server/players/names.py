"""The names of accounts: which are allowed, and when two look alike.

Two names look alike if they have the same skeleton (Unicode UTS 39, from the package confusable-homoglyphs). Letter
case, spaces and punctuation are ignored.
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
"""The suffix for a guest, or a bot without an account, whose name would pass for another's."""

_STAFF: Final = (
    "admin", "administrator", "moderator", "mod", "operator", "server", "system", "fourfold", "support",
)  # fmt: skip
"""Names that players trust: no guest may use one either."""

_WORDS: Final = (
    *_STAFF, "host", "you",
    "nobody", "everybody", "white", "black", "red", "blue", "yellow", "green", "level", "computer", "bot",
)  # fmt: skip
"""Names that no account may use: they belong to the service, or would be misread."""

_SIMILAR: Final = str.maketrans({"i": "l"})
"""Letters that look alike once case is ignored: `I` looks like `l`."""


class BadName(ValueError):
    """A name that no account may have. The message says why, and suggests a fix."""


def clean_name(name: str) -> str:
    """A name in the form that is shown: normalised, visible characters on one line, at most `MAX_NAME` of them."""
    return shown(unicodedata.normalize("NFKC", name))[:MAX_NAME].strip()


def skeleton(name: str) -> str:
    """The visual shape of a name: names of the same skeleton look alike. Empty without letters and digits."""
    seen = _look(_look(unicodedata.normalize("NFKC", name)).casefold()).translate(_SIMILAR)
    return "".join(char for char in seen if char.isalnum() or unicodedata.category(char)[0] == "M")


def account_name(name: str) -> str:
    """A name in the form that accounts use. Raises `BadName`."""
    cleaned = clean_name(name)
    if not skeleton(cleaned):
        raise BadName("A name needs at least one letter or digit.")
    if is_reserved(cleaned) or skeleton(cleaned).startswith(skeleton("guest")):
        raise BadName(f"The name {cleaned}, or one that looks like it, is reserved. Choose another.")
    return cleaned


def is_reserved(name: str) -> bool:
    """Whether a name is the service's own, or a seat's, or looks like a computer player's."""
    return skeleton(name) in set(map(skeleton, _WORDS)) or is_level(name)


def is_staff(name: str) -> bool:
    """Whether a name looks like that of the service's staff."""
    return skeleton(name) in set(map(skeleton, _STAFF))


def is_level(name: str) -> bool:
    """Whether a name looks like a computer player's."""
    return _levels().fullmatch(skeleton(name)) is not None


def marked_name(name: str, *, bot: bool = False) -> str:
    """The name of a guest, or of a `bot`, that may not have the name it asked for."""
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
    """For each look-alike character, the character that most others look like."""
    from confusable_homoglyphs.confusables import confusables_data  # a megabyte, loaded on first use

    found = {}
    for char, alike in confusables_data.items():
        if len(char) == 1:
            looks = [char, *(other["c"] for other in alike)]
            best = min(looks, key=lambda look: (-len(confusables_data.get(look, ())), look))
            if best != char:
                found[char] = best
    return found
