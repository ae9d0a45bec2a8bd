"""Measures the learning example against our levels: `pip install '.[learn]'`,
`python -m fourfold.clients.examples.baseline --variant ffa --minutes 10 --seeds 3`.

Each seed is a network that learns for itself. It then plays games against levels 1 to 4, in each seat in turn. The
table has each level's share of the points, as `learn.results` counts them, with the error at 95 % confidence. With
several seeds the error is that of the mean over the seeds, and so includes how much they differ.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from pathlib import Path
from typing import TypeAlias

from fourfold.clients.examples.learn import Net, results, train

Points: TypeAlias = dict[int, list[list[float]]]
"""For each level, the points of each game, by seed."""


def measured(variant: str, minutes: float, seed: int, games: int, levels: tuple[int, ...]) -> dict[int, list[float]]:
    """The points of one seed's network against each level, after learning for `minutes` of processor time."""
    net = Net(variant, seed)
    began = time.process_time()
    played = train(net, 60 * minutes, report=math.inf)
    print(f"seed {seed}: {played} games in {time.process_time() - began:.0f} s", flush=True)
    found = {}
    for level in levels:
        found[level] = results(net, games, level)
        print(f"  level {level}: {_written(*spread([found[level]]))}", flush=True)
    return found


def spread(by_seed: list[list[float]]) -> tuple[float, float]:
    """The mean of some points, and its error at 95 % confidence: over the seeds, or over the games of a single one."""
    means = [sum(points) / len(points) for points in by_seed]
    sample = means if len(means) > 1 else by_seed[0]
    mean = sum(sample) / len(sample)
    if len(sample) < 2:
        return mean, math.inf
    deviation = math.sqrt(sum((one - mean) ** 2 for one in sample) / (len(sample) - 1))
    return mean, _quantile(len(sample) - 1) * deviation / math.sqrt(len(sample))


def _quantile(freedom: int) -> float:
    """The two-sided quantile of Student's distribution at 95 %."""
    few = (12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26)
    return few[freedom - 1] if freedom <= len(few) else 1.96 + 2.5 / freedom


def _written(mean: float, error: float) -> str:
    return f"{mean:.0%} ± {error:.0%}" if math.isfinite(error) else f"{mean:.0%}"


def table(rows: dict[str, Points]) -> str:
    """The results as a table of a page."""
    levels = sorted({level for points in rows.values() for level in points})
    lines = ["| variant | " + " | ".join(f"level {level}" for level in levels) + " |", "|---" * (len(levels) + 1) + "|"]
    for name, points in rows.items():
        lines.append(f"| {name} | " + " | ".join(_written(*spread(points[level])) for level in levels) + " |")
    return "\n".join(lines)


def main() -> None:
    """Learn with every seed, play, and print the table. A file keeps what is done, and later calls add to it."""
    parser = argparse.ArgumentParser(description="Measure the learning example against levels 1 to 4.")
    parser.add_argument("--variant", action="append", help="default standard; may be repeated")
    parser.add_argument("--minutes", type=float, default=10, help="of processor time for each seed (default 10)")
    parser.add_argument("--seeds", type=int, default=3, help="networks for each variant (default 3)")
    parser.add_argument("--games", type=int, default=100, help="against each level (default 100)")
    parser.add_argument("--levels", type=int, nargs="+", default=[1, 2, 3, 4], help="default 1 2 3 4")
    parser.add_argument("--file", type=Path, default=Path("baseline.json"), help="default baseline.json")
    asked = parser.parse_args()
    done: dict[str, dict[str, dict[str, list[float]]]] = {}
    if asked.file.exists():
        done = json.loads(asked.file.read_text())
    for seed in range(asked.seeds):
        for variant in asked.variant or ["standard"]:
            by_seed = done.setdefault(variant, {})
            if str(seed) not in by_seed:
                found = measured(variant, asked.minutes, seed, asked.games, tuple(asked.levels))
                by_seed[str(seed)] = {str(level): points for level, points in found.items()}
                asked.file.write_text(json.dumps(done))
    rows: dict[str, Points] = {}
    for variant, by_seed in done.items():
        rows[variant] = {level: [points[str(level)] for points in by_seed.values()] for level in asked.levels}
    print(table(rows))


if __name__ == "__main__":
    main()
