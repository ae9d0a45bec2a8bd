"""Crazyhouse: hands, drops and promoted pieces."""

from __future__ import annotations

import pickle

import pytest

from fourfold.engine import Game, IllegalMove, InvalidNotation, Position
from fourfold.engine.board import Board
from fourfold.engine.notation import smith
from fourfold.engine.symmetry import swapped
from fourfold.engine.tables import tables_of


def start(fen: str) -> Position:
    return Position.from_fen(fen, "crazyhouse")


def test_a_captured_piece_changes_sides() -> None:
    position = Position.start("crazyhouse")
    for move in ("e4", "d5", "exd5", "Qxd5"):
        position = position.play(move)
    assert position.hands[0][0] == position.hands[1][0] == 1
    assert position.fen() == "rnb1kbnr/ppp1pppp/8/3q4/8/8/PPPP1PPP/RNBQKBNR[Pp] w KQkq - 0 3"
    dropped = position.play("P@e4")
    assert dropped.fen() == "rnb1kbnr/ppp1pppp/8/3q4/4P3/8/PPPP1PPP/RNBQKBNR[p] b KQkq - 1 3"
    assert {position.geometry.names[square] for square in dropped.changed} == {"e4"}
    assert position.san("P@e4") == "P@e4" and position.find("@e4") is position.find("p@E4") is position.find("P@e4")
    for one in (position, dropped):
        again = pickle.loads(pickle.dumps(one))
        assert again == one and again.identity == one.identity and again.hands == one.hands


def test_a_promoted_piece_is_a_pawn_again() -> None:
    position = start("3rk3/P7/8/8/8/8/8/4K3[] w - - 0 1").play("a8=R")
    assert position.fen().startswith("R~2rk3/")
    piece = position.piece_at("a8")
    assert piece is not None and piece.promoted and piece.kind.noun == "rook"
    taken = position.play("Rxa8")
    assert taken.fen().startswith("r3k3/8/8/8/8/8/8/4K3[p] w")
    moved = position.play("Ke7").play("Rb8")
    assert moved.fen().startswith("1R~1r4/")
    assert start(moved.fen()) == moved and start(moved.fen()).identity == moved.identity
    assert start(moved.fen().replace("~", "")) != moved


def test_hands_differ_and_equal_forces_are_equal() -> None:
    one, two = start("4k3/8/8/8/8/8/8/4K3[P] w - - 0 1"), start("4k3/8/8/8/8/8/8/4K3[PP] w - - 0 1")
    assert one != two and one.identity != two.identity
    force = 0
    for one_force in two.forces:
        force ^= one_force
    assert force == two.total
    assert start("4k3/8/8/8/8/8/8/4K3/Pp w - - 0 1") == start("4k3/8/8/8/8/8/8/4K3[pP] w - - 0 1")
    assert swapped(start("4k3/8/8/8/8/8/8/4K3[Qpp] w - - 0 1")).fen() == "4k3/8/8/8/8/8/8/4K3[PPq] b - - 0 1"


def test_a_drop_answers_a_check() -> None:
    position = start("k3r3/8/8/8/8/8/8/4K3[NP] w - - 0 1")
    drops = sorted(text for text in position.legal_texts() if "@" in text)
    assert drops == sorted([f"N@e{rank}" for rank in range(2, 8)] + [f"P@e{rank}" for rank in range(2, 8)])
    near = start("k7/8/8/8/8/8/3r4/4K3[N] w - - 0 1")
    assert not [text for text in near.legal_texts() if "@" in text and near.is_check()]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("N@e4", "no_piece"),
        ("P@e8", "cannot_move_there"),
        ("P@e1", "cannot_move_there"),
        ("K@e4", "bad_source"),
        ("P@z9", "bad_destination"),
        ("P@", "bad_destination"),
    ],
)
def test_bad_drops(text: str, code: str) -> None:
    position = start("4k3/8/8/8/8/8/8/4K3[P] w - - 0 1")
    with pytest.raises((IllegalMove, InvalidNotation)) as raised:
        position.read_move(text)
    assert raised.value.code == code


def test_a_drop_that_leaves_the_king_in_check() -> None:
    with pytest.raises(IllegalMove) as raised:
        start("k3r3/8/8/8/8/8/8/4K3[P] w - - 0 1").play("P@a4")
    assert raised.value.code == "king_in_check"


@pytest.mark.parametrize("fen", ["4k3/8/8/8/8/8/8/4K3[K] w - - 0 1", "4k3/8/8/8/8/8/8/4K3[x] w - - 0 1"])
def test_bad_hands(fen: str) -> None:
    with pytest.raises(InvalidNotation) as raised:
        start(fen)
    assert raised.value.code == "invalid_fen"


def test_only_variants_with_drops_have_them() -> None:
    standard = Position.start()
    assert standard.hands == () and not tables_of(standard.rules).drops
    assert isinstance(standard, Board)
    with pytest.raises(InvalidNotation):
        Position.from_fen("4k3/8/8/8/8/8/8/4K3[P] w - - 0 1")
    with pytest.raises(InvalidNotation):
        standard.read_move("P@e4")


def test_a_third_occurrence_across_a_capture_counts() -> None:
    game = Game(Position.start("crazyhouse"))
    for _ in range(2):
        for move in ("Nf3", "Nf6", "Ng1", "Ng8"):
            game.play(move)
    assert game.position.may_claim(0) is not None and game.position.repetitions() == 3


def test_records() -> None:
    game = Game(Position.start("crazyhouse"))
    for move in ("e4", "d5", "exd5", "Qxd5", "P@e4", "Qxe4+"):
        game.play(move)
    assert "3. P@e4 Qxe4+" in str(game)
    assert Game.from_pgn(str(game)).position == game.position
    assert smith.read(smith.write(game)).position == game.position
