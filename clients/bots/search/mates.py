"""Forced mates between two players, by an exhaustive search: unlike an ordinary search, it skips no move.

`forced` is exact: it finds a mate in the given number of moves if there is one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from fourfold.engine.movegen import in_check
from fourfold.engine.moves import Move
from fourfold.engine.position import Position

MOST: Final = 3
"""The longest mate to search for, in moves of the mating side."""


def forced(position: Position, moves: int, count: Callable[[], None] = lambda: None) -> list[Move]:
    """The moves of the shortest mate in at most `moves` moves of the side to move, against the longest defence; empty
    if there is none. `count` is called for each visited position, and can raise an exception to stop the search. For
    variants for two players in which mate wins; where the referee lists the legal moves, it finds none."""
    if position.rules.own_legality or position.kings[1 - position.turn] < 0:
        return []
    mates = _Mates(count)
    for within in range(1, moves + 1):
        if mates.mating(position, within):
            return mates.line(position, within)
    return []


class _Mates:
    """The results of one call, by the number of moves left and by position."""

    def __init__(self, count: Callable[[], None]) -> None:
        self._count = count
        self._known: list[dict[int, Move | None]] = [{} for _ in range(MOST + 1)]
        self._refutations: dict[str, int] = {}  # how often a reply has refuted a mate, to try it early

    def mating(self, position: Position, within: int) -> Move | None:
        """A move that forces mate within `within` moves; None if there is none."""
        known, key = self._known[within], position.identity
        if key in known:
            return known[key]
        found = None
        for move in self._checking(position) if within == 1 else self._ordered(position):
            self._count()
            after = position.play(move)
            if not after.movable() and in_check(after, after.turn):
                found = move
                break
            if within > 1 and after.outcome is None and self._holds(after, within - 1):
                found = move
                break
        known[key] = found
        return found

    def _holds(self, position: Position, within: int) -> bool:
        """Whether every reply allows a mate within `within` moves."""
        refuted = self._refutations
        replies: Sequence[Move] = position.movable()
        if len(replies) > 1 and refuted:
            replies = sorted(replies, key=lambda move: -refuted.get(move.text, 0))
        for reply in replies:
            self._count()
            after = position.play(reply)
            if after.outcome is not None or self.mating(after, within) is None:
                refuted[reply.text] = refuted.get(reply.text, 0) + 1
                return False
        return True

    def line(self, position: Position, within: int) -> list[Move]:
        """The moves of an existing mate, with the longest defence."""
        move = self.mating(position, within)
        assert move is not None
        after = position.play(move)
        longest: list[Move] = []
        for reply in after.movable():
            then = after.play(reply)
            least = next(fewer for fewer in range(1, within) if self.mating(then, fewer))
            line = [reply, *self.line(then, least)]
            if len(line) > len(longest):
                longest = line
        return [move, *longest]

    def _ordered(self, position: Position) -> list[Move]:
        """The moves, possible checks first."""
        near = set(self._checking(position))
        return sorted(position.movable(), key=lambda move: move not in near)

    def _checking(self, position: Position) -> list[Move]:
        """The moves that can give check: by the moved piece, by opening a line, or by several pieces."""
        seat, tables = position.turn, position.tables
        army, total = position.armies[seat], position.total
        threats, occupied = tables.threats[position.kings[1 - seat]], total & tables.full
        sliders = position.forces[tables.teams[seat]] & threats.mask & tables.far
        opened = 0
        for between, _ in threats[sliders]:
            barrier = between & occupied
            if barrier & barrier - 1 == 0:
                opened |= barrier
        found = []
        for move in position.movable():
            man = army[move.source]
            mark = man.kin[move.target].mark
            if (
                man.bit & opened
                or (mark & threats.mask and threats.reached(mark, total & ~man.bit))
                or move.promotion is not None
                or (man.king and position.castle_of(move) is not None)
                or (man.pawn and position.steps and not move.bit & occupied)
            ):
                found.append(move)
        return found
