"""The published perft counts. `.ci/run` computes the deep ones with the compiled engine."""

from __future__ import annotations

from pathlib import Path

import pytest

from fourfold.engine.perft import divide, perft
from fourfold.engine.variants import opening
from tests.each import each

VECTORS = Path(__file__).parent / "perft"


def lines(name: str) -> list[str]:
    return [line for line in (VECTORS / name).read_text().splitlines() if line and not line.startswith("#")]


def standard_vectors() -> list[tuple[str, dict[int, int]]]:
    vectors = []
    for line in lines("standard.epd"):
        fen, *fields = line.split(";")
        counts = (field.split() for field in fields if field.startswith("D"))
        vectors.append((fen.strip(), {int(depth[1:]): int(count) for depth, count in counts}))
    return vectors


def check(fen: str, counts: dict[int, int], most: int) -> None:
    """Every depth with at most this many leaves."""
    position = opening("standard", position=fen)
    for depth, count in sorted(counts.items()):
        if count <= most:
            assert perft(position, depth) == count, f"{fen} at depth {depth}"


@each(
    ("fen", "counts"), standard_vectors()
)
def test_standard(fen: str, counts: dict[int, int]) -> None:
    check(fen, counts, 20_000)


@pytest.mark.slow
@pytest.mark.parametrize("most", [5_000_000, pytest.param(50_000_000, marks=pytest.mark.campaign)])
@pytest.mark.parametrize(
    ("fen", "counts"), standard_vectors(), ids=lambda value: value if isinstance(value, str) else ""
)
def test_standard_deep(fen: str, counts: dict[int, int], most: int) -> None:
    check(fen, counts, most)


def four_player_vectors(depths: slice) -> list[tuple[str, str, int, int]]:
    vectors = []
    for line in lines("fourplayer.txt"):
        variant, setup, *counts = line.split()
        vectors += [(variant, setup, depth, int(count)) for depth, count in list(enumerate(counts, start=1))[depths]]
    return vectors


@pytest.mark.parametrize(("variant", "setup", "depth", "count"), four_player_vectors(slice(0, 4)))
def test_four_players(variant: str, setup: str, depth: int, count: int) -> None:
    assert perft(opening(variant, setup=setup), depth) == count


DEEP = four_player_vectors(slice(4, None))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("variant", "setup", "depth", "count"),
    [DEEP[0], *(pytest.param(*case, marks=pytest.mark.campaign) for case in DEEP[1:])],
)
def test_four_players_deep(variant: str, setup: str, depth: int, count: int) -> None:
    assert perft(opening(variant, setup=setup), depth) == count


def test_divide_adds_up() -> None:
    position = opening("standard")
    counts = divide(position, 3)
    assert list(counts) == sorted(position.legal_texts())
    assert sum(counts.values()) == perft(position, 3) == 8902
    assert counts["e2e4"] == 600


def test_depth_nought_is_the_position_itself() -> None:
    assert perft(opening("survivor"), 0) == 1
