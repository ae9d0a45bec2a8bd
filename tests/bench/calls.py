"""Counts the server's Python calls per move: a number that is the same on every machine, unlike time.

python -m tests.bench.calls [--players 2] [--rooms 50] [--moves 3000] [--most 60] [--json]

plays as `tests.bench.load` does, and prints the most frequent functions, with their calls and their own microseconds
per move, as the profiler reports them. Functions written in Python and built-in functions are counted separately.
"""

import argparse
import asyncio
import json
import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import uvloop

from tests.bench.load import Load
from tests.bench.processes import NO_LIMITS, ROOT, Running, program

Function = tuple[str, float, float]
"""Its name, its calls per move, and its own microseconds."""

WARM = 1000
"""The number of moves before the counted ones."""

PATIENCE = 120.0
"""Seconds that a number of moves may take."""


@contextmanager
def counted(file: Path) -> Iterator[Running]:
    """Our server with call counting."""
    with TemporaryDirectory(prefix="fourfold-bench-") as folder:
        arguments = (str(file), "--port", "0", "--data", folder)
        with program("tests.bench.counted", *arguments, **NO_LIMITS) as (url, server):
            yield Running([url], [server], None, None)


def functions(rooms: int, players: int, moves: int) -> list[Function]:
    """Each function with its calls and its own microseconds per move, most frequent first."""
    with TemporaryDirectory(prefix="fourfold-bench-") as folder:
        file = Path(folder, "calls.json")
        with counted(file) as running, asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            (server,) = running.servers
            load = Load(running, rooms, players)
            runner.run(load.open())
            runner.run(load.play(PATIENCE, WARM))
            os.kill(server.pid, signal.SIGRTMIN)
            runner.run(load.play(PATIENCE, moves))
            os.kill(server.pid, signal.SIGRTMIN + 1)
            while not file.exists():
                time.sleep(0.05)
            runner.run(load.close())
            made = load.tally.moves
        found = [(name, calls / made, own / made * 1e6) for name, calls, own in json.loads(file.read_text())]
    return sorted(found, key=lambda one: -one[1])


def totals(found: list[Function]) -> tuple[float, float]:
    """The calls per move of functions written in Python, and of built-in ones."""
    written = sum(calls for name, calls, _ in found if ".py:" in name or name.startswith("<string>"))
    return written, sum(calls for _, calls, _ in found) - written


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.calls", description="Python calls a move.")
    parser.add_argument("--rooms", type=int, default=50, help="how many (50)")
    parser.add_argument("--players", type=int, choices=(2, 4), default=2, help="in each room (2)")
    parser.add_argument("--moves", type=int, default=3000, help="number of counted moves (3000)")
    parser.add_argument("--most", type=int, default=60, help="number of printed functions (60)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    found = functions(options.rooms, options.players, options.moves)
    written, builtin = totals(found)
    if options.json:
        print(json.dumps({"written": written, "builtin": builtin, "functions": found}))
        return
    print(f"{written:.1f} calls of functions written in Python a move, {builtin:.1f} of built-in ones")
    for name, calls, own in found[: options.most]:
        print(f"{calls:8.2f} {own:8.2f} µs  {name.removeprefix(f'{ROOT}/')}")


if __name__ == "__main__":
    main()
