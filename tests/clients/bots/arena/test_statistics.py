"""The statistics of matches, at published values."""

import functools
import math
import random
from collections import Counter

import pytest

from fourfold.clients.bots.arena.statistics import (
    PAIR,
    SequentialTest,
    elo,
    elo_error,
    error_of,
    pentanomial,
    rounds_of,
    share_at,
)
from tests.each import each

# The tests of fastchess, app/tests/sprt_test.cpp and elo_test.cpp: pairs by their points, from 0 to 1.
RATIOS = [
    ((223, 9863, 20279 + 1000, 10037, 246), 0.5, 2.5, -3.07),
    ((871, 26175, 55003 + 980, 26678, 821), 0, 2, -4.98),
]
DIFFERENCES = [
    ((34, 54, 31 + 32, 64, 75), 55.58, 27.65),
    ((332, 433, 457 + 41, 333, 334), -8.64, 10.33),
    ((7895, 8757, 5485 + 200, 568, 9999), -21.04, 2.95),
]

SIMULATED = SequentialTest(0, 100)


def test_elo_of_what_equals_score_is_nought() -> None:
    assert elo(0.5, 0.5) == elo(0.25, 0.25) == 0
    assert elo(0.75, 0.5) == pytest.approx(190.8, abs=0.1)
    assert elo(0.75, 0.5) == -elo(0.25, 0.5)


@each(("difference", "expected"), [(0, 0.5), (20, 0.5), (-35, 0.25), (400, 0.75)])
def test_share_is_the_inverse_of_elo(difference: float, expected: float) -> None:
    assert elo(share_at(difference, expected), expected) == pytest.approx(difference)


def test_more_games_leave_less_error() -> None:
    assert error_of([1, 0] * 100) < error_of([1, 0] * 10) / 2.5


@each(("counts", "difference", "error"), DIFFERENCES)
def test_published_differences_with_their_errors(counts: tuple[int, ...], difference: float, error: float) -> None:
    rounds = [points for points, count in zip(PAIR, counts, strict=True) for _ in range(count)]
    share = sum(rounds) / len(rounds)
    assert elo(share, 0.5) == pytest.approx(difference, abs=0.01)
    assert elo_error(share, error_of(rounds), 0.5) == pytest.approx(error, rel=0.01)
    assert pentanomial(rounds) == counts


@each(("counts", "elo0", "elo1", "ratio"), RATIOS)
def test_published_log_likelihood_ratios(counts: tuple[int, ...], elo0: float, elo1: float, ratio: float) -> None:
    found = SequentialTest(elo0, elo1).ratio(dict(zip(PAIR, counts, strict=True)))
    assert found == pytest.approx(ratio, abs=0.005)


def test_the_bounds_are_those_of_wald() -> None:
    test = SequentialTest(0, 20)
    assert test.upper == pytest.approx(2.944, abs=0.001)
    assert (test.verdict(2.95), test.verdict(-2.95), test.verdict(2.9), test.verdict(-2.9)) == ("H1", "H0", None, None)


def test_nothing_is_known_before_the_first_round() -> None:
    assert SequentialTest(0, 20).ratio({}) == 0


def test_equal_evidence_for_both_sides_is_nought() -> None:
    assert SequentialTest(-10, 10).ratio({0: 3, 0.5: 7, 1: 3}) == pytest.approx(0, abs=1e-9)
    assert SequentialTest(-10, 10).ratio({0.75: 5}) == pytest.approx(-SequentialTest(-10, 10).ratio({0.25: 5}))


def test_rounds_need_not_be_pairs() -> None:
    """Of one seat against three, equal players expect a quarter."""
    test = SequentialTest(-20, 20, expected=0.25)
    assert test.ratio({0: 30, 0.25: 40, 0.5: 10, 1 / 3: 9}) < 0 < test.ratio({0.25: 40, 0.5: 20, 1 / 3: 9})


@pytest.mark.slow
def test_a_test_is_seldom_wrong() -> None:
    """Simulated matches with a true difference of 0 and of 100, tested at these bounds. Many of them have the same
    results at some time, whose ratio is computed once."""
    accepted = Counter((true, _simulated(true, seed)) for true in (0, 100) for seed in range(100))
    assert accepted[0, "H0"] >= 85
    assert accepted[100, "H1"] >= 85


def _simulated(difference: float, seed: int) -> str:
    chance = random.Random(f"{difference} {seed}")
    rounds = Counter[float]()
    while True:
        game = [chance.random() < share_at(difference, 0.5) for _ in range(2)]
        rounds[sum(game) / 2] += 1
        verdict = SIMULATED.verdict(_ratio(frozenset(rounds.items())))
        if verdict is not None:
            return verdict


@functools.cache
def _ratio(rounds: frozenset[tuple[float, int]]) -> float:
    return SIMULATED.ratio(dict(rounds))


def test_only_whole_rounds_count() -> None:
    assert rounds_of([1, 0.5, 0, 0, 1], 2) == [0.75, 0]
    assert rounds_of([1, 0, 0, 0], 4) == [0.25]
    assert math.isclose(sum(rounds_of([0.3] * 12, 6)), 0.6)
