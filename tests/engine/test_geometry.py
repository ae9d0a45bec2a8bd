"""The shapes of the boards; another shape is another drawing."""

from __future__ import annotations

import pytest

from fourfold.engine.geometry import CROSS_14, EAST, NORTH, NORTH_EAST, OFF, SOUTH, SQUARE_8, WEST, Direction, Geometry


def test_the_small_board() -> None:
    assert SQUARE_8.size == 64 and (SQUARE_8.files, SQUARE_8.ranks) == (8, 8)
    assert SQUARE_8.names[0] == "a1" and SQUARE_8.names[63] == "h8"
    assert SQUARE_8.index["e4"] == 28
    assert repr(SQUARE_8) == "<Geometry 8x8>"


def test_the_cross() -> None:
    assert CROSS_14.size == 160
    absent = {f"{file}{rank}" for file in "abclmn" for rank in (1, 2, 3, 12, 13, 14)}
    assert len(absent) == 36 and not absent & CROSS_14.index.keys()
    assert CROSS_14.at(0, 0) == OFF and CROSS_14.names[CROSS_14.at(3, 0)] == "d1"


@pytest.mark.parametrize("board", [SQUARE_8, CROSS_14])
def test_names_and_places_agree(board: Geometry) -> None:
    for square, name in enumerate(board.names):
        assert board.index[name] == square
        assert board.at(board.file(square), board.rank(square)) == square
        assert name == "abcdefghijklmn"[board.file(square)] + str(board.rank(square) + 1)


def test_steps_and_rays_end_at_corners() -> None:
    def names(start: str, direction: Direction) -> list[str]:
        return [CROSS_14.names[square] for square in CROSS_14.ray(CROSS_14.index[start], direction)]

    assert names("d2", WEST) == []
    assert names("c4", SOUTH) == []
    assert names("a4", EAST)[-1] == "n4" and len(names("a4", EAST)) == 13
    assert names("b10", NORTH_EAST) == ["c11", "d12", "e13", "f14"]
    # A knight may leap over a corner.
    assert CROSS_14.names[CROSS_14.step(CROSS_14.index["c4"], Direction(1, -2))] == "d2"
    assert CROSS_14.step(CROSS_14.index["n11"], Direction(2, 2)) == OFF


def test_depth_is_counted_from_each_side() -> None:
    square = CROSS_14.index["e10"]
    assert [CROSS_14.depth(square, forward) for forward in (NORTH, EAST, SOUTH, WEST)] == [10, 5, 5, 10]


def test_any_drawing_is_a_board() -> None:
    board = Geometry("ring", ("...", ".#.", "..."))
    assert board.size == 8 and "b2" not in board.index
    assert board.ray(board.index["a1"], NORTH_EAST) == ()
