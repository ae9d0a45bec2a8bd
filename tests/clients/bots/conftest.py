"""Positions for tests of computer players."""

from collections.abc import Callable

import pytest

from fourfold.engine.position import Position
from fourfold.engine.variants import opening, rules_of


def _four(variant: str, pieces: str, turn: str = "R", out: str = "0,0,0,0") -> Position:
    """A position for four from pieces such as "rKh1 bQd5" (colour, kind, square). `out` has a 1 for each eliminated
    seat."""
    board = rules_of(variant).geometry
    standing = {piece[2:]: piece[:2] for piece in pieces.split()}
    rows = []
    for rank in reversed(range(board.ranks)):
        cells = []
        for file in range(board.files):
            square = board.at(file, rank)
            cells.append("x" if square < 0 else standing.pop(board.names[square], "1"))
        rows.append(",".join(cells))
    assert not standing, f"no such squares: {standing}"
    return opening(variant, position=f"{turn}-{out}-0,0,0,0-0,0,0,0-0,0,0,0-0-" + "/".join(rows))


@pytest.fixture
def four() -> Callable[..., Position]:
    return _four
