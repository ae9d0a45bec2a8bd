"""The arena's command. Each level beats the one below."""

import json
import sys
from pathlib import Path

import pytest

from fourfold.clients.bots.arena import results
from fourfold.clients.bots.arena.__main__ import main
from fourfold.clients.bots.arena.game import Played
from fourfold.clients.bots.arena.match import Score, match
from fourfold.clients.bots.arena.pairing import Pairing, Player, pairings
from fourfold.clients.bots.arena.statistics import SequentialTest
from fourfold.clients.bots.levels.strength import WEAKEST
from fourfold.engine.notation.game import READERS


def test_json_is_one_object_at_the_end(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--levels", "1, 3", "--games", "4", "--json", "--workers", "2"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["games"] == 4
    assert report["score"]["3"] + report["score"]["1"] == 1
    assert {"elo", "error"} <= report.keys()


@pytest.mark.slow
def test_level_5_plays_with_strengths(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, record = tmp_path / "results.jsonl", tmp_path / "games.pgn"
    arguments = ["--levels", f"5:{WEAKEST + 1},1,5:{WEAKEST}", "--games", "1", "--results", str(path)]
    assert main([*arguments, "--budget", "60", "--record", str(record)]) == 0
    names = [f"5 at {WEAKEST}", f"5 at {WEAKEST + 1}"]
    met = [result.terms.players for result in results.read(path)]
    assert met == [(names[0], "1"), (names[1], "1"), (names[1], names[0])]
    assert capsys.readouterr().out.startswith(f"standard: level {names[0]} against 1: ")
    assert next(READERS["pgn"](record.read_text())).tags["White"] == f"Level {names[0]}"


@pytest.mark.slow
def test_a_match_with_openings_tells_its_pairs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--levels", "1,3", "--games", "6", "--openings", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert sum(report["pentanomial"]) == 3
    assert main(["--variant", "survivor", "--levels", "1,2", "--games", "6", "--seats", "2", "--openings"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("survivor: level 2 against 1: ") and "of 6 games" in said


def test_a_match_that_is_started_again_continues(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, record = tmp_path / "results.jsonl", tmp_path / "games.pgn4"
    arguments = ["--variant", "teams", "--levels", "1,2", "--openings", "--results", str(path), "--json"]
    assert main([*arguments, "--games", "2"]) == 0
    first = results.read(path)
    capsys.readouterr()
    assert main([*arguments, "--games", "4", "--record", str(record)]) == 0
    assert json.loads(capsys.readouterr().out)["games"] == 4
    assert results.read(path)[:2] == first and len(results.read(path)) == 4
    games = list(READERS["pgn4"](record.read_text()))
    assert [game.tags["Round"] for game in games] == ["1.1", "1.2", "2.1", "2.2"]
    assert [game.tags["Red"] for game in games] == ["Level 2", "Level 1", "Level 2", "Level 1"]
    assert all(game.failure is None and game.position.outcome is not None for game in games)
    before = path.read_bytes()
    assert main([*arguments, "--games", "4"]) == 0
    assert path.read_bytes() == before, "nothing is left to play"
    assert main([*arguments, "--games", "2", "--seed", "7"]) == 0
    assert len(results.read(path)) == 6, "another match, in the same file"


@pytest.mark.slow
def test_a_test_stops_the_match(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--variant", "teams", "--levels", "1,3", "--sprt", "0", "400", "--openings"]
    assert main([*arguments, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["accepted"] == "H1" and report["llr"] >= report["bound"] == 2.94
    assert report["games"] % 2 == 0 and report["games"] < 60
    assert main([*arguments, "--games", "2"]) == 0
    assert "of ±2.94, Elo 0 (H0) or 400 (H1): open" in capsys.readouterr().out


def test_a_decided_match_plays_no_more() -> None:
    score = Score(2, [1.0] * 400, SequentialTest(0, 20))
    heard: list[tuple[Pairing, Played]] = []
    match(list(pairings("standard", (Player(2), Player(1)), 2)), score, hear=lambda *game: heard.append(game))
    assert not heard and len(score.points) == 400


@pytest.mark.slow
def test_an_engine_in_the_arena(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "one.toml"
    command = json.dumps([sys.executable, "-m", "fourfold.clients", "engine", "--level", "1"])
    path.write_text(f'command = {command}\nname = "One"\nbudget = 0.1\nvariants = {{teams = "teams"}}')
    assert main(["--variant", "teams", "--levels", "3", "--engine", str(path), "--games", "2", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["score"].keys() == {"3", "One"}
    assert report["score"]["3"] > 0
    assert main(["--levels", "3", "--engine", str(path), "--games", "1"]) == 1
    assert "One plays teams, not standard" in capsys.readouterr().err
    path.write_text(f'command = {command}\nname = "One"\noptions = {{Wit = "5"}}')
    assert main(["--levels", "3", "--engine", str(path), "--games", "1"]) == 1
    assert "One has no option 'Wit'" in capsys.readouterr().err


@pytest.mark.slow
def test_two_engines_in_the_arena(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Two versions of a program: here, of its levels."""
    paths = []
    for level in (1, 3):
        path = tmp_path / f"{level}.toml"
        command = json.dumps([sys.executable, "-m", "fourfold.clients", "engine", "--level", str(level)])
        path.write_text(f'like = "fourfold"\ncommand = {command}\nname = "version {level}"')
        paths.append(str(path))
    one, three = paths
    arguments = ["--variant", "teams", "--engine", three, "--against", one, "--games", "2", "--openings"]
    assert main([*arguments, "--budget", "0.1"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("teams: version 3 against version 1: ") and "processor time a move 0." in said
    with pytest.raises(SystemExit):
        main([*arguments[:4], "--against", three])
    assert "both engines are called version 3" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        ["--levels", "3"], ["--levels", "0,1"], ["--levels", "x"], ["--levels", "5:999999,5"],
        ["--levels", "4:1500,5"], ["--levels", "5:,5"], ["--variant", "y"], ["--engine", "y"],
        ["--against", "stockfish"], ["--engine", "stockfish", "--against", "fourfold", "--levels", "3"],
        ["--seats", "2"], ["--variant", "ffa", "--seats", "4"], ["--sprt", "20", "0"], ["--openings", "/nonexistent"],
        ["--variant", "atomic", "--openings"], ["--games", "0"],
    ],
)  # fmt: skip
def test_bad_arguments_are_refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(arguments)
    assert end.value.code == 2
    assert "error" in capsys.readouterr().err


def test_a_file_that_is_none_of_results_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x"
    path.write_text("1. e4 e5\n")
    assert main(["--levels", "1,2", "--games", "1", "--results", str(path)]) == 1
    assert "line 1, is not a result" in capsys.readouterr().err
    assert path.read_text() == "1. e4 e5\n"


@pytest.mark.parametrize(
    ("low", "high", "least", "games"),
    [
        (1, 2, 0.65, 16),
        (2, 3, 0.7, 16),
        pytest.param(1, 2, 0.65, 40, marks=pytest.mark.slow),
        pytest.param(2, 3, 0.7, 40, marks=pytest.mark.slow),
        pytest.param(3, 4, 0.55, 40, marks=pytest.mark.slow),
    ],
)
def test_each_level_beats_the_one_below(low: int, high: int, least: float, games: int) -> None:
    """The thresholds leave room for chance (the shares over hundreds are 0.87, 0.94 and 0.8)."""
    score = Score(2)
    match(list(pairings("standard", (Player(high), Player(low)), games, seed="ladder")), score)
    assert sum(score.points) / len(score.points) >= least
