"""The rules of `survivor`, one scene for each."""

from __future__ import annotations

import pytest

from fourfold.engine.outcome import Elimination, Outcome, Termination
from fourfold.engine.variants import opening
from tests.engine.places import men, place, play

RED, BLUE, YELLOW, GREEN = range(4)
KINGS = "rKh1 bKa7 yKg14 gKn8"


# ---- Mate ---------------------------------------------------------------------------------------------

MATE_OF_GREEN = "rKh1 bKa7 yKg14 gKn11 rRm4 rRk5"


def test_a_mate_counts_at_once_though_others_would_move_before_the_victim() -> None:
    # Blue could capture the mating rook, but Green is out before that.
    position = place("survivor", MATE_OF_GREEN + " bRb5")
    after = play(position, "k5n5")
    assert after.eliminated == (Elimination(GREEN, Termination.CHECKMATE, RED),)
    assert after.alive == (RED, BLUE, YELLOW)
    assert after.turn == BLUE
    assert after.outcome is None
    assert "dgKn11" in men(after)
    later = play(after, "b5n5")
    assert later.eliminated == () and later.alive == (RED, BLUE, YELLOW)


def test_a_check_that_the_victim_could_meet_is_no_mate() -> None:
    after = play(place("survivor", MATE_OF_GREEN + " gRe10"), "k5n5")
    assert after.eliminated == ()
    assert after.checked() == (GREEN,)


def test_credit_goes_to_the_move_that_completes_the_mate() -> None:
    # Blue's rook gives check; then Yellow takes the last flight squares.
    position = place("survivor", "rKh1 bKa7 yKg14 gKn11 bRe5 yRj9", "b")
    checked = play(position, "e5n5")
    assert checked.eliminated == () and checked.checked() == (GREEN,)
    assert play(checked, "j9m9").eliminated == (Elimination(GREEN, Termination.CHECKMATE, YELLOW),)


def test_two_mates_by_one_move_are_judged_clockwise() -> None:
    # The rook checks Green and uncovers the bishop's check on Blue, who is mated first. Blue's rook held
    # Green's flight squares: once it is grey, Green can go there.
    blue = "bKa11 bPb11 bRm4"
    position = place("survivor", f"rKh1 rRf6 rBh4 rPl4 rRe10 yKg14 gKn11 {blue}")
    after = play(position, "f6n6")
    assert after.eliminated == (Elimination(BLUE, Termination.CHECKMATE, RED),)
    assert after.checked() == (GREEN,)
    position = place("survivor", f"rKh1 rRf6 rBh4 rPl4 rRe10 yKg14 gKn11 {blue.replace('bRm4', 'rRm4')}")
    assert play(position, "f6n6").eliminated == (
        Elimination(BLUE, Termination.CHECKMATE, RED),
        Elimination(GREEN, Termination.CHECKMATE, RED),
    )


def test_the_last_one_standing_wins() -> None:
    position = place("survivor", "rKh1 rRm4 rRk5 gKn11 dbRa4 dyKg14", dead="by")
    after = play(position, "k5n5")
    assert after.outcome == Outcome(Termination.LAST_STANDING, (RED,), (1, 3, 3, 2))
    assert after.legal_moves == () and after.legal_texts() == [] and after.movable() == ()


def test_places_go_by_who_stayed_longer() -> None:
    position = opening("survivor")
    for seat, out in ((GREEN, [GREEN]), (RED, [GREEN, RED]), (YELLOW, [GREEN, RED, YELLOW])):
        position = position.eliminate(seat, Termination.RESIGNATION)
        assert [elimination.seat for elimination in position.out] == out
        assert position.eliminated == (Elimination(seat, Termination.RESIGNATION),)
    assert position.outcome == Outcome(Termination.LAST_STANDING, (BLUE,), (3, 1, 2, 4))


def test_a_position_set_up_with_a_mated_player_begins_without_him() -> None:
    position = place("survivor", "rKh1 bKa7 yKg14 gKn11 rRm4 rRn5", "g")
    assert position.alive == (RED, BLUE, YELLOW)
    assert position.eliminated == (Elimination(GREEN, Termination.CHECKMATE),)
    assert position.turn == RED


# ---- A king that is taken -----------------------------------------------------------------------------

UNCOVERED = "rKh1 rNg8 bKa4 bRa8 yKg14 gKn8"


def test_a_live_king_can_be_taken() -> None:
    exposed = play(place("survivor", UNCOVERED + " gPm4"), "g8e7")
    assert exposed.checked() == (GREEN,) and exposed.turn == BLUE
    after = play(exposed, "a8n8")
    assert after.eliminated == (Elimination(GREEN, Termination.KING_CAPTURED, BLUE),)
    assert {"bRn8", "dgPm4"} <= men(after)
    assert after.alive == (RED, BLUE, YELLOW)


def test_a_check_by_the_army_of_the_taken_king_does_not_forbid_it() -> None:
    exposed = play(place("survivor", UNCOVERED + " gRe4"), "g8e7")
    assert BLUE in exposed.checked()
    assert play(exposed, "a8n8").alive == (RED, BLUE, YELLOW)
    exposed = play(place("survivor", UNCOVERED + " yRe4"), "g8e7")
    assert BLUE in exposed.checked()
    assert "a8n8" not in exposed.legal_texts()


def test_a_pinned_piece_may_take_a_king_if_the_pin_dies_with_it() -> None:
    # Green's rook pins Blue's on rank 4, and Red's knight exposes Green's king on e11.
    exposed = play(place("survivor", "rKh1 rNe8 bKa4 bRe4 yKg14 gKe11 gRn4"), "e8c7")
    assert exposed.checked() == (GREEN,)
    assert play(exposed, "e4e11").alive == (RED, BLUE, YELLOW)


# ---- Grey pieces --------------------------------------------------------------------------------------


def test_grey_pieces_block_and_can_be_taken_but_do_not_check() -> None:
    position = place("survivor", "rKh1 rRd5 bKa7 yKg14 dgRk1 dgRh9 dgNd8 dgKn8", dead="g")
    assert position.checked() == ()
    moves = position.legal_texts()
    assert "d5d8" in moves and "d5d9" not in moves
    assert "h1i1" in moves
    after = play(position, "d5d8")
    assert "dgNd8" not in men(after) and after.halfmove == 0


def test_a_grey_piece_does_not_protect() -> None:
    position = place("survivor", "rKh1 bKa7 yKg14 yPh13 dgQg2 dgRg9 dgKn8", dead="g")
    assert "h1g2" in position.legal_texts()


def test_a_grey_piece_of_an_unknown_owner() -> None:
    position = place("survivor", KINGS + " rRd5 d?Pd8")
    assert "d?Pd8" in men(position)
    assert "d5d8" in position.legal_texts() and "d5d9" not in position.legal_texts()


def test_a_grey_pawn_bars_castling() -> None:
    rights = [(RED, True), (RED, False)]
    position = place("survivor", KINGS + " rRk1 rRd1 dgPi1", castling=rights)
    assert {"h1j1", "h1f1"} & set(position.legal_texts()) == {"h1f1"}


# ---- Pawns --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("man", "turn", "move"),
    [
        ("rPe13", "r", "e13e14"),
        ("rPc10", "r", "c10c11"),
        ("rPl10", "r", "l10l11"),
        ("bPm6", "b", "m6n6"),
        ("bPj3", "b", "j3k3"),
        ("yPe2", "y", "e2e1"),
        ("yPb5", "y", "b5b4"),
        ("gPb9", "g", "b9a9"),
        ("gPe12", "g", "e12d12"),
    ],
)
def test_a_pawn_promotes_where_the_board_ends_in_front_of_it(man: str, turn: str, move: str) -> None:
    position = place("survivor", f"{KINGS} {man}", turn)
    moves = [text for text in position.legal_texts() if text.startswith(move)]
    assert sorted(moves) == sorted(move + letter for letter in "qrbn")
    after = play(position, move + "n")
    target = after.geometry.names[position.find(move + "n").target]
    assert f"{man[0]}N{target}" in men(after)


def test_a_pawn_does_not_promote_in_the_middle() -> None:
    assert "e7e8" in place("survivor", KINGS + " rPe7").legal_texts()
    assert "e10e11" in place("survivor", KINGS + " rPe10").legal_texts()


def test_four_rights_to_take_in_passing_at_once() -> None:
    position = play(opening("survivor"), "h2h4 b7d7 g13g11 m8k8")
    assert "{'enPassant':('h3:h4','c7:d7','g12:g11','l8:k8')}" in position.fen()
    assert [step.seat for step in position.steps] == [RED, BLUE, YELLOW, GREEN]
    # Each lapses when its own player moves again.
    after = play(position, "h1h2")
    assert [step.seat for step in after.steps] == [BLUE, YELLOW, GREEN]
    assert [step.seat for step in play(after, "b4c4 g14g13 m4l4").steps] == []


def test_each_of_the_three_others_has_one_chance() -> None:
    pushed = play(place("survivor", KINGS + " rPd4 rPd2 bPb5 yPk13 gPm9"), "h1i1 b5d5")
    for moves in ("g14h14 n8n9", "k13k12 m9l9"):
        later = play(pushed, moves)
        assert "d4c5" in later.legal_texts()
        taken = play(later, "d4c5")
        assert "rPc5" in men(taken) and "bPd5" not in men(taken) and taken.steps == ()
    assert "d4c5" not in play(pushed, "g14h14 n8n9 i1h1 a7a8 h14g14 n9n8").legal_texts()


def test_taking_in_passing_from_the_flank() -> None:
    position = place("survivor", KINGS + " rPb4 bPd5", "r", en_passant={BLUE: "c5"})
    after = play(position, "b4c5")
    assert "rPc5" in men(after) and "bPd5" not in men(after)


def test_taking_in_passing_onto_a_piece_takes_both() -> None:
    position = place("survivor", KINGS + " rPd4 bPd5 yNc5", "r", en_passant={BLUE: "c5"})
    assert position.legal_texts().count("d4c5") == 1
    after = play(position, "d4c5")
    assert men(after) == {*KINGS.split(), "rPc5"}
    assert after.material() == (1, 0, 0, 0)


def test_no_taking_in_passing_onto_ones_own_piece() -> None:
    position = place("survivor", KINGS + " rPd4 rNc5 bPd5", "r", en_passant={BLUE: "c5"})
    assert "d4c5" not in position.legal_texts()


def test_a_pawn_taken_in_passing_uncovers_a_check() -> None:
    # Both pawns leave the file between Yellow's rook and Red's king.
    men_there = "rKd1 bKa7 yKg14 gKn8 rPd4 bPd5 yRd12"
    position = place("survivor", men_there, "r", en_passant={BLUE: "c5"})
    assert "d4c5" not in position.legal_texts()
    position = place("survivor", men_there + " yNc5", "r", en_passant={BLUE: "c5"})
    assert "d4c5" not in position.legal_texts()
    position = place("survivor", men_there.replace("yRd12", "yRe12"), "r", en_passant={BLUE: "c5"})
    assert "d4c5" in position.legal_texts()


def test_a_checking_pawn_can_be_taken_in_passing() -> None:
    position = place("survivor", "rKe4 bKa7 yKg14 gKn8 rPb4 bPd5", "r", en_passant={BLUE: "c5"})
    assert position.checked() == (RED,)
    assert "b4c5" in position.legal_texts()


def test_taking_in_passing_onto_a_piece_can_meet_a_double_check() -> None:
    position = place("survivor", "rKe4 bKa7 yKg14 gKn8 rPb4 bPd5 gNc5", "r", en_passant={BLUE: "c5"})
    assert "b4c5" in position.legal_texts()
    assert "b4c5" not in place("survivor", "rKe4 bKa7 yKg14 gKn8 rPb4 bPd5 gNc5").legal_texts()


def test_promoting_while_taking_in_passing() -> None:
    position = place("survivor", KINGS + " rPd10 bPd11", "r", en_passant={BLUE: "c11"})
    assert {"d10c11q", "d10c11r", "d10c11b", "d10c11n"} <= set(position.legal_texts())
    after = play(position, "d10c11r")
    assert "rRc11" in men(after) and "bPd11" not in men(after)


def test_a_right_lapses_when_the_pushed_pawn_is_taken() -> None:
    position = place("survivor", KINGS + " rPd4 bPd5 yPe6", "y", en_passant={BLUE: "c5"})
    after = play(position, "e6d5")
    assert after.steps == ()
    assert "d4c5" not in play(after, "n8n9").legal_texts()


def test_the_pawn_of_a_player_who_went_out_can_be_taken_until_his_seat_is_passed() -> None:
    pushed = play(place("survivor", KINGS + " rPd4 bPb5 gRm5"), "h1i1 b5d5")
    out = pushed.eliminate(BLUE, Termination.RESIGNATION)
    assert "dbPd5" in men(out)
    again = play(out, "g14h14 n8n9")
    assert "d4c5" in again.legal_texts()
    assert {"rPc5"} == {man for man in men(play(again, "d4c5")) if man[-1] == "5" and man[-2] in "cd"}
    assert play(again, "i1h1").steps == ()


def test_a_player_who_resigns_at_his_turn_leaves_no_right_behind() -> None:
    position = place("survivor", KINGS + " rPd4 bPd5", "b", en_passant={BLUE: "c5"})
    assert position.eliminate(BLUE, Termination.RESIGNATION).steps == ()


# ---- Castling -----------------------------------------------------------------------------------------

CASTLINGS = [
    ("modern", "r", "h1j1", "rKj1 rRi1"),
    ("modern", "r", "h1f1", "rKf1 rRg1"),
    ("modern", "b", "a7a5", "bKa5 bRa6"),
    ("modern", "b", "a7a9", "bKa9 bRa8"),
    ("modern", "y", "g14e14", "yKe14 yRf14"),
    ("modern", "y", "g14i14", "yKi14 yRh14"),
    ("modern", "g", "n8n10", "gKn10 gRn9"),
    ("modern", "g", "n8n6", "gKn6 gRn7"),
    ("classic", "b", "a8a10", "bKa10 bRa9"),
    ("classic", "b", "a8a6", "bKa6 bRa7"),
    ("classic", "g", "n7n5", "gKn5 gRn6"),
    ("classic", "g", "n7n9", "gKn9 gRn8"),
    ("4PCrg", "r", "g1e1", "rKe1 rRf1"),
    ("4PCrg", "r", "g1i1", "rKi1 rRh1"),
    ("4PCb", "y", "h14j14", "yKj14 yRi14"),
    ("4PCb", "y", "h14f14", "yKf14 yRg14"),
]


@pytest.mark.parametrize(("setup", "turn", "move", "result"), CASTLINGS)
def test_castling(setup: str, turn: str, move: str, result: str) -> None:
    army = [man for man in men(opening("survivor", setup=setup)) if man[1] in "KR"]
    rights = [(seat, short) for seat in range(4) for short in (True, False)]
    position = place("survivor", " ".join(army), turn, castling=rights)
    after = play(position, move)
    assert set(result.split()) <= men(after)
    assert len(men(after)) == len(army)
    mine = "rbyg".index(turn)
    fields = after.fen().split("-")[2:4]
    assert [field.split(",")[mine] for field in fields] == ["0", "0"]
    assert all(field.count("1") == 3 for field in fields)


def test_no_castling_out_of_through_or_into_check() -> None:
    army = "rRk1 rRd1 bKa7 yKg14 gKn8"
    rights = [(RED, True), (RED, False)]

    def castlings(attacker: str) -> set[str]:
        position = place("survivor", f"rKh1 {army} {attacker}", castling=rights)
        return set(position.legal_texts()) & {"h1j1", "h1f1"}

    assert castlings("") == {"h1j1", "h1f1"}
    assert castlings("yRh9") == set()
    assert castlings("yRi9") == {"h1f1"}
    assert castlings("yRj9") == {"h1f1"}
    assert castlings("yRk9") == {"h1j1", "h1f1"}
    assert castlings("yRe9") == {"h1j1", "h1f1"}
    assert castlings("dyRi9") == {"h1j1", "h1f1"}
    assert castlings("gNk3") == {"h1f1"}


def test_a_right_is_lost_by_moving_and_by_being_taken() -> None:
    army = "rKh1 rRk1 rRd1 bKa7 yKg14 yRk14 gKn8"
    rights = [(RED, True), (RED, False), (YELLOW, False)]
    position = place("survivor", army, castling=rights)
    for moves, left in (("h1h2", "000"), ("d1d2", "100"), ("k1k2", "010")):
        short, long = play(position, moves).fen().split("-")[2:4]
        assert short[0] + long[0] == left[:2]
    after = play(position, "k1k14")
    assert after.fen().split("-")[2:4] == ["0,0,0,0", "1,0,0,0"]


# ---- Leaving ------------------------------------------------------------------------------------------


def test_resigning_at_ones_turn_passes_it_on() -> None:
    after = opening("survivor").eliminate(RED, Termination.RESIGNATION)
    assert after.turn == BLUE and after.alive == (BLUE, YELLOW, GREEN) and after.ply == 0
    assert all(man.startswith("dr") for man in men(after) if man.lstrip("d").startswith("r"))
    assert after.fen().startswith("B-1,0,0,0-0,1,1,1-0,1,1,1-")


def test_leaving_out_of_turn_keeps_the_turn() -> None:
    position = play(opening("survivor"), "h2h3")
    after = position.eliminate(GREEN, Termination.TIME)
    assert after.turn == BLUE
    assert after.eliminated == (Elimination(GREEN, Termination.TIME),)
    assert play(after, "b7c7 h13h12").turn == RED


def test_leaving_lifts_the_checks_one_gave() -> None:
    position = place("survivor", KINGS + " gRh9")
    assert position.checked() == (RED,)
    assert position.eliminate(GREEN, Termination.ABANDONMENT).checked() == ()


def test_nobody_leaves_twice_or_after_the_end() -> None:
    position = opening("survivor").eliminate(RED, Termination.RESIGNATION)
    with pytest.raises(ValueError, match="seat 0"):
        position.eliminate(RED, Termination.TIME)
    over = position.end_in_draw(Termination.AGREEMENT)
    with pytest.raises(ValueError, match="goes on"):
        over.eliminate(BLUE, Termination.TIME)
    with pytest.raises(ValueError, match="over"):
        over.end_in_draw(Termination.AGREEMENT)


# ---- Draws --------------------------------------------------------------------------------------------


def test_a_stalemated_player_at_his_turn_draws_the_game_for_all_still_in() -> None:
    position = place("survivor", "rKh1 rRb5 rRf10 bKa11 yKg14 gKn8 gPm4")
    after = play(position, "f10e10")
    assert after.turn == BLUE and after.movable() == ()
    assert after.outcome == Outcome(Termination.STALEMATE, (), (1, 1, 1, 1))
    # Before his turn it may pass.
    waiting = play(place("survivor", "rKh1 rRb5 rRf10 bKa11 yKg14 gKn8 gPm4", "y"), "g14h14 n8n9 f10e10")
    assert waiting.outcome is not None


def test_a_player_without_moves_is_not_stalemated_before_his_turn() -> None:
    after = play(place("survivor", "rKh1 yRb5 yRf10 bKa11 yKg14 gKn8 gPm4", "y"), "f10e10")
    assert after.turn == GREEN and after.outcome is None
    assert play(after, "n8n9 h1h2").outcome == Outcome(Termination.STALEMATE, (), (1, 1, 1, 1))


@pytest.mark.parametrize(
    ("extra", "drawn"),
    [("", True), ("rNd5", True), ("rBd5 bBe5", True), ("rNd5 bNe6", True), ("rNd5 rNe6", False), ("bPe5", False),
     ("rRd5", False), ("dyQe5", True)],
)  # fmt: skip
def test_insufficient_material_between_the_last_two(extra: str, drawn: bool) -> None:
    position = place("survivor", f"rKh1 bKa7 dyKg14 dgKn8 {extra}", dead="yg")
    expected = Outcome(Termination.INSUFFICIENT_MATERIAL, (), (1, 1, 3, 3)) if drawn else None
    assert position.outcome == expected


@pytest.mark.parametrize(("extra", "drawn"), [("", True), ("dyQe5 dgRk4", True), ("rNd5", False), ("yBe5", False)])
def test_three_or_four_bare_kings_draw(extra: str, drawn: bool) -> None:
    for dead, standings in (("", (1, 1, 1, 1)), ("g", (1, 1, 1, 4))):
        position = place("survivor", f"rKh1 bKa7 yKg14 {'d' * bool(dead)}gKn8 {extra}", dead=dead)
        expected = Outcome(Termination.INSUFFICIENT_MATERIAL, (), standings) if drawn else None
        assert position.outcome == expected


def test_the_third_of_them_may_be_taken_off_by_the_move_that_draws() -> None:
    position = place("survivor", "rKh1 bKa7 bRd5 yKg14 rBg8 dgKn8", dead="g")
    assert position.outcome is None
    after = play(position, "g8d5")
    assert after.outcome is None  # three are left, and one has a bishop


@pytest.mark.parametrize(("dead", "limit"), [("", 200), ("g", 150), ("yg", 100)])
def test_fifty_moves_of_each_live_player(dead: str, limit: int) -> None:
    extra = " rRd5"
    position = place("survivor", KINGS + extra, halfmove=limit - 2, dead=dead)
    position = play(position, "d5d6")
    assert position.outcome is None
    position = position.play(position.find("a7a8"))
    assert position.outcome is not None
    assert position.outcome.termination is Termination.FIFTY_MOVES
    assert position.outcome.winners == ()


def test_the_third_repetition_is_a_draw() -> None:
    there_and_back = "h1i1 a7a8 g14h14 n8n9 i1h1 a8a7 h14g14 n9n8 "
    position = play(place("survivor", KINGS + " rRd5"), there_and_back)
    assert position.outcome is None and position.repetitions() == 2
    position = play(position, there_and_back)
    assert position.outcome == Outcome(Termination.THREEFOLD, (), (1, 1, 1, 1))
    assert position.may_claim(position.turn) is None


def test_a_lost_right_makes_another_position() -> None:
    there_and_back = "h1i1 a7a8 g14h14 n8n9 i1h1 a8a7 h14g14 n9n8 "
    position = place("survivor", KINGS + " rRk1", castling=[(RED, True)])
    assert play(position, there_and_back * 2).outcome is None
    assert play(position, there_and_back * 2 + "h1i1").outcome is not None


def test_a_draw_by_vote() -> None:
    position = opening("survivor").eliminate(YELLOW, Termination.TIME)
    assert position.may_claim(position.turn) is None
    assert position.end_in_draw(Termination.AGREEMENT).outcome == Outcome(Termination.AGREEMENT, (), (1, 1, 4, 1))
