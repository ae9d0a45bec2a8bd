"""Impossible setups, fault by fault."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fourfold.engine.errors import InvalidSetup
from fourfold.engine.pieces import Piece, PieceKind
from fourfold.engine.position import Position
from fourfold.engine.questions import checks
from fourfold.engine.setup import Setup, faults
from fourfold.engine.tables import tables_of
from fourfold.engine.variants import VARIANTS, opening
from tests.engine.places import place, play


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
        # A rook, a knight and a bishop: one move gives at most two checks.
        ("4k3/8/8/8/7b/5n2/8/4K2r w - - 0 1", "impossible_check"),
        ("8/8/8/8/3k4/1N6/1B6/3R2K1 b - - 0 1", "impossible_check"),
    ],
)
def test_each_fault_for_two(fen: str, code: str) -> None:
    assert codes(fen) == [code]


def test_kings_side_by_side() -> None:
    # Besides, one of them has just stepped into check.
    assert codes("8/8/8/3kK3/8/8/8/8 w - - 0 1") == ["adjacent_kings", "opponent_in_check"]
    assert codes("8/8/8/3k4/4K3/8/8/8 b - - 0 1") == ["adjacent_kings", "opponent_in_check"]


@pytest.mark.parametrize("fen", ["4k3/8/8/8/8/5n2/8/4K2r w - - 0 1", "5R2/2P5/8/4k3/8/3rK2r/8/8 w - - 0 1"])
def test_two_checks_at_once_are_given_or_published(fen: str) -> None:
    assert opening("standard", position=fen).checked() == (0,)


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
        ("rKg8 bKh9 yKg14 gKn8", {}, "adjacent_kings"),
        # Two knights of blue's: only one can have moved since red's move.
        (KINGS + " bNg3 bNi3 yRh5", {}, "impossible_check"),
        # Only blue has moved since red's move: its knight can have opened one of yellow's lines, not two.
        (KINGS + " bNg3 yRh5 yRe1", {"turn": "y"}, "impossible_check"),
        # Green's knight has not moved since the king was safe.
        (KINGS + " gNg3 bRh5 bRe1", {"turn": "y"}, "impossible_check"),
    ],
)
def test_each_fault_for_four(men: str, rest: dict[str, object], code: str) -> None:
    with pytest.raises(InvalidSetup) as raised:
        place("survivor", men, **rest)
    assert [fault.code for fault in raised.value.faults] == [code]


@pytest.mark.parametrize(
    ("men", "turn", "moves"),
    [
        # Blue's and yellow's knights, and the line that blue's opened to green's rook.
        ("rKh1 bKa7 bNh5 yKg14 yNe4 gKn8 gRh9", "b", "h5g3 e4f2"),
        # Each of them gives two checks; three of the pieces are green's and yellow's.
        ("rKh1 bKa7 bNh5 yKg14 yBf1 gKn8 gRh9 gRd1", "b", "h5g3 f1g2"),
    ],
)
def test_several_players_may_check_a_king_together(men: str, turn: str, moves: str) -> None:
    position = play(place("survivor", men, turn), moves)
    assert opening("survivor", position=position.fen()).fen() == position.fen()
    assert len(checks(position)[0]) >= 3


def test_a_capture_in_passing_may_give_three_checks_where_it_promotes() -> None:
    # Red's pawn captures blue's en passant on its eighth rank, next to green's king, and opens two lines of its own.
    before = place("ffa", "rKh1 rPd7 rRl7 rBe9 bKa4 bPd8 yKg14 gKc7", en_passant={1: "c8"})
    after = play(before, "d7c8q")
    assert len(checks(after)[3]) == 3
    assert opening("ffa", position=after.fen()).fen() == after.fen()


def test_a_seat_that_is_out_has_one_king_that_walks_at_most() -> None:
    men = "rKh1 rPd5 bKa7 yKg14 gKn8"
    assert place("ffa", men, dead="g").walking == (3,)
    with pytest.raises(InvalidSetup) as raised:
        place("ffa", men + " gKn10", dead="g")
    assert [fault.code for fault in raised.value.faults] == ["extra_walking_king"]
    # Otherwise they are grey, and only block.
    assert place("survivor", men + " gKn10", dead="g").walking == ()
    # For its neighbours, a walking king counts as a live one.
    with pytest.raises(InvalidSetup) as raised:
        place("ffa", "rKm8 rPd5 bKa7 yKg14 gKn8", dead="g")
    assert [fault.code for fault in raised.value.faults] == ["adjacent_kings"]
    assert place("survivor", "rKm8 rPd5 bKa7 yKg14 gKn8", dead="g").outcome is None


def test_partners_kings_may_stand_side_by_side() -> None:
    assert place("teams", "rKg8 rPd5 bKa7 yKh9 gKn8").outcome is None


def test_what_is_no_fault_among_four() -> None:
    # Players other than the last mover may be in check; grey pawns and eliminated seats have no restrictions.
    position = place("survivor", "rKh1 bKa7 yKg14 dgKn8 dgKn9 dgPc11 rRd7", dead="g", castling=[(3, True)])
    assert position.checked() == (1,) and position.rights == 0
    occupied = place("survivor", KINGS + " bPd5 yNc5", en_passant={1: "c5"})
    assert len(occupied.steps) == 1


def test_a_seat_that_has_just_moved_skipped_an_empty_square() -> None:
    with pytest.raises(InvalidSetup, match="cannot have made a double step over"):
        place("survivor", KINGS + " gPk5 rNl5", en_passant={3: "l5"})


def test_an_error_survives_a_pickle() -> None:
    with pytest.raises(InvalidSetup) as raised:
        opening("standard", position="8/8/8/8/8/8/8/8 w - - 0 1")
    again = pickle.loads(pickle.dumps(raised.value))
    assert again.faults == raised.value.faults and str(again) == str(raised.value)


def test_a_setup_says_who_is_alive() -> None:
    assert Setup({}, dead=frozenset({1})).alive(place("survivor", KINGS).rules) == (0, 2, 3)


@settings(max_examples=75)
@given(st.data(), st.sampled_from(["standard", "survivor", "teams", "ffa"]))
def test_a_position_is_refused_exactly_for_its_faults(data: st.DataObject, variant: str) -> None:
    """The quick questions about a setup never pass over a fault."""
    rules = VARIANTS[variant]
    tables, squares = tables_of(rules), st.integers(0, rules.geometry.size - 1)
    seats, short = st.integers(0, len(rules.seats) - 1), st.booleans()
    kinds = st.sampled_from([PieceKind.PAWN, PieceKind.KNIGHT, PieceKind.ROOK, PieceKind.QUEEN])
    pieces = data.draw(st.dictionaries(squares, st.builds(Piece, seats, kinds, st.just(False)), max_size=8))
    for seat in range(len(rules.seats)):
        for square in data.draw(st.lists(squares, min_size=1, max_size=1 + data.draw(st.integers(0, 5)) // 5)):
            pieces[square] = Piece(seat, PieceKind.KING)
    rights = st.frozensets(st.tuples(seats, short), max_size=data.draw(st.integers(0, 3)) // 3)
    passed = st.dictionaries(seats, squares, max_size=data.draw(st.integers(0, 3)) // 3)
    dead = data.draw(st.frozensets(seats, max_size=1)) if variant in ("survivor", "ffa") else frozenset()
    setup = Setup(pieces, data.draw(seats), data.draw(rights), en_passant=data.draw(passed), dead=dead)
    expected = faults(setup, tables)
    try:
        position = Position.from_setup(rules, setup)
    except InvalidSetup as error:
        assert list(error.faults) == expected
    else:
        assert not expected and set(position.pieces()) == {rules.geometry.names[square] for square in pieces}
