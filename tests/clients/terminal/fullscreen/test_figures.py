"""Pieces in block characters: complete at every size, symmetric, and distinguishable."""

from typing import Any

import pytest

from fourfold.clients.terminal.fullscreen.figures import Shares, figure, outline
from fourfold.clients.terminal.fullscreen.grid import SIZES, Size

LARGE = [Size(8, 4), Size(10, 5), Size(14, 7)]


@pytest.mark.parametrize("size", LARGE)
@pytest.mark.parametrize("letter", "pnbrqkd.")
def test_fills_its_square_and_no_more(letter: str, size: Any) -> None:
    rows = figure(letter, *size)
    assert [len(row) for row in rows] == [size.width] * size.height
    for row in rows:
        for cell in row:
            assert len(cell.character) == 1
            for shares in (cell.ink, cell.ground):
                assert 0 <= sum(shares) <= 1 + 1e-9
    assert any(cell.ink.body or cell.ground.body for row in rows for cell in row)


def weights(letter: str, size: Any) -> list[list[float]]:
    """The filled share of each character's cell, for any character."""
    filled = {" ": 0.0, "▀": 0.5, "▌": 0.5, "▚": 0.5} | dict.fromkeys("▘▝▖▗", 0.25)
    filled |= {character: n / 8 for n, character in enumerate("▁▂▃▄▅▆▇", 1)}
    filled |= {character: n / 8 for n, character in enumerate("▏▎▍▌▋▊▉", 1)}
    return [
        [filled[cell.character] * sum(cell.ink) + (1 - filled[cell.character]) * sum(cell.ground) for cell in row]
        for row in figure(letter, *size)
    ]


@pytest.mark.parametrize("size", LARGE)
@pytest.mark.parametrize("letter", "pbrqk")
def test_is_alike_on_both_sides(letter: str, size: Any) -> None:
    for row in weights(letter, size):
        assert row == pytest.approx(row[::-1], abs=0.13)


@pytest.mark.parametrize("size", LARGE)
def test_no_two_pieces_look_the_same(size: Any) -> None:
    pieces = {letter: weights(letter, size) for letter in "pnbrqk"}
    for one, drawn in pieces.items():
        for other, another in pieces.items():
            if one < other:
                differ = sum(abs(a - b) for x, y in zip(drawn, another, strict=True) for a, b in zip(x, y, strict=True))
                assert differ > size.width * size.height / 20, (one, other)


def test_dark_pieces_have_lines_only_where_there_is_room() -> None:
    def lined(size: tuple[int, int]) -> bool:
        return any(cell.ink.line or cell.ground.line for row in figure("r", *size) for cell in row)

    assert not lined((8, 4))
    assert lined((14, 7))


def test_these_are_sizes_that_boards_have() -> None:
    assert set(LARGE) < set(SIZES)


def test_paths() -> None:
    assert outline("M0 0h10v10H0z") == [(0, 0), (10, 0), (10, 10), (0, 10)]
    assert outline("M5 5l1 2L0 0")[-2:] == [(6, 7), (0, 0)]
    assert outline("M0 0c0 10 10 10 10 0")[-1] == (10, 0)
    assert Shares() == (0, 0, 0)
