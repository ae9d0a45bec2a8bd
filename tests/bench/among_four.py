"""Compares two searches for four players, each against all: one joint answer of the others, or paranoid.

python -m tests.bench.among_four [--variant survivor] [--games 30] [--budget 0.1]

from the root of the repository. Both are level 5's, with the same processor time for a move. In the *joint* search only
the best of the others' moves is played, and the rest of them pass. In the *paranoid* search all of them move, each to
the harm of the searcher. One seat plays the first search against three with the second, in turn in all four seats. Each
game begins with random moves. The output is its share of the points, with its 95 % interval; equal players would score
25 %.

Max^n (Luckhardt and Irani, 1986), where each player maximises their own result and alpha-beta can cut almost nothing,
lost 24 of 24 games of survivor and 4 of 5 of ffa against the paranoid search.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from time import process_time

from fourfold.clients.bots.arena.game import shares
from fourfold.clients.bots.arena.statistics import error_of
from fourfold.clients.bots.search.alpha_beta import Search
from fourfold.engine.outcome import Termination
from fourfold.engine.variants import opening

RANDOM_PLIES = 8
LONGEST = 600


def play(variant: str, number: int, budget: float) -> float:
    """Plays a game; returns the points of the seat with the joint search."""
    position = opening(variant, seed=number)
    chance = random.Random(number // 4)
    seat = number % 4
    while position.outcome is None and position.ply < LONGEST:
        if position.walk is not None:
            move = position.walk
        elif position.ply < RANDOM_PLIES:
            move = chance.choice(sorted(position.legal_moves, key=lambda move: move.text))
        else:
            together = position.turn == seat
            move = Search(position, process_time() + budget, process_time, together=together).best()
        position = position.play(move)
    return shares(position.outcome or position.end_in_draw(Termination.AGREEMENT).outcome, position)[seat]


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and print the interim result after each game."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.among_four", description="Compare two searches.")
    parser.add_argument("--variant", choices=("survivor", "ffa"), default="survivor", help="default survivor")
    parser.add_argument("--games", type=int, default=30, help="default 30")
    parser.add_argument("--budget", type=float, default=0.1, help="seconds per move (default 0.1)")
    values = parser.parse_args(arguments)
    points: list[float] = []
    for number in range(values.games):
        points.append(play(values.variant, number, values.budget))
        share, error = 100 * sum(points) / len(points), 100 * error_of(points)
        print(f"{values.variant}: answering together {share:.1f} % ± {error:.1f} of {len(points)} games", flush=True)


if __name__ == "__main__":
    main()
