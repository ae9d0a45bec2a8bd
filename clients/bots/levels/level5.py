"""Level 5: the opening book, mates that nobody can prevent, and a search. A `Strength` can limit it."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from contextlib import suppress
from time import monotonic
from typing import Final

from fourfold.clients.bots.levels.strength import Strength
from fourfold.clients.bots.openings import book
from fourfold.clients.bots.search.alpha_beta import DEEPEST, FULL, MATE, Search, TimeIsUp
from fourfold.clients.bots.search.known import Known
from fourfold.clients.bots.search.mates import MOST, forced
from fourfold.clients.bots.search.mates_among_four import each_alone, forced_among_four, mated_by_two
from fourfold.engine.moves import Move
from fourfold.engine.position import Position

_USUAL: Final = 4
"""The least number of lines with a book move for level 5 to play it."""

_SAFER: Final = 150
"""The most that level 5 gives up for a move that prevents a mate by two opponents, in hundredths of a pawn below the
best move."""

_SEARCHED: Final = 0.8
"""The part of the time for the search among four; the rest is for threats by two opponents."""

_KEPT: Final = 0.9
"""The part of the time that is kept for the search while looking for mates."""


class Level5:
    """Searches as deep as the budget allows. Only the choice between several book moves is random, and the noise of a
    `strength`.

    For two players, it keeps its results for its next moves, in all games of a variant; in `known`, if given. A search
    visits at most `nodes` positions, and remembers at most `memory` positions. `report` is called after each iteration,
    with the best move.

    With a `strength`, its number of nodes ends a search before the budget does, and it keeps no results. So the same
    seed and the same positions give the same moves on all machines that are fast enough for the budget.
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
        strength: Strength | None = None,
    ) -> None:
        self._generator = random.Random(seed)
        self._clock = clock
        self._deepest = deepest
        self._strength = strength
        self._nodes = nodes if strength is None else min(nodes, strength.nodes)
        self._memory = memory
        self._variant: str | None = None
        self._known = Known() if known is None else known
        self._report = report
        self.search: Search | None = None
        """The latest search; None if the latest move came from the book."""
        self.mate: list[Move] = []
        """The moves of the mate that starts with the latest choice, if nobody can prevent it."""

    def choose(self, position: Position, budget: float, among: Sequence[Move] | None = None) -> str:
        """Choose as a `Choose` of `levels` does. `among` has the moves to choose from; the default is all."""
        known = [move.text for move in book.reactive(position) if among is None or move in among]
        usual = [text for text in known if known.count(text) >= _USUAL]
        self.mate = []
        if usual:
            self.search = None
            return self._generator.choice(usual)
        if position.variant != self._variant:
            if self._variant is not None:
                self._known = Known()
            self._variant = position.variant
        crowded = each_alone(position) and len(position.alive) > 2
        start = self._clock()
        search = Search(
            position, start + budget * (_SEARCHED if crowded else 1), self._clock, self._memory,
            self._known if len(position.seats) == 2 and self._strength is None else None, among=among,
        )  # fmt: skip
        self.search = search
        search.most = self._nodes * (_SEARCHED if crowded else 1)
        search.noise = self._noise(position)
        report = self._report
        if report is not None:
            search.report = lambda best: report(search, best)
        self.mate = self._mate(search, position, among)
        if self.mate:
            return self.mate[0].text
        move = search.best(self._deepest)
        if crowded:
            search.deadline, search.most = start + budget, self._nodes
            move = self._safer(search, position, move)
        return move.text

    def _noise(self, position: Position) -> dict[Move, int]:
        """The noise of each legal move; empty without a strength."""
        if self._strength is None or not self._strength.noise:
            return {}
        moves = sorted(position.legal_moves, key=lambda move: move.text)
        return {move: round(self._generator.gauss(0, self._strength.noise)) for move in moves}

    def _safer(self, search: Search, position: Position, best: Move) -> Move:
        """The move in games without teams: the best by the search. If two opponents could mate in turn after it, the
        move is another one that is almost as good and does not allow that."""
        move, rest = best, [one for one in search.moves() if one is not best]

        def look() -> None:
            search.nodes += 1
            if search.nodes >= search.most or self._clock() >= search.deadline:
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
        """The result of `sure_mate`. It is also empty if there is no time, or if the mate starts with another move. For
        two players, `search` then has the mate's depth and score."""
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
    """The moves of a mate that nobody can prevent; empty if there is none. For two players, a mate in at most `most`
    moves. For four, the first move of a mate of another player in up to two moves. `count` is as in `forced`."""
    if len(position.seats) == 2:
        return forced(position, most, count)
    first = forced_among_four(position, count) if each_alone(position) else None
    return [] if first is None else [first]
