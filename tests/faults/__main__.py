"""Crash schedules: games are played while servers, stores and links fail, and every history is checked.

python -m tests.faults --schedules 1000 --seed 1 [--jobs 2] [--workers 3] [--archive-after 1] [--postgres] [--json]
[--keep DIR]

plays the schedules of the seeds 1 to 1000, on clusters of three real nodes and one real store (Debian's redis-server
and the embedded Valkey in turn), and prints the counts of acknowledged and lost commands. The exit status is 1 if a
command was lost, done twice, seen in two ways, against the rules, or never answered. The history of each such schedule
is kept in its own folder, whose name is printed. A seed repeats its schedule, though not the exact interleaving (see
`schedule`).

With `--workers` there is one server instead of three nodes, and the faults of nodes hit its supervisor or one of its
workers. In half of the schedules (twenty seeds of forty) finished games are archived after `--archive-after` quiet
seconds, and some faults hit them on the way. With `--postgres` that happens in all schedules, and the archive is a
PostgreSQL server, which is killed and cut off too.

python -m tests.faults --plants [NAME ...]

proves the checker: each planted fault (see `plants`), or each of these names, is put into a copy of the server, and
must be found. The exit status is 1 if one is not.
"""

import argparse
import json
import sys
import tempfile
from pathlib import Path

from tests import postgres
from tests.faults.campaign import run, search
from tests.faults.plants import PLANTS


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description="Plays schedules of crashes.")
    parser.add_argument("--schedules", type=int, default=50, metavar="N", help="how many (50)")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="the first seed (1)")
    parser.add_argument("--jobs", type=int, default=2, metavar="J", help="number of clusters at the same time (2)")
    parser.add_argument("--workers", type=int, default=1, metavar="W", help="one server with this many workers")
    parser.add_argument(
        "--archive-after", type=int, default=1, metavar="S",
        help="quiet seconds until games are archived, in half of the schedules; 0: never (1)",
    )  # fmt: skip
    parser.add_argument(
        "--postgres", action="store_true", help="archive games in all schedules, on a PostgreSQL server that fails too"
    )
    parser.add_argument("--json", action="store_true", help="print the summary as one JSON object")
    parser.add_argument(
        "--keep", type=Path, default=Path(tempfile.gettempdir()) / "fourfold-faults", metavar="DIR",
        help="folder for the histories of failed schedules",
    )  # fmt: skip
    parser.add_argument(
        "--plants", nargs="*", metavar="NAME", choices=[plant.name for plant in PLANTS],
        help="look for planted faults instead: these, or all",
    )  # fmt: skip
    arguments = parser.parse_args()
    if arguments.plants is None:
        if arguments.postgres and postgres.binaries() is None:
            parser.error("PostgreSQL is not installed (Debian: apt install postgresql)")
        options = (arguments.keep, arguments.workers, arguments.archive_after)
        total = run(arguments.seed, arguments.schedules, arguments.jobs, *options, served=arguments.postgres)
    else:
        total = search(arguments.plants, arguments.jobs)
    if arguments.json:
        print(json.dumps(total))
    else:
        for name, value in total.items():
            print(f"{name:>14}  {value}")
    sys.exit(1 if total.get("failed") or total.get("missed") else 0)


if __name__ == "__main__":
    main()
