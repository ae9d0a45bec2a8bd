"""Level 5: the opening book, mates that nobody can prevent, and a search of all else."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress
from time import monotonic
from typing import Final

from fourfold.clients.bots.mates import MOST, forced
from fourfold.clients.bots.mates_among_four import each_alone, forced_among_four
from fourfold.clients.bots.openings import book
from fourfold.clients.bots.search import DEEPEST, MATE, Known, Search, TimeIsUp
from fourfold.engine.moves import Move
from fourfold.engine.position import Position

_USUAL: Final = 4
"""Book moves that fewer lines have are not followed."""

_KEPT: Final = 0.9
"""Which part of the time is kept for the search while mates are looked for."""


class Level5:
    """Searches as deep as the budget allows. Only which of several book moves it plays is chance.

    Between two, it keeps what it has found for its next moves, in whatever games of a variant it plays.
    """

    def __init__(
        self, seed: int | str | None = None, clock: Callable[[], float] = monotonic, deepest: int = DEEPEST
    ) -> None:
        self._generator = random.Random(seed)
        self._clock = clock
        self._deepest = deepest
        self._variant = ""
        self._known: Known = {}
        self.search: Search | None = None
        """The latest search; None where the book knew the latest move."""

    def choose(self, position: Position, budget: float) -> str:
        """As a `Choose` of `levels`."""
        known = [move.text for move in book.reactive(position)]
        usual = [text for text in known if known.count(text) >= _USUAL]
        if usual:
            self.search = None
            return self._generator.choice(usual)
        if position.variant != self._variant:
            self._variant, self._known = position.variant, {}
        memory = self._known if len(position.seats) == 2 else None
        self.search = Search(position, self._clock() + budget, self._clock, known=memory)
        return (self._mate(self.search, position) or self.search.best(self._deepest)).text

    def _mate(self, search: Search, position: Position) -> Move | None:
        """The first move of a mate that nobody can prevent; None if there is none, or no time to see it. Between two,
        `search` has found it then."""
        start = self._clock()
        end = search.deadline - _KEPT * (search.deadline - start)

        def look() -> None:
            if self._clock() >= end:
                raise TimeIsUp

        with suppress(TimeIsUp):
            line = sure_mate(position, min(MOST, (self._deepest + 1) // 2), look)
            if line:
                if len(position.seats) == 2:
                    search.depth, search.score = len(line), MATE - len(line)
                return line[0]
        return None


def sure_mate(position: Position, most: int, count: Callable[[], None]) -> list[Move]:
    """The moves of a mate that nobody can prevent; empty if there is none. Between two, one in at most so many moves;
    among four one in up to two, of another player, and only its first move. `count` as in `forced`."""
    if len(position.seats) == 2:
        return forced(position, most, count)
    first = forced_among_four(position, count) if each_alone(position) else None
    return [] if first is None else [first]
