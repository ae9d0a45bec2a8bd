"""What may be written down and yet cannot be, fault by fault."""

from __future__ import annotations

import pickle

import pytest

from engine.errors import InvalidSetup
from engine.setup import Setup
from engine.variants import opening
from tests.engine.places import place


def codes(setup_text: str, variant: str = "standard") -> list[str]:
    with pytest.raises(InvalidSetup) as raised:
        opening(variant, position=setup_text)
    assert str(raised.value) == " ".join(fault.message for fault in raised.value.faults)
    return [fault.code for fault in raised.value.faults]


@pytest.mark.parametrize(
    ("fen", "code"),
    [
        ("4k3/8/8/8/8/8/8/8 w - - 0 1", "missing_king"),
        ("4k3/8/8/8/8/8/8/4KK2 w - - 0 1", "extra_king"),
        ("4k3/8/8/8/8/8/8/P3K3 w - - 0 1", "pawn_on_first_rank"),
        ("4k2P/8/8/8/8/8/8/4K3 w - - 0 1", "pawn_on_last_rank"),
        ("4k3/8/8/8/8/8/8/p3K3 w - - 0 1", "pawn_on_last_rank"),
        ("4k3/8/8/8/8/8/8/4K3 w K - 0 1", "impossible_castling_right"),
        ("r3k3/8/8/8/8/8/8/3K3R w Kq - 0 1", "impossible_castling_right"),
        ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "impossible_en_passant"),
        ("4k3/8/8/4p3/8/8/8/4K3 w - e3 0 1", "impossible_en_passant"),
        ("4k3/8/4n3/4p3/8/8/8/4K3 w - e6 0 1", "impossible_en_passant"),
        ("4k3/4n3/8/4p3/8/8/8/4K3 w - e6 0 1", "impossible_en_passant"),
        ("4k3/8/8/8/8/8/8/4K2r b - - 0 1", "opponent_in_check"),
    ],
)
def test_each_fault_for_two(fen: str, code: str) -> None:
    assert codes(fen) == [code]


def test_all_faults_at_once() -> None:
    assert codes("P3k3/8/8/8/8/8/8/8 w KQ d6 0 1") == [
        "missing_king",
        "pawn_on_last_rank",
        "impossible_castling_right",
        "impossible_castling_right",
        "impossible_en_passant",
    ]


def test_the_side_to_move_may_stand_in_check() -> None:
    assert opening("standard", position="4k3/8/8/8/8/8/8/4K2r w - - 0 1").checked() == (0,)


KINGS = "rKh1 bKa7 yKg14 gKn8"


@pytest.mark.parametrize(
    ("men", "rest", "code"),
    [
        ("rKh1 bKa7 yKg14", {}, "missing_king"),
        (KINGS + " bKa8", {}, "extra_king"),
        (KINGS + " bPa5", {}, "pawn_on_first_rank"),
        (KINGS + " bPn5", {}, "pawn_on_last_rank"),
        (KINGS + " rPc11", {}, "pawn_on_last_rank"),
        (KINGS, {"castling": [(2, True)]}, "impossible_castling_right"),
        (KINGS, {"en_passant": {1: "c5"}}, "impossible_en_passant"),
        (KINGS, {"dead": "r"}, "turn_of_dead_seat"),
        (KINGS + " yRj8", {}, "opponent_in_check"),
    ],
)
def test_each_fault_for_four(men: str, rest: dict[str, object], code: str) -> None:
    with pytest.raises(InvalidSetup) as raised:
        place("survivor", men, **rest)
    assert [fault.code for fault in raised.value.faults] == [code]


def test_what_is_no_fault_among_four() -> None:
    # Others than the last mover may stand in check; grey pawns and the dead may stand anywhere.
    position = place("survivor", "rKh1 bKa7 yKg14 dgKn8 dgKn9 dgPc11 rRd7", dead="g", castling=[(3, True)])
    assert position.checked() == (1,) and position.rights == 0
    occupied = place("survivor", KINGS + " bPd5 yNc5", en_passant={1: "c5"})
    assert len(occupied.steps) == 1


def test_a_seat_that_has_just_moved_skipped_an_empty_square() -> None:
    with pytest.raises(InvalidSetup, match="cannot have skipped"):
        place("survivor", KINGS + " gPk5 rNl5", en_passant={3: "l5"})


def test_an_error_survives_a_pickle() -> None:
    with pytest.raises(InvalidSetup) as raised:
        opening("standard", position="8/8/8/8/8/8/8/8 w - - 0 1")
    again = pickle.loads(pickle.dumps(raised.value))
    assert again.faults == raised.value.faults and str(again) == str(raised.value)


def test_a_setup_says_who_is_alive() -> None:
    assert Setup({}, dead=frozenset({1})).alive(place("survivor", KINGS).rules) == (0, 2, 3)
