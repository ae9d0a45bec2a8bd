"""Steps in blocks are equal to steps in a plain sequence."""

from random import Random
from typing import Any

import pytest

from fourfold.engine.match.history import BLOCK, History, Steps


@pytest.mark.parametrize("plies", [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK + 5])
def test_blocks_hold_what_a_row_would(table: Any, plies: int) -> None:
    t, random, row = table("survivor"), Random(plies), []
    for _ in range(plies):
        t.play(random.choice(t.state.position.legal_texts()))
        row.append(t.state.line.last)
    steps = t.state.line
    assert list(steps) == row and len(steps) == plies
    assert steps.last == (row[-1] if row else None)
    assert steps == Steps(row) and hash(steps) == hash(Steps(row))
    assert steps != Steps(row[:-1]) or not row
    assert [step.after is not None for step in steps] == [number % BLOCK == 0 for number in range(1, plies + 1)]
    for back in range(plies + 1):
        line = History(steps, ()).back(back)
        assert (list(line.steps), list(line.undone)) == (row[: plies - back], row[plies - back :])
        assert line.forth(back) == History(steps, ())
    assert History(steps, ()).play(t.state.start) == t.state.position
