"""Sets of squares, compared with plain sets of names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourfold.engine import SquareSet
from fourfold.engine.geometry import CROSS_14, SQUARE_8, Geometry

BOARDS = st.sampled_from([SQUARE_8, CROSS_14])


@given(st.data(), BOARDS)
def test_it_is_a_set_of_names(data: st.DataObject, board: Geometry) -> None:
    one, other = (data.draw(st.sets(st.sampled_from(board.names))) for _ in range(2))
    first, second = SquareSet.of(board, one), SquareSet.of(board, other)
    assert first == one and set(first) == one and len(first) == len(one) and hash(first) == hash(frozenset(one))
    assert list(first) == [name for name in board.names if name in first]
    for mine, theirs in ((second, other), (other, other)):
        assert first & mine == one & theirs and first | mine == one | theirs
        assert first ^ mine == one ^ theirs and first - mine == one - theirs
    assert other & first == other & one and other - first == other - one and other ^ first == other ^ one
    assert ~first == set(board.names) - one and (first <= second) == (one <= other)
    assert (first == second) == (one == other) and first.isdisjoint(second) == one.isdisjoint(other)
    assert [board.names[number] for number in first.numbers()] == list(first)


def test_its_text() -> None:
    corner = SquareSet.of(SQUARE_8, ("a1", "h8"))
    assert str(corner).splitlines()[0] == ". . . . . . . 1" and str(corner).splitlines()[7] == "1 . . . . . . ."
    assert repr(corner) == "<SquareSet a1 h8>" and repr(SquareSet(SQUARE_8)) == "<SquareSet empty>"
    cross = str(SquareSet.of(CROSS_14, ("d1", "n8"))).splitlines()
    assert cross[13] == "      1 . . . . . . ." and cross[6].endswith(". 1")


def test_names_of_other_boards() -> None:
    squares = SquareSet.of(SQUARE_8, ("a1",))
    assert "n8" not in squares and 0 not in squares
    assert squares & SquareSet.of(CROSS_14, ("d1", "n8")) == set() and squares - {"n8"} == {"a1"}
    with pytest.raises(KeyError):
        squares | {"n8"}
