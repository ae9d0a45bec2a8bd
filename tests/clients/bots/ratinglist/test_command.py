"""The command that rates players: results of the arena, and plans."""

import json
import re
from pathlib import Path

import pytest

from fourfold.clients.bots.arena.results import ResultsFile
from fourfold.clients.bots.ratinglist import __main__ as command
from fourfold.engine.notation.game import READERS
from tests.clients.bots.ratinglist.made import won
from tests.each import each

PLAN = """
title = "Ours"
hardware = "a test"
levels = [2, 3]
games = 2
openings = "mate.txt"
anchor = {player = "Level 2", rating = 1000}
[variants.standard]
"""

MATE_IN_ONE = "standard f2f3 e7e5 g2g4\n"
"""An opening after which levels 2 and 3 mate at once."""


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    path = tmp_path / "ours.toml"
    path.write_text(PLAN)
    (tmp_path / "mate.txt").write_text(MATE_IN_ONE)
    return path


def test_the_command_prints_a_page_and_the_games(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, record = tmp_path / "results.jsonl", tmp_path / "games.pgn"
    with ResultsFile(path) as file:
        file.add([won(("a", "b"), number) for number in range(4)])
    assert command.main([str(path), "--record", str(record)]) == 0
    page = capsys.readouterr().out
    assert "## standard, 0.1 s of processor time a move, openings: balanced\n" in page
    assert re.search(r"\| 1 \| a \| 1500 \| ± [1-9]\d* \| 4 \| 50\.0 % \| 0\.100 s \|\n", page)
    games = list(READERS["pgn"](record.read_text()))
    assert len(games) == 4 and all(game.failure is None and game.plies == 4 for game in games)
    assert command.main([str(path), "--json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)
    assert [entry["player"] for entry in found["entries"]] == ["a", "b"]
    assert command.main([str(path), "--variant", "teams"]) == 1
    assert "no games in" in capsys.readouterr().err
    assert command.main([str(tmp_path / "none")]) == 1


def test_players_meet_once_and_the_list_is_published(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "results.jsonl"
    arguments = [str(path), "--play", "--variant", "teams", "--levels", "1,2,3", "--games", "2", "--json"]
    assert command.main(arguments) == 0
    (found,) = json.loads(capsys.readouterr().out)
    assert found["variant"] == "teams" and sum(entry["games"] for entry in found["entries"]) == 2 * 3 * 2
    played = path.read_bytes()
    assert command.main(arguments) == 0
    assert path.read_bytes() == played, "all games are there"


@each("arguments", [
    ["--play"], ["--play", "--levels", "3"], ["--play", "--levels", "3,9"], ["--play", "--levels", "3,3"],
    ["--play", "--levels", "x"], ["--play", "--engine", "nonesuch"], ["--to", "folder"], ["plan.toml"],
])  # fmt: skip
def test_bad_arguments_are_refused(arguments: list[str], tmp_path: Path) -> None:
    with pytest.raises(SystemExit) as end:
        command.main([str(tmp_path / "x"), *arguments])
    assert end.value.code == 2


def test_a_plan_is_played_and_published(plan: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main([str(plan)]) == 0
    page = capsys.readouterr().out
    folder = plan.with_suffix("")
    assert page == (folder / "list.md").read_text() and "| Level 2 | 1000 |" in page
    (found,) = json.loads((folder / "list.json").read_text())["lists"]
    assert (found["variant"], found["games"], found["seats"], found["openings"]) == ("standard", 2, 1, "mate.txt")
    games = list(READERS["pgn"]((folder / "standard.pgn").read_text()))
    assert [(game.failure, game.plies, game.tags["White"]) for game in games] == [
        (None, 4, "Level 2"), (None, 4, "Level 3"),
    ]  # fmt: skip


@pytest.mark.slow
def test_a_list_of_several_variants_is_played(tmp_path: Path) -> None:
    plan, folder = tmp_path / "four.toml", tmp_path / "other"
    plan.write_text(
        "levels = [1, 2, 5]\ngames = 2\nseconds = 0.002\n[variants.teams]\n[variants.ffa]\n[variants.survivor]"
    )
    assert command.main([str(plan), "--to", str(folder)]) == 0
    found = json.loads((folder / "list.json").read_text())
    assert [(one["variant"], one["games"], one["seats"]) for one in found["lists"]] == [
        ("teams", 6, 1), ("ffa", 6, 2), ("survivor", 6, 2),
    ]  # fmt: skip
    for one in found["lists"]:
        assert one["entries"][-1]["player"] == "Level 1" or one["variant"] != "teams"
        games = list(READERS["pgn4"]((folder / f"{one['variant']}.pgn4").read_text()))
        assert len(games) == 6 and all(game.failure is None for game in games)


def test_a_plan_continues_where_it_stopped(plan: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main([str(plan)]) == 0
    results = plan.with_suffix("") / "results.jsonl"
    played = results.read_text()
    assert command.main([str(plan)]) == 0
    assert results.read_text() == played, "all games are there"
    results.write_text(played[:-9])  # stopped while the last game was written
    assert command.main([str(plan), "--games", "4"]) == 0
    games = results.read_text()
    assert games.startswith(played[: played.rstrip().rindex("\n")]) and games.count("\n") == 4
    assert "| Level 2 | 1000 | " in (page := capsys.readouterr().out) and "| 4 | 50.0 % |" in page


def test_an_earlier_list_stays_when_players_change_their_order(plan: Path) -> None:
    assert command.main([str(plan)]) == 0
    results = plan.with_suffix("") / "results.jsonl"
    played = results.read_text()
    plan.write_text(PLAN.replace("[2, 3]", "[3, 2]"))
    assert command.main([str(plan)]) == 0
    assert results.read_text() == played


def test_results_of_other_terms_are_not_in_the_list(plan: Path, tmp_path: Path) -> None:
    folder = tmp_path / "ours"
    folder.mkdir()
    with ResultsFile(folder / "results.jsonl") as file:
        file.add([won(("2", "3"), 0, budget=9), won(("2", "9"), 0)])
    assert command.main([str(plan)]) == 0
    found = json.loads((folder / "list.json").read_text())
    assert {entry["player"] for one in found["lists"] for entry in one["entries"]} == {"Level 2", "Level 3"}
    assert [one["games"] for one in found["lists"]] == [2]


@each(("text", "sentence"), [
    ("levels = [", "ours.toml cannot be read: "),
    ("levels = [1, 2]", r"ours.toml: name at least one variant, as \[variants.teams\]"),
    ("[variants.chess]", "ours.toml: unknown variant 'chess'"),
    (PLAN.replace("mate.txt", "none.txt"), "none.txt cannot be read: "),
    ("levels = [1, 2]\n[variants.atomic]", "balanced has no openings of atomic"),
])  # fmt: skip
def test_a_bad_plan_is_one_sentence(
    text: str, sentence: str, plan: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan.write_text(text)
    assert command.main([str(plan)]) == 1
    said = capsys.readouterr().err
    assert said.startswith("ratinglist: ") and re.search(sentence, said) and said.count("\n") == 1


def test_a_broken_file_of_results_is_one_sentence(plan: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plan.with_suffix("").mkdir()
    (plan.with_suffix("") / "results.jsonl").write_text("{}\n")
    assert command.main([str(plan)]) == 1
    assert "results.jsonl, line 1, is not a result" in capsys.readouterr().err
