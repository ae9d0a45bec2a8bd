"""Measures the server's cost and its scaling, beside a bare relay and a naive server.

python -m tests.bench [WHAT ...] [--rounds 7] [--json] python -m tests.bench --plot FILE.svg [--rounds 7]

WHAT are any of these; by default all are measured, which takes some ten minutes:

* *peers*: processor time per move (user and system, of the servers alone), in games that go on as fast as the answers
  come, in 200 rooms of two and 100 of four. Compared with a bare relay on `websockets` with the same fan-out, which is
  the lower bound, and with a server written in an evening: websockets, python-chess, redis-py;
* *calls*: the function calls of our server per move, counted by a profiler (`tests.bench.calls` lists them);
* *latency*: from a move to its arrival at the opponent at 1,000 moves per second, ours and the relay's;
* *rooms*: processor time per move in 10, 100 and 1,000 rooms; memory of idle connections and rooms;
* *plies*: processor time per move from ply 500 on, compared with the same moves in games that start there;
* *watchers*: the effect of a game with 1,000 and with 10,000 watchers on players in other rooms;
* *crowd*: the effect on players of 10,000 watchers at each of two servers for watchers;
* *resume*: the time from a request for 10 and 1,000 missed moves until the last has come;
* *ready*: the time from the start of a server until it is ready, with an empty store and with 10,000 games in it;
* *nodes*: the throughput of two servers on one store, and of two and four workers, compared with one;
* *lobby*: the lobby's cost for a server, by the number of moves at others (`tests.bench.lobby`).

With --plot, it draws a picture instead: how processor time grows with the rooms and with the length of games, and
latency with the rate. It needs matplotlib, which `pip install -e '.[bench]'` installs.

All compared servers run at the same time and take turns in every round. The output has the medians of the rounds; for
ratios, the medians of the rounds' ratios. Nothing is asserted: machines differ, so compare the ratios.
`tests.bench.engine` measures the rules, `tests.bench.load` one load of your choice, and `tests.bench.soak` whether
anything grows in an hour.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from fourfold.server import logs
from tests.bench import curves, figures, lobby

FIGURES: dict[str, Callable[[int], dict[str, Any]]] = {
    name: getattr(figures, name)
    for name in ("peers", "calls", "latency", "rooms", "plies", "watchers", "crowd", "resume", "ready", "nodes")
}
FIGURES["lobby"] = lobby.lobby


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description="What the server costs.")
    parser.add_argument("what", nargs="*", metavar="WHAT", help=f"any of {', '.join(FIGURES)}; all")
    parser.add_argument("--rounds", type=int, default=7, help="number of rounds (7)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw curves into an SVG instead")
    options = parser.parse_args()
    if options.plot:
        _plot(options.plot, options.rounds)
        return
    if unknown := set(options.what) - FIGURES.keys():
        parser.error(f"there is no {', '.join(sorted(unknown))}; there are {', '.join(FIGURES)}")
    logs.configure("warning", "json")  # on stderr, apart from the figures
    found: dict[str, dict[str, Any]] = {}
    for name in options.what or FIGURES:
        start = time.monotonic()
        found[name] = FIGURES[name](options.rounds)
        if not options.json:
            print(f"{name} ({time.monotonic() - start:.0f} s)")
            for title, value in found[name].items():
                print(f"  {title:<52}{value:10.2f}", flush=True)
    if options.json:
        print(json.dumps(found))
    sys.stdout.flush()


def _plot(file: Path, rounds: int) -> None:
    if find_spec("matplotlib") is None:
        sys.exit("a picture needs matplotlib: .venv/bin/pip install -e '.[bench]'")
    draw = import_module("tests.bench.plot").draw  # only now, because matplotlib may be missing
    with file.open("wb") as picture:  # before the measurements, which take minutes
        draw(curves.measure(rounds), picture)


if __name__ == "__main__":
    main()
