"""Ratings from games of the arena."""

import json
import re
from pathlib import Path

import pytest

from fourfold.clients.bots import ratinglist
from fourfold.clients.bots.arena.game import Played
from fourfold.clients.bots.arena.results import Result, ResultsFile, Terms
from fourfold.clients.bots.arena.statistics import elo
from fourfold.clients.bots.ratinglist import Round, errors_of, likeliest, lists, rounds_of
from fourfold.engine.notation.game import READERS
from tests.each import each

MATED = ("f2f3", "e7e5", "g2g4", "d8h4")


def won(players: tuple[str, str], number: int, *, budget: float = 0.1) -> Result:
    """A game of standard that Black wins: in a pair, each player wins once."""
    terms = Terms("standard", players, 1, budget, "balanced", "0")
    sides = (0, 1) if number % 2 == 0 else (1, 0)
    return Result(terms, number, sides, 2, 0, Played((0, 1), "checkmate", MATED, (1, 1), (0.1, 0.3)))


def test_a_rating_explains_the_score() -> None:
    found = likeliest([Round(("a", "b"), 3, 4, 0.5)])
    assert found["a"] - found["b"] == pytest.approx(elo(0.75, 0.5), abs=0.1)
    assert found["a"] + found["b"] == pytest.approx(2 * ratinglist.AVERAGE)


def test_one_seat_against_three_expects_a_quarter() -> None:
    found = likeliest([Round(("a", "b"), 1, 4, 0.25)])
    assert found["a"] == pytest.approx(found["b"], abs=0.1)


def test_ratings_come_from_all_opponents() -> None:
    """The difference between a and c follows from their games with b."""
    found = likeliest([Round(("a", "b"), 3, 4, 0.5), Round(("b", "c"), 3, 4, 0.5)])
    assert found["a"] - found["c"] == pytest.approx(2 * elo(0.75, 0.5), abs=0.5)


def test_who_has_won_every_game_has_a_bound() -> None:
    found = likeliest([Round(("a", "b"), 4, 4, 0.5)])
    assert 500 < found["a"] - found["b"] <= 2 * ratinglist.FARTHEST + 1


def test_more_rounds_leave_less_error() -> None:
    rounds = [Round(("a", "b"), points, 2, 0.5) for points in (0, 1, 1, 2)]
    assert errors_of(rounds * 16)["a"] < errors_of(rounds)["a"] / 2


def test_games_with_equal_pairs_have_no_error() -> None:
    """Each pair is 1:1, so the pairs leave no doubt, although single games are won and lost."""
    rounds = rounds_of([won(("a", "b"), number) for number in range(8)])
    assert [(one.points, one.games) for one in rounds] == [(1, 2)] * 4
    assert errors_of(rounds)["a"] == pytest.approx(0, abs=0.1)


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


def test_the_command_prints_a_page_and_the_games(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, record = tmp_path / "results.jsonl", tmp_path / "games.pgn"
    with ResultsFile(path) as file:
        file.add([won(("a", "b"), number) for number in range(4)])
    assert ratinglist.main([str(path), "--record", str(record)]) == 0
    page = capsys.readouterr().out
    assert "## standard, 0.1 s of processor time a move, openings: balanced\n" in page
    assert re.search(r"\| 1 \| a \| 1500 \| ± [1-9]\d* \| 4 \| 50\.0 % \| 0\.100 s \|\n", page)
    games = list(READERS["pgn"](record.read_text()))
    assert len(games) == 4 and all(game.failure is None and game.plies == 4 for game in games)
    assert ratinglist.main([str(path), "--json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)
    assert [entry["player"] for entry in found["entries"]] == ["a", "b"]
    assert ratinglist.main([str(path), "--variant", "teams"]) == 1
    assert "no games in" in capsys.readouterr().err
    assert ratinglist.main([str(tmp_path / "none")]) == 1


def test_players_meet_once_and_the_list_is_published(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "results.jsonl"
    arguments = [str(path), "--play", "--variant", "teams", "--levels", "1,2,3", "--games", "2", "--json"]
    assert ratinglist.main(arguments) == 0
    (found,) = json.loads(capsys.readouterr().out)
    assert found["variant"] == "teams" and sum(entry["games"] for entry in found["entries"]) == 2 * 3 * 2
    played = path.read_bytes()
    assert ratinglist.main(arguments) == 0
    assert path.read_bytes() == played, "all games are there"


@each("arguments", [
    ["--play"], ["--play", "--levels", "3"], ["--play", "--levels", "3,9"], ["--play", "--levels", "3,3"],
    ["--play", "--levels", "x"], ["--play", "--engine", "nonesuch"],
])  # fmt: skip
def test_bad_arguments_are_refused(arguments: list[str], tmp_path: Path) -> None:
    with pytest.raises(SystemExit) as end:
        ratinglist.main([str(tmp_path / "x"), *arguments])
    assert end.value.code == 2
