"""King of the hill and three-check, compared with python-chess."""

from __future__ import annotations

import random
from collections.abc import Callable

import chess.variant
import pytest

from fourfold.engine import Game, InvalidNotation, Position, Termination
from fourfold.engine.match.commands import Move
from fourfold.engine.perft import perft
from tests.engine.test_chess960 import count
from tests.match.conftest import Table, table  # noqa: F401 (a fixture)

BOARDS: dict[str, type[chess.Board]] = {
    "kingofthehill": chess.variant.KingOfTheHillBoard,
    "threecheck": chess.variant.ThreeCheckBoard,
}
HILL = "rnb2b1r/ppp2ppp/3k4/8/1PK2pn1/8/P1P3PP/RNB2BNR w - - 0 1"
CHECKED = "7r/1p4p1/pk3p2/RN6/8/P5Pp/3p1P1P/4R1K1 w - - 1+3 1 39"


@pytest.mark.parametrize(
    ("variant", "fen"),
    [("kingofthehill", None), ("kingofthehill", HILL), ("threecheck", None), ("threecheck", CHECKED)],
)
def test_perft(variant: str, fen: str | None) -> None:
    board = BOARDS[variant](fen) if fen else BOARDS[variant]()
    position = Position.start(variant, fen=fen)
    assert position.fen() == board.fen()
    for depth in (1, 2, 3):
        assert perft(position, depth) == count(board, depth)


@pytest.mark.parametrize("variant", BOARDS)
@pytest.mark.parametrize("seed", range(6))
def test_games(variant: str, seed: int) -> None:
    chance = random.Random(seed)
    board, position = BOARDS[variant](), Position.start(variant)
    for _ in range(200):
        assert position.fen() == board.fen()
        assert Position.from_fen(position.fen(), variant).fen() == position.fen()
        expected = board.outcome()
        if expected is not None:
            outcome = position.outcome
            assert outcome is not None and position.legal_moves == ()
            winner = {None: (), chess.WHITE: (0,), chess.BLACK: (1,)}[expected.winner]
            assert outcome.winners == winner, board.fen()
            return
        moves = {move.uci(): move for move in board.legal_moves}
        assert sorted(move.text for move in position.movable()) == sorted(moves)
        assert position.is_check() == board.is_check()
        if position.outcome is not None:
            assert position.outcome.termination is Termination.INSUFFICIENT_MATERIAL
            return
        # Kings advance and checks are frequent, so that games end by the special rules.
        eager = [text for text, move in moves.items() if board.gives_check(move) or "e" in text[2] + text[0]]
        text = chance.choice(eager or sorted(moves))
        assert position.san(text) == board.san(moves[text])
        board.push(moves[text])
        position = position.play(text)


def test_the_hill_is_won() -> None:
    position = Position.from_fen("4k3/8/8/8/8/4K3/8/8 w - - 0 1", "kingofthehill")
    assert position.outcome is None  # bare kings do not draw
    for text in ("e3d4", "Ke4"):
        won = position.play(text).outcome
        assert won is not None and (won.termination, won.winners) == (Termination.KING_IN_CENTER, (0,))
    over = Position.from_fen("8/8/8/4k3/8/8/8/4K3 w - - 0 1", "kingofthehill")
    assert over.outcome is not None and over.outcome.winners == (1,) and over.legal_moves == ()
    lost = position.eliminate(0, Termination.TIME).outcome
    assert lost is not None and lost.winners == (1,)


def test_the_third_check_wins() -> None:
    position = Position.from_fen("4k3/8/8/8/8/8/8/R3K2R w - - 1+3 5 9", "threecheck")
    assert position.checks == (2, 0)
    won = position.play("Ra8").outcome
    assert won is not None and (won.termination, won.winners) == (Termination.THREE_CHECKS, (0,))
    # Positions from before the check no longer count.
    game = Game(Position.start("threecheck"))
    for text in ("e4", "e5", "Qh5", "Nc6", "Qxf7", "Kxf7", "Nf3", "Nf6", "Ng5", "Ke7"):
        game.play(text)
    assert game.position.checks == (2, 0) and " 1+3 " in game.position.fen()
    assert game.undo(4).position.checks == (1, 0)
    bare = Position.from_fen("4k3/8/8/8/8/8/8/N3K3 w - - 3+3 0 1", "threecheck")
    assert bare.outcome is None
    drawn, won = (bare.eliminate(seat, Termination.TIME).outcome for seat in (0, 1))
    assert drawn is not None and drawn.winners == () and won is not None and won.winners == (0,)


@pytest.mark.parametrize("checks", ["3+3", "+0+0", ""])
def test_how_others_write_the_checks(checks: str) -> None:
    start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"
    fen = f"{start} 0 1 {checks}" if checks.startswith("+") else f"{start} {checks} 0 1"
    assert Position.from_fen(fen, "threecheck").fen() == f"{start} 3+3 0 1"


def test_impossible_checks() -> None:
    with pytest.raises(InvalidNotation, match="from 0 to 3 checks left"):
        Position.from_fen("4k3/8/8/8/8/8/8/N3K3 w - - 4+3 0 1", "threecheck")


@pytest.mark.parametrize(
    ("variant", "name", "reason", "moves"),
    [
        ("kingofthehill", "King of the Hill", "king_in_center", "e2e4 e7e5 e1e2 a7a6 e2d3 a6a5 d3c4 a5a4 c4d5"),
        ("threecheck", "Three-check", "three_checks", "e2e4 e7e5 d1h5 b8c6 h5f7 e8f7 f1c4 f7e8 c4f7"),
    ],
)
def test_a_match_and_its_record(
    table: Callable[..., Table],  # noqa: F811
    variant: str,
    name: str,
    reason: str,
    moves: str,
) -> None:
    one = table(variant)
    one.play(*moves.split())
    assert one.state.outcome is not None and one.state.outcome.termination == reason
    assert one.refused("black", Move("a4a3", one.state.seq)) == "game_over"
    game = Game(Position.start(variant))
    for text in moves.split():
        game.play(text)
    text = str(game)
    assert f'[Variant "{name}"]' in text and text.endswith("1-0")
    assert Game.from_pgn(text).position == game.position
    assert Game.from_pgn(text.replace(name, name.upper())).start.variant == variant
