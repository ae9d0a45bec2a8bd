"""Chess for two, compared with python-chess: moves, FEN, checks and every ending.

There is one known difference. Our rules also draw if each side has its king and one knight or bishop, in any pairing.
python-chess asks whether a helpful opponent could be mated, and so draws only with two bishops on squares of one
colour. The comparison continues past such a draw.
"""

from __future__ import annotations

import random

import chess
import pytest

from fourfold.engine.outcome import Termination
from fourfold.engine.variants import opening
from tests.conftest import some


def drawn_by_our_rules_alone(board: chess.Board) -> bool:
    """Whether each side has its king and at most a knight or a bishop: python-chess continues most of these games."""
    return not board.is_insufficient_material() and all(
        not board.pieces_mask(kind, colour)
        for kind in (chess.PAWN, chess.ROOK, chess.QUEEN)
        for colour in chess.COLORS
    ) and all(chess.popcount(board.occupied_co[colour]) <= 2 for colour in chess.COLORS)


def agree(board: chess.Board, seed: int, plies: int) -> None:
    chance = random.Random(seed)
    position = opening("standard", position=board.fen())
    for _ in range(plies):
        fen = board.fen()
        texts = sorted(move.uci() for move in board.legal_moves)
        assert sorted(move.text for move in position.movable()) == texts, fen
        assert position.fen() == fen
        assert opening("standard", position=fen).fen() == fen
        assert bool(position.checked()) == board.is_check(), fen
        claimable = board.is_repetition(3) or board.halfmove_clock >= 100
        outcome, expected = position.outcome, board.outcome()
        if texts and drawn_by_our_rules_alone(board):
            assert outcome is not None and outcome.termination is Termination.INSUFFICIENT_MATERIAL, fen
            assert outcome.winners == () and position.legal_texts() == []
            if expected is not None:
                return  # seventy-five moves, or five positions
            position = position.past_draw()
            outcome = position.outcome
        if expected is not None:
            assert outcome is not None, fen
            assert outcome.termination.name == expected.termination.name, fen
            winner = {None: (), chess.WHITE: (0,), chess.BLACK: (1,)}[expected.winner]
            assert outcome.winners == winner
            assert position.legal_texts() == []
            return
        assert outcome is None, fen
        assert (position.may_claim(position.turn) is not None) == claimable, fen
        assert sorted(position.legal_texts()) == texts
        text = chance.choice(texts)
        board.push_uci(text)
        position = position.play(position.find(text))


@pytest.mark.parametrize("seed", some(8, *range(25)))
def test_random_games(seed: int) -> None:
    agree(chess.Board(), seed, 400)


@pytest.mark.parametrize(
    "fen",
    [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "4k3/8/8/8/8/8/4P3/4K3 w - - 140 200",
        "8/8/8/2k5/8/3B4/2K5/5b2 w - - 0 1",
        "8/8/2k5/8/8/3N4/2K5/8 w - - 0 1",
        "8/8/2k5/8/8/3NN3/2K5/8 w - - 140 90",
        "8/8/2k5/8/8/3N4/2K5/4n3 w - - 80 90",
        "8/8/2k5/8/8/3N4/2K3p1/4b3 w - - 80 90",
        "8/5k2/8/8/3q4/8/8/K7 w - - 90 60",
        "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3",
    ],
)
@pytest.mark.parametrize("seed", some(1, *range(4)))
def test_random_play_from(fen: str, seed: int) -> None:
    agree(chess.Board(fen), seed, 200)


@pytest.mark.parametrize(
    ("fen", "dead"),
    [
        ("8/8/8/2k5/8/8/2K5/8 w - - 0 1", True),
        ("8/8/2k5/8/8/3N4/2K5/8 w - - 0 1", True),
        ("8/8/8/2k5/8/3B4/2K5/8 w - - 0 1", True),
        ("8/8/8/2k5/8/3B4/2K5/5b2 w - - 0 1", True),
        ("8/8/8/2k5/8/3B4/2K5/4b3 w - - 0 1", False),
        ("8/8/2k5/8/8/3N4/2K5/4n3 w - - 0 1", False),
        ("8/8/2k5/8/8/3N4/2K5/4b3 w - - 0 1", False),
        ("8/8/2k5/8/8/3NN3/2K5/8 w - - 0 1", False),
        ("8/8/8/2k5/4B3/3B4/2K5/8 w - - 0 1", True),
        ("8/8/2k5/8/8/B2B4/2K5/8 w - - 0 1", False),
        ("8/8/8/2k5/8/3P4/2K5/8 w - - 0 1", False),
    ],
)
def test_insufficient_material(fen: str, dead: bool) -> None:
    board = chess.Board(fen)
    assert board.is_insufficient_material() == dead
    insufficient = dead or drawn_by_our_rules_alone(board)
    outcome = opening("standard", position=fen).outcome
    assert (outcome is not None and outcome.termination is Termination.INSUFFICIENT_MATERIAL) == insufficient
    for seat, colour in enumerate((chess.WHITE, chess.BLACK)):
        if outcome is None:
            flagged = opening("standard", position=fen).eliminate(1 - seat, Termination.TIME).outcome
            assert flagged is not None
            assert flagged.winners == (() if board.has_insufficient_material(colour) else (seat,))
