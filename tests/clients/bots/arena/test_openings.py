"""Balanced openings: the included ones, those of a file, and how they are made."""

import random
from pathlib import Path

import pytest

from fourfold.clients.bots.arena import make_openings, openings
from fourfold.clients.bots.arena.openings import BadOpenings
from fourfold.engine.variants import opening
from tests.each import each

VARIANTS = ("standard", "survivor", "ffa", "teams")


@pytest.mark.slow
@each("variant", VARIANTS)
def test_the_included_openings_are_quiet_and_different(variant: str) -> None:
    found = openings.read(openings.INCLUDED, variant)
    assert len(set(found)) == len(found) >= 20
    for moves in found:
        position = opening(variant)
        for text in moves:
            move = position.find(text)
            assert move in make_openings.quiet_moves(position)
            position = position.play(move)
        assert position.turn == 0, "each seat has made as many moves"


def test_the_file_is_small() -> None:
    assert (Path(openings.__file__).parent / "balanced.txt").stat().st_size < 10_000


def test_a_file_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_text("# mine\nstandard e2e4 e7e5\nteams h2h3\nstandard d2d4\n")
    assert openings.read(str(path), "standard") == [("e2e4", "e7e5"), ("d2d4",)]
    assert openings.read(str(path), "teams") == [("h2h3",)]


@each(("text", "message"), [
    ("teams h2h3", "has no openings of standard"),
    ("standard e2e5", "line 1: "),
    ("standard nonsense", "line 1: "),
    ("standard f2f3 e7e5 g2g4 d8h4", "line 1: the game is over"),
])  # fmt: skip
def test_bad_openings_are_named(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_text(text)
    with pytest.raises(BadOpenings, match=message):
        openings.read(str(path), "standard")


def test_missing_files_are_named() -> None:
    with pytest.raises(BadOpenings, match="cannot be read"):
        openings.read("/nonexistent", "standard")


def test_a_variant_with_drawn_starts_has_no_openings() -> None:
    with pytest.raises(BadOpenings, match="a starting array of its own"):
        openings.read(openings.INCLUDED, "chess960")


def test_a_position_is_balanced_if_no_seat_is_better_off() -> None:
    start = opening("standard")
    assert make_openings.spread(start, 2) < 100
    assert make_openings.spread(opening("standard", position="4k3/8/8/8/8/8/8/3QK3 w - - 0 1"), 2) > 500


def test_partners_share_their_result() -> None:
    """Without the queens of Yellow and Green, both teams lack one."""
    start = opening("teams")
    assert make_openings.spread(start, 1) < 100
    fen = start.fen().replace("yQ", "1")
    assert make_openings.spread(opening("teams", position=fen), 1) > 500
    assert make_openings.spread(opening("teams", position=fen.replace("gQ", "1")), 1) < 200


def test_beginnings_are_quiet_moves_of_each_seat() -> None:
    for variant in VARIANTS:
        begun = make_openings.beginning(variant, 2, random.Random(5))
        assert begun is not None
        position, moves = begun
        assert len(moves) == position.ply == 2 * len(position.seats)
        assert not position.checked()


def test_the_command_prints_lines_of_the_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    arguments = ["standard", "2", "--moves", "1", "--depth", "1", "--even", "400"]
    assert make_openings.main(arguments) == 0
    path = tmp_path / "x.txt"
    path.write_text(capsys.readouterr().out)
    assert [len(moves) for moves in openings.read(str(path), "standard")] == [2, 2]
    with pytest.raises(SystemExit):
        make_openings.main(["nonsense", "2"])
