"""Level 5: the opening book, mates that nobody can prevent, and a search of all else."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress
from time import monotonic
from typing import Final

from fourfold.clients.bots.mates import MOST, forced
from fourfold.clients.bots.mates_among_four import each_alone, forced_among_four, mated_by_two
from fourfold.clients.bots.openings import book
from fourfold.clients.bots.search import DEEPEST, MATE, Known, Search, TimeIsUp
from fourfold.engine.moves import Move
from fourfold.engine.position import Position

_USUAL: Final = 4
"""Book moves that fewer lines have are not followed."""

_SAFER: Final = 150
"""How much less than the best a move may be worth, in hundredths of a pawn, if two opponents can mate after the best,
and not after this one."""

_SEARCHED: Final = 0.8
"""Which part of the time is for the search among four; the rest is to see what two opponents can do."""

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
        crowded = each_alone(position) and len(position.alive) > 2
        start = self._clock()
        search = Search(position, start + budget * (_SEARCHED if crowded else 1), self._clock, known=memory)
        self.search = search
        move = self._mate(search, position)
        if move is None:
            move = search.best(self._deepest)
            if crowded:
                search.deadline = start + budget
                move = self._safer(search, position, move)
        return move.text

    def _safer(self, search: Search, position: Position, best: Move) -> Move:
        """The move to play among several who each play alone: the best by the search, or one that is worth almost as
        much, if after the best two opponents could mate, one after the other, and after that not."""
        move, rest = best, [one for one in search.moves() if one is not best]

        def look() -> None:
            if self._clock() >= search.deadline:
                raise TimeIsUp

        with suppress(TimeIsUp):
            while mated_by_two(position.play(move), position.turn, look):
                if not rest:
                    return best
                move, worth = search.iterate(rest, max(1, search.depth - 1))
                if worth < search.score - _SAFER:
                    return best
                rest.remove(move)
            return move
        return best

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
