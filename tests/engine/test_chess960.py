"""Chess960, compared with python-chess and published counts."""

from __future__ import annotations

import io
import random
from collections.abc import Callable

import chess
import chess.pgn
import pytest

from fourfold.engine.editor import BoardEditor
from fourfold.engine.errors import IllegalMove, InvalidNotation, InvalidSetup
from fourfold.engine.match.commands import Move
from fourfold.engine.match.display import sight
from fourfold.engine.match.events import Moved
from fourfold.engine.match.export import export, formats
from fourfold.engine.notation import pgn, resume, smith
from fourfold.engine.notation.game import Game, Step
from fourfold.engine.perft import perft
from fourfold.engine.questions import choices, taken
from fourfold.engine.twoplayer.chess960 import CHESS960
from fourfold.engine.variants import opening
from tests.conftest import some
from tests.match.conftest import Table, table  # noqa: F401 (a fixture)

POSITIONS = (
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9",
    "b1q1rrkb/pppppppp/3nn3/8/P7/1PPP4/4PPPP/BQNNRKRB w GE - 1 9",
    "qbbnnrkr/2pp2pp/p7/1p2pp2/8/P3PP2/1PPP1KPP/QBBNNR1R w hf - 0 9",
    "1nbbnrkr/p1p1ppp1/3p4/1p3P1p/3Pq2P/8/PPP1P1P1/QNBBNRKR w HFhf - 0 9",
    "qnbnr1kr/ppp1b1pp/4p3/3p1p2/8/2NPP3/PPP1BPPP/QNB1R1KR w HEhe - 1 9",
    "1rk2r1r/8/8/8/8/8/8/RR3K1R w BHbf - 0 1",  # inner rooks
    "4k3/8/8/8/8/8/8/rR1K3R w B - 0 1",  # the rook leaves the king exposed to the one behind it
    "r1kr4/8/8/8/8/8/8/1RK1R3 w EBda - 0 1",
    "5kr1/8/8/8/8/8/8/5KR1 w Gg - 0 1",
    "6kr/8/8/8/8/8/8/1q4KR w Hh - 0 1",
)

PUBLISHED = (
    (21, 528, 12189),
    (21, 807, 18002),
    (20, 479, 10471),
    (22, 593, 13440),
    (28, 1120, 31058),
    (29, 899, 26578),
)
"""The counts of the first arrays, from https://www.chessprogramming.org/Chess960_Perft_Results."""


def count(board: chess.Board, depth: int) -> int:
    """python-chess' own perft."""
    if board.is_variant_end():
        return 0
    if depth == 1:
        return board.legal_moves.count()
    total = 0
    for move in board.legal_moves:
        board.push(move)
        total += count(board, depth - 1)
        board.pop()
    return total


@pytest.mark.parametrize("fen", POSITIONS)
def test_perft(fen: str) -> None:
    board = chess.Board(fen, chess960=True)
    for depth in (1, 2, 3):
        assert perft(opening("chess960", position=fen), depth) == count(board, depth)


@pytest.mark.parametrize(("fen", "counts"), list(zip(POSITIONS, PUBLISHED, strict=False)))
def test_published_perft(fen: str, counts: tuple[int, int, int]) -> None:
    position = opening("chess960", position=fen)
    assert tuple(perft(position, depth) for depth in (1, 2, 3)) == counts


@pytest.mark.parametrize("number", some(4, *range(0, 960, 60)))
def test_a_game_from_an_array(number: int) -> None:
    board = chess.Board.from_chess960_pos(number)
    position = opening("chess960", setup=str(number))
    chance = random.Random(number)
    castled = 0
    for _ in range(120):
        assert position.fen() == board.fen()
        for fen in (board.fen(), board.shredder_fen()):
            assert opening("chess960", position=fen).fen() == position.fen()
        moves = {move.uci(): move for move in board.legal_moves}
        assert sorted(move.text for move in position.movable()) == sorted(moves)
        assert bool(position.checked()) == board.is_check()
        if position.outcome is not None:
            break
        castling = [text for text, move in moves.items() if board.is_castling(move)]
        text = chance.choice(castling or sorted(moves))
        castled += text in castling
        move = position.find(text)
        san = board.san(moves[text])
        assert position.san(move) == san and position.read_move(san) is move
        assert bool(taken(position, move)) == board.is_capture(moves[text])
        after = position.play(move)
        old, new = position.pieces(), after.pieces()
        changed = {square for square, _ in sight(position, after, move).changes}
        assert changed == {square for square in {*old, *new} if old.get(square) != new.get(square)}
        board.push(moves[text])
        position = after


def test_every_array_has_its_number() -> None:
    for number in range(960):
        assert CHESS960.starts[number][1] == chess.Board.from_chess960_pos(number).fen()


def test_the_seed_draws_the_array() -> None:
    assert opening("chess960", seed=518).fen() == opening("standard").fen()
    assert opening("chess960", seed=960 + 7).fen() == opening("chess960", setup="7").fen()
    with pytest.raises(InvalidNotation, match="no setup '960'"):
        opening("chess960", setup="960")


def test_castling_is_answered_as_anywhere() -> None:
    position = opening("chess960", position="4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")
    assert position.find("e1h1") is position.read_move("O-O") is position.find("E1-H1")
    assert {move.text for move in choices(position, "e1").quiet} >= {"e1h1", "e1a1"}
    assert choices(position, "e1").captures == ()
    with pytest.raises(IllegalMove) as raised:
        opening("chess960", position="4k3/8/8/8/8/8/8/R3K2R w K - 0 1").read_move("O-O-O")
    assert raised.value.code == "own_piece"
    for text in ("KX", "KH", "HK"):
        with pytest.raises(InvalidNotation):
            opening("chess960", position=f"4k3/8/8/8/8/8/8/R3K2R w {text} - 0 1")
    with pytest.raises(InvalidSetup, match="cannot have the right to castle long"):
        opening("chess960", position="4k3/8/8/8/8/8/8/R3K2R w B - 0 1")


def test_records() -> None:
    start = opening("chess960", setup="3")
    steps = []
    position = start
    for _ in range(30):
        text = random.Random(position.ply).choice(sorted(position.legal_texts()))
        steps.append(Step.of_move(position, position.find(text)))
        position = steps[-1].after
    game = Game(start)
    game.line.steps = steps
    text = pgn.write(game)
    assert '[Variant "Chess960"]' in text and f'[FEN "{start.fen()}"]' in text
    assert next(pgn.read(text)).position == position
    theirs = chess.pgn.read_game(io.StringIO(text))
    assert theirs is not None and not theirs.errors and theirs.end().board().fen() == position.fen()
    assert smith.read(smith.write(game)).position == position
    again = resume.read(text)
    assert (again.variant, again.position, len(again.moves)) == ("chess960", start.fen(), 30)


def test_a_match(table: Callable[..., Table]) -> None:  # noqa: F811
    one = table("chess960", seed=518)
    assert one.fen == opening("standard").fen()
    one.play("e2e4", "e7e5", "g1f3", "g8f6", "f1c4", "f8c5")
    moved = one.play("e1h1")[0]
    assert isinstance(moved, Moved) and moved.sight is not None and moved.sight.text == "O-O"
    assert moved.sight.changes == (("e1", ""), ("f1", "wR"), ("g1", "wK"), ("h1", ""))
    one.propose("white", "undo", 1)
    one.vote("black", True)
    assert one.fen.startswith("rnbqk2r/") and " w KQkq " in one.fen
    assert formats(one.state) == ("pgn", "smith", "fen")
    assert "1. e4 e5" in export("here", one.log, one.state, "pgn")
    assert one.refused("white", Move("e1a1", one.state.seq)) == "own_piece"


def test_the_editor_knows_the_rights() -> None:
    board = BoardEditor.empty(CHESS960).put("f1", "white", "king").put("b1", "white", "rook").put("e8", "black", "king")
    assert board.possible_castling() == [("white", False)]
    assert board.castling([("white", False)]).position().fen() == "4k3/8/8/8/8/8/8/1R3K2 w Q - 0 1"
