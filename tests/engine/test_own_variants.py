"""A new variant is one file: another array, and another board, compared with the reference."""

from __future__ import annotations

import random

import pytest

from fourfold.engine import VARIANTS, BoardEditor, Game, Position, Variant
from fourfold.engine.perft import perft
from tests.conftest import some
from tests.engine.large_board import LARGE
from tests.engine.own_array import CAVALRY
from tests.engine.test_reference import play_out

OWN = {rules.name: rules for rules in (CAVALRY, LARGE)}


@pytest.fixture(autouse=True)
def listed(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, rules in OWN.items():
        monkeypatch.setitem(VARIANTS, name, rules)


@pytest.mark.parametrize(("name", "counts"), [("cavalry", [20, 395, 7800]), ("large", [20, 396, 7840])])
def test_perft(name: str, counts: list[int]) -> None:
    position = Position.start(name)
    assert [perft(position, depth) for depth in (1, 2, 3)] == counts
    assert Position.from_fen(position.fen(), name) == position


@pytest.mark.parametrize("rules", some(1, *OWN.values()), ids=OWN)
@pytest.mark.parametrize("seed", some(1, 0, 1))
def test_a_game_as_the_reference_plays_it(rules: Variant, seed: int) -> None:
    play_out(Position.start(rules), seed, 100)


@pytest.mark.parametrize("rules", OWN.values(), ids=OWN)
def test_its_records_editor_and_picture(rules: Variant) -> None:
    chance, game = random.Random(1), Game(Position.start(rules))
    while game.position.outcome is None and game.plies < 60:
        game.play(game.position.walk or chance.choice(sorted(game.position.legal_texts())))
        assert Position.from_fen(game.position.fen(), rules).fen() == game.position.fen()
    assert Game.from_pgn4(str(game)).position == game.position
    board = BoardEditor.of(Position.start(rules))
    assert board.faults() == () and len(board.possible_castling()) == 8
    assert board.position().fen() == Position.start(rules).fen()
    assert len(str(game.position).splitlines()) == rules.geometry.ranks and game.position.svg()


def test_the_large_board_castles() -> None:
    empty, rows = "x,x,x,x,8,x,x,x,x", "16/16/16/15,gK/bK,15/16/16/16"
    far, near = "x,x,x,x,3,yK,4,x,x,x,x", "x,x,x,x,rR,3,rK,2,rR,x,x,x,x"
    board = "/".join((far, empty, empty, empty, rows, empty, empty, empty, near))
    position = Position.from_fen(f"R-0,0,0,0-1,0,0,0-1,0,0,0-0,0,0,0-0-{board}", "large")
    assert {"i1k1", "i1g1"} <= set(position.legal_texts()) and position.san("O-O") == "O-O"
    castled = position.play("O-O-O").pieces()
    assert {square for square, piece in castled.items() if piece.seat == 0} == {"g1", "h1", "l1"}
