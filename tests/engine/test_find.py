"""Moves as people write them, and the errors for impossible ones."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourfold.engine.errors import IllegalMove, InvalidNotation
from fourfold.engine.position import Position
from fourfold.engine.variants import opening
from tests.engine.places import place, play

CASTLING = opening("standard", position="r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
PROMOTION = opening("standard", position="3r4/4P3/8/8/8/8/k7/4K3 w - - 0 1")


@pytest.mark.parametrize(
    ("text", "move"),
    [(text, "e2e4") for text in ("e2e4", "e2-e4", "E2E4", " e2e4 ", "e2 e4", "e2:e4", "e2xe4", "e2 - e4", "e2;e4")],
)
def test_ways_to_write_a_move(text: str, move: str) -> None:
    assert opening("standard").find(text).text == move


@pytest.mark.parametrize("text", ["e7e8q", "e7e8=Q", "E7-E8Q", "e7 e8 q"])
def test_ways_to_write_a_promotion(text: str) -> None:
    assert PROMOTION.find(text).text == "e7e8q"


@pytest.mark.parametrize(("text", "move"), [("e1h1", "e1g1"), ("e1a1", "e1c1"), ("e1g1", "e1g1"), ("e1xh1", "e1g1")])
def test_castling_as_king_takes_rook(text: str, move: str) -> None:
    assert CASTLING.find(text).text == move


def test_four_players_castle_so_too() -> None:
    position = place("survivor", "rKh1 rRk1 bKa7 yKg14 gKn8", castling=[(0, True)])
    assert position.find("h1k1").text == "h1j1"
    assert play(opening("survivor"), "h2-h4 B7-D7").turn == 2


@pytest.mark.parametrize(
    ("position", "text", "code", "message"),
    [
        (opening("standard"), "z9e4", "bad_source",
         "'z9' is not a square of the board, which has files a to h and ranks 1 to 8."),
        (opening("standard"), "e2e9", "bad_destination", "'e9' is not a square"),
        (opening("standard"), "hello", "bad_source", "'hello' is not a square"),
        (opening("standard"), "", "bad_source", "'' is not a square"),
        (opening("standard"), "e2", "bad_destination", "'e2' is one square; a move names two"),
        (opening("standard"), "e2 to e4", "bad_destination", "'to e4' is not a square"),
        (opening("standard"), "e2--e4", "bad_destination", "'e2--e4' is not a move such as e2e4."),
        (opening("standard"), "e2-", "bad_destination", "'e2' is one square; a move names two"),
        (opening("standard"), "e2e4e5", "bad_destination", "'e4e5' is not a square"),
        (opening("standard"), "y" * 500, "bad_source", "'yyyyyyyyyyyyyyyyyyyy…' is not a square"),
        (opening("survivor"), "a1b3", "bad_source",
         "'a1' is not a square of the board, which has files a to n and ranks 1 to 14, without its corners."),
        (PROMOTION, "e7e8k", "unknown_promotion",
         "A pawn becomes q (queen), r (rook), b (bishop), n (knight), not 'k'."),
    ],
)  # fmt: skip
def test_unreadable(position: Position, text: str, code: str, message: str) -> None:
    with pytest.raises(InvalidNotation) as raised:
        position.find(text)
    assert raised.value.code == code
    assert message in str(raised.value)


PINNED = opening("standard", position="4r2k/8/8/8/8/8/4N3/4K3 w - - 0 1")
GREY = place("survivor", "rKh1 bKa7 yKg14 dgKn8 dgRk4 rPd4", dead="g")


@pytest.mark.parametrize(
    ("position", "text", "code", "message"),
    [
        (opening("standard"), "e4e5", "no_piece", "There is no piece on e4."),
        (opening("standard"), "e7e5", "not_your_piece", "It is white's move, but the pawn on e7 belongs to black."),
        (GREY, "k4k5", "not_your_piece", "It is red's move, but the rook on k4 is grey: nobody moves it."),
        (opening("standard"), "a1a2", "own_piece", "Your own piece stands on a2."),
        (opening("standard"), "a1a1", "own_piece", "Your own piece stands on a1."),
        (opening("standard"), "e1h1", "own_piece", "Your own piece stands on h1."),
        (opening("standard"), "g1g5", "cannot_move_there", "The knight on g1 cannot go to g5."),
        (opening("standard"), "e2e4q", "cannot_move_there", "The pawn on e2 cannot go to e4."),
        (opening("standard", position="4k3/8/8/8/8/8/8/R3K2R w - - 0 1"), "e1g1", "cannot_move_there",
         "The king on e1 cannot go to g1."),
        (PROMOTION, "e7e8", "promotion_missing", "The pawn on e7 promotes on e8: add one of q, r, b, n."),
        (PINNED, "e2c3", "king_in_check", "The knight on e2 cannot go to c3: your king would be in check."),
        (play(PINNED, "e1d1 h8g8 e2g3 e8d8"), "g3e4", "king_in_check",
         "The knight on g3 cannot go to e4: your king stays in check."),
        (opening("standard", position="7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), "h8g8", "game_over",
         "The game is over: no more moves can be made."),
    ],
)  # fmt: skip
def test_illegal(position: Position, text: str, code: str, message: str) -> None:
    with pytest.raises(IllegalMove) as raised:
        position.find(text)
    assert raised.value.code == code
    assert raised.value.message == str(raised.value)
    assert message in str(raised.value)


def test_a_capture_in_passing_that_bares_the_king_is_said_so() -> None:
    position = opening("standard", position="8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1")
    with pytest.raises(IllegalMove) as raised:
        position.find("d4e3")
    assert raised.value.code == "king_in_check"


def test_a_square_that_is_asked_for_by_name() -> None:
    position = opening("survivor")
    piece = position.piece_at("h1")
    assert piece is not None and position.seats[piece.seat] == "red" and piece.kind.noun == "king" and not piece.grey
    assert position.piece_at("h7") is None
    with pytest.raises(InvalidNotation, match="without its corners"):
        position.piece_at("a1")


@pytest.mark.parametrize("error", [InvalidNotation("bad_source", "why"), IllegalMove("no_piece", "why")])
def test_errors_survive_a_pickle(error: InvalidNotation | IllegalMove) -> None:
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), again.code, again.message, str(again)) == (type(error), error.code, "why", "why")


@given(
    st.sampled_from(["standard", "survivor"]),
    st.text(max_size=12)
    | st.text("abcdefghijklmn0123456789-=xqrkKO ", max_size=10)
    | st.from_regex(r"[a-n]1?\d-?[a-n]1?\d[qrk]?"),
)
def test_any_text_is_a_move_or_refused(variant: str, text: str) -> None:
    position = opening(variant)
    try:
        move = position.find(text)
    except (InvalidNotation, IllegalMove) as error:
        assert error.message.endswith(".")
        return
    assert move in position.legal_moves
