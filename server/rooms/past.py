"""Past positions of a game."""

from typing import Final

from fourfold.engine.match import State
from fourfold.engine.match.history import PlayedStep
from fourfold.engine.position import Position
from fourfold.server.yielding_lock import YieldingLock

AT_ONCE: Final = 10
"""How many moves are made in one turn of the event loop: half a millisecond of work."""


async def position_at(state: State, ply: int | None, long_work: YieldingLock, *, left: bool = True) -> Position:
    """The position of a match after `ply` moves (None: all). With `left`, after the departures that came before the
    next move too. The moves are made a few at a time, so that long games don't delay others."""
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
    """The last stored position before a ply, and the steps from there."""
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
