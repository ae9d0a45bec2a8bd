"""Measures the speed of the rules, compared with python-chess and between our own boards.

python -m tests.bench.engine [--seconds 60] [--games 10] [--plies 200] [--json]

from the root of the repository measures the engine of the checkout; from a folder that has only `tests` in it, the
installed one. The output is the processor time of this process, in microseconds per ply:

* *operation*: a server's work for a move. Look up the player's text and so check that it is legal, make the move, find
  check, mate, stalemate and draws, and list the next player's moves as texts;
* *perft*: count the sequences of three plies from some positions of the same games, per counted sequence;
* the library calls of `comparison`, per move, text or square.

Each round plays new random games, because tables that fill themselves would remember known ones. All engines take turns
in every round, and the output has the medians of the rounds. python-chess is used as efficiently as possible: legal
moves are generated once per position and looked up by their text, mate is read off the same list, and positions are
counted by its transposition key. Nothing is asserted: machines differ, so compare the ratios.
"""

from __future__ import annotations

import argparse
import gc
import json
import platform
import random
import time
import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Any

import chess

from fourfold.engine import movegen
from fourfold.engine.perft import perft
from fourfold.engine.position import Position
from fourfold.engine.variants import VARIANTS, opening, opening_of
from tests.bench.comparison import CALLS
from tests.bench.progress import bar

Game = list[str]
DEPTH = 3


def random_games(variant: str, plies: int, seed: int) -> Iterator[Game]:
    """Endless games of random moves. They are made with separate tables, so that the measured ones have not seen
    them."""
    chance = random.Random(seed)
    start = opening_of(replace(VARIANTS[variant], name=f"{variant}, played at random"))
    while True:
        position, game = start, []
        while len(game) < plies and position.outcome is None:
            move = position.walk or position.find(chance.choice(sorted(position.legal_texts())))
            game.append(move.text)
            position = position.play(move)
        yield game


# ---- The operation ----------------------------------------------------------------------------------


def operate(variant: str, games: list[Game]) -> int:
    """The server's operation, for each ply of some games; returns the number of plies."""
    plies = 0
    start = opening(variant)
    for game in games:
        position = start
        for text in game:
            position = position.play(position.find(text))
            position.checked()
            if position.outcome is None:
                _ = position.may_claim(position.turn)
            position.legal_texts()
        plies += len(game)
    return plies


def operate_python_chess(games: list[Game]) -> int:
    """The same in python-chess."""
    plies = 0
    for game in games:
        board = chess.Board()
        legal = {move.uci(): move for move in board.generate_legal_moves()}
        seen = {board._transposition_key(): 1}
        for text in game:
            board.push(legal[text])
            legal = {move.uci(): move for move in board.generate_legal_moves()}
            check = board.is_check()
            if not legal:
                _ = chess.Termination.CHECKMATE if check else chess.Termination.STALEMATE
            board.is_insufficient_material()
            if board.halfmove_clock == 0:
                seen.clear()
            key = board._transposition_key()
            seen[key] = times = seen.get(key, 0) + 1
            _ = times >= 3 or board.halfmove_clock >= 100
        plies += len(game)
    return plies


# ---- Perft ------------------------------------------------------------------------------------------


def perft_starts(games: list[Game]) -> list[Game]:
    """The beginnings of two of the games, after which sequences are counted."""
    return [games[0][: len(games[0]) // 5], games[-1][: len(games[-1]) // 2]]


def count(variant: str, games: list[Game]) -> int:
    """Perft from some positions of the games; returns the number of counted sequences."""
    total = 0
    for start in perft_starts(games):
        position = opening(variant)
        for text in start:
            position = position.play(position.find(text))
        total += perft(position, DEPTH)
    return total


def count_python_chess(games: list[Game]) -> int:
    """The same in python-chess."""
    total = 0
    for start in perft_starts(games):
        board = chess.Board()
        for text in start:
            board.push_uci(text)
        total += _count(board, DEPTH)
    return total


def _count(board: chess.Board, depth: int) -> int:
    if depth == 1:
        return sum(1 for _ in board.generate_legal_moves())
    total = 0
    for move in board.generate_legal_moves():
        board.push(move)
        total += _count(board, depth - 1)
        board.pop()
    return total


# ---- Measuring --------------------------------------------------------------------------------------


def microseconds(work: Callable[[], int]) -> float:
    """The processor time of some work, divided by the count that it returns."""
    gc.collect()
    start = time.process_time()
    done = work()
    return (time.process_time() - start) / done * 1e6


def position_bytes(variant: str, plies: int) -> float:
    """The memory of a game's position when all positions are kept with their legal moves."""
    games = random_games(variant, plies, seed=0)
    warm, game = next(games), next(games)
    operate(variant, [warm, game])
    position = opening(variant)
    tracemalloc.start()
    line: list[Position] = []
    for text in game:
        position = position.play(position.find(text))
        line.append(position)
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return size / len(line)


def measure(seconds: float, games: int, plies: int) -> dict[str, Any]:
    """Rounds for `seconds` seconds, at least three; the median time of everything, and the median ratios."""
    sources = {variant: random_games(variant, plies, seed=1) for variant in VARIANTS}
    for variant, source in sources.items():
        operate(variant, [next(source) for _ in range(3 * games)])
    rounds: list[dict[str, float]] = []
    start = time.monotonic()
    with bar("rounds", seconds) as update:
        while len(rounds) < 3 or time.monotonic() < start + seconds:
            update(time.monotonic() - start)
            batches = {variant: [next(source) for _ in range(games)] for variant, source in sources.items()}
            two = batches["standard"]
            results = {"operation python-chess": microseconds(lambda two=two: operate_python_chess(two))}
            for variant, batch in batches.items():
                results[f"operation {variant}"] = microseconds(lambda v=variant, b=batch: operate(v, b))
            results["perft python-chess"] = microseconds(lambda two=two: count_python_chess(two))
            for variant, batch in batches.items():
                results[f"perft {variant}"] = microseconds(lambda v=variant, b=batch: count(v, b))
            for call in CALLS:
                results[f"{call.name} python-chess"] = microseconds(call.theirs(two))
                results[f"{call.name} standard"] = microseconds(call.ours(two))
            rounds.append(results)
    times = {name: median(results[name] for results in rounds) for name in rounds[0]}
    return {
        "python": platform.python_version(),
        "python-chess": chess.__version__,
        "compiled": Path(movegen.__file__).suffix != ".py",
        "rounds": len(rounds),
        "microseconds": times,
        "ratios": {
            "operation standard, times faster than python-chess": _ratio(
                rounds, "operation python-chess", "operation standard"
            ),
            **{
                f"{name}, times faster than python-chess": _ratio(rounds, f"{name} python-chess", f"{name} standard")
                for name in ("perft", *(call.name for call in CALLS))
            },
            **{
                f"operation {variant}, cost by that of standard": _ratio(
                    rounds, f"operation {variant}", "operation standard"
                )
                for variant in VARIANTS
                if variant != "standard"
            },
        },
        "bytes a position": {variant: position_bytes(variant, plies) for variant in VARIANTS},
    }


def _ratio(rounds: list[dict[str, float]], above: str, below: str) -> float:
    return median(results[above] / results[below] for results in rounds)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.engine", description="How fast the rules are.")
    parser.add_argument("--seconds", type=float, default=60, help="duration of the rounds (60)")
    parser.add_argument("--games", type=int, default=10, help="games of each variant in a round (10)")
    parser.add_argument("--plies", type=int, default=200, help="longest game (200)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    found = measure(options.seconds, options.games, options.plies)
    if options.json:
        print(json.dumps(found))
        return
    form = "compiled" if found["compiled"] else "pure Python"
    print(
        f"{form}, CPython {found['python']}, python-chess {found['python-chess']}; medians of {found['rounds']} rounds"
    )
    for title, unit, digits in (
        ("microseconds", "µs of processor time", 2),
        ("ratios", "", 2),
        ("bytes a position", "bytes a position", 0),
    ):
        print(f"\n{unit or 'ratios'}")
        for name, value in found[title].items():
            print(f"  {name:<52}{value:10.{digits}f}")


if __name__ == "__main__":
    main()
