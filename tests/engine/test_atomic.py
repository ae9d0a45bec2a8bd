"""Atomic chess: material, castling and explosions. `test_variants_of_lichess` compares whole games."""

from __future__ import annotations

import chess.variant
import pytest

from fourfold.engine import IllegalMove, InvalidSetup, Position, Termination
from fourfold.engine.questions import choices, gives_check
from fourfold.engine.twoplayer.atomic import ATOMIC


@pytest.mark.parametrize(
    "fen",
    [
        "8/8/8/2k5/8/8/4K3/R7 w - - 0 1",  # a rook alone
        "8/8/8/2k5/8/8/4K3/NN6 w - - 0 1",
        "8/8/8/2k5/8/8/4K3/NB6 w - - 0 1",
        "8/8/8/2kb4/8/8/4K3/1B6 w - - 0 1",  # bishops on the same colour
        "8/8/8/2kb4/8/8/4K3/2B5 w - - 0 1",  # and on different colours
        "8/8/8/2kn4/8/8/4K3/2B5 w - - 0 1",
        "8/8/8/2k5/8/8/4K3/1Q6 w - - 0 1",
        "8/8/8/2k5/8/8/4K3/8 w - - 0 1",
        "8/8/8/3k4/4K3/8/6p1/8 w - - 0 1",  # kings that touch
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
        "4r3/8/8/8/8/8/4k3/R3K2R w KQ - 0 1",
    ],
)
def test_material_and_castling(fen: str) -> None:
    board, position = chess.variant.AtomicBoard(fen), Position.from_fen(fen, ATOMIC)
    assert sorted(move.text for move in position.movable()) == sorted(move.uci() for move in board.legal_moves)
    assert (position.outcome is None) == (board.outcome() is None)
    for seat, colour in enumerate((chess.WHITE, chess.BLACK)):
        assert position.rules.referee.eliminate(position, 1 - seat, Termination.TIME).outcome is not None
        ours = position.eliminate(1 - seat, Termination.TIME) if position.outcome is None else None
        if ours is not None and ours.outcome is not None:
            assert bool(ours.outcome.winners) != board.has_insufficient_material(colour)


def test_an_explosion_may_open_several_lines() -> None:
    fen = "4r2k/8/8/q7/7b/8/8/4K3 w - - 0 1"
    assert Position.from_fen(fen, ATOMIC).is_check()
    with pytest.raises(InvalidSetup, match="No moves can lead to that"):
        Position.from_fen(fen)


def test_the_library_follows_the_rules() -> None:
    position = Position.start(ATOMIC).play("Nf3").play("a6").play("Ne5").play("b6")
    after = position.play("Nxd7")
    assert str(after).splitlines()[:2] == ["r n . . . b n r", ". . p . p p p p"]
    assert {position.geometry.names[square] for square in after.changed} == {"e5", "d7", "c8", "d8", "e8"}
    assert after.outcome is not None and position.san("e5d7") == "Nxd7#"
    assert after.identity == Position.from_fen(after.fen(), ATOMIC).identity
    kings = Position.from_fen("8/8/8/3k4/4K3/8/6p1/8 w - - 0 1", ATOMIC)
    assert not kings.is_check() and "d5e5" not in [move.text for move in kings.legal_moves]
    with pytest.raises(IllegalMove, match="The king on e4 cannot go to d5 by this variant's rules") as raised:
        kings.play("e4d5")
    assert raised.value.code == "cannot_move_there"
    assert not kings.is_legal(kings.rules.move("e4d5")) and kings.is_legal(kings.rules.move("e4e5"))
    assert [move.text for move in choices(kings, "d5").captures] == []
    assert "d5c4" in [move.text for move in choices(kings, "d5").quiet]
    check = Position.from_fen("4k3/8/8/8/8/8/8/Q3K3 w - - 0 1", ATOMIC)
    assert gives_check(check, "a1a8") and not gives_check(check, "a1a7")
