"""The fit of ratings, against strengths that are known."""

import random
from itertools import combinations

import pytest

from fourfold.clients.bots.arena.statistics import elo
from fourfold.clients.bots.ratinglist.fit import AVERAGE, Round, fit
from tests.each import each

STRENGTHS = {"a": 1000.0, "b": 1300.0, "c": 1500.0, "d": 1520.0, "e": 2100.0}


def simulated(seed: int, rounds: int, seats: int, of: int) -> list[Round]:
    """Rounds of six games between each two of `STRENGTHS`. Each seat wins in proportion to its player's strength."""
    chance = random.Random(seed)
    found = []
    for players in combinations(STRENGTHS, 2):
        first, second = (10 ** (STRENGTHS[name] / 400) for name in players)
        weights = [first] * seats + [second] * (of - seats)
        for _ in range(rounds):
            points = sum(place < seats for place in chance.choices(range(of), weights, k=6))
            found.append(Round(players, points, 6, seats / of))
    return found


@each(("seats", "of"), [(1, 2), (1, 4), (2, 4)])
def test_known_strengths_are_found(seats: int, of: int) -> None:
    found = fit(simulated(1, 400, seats, of))
    mean = sum(STRENGTHS.values()) / len(STRENGTHS)
    for name, strength in STRENGTHS.items():
        assert found[name].value - AVERAGE == pytest.approx(strength - mean, abs=1.5 * found[name].error), name
        assert found[name].error < 35


@each("rounds", [1, 4, 16])
def test_the_true_strength_is_within_the_error(rounds: int) -> None:
    """In some 95 of 100 lists. The seeds are fixed."""
    mean = sum(STRENGTHS.values()) / len(STRENGTHS)
    within = 0
    for seed in range(40):
        found = fit(simulated(seed, rounds, 2, 4))
        for name, strength in STRENGTHS.items():
            within += abs(found[name].value - AVERAGE - (strength - mean)) < found[name].error
    assert 0.89 <= within / (40 * len(STRENGTHS)) <= 0.985


def test_a_rating_explains_the_score() -> None:
    found = fit([Round(("a", "b"), 3, 4, 0.5)] * 100)
    assert found["a"].value - found["b"].value == pytest.approx(elo(0.75, 0.5), abs=1)
    assert found["a"].value + found["b"].value == pytest.approx(2 * AVERAGE)


def test_one_seat_against_three_expects_a_quarter() -> None:
    found = fit([Round(("a", "b"), 1, 4, 0.25)] * 100)
    assert found["a"].value == pytest.approx(found["b"].value, abs=1)


def test_ratings_come_from_all_opponents() -> None:
    """The difference between a and c follows from their games with b."""
    found = fit([Round(("a", "b"), 3, 4, 0.5), Round(("b", "c"), 3, 4, 0.5)] * 100)
    assert found["a"].value - found["c"].value == pytest.approx(2 * elo(0.75, 0.5), abs=2)


@each(("games", "apart"), [(4, 382), (400, 1162)])
def test_a_player_who_has_won_every_game_has_a_rating(games: int, apart: int) -> None:
    found = fit([Round(("a", "b"), 1, 1, 0.5)] * games)
    assert found["a"].value - found["b"].value == pytest.approx(apart, abs=1)
    assert found["a"].error > 200


def test_more_rounds_leave_less_error() -> None:
    rounds = [Round(("a", "b"), points, 2, 0.5) for points in (0, 1, 1, 2)]
    assert fit(rounds * 16)["a"].error < fit(rounds)["a"].error / 2


def test_draws_leave_less_error_than_wins_and_losses() -> None:
    drawn = fit([Round(("a", "b"), 0.5, 1, 0.5)] * 40)
    decided = fit([Round(("a", "b"), points, 1, 0.5) for points in (0, 1)] * 20)
    assert drawn["a"].error < decided["a"].error / 3


def test_an_anchor_moves_all_ratings_alike() -> None:
    rounds = simulated(2, 4, 2, 4)
    plain, anchored = fit(rounds), fit(rounds, ("a", 1000))
    shift = 1000 - plain["a"].value
    for name, rating in plain.items():
        assert anchored[name].value == pytest.approx(rating.value + shift)
        assert anchored[name].error == rating.error
    assert fit(rounds, ("stranger", 1000)) == plain


def test_players_without_a_common_opponent_are_all_rated() -> None:
    found = fit([Round(("a", "b"), 3, 4, 0.5), Round(("c", "d"), 1, 2, 0.5)])
    assert found["a"].value > found["c"].value > found["b"].value
    assert fit([]) == {}
