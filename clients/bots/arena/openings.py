"""Balanced openings: short beginnings of games, after which no seat is better off than another.

`balanced.txt` has them for some variants, one a line: the variant, and its moves from the start. `make_openings` makes
it. A file of your own has the same form.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Final

from fourfold.engine.errors import IllegalMove, InvalidNotation
from fourfold.engine.variants import opening, rules_of

INCLUDED: Final = "balanced"
"""The name of the included openings."""


class BadOpenings(ValueError):
    """A file of openings cannot be read, or has none for the variant, or the variant draws its start."""


def read(name: str, variant: str) -> list[tuple[str, ...]]:
    """The openings of a variant: the included ones by the name `INCLUDED`, or those of a file. Raises `BadOpenings`."""
    try:
        text = (files(__package__) / "balanced.txt" if name == INCLUDED else Path(name)).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadOpenings(f"{name} cannot be read: {error}") from error
    if rules_of(variant).draws_start:
        raise BadOpenings(f"each game of {variant} has a starting array of its own")
    found = list(_lines(name, text, variant))
    if not found:
        raise BadOpenings(f"{name} has no openings of {variant}")
    return found


def _lines(name: str, text: str, variant: str) -> Iterator[tuple[str, ...]]:
    start = opening(variant)
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("#") or line.split()[:1] != [variant]:
            continue
        moves = tuple(line.split()[1:])
        position = start
        try:
            for move in moves:
                position = position.play(position.find(move))
        except (IllegalMove, InvalidNotation) as error:
            raise BadOpenings(f"{name}, line {number}: {error}") from error
        if position.outcome is not None:
            raise BadOpenings(f"{name}, line {number}: the game is over after the opening")
        yield moves
