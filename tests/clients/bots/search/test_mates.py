"""Forced mates between two players: every one is found, none is false, and each is the shortest."""

from collections.abc import Iterator
from itertools import islice
from math import inf
from pathlib import Path

import chess
import chess.pgn
import pytest

from fourfold.clients.bots.analysis.best_lines import Found, analyse
from fourfold.clients.bots.levels.level5 import Level5
from fourfold.clients.bots.search.alpha_beta import MATE, TimeIsUp
from fourfold.clients.bots.search.mates import forced
from fourfold.engine.variants import opening
from tests.clients.bots.search.test_positions import Task, tasks

SAMPLE = Path(__file__).parents[3] / "engine/notation/data/sample.pgn"

MATES = {
    "by castling": ("8/8/1p1N4/2n5/p7/8/6Q1/k3K2R w K - 0 1", "e1g1"),
    "by castling long": ("8/8/6p1/6n1/8/6P1/2Q5/R3K2k w Q - 0 1", "e1c1"),
    "by a pawn taken in passing": ("1n2N3/8/1QpB3R/3b1NpP/5K2/8/6pk/8 w - g6 0 1", "h5g6"),
    "by a knight that a pawn becomes": ("8/3NPKP1/7k/pp3Q2/p7/2b5/8/5r2 w - - 0 1", "g7g8n"),
    "by a man behind the one that moves": ("7B/8/K7/1Q2R3/2Nk4/8/2rb4/8 w - - 0 1", "e5e3"),
    "by two men at once": ("1n5R/5p1B/4r3/8/8/1K5k/5Q2/2r5 w - - 0 1", "h7f5"),
}
"""The mating piece, the position, and the only mating move."""


def mates(board: chess.Board, within: int) -> bool:
    """Whether the side to move mates within `within` moves, by an exhaustive search."""
    for move in list(board.legal_moves):
        board.push(move)
        sure = board.is_checkmate() or (
            within > 1 and not board.is_game_over() and all(mated(board, reply, within) for reply in board.legal_moves)
        )
        board.pop()
        if sure:
            return True
    return False


def mated(board: chess.Board, reply: chess.Move, within: int) -> bool:
    board.push(reply)
    found = mates(board, within - 1)
    board.pop()
    return found


def shortest(fen: str, most: int) -> int:
    """The number of moves to mate; 0 if there is none within the limit."""
    return next((within for within in range(1, most + 1) if mates(chess.Board(fen), within)), 0)


def endings(games: int) -> Iterator[str]:
    """The last positions of games that ended in mate."""
    with SAMPLE.open(encoding="utf-8") as file:
        read = iter(lambda: chess.pgn.read_game(file), None)
        for game in islice((one for one in read if one.end().board().is_checkmate()), games):
            for node in list(game.mainline())[-6:-1]:
                yield node.board().fen()


def plies(fen: str, most: int) -> int:
    return len(forced(opening("standard", position=fen), most))


@pytest.mark.parametrize(("fen", "only"), MATES.values(), ids=list(MATES))
def test_whatever_mates_is_seen(fen: str, only: str) -> None:
    assert [move.text for move in forced(opening("standard", position=fen), 1)] == [only]


@pytest.mark.parametrize("fen", list(endings(6)))
def test_all_mates_and_no_others_at_the_end_of_games(fen: str) -> None:
    within = next((within for within in (1, 2) if mates(chess.Board(fen), within)), 0)
    line = forced(opening("standard", position=fen), 2)
    assert len(line) == max(0, 2 * within - 1)
    board = chess.Board(fen)
    for move in line:
        board.push_uci(move.text)
    assert board.is_checkmate() or not line


@pytest.mark.parametrize("task", tasks("mate", 2), ids=lambda task: task.source)
def test_a_mate_is_found_in_as_many_moves_as_it_takes(task: Task) -> None:
    line = forced(opening("standard", position=task.position), task.moves)
    assert len(line) == 2 * task.moves - 1 and line[0].text in task.best
    assert not forced(opening("standard", position=task.position), task.moves - 1)


def test_an_analysis_tells_a_mate_in_three_that_a_search_passes_over() -> None:
    position = opening("standard", position="r5k1/ppp2pp1/3p4/1rb5/8/1P1q4/PK1N3P/R4R2 b - - 2 25")
    found: list[Found] = list(islice(analyse(position, 3, inf, deepest=2), 2))
    assert [(one.depth, one.lines[0].mate, one.lines[0].moves[0]) for one in found][1] == (2, 5, "d3d2")
    assert len(found[1].lines) == 3 and found[1].lines[0].texts[-1].endswith("#")
    assert len({line.moves[0] for line in found[1].lines}) == 3


def test_what_is_counted_may_end_it() -> None:
    def up() -> None:
        raise TimeIsUp

    with pytest.raises(TimeIsUp):
        forced(opening("standard"), 3, up)


@pytest.mark.parametrize("task", tasks("mate", 2), ids=lambda task: task.source)
def test_level_5_plays_them(task: Task) -> None:
    now = 0.0

    def clock() -> float:
        nonlocal now
        now += 0.0001
        return now

    player = Level5(1, clock)
    assert player.choose(opening("standard", position=task.position), 10) in task.best
    assert player.search is not None and player.search.score == MATE - (2 * task.moves - 1)
