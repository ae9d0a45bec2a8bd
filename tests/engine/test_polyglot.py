"""Polyglot books: keys and entries, compared with python-chess."""

from __future__ import annotations

import random
import struct
from pathlib import Path

import chess
import chess.polyglot
import pytest

from fourfold.engine import InvalidNotation, Position
from fourfold.engine.twoplayer import polyglot

PUBLISHED = {  # the format's own examples
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1": 0x463B96181691FC9C,
    "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1": 0x823C9B50FD114196,
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3": 0x22A48B5A8E47FF78,
    "rnbq1bnr/ppp1pkpp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR w - - 0 4": 0x00FDD303C946BDD9,
    "rnbqkbnr/p1pppppp/8/8/PpP4P/8/1P1PPPP1/RNBQKBNR b KQkq c3 0 3": 0x3C8123EA7B067637,
}


@pytest.mark.parametrize("fen", PUBLISHED)
def test_published_keys(fen: str) -> None:
    assert polyglot.key(Position.from_fen(fen)) == PUBLISHED[fen]


def games(count: int) -> list[tuple[Position, chess.Board]]:
    chance, found = random.Random(4), []
    for _ in range(count):
        board, position = chess.Board(), Position.start()
        for _ in range(60):
            if not list(board.legal_moves):
                break
            move = chance.choice(list(board.legal_moves))
            board.push(move)
            position = position.play(position.find(move.uci()))
            found.append((position, board.copy()))
    return found


def test_keys_in_random_games() -> None:
    for position, board in games(15):
        assert polyglot.key(position) == chess.polyglot.zobrist_hash(board), board.fen()


def packed(board: chess.Board, move: chess.Move) -> int:
    target = move.to_square
    if board.is_castling(move):
        target = chess.square(7 if chess.square_file(target) == 6 else 0, chess.square_rank(target))
    return target | move.from_square << 6 | ((move.promotion or 1) - 1) << 12


def test_entries(tmp_path: Path) -> None:
    """A book of every legal move of many positions, castling and promotions among them."""
    seen = games(10)
    for fen in ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "7k/P7/8/8/8/8/8/K7 w - - 0 1"):
        seen.append((Position.from_fen(fen), chess.Board(fen)))
    wanted = {polyglot.key(position): (position, board) for position, board in seen}
    rows = sorted(
        (key, packed(board, move), weight, 0)
        for key, (_, board) in wanted.items()
        for weight, move in enumerate(board.legal_moves, 1)
    )
    path = tmp_path / "book.bin"
    path.write_bytes(b"".join(struct.pack(">QHHI", *row) for row in rows))
    book = polyglot.Book(path.read_bytes())
    assert len(book) == len(rows)
    with chess.polyglot.open_reader(path) as reader:
        for position, board in wanted.values():
            found = [(entry.move.text, entry.weight) for entry in book.entries(position)]
            assert found == sorted(
                ((str(entry.move), entry.weight) for entry in reader.find_all(board)), key=lambda entry: -entry[1]
            )
    assert book.entries(Position.from_fen("4k3/8/8/8/8/8/8/4K3 w - - 0 1")) == []


def test_moves_of_other_positions_are_skipped() -> None:
    start = polyglot.key(Position.start())
    rows = [(start, 0o1434, 3, 1), (start, 0o0101, 2, 0), (start, 7 << 12 | 0o1434, 1, 0)]
    book = polyglot.Book(b"".join(struct.pack(">QHHI", *row) for row in rows))
    assert [(str(move), weight, learn) for move, weight, learn in book.entries(Position.start())] == [("e2e4", 3, 1)]


def test_what_is_no_book() -> None:
    with pytest.raises(InvalidNotation, match="16 bytes"):
        polyglot.Book(b"PK")
    with pytest.raises(ValueError, match="two players"):
        polyglot.key(Position.start("ffa"))
