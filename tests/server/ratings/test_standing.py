"""Standings over time."""

import pytest

from fourfold.server.ratings.standing import Standing, now, standing_of

DAY = 86_400_000


def test_time_makes_players_uncertain_and_levels_not() -> None:
    stood = Standing(1_600_000, 50_000, games=40, last=DAY)
    assert now("ann", stood, DAY) == stood
    assert now("ann", stood, 366 * DAY).deviation == pytest.approx(112_000, abs=1000)
    assert now("level5", stood, 366 * DAY) == stood


def test_without_a_game_nobody_is_less_certain_than_unknown() -> None:
    assert now("ann", standing_of("ann", "ffa"), DAY) == Standing()
    assert standing_of("level4", "ffa") == Standing(1_530_000, 1000)
