"""Atomic chess: published perft counts, and random games compared with python-chess."""

from __future__ import annotations

import random

import chess.variant
import pytest

from fourfold.engine import IllegalMove, Position, Termination
from fourfold.engine.perft import perft
from fourfold.engine.questions import choices, gives_check
from fourfold.engine.twoplayer.atomic import ATOMIC


def test_the_published_count_of_three_plies() -> None:
    assert perft(Position.start(ATOMIC), 3) == 8902


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fen", "count"),
    [  # from the suites of Fairy-Stockfish and Multi-Variant Stockfish
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 197326),
        ("rn2kb1r/1pp1p2p/p2q1pp1/3P4/2P3b1/4PN2/PP3PPP/R2QKB1R b KQkq - 0 1", 1434825),
        ("rn1qkb1r/p5pp/2p5/3p4/N3P3/5P2/PPP4P/R1BQK3 w Qkq - 0 1", 714499),
    ],
)
def test_published_counts_of_four_plies(fen: str, count: int) -> None:
    assert perft(Position.from_fen(fen, ATOMIC), 4) == count


def agree(seed: int) -> int:
    """Play a random game in both libraries, and return its length."""
    chance, board = random.Random(seed), chess.variant.AtomicBoard()
    position = Position.start(ATOMIC)
    for ply in range(250):
        fen = board.fen()
        texts = sorted(move.uci() for move in board.legal_moves)
        assert sorted(move.text for move in position.movable()) == texts, fen
        assert position.fen() == fen and Position.from_fen(fen, ATOMIC) == position
        assert bool(position.checked()) == board.is_check(), fen
        outcome, expected = position.outcome, board.outcome()
        assert (outcome is None) == (expected is None), fen
        if outcome is not None and expected is not None:
            names = {"VARIANT_WIN": "KING_CAPTURED", "VARIANT_LOSS": "KING_CAPTURED"}
            name = expected.termination.name
            assert outcome.termination.name == names.get(name, name), fen
            assert outcome.winners == {None: (), chess.WHITE: (0,), chess.BLACK: (1,)}[expected.winner]
            return ply
        text = chance.choice(texts)
        move, theirs = position.find(text), chess.Move.from_uci(text)
        assert position.san(move).rstrip("+#") == board.san(theirs).rstrip("+#"), (fen, text)
        position = position.play(move)
        board.push(theirs)
    return 250


@pytest.mark.parametrize("first", [0, 10])
def test_random_games(first: int) -> None:
    assert sum(agree(seed) for seed in range(first, first + 10)) > 100


@pytest.mark.slow
def test_three_hundred_random_games() -> None:
    assert sum(agree(seed) for seed in range(1000, 1300)) > 3000


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
