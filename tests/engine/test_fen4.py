"""FEN4: real exports of others, the dialects, and what is written is read again."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import InvalidNotation, InvalidSetup
from engine.outcome import Termination
from engine.variants import VARIANTS, opening
from tests.engine.places import men, play

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
    assert len(position.legal_moves()) == 3
    assert position.fen() == TEAMS_2025


def test_a_real_position_with_two_dead_seats() -> None:
    position = opening("ffa", position=FFA_TWO_DEAD)
    assert position.alive == (0, 2) and position.points == (61, 3, 20, 30)
    assert len(position.legal_moves()) == 24
    # The dead have no rights any more, whatever an export says.
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
        (MODERN.replace("x,x,x,yR", "x,x,yR,yR", 1), "a piece on rank 14 stands on a corner"),
        (MODERN.replace("yN", "yZ", 1), "'yZ,yB,yK,yQ,' on rank 14 is no piece"),
        (MODERN.replace("-0-x", "-0-{'enPassant':('','','')}-x"), "a slot for each of 4 seats, not 3"),
        (MODERN.replace("-0-x", "-0-{'enPassant':('a1:a2','','','')}-x"), "'a1:a2' is not two squares"),
    ],
)
def test_unreadable(text: str, message: str) -> None:
    with pytest.raises(InvalidNotation) as raised:
        opening("survivor", position=text)
    assert raised.value.code == "invalid_fen"
    assert message in str(raised.value)


@pytest.mark.parametrize("variant", [name for name in VARIANTS if name != "standard"])
@pytest.mark.parametrize("seed", range(4))
def test_round_trip_of_games(variant: str, seed: int) -> None:
    chance = random.Random(seed)
    position = opening(variant)
    for _ in range(150):
        text = position.fen()
        again = opening(variant, position=text)
        assert again.fen() == text
        assert sorted(again.legal_texts()) == sorted(position.legal_texts())
        assert again.identity == position.identity
        if position.outcome is not None:
            break
        if variant != "teams" and len(position.alive) > 2 and chance.random() < 0.02:
            position = position.eliminate(chance.choice(position.alive), Termination.RESIGNATION)
        else:
            position = position.play(chance.choice(list(position.legal_moves())))


EXPORTS = [MODERN, TEAMS_2025, FFA_TWO_DEAD, MODERN.replace("-0-x", "-0-{'enPassant':('h3:h4','','','')}-x")]
PARTS = ["R", "B", "0", "1", "d", "r", "K", "P", "x", ",", "/", "-", "{", "}", "'", ":", "(", "h3", "14", "rK"]


@settings(deadline=None)
@given(
    st.sampled_from([name for name in VARIANTS if name != "standard"]),
    st.sampled_from(EXPORTS),
    st.lists(st.tuples(st.integers(0, 600), st.integers(0, 4), st.sampled_from(PARTS)), max_size=3),
)
def test_any_text_is_read_or_refused(variant: str, text: str, changes: list[tuple[int, int, str]]) -> None:
    for place, length, part in changes:
        text = text[:place] + part + text[place + length :]
    try:
        position = opening(variant, position=text)
    except (InvalidNotation, InvalidSetup):
        return
    assert opening(variant, position=position.fen()).fen() == position.fen()
