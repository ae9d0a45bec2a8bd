"""The rules of `teams`: red and yellow against blue and green."""

from __future__ import annotations

import pytest

from fourfold.engine.errors import InvalidSetup
from fourfold.engine.outcome import Outcome, Termination
from fourfold.engine.variants import opening
from tests.engine.places import men, place, play

RED, BLUE, YELLOW, GREEN = range(4)
KINGS = "rKh1 bKa7 yKg14 gKn8"
RED_AND_YELLOW, BLUE_AND_GREEN = (1, 2, 1, 2), (2, 1, 2, 1)


def test_partners_neither_take_nor_check_each_other() -> None:
    position = place("teams", KINGS + " rRg9 yNg12 yRd9 bPe9 yPf11 rPe10")
    assert position.checked() == ()
    moves = position.legal_texts()
    assert "g9g11" in moves and "g9g12" not in moves
    assert "g9e9" in moves and "g9d9" not in moves
    assert "e10f11" not in moves and "e10e11q" in moves


def test_mate_is_judged_when_the_victims_turn_comes() -> None:
    mate = "rKh1 bKa7 yKg14 gKn11 rRm4 rRk5"
    pending = play(place("teams", mate), "k5n5")
    assert pending.outcome is None and pending.checked() == (GREEN,)
    over = play(pending, "a7a8 g14h14")
    assert over.turn == GREEN
    assert over.outcome == Outcome(Termination.CHECKMATE, (RED, YELLOW), RED_AND_YELLOW)
    saved = play(place("teams", mate + " bRb5"), "k5n5 b5n5 g14h14")
    assert saved.outcome is None


def test_stalemate_draws() -> None:
    position = place("teams", "rKh1 rRb5 rRf10 bKa11 yKg14 gKn8 gPm4")
    assert play(position, "f10e10").outcome == Outcome(Termination.STALEMATE, (), (1, 1, 1, 1))


def test_who_takes_a_king_wins_at_once_whatever_his_own_suffers() -> None:
    # Red exposes green's king to yellow's rook, while blue's rook attacks yellow's own king.
    position = place("teams", "rKh1 rNg8 bKa4 bRe6 yKg14 yRd8 gKn8")
    pending = play(position, "g8f6 e6e14")
    assert pending.turn == YELLOW and YELLOW in pending.checked()
    over = play(pending, "d8n8")
    assert over.outcome == Outcome(Termination.KING_CAPTURED, (RED, YELLOW), RED_AND_YELLOW)
    assert over.legal_moves == () and "yRn8" in men(over)
    assert over.checked() == (YELLOW,)


def test_partners_do_not_take_each_others_kings() -> None:
    position = place("teams", "rKh1 rNg8 bKa4 bRa8 yKg14 gKn8")
    assert "a8n8" not in play(position, "g8e7").legal_texts()


@pytest.mark.parametrize("reason", [Termination.RESIGNATION, Termination.TIME, Termination.ABANDONMENT])
def test_who_leaves_loses_for_both(reason: Termination) -> None:
    over = opening("teams").eliminate(YELLOW, reason)
    assert over.outcome == Outcome(reason, (BLUE, GREEN), BLUE_AND_GREEN)
    assert over.points is None and over.eliminated == ()


@pytest.mark.parametrize(
    ("man", "turn", "move"),
    [("rPd10", "r", "d10d11"), ("bPj5", "b", "j5k5"), ("yPe5", "y", "e5e4"), ("gPe9", "g", "e9d9")],
)
def test_a_pawn_promotes_on_its_eleventh(man: str, turn: str, move: str) -> None:
    moves = [text for text in place("teams", f"{KINGS} {man}", turn).legal_texts() if text.startswith(move)]
    assert sorted(moves) == sorted(move + letter for letter in "qrbn")


def test_promoting_while_taking_in_passing() -> None:
    position = place("teams", KINGS + " rPd10 bPd11", en_passant={BLUE: "c11"})
    after = play(position, "d10c11n")
    assert "rNc11" in men(after) and "bPd11" not in men(after)


def test_a_partner_does_not_take_in_passing() -> None:
    position = place("teams", KINGS + " gPe6 bPd5", "g", en_passant={BLUE: "c5"})
    assert not any(text.endswith("c5") for text in position.legal_texts())


@pytest.mark.parametrize(
    ("position", "termination"),
    [
        (place("teams", KINGS), Termination.INSUFFICIENT_MATERIAL),
        (place("teams", KINGS + " rRd5", halfmove=200), Termination.FIFTY_MOVES),
        (
            play(place("teams", KINGS + " rRd5"), "h1i1 a7a8 g14h14 n8n9 i1h1 a8a7 h14g14 n9n8 " * 2),
            Termination.THREEFOLD,
        ),
        (opening("teams").end_in_draw(Termination.AGREEMENT), Termination.AGREEMENT),
    ],
)
def test_draws(position: object, termination: Termination) -> None:
    assert position.outcome == Outcome(termination, (), (1, 1, 1, 1))  # type: ignore[attr-defined]


def test_nobody_is_out_while_the_game_goes_on() -> None:
    with pytest.raises(InvalidSetup, match="nobody is out before") as raised:
        place("teams", KINGS, dead="g")
    assert [fault.code for fault in raised.value.faults] == ["dead_seat_in_teams"]


def test_nothing_is_to_be_claimed() -> None:
    assert opening("teams").may_claim(0) is None
