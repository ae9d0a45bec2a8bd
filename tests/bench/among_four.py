"""Which search is the stronger among four that are all against all: one answer of the others together, or paranoid.

    python -m tests.bench.among_four [--variant survivor] [--games 30] [--budget 0.1]

from the root of the repository. Both are level 5's, with the same processor time for a move. Where the others *answer
together*, only the best of their moves is played and the rest of them pass; in the *paranoid* search all of them move,
each to the harm of the searcher. One seat plays by the first against three by the other, in turn by all four seats;
each game begins with random moves. Told is its share of the points, with its 95 % interval; equals would have a
quarter.

Max^n (Luckhardt and Irani, 1986), where each looks after itself and alpha-beta can cut almost nothing, lost 24 of 24
games of survivor and 4 of 5 of ffa against the paranoid search.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from time import process_time

from fourfold.clients.bots.arena import error_of, shares
from fourfold.clients.bots.search import Search
from fourfold.engine.outcome import Termination
from fourfold.engine.variants import opening

RANDOM_PLIES = 8
LONGEST = 600


def play(variant: str, number: int, budget: float) -> float:
    """The points of the seat that takes the others to answer together, in a game."""
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
    """Measure and print, after each game what is known so far."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.among_four", description="Compare two searches.")
    parser.add_argument("--variant", choices=("survivor", "ffa"), default="survivor", help="default survivor")
    parser.add_argument("--games", type=int, default=30, help="default 30")
    parser.add_argument("--budget", type=float, default=0.1, help="seconds a move (default 0.1)")
    values = parser.parse_args(arguments)
    points: list[float] = []
    for number in range(values.games):
        points.append(play(values.variant, number, values.budget))
        share, error = 100 * sum(points) / len(points), 100 * error_of(points)
        print(f"{values.variant}: answering together {share:.1f} % ± {error:.1f} of {len(points)} games", flush=True)


if __name__ == "__main__":
    main()
