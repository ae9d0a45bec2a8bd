"""Lists of ratings as values, and as Markdown."""

from dataclasses import replace

from fourfold.clients.bots.ratinglist.fit import fit
from fourfold.clients.bots.ratinglist.lists import Meeting, lists, markdown, rounds_of
from tests.clients.bots.ratinglist.made import won


def test_games_with_equal_pairs_have_no_error() -> None:
    """Each pair is 1:1, so the pairs leave no doubt, although single games are won and lost."""
    rounds = rounds_of([won(("a", "b"), number) for number in range(8)])
    assert [(one.points, one.games) for one in rounds] == [(1, 2)] * 4
    assert fit(rounds * 100)["a"].error < 1


def test_there_is_a_list_for_each_budget() -> None:
    games = [won(("a", "b"), 0), won(("a", "b"), 1), won(("a", "b"), 0, budget=1)]
    fast, slow = lists(games)
    assert (fast.budget, slow.budget) == (0.1, 1)
    assert [(entry.player, entry.games, entry.points, entry.seconds) for entry in fast.entries] == [
        ("a", 2, 1, 0.1), ("b", 2, 1, 0.3),
    ]  # fmt: skip


def test_a_few_games_that_are_all_won_leave_doubt() -> None:
    (found,) = lists([won(("a", "b"), number) for number in (1, 3, 5)])  # a is Black in each
    first, second = found.entries
    assert (first.player, first.points) == ("a", 3)
    assert first.rating - second.rating < 400
    assert first.error > 100


def test_meetings_have_the_score_of_each_pair() -> None:
    games = [won(("a", "b"), number) for number in range(3)]
    (found,) = lists(games)
    assert found.meetings == (Meeting(("a", "b"), 3, 1, 0, 2, 1, 0.5),)


def test_an_anchor_has_its_rating() -> None:
    (found,) = lists([won(("1", "5"), 1)], ("1", 1000))
    first, second = found.entries
    assert (second.player, second.rating) == ("5", 1000) or (first.player, first.rating) == ("1", 1000)


def test_unknown_processor_time_is_called_so() -> None:
    game = won(("1", "tank"), 0)
    game = replace(game, played=replace(game.played, seconds=(0.1, None)))
    (found,) = lists([game])
    assert {entry.player: entry.seconds for entry in found.entries} == {"1": 0.1, "tank": None}
    page = markdown([found])
    assert "| Level 1 | " in page and "| tank | " in page and "| unknown |" in page
