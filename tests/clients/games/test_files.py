"""Games in files: found, read up to the first bad move, and never overwritten by accident."""

from pathlib import Path

import pytest

from fourfold.clients.games import files
from fourfold.clients.games.files import FileFault, format_of, load, save

SMITH = """\
e2e4 c7c5
g1f3 d7d6
d2d4 c5d4p
f3d4p g8f6
b1c3 g7g6
c1e3 f8g7
f2f3 b8c6
d1d2 e8g8c
f1c4
"""


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("name", ["game.smith", "game.txt", "game", "GAME.SMITH"])
def test_smith_notation(tmp_path: Path, name: str) -> None:
    loaded = load(written(tmp_path, name, SMITH))
    assert len(loaded.opening.moves) == 17
    assert loaded.opening.moves[-3:] == ("d1d2", "e8g8", "f1c4")
    assert (loaded.opening.variant, loaded.opening.position, loaded.notes) == ("standard", None, ())


def test_reading_stops_at_the_first_bad_move_and_says_where(tmp_path: Path) -> None:
    path = written(tmp_path, "bad.smith", "e2e4 e7e5\ng1f3 b8c6\nf1c5 g8f6\n")
    loaded = load(path)
    assert loaded.opening.moves == ("e2e4", "e7e5", "g1f3", "b8c6")
    assert loaded.notes == (f"{path}, line 3: move 5, 'f1c5': The bishop on f1 cannot go to c5. Reading stops there.",)


def test_pgn_begins_where_its_tags_say(tmp_path: Path) -> None:
    fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
    path = written(tmp_path, "end.pgn", f'[SetUp "1"]\n[FEN "{fen}"]\n\n1. e4 Ke7 2. e5 *\n\n1. d4 *\n')
    loaded = load(path)
    assert loaded.opening.position == fen
    assert loaded.opening.moves == ("e2e4", "e8e7", "e4e5")


def test_a_move_that_ends_the_game_is_kept_for_last(tmp_path: Path) -> None:
    loaded = load(written(tmp_path, "mate.pgn", "1. f3 e5 2. g4 Qh4# 0-1\n"))
    assert (loaded.opening.moves, loaded.last) == (("f2f3", "e7e5", "g2g4"), "d8h4")


def test_four_players_and_one_who_left(tmp_path: Path) -> None:
    text = '[Variant "survivor"]\nh2h3 b7c7 g13g12 m8l8\nR a5c6\n'
    loaded = load(written(tmp_path, "four.smith", text))
    assert loaded.opening.variant == "survivor"
    assert loaded.opening.position is not None and loaded.opening.position.startswith("B-1,0,0,0")
    assert len(loaded.opening.moves) <= 1
    assert "begins after that, at move 5" in loaded.notes[0]


def test_what_was_read_past_is_told(tmp_path: Path) -> None:
    path = written(tmp_path, "analysis.pgn", "1. e4 --\n2. d4 d5 *\n")
    loaded = load(path)
    assert loaded.opening.moves == ("d2d4", "d7d5") and loaded.opening.position is not None
    first, second = loaded.notes
    assert first == f"The turn was passed in {path}: it begins after that, at move 2."
    assert second.startswith(f"{path}, line 1: '--' passes the turn")
    # A draw by our rules ends a game that continues here.
    path = written(tmp_path, "drawn.pgn", '[FEN "8/8/2k5/8/8/3N4/2K2q2/8 w - - 0 1"]\n\n1. Nxf2 Kd5 2. Kd3 0-1\n')
    loaded = load(path)
    assert (loaded.opening.moves, loaded.last) == ((), "d3f2")
    (note,) = loaded.notes
    assert note.endswith("By our rules, the game was drawn here (insufficient material), but it went on.")


def test_who_lost_by_resigning_can_play_on(tmp_path: Path) -> None:
    loaded = load(written(tmp_path, "two.smith", "e2e4 e7e5\nR\n"))
    assert loaded.opening.moves == ("e2e4", "e7e5")


@pytest.mark.parametrize(
    ("name", "text", "variant"),
    [
        ("p.fen", "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1\n", "standard"),
        ("p.fen", "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1", "standard"),
    ],
)
def test_a_position(tmp_path: Path, name: str, text: str, variant: str) -> None:
    loaded = load(written(tmp_path, name, text))
    assert (loaded.opening.variant, loaded.opening.position) == (variant, text.strip())
    assert loaded.opening.moves == ()


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("game.doc", "e2e4", "'.doc' is not a game format: end the name in one of .pgn, .pgn4"),
        ("p.fen", "hello", "p.fen: "),
        ("p.fen", "8/8/8/8/8/8/8/8 w - - 0 1", "White has no king"),
        ("game.pgn", "", "There is no game in"),
        ("game.pgn", '[FEN "nonsense"]\n\n1. e4 *\n', "line 1: "),
        ("game.pgn4", '[Variant "checkers"]\n\n1. h2-h3\n', "line 1: "),
    ],
)
def test_what_is_wrong_with_a_file(tmp_path: Path, name: str, text: str, said: str) -> None:
    with pytest.raises(FileFault) as caught:
        load(written(tmp_path, name, text))
    assert said in str(caught.value)


def test_files_that_are_not_to_be_had(tmp_path: Path) -> None:
    with pytest.raises(FileFault, match="There is no file"):
        load(tmp_path / "nowhere.pgn")
    with pytest.raises(FileFault, match="cannot be read: is a directory"):
        load(tmp_path)
    (tmp_path / "noise.smith").write_bytes(b"\xff\xfe\x00\x81")
    with pytest.raises(FileFault, match="is not a text file"):
        load(tmp_path / "noise.smith")
    with pytest.raises(FileFault):
        load(Path("nul\0.smith"))


def test_saving_overwrites_only_when_told_to(tmp_path: Path) -> None:
    path = tmp_path / "game.smith"
    save(path, "e2e4")
    assert path.read_text() == "e2e4\n"
    with pytest.raises(FileExistsError):
        save(path, "d2d4\n")
    assert path.read_text() == "e2e4\n"
    save(path, "d2d4\n", overwrite=True)
    assert path.read_text() == "d2d4\n"
    with pytest.raises(FileFault, match="cannot be written: no such file or directory"):
        save(tmp_path / "nowhere" / "game.smith", "e2e4")


def test_formats_by_name() -> None:
    assert format_of(Path("x.PGN"), "pgn") == "pgn"
    assert format_of(Path("x.pgn4"), "pgn4") == "pgn4"
    assert format_of(Path("x"), "pgn4") == "smith"
    with pytest.raises(FileFault, match="for two players"):
        format_of(Path("x.pgn"), "pgn4")
    with pytest.raises(FileFault, match="for four players"):
        format_of(Path("x.pgn4"), "pgn")
    with pytest.raises(FileFault, match="is not a game format"):
        format_of(Path("x.png"), "pgn")


def test_names_are_as_people_write_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ada")
    assert files.path("~/x.pgn") == Path("/home/ada/x.pgn")
    assert files.path('"my game.pgn"') == Path("my game.pgn")
