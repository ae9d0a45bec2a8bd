"""A recorded game continues: its content, its start, and where it stops."""

from pathlib import Path

import pytest

from fourfold.engine.errors import InvalidNotation, InvalidSetup
from fourfold.engine.notation.resume import format_of, read
from fourfold.engine.variants import opening

DATA = Path(__file__).parent / "data"
MATE = "f3 e5 g4 Qh4#"


def reached(text: str, format: str | None = None) -> str:
    """The position after the moves that were read."""
    found = read(text, format)
    position = opening(found.variant, position=found.position)
    for move in found.moves:
        position = position.play(position.find(move))
    return position.fen()


@pytest.mark.parametrize(
    ("text", "format"),
    [
        ("1. e4 e5 2. Nf3", "pgn"),
        ('[Event "x"]\n\n1. e4 e5', "pgn"),
        ("e2e4 e7e5\ng1f3", "smith"),
        ('[Variant "survivor"]\nh2h3 b7c7', "smith"),
        ("1. h2-h3 .. b7-c7 .. g13-g12 .. m8-l8", "pgn4"),
        ('[StartFen4 "4PC"]\n1. h2-h3', "pgn4"),
        ((DATA / "ffa.pgn4").read_text(), "pgn4"),
        ((DATA / "sample.pgn").read_text(), "pgn"),
        (opening("standard").fen(), "fen"),
        (opening("survivor").fen(), "fen"),
    ],
)
def test_the_format_is_seen(text: str, format: str) -> None:
    assert format_of(text) == format
    assert read(text).failure is None


def test_a_game_goes_on_where_it_stopped() -> None:
    found = read("1. e4 {best by test} e5 (1... c5 2. Nf3) 2. Nf3 *")
    assert (found.variant, found.position, found.moves) == ("standard", None, ("e2e4", "e7e5", "g1f3"))
    assert (found.skipped, found.last, found.ending, found.failure) == (None, None, None, None)
    found = read("1. h2-h3 .. b7-c7 .. g13-g12")
    assert (found.variant, found.moves) == ("ffa", ("h2h3", "b7c7", "g13g12"))
    assert reached("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1").startswith("4k3/8")


def test_a_bad_move_says_where_it_stands() -> None:
    found = read("1. e4 e5\n2. Ke3 Nf6")
    assert found.moves == ("e2e4", "e7e5")
    assert found.failure is not None
    assert (found.failure.line, found.failure.ply, found.failure.move) == (2, 3, "Ke3")


def test_the_move_that_ends_a_game_is_left_out() -> None:
    found = read(f"1. {MATE}")
    assert (found.moves, found.last) == (("f2f3", "e7e5", "g2g4"), "d8h4")


def test_who_has_left_is_not_there() -> None:
    found = read('[Variant "Survivor"]\n1. h2-h3 .. b7-c7 .. g13-g12 .. R\n2. h3-h4 .. c7-d7')
    assert (found.skipped, found.moves) == (3, ("h3h4", "c7d7"))
    assert found.position is not None
    assert found.position.startswith("R-0,0,0,1-")


@pytest.mark.parametrize("text", ["hello", "", "   ", "1. Zz9", "8/8/8/8/8/8/8/8 w - - 0 1", '[FEN "x"]\n1. e4'])
def test_nothing_to_begin_with(text: str) -> None:
    with pytest.raises((InvalidNotation, InvalidSetup)):
        read(text)
