"""The folder of a list."""

import json
from datetime import UTC, datetime
from pathlib import Path

from fourfold.clients.bots.ratinglist.lists import lists
from fourfold.clients.bots.ratinglist.publication import About, hardware, id_of, write
from fourfold.engine.notation.game import READERS
from tests.clients.bots.ratinglist.made import MATED, won

ABOUT = About("Ours", "a test", ("1", 1000.0), datetime(2026, 11, 26, tzinfo=UTC))


def test_each_game_can_be_found_and_replayed(tmp_path: Path) -> None:
    games = [won(("1", "b"), number) for number in (1, 0)]
    write(tmp_path, ABOUT, lists(games, ABOUT.anchor), games)
    found = json.loads((tmp_path / "list.json").read_text())
    (one,) = found["lists"]
    (meeting,) = one["meetings"]
    assert meeting["players"] == ["Level 1", "b"] and meeting["id"] == id_of(games[0].terms)
    rows = json.loads((tmp_path / "games" / f"{meeting['id']}.json").read_text())
    assert [row["points"] for row in rows["games"]] == [0, 1] and rows["players"] == meeting["players"]
    for row in rows["games"]:
        (game,) = READERS["pgn"]((tmp_path / "games" / row["file"]).read_text())
        assert tuple(move.text for move in game.moves) == MATED
    assert len(list(READERS["pgn"]((tmp_path / "standard.pgn").read_text()))) == 2
    page = (tmp_path / "list.md").read_text()
    assert page.startswith("# Ours\n\n2026-11-26, Fourfold ") and "Level 1 has the rating 1000." in page


def test_a_list_that_grows_keeps_its_links(tmp_path: Path) -> None:
    games = [won(("a", "b"), number) for number in range(4)]
    write(tmp_path, ABOUT, lists(games[:2]), games[:2])
    before = {path.name for path in (tmp_path / "games").iterdir()}
    write(tmp_path, ABOUT, lists(games), games)
    after = {path.name for path in (tmp_path / "games").iterdir()}
    assert before < after and len(after) == 5
    assert not list(tmp_path.rglob(".*")), "no half-written file stays"


def test_the_hardware_is_named() -> None:
    assert "CPython" in hardware() or "PyPy" in hardware()
