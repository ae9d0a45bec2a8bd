"""The rule options in a game record's tag `RuleVariants`, such as ``DeadKingWalking EnPassant PromoteTo=D``.

Without the tag, our preset of the variant applies. With the tag, exactly the named options apply. Our own tag `Seed`
holds the number that decides the moves of walking kings.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

from fourfold.engine.errors import InvalidNotation
from fourfold.engine.pieces import KIND_OF_LETTER
from fourfold.engine.position import Position, Variant
from fourfold.engine.variants import rules_of

TAG = "RuleVariants"
SEED = "Seed"

_OPTIONS = {"DeadKingWalking": "dead_kings_walk", "EnPassant": "en_passant"}
_PROMOTIONS = "PromoteTo="


def read(text: str, rules: Variant) -> Variant:
    """The rules with exactly the options in `text`, words separated by blanks. Raises `InvalidNotation`
    (`unknown_promotion`)."""
    words = text.split()
    rules = replace(rules, **{field: word in words for word, field in _OPTIONS.items()})  # type: ignore[arg-type]
    for word in words:
        if word.startswith(_PROMOTIONS):
            letters = word.removeprefix(_PROMOTIONS).replace(",", "").lower()
            if not letters or not set(letters) <= KIND_OF_LETTER.keys() - set("pk"):
                raise InvalidNotation(
                    "unknown_promotion", f"'{word[:20]}' does not name pieces such as Q, R, B, N or D."
                )
            rules = replace(rules, promotions=tuple(dict.fromkeys(KIND_OF_LETTER[letter] for letter in letters)))
    return rules


def write(rules: Variant, others: Iterable[str] = ()) -> str:
    """The rules' options as text, together with unknown words from a record's own tag (`others`)."""
    words = {word for word, field in _OPTIONS.items() if getattr(rules, field)}
    if rules.promotions != rules_of(rules.name).promotions or len(rules.promotions) == 1:
        words.add(_PROMOTIONS + ",".join(kind.letter.upper() for kind in rules.promotions))
    words.update(word for word in others if word not in _OPTIONS and not word.startswith(_PROMOTIONS))
    return " ".join(sorted(words))


def read_seed(tags: Mapping[str, str]) -> int:
    """The seed in a record's tags; 0 if there is none."""
    text = tags.get(SEED, "")
    return int(text) if re.fullmatch("-?[0-9]{1,40}", text) else 0


def write_seed(start: Position) -> dict[str, str]:
    """The tag for a game's seed; empty if the seed is 0."""
    return {SEED: str(start.seed)} if start.seed else {}
