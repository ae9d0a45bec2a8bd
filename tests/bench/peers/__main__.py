"""Compares our server with other possible chess servers, and prints a table.

python -m tests.bench.peers [SERVER ...] [--rounds 7] [--rooms 200] [--rate 500] [--json]

from the root of the repository. All servers play the same random games, whose moves come from a seed: ours on its
embedded store; a bare relay on `websockets`, without rules, as the lower bound; a server written in an evening with
websockets, python-chess and redis-py; Colyseus with chess.js; boardgame.io with chess.js. The last two are used as in
their documentation: `colyseus.mjs`, `boardgameio.cjs`. They need Node.js 20 or later. Their packages, in the versions
of `package-lock.json`, are installed by npm if they are missing. Their clients have the rules themselves, so that the
server need not list the legal moves, as ours and the evening's do; both ways are measured.

The output has:

* processor time of the server per move, user and system, in games that go on as fast as the answers come, without its
  store's;
* the time from a move to its arrival at the opponent, at `--rate` moves per second over all rooms, and the actual rate
  if the server did not keep up;
* memory of an idle room of two, with its connections;
* the number of acknowledged moves that are lost when the server and its store are killed by `kill -9` and restarted.

The players run in this process and are in none of the figures. Servers take turns in every round; the output has the
medians. Compare the ratios within one run.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from typing import Any, Final

import uvloop

from tests.bench.load import Load, in_turn
from tests.bench.peers.kill import lost
from tests.bench.peers.servers import SERVERS, install
from tests.bench.processes import Running
from tests.bench.progress import track

Row = dict[str, Any]
IDLE: Final = 400
"""The number of rooms opened to measure an idle one."""


async def idle_room(name: str, running: Running) -> float:
    """The bytes of an idle room with its connections, once the server has others."""
    load = Load(running, IDLE, seed=2, make=SERVERS[name].make)
    await load.open()
    await load.close()
    return load.memory["room"] + 2 * load.memory["connection"]


async def play(running: dict[str, Running], rooms: int, rounds: int, rate: float) -> dict[str, Row]:
    """The cost and time of a move at the servers, and the memory of a room."""
    loads = {name: Load(each, rooms, make=SERVERS[name].make) for name, each in running.items()}
    rows: dict[str, Row] = {}
    for name, load in loads.items():
        await load.open()
        rows[name] = {"room": await idle_room(name, running[name])}
    for name, reports in (await in_turn(loads, rounds, 1.0)).items():
        rows[name]["costs"] = [report["server_us_per_move"] for report in reports]
        rows[name]["cost"] = median(rows[name]["costs"])
        rows[name]["most"] = median(report["moves_per_second"] for report in reports)
    for load in loads.values():
        load.pace.rate = rate
    for name, reports in (await in_turn(loads, rounds, 2.0)).items():
        rows[name]["rate"] = median(report["moves_per_second"] for report in reports)
        for part in ("p50", "p99"):
            rows[name][part] = median(report["seen_ms"][part] for report in reports)
    for load in loads.values():
        await load.close()
    return rows


async def measure(names: Sequence[str], rooms: int, rounds: int, rate: float) -> dict[str, Row]:
    """All of it for these servers."""
    with ExitStack() as stack:
        running = {
            name: stack.enter_context(
                SERVERS[name].start(Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="fourfold-bench-"))))
            )
            for name in names
        }
        rows = await play(running, rooms, rounds, rate)
    for name in track("kill -9", names):
        if name != "relay":  # which has nothing to lose
            with tempfile.TemporaryDirectory(prefix="fourfold-bench-") as data:
                rows[name]["acknowledged"], rows[name]["lost"] = await lost(SERVERS[name], Path(data))
    return rows


def ratio(above: Row, below: Row) -> float:
    """The median of the rounds' ratios of a move's cost."""
    return median(a / b for a, b in zip(above["costs"], below["costs"], strict=True))


def table(rows: dict[str, Row], rate: float) -> str:
    """The rows as Markdown."""
    times = f"p50, p99 at {rate:.0f} moves/s"
    heads = ["", "µs a move", "by ours", "by the relay", times, "idle room", "keeps", "`kill -9` loses"]
    lines = [heads, ["---" for _ in heads]]
    for name, row in rows.items():
        beside = [f"{ratio(row, rows[other]):.2f}" if other in rows else "" for other in ("fourfold", "relay")]
        times = f"{row['p50']:.1f}, {row['p99']:.1f} ms"
        if row["rate"] < 0.95 * rate:
            times += f" (at {row['rate']:.0f})"
        gone = f"{row['lost']:,} of {row['acknowledged']:,}" if "lost" in row else "–"
        server, cost, memory = SERVERS[name], f"{row['cost']:.0f}", f"{row['room'] / 1024:.0f} KB"
        lines.append([server.title, cost, *beside, times, memory, server.keeps, gone])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.peers", description="Ours beside others' servers.")
    parser.add_argument("servers", nargs="*", metavar="SERVER", help=f"any of {', '.join(SERVERS)}; all")
    parser.add_argument("--rounds", type=int, default=7, help="number of rounds (7)")
    parser.add_argument("--rooms", type=int, default=200, help="of two at each server (200)")
    parser.add_argument("--rate", type=float, default=500, help="moves a second over all rooms, for the times (500)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    if unknown := set(options.servers) - SERVERS.keys():
        parser.error(f"there is no {', '.join(sorted(unknown))}; there are {', '.join(SERVERS)}")
    names = options.servers or list(SERVERS)
    if any(SERVERS[name].on_node for name in names):
        install()
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        rows = runner.run(measure(names, options.rooms, options.rounds, options.rate))
    print(json.dumps(rows) if options.json else table(rows, options.rate))


if __name__ == "__main__":
    main()
