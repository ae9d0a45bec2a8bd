"""How many steps a second the environments take, with random legal actions, on one core.

    python -m tests.bench.environments [--seconds 5]

Printed are, for each variant, the steps of the PettingZoo environment in a second of processor time: a move, and what
the next agent sees of it, with the mask of its actions.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from fourfold.clients.environments.aec import FourfoldAEC
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
        env.step(int(chance.choice(np.flatnonzero(seen["action_mask"]))))
        steps += 1
    return steps / spent


def main() -> None:
    """Measure every variant."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.environments", description=__doc__)
    parser.add_argument("--seconds", type=float, default=5, help="for each variant (default 5)")
    seconds = parser.parse_args().seconds
    for variant in VARIANTS:
        print(f"{variant}: {steps_a_second(variant, seconds):,.0f} steps a second")


if __name__ == "__main__":
    main()
