"""Level 5: the opening book, mates between two that are looked for in every line, and a search of all else."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from contextlib import suppress
from time import monotonic
from typing import Final

from fourfold.clients.bots.lookahead import Lookahead
from fourfold.clients.bots.mates import MOST, forced
from fourfold.clients.bots.openings import book
from fourfold.clients.bots.search import DEEPEST, FORCED, MATE, Known, Search, TimeIsUp
from fourfold.engine.moves import Move
from fourfold.engine.position import Position

_USUAL: Final = 4
"""Book moves that fewer lines have are not followed."""

_KEPT: Final = 0.8
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
        best = self._mate(self.search, position) or self.search.best(self._deepest)
        return (last_mate(position, position.legal_moves, self.search.score) or best).text

    def _mate(self, search: Search, position: Position) -> Move | None:
        """The first move of a mate in up to three, which `search` then has found; None if between two there is none,
        or no time to see it."""
        end = search.deadline - _KEPT * (search.deadline - self._clock())

        def look() -> None:
            if self._clock() >= end:
                raise TimeIsUp

        line: list[Move] = []
        if len(position.seats) == 2:
            with suppress(TimeIsUp):
                line = forced(position, min(MOST, (self._deepest + 1) // 2), look)
        if not line:
            return None
        search.depth, search.score = len(line), MATE - len(line)
        return line[0]


def last_mate(position: Position, moves: Sequence[Move], worth: int) -> Move | None:
    """A move that mates another, where among four all moves are worth a lost game: whoever is lost can still do that
    first. None if there is no such move, or the game is not lost."""
    if worth >= -FORCED or len(position.seats) == 2:
        return None
    return next(filter(Lookahead(position).mates, moves), None)
