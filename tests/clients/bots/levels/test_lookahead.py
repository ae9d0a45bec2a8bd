"""The opponents' checks after a move, compared with python-chess and the engine itself."""

import random

import chess
import pytest

from fourfold.clients.bots.levels.lookahead import Lookahead
from fourfold.engine.movegen import in_check
from fourfold.engine.position import Position
from fourfold.engine.variants import opening
from tests.each import each

PLACES = [
    # a discovered or other kind of check; the position, and a move that allows it
    ("a knight on another ray", "8/8/2P5/6q1/6n1/6K1/3k4/8 w - - 0 1", "g3g2"),
    ("a pawn on another ray", "8/7n/P3p3/1k4p1/3P1R1n/1p5p/8/1K6 b - - 0 62", "b5c4"),
    ("castling", "4k3/8/8/8/8/5P2/P7/R3K2R b KQ - 0 1", "e8d7"),
    ("castling, with the king out of the rook's way", "8/8/8/8/8/8/6P1/1k2K2R b K - 0 1", "b1a1"),
    ("taking in passing", "8/1p6/8/k1P4R/8/8/8/K7 b - - 0 1", "b7b5"),
    ("promotion", "8/4P3/7k/8/8/8/8/K7 b - - 0 1", "h6h5"),
    ("promotion away from a line", "3r4/4P2k/8/4R3/8/8/8/K7 b - - 0 1", "h7g8"),
]


@each(("what", "fen", "move"), PLACES)
def test_checks_after_a_move(what: str, fen: str, move: str) -> None:
    position, board = opening("standard", position=fen), chess.Board(fen)
    board.push_uci(move)
    expected = sum(map(board.gives_check, board.legal_moves))
    assert Lookahead(position).possible_checks(position.find(move)) == expected > 0


@pytest.mark.slow
def test_checks_after_10_000_random_moves() -> None:
    chance, number, wrong = random.Random(4), 0, []
    while number < 10_000:
        board = chess.Board() if chance.random() < 0.5 else chess.Board.from_chess960_pos(chance.randrange(960))
        position = opening("chess960" if board.chess960 else "standard", position=board.fen())
        while position.outcome is None and position.ply < 150:
            played = chance.choice(list(board.legal_moves))
            move = position.find(played.uci())
            counted = Lookahead(position).possible_checks(move)
            board.push(played)
            position = position.play(move)
            number += 1
            if position.outcome is None and counted != sum(map(board.gives_check, board.legal_moves)):
                wrong.append((position.fen(), counted))
    assert not wrong


def checked_after(position: Position, victim: int, seat: int) -> int | None:
    """The number of a seat's moves that check a victim; None if one of them eliminates a player."""
    view = position if seat == position.turn else position.replace(turn=seat)
    ends = [view.play(move) for move in view.legal_moves]
    if any(end.eliminated or end.outcome is not None for end in ends):
        return None
    return sum(in_check(end, victim) for end in ends)


@each("variant", ["survivor", "ffa", "teams"])
def test_checks_after_a_move_among_four(variant: str) -> None:
    chance, position, compared = random.Random(variant), opening(variant), 0
    while compared < 30:
        if position.outcome is not None or position.ply > 160:
            position = opening(variant)
        ahead, victim, move = Lookahead(position), position.turn, position.walk or chance.choice(position.legal_moves)
        position = position.play(move)
        if position.ply > 30 and chance.random() < 0.3 and victim in position.alive:
            counts = [checked_after(position, victim, seat) for seat in ahead.opponents(position)]
            if None not in counts and sum(filter(None, counts)):
                compared += 1
                assert ahead.possible_checks(move) == sum(filter(None, counts)), position.fen()
