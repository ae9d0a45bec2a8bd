"""A game as it was: the position after some of its moves."""

from typing import Final

from fourfold.engine.match import State
from fourfold.engine.match.history import PlayedStep
from fourfold.engine.position import Position
from fourfold.server.limits.yielding_lock import YieldingLock

AT_ONCE: Final = 10
"""How many moves are made in one turn of the event loop: half a millisecond's work."""


async def position_at(state: State, ply: int | None, long_work: YieldingLock, *, left: bool = True) -> Position:
    """The position of a match after so many of its moves (None: all), and, if `left`, after whoever left the game
    before the next one. The moves are made a few at a time, so that nobody waits for many."""
    ply = state.ply if ply is None else min(ply, state.ply)
    if ply == state.ply and left:
        return state.position
    position, steps = _before(state, ply, left=left)
    for first in range(0, len(steps), AT_ONCE):
        async with long_work:
            for step in steps[first : first + AT_ONCE]:
                position = step.play(position)
    return position


def _before(state: State, ply: int, *, left: bool) -> tuple[Position, list[PlayedStep]]:
    """The last position that is kept before a ply, and the steps that lead on from there."""
    position, made = state.start, 0
    steps: list[PlayedStep] = []
    for step in state.line:
        made += step.move is not None
        if made > ply or (made == ply and step.move is None and not left):
            break
        steps.append(step)
        if step.after is not None:
            position, steps = step.after, []
    return position, steps
