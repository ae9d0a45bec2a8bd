"""SAN: python-chess agrees on every move of real games, and texts of people are understood."""

import io
from pathlib import Path

import chess
import chess.pgn
import pytest

from fourfold.engine.errors import IllegalMove, InvalidNotation
from fourfold.engine.twoplayer import san
from fourfold.engine.variants import opening

GAMES = Path(__file__).parent / "notation" / "data" / "sample.pgn"
MANY_QUEENS = "8/1k6/8/Q3Q3/8/8/8/Q6K w - - 0 1"


def boards() -> list[chess.Board]:
    """Every twentieth position of the sample's games, and some with many ambiguous moves."""
    found = [chess.Board(fen) for fen in (MANY_QUEENS, "8/P5kP/8/8/8/8/8/K7 w - - 0 1")]
    with io.StringIO(GAMES.read_text()) as file:
        while (game := chess.pgn.read_game(file)) is not None:
            board = game.board()
            for ply, move in enumerate(game.mainline_moves()):
                if ply % 20 == 0:
                    found.append(board.copy(stack=False))
                board.push(move)
            found.append(board)
    return found


def test_every_legal_move_is_written_and_read_as_python_chess_does() -> None:
    for board in boards():
        position = opening("standard", position=board.fen())
        written = {move.text: position.san(move) for move in position.legal_moves}
        assert written == {move.uci(): board.san(move) for move in board.legal_moves}
        for text, short in written.items():
            assert san.read(position, short).text == text


@pytest.mark.parametrize(
    ("fen", "text", "move"),
    [
        (None, "e4", "e2e4"),
        (None, "Pe4", "e2e4"),
        (None, "e2e4", "e2e4"),
        (None, "e2-e4", "e2e4"),
        (None, " Nf3!? ", "g1f3"),
        (None, "Ngf3", "g1f3"),
        (None, "N1f3", "g1f3"),
        (None, "Ng1f3", "g1f3"),
        (None, "Ng1-f3", "g1f3"),
        (None, "Nxf3+", "g1f3"),
        (None, "g1f3", "g1f3"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "O-O", "e1g1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "0-0-0+", "e1c1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "o-o", "e8g8"),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "Kc8", "e8c8"),
        ("6k1/P7/8/8/8/8/8/6K1 w - - 0 1", "a8=Q+", "a7a8q"),
        ("6k1/P7/8/8/8/8/8/6K1 w - - 0 1", "a8N", "a7a8n"),
        ("6k1/P7/8/8/8/8/8/6K1 w - - 0 1", "a8(R)", "a7a8r"),
        ("6k1/P7/8/8/8/8/8/6K1 w - - 0 1", "a8/b", "a7a8b"),
        ("6k1/8/8/3pP3/8/8/8/6K1 w - d6 0 1", "exd6", "e5d6"),
        ("6k1/8/8/3pP3/8/8/8/6K1 w - d6 0 1", "ed6", "e5d6"),
        ("6k1/8/8/3pP3/8/8/8/6K1 w - d6 0 1", "exd6 e.p.", "e5d6"),
        ("6k1/8/8/3pP3/8/8/8/6K1 w - d6 0 1", "e6", "e5e6"),
        # The pawn's file appears only in captures, so this is not one.
        ("6k1/8/8/3p4/3PP3/8/8/6K1 b - - 0 1", "dxe4", "d5e4"),
        # A pinned knight causes no ambiguity.
        ("4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "Ne2", "g1e2"),
        (MANY_QUEENS, "Qa1e1", "a1e1"),
    ],
)
def test_what_people_write_is_read_as_they_mean_it(fen: str | None, text: str, move: str) -> None:
    assert san.read(opening("standard", position=fen), text).text == move


PIN = "4k3/8/8/8/4r3/4N3/8/4K1N1 w - - 0 1"
KNIGHTS = "4k3/8/8/8/8/2N5/8/4K1N1 w - - 0 1"
PROMOTION = "8/P5k1/8/8/8/8/8/6K1 w - - 0 1"
MATE = "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1"


@pytest.mark.parametrize(
    ("fen", "text", "code"),
    [
        (None, "", "invalid_san"),
        (None, "--", "invalid_san"),
        (None, "Xe4", "invalid_san"),
        (None, "Ni9", "bad_destination"),
        (None, "Ne2e9", "no_piece"),
        (None, "e9", "bad_destination"),
        (None, "Bd3", "cannot_move_there"),
        (None, "e5", "cannot_move_there"),
        (None, "exd3", "cannot_move_there"),
        (None, "Nd2", "own_piece"),
        (None, "Nge2", "own_piece"),
        (None, "e4=Q", "cannot_move_there"),
        (None, "O-O", "own_piece"),
        (None, "e2e5", "cannot_move_there"),
        ("4k3/8/8/8/8/8/8/R3K2R w - - 0 1", "O-O", "cannot_move_there"),
        ("4k3/8/8/8/8/8/4K3/R6R w - - 0 1", "O-O", "cannot_move_there"),
        (PIN, "Nd5", "king_in_check"),
        (PIN, "Qd5", "no_piece"),
        (PIN, "Nag5", "no_piece"),
        (KNIGHTS, "Ne2", "ambiguous_move"),
        (MANY_QUEENS, "Qae1", "ambiguous_move"),
        (PROMOTION, "a8", "promotion_missing"),
        (PROMOTION, "a8=K", "unknown_promotion"),
        (MATE, "Kh8", "game_over"),
    ],
)
def test_what_is_wrong_is_told_apart(fen: str | None, text: str, code: str) -> None:
    with pytest.raises((InvalidNotation, IllegalMove)) as caught:
        san.read(opening("standard", position=fen), text)
    assert caught.value.code == code
    assert caught.value.message.endswith((".", "?"))
