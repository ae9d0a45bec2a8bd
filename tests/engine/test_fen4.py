"""FEN4: real exports of other programs, dialects, and written positions read back."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourfold.engine.errors import InvalidNotation, InvalidSetup
from fourfold.engine.fourplayer.fen4 import Fen4
from fourfold.engine.outcome import Termination
from fourfold.engine.position import Position
from fourfold.engine.variants import VARIANTS, opening
from tests.conftest import some
from tests.engine.places import men, place, play

MODERN = (
    "R-0,0,0,0-1,1,1,1-1,1,1,1-0,0,0,0-0-x,x,x,yR,yN,yB,yK,yQ,yB,yN,yR,x,x,x/x,x,x,yP,yP,yP,yP,yP,yP,yP,yP,x,x,x/"
    "x,x,x,8,x,x,x/bR,bP,10,gP,gR/bN,bP,10,gP,gN/bB,bP,10,gP,gB/bQ,bP,10,gP,gK/bK,bP,10,gP,gQ/bB,bP,10,gP,gB/"
    "bN,bP,10,gP,gN/bR,bP,10,gP,gR/x,x,x,8,x,x,x/x,x,x,rP,rP,rP,rP,rP,rP,rP,rP,x,x,x/"
    "x,x,x,rR,rN,rB,rQ,rK,rB,rN,rR,x,x,x"
)
TEAMS_2025 = (
    "Y-0,0,0,0-1,1,1,0-1,1,1,0-0,0,0,0-0-x,x,x,yR,2,yK,3,yR,x,x,x/x,x,x,yP,bN,yP,1,yP,2,yP,x,x,x/"
    "x,x,x,2,yN,yP,1,yP,1,gQ,x,x,x/bR,bP,7,yP,4/3,bP,8,gP,1/bB,bP,9,gN,1,rQ/1,bP,9,yB,2/bK,1,bP,9,gP,gK/"
    "1,bP,10,gP,gB/1,bP,bN,9,gP,gN/bR,bP,10,gP,gR/x,x,x,2,rN,1,rP,rN,2,x,x,x/x,x,x,rP,rP,rP,2,rP,rP,rP,x,x,x/"
    "x,x,x,rR,3,rK,rB,1,rR,x,x,x"
)
FFA_TWO_DEAD = (
    "Y-0,1,0,1-0,0,0,0-0,1,0,0-61,3,20,30-0-x,x,x,8,x,x,x/x,x,x,yR,2,dgB,yB,2,yP,x,x,x/"
    "x,x,x,1,yK,yP,yP,1,yP,2,x,x,x/dbR,dbP,1,yP,yP,yN,7,dgR/1,dbP,10,dgP,1/dbB,2,dbP,10/1,dbP,4,dbQ,dgP,1,dgR,4/"
    "dbK,9,dgP,3/1,dbP,9,dgP,2/dbR,1,dbP,1,rR,1,rR,3,dgN,1,rQ,dgK/6,rP,3,rP,1,dgP,1/x,x,x,2,rP,2,rN,2,x,x,x/"
    "x,x,x,rP,3,rP,rP,2,x,x,x/x,x,x,4,rK,rB,2,x,x,x"
)


def test_the_modern_start() -> None:
    assert opening("survivor").fen() == MODERN
    assert opening("ffa", position=MODERN).fen() == MODERN


def test_four_rights_at_once() -> None:
    position = play(opening("ffa"), "h2h4 b7d7 g13g11 m8k8")
    text = position.fen()
    assert "-0-{'enPassant':('h3:h4','c7:d7','g12:g11','l8:k8')}-x,x,x," in text
    assert opening("ffa", position=text).fen() == text


def test_a_real_position_in_teams() -> None:
    position = opening("teams", position=TEAMS_2025)
    assert position.turn in position.checked()
    assert len(position.legal_moves) == 3
    assert position.fen() == TEAMS_2025


def test_a_real_position_with_two_dead_seats() -> None:
    position = opening("ffa", position=FFA_TWO_DEAD)
    assert position.alive == (0, 2) and position.points == (61, 3, 20, 30)
    assert len(position.legal_moves) == 24
    # Eliminated players have no rights, whatever an export has.
    assert position.fen() == FFA_TWO_DEAD.replace("-0,1,0,0-61", "-0,0,0,0-61")


def test_corners_as_empty_squares() -> None:
    older = MODERN.replace("x,x,x,8,x,x,x", "14").replace("x,x,x", "3")
    assert "x" not in older
    assert opening("survivor", position=older).fen() == MODERN


@pytest.mark.parametrize(
    "text",
    [
        MODERN.replace("x", "X"),
        MODERN.replace(",", ", ").replace("/", "/\n"),
        MODERN.replace("-0-x,x,x,yR", "-0-{}-x,x,x,yR"),
        MODERN.replace("-0-x,x,x,yR", "-0-{'pawnsBaseRank':2,'lives':(1,1,1,1)}-x,x,x,yR"),
        MODERN.replace("-0-x,x,x,yR", "-0-{'enPassant':('','','','')}-x,x,x,yR"),
        MODERN[: MODERN.index("x,x,x")] + MODERN[MODERN.index("x,x,x") :].replace(",", ""),
    ],
)
def test_dialects(text: str) -> None:
    assert opening("survivor", position=text).fen() == MODERN


def test_a_slot_may_lack_its_pawn() -> None:
    text = play(opening("survivor"), "h2h4").fen()
    assert opening("survivor", position=text.replace("h3:h4", "h3:")).fen() == text


def test_a_grey_piece_without_an_owner() -> None:
    text = MODERN.replace("x,x,x,8,x,x,x/bR", "x,x,x,dP,7,x,x,x/bR")
    position = opening("survivor", position=text)
    assert "d?Pd12" in men(position) and position.fen() == text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "it should read turn-dead"),
        (MODERN.replace("R-", "W-", 1), "it should read turn-dead"),
        (MODERN.replace("0,0,0,0", "0,0,0", 1), "it should read turn-dead"),
        (MODERN.replace("/x,x,x,8,x,x,x", "", 1), "14 ranks, not 13"),
        (MODERN.replace("bR,bP,10", "bR,bP,9", 1), "13 cells on rank 11 instead of 14"),
        (MODERN.replace("bR,bP", "bR,bP,bP,bP", 1), "16 cells on rank 11 instead of 14"),
        (MODERN.replace("bR,bP,10", "bR,bP,2,x,7", 1), "wall (x) on rank 11"),
        (MODERN.replace("x,x,x,yR", "x,x,yR,yR", 1), "a piece on rank 14 is on a missing corner"),
        (MODERN.replace("yN", "yZ", 1), "'yZ,yB,yK,yQ,' on rank 14 is not a piece"),
        (MODERN.replace("-0-x", "-0-{'enPassant':('','','')}-x"), "a slot for each of 4 seats, not 3"),
        (MODERN.replace("-0-x", "-0-{'enPassant':('a1:a2','','','')}-x"), "'a1:a2' is not two squares"),
    ],
)
def test_unreadable(text: str, message: str) -> None:
    with pytest.raises(InvalidNotation) as raised:
        opening("survivor", position=text)
    assert raised.value.code == "invalid_fen"
    assert message in str(raised.value)


@pytest.mark.parametrize("variant", some(2, *(name for name, rules in VARIANTS.items() if len(rules.seats) == 4)))
@pytest.mark.parametrize("seed", some(1, *range(4)))
def test_round_trip_of_games(variant: str, seed: int) -> None:
    chance = random.Random(seed)
    position = opening(variant)
    for _ in range(150):
        text = position.fen()
        again = opening(variant, position=text)
        assert again.fen() == text
        assert sorted(again.legal_texts()) == sorted(position.legal_texts())
        assert again.identity == position.identity
        assert (again.ply, again.outcome) == (position.ply, position.outcome)
        assert again.order_out() == position.order_out()
        if position.outcome is not None:
            break
        if not position.rules.in_teams and len(position.alive) > 2 and chance.random() < 0.02:
            position = position.eliminate(chance.choice(position.alive), Termination.RESIGNATION)
        else:
            position = position.play(chance.choice(list(position.legal_moves)))


def test_the_ply_is_kept_where_it_does_not_show() -> None:
    position = play(opening("ffa"), "h2h3 b7d7 g13g11")
    assert "-0-{'enPassant':('','c7:d7','g12:g11',''),'ply':3}-x" in position.fen()
    again = opening("ffa", position=position.fen())
    assert again.ply == 3 and again.fen() == position.fen()
    assert opening("ffa", position=MODERN).ply == 0
    assert opening("ffa", position=MODERN.replace("R-", "Y-", 1)).ply == 0
    assert opening("ffa", position=MODERN.replace("-0-x", "-0-{'ply':77}-x")).ply == 77
    assert opening("ffa", position=MODERN.replace("-0-x", "-0-{'ply':77,'ply':78}-x")).ply == 77


def test_a_dead_king_walks_on_after_reading_as_it_would_have() -> None:
    position = play(opening("ffa", seed=5), "h2h3 b7c7 h13h12 m8l8")
    position = position.eliminate(0, Termination.RESIGNATION)
    again = opening("ffa", position=position.fen(), seed=5)
    assert again.walk is position.walk is not None


@pytest.mark.parametrize("order", ["bg", "gb", "ybg", "gyb"])
def test_the_order_in_which_players_went_is_kept(order: str) -> None:
    position = opening("survivor")
    for letter in order:
        position = position.eliminate("rbyg".index(letter), Termination.RESIGNATION)
    again = opening("survivor", position=position.fen())
    assert again.fen() == position.fen() and again.outcome == position.outcome
    for one in (position, again):
        last = one if one.outcome else one.eliminate(one.alive[-1], Termination.TIME)
        assert last.outcome is not None
        places = [last.outcome.standings["rbyg".index(letter)] for letter in order]
        assert places == list(range(4, 4 - len(order), -1))
    # Without it, they share the last place.
    vague = opening("survivor", position=re.sub(r"'out':\([^)]*\),?", "", position.fen()).replace("{}-", ""))
    end = (vague if vague.outcome else vague.eliminate(vague.alive[-1], Termination.TIME)).outcome
    assert end is not None and len({end.standings["rbyg".index(letter)] for letter in order}) == 1


@pytest.mark.parametrize("variant", ["ffa", "survivor"])
def test_who_goes_after_reading_goes_after_who_was_out(variant: str) -> None:
    one_out = opening(variant).eliminate(1, Termination.RESIGNATION)
    read = opening(variant, position=one_out.fen())
    assert read.eliminate(3, Termination.RESIGNATION).fen() == one_out.eliminate(3, Termination.RESIGNATION).fen()


def test_a_team_game_that_has_ended_by_a_king_is_read_again() -> None:
    position = place("teams", "rKh1 rNn6 rPd5 bKa9 yKg14 yRn4 gKn8", "r")
    # The knight uncovers yellow's rook, blue does not mind, and yellow takes the king.
    over = play(position, "n6l7 a9b9 n4n8")
    assert over.outcome is not None and over.outcome.termination is Termination.KING_CAPTURED
    assert "'gameOver':'king_captured'" in over.fen()
    again = opening("teams", position=over.fen())
    assert again.fen() == over.fen() and again.outcome == over.outcome and again.legal_moves == ()
    for text in (over.fen().replace("bK", "bQ"), over.fen().replace("'gameOver':'king_captured'", "'x':1")):
        with pytest.raises(InvalidSetup) as raised:
            opening("teams", position=text)
        assert [fault.code for fault in raised.value.faults] == ["missing_king"]


@pytest.mark.parametrize(
    ("extra", "message"),
    [
        ("'ply':x", "the ply is a number"),
        ("'ply':123456", "the ply is a number"),
        ("'out':('b','q')", "out has the letters"),
        ("'out':('bg')", "out has the letters"),
    ],
)
def test_extras_of_ours_that_cannot_be_read(extra: str, message: str) -> None:
    with pytest.raises(InvalidNotation, match=re.escape(message)):
        opening("survivor", position=MODERN.replace("-0-x", "-0-{" + extra + "}-x"))


def test_who_is_not_out_has_no_place_in_the_order() -> None:
    text = FFA_TWO_DEAD.replace("-0-x", "-0-{'out':('g','r','b','g')}-x")
    assert opening("survivor", position=text).order_out() == (3, 1)


EXPORTS = [MODERN, TEAMS_2025, FFA_TWO_DEAD, MODERN.replace("-0-x", "-0-{'enPassant':('h3:h4','','','')}-x")]
PARTS = ["R", "B", "0", "1", "d", "r", "K", "P", "x", ",", "/", "-", "{", "}", "'", ":", "(", "h3", "14", "rK"]


@given(
    st.sampled_from([name for name, rules in VARIANTS.items() if len(rules.seats) == 4]),
    st.sampled_from(EXPORTS),
    st.lists(st.tuples(st.integers(0, 600), st.integers(0, 4), st.sampled_from(PARTS)), max_size=3),
)
def test_any_text_is_read_or_refused(variant: str, text: str, changes: list[tuple[int, int, str]]) -> None:
    for start, length, part in changes:
        text = text[:start] + part + text[start + length :]
    try:
        position = opening(variant, position=text)
    except (InvalidNotation, InvalidSetup):
        return
    assert opening(variant, position=position.fen()).fen() == position.fen()


def test_other_programs_read_less() -> None:
    board = "x,x,x,3,yK,4,x,x,x/" + "x,x,x,8,x,x,x/" * 2 + "dbK,13/" + "14/" * 6 + "7,rD,6/" + "x,x,x,8,x,x,x/" * 2
    fen = f"R-0,1,0,1-0,0,0,0-0,0,0,0-3,0,0,0-0-{{'out':('g','b'),'ply':9}}-{board}x,x,x,3,rK,4,x,x,x"
    position = Position.start("ffa", fen=fen)
    assert Fen4().write(position) == position.fen() == fen
    plain = "R-0,1,0,1-0,0,0,0-0,0,0,0-3,0,0,0-0-6,yK,7/14/14/bK,13/" + "14/" * 6 + "7,rQ,6/14/14/6,rK,7"
    assert Fen4(extras=(), walls=False, promoted=False, grey=False).write(position) == plain
    assert Fen4(extras=("ply",)).write(position) == fen.replace("'out':('g','b'),", "")
