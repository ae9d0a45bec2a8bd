"""Measures the environments' steps per second, with random legal actions, on one core.

python -m tests.bench.environments [--seconds 5]

The output has, for each variant, the steps per second of processor time of the PettingZoo environment and of 16 games
side by side. A step is a move, with the next agent's observation and the mask of its actions.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from fourfold.clients.environments.aec import FourfoldAEC
from fourfold.clients.environments.vector import FourfoldVectorEnv
from fourfold.engine.variants import VARIANTS


def steps_a_second(variant: str, seconds: float) -> float:
    """The mean over games of at most 200 plies."""
    env, chance = FourfoldAEC(variant, plies=200), np.random.default_rng(1)
    env.reset(seed=0)
    steps = 0
    started = time.process_time()
    while (spent := time.process_time() - started) < seconds:
        seen, _, over, long, _ = env.last()
        if over or long:
            env.reset(seed=steps)
            continue
        legal = np.flatnonzero(seen["action_mask"])
        env.step(int(legal[chance.integers(len(legal))]))
        steps += 1
    return steps / spent


def steps_side_by_side(variant: str, seconds: float, games: int = 16) -> float:
    """The same in several games at once."""
    envs, chance = FourfoldVectorEnv(games, variant, plies=200), np.random.default_rng(1)
    _, infos = envs.reset(seed=0)
    over = np.zeros(games, np.bool_)
    steps = 0
    started = time.process_time()
    while (spent := time.process_time() - started) < seconds:
        # One search in all masks, of truth values: other ways take several times as long, and are no part of a step.
        rows, legal = divmod(np.flatnonzero(infos["action_mask"].view(np.bool_).ravel()), envs.single_action_space.n)
        counts = np.bincount(rows, minlength=games)
        chosen = np.cumsum(counts) - counts + (chance.random(games) * counts).astype(np.int64)
        actions = np.where(counts > 0, legal[np.minimum(chosen, len(legal) - 1)], 0)
        steps += games - int(over.sum())  # a game that restarts makes no step
        _, _, terminations, truncations, infos = envs.step(actions)
        over = terminations | truncations
    return steps / spent


def main() -> None:
    """Measure every variant."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.environments", description=__doc__)
    parser.add_argument("--seconds", type=float, default=5, help="for each variant (default 5)")
    seconds = parser.parse_args().seconds
    for variant in VARIANTS:
        one, many = steps_a_second(variant, seconds), steps_side_by_side(variant, seconds)
        print(f"{variant}: {one:,.0f} steps a second, side by side {many:,.0f}")


if __name__ == "__main__":
    main()
