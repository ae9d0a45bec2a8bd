"""The line of a game: its steps from the start to now, and undone steps."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field, replace
from typing import Final

from fourfold.engine.match.clock import Clocks
from fourfold.engine.notation.game import Step
from fourfold.engine.outcome import Termination
from fourfold.engine.position import Position
from fourfold.engine.values import value

BLOCK: Final = 32
"""Steps in a block. The line keeps the position after each block."""


@value
class PlayedStep:
    """One step of a game's line: a move, or a seat's departure (`move` is then None).

    `left` is each seat's remaining time after the step, in a timed game. `after` is the position after the step; only
    the last step of each block of `Steps` keeps it.
    """

    seat: int
    move: str | None
    reason: Termination | None = None
    left: tuple[int, ...] | None = None
    after: Position | None = field(default=None, repr=False, compare=False)

    def play(self, position: Position) -> Position:
        """The position after this step. An imported game may have moves after a draw by our rules."""
        position = position.past_draw()
        if self.move is not None:
            return position.play(position.find(self.move))
        assert self.reason is not None  # a step is a move or a departure
        return position.eliminate(self.seat, self.reason)


class Steps:
    """An immutable sequence of steps, stored in blocks.

    Adding a step copies at most one block, while a tuple would copy every step of a long game. Going back replays at
    most one block.
    """

    __slots__ = ("_blocks", "_rest")

    def __init__(self, steps: Iterable[PlayedStep] = ()) -> None:
        """Rebuild a sequence from steps that came from another one, starting with its first."""
        row = tuple(steps)
        whole = len(row) - len(row) % BLOCK
        self._blocks = tuple(row[start : start + BLOCK] for start in range(0, whole, BLOCK))
        self._rest = row[whole:]

    def then(self, step: PlayedStep, position: Position) -> "Steps":
        """The sequence with one more step. `position` is the position after it."""
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
        """The latest stored position (or `start`), and the steps after it."""
        after = self._blocks[-1][-1].after if self._blocks else start
        assert after is not None  # `then` stored it
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
    """A game's line at some ply: the steps up to it, and the undone steps after it."""

    steps: Steps
    undone: tuple[PlayedStep, ...]

    @property
    def ply(self) -> int:
        """The number of moves among the steps."""
        return moves_in(self.steps)

    def back(self, plies: int) -> "History":
        """The line with its last `plies` moves undone, and everything after the earliest of them.

        The line must have that many moves. Departures before the earliest undone move stay: they belong to the position
        before it.
        """
        steps = tuple(self.steps)
        cut = place(steps, self.ply - plies)
        return History(Steps(steps[:cut]), steps[cut:] + self.undone)

    def forth(self, plies: int) -> "History":
        """The line with its first `plies` undone moves redone, and the departures after them: the inverse of `back`."""
        cut = place(self.undone, plies)
        return History(Steps((*self.steps, *self.undone[:cut])), self.undone[cut:])

    def left(self, clocks: Clocks | None) -> tuple[int, ...] | None:
        """Each seat's remaining time after the steps; None for an untimed game."""
        if clocks is None:
            return None
        left = None if self.steps.last is None else self.steps.last.left
        left = left or (clocks.control.base,) * len(clocks.left)
        if not clocks.berserk:
            return left
        return clocks.without_halves(left, {step.seat for step in self.steps if step.move is not None})

    def play(self, start: Position) -> Position:
        """The position after the steps; `start` is the position before them."""
        position, rest = self.steps.mark(start)
        for step in rest:
            position = step.play(position)
        return position


def place(steps: Sequence[PlayedStep | Step], ply: int) -> int:
    """The index of the move after `ply` moves and the departures after them; the number of steps if there is none."""
    moves = [index for index, step in enumerate(steps) if step.move is not None]
    return moves[ply] if ply < len(moves) else len(steps)


def moves_in(steps: Iterable[PlayedStep]) -> int:
    """The number of moves among the steps."""
    return sum(step.move is not None for step in steps)
