"""The variants by name, and how a game of each begins."""

from __future__ import annotations

from functools import lru_cache

from fourfold.engine.errors import InvalidNotation
from fourfold.engine.fourplayer.rules import FFA, SURVIVOR, TEAMS
from fourfold.engine.position import Position, Variant
from fourfold.engine.twoplayer.rules import STANDARD

VARIANTS: dict[str, Variant] = {rules.name: rules for rules in (STANDARD, SURVIVOR, FFA, TEAMS)}


def rules_of(variant: str) -> Variant:
    """The rules of a variant. Raises `InvalidNotation` with code `unknown_variant`."""
    rules = VARIANTS.get(variant)
    if rules is None:
        names = ", ".join(VARIANTS)
        raise InvalidNotation("unknown_variant", f"There is no variant '{variant[:32]}'; there are {names}.")
    return rules


def seats(variant: str) -> tuple[str, ...]:
    """The colours of a variant, in the order of turns. Raises `InvalidNotation` as `rules_of`."""
    return tuple(seat.name for seat in rules_of(variant).seats)


def opening(variant: str, *, setup: str | None = None, position: str | None = None, seed: int = 0) -> Position:
    """The position that a game begins with: the variant's own, a named starting array (`setup`), or any
    that a FEN or FEN4 says (`position`). The seed decides how dead kings will walk, and which array a variant begins
    with that draws it.

    Raises `InvalidNotation` for a name that is not known (`unknown_variant`, `unknown_setup`) and for text
    that cannot be read (`invalid_fen`), and `InvalidSetup` for a position that cannot be.
    """
    return opening_of(rules_of(variant), setup=setup, position=position, seed=seed)


def opening_of(rules: Variant, *, setup: str | None = None, position: str | None = None, seed: int = 0) -> Position:
    """The same, from a record of rules instead of a name."""
    text = _start(rules, setup, seed) if position is None else position
    begun = _kept(rules, text) if len(text) <= _LONGEST_KEPT else _begin(rules, text)
    return begun if seed == 0 else begun.replace(seed=seed)


def begins_as_usual(position: Position) -> bool:
    """Whether a game of the variant begins here where nothing is said of its beginning."""
    rules = rules_of(position.variant)
    return not rules.draws_start and position.fen() == opening_of(rules).fen()


def _start(rules: Variant, setup: str | None, seed: int) -> str:
    """The text of a starting array; without a name, that of the usual one."""
    if not setup:
        return rules.starts[seed % len(rules.starts) if rules.draws_start else 0][1]
    for name, text in rules.starts:
        if name.lower() == setup.lower():
            return text
    names = ", ".join(name for name, _ in rules.starts)
    raise InvalidNotation("unknown_setup", f"{rules.name} has no setup '{setup}'; it has {names}.")


def _begin(rules: Variant, text: str) -> Position:
    return Position.from_setup(rules, rules.notation.read(text, rules))


@lru_cache(maxsize=64)
def _kept(rules: Variant, text: str) -> Position:
    """The same, kept: many games begin from the same position."""
    return _begin(rules, text)


_LONGEST_KEPT = 2_000
"""How long a text may be for its position to be kept, in characters."""
