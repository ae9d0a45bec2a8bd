"""Two-player positions with Stockfish's evaluations, for `tests.bench.fitting`.

python -m tests.bench.judged FILE [--seconds 900] [--depth 8] [--seed 0] [--engine stockfish]

Games begin with lines of the opening book, and Stockfish plays them with faults: some moves come from a search of one
ply, some are random legal moves. Quiet positions are kept: no check, and the best move neither captures nor promotes.
Each line of the file, which is extended if it exists, is a FEN, a tab, and White's advantage in hundredths of a pawn.
"""

import argparse
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from time import monotonic
from typing import Final

import chess

from fourfold.clients.bots.openings import book
from fourfold.engine.variants import opening

MOST: Final = 1500
"""A game ends once the advantage is this large, because decided games are of no use."""

LONGEST: Final = 200
ANY, TAKING, HASTY = 0.05, 0.08, 0.30
"""The shares of random legal moves, of random captures (if any), and of moves by a one-ply search. Each number
includes those before it."""


class Judge:
    """A UCI engine that evaluates positions, in a separate process."""

    def __init__(self, command: str) -> None:
        self._process = subprocess.Popen([command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def search(self, fen: str, depth: int) -> tuple[chess.Move, int | None]:
        """The best move, and the evaluation for the side to move; None if there is a mate."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(f"position fen {fen}\ngo depth {depth}\n")
        self._process.stdin.flush()
        worth = None
        for line in self._process.stdout:
            words = line.split()
            if "score" in words:
                kind, number = words[words.index("score") + 1 :][:2]
                worth = int(number) if kind == "cp" else None
            elif words[:1] == ["bestmove"]:
                return chess.Move.from_uci(words[1]), worth
        raise RuntimeError("the engine has ended")

    def close(self) -> None:
        self._process.terminate()
        self._process.communicate()


def beginning(generator: random.Random) -> str:
    """A position on a line of the book."""
    position = opening("standard")
    for _ in range(generator.randrange(2, 17)):
        known = book.reactive(position)
        if not known:
            break
        position = position.play(generator.choice(known))
    return position.fen()


def game(judge: Judge, depth: int, generator: random.Random) -> Iterator[tuple[str, int]]:
    """The quiet positions of a game, each with White's advantage."""
    board = chess.Board(beginning(generator))
    while not board.is_game_over(claim_draw=True) and board.ply() < LONGEST:
        best, worth = judge.search(board.fen(), depth)
        if worth is None or abs(worth) > MOST:
            return
        if not board.is_check() and not board.is_capture(best) and best.promotion is None:
            yield board.fen(), worth if board.turn else -worth
        chance = generator.random()
        taking = list(board.generate_legal_captures()) if ANY <= chance < TAKING else []
        if chance < ANY or taking:
            best = generator.choice(taking or list(board.legal_moves))
        elif chance < HASTY:
            best = judge.search(board.fen(), 1)[0]
        board.push(best)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.judged", description=__doc__)
    parser.add_argument("file")
    parser.add_argument("--seconds", type=float, default=900)
    parser.add_argument("--depth", type=int, default=8)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--engine", default="stockfish")
    values = parser.parse_args()
    command = shutil.which(values.engine, path="/usr/games:/usr/local/bin:/usr/bin")
    if command is None:
        sys.exit(f"no {values.engine}")
    generator, judge = random.Random(values.seed), Judge(command)
    seen: set[str] = set()
    until = monotonic() + values.seconds
    with open(values.file, "a", encoding="ascii") as file:
        while monotonic() < until:
            for fen, worth in game(judge, values.depth, generator):
                stands = " ".join(fen.split()[:4])
                if stands not in seen:
                    seen.add(stands)
                    file.write(f"{fen}\t{worth}\n")
            file.flush()
    judge.close()
    print(f"{len(seen)} positions")


if __name__ == "__main__":
    main()
