"""Measures how well the review's blunders agree with Stockfish's.

python -m tests.bench.review [FILE.pgn] [--games 12] [--ms 1000] [--depth 14] [--engine stockfish] [--by PROFILE]

Reviews two-player games as a server does, and compares the marks with the file's evaluations of each move (`[%eval]`),
or with Stockfish's own if it has none. Both rate a move by the loss of its player's winning chances, Stockfish's by
Lichess's formula. The time for each position is processor time, unless an engine with a profile reviews in place of
level 5. Prints how many of the review's blunders are at least mistakes by Stockfish's evaluation, and how many of
Stockfish's blunders the review marks as mistakes or worse.
"""

import argparse
import math
import shutil
from collections.abc import Iterator
from itertools import islice, pairwise
from pathlib import Path
from time import monotonic, process_time
from typing import Final

import chess
import chess.engine
import chess.pgn

from fourfold.clients.bots.analysis.examination import examine
from fourfold.clients.bots.hosting.analyst import steps_of
from fourfold.clients.bots.profile import profile
from fourfold.clients.bots.uci.engine_lines import EngineLines
from fourfold.engine.variants import opening

MISTAKE, BLUNDER = 0.1, 0.15
"""The loss from which Lichess gives a move this mark."""

SAMPLE: Final = Path(__file__).parents[1] / "engine" / "notation" / "data" / "sample.pgn"


def games(path: Path, most: int) -> Iterator[chess.pgn.Game]:
    """The games of a file."""
    with path.open(encoding="utf-8") as file:
        yield from islice(iter(lambda: chess.pgn.read_game(file), None), most)


def share(score: chess.engine.PovScore) -> float:
    """White's winning chances, by Lichess's formula."""
    pawns = score.white().score(mate_score=100_000)
    assert pawns is not None
    return 1 / (1 + math.exp(-0.00368208 * max(-1000, min(1000, pawns))))


def losses(game: chess.pgn.Game, engine: chess.engine.SimpleEngine | None, depth: int) -> list[float | None]:
    """The loss of each move for its player, by the file or by the engine; None if neither has it."""
    shares = []
    for node in [game, *game.mainline()]:
        score = node.eval()
        if score is None and engine is not None:
            score = engine.analyse(node.board(), chess.engine.Limit(depth=depth))["score"]
        shares.append(None if score is None else share(score))
    if shares[0] is None:
        shares[0] = 0.5
    found: list[float | None] = []
    for ply, (before, after) in enumerate(pairwise(shares)):
        cost = None if before is None or after is None else before - after
        found.append(cost if cost is None or ply % 2 == 0 else -cost)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.review", description=__doc__)
    parser.add_argument("file", type=Path, nargs="?", default=SAMPLE)
    parser.add_argument("--games", type=int, default=12)
    parser.add_argument("--ms", type=int, default=1000)
    parser.add_argument("--depth", type=int, default=14)
    parser.add_argument("--engine", default=shutil.which("stockfish") or "/usr/games/stockfish")
    parser.add_argument("--by", type=profile, help="the profile of the reviewing engine, in place of level 5")
    wish = parser.parse_args()
    lines = None if wish.by is None else EngineLines(wish.by, print)
    look, clock = (None, process_time) if lines is None else (lines.look, monotonic)
    ours = theirs = agreed = found = plies = 0
    engine = chess.engine.SimpleEngine.popen_uci(wish.engine) if Path(wish.engine).exists() else None
    try:
        for game in games(wish.file, wish.games):
            moves = [move.uci() for move in game.mainline_moves()]
            start = opening("standard")
            costs = losses(game, engine, wish.depth)
            judged = examine(start, steps_of(moves, start.seats), wish.ms / 1000, clock, look)[1:]
            for one, cost in zip(judged, costs, strict=False):
                if cost is None:
                    continue
                plies += 1
                ours += one.mark == "??"
                agreed += one.mark == "??" and cost >= MISTAKE
                theirs += cost >= BLUNDER
                found += cost >= BLUNDER and one.mark in ("?", "??")
            print(f"{plies} moves; ours {ours}, of these {agreed}; Stockfish's {theirs}, of these {found}", flush=True)
    finally:
        if engine is not None:
            engine.quit()
        if lines is not None:
            lines.close()


if __name__ == "__main__":
    main()
