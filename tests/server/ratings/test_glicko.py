"""Glicko-2, checked with the worked example of its paper, and with games of people."""

import re
from pathlib import Path

import pytest

from fourfold.server.ratings.glicko import Glicko, expected, rate

GAMES = Path(__file__).parents[2] / "engine/notation/data/sample.pgn"

PLAYER = Glicko(1500, 200, 0.06)
RESULTS = [(Glicko(1400, 30), 1.0), (Glicko(1550, 100), 0.0), (Glicko(1700, 300), 0.0)]


def test_the_example_of_the_paper() -> None:
    found = rate(PLAYER, RESULTS)
    assert round(found.rating, 2) == 1464.05 or round(found.rating, 2) == 1464.06
    assert round(found.deviation, 2) == 151.52
    assert round(found.volatility, 5) == 0.05999 or round(found.volatility, 5) == 0.06


def test_what_the_paper_expects_of_each_game() -> None:
    assert [round(expected(PLAYER, other), 3) for other, _ in RESULTS] == [0.639, 0.432, 0.303]


def test_a_result_that_was_expected_changes_nothing() -> None:
    for score in (0.0, 0.5, 1.0):
        after = rate(PLAYER, [(PLAYER, score)], periods=0.0)
        assert (after.rating > 1500) == (score > 0.5) and (after.rating < 1500) == (score < 0.5)
        assert after.deviation < 200


def test_what_surprises_makes_a_player_more_volatile() -> None:
    strong, weak = Glicko(2500, 30), Glicko(1000, 30)
    assert rate(Glicko(1500, 50), [(strong, 1.0)] * 5).volatility > 0.06
    assert rate(Glicko(1500, 50), [(weak, 1.0)] * 5).volatility < 0.06


def test_published_ratings_predict_the_results_of_real_games() -> None:
    """The scale holds: its expectations are nearer to the results than chance, and of the right size."""
    tags = re.findall(
        r'\[Result "(1-0|0-1|1/2-1/2)"\].*?\[WhiteElo "(\d+)"\]\s*\[BlackElo "(\d+)"\]', GAMES.read_text(), re.DOTALL
    )
    assert len(tags) > 80
    predicted, chance = [], []
    for result, white, black in tags:
        score = {"1-0": 1.0, "0-1": 0.0}.get(result, 0.5)
        predicted.append((expected(Glicko(float(white), 50), Glicko(float(black), 50)) - score) ** 2)
        chance.append((0.5 - score) ** 2)
    assert sum(predicted) < sum(chance)


@pytest.mark.parametrize("score", [0.0, 1.0])
def test_extreme_ratings_stay_finite(score: float) -> None:
    after = rate(Glicko(4000, 350, 0.06), [(Glicko(0, 30), score)], periods=0.0)
    assert 0 < after.deviation <= 350 and 0 < after.volatility < 1
