"""The arena's games and statistics. Each level beats the one below."""

import json
import sys
from pathlib import Path

import pytest

from fourfold.clients.bots import arena
from fourfold.engine.outcome import Termination
from fourfold.engine.variants import opening


def test_seats_rotate_and_teams_stay_together() -> None:
    assert [pair.levels for pair in arena.pairings("standard", (3, 2), 3, "", 0)] == [(3, 2), (2, 3), (3, 2)]
    assert [pair.levels for pair in arena.pairings("ffa", (3, 2), 2, "", 0)] == [(3, 2, 2, 2), (2, 3, 2, 2)]
    assert [pair.levels for pair in arena.pairings("teams", (3, 2), 2, "", 0)] == [(3, 2, 3, 2), (2, 3, 2, 3)]


def test_a_game_is_worth_one_point() -> None:
    for variant in ("standard", "survivor", "ffa"):
        assert sum(arena.play(next(arena.pairings(variant, (2, 1), 1, "", 0)))) == pytest.approx(1)
    drawn = opening("survivor").eliminate(2, Termination.RESIGNATION).end_in_draw(Termination.AGREEMENT)
    assert arena.shares(drawn.outcome, drawn) == pytest.approx((1 / 3, 1 / 3, 0, 1 / 3))
    lost = opening("teams").eliminate(0, Termination.RESIGNATION)
    assert arena.shares(lost.outcome, lost) == (0, 1, 0, 1)


def test_elo_of_what_equals_score_is_nought() -> None:
    assert arena.elo(0.5, 0.5) == arena.elo(0.25, 0.25) == 0
    assert arena.elo(0.75, 0.5) == pytest.approx(190.8, abs=0.1)
    assert arena.elo(0.75, 0.5) == -arena.elo(0.25, 0.5)


def test_more_games_leave_less_error() -> None:
    assert arena.error_of([1, 0] * 100) < arena.error_of([1, 0] * 10) / 2.5


def test_json_is_one_object_at_the_end(capsys: pytest.CaptureFixture[str]) -> None:
    assert arena.main(["--levels", "1,3", "--games", "4", "--json", "--workers", "2"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["games"] == 4
    assert report["score"]["3"] + report["score"]["1"] == 1
    assert {"elo", "error"} <= report.keys()


@pytest.mark.slow
def test_an_engine_in_the_arena(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "one.toml"
    command = json.dumps([sys.executable, "-m", "fourfold.clients", "engine", "--level", "1"])
    path.write_text(f'command = {command}\nname = "One"\nbudget = 0.1\nvariants = {{teams = "teams"}}')
    assert arena.main(["--variant", "teams", "--levels", "3", "--engine", str(path), "--games", "2", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["score"].keys() == {"3", "One"}
    assert report["score"]["3"] > 0
    assert arena.main(["--levels", "3", "--engine", str(path), "--games", "1"]) == 1
    assert "One plays teams, not standard" in capsys.readouterr().err
    assert arena.main(["--levels", "3", "--engine", str(path), "--games", "1", "--elo", "1500"]) == 1
    assert "One has no option 'UCI_LimitStrength'" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        ["--levels", "3"], ["--levels", "0,1"], ["--levels", "x"], ["--variant", "y"], ["--engine", "y"],
    ],
)  # fmt: skip
def test_bad_arguments_are_refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        arena.main(arguments)
    assert end.value.code == 2
    assert "error" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("low", "high", "least"),
    [(1, 2, 0.65), (2, 3, 0.7), pytest.param(3, 4, 0.55, marks=pytest.mark.slow)],
)
def test_each_level_beats_the_one_below(low: int, high: int, least: float) -> None:
    """Forty games, with thresholds that leave room for chance (the shares over hundreds are 0.87, 0.94 and 0.8)."""
    points = arena.match(list(arena.pairings("standard", (high, low), 40, "ladder", 0)), high)
    assert sum(points) / len(points) >= least
