"""``python -m fourfold.engine replay`` prints one JSON object for each game of a file, and an error for an invalid
file."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from fourfold.engine.__main__ import main

DATA = Path(__file__).parent / "data"


def replayed(capsys: pytest.CaptureFixture[str], *files: Path) -> list[dict[str, Any]]:
    assert main(["replay", *map(str, files)]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_games_for_two(capsys: pytest.CaptureFixture[str]) -> None:
    games = replayed(capsys, DATA / "sample.pgn")
    tags = re.findall(r'\[Result "(.*)"\]', (DATA / "sample.pgn").read_text())
    assert [game["result"] for game in games] == tags
    assert [game["game"] for game in games] == [str(number) for number in range(1, 121)]
    assert games[0] == {
        "game": "1",
        "variant": "standard",
        "plies": 97,
        "result": "1/2-1/2",
        "points": None,
        "eliminated": [],
        "error": None,
    }


def test_free_for_all_ends_with_the_points_of_the_file(capsys: pytest.CaptureFixture[str]) -> None:
    games = replayed(capsys, DATA / "ffa.pgn4")
    results = re.findall(r'\[Result "(.*)"\]', (DATA / "ffa.pgn4").read_text())
    assert [game["result"] for game in games] == results
    assert games[1] == {
        "game": "99006835",
        "variant": "ffa",
        "plies": 196,
        "result": "Red: 54 - Blue: 12 - Yellow: 84 - Green: 46",
        "points": {"red": 54, "blue": 12, "yellow": 84, "green": 46},
        "eliminated": [
            {"seat": "blue", "ply": 73, "why": "checkmate"},
            {"seat": "green", "ply": 194, "why": "checkmate"},
            {"seat": "red", "ply": 196, "why": "resignation"},
        ],
        "error": None,
    }


def test_teams_and_games_of_2018(capsys: pytest.CaptureFixture[str]) -> None:
    teams, *solo = replayed(capsys, DATA / "teams.pgn4", DATA / "solo-classic-2018.pgn4")
    assert (teams["variant"], teams["result"], teams["points"]) == ("teams", "1-0", None)
    assert len(solo) == 60
    assert all(game["error"] is None and len(game["eliminated"]) == 3 for game in solo)


def test_a_bad_move_is_named_and_the_game_told_up_to_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "GAME.SMITH"
    path.write_text("e2e4 e7e5\ng1f3 f3e5\n")
    (game,) = replayed(capsys, path)
    assert game["plies"] == 3 and game["result"] == "*"
    assert game["error"] == {
        "line": 2,
        "ply": 4,
        "move": "f3e5",
        "code": "not_your_piece",
        "reason": "It is black's move, but the knight on f3 belongs to white.",
    }


def test_what_was_read_past_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "game.pgn"
    path.write_text('[FEN "8/8/2k5/8/8/3N4/2K5/8 w - - 0 1"]\n\n1. Nf2 -- 1-0\n')
    (game,) = replayed(capsys, path)
    assert game["error"] is None and game["result"] == "1-0" and game["plies"] == 1
    assert [(remark["code"], remark["ply"], remark["line"]) for remark in game["remarks"]] == [
        ("past_draw", 1, 3),
        ("null_move", 2, 3),
    ]


def test_a_game_in_progress_has_points_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "game.pgn4"
    path.write_text("1. h2-h3 .. b8-c8\n")
    (game,) = replayed(capsys, path)
    assert game["result"] == "*"
    assert game["points"] == {"red": 0, "blue": 0, "yellow": 0, "green": 0}


def test_a_file_that_is_none_is_reported_and_the_others_are_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "game.txt").write_text("e2e4")
    good = tmp_path / "good.pgn"
    good.write_bytes('[White "Müller"]\n\n1. e4 *'.encode("latin-1"))
    assert main(["replay", str(tmp_path / "none.pgn"), str(tmp_path / "game.txt"), str(good)]) == 2
    output = capsys.readouterr()
    missing, unknown = output.err.splitlines()
    assert missing.endswith("none.pgn: No such file or directory")
    assert unknown.endswith("game.txt: Unknown game format '.txt'. Formats: .pgn, .pgn4, .smith.")
    assert json.loads(output.out)["plies"] == 1
