"""Squares on the screen, and back: for every size and from every seat."""

import pytest

from fourfold.clients.terminal.fullscreen.grid import LABELS, SIZES, Grid, Size, largest
from fourfold.clients.terminal.text.orientation import Orientation
from fourfold.engine.variants import rules_of

SEATS = [(variant, number) for variant in ("standard", "survivor") for number in range(len(rules_of(variant).seats))]


def orientation(variant: str, seat: int) -> Orientation:
    rules = rules_of(variant)
    return Orientation(rules.geometry, rules.seats[seat].forward)


@pytest.mark.parametrize("square", SIZES)
@pytest.mark.parametrize(("variant", "seat"), SEATS)
def test_each_character_of_a_square_is_that_square(variant: str, seat: int, square: Size) -> None:
    grid = Grid(orientation(variant, seat), square)
    seen = set()
    for name in grid.orientation.geometry.names:
        x, y = grid.corner(name)
        for dx, dy in ((0, 0), (square.width - 1, square.height - 1)):
            assert grid.under(x + dx, y + dy) == name
            assert 0 <= x + dx < grid.size.width
            assert 0 <= y + dy < grid.size.height - LABELS.height
        seen.add((x, y))
    assert len(seen) == grid.orientation.geometry.size


def test_beside_the_board_there_is_no_square() -> None:
    grid = Grid(orientation("survivor", 0), SIZES[0])
    assert grid.under(LABELS.width - 1, 5) is None
    assert grid.under(LABELS.width, 0) is None  # a missing corner
    assert grid.under(LABELS.width + 3 * 14, 5) is None
    assert grid.under(10, 14) is None


@pytest.mark.parametrize(
    ("variant", "room", "square"),
    [
        ("survivor", Size(47, 21), SIZES[0]),  # 80x24 beside a panel of 33
        ("survivor", Size(77, 33), SIZES[1]),  # 110x36
        ("survivor", Size(167, 57), SIZES[3]),  # 200x60
        ("standard", Size(47, 21), SIZES[1]),
        ("standard", Size(77, 33), SIZES[3]),
        ("standard", Size(167, 57), SIZES[6]),
        ("standard", Size(10, 3), SIZES[0]),  # nothing fits: the smallest, to be scrolled
    ],
)
def test_a_board_is_as_large_as_fits(variant: str, room: Size, square: Size) -> None:
    assert SIZES[largest(orientation(variant, 0), room)] == square


def test_white_sees_a_dark_square_at_the_left() -> None:
    for seat in (0, 1):
        grid = Grid(orientation("standard", seat), SIZES[0])
        corner = grid.under(LABELS.width, 7)
        assert corner is not None
        assert not grid.light(corner)
