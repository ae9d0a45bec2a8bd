"""Antichess, atomic, crazyhouse, horde and racing kings: published perft counts, and random games as python-chess plays
them."""

from __future__ import annotations

import random

import chess.variant
import pytest

from fourfold.engine import VARIANTS, Game, Position, Termination
from fourfold.engine.perft import perft
from tests.conftest import some

BOARDS: dict[str, type[chess.Board]] = {
    "antichess": chess.variant.AntichessBoard,
    "atomic": chess.variant.AtomicBoard,
    "crazyhouse": chess.variant.CrazyhouseBoard,
    "horde": chess.variant.HordeBoard,
    "racingkings": chess.variant.RacingKingsBoard,
}
PUBLISHED = [  # from the suites of Fairy-Stockfish, Multi-Variant Stockfish and python-chess
    ("antichess", None, [20, 400, 8067, 153299]),
    ("antichess", "8/1p6/8/8/8/8/P7/8 w - - 0 1", [2, 4, 4, 3, 1, 0]),
    ("atomic", None, [20, 400, 8902, 197326]),
    ("atomic", "rn2kb1r/1pp1p2p/p2q1pp1/3P4/2P3b1/4PN2/PP3PPP/R2QKB1R b KQkq - 0 1", [40, 1238, 45237, 1434825]),
    ("atomic", "rn1qkb1r/p5pp/2p5/3p4/N3P3/5P2/PPP4P/R1BQK3 w Qkq - 0 1", [28, 833, 23353, 714499]),
    ("crazyhouse", None, [20, 400, 8902, 197281]),
    ("crazyhouse", "2k5/8/8/8/8/8/8/4K3[QRBNPqrbnp] w - - 0 1", [301, 75353]),
    ("crazyhouse", "2k5/8/8/8/8/8/8/4K3[Qn] w - - 0 1", [67, 3083, 88634]),
    ("crazyhouse", "4k3/1Q~6/8/8/4b3/8/Kpp5/8/ b - - 0 1", [20, 360, 5445, 132758]),
    ("horde", None, [8, 128, 1274, 23310]),
    ("racingkings", None, [21, 421, 11264, 296242]),
]
_QUICK = 10_000
"""The largest count of a quick test."""


@pytest.mark.parametrize(("variant", "fen", "counts"), PUBLISHED)
def test_published_counts(variant: str, fen: str | None, counts: list[int]) -> None:
    position = Position.start(variant, fen=fen)
    quick = [count for count in counts if count <= _QUICK]
    assert [perft(position, depth) for depth in range(1, len(quick) + 1)] == quick


@pytest.mark.slow
@pytest.mark.parametrize(("variant", "fen", "counts"), PUBLISHED)
def test_published_counts_of_many(variant: str, fen: str | None, counts: list[int]) -> None:
    position = Position.start(variant, fen=fen)
    assert [perft(position, depth) for depth in range(1, len(counts) + 1)] == counts


def agree(variant: str, seed: int) -> int:
    """Play a random game in both libraries, and return its length."""
    chance, board, position = random.Random(seed), BOARDS[variant](), Position.start(variant)
    game = Game(position)
    while game.plies < 300:
        fen = board.fen()
        texts = sorted(move.uci() for move in board.legal_moves)
        assert sorted(move.text for move in position.movable()) == texts, fen
        assert position.fen() == fen and Position.from_fen(fen, variant) == position
        assert Position.from_fen(fen, variant).identity == position.identity, fen
        assert bool(position.checked()) == (variant != "antichess" and board.is_check()), fen
        outcome, expected = position.outcome, board.outcome()
        assert (outcome is None) == (expected is None), fen
        if outcome is not None and expected is not None:
            assert outcome.winners == {None: (), chess.WHITE: (0,), chess.BLACK: (1,)}[expected.winner], fen
            break
        text = chance.choice(texts)
        san, theirs = position.san(text), board.san(chess.Move.from_uci(text))
        # python-chess omits the P of dropped pawns.
        assert san == ("P" + theirs if theirs.startswith("@") else theirs), (fen, text)
        assert position.find(text) is position.read_move(san) is position.read_move(theirs)
        position = position.play(text)
        board.push_uci(text)
        game.play(text)
    read = Game.from_pgn(str(game))
    assert read.failure is None and read.position == game.position and read.start.variant == variant
    return game.plies


@pytest.mark.parametrize("variant", BOARDS)
@pytest.mark.parametrize("seed", some(1, *range(3)))
def test_a_random_game(variant: str, seed: int) -> None:
    assert agree(variant, seed)


@pytest.mark.slow
@pytest.mark.parametrize("variant", BOARDS)
@pytest.mark.parametrize("games", [40, pytest.param(300, marks=[pytest.mark.campaign, pytest.mark.timeout(1200)])])
def test_many_random_games(variant: str, games: int) -> None:
    assert sum(agree(variant, seed) for seed in range(1000, 1000 + games)) > 10 * games


@pytest.mark.parametrize(
    ("variant", "fen"),
    [
        ("antichess", "8/8/8/2b5/8/8/8/2B5 w - - 0 1"),  # bishops that never meet
        ("antichess", "8/8/8/3b4/8/8/8/2B5 w - - 0 1"),
        ("antichess", "8/8/8/3bb3/8/8/8/2B5 w - - 0 1"),
        ("horde", "8/8/8/8/8/8/1k6/7P w - - 0 1"),
        ("horde", "8/8/8/8/8/8/1k6/6QR w - - 0 1"),
        ("horde", "8/8/8/8/8/8/1k6/5NNN w - - 0 1"),
        ("horde", "8/8/8/8/8/8/1k6/6NN w - - 0 1"),
        ("racingkings", "8/8/8/8/8/8/k6K/8 w - - 0 1"),
        ("crazyhouse", "8/8/8/2k5/8/8/4K3/8[P] w - - 0 1"),
    ],
)
def test_who_can_win_on_time(variant: str, fen: str) -> None:
    board, position = BOARDS[variant](fen), Position.from_fen(fen, variant)
    assert (position.outcome is None) == (board.outcome() is None)
    for seat, colour in enumerate((chess.WHITE, chess.BLACK)):
        if position.outcome is None:
            ended = position.eliminate(1 - seat, Termination.TIME).outcome
            assert ended is not None and bool(ended.winners) != board.has_insufficient_material(colour)


@pytest.mark.parametrize(
    ("variant", "fen", "move", "termination", "winners"),
    [
        ("antichess", "8/8/8/8/8/1p6/P7/8 w - - 0 1", "axb3", Termination.NO_PIECES, (1,)),
        ("antichess", "8/8/8/p7/8/P7/8/8 w - - 0 1", "a4", Termination.STALEMATE, (1,)),
        ("atomic", "4k3/4p3/8/8/8/8/8/4Q1K1 w - - 0 1", "Qxe7", Termination.KING_CAPTURED, (0,)),
        ("horde", "k7/8/8/8/8/8/8/r6P b - - 0 1", "Rxh1", Termination.NO_PIECES, (1,)),
        ("racingkings", "8/6K1/8/8/8/8/k7/8 w - - 0 1", "Kg8", Termination.KING_ON_LAST_RANK, (0,)),
        ("racingkings", "6K1/k7/8/8/8/8/8/8 b - - 0 1", "Ka8", Termination.KING_ON_LAST_RANK, ()),
        ("crazyhouse", "6k1/5ppp/8/8/8/8/8/4K3[R] w - - 0 1", "R@e8", Termination.CHECKMATE, (0,)),
    ],
)
def test_ends(variant: str, fen: str, move: str, termination: Termination, winners: tuple[int, ...]) -> None:
    outcome = Position.from_fen(fen, variant).play(move).outcome
    assert outcome is not None and (outcome.termination, outcome.winners) == (termination, winners)


def test_white_first_on_the_last_rank_waits_for_black() -> None:
    race = Position.from_fen("8/k5K1/8/8/8/8/8/8 w - - 0 1", "racingkings").play("Kg8")
    assert race.outcome is None
    lost = race.play("Ka6").outcome
    assert lost is not None and lost.winners == (0,)


def test_names_in_records() -> None:
    names = {name: VARIANTS[name].record_name for name in BOARDS}
    assert names == {
        "antichess": "Antichess",
        "atomic": "Atomic",
        "crazyhouse": "Crazyhouse",
        "horde": "Horde",
        "racingkings": "Racing Kings",
    }
