"""Library calls beside python-chess: the same work on the same random games, in processor time.

Each `Call` prepares its inputs outside the measured time, so that no list of moves or other answer is known before.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import NamedTuple

import chess
import chess.pgn

from fourfold.engine.notation import pgn
from fourfold.engine.notation.game import Game
from fourfold.engine.position import Position

Work = Callable[[], int]
"""Work to measure. It returns how many things it has done."""


class Call(NamedTuple):
    """A row: a thing to do, by both libraries."""

    name: str
    ours: Callable[[list[list[str]]], Work]
    """Prepares our work on some games."""
    theirs: Callable[[list[list[str]]], Work]
    """Prepares the work of python-chess."""


def _positions(games: list[list[str]]) -> list[Position]:
    """New positions before each move of the games."""
    found = []
    for game in games:
        position = Position.start()
        for text in game:
            found.append(position)
            position = position.play(position.rules.move(text))
    return found


def _boards(games: list[list[str]]) -> list[chess.Board]:
    found = []
    for game in games:
        board = chess.Board()
        for text in game:
            found.append(board.copy(stack=False))
            board.push(chess.Move.from_uci(text))
    return found


def _texts(games: list[list[str]]) -> list[str]:
    return [text for game in games for text in game]


# ---- Known moves ------------------------------------------------------------------------------------


def _play(games: list[list[str]]) -> Work:
    lines = [[Position.start().rules.move(text) for text in game] for game in games]

    def work() -> int:
        for line in lines:
            position = Position.start()
            for move in line:
                position = position.play(move)
        return sum(map(len, lines))

    return work


def _push(games: list[list[str]]) -> Work:
    lines = [[chess.Move.from_uci(text) for text in game] for game in games]

    def work() -> int:
        for line in lines:
            board = chess.Board()
            for move in line:
                board.push(move)
        return sum(map(len, lines))

    return work


# ---- SAN --------------------------------------------------------------------------------------------


def _sans(games: list[list[str]]) -> list[str]:
    return [board.san(chess.Move.from_uci(text)) for board, text in zip(_boards(games), _texts(games), strict=True)]


def _read_san(games: list[list[str]]) -> Work:
    pairs = list(zip(_positions(games), _sans(games), strict=True))

    def work() -> int:
        for position, text in pairs:
            position.read_move(text)
        return len(pairs)

    return work


def _parse_san(games: list[list[str]]) -> Work:
    pairs = list(zip(_boards(games), _sans(games), strict=True))

    def work() -> int:
        for board, text in pairs:
            board.parse_san(text)
        return len(pairs)

    return work


def _write_san(games: list[list[str]]) -> Work:
    both = zip(_positions(games), _texts(games), strict=True)
    pairs = [(position, position.rules.move(text)) for position, text in both]

    def work() -> int:
        for position, move in pairs:
            position.san(move)
        return len(pairs)

    return work


def _san(games: list[list[str]]) -> Work:
    pairs = [(board, chess.Move.from_uci(text)) for board, text in zip(_boards(games), _texts(games), strict=True)]

    def work() -> int:
        for board, move in pairs:
            board.san(move)
        return len(pairs)

    return work


# ---- FEN --------------------------------------------------------------------------------------------


def _read_fen(games: list[list[str]]) -> Work:
    fens = [board.fen() for board in _boards(games)]

    def work() -> int:
        for fen in fens:
            Position.from_fen(fen)
        return len(fens)

    return work


def _board_of_fen(games: list[list[str]]) -> Work:
    fens = [board.fen() for board in _boards(games)]

    def work() -> int:
        for fen in fens:
            chess.Board(fen)
        return len(fens)

    return work


def _write_fen(games: list[list[str]]) -> Work:
    positions = _positions(games)

    def work() -> int:
        for position in positions:
            position.fen()
        return len(positions)

    return work


def _fen(games: list[list[str]]) -> Work:
    boards = _boards(games)

    def work() -> int:
        for board in boards:
            board.fen()
        return len(boards)

    return work


# ---- Attackers --------------------------------------------------------------------------------------


def _attackers(games: list[list[str]]) -> Work:
    positions = _positions(games)[::8]
    names = positions[0].geometry.names

    def work() -> int:
        for position in positions:
            for name in names:
                position.attackers(name, 0)
        return len(positions) * len(names)

    return work


def _their_attackers(games: list[list[str]]) -> Work:
    boards = _boards(games)[::8]

    def work() -> int:
        for board in boards:
            for square in chess.SQUARES:
                board.attackers(chess.WHITE, square)
        return len(boards) * 64

    return work


# ---- PGN --------------------------------------------------------------------------------------------


def _file(games: list[list[str]]) -> str:
    texts = []
    for game in games:
        record = Game(Position.start())
        for text in game:
            record.play(record.start.rules.move(text))
        texts.append(pgn.write(record))
    return "\n".join(texts)


def _read_pgn(games: list[list[str]]) -> Work:
    text = _file(games)
    return lambda: sum(game.plies for game in pgn.read(text))


def _read_games(games: list[list[str]]) -> Work:
    text = _file(games)

    def work() -> int:
        file, plies = io.StringIO(text), 0
        while (game := chess.pgn.read_game(file)) is not None:
            plies += sum(1 for _ in game.mainline())
        return plies

    return work


CALLS = (
    Call("play known moves, nothing listed", _play, _push),
    Call("read SAN", _read_san, _parse_san),
    Call("write SAN", _write_san, _san),
    Call("read FEN", _read_fen, _board_of_fen),
    Call("write FEN", _write_fen, _fen),
    Call("attackers of a square", _attackers, _their_attackers),
    Call("read PGN, a move", _read_pgn, _read_games),
)
"""The rows. The unit is a move, a text, or a square."""
