"""The rows of the comparison with python-chess: both libraries do the same number of things."""

from __future__ import annotations

import pytest

from tests.bench.comparison import CALLS, Call
from tests.bench.engine import random_games


@pytest.mark.parametrize("call", CALLS, ids=lambda call: call.name)
def test_both_do_the_same_work(call: Call) -> None:
    games = random_games("standard", plies=24, seed=2)
    batch = [next(games) for _ in range(2)]
    done = call.ours(batch)()
    assert done == call.theirs(batch)() and done >= 48
