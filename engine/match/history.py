"""The line of a game: the steps from its start to where it is, cut where an undo or a redo wants it."""

from collections.abc import Iterable, Iterator
from dataclasses import field, replace
from typing import Final

from fourfold.engine.match.clock import Clocks
from fourfold.engine.outcome import Termination
from fourfold.engine.position import Position
from fourfold.engine.values import value

BLOCK: Final = 32
"""How many steps are kept together; the position is, after each so many."""


@value
class PlayedStep:
    """One step of the game's line: a move, or a seat that left between moves (`move` is then None).

    `left` is what each seat had on its clock after it, if time counts. `after` is the position it led to, kept
    by the last step of each block of `Steps`.
    """

    seat: int
    move: str | None
    reason: Termination | None = None
    left: tuple[int, ...] | None = None
    after: Position | None = field(default=None, repr=False, compare=False)

    def play(self, position: Position) -> Position:
        """The position this step leads to. An imported game may have gone on past a draw by our rules."""
        position = position.past_draw()
        if self.move is not None:
            return position.play(position.find(self.move))
        assert self.reason is not None  # a step is a move or a departure
        return position.eliminate(self.seat, self.reason)


class Steps:
    """Steps in their order; a value, as a tuple would be.

    In blocks, so that one more copies a block at most, where a tuple would touch every step of a long game at
    each move; and so that going back is no more than to play a block again.
    """

    __slots__ = ("_blocks", "_rest")

    def __init__(self, steps: Iterable[PlayedStep] = ()) -> None:
        """Of steps that `then` has put in this order, from the first."""
        row = tuple(steps)
        whole = len(row) - len(row) % BLOCK
        self._blocks = tuple(row[start : start + BLOCK] for start in range(0, whole, BLOCK))
        self._rest = row[whole:]

    def then(self, step: PlayedStep, position: Position) -> "Steps":
        """With one more step, which leads to a position."""
        more = Steps.__new__(Steps)
        if len(self._rest) == BLOCK - 1:
            more._blocks, more._rest = (*self._blocks, (*self._rest, replace(step, after=position))), ()
        else:
            more._blocks, more._rest = self._blocks, (*self._rest, step)
        return more

    @property
    def last(self) -> PlayedStep | None:
        """The last step; None if there is none."""
        if self._rest:
            return self._rest[-1]
        return self._blocks[-1][-1] if self._blocks else None

    def mark(self, start: Position) -> tuple[Position, tuple[PlayedStep, ...]]:
        """The last position that is kept (or the start), and the steps that lead on from there."""
        after = self._blocks[-1][-1].after if self._blocks else start
        assert after is not None  # `then` has kept it
        return after, self._rest

    def __len__(self) -> int:
        return BLOCK * len(self._blocks) + len(self._rest)

    def __iter__(self) -> Iterator[PlayedStep]:
        for block in self._blocks:
            yield from block
        yield from self._rest

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Steps) and (self._blocks, self._rest) == (other._blocks, other._rest)

    def __hash__(self) -> int:
        return hash((self._blocks, self._rest))

    def __repr__(self) -> str:
        return f"Steps({list(self)})"


@value
class History:
    """The game's line cut at some ply: the steps that led there and those a redo would bring back."""

    steps: Steps
    undone: tuple[PlayedStep, ...]

    @property
    def ply(self) -> int:
        """How many of the steps are moves."""
        return moves_in(self.steps)

    def back(self, plies: int) -> "History":
        """The line with its last `plies` moves (at most as many as there are), and what followed them, undone.

        Departures that came before the earliest of those moves stay: they belong to the position it
        was made from.
        """
        steps = tuple(self.steps)
        cut = len(steps)
        while plies:
            cut -= 1
            plies -= steps[cut].move is not None
        return History(Steps(steps[:cut]), steps[cut:] + self.undone)

    def forth(self, plies: int) -> "History":
        """The line with its first `plies` undone moves, and what followed them, played again: the inverse of `back`."""
        cut = 0
        while cut < len(self.undone) and (plies or self.undone[cut].move is None):
            plies -= self.undone[cut].move is not None
            cut += 1
        return History(Steps((*self.steps, *self.undone[:cut])), self.undone[cut:])

    def left(self, clocks: Clocks | None) -> tuple[int, ...] | None:
        """What each seat had on its clock at the end of the steps; None for an untimed game."""
        if clocks is None:
            return None
        left = None if self.steps.last is None else self.steps.last.left
        return left or (clocks.control.base,) * len(clocks.left)

    def play(self, start: Position) -> Position:
        """The position the steps lead to from the start."""
        position, rest = self.steps.mark(start)
        for step in rest:
            position = step.play(position)
        return position


def moves_in(steps: Iterable[PlayedStep]) -> int:
    """How many of the steps are moves."""
    return sum(step.move is not None for step in steps)
