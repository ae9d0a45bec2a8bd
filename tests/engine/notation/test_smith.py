"""Smith notation: its original form, its errors, and our extension to four players."""

from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourfold.engine.errors import IllegalMove, InvalidNotation
from fourfold.engine.notation import pgn, pgn4, smith
from fourfold.engine.notation.game import Game, Line, Step
from fourfold.engine.outcome import Termination
from fourfold.engine.variants import opening

SAMPLE = (Path(__file__).parent / "data" / "sample.pgn").read_text()

OPENING = """\
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


def test_a_game_is_written_as_pairs_of_moves() -> None:
    game = smith.read(OPENING)
    assert game.failure is None
    assert game.plies == 17
    assert smith.write(game) == OPENING


def test_the_example_of_the_seed_is_read_though_a_letter_stands_at_the_wrong_move() -> None:
    misplaced = OPENING.replace("f3d4p g8f6\n", "f3d4 g8f6p\n")
    assert misplaced != OPENING
    game = smith.read(misplaced)
    assert game.failure is None
    assert smith.write(game) == OPENING
    with pytest.raises(IllegalMove, match=r"is written e2e4\."):  # a person who types it gets an error
        smith.read_move(opening("standard"), "e2e4p")
    wrong = smith.read("e2e4 d7d5\ne4d5n\n").failure  # it captures another piece
    assert wrong is not None and (wrong.ply, wrong.code) == (3, "wrong_mark")


def test_real_games_come_back_as_they_were() -> None:
    for game in pgn.read(SAMPLE):
        text = smith.write(game)
        again = smith.read(text)
        assert again.failure is None
        assert again.position == game.position
        assert smith.write(again) == text


CASTLE = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
PROMOTE = "1q5k/P7/8/3pP3/8/8/8/K7 w - d6 0 1"


@pytest.mark.parametrize(
    ("fen", "text", "move", "written"),
    [
        (CASTLE, "e1g1c", "e1g1", "e1g1c"),
        (CASTLE, "e1c1C", "e1c1", "e1c1C"),
        (CASTLE, "e1c1", "e1c1", "e1c1C"),
        (CASTLE, "h1h8r", "h1h8", "h1h8r"),
        (PROMOTE, "e5d6E", "e5d6", "e5d6E"),
        (PROMOTE, "a7a8N", "a7a8n", "a7a8N"),
        (PROMOTE, "a7b8qQ", "a7b8q", "a7b8qQ"),
        (PROMOTE, "a7b8Rq", "a7b8r", "a7b8qR"),
        (PROMOTE, "a7b8R", "a7b8r", "a7b8qR"),
        # Coordinate notation is accepted where it is unambiguous.
        (PROMOTE, "a7a8q", "a7a8q", "a7a8Q"),
        (PROMOTE, "a7b8n", "a7b8n", "a7b8qN"),
        (PROMOTE, "e5-e6", "e5e6", "e5e6"),
    ],
)
def test_a_move_says_what_it_does(fen: str, text: str, move: str, written: str) -> None:
    position = opening("standard", position=fen)
    found = smith.read_move(position, text)
    assert found.text == move
    assert smith.write_move(position, found) == written


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("z2e4", "bad_source"),
        ("e2", "bad_destination"),
        ("e2z9", "bad_destination"),
        ("e3e4", "no_piece"),
        ("e7e5", "not_your_piece"),
        ("e1d1", "own_piece"),
        ("e2e4x", "unknown_promotion"),
        ("e2e5", "cannot_move_there"),
        ("e2e4c", "wrong_mark"),
        ("e2e4E", "wrong_mark"),
        ("R2", "bad_source"),
        ("Rq", "not_in_game"),
    ],
)
def test_reading_stops_at_the_first_bad_move_and_says_where(text: str, code: str) -> None:
    game = smith.read(f"g1f3 g8f6\nf3g1 f6g8\n{text}\n")
    assert game.plies == 4
    assert game.failure is not None
    assert (game.failure.line, game.failure.ply, game.failure.move, game.failure.code) == (3, 5, text, code)


def test_a_capture_that_takes_something_else_is_refused() -> None:
    position = opening("standard", position=PROMOTE)
    with pytest.raises(IllegalMove, match=r"is written a7b8qQ\.$"):
        smith.read_move(position, "a7b8rQ")
    with pytest.raises(IllegalMove, match="promotes"):
        smith.read_move(position, "a7b8q")


def test_an_empty_file_is_a_game_without_moves() -> None:
    assert smith.read("") == Game(opening("standard"))
    assert smith.write(smith.read("")) == ""


def test_another_beginning_is_told_by_tags() -> None:
    start = opening("standard", position="4k3/8/8/8/8/8/4P3/4K3 b - - 0 1")
    step = Step.of_move(start, start.find("e8d7"))
    text = smith.write(Game(start, line=Line([step])))
    assert text == '[FEN "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1"]\ne8d7\n'
    assert smith.read(text).position == step.after


def test_a_departure_is_no_part_of_a_game_for_two() -> None:
    start = opening("standard")
    assert smith.write(Game(start, line=Line([Step.of_departure(start, 0, Termination.TIME)]))) == ""


FOUR = """\
[Variant "survivor"]
h2h4 b7d7 g13g11 m8k8
h4h5 d7e7 R k8j8
Rb h5h6 A
"""


def test_four_players_share_a_line_and_say_who_left() -> None:
    game = smith.read(FOUR)
    assert game.failure is None
    assert [out.reason for out in game.position.out] == ["resignation", "resignation", "abandonment"]
    assert smith.write(game) == FOUR
    assert smith.read(FOUR.split("\n", 1)[1], "survivor") == Game(game.start, line=game.line)


@pytest.mark.parametrize(("leaving", "code"), [("Ty", "not_in_game"), ("Tx", "not_in_game"), ("Tg R R", "game_over")])
def test_only_somebody_who_is_in_the_game_can_leave_it(leaving: str, code: str) -> None:
    failure = smith.read(FOUR.replace("Rb h5h6 A\n", f"h5h6 {leaving}\n")).failure
    assert failure is not None and failure.code == code


def test_a_variant_must_be_known() -> None:
    with pytest.raises(InvalidNotation, match="draughts"):
        smith.read("e2e4", "draughts")


@given(st.data(), st.sampled_from(["standard", "survivor"]))
def test_every_legal_move_is_read_as_it_was_written(data: st.DataObject, variant: str) -> None:
    position = opening(variant)
    for _ in range(12):
        for move in position.legal_moves:
            assert smith.read_move(position, smith.write_move(position, move)) is move
        choices = sorted(position.legal_moves, key=lambda move: move.text)
        if not choices:
            break
        position = position.play(data.draw(st.sampled_from(choices)))


def test_moves_after_a_draw_by_our_rules_are_read() -> None:
    game = smith.read('[FEN "8/8/2k5/8/8/3N4/2K5/4n3 w - - 0 1"]\nd3e1n c6c5\ne1d3\n')
    assert game.failure is None and game.plies == 3 and game.remarks[0].code == "past_draw"


@pytest.mark.parametrize("number", range(3))
def test_the_options_of_the_rules_are_kept(number: int) -> None:
    text = (Path(__file__).parent / "data" / "solo-classic-2018.pgn4").read_text()
    game = next(islice(pgn4.read(text), number, None))
    assert not game.start.rules.dead_kings_walk
    written = smith.write(game)
    assert '[Variant "ffa"]\n[RuleVariants "PromoteTo=D"]\n[FEN "' in written
    again = smith.read(written)
    assert again.failure is None and again.start.rules == game.start.rules
    assert again.position.outcome == game.position.outcome and smith.write(again) == written


def test_usual_rules_have_no_options_to_tell() -> None:
    for variant in ("ffa", "teams", "survivor", "standard"):
        assert "RuleVariants" not in smith.write(Game(opening(variant)))
    failure = smith.read('[Variant "ffa"]\n[RuleVariants "PromoteTo=K"]\n\nh2h3').failure
    assert failure is not None and (failure.ply, failure.code) == (0, "unknown_promotion")
