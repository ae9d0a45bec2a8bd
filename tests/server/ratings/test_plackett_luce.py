"""Plackett-Luce, checked with openskill's own values, and its scale."""

import math

import pytest
from openskill.models import PlackettLuce

from fourfold.server.ratings.plackett_luce import Rating, expected, rate, scored

ONE = Rating()


def test_openskill_has_the_values_of_its_documentation() -> None:
    """One beats another, both new: 27.635 ± 8.066 and 22.365 ± 8.066."""
    model = PlackettLuce(tau=0.0)
    (won,), (lost,) = model.rate([[model.rating()], [model.rating()]], ranks=[1, 2])
    assert (round(won.mu, 3), round(won.sigma, 3)) == (27.635, 8.066)
    assert (round(lost.mu, 3), round(lost.sigma, 3)) == (22.365, 8.066)


def test_it_is_openskill_on_another_scale() -> None:
    """A point of openskill's is 42 of ours, from 25 ± 25/3 to 1500 ± 350."""
    beta = 400 / math.log(10) / 2 / 42
    model = PlackettLuce(beta=beta, gamma=lambda *_: 1.0, tau=0.0)
    places = [2, 1, 3, 3]
    ours = rate([[Rating(1500 + 42 * step, 350 - 42 * step)] for step in range(4)], places)
    theirs = model.rate(
        [[model.rating(mu=25 + step, sigma=25 / 3 - step)] for step in range(4)], ranks=[float(one) for one in places]
    )
    for (our,), (their,) in zip(ours, theirs, strict=True):
        assert our.rating == pytest.approx(1500 + 42 * (their.mu - 25))
        assert our.deviation == pytest.approx(42 * their.sigma)


def test_four_hundred_points_are_odds_of_ten_to_one() -> None:
    strong, weak = Rating(1900, 1e-6), Rating(1500, 1e-6)
    assert expected([[strong, strong], [weak, weak]]) == pytest.approx([10 / 11, 1 / 11])
    assert expected([[strong], [weak], [weak], [weak]])[0] == pytest.approx(10 / 11)


def test_who_is_less_certain_is_expected_to_differ_less() -> None:
    certain = expected([[Rating(1900, 50)], *[[Rating(1500, 50)]] * 3])[0]
    assert 0.5 < expected([[Rating(1900, 350)], *[[Rating(1500, 350)]] * 3])[0] < certain


def test_scores_are_the_shares_of_those_who_finished_behind() -> None:
    assert scored([1, 2, 3, 4]) == pytest.approx([1, 2 / 3, 1 / 3, 0])
    assert scored([1, 1, 3, 3]) == pytest.approx([5 / 6, 5 / 6, 1 / 6, 1 / 6])
    assert scored([1, 1, 1, 1]) == [0.5] * 4
    assert scored([2, 1]) == [0, 1]


def test_equals_who_share_a_place_change_alike() -> None:
    for places in ([1, 1, 1, 1], [1, 2, 2, 4], [1, 1, 1, 4]):
        after = [one.rating for (one,) in rate([[ONE]] * 4, places)]
        for place in places:
            assert len({round(rating, 9) for rating, other in zip(after, places, strict=True) if other == place}) == 1
        assert sum(after) == pytest.approx(4 * 1500)
    assert [one.rating for (one,) in rate([[ONE]] * 4, [1, 1, 1, 1])] == pytest.approx([1500] * 4)


def test_a_higher_place_is_never_worth_less() -> None:
    after = [one.rating for (one,) in rate([[ONE]] * 4, [1, 2, 3, 4])]
    assert after == sorted(after, reverse=True) and after[0] > 1500 > after[3]


def test_partners_rise_and_fall_together_the_uncertain_one_more() -> None:
    (sure, unsure), (lost, other) = rate([[Rating(1500, 60), Rating(1500, 300)], [ONE, ONE]], [1, 2])
    assert 1500 < sure.rating < unsure.rating
    assert lost == other and lost.rating < 1500
