"""Level 5: the opening book, mates that nobody can prevent, and a search of all else."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from contextlib import suppress
from time import monotonic
from typing import Final

from fourfold.clients.bots.mates import MOST, forced
from fourfold.clients.bots.mates_among_four import each_alone, forced_among_four, mated_by_two
from fourfold.clients.bots.openings import book
from fourfold.clients.bots.search import DEEPEST, FULL, MATE, Known, Search, TimeIsUp
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

    Between two, it keeps what it has found for its next moves, in whatever games of a variant it plays: in `known`, if
    that is given. A search visits at most `nodes` positions, and remembers `memory` positions at most. `report` is
    called after each of its iterations, with the best move.
    """

    def __init__(
        self,
        seed: int | str | None = None,
        clock: Callable[[], float] = monotonic,
        deepest: int = DEEPEST,
        *,
        nodes: float = math.inf,
        memory: int = FULL,
        known: Known | None = None,
        report: Callable[[Search, Move], None] | None = None,
    ) -> None:
        self._generator = random.Random(seed)
        self._clock = clock
        self._deepest = deepest
        self._nodes = nodes
        self._memory = memory
        self._variant: str | None = None
        self._known: Known = {} if known is None else known
        self._report = report
        self.search: Search | None = None
        """The latest search; None where the book knew the latest move."""
        self.mate: list[Move] = []
        """The moves of the mate that the latest choice begins, if nobody can prevent it."""

    def choose(self, position: Position, budget: float, among: Sequence[Move] | None = None) -> str:
        """As a `Choose` of `levels`; `among` are the moves to choose from, if not all."""
        known = [move.text for move in book.reactive(position) if among is None or move in among]
        usual = [text for text in known if known.count(text) >= _USUAL]
        self.mate = []
        if usual:
            self.search = None
            return self._generator.choice(usual)
        if position.variant != self._variant:
            if self._variant is not None:
                self._known = {}
            self._variant = position.variant
        crowded = each_alone(position) and len(position.alive) > 2
        start = self._clock()
        search = Search(
            position, start + budget * (_SEARCHED if crowded else 1), self._clock, self._memory,
            self._known if len(position.seats) == 2 else None, among=among,
        )  # fmt: skip
        self.search = search
        search.most = self._nodes
        report = self._report
        if report is not None:
            search.report = lambda best: report(search, best)
        self.mate = self._mate(search, position, among)
        if self.mate:
            return self.mate[0].text
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

    def _mate(self, search: Search, position: Position, among: Sequence[Move] | None) -> list[Move]:
        """As `sure_mate`; empty as well if there is no time to see it, or it begins with another move. Between two,
        `search` has found it then."""
        start = self._clock()
        end = start + (1 - _KEPT) * (search.deadline - start)
        most = (1 - _KEPT) * search.most

        def look() -> None:
            search.nodes += 1
            if search.nodes >= most or self._clock() >= end:
                raise TimeIsUp

        with suppress(TimeIsUp):
            line = sure_mate(position, min(MOST, (self._deepest + 1) // 2), look)
            if line and (among is None or line[0] in among):
                if len(position.seats) == 2:
                    search.depth, search.score = len(line), MATE - len(line)
                return line
        return []


def sure_mate(position: Position, most: int, count: Callable[[], None]) -> list[Move]:
    """The moves of a mate that nobody can prevent; empty if there is none. Between two, one in at most so many moves;
    among four one in up to two, of another player, and only its first move. `count` as in `forced`."""
    if len(position.seats) == 2:
        return forced(position, most, count)
    first = forced_among_four(position, count) if each_alone(position) else None
    return [] if first is None else [first]
