"""Measures the time of a move of levels 1 to 4, over whole games.

python -m tests.bench.levels [--games 10] [--json]

from the root of the repository. In each game a level has the first seat and levels 3 and 4 the others, with seats and
levels as in play. The output is the processor time of the level's own moves in milliseconds: median, 99th percentile
and longest. The books are loaded first; that time is printed as well.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from itertools import cycle, islice
from statistics import median, quantiles

from fourfold.clients.bots.levels import RULES, chooser
from fourfold.engine.variants import VARIANTS, opening
from tests.bench.progress import track

LONGEST = 1000


def times(variant: str, level: int, games: int) -> list[float]:
    """The seconds of each move of a level."""
    spent = []
    for game in range(games):
        position = opening(variant, seed=game)
        levels = [level, *islice(cycle((3, 4)), len(position.seats) - 1)]
        players = [chooser(each, f"{game} {seat}") for seat, each in enumerate(levels)]
        while position.outcome is None and position.ply < LONGEST:
            started = time.process_time()
            text = players[position.turn](position, 0)
            if position.turn == 0 and position.walk is None:
                spent.append(time.process_time() - started)
            position = position.play(position.walk or position.find(text))
    return spent


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.levels", description="Time levels 1 to 4.")
    parser.add_argument("--games", type=int, default=10, help="number for each level in each variant (default 10)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    values = parser.parse_args(arguments)
    report: dict[str, dict[str, float]] = {}
    for variant in VARIANTS:
        started = time.process_time()
        chooser(4, 0)(opening(variant), 0)
        loading = 1000 * (time.process_time() - started)
        for level in track(variant, RULES):
            spent = [1000 * seconds for seconds in times(variant, level, values.games)]
            p99 = quantiles(spent, n=100)[98]
            report[f"{variant} {level}"] = {
                "moves": len(spent), "median": median(spent), "p99": p99, "max": max(spent), "book": loading,
            }  # fmt: skip
    if values.json:
        print(json.dumps(report))
        return
    for name, row in report.items():
        print(f"{name}: " + ", ".join(f"{key} {value:.4g}" for key, value in row.items()))


if __name__ == "__main__":
    main()
