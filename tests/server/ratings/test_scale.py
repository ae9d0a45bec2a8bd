"""The scale: how uncertainty grows with time."""

import math

import pytest

from fourfold.server.ratings.scale import LOGIT, PERIOD, UNKNOWN, aged

YEAR = 365 * 86_400_000


def test_four_hundred_points_are_odds_of_ten_to_one() -> None:
    assert math.exp(400 / LOGIT) == pytest.approx(10)


def test_a_deviation_grows_with_the_time_without_a_game() -> None:
    drift = 0.06 * LOGIT
    assert aged(50, drift, 0) == 50
    assert aged(0, drift, PERIOD) == pytest.approx(drift)
    assert aged(50, drift, YEAR) == pytest.approx(111, abs=0.5)
    assert aged(50, drift, 100 * YEAR) == UNKNOWN


def test_a_game_that_comes_late_makes_nobody_more_certain() -> None:
    assert aged(50, 10, -YEAR) == 50
