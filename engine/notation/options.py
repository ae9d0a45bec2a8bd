"""The options of the rules that a record of a game names, in its tag `RuleVariants`: words divided by blanks, such
as ``DeadKingWalking EnPassant PromoteTo=D``. A record without the tag is played by our preset; a record with it has
the options that it names, and no others. The tag `Seed`, which is ours, has the number by which dead kings walk.
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
    """The rules with the options that the words name and no others. Raises `InvalidNotation`
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
    """The options in force, and others that a record's own tag has named."""
    words = {word for word, field in _OPTIONS.items() if getattr(rules, field)}
    if rules.promotions != rules_of(rules.name).promotions or len(rules.promotions) == 1:
        words.add(_PROMOTIONS + ",".join(kind.letter.upper() for kind in rules.promotions))
    words.update(word for word in others if word not in _OPTIONS and not word.startswith(_PROMOTIONS))
    return " ".join(sorted(words))


def read_seed(tags: Mapping[str, str]) -> int:
    """The seed that the tags of a record name; 0 where they name none."""
    text = tags.get(SEED, "")
    return int(text) if re.fullmatch("-?[0-9]{1,40}", text) else 0


def write_seed(start: Position) -> dict[str, str]:
    """The tag of a game's seed, if it has one."""
    return {SEED: str(start.seed)} if start.seed else {}
