"""King of the hill and three-check for four."""

from __future__ import annotations

import random

import pytest

from fourfold.engine import Game, InvalidNotation, Position, Termination
from tests.conftest import some
from tests.engine.places import men
from tests.engine.test_reference import play_out

HILL, CHECKS = "kingofthehill4", "threecheck4"


def eager(seed: int) -> Game:
    """A random game in which kings move often."""
    chance, game = random.Random(seed), Game(Position.start(HILL))
    while game.position.outcome is None:
        position = game.position
        assert Position.from_fen(position.fen(), HILL).fen() == position.fen()
        moves = sorted(position.legal_texts())
        ours = position.kings[position.turn]
        kings = [text for text in moves if position.tables.moves.by_text[text].source == ours]
        game.play(chance.choice(kings if kings and chance.random() < 0.3 else moves))
    return game


@pytest.mark.parametrize("seed", some(1, *range(2)))
def test_a_king_that_reaches_the_middle_wins(seed: int) -> None:
    game = eager(seed)
    position, outcome = game.position, game.position.outcome
    assert outcome is not None and outcome.termination is Termination.KING_IN_CENTER
    (winner,) = outcome.winners
    assert position.geometry.names[position.kings[winner]] in ("g7", "h7", "g8", "h8")
    places = list(outcome.standings)
    assert places.pop(winner) == 1 and min(places) == 2
    assert all(outcome.standings[seat] == 2 for seat in position.alive if seat != winner)
    assert position.legal_moves == () and Game.from_pgn4(str(game)).position == position
    again = Position.from_fen(position.fen(), HILL).outcome
    assert again is not None and again.winners == outcome.winners


def test_the_moves_are_those_of_four_players() -> None:
    assert len(men(Position.start(HILL))) == 64
    play_out(Position.start(HILL), 0, 60)


def test_bare_kings_go_on() -> None:
    rows = ["x,x,x,8,x,x,x"] * 3
    middle = [*["14"] * 3, "13,gK", "bK,13", *["14"] * 3]
    board = "/".join(["x,x,x,4,yK,3,x,x,x", *rows[1:], *middle, *rows[1:], "x,x,x,4,rK,3,x,x,x"])
    position = Position.from_fen(f"R-0,0,0,0-0,0,0,0-0,0,0,0-0,0,0,0-0-{board}", HILL)
    assert position.outcome is None
    assert Position.from_fen(position.fen(), "survivor").outcome is not None


def test_the_third_check_wins() -> None:
    chance, position = random.Random(1), Position.start(CHECKS)
    while position.outcome is None:
        before = position.checks or ()
        mover = position.turn
        position = position.play(chance.choice(sorted(position.legal_texts())))
        now = position.checks or ()
        assert all(now[seat] == before[seat] or seat == mover for seat in range(4)) and now[mover] >= before[mover]
        if position.checked() and mover in position.alive:
            force = position.forces[position.rules.teams[mover]]
            kings = [position.kings[seat] for seat in position.alive if seat != mover]
            given = sum(position.tables.threats[king].reached(force, position.total) for king in kings)
            assert now[mover] >= min(before[mover] + given, 3)
        again = Position.from_fen(position.fen(), CHECKS)
        assert (again.fen(), again.checks) == (position.fen(), now)
    outcome = position.outcome
    assert outcome.termination is Termination.THREE_CHECKS and len(outcome.winners) == 1
    assert now[outcome.winners[0]] == 3 and max(now) == 3


def test_bad_checks() -> None:
    fen = Position.start(CHECKS).fen().replace("-0-x", "-0-{'checks':(0,1)}-x", 1)
    with pytest.raises(InvalidNotation) as raised:
        Position.from_fen(fen, CHECKS)
    assert raised.value.code == "invalid_fen"
