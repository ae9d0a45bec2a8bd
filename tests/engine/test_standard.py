"""Endings of games for two without a mate, and questions about positions."""

from __future__ import annotations

import pytest

from fourfold.engine.outcome import Outcome, Termination
from fourfold.engine.variants import opening
from tests.engine.places import men, place, play

SHUFFLE = "g1f3 g8f6 f3g1 f6g8 "


def test_threefold_is_claimed_and_fivefold_comes_by_itself() -> None:
    position = play(opening("standard"), SHUFFLE * 2)
    assert position.repetitions() == 3
    assert position.may_claim(position.turn) is Termination.THREEFOLD and position.outcome is None
    assert play(position, "b1c3").may_claim(1) is None
    position = play(position, SHUFFLE + "g1f3 g8f6 f3g1")
    assert position.outcome is None
    over = play(position, "f6g8")
    assert over.outcome == Outcome(Termination.FIVEFOLD, (), (1, 1))
    assert over.may_claim(over.turn) is None and over.legal_moves == () and over.movable() != ()


def test_a_right_that_nobody_can_use_does_not_make_another_position() -> None:
    # After e2e4 no black pawn can capture en passant.
    position = play(opening("standard"), "e2e4 " + "g8f6 g1f3 f6g8 f3g1 " * 2)
    assert position.repetitions() == 3
    # Here one can, the first time.
    position = play(opening("standard"), "a2a3 d7d5 a3a4 d5d4 e2e4 " + "g8f6 g1f3 f6g8 f3g1 " * 2)
    assert position.repetitions() == 2


def test_a_capture_in_passing_that_bares_the_king_is_no_right() -> None:
    # The black pawn is pinned along the rank once both pawns are gone.
    position = play(opening("standard", position="8/8/8/8/k2p3R/8/4P3/4K3 w - - 0 1"), "e2e4")
    assert position.fen() == "8/8/8/8/k2pP2R/8/8/4K3 b - - 0 1"


def test_fifty_moves_are_claimed_and_seventyfive_come_by_themselves() -> None:
    fen = "4k3/8/8/8/8/8/4P3/4K2R w - - {} 90"
    assert opening("standard", position=fen.format(99)).may_claim(0) is None
    assert opening("standard", position=fen.format(100)).may_claim(0) is Termination.FIFTY_MOVES
    over = play(opening("standard", position=fen.format(149)), "h1h2")
    assert over.outcome == Outcome(Termination.SEVENTYFIVE_MOVES, (), (1, 1))
    assert play(opening("standard", position=fen.format(149)), "e2e3").outcome is None


def test_mate_comes_before_the_seventyfifth_move() -> None:
    over = play(opening("standard", position="7k/8/6K1/8/8/8/8/R7 w - - 149 100"), "a1a8")
    assert over.outcome == Outcome(Termination.CHECKMATE, (0,), (1, 2))


def test_stalemate() -> None:
    over = play(opening("standard", position="7k/8/8/6Q1/8/8/8/K7 w - - 0 1"), "g5g6")
    assert over.outcome == Outcome(Termination.STALEMATE, (), (1, 1))


@pytest.mark.parametrize("reason", [Termination.RESIGNATION, Termination.ABANDONMENT, Termination.TIME])
def test_who_leaves_loses(reason: Termination) -> None:
    over = opening("standard").eliminate(0, reason)
    assert over.outcome == Outcome(reason, (1,), (2, 1))
    assert over.legal_texts() == [] and over.movable() == ()
    with pytest.raises(ValueError, match="goes on"):
        over.eliminate(1, reason)


def test_time_against_who_cannot_mate_is_a_draw() -> None:
    position = place("standard", "wKe1 wQd1 bKe8 bNb8")
    assert position.eliminate(0, Termination.TIME).outcome == Outcome(Termination.TIME, (), (1, 1))
    assert position.eliminate(1, Termination.TIME).outcome == Outcome(Termination.TIME, (0,), (1, 2))
    assert position.eliminate(0, Termination.RESIGNATION).outcome == Outcome(Termination.RESIGNATION, (1,), (2, 1))


@pytest.mark.parametrize(
    ("extra", "drawn"),
    [("", True), ("wNd5", True), ("bBd5", True), ("wBd5 bBe5", True), ("wBd5 bBe4", True), ("wNd5 bNe6", True),
     ("wNd5 bBe6", True), ("wNd5 wNe6", False), ("wNd5 wBe6", False), ("wBd5 wBe5", False), ("wBd5 wBe4", True),
     ("wBd5 wNe6 bNe5", False), ("bPe5", False), ("wRd5", False), ("wNd5 bRe6", False)],
)  # fmt: skip
def test_a_king_with_one_knight_or_bishop_at_most_draws_against_another(extra: str, drawn: bool) -> None:
    position = place("standard", f"wKe1 bKe8 {extra}")
    assert position.outcome == (Outcome(Termination.INSUFFICIENT_MATERIAL, (), (1, 1)) if drawn else None)


def test_a_mate_comes_before_a_draw_by_material() -> None:
    mated = place("standard", "wKb6 wBb7 bKa8 bNb8", "b")
    assert mated.outcome == Outcome(Termination.CHECKMATE, (0,), (1, 2))


def test_a_draw_by_rule_can_be_played_past() -> None:
    drawn = place("standard", "wKe1 wNd5 bKe8 bNe6")
    past = drawn.past_draw()
    assert drawn.outcome is not None and drawn.legal_moves == ()
    assert past.fen() == drawn.fen() and past.outcome is None and "d5c7" in past.legal_texts()
    after = play(past, "d5c7")
    assert after.outcome is not None and after.past_draw().outcome is None
    assert past.eliminate(0, Termination.RESIGNATION).outcome == Outcome(Termination.RESIGNATION, (1,), (2, 1))
    # A game that is over for everybody cannot continue.
    for over in (
        opening("standard").end_in_draw(Termination.AGREEMENT),
        opening("standard").eliminate(0, Termination.TIME),
        opening("standard", position="7k/5KQ1/8/8/8/8/8/8 b - - 0 1"),
        opening("standard", position="7k/5K2/6Q1/8/8/8/8/8 b - - 0 1"),
        opening("standard"),
    ):
        assert over.past_draw() is over


def test_a_draw_by_agreement() -> None:
    assert opening("standard").end_in_draw(Termination.AGREEMENT).outcome == Outcome(Termination.AGREEMENT, (), (1, 1))


def test_what_a_position_answers() -> None:
    position = play(opening("standard"), "e2e4 d7d5 e4d5")
    assert position.seats == ("white", "black") and position.alive == (0, 1) and position.turn == 1
    assert position.variant == "standard" and position.ply == 3 and position.halfmove == 0
    assert position.material() == (39, 38) and position.points is None
    assert position.eliminated == () and position.walk is None
    assert repr(position) == "<Position standard rnbqkbnr/ppp1pppp/8/3P4/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2>"
    assert repr(position.find("d8d5")) == "<Move d8d5>"


def test_positions_do_not_change() -> None:
    position = opening("standard")
    before, moves = position.fen(), position.legal_texts()
    for move in position.legal_moves:
        position.play(move)
    position.eliminate(0, Termination.RESIGNATION)
    position.end_in_draw(Termination.AGREEMENT)
    assert position.fen() == before and position.legal_texts() == moves and position.outcome is None


def test_equal_positions_are_those_whose_fen_is_equal() -> None:
    one = play(opening("standard"), "g1f3 g8f6 b1c3")
    same = play(opening("standard"), "g1f3 g8f6 b1c3")
    assert one == same and hash(one) == hash(same)
    other_way = play(opening("standard"), "b1c3 g8f6 g1f3")
    assert one == other_way, "how a position came about does not matter"
    assert one != play(one, "f6g8") and one != "a position"


def test_castling_rights_go_with_king_and_rooks() -> None:
    start = opening("standard", position="r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    for moves, rights in (("e1e2", "kq"), ("a1b1", "Kkq"), ("h1h8", "Qq"), ("e1g1", "kq"), ("e1c1", "kq")):
        assert play(start, moves).fen().split()[2] == rights
    assert {"wKg1", "wRf1", "wRa1"} <= men(play(start, "e1g1"))
    assert {"wKc1", "wRd1", "wRh1"} <= men(play(start, "e1c1"))
    # Lost rights do not return with the king.
    assert "e1g1" not in play(start, "e1e2 a8b8 e2e1 b8a8").legal_texts()
