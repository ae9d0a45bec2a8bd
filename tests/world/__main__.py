"""One seed, one world: the whole server on simulated machines.

    python -m tests.world --seed N [--brief | --schedules] [--pause MINUTES] [--trace] [--shrink]
    python -m tests.world --seeds 1000 [--seed FIRST] [--brief | --schedules] [--workers 2] [--pause MINUTES] [--json]
    python -m tests.world --plants [NAME ...] [--workers 2]

plays a seed, or many. The exit status is 1 if any fails. `--brief` plays the brief world of each seed, `--schedules`
the schedule that `tests.faults` plays with real processes. With `--pause`, two players then think about their moves for
minutes, while a node dies. `--trace` prints every step. `--shrink` searches for the smallest plan that still fails.
With `--plants`, faults are planted in copies of the server (see `plants`), and the exit status is 1 if any is missed.
"""

import argparse
import json
import sys
import time

from rich.console import Console

from tests.faults.plants import PLANTS
from tests.world.campaign import campaign, shrink
from tests.world.plans import brief, plan, schedule
from tests.world.plants import MOST, MUTANTS, search
from tests.world.seed import run


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m tests.world", description="Plays seeds on simulated machines.")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="the seed, or the first of many (1)")
    parser.add_argument("--seeds", type=int, default=1, metavar="N", help="how many (1)")
    parser.add_argument("--workers", type=int, default=1, metavar="W", help="processes at the same time (1)")
    parser.add_argument("--trace", action="store_true", help="print what happened, step by step")
    parser.add_argument("--shrink", action="store_true", help="look for the smallest plan that still fails")
    parser.add_argument("--pause", type=float, default=0, metavar="MINUTES", help="minutes of slow play after it (0)")
    other = parser.add_mutually_exclusive_group()
    for name, planned, what in (("brief", brief, "brief world"), ("schedules", schedule, "schedule of tests.faults")):
        other.add_argument(
            f"--{name}", dest="planned", action="store_const", const=planned, default=plan,
            help=f"play the {what} of each seed",
        )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="print the summary of many seeds as JSON")
    parser.add_argument(
        "--plants", nargs="*", metavar="NAME", choices=[plant.name for plant in (*PLANTS, *MUTANTS)],
        help="look for planted faults: these, or all",
    )  # fmt: skip
    parser.add_argument("--most", type=int, default=MOST, metavar="N", help=f"seeds for each planted fault ({MOST})")
    arguments = parser.parse_args()
    console = Console(stderr=True)
    if arguments.plants is not None:
        missed = 0
        for found in search(arguments.plants, arguments.workers, arguments.most):
            missed += found.seed is None
            where = f"seed {found.seed}" if found.seed is not None else "no seed"
            print(f"{found.plant}: {where}, {found.played} played: {'; '.join(found.told)[:200]}", flush=True)
        sys.exit(1 if missed else 0)
    if arguments.seeds > 1:
        seeds = range(arguments.seed, arguments.seed + arguments.seeds)
        total = campaign(seeds, arguments.workers, console, arguments.pause * 60, arguments.planned)
        summary = total.summary()
        if arguments.json:
            print(json.dumps(summary))
        else:
            for name, value in summary.items():
                print(f"{name:>22}  {value}")
        sys.exit(1 if total.failed else 0)
    planned, pause, beside = arguments.planned(arguments.seed), arguments.pause * 60, arguments.planned is plan
    if arguments.shrink:
        planned = shrink(planned, console, beside=beside)
    began = time.perf_counter()
    outcome = run(arguments.seed, planned, traced=arguments.trace, pause=pause, beside=beside)
    took = time.perf_counter() - began
    for line in outcome.trace:
        print(line)
    print(planned)
    for fault in outcome.faults:
        print(f"{fault.kind}: {fault.room} at {fault.seq}: {fault.message}")
    print(f"seed {arguments.seed}: {outcome.fingerprint:08x} after {outcome.steps} steps")
    console.print(f"{outcome.seconds:.1f} s in {took:.1f} s")
    sys.exit(1 if outcome.faults else 0)


if __name__ == "__main__":
    main()
