"""Runs everything at once for an hour at a low rate, and checks that nothing grows and nothing is left behind.

python -m tests.bench.soak --minutes 60 [--rooms 24] [--rate 60] [--json]

Plays games for two and for four, of people and against a computer player, to a resignation; then others at new tables.
Connections are cut and come back, watchers come and go, tables are opened and deserted. The server is ours, except that
it keeps games for seconds instead of days (see `forgetful`). A line per minute has its usage: memory of server and
store, open files, keys, connections, rooms, and tasks. For a stalled game it has the state of its players and of a new
watcher.

In the end everybody leaves, and the rest is compared with the state at the beginning. The exit status is 1 if anything
is left, if anything failed or stalled, or if memory has grown by more than a tenth from the second quarter of the time
to the last.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import random
import sys
import tempfile
import time
import urllib.request
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from typing import Any, Final

import uvloop
from redis import Redis

from fourfold.clients.bots.hosting.host import Hosting, host
from fourfold.server.storage.embedded import SOCKET
from tests.bench.forgetful import BOTS_KEY
from tests.bench.load import spread
from tests.bench.processes import Process, Running, program
from tests.bench.tables import Pace, Table, Tally
from tests.bench.watchers import Gallery

VARIANTS: Final = (("standard", 2), ("survivor", 4), ("standard", 2), ("ffa", 4), ("standard", 2), ("teams", 4))
STILL: Final = 20.0
"""Seconds for which a table may stall, beyond the wait for its turn to move."""

SPARE: Final = 16
"""How many idle connections to its store a server may keep."""

QUIET: Final = 200.0
"""Seconds within which everything must be gone: rooms without followers are dropped after a minute at most, and then
kept in the store for two more."""


class BotTable(Table):
    """One player, and a computer player of the first level."""

    async def open(self) -> None:
        host = self.players[0]
        self.room, self.seq = (await host.ask("create", variant=self.variant))["room"], 0
        await host.ask("join", room=self.room)
        await host.ask("bot", room=self.room, level=1)
        self.playing = True


class Soak:
    """The load, and the server's usage."""

    def __init__(self, running: Running, rooms: int, rate: float, churn: float) -> None:
        self._running = running
        self._url = running.urls[0]
        self._churn = churn
        self._patience = STILL + rooms / rate
        self._chance = random.Random(1)
        self.tally = Tally()
        self.pace = Pace(rate)
        self.tables: list[Table] = []
        for n in range(rooms):
            variant, seats = VARIANTS[n % len(VARIANTS)]
            plies = self._chance.randrange(20, 120)
            made: tuple[Any, ...] = ([self._url], seats, self.pace, self.tally, n, plies)
            self.tables.append(Table(variant, *made))
        for n in range(max(1, rooms // 12)):
            self.tables.append(BotTable("standard", [self._url], 1, self.pace, self.tally, n, 40))

    async def begin(self) -> None:
        for table in self.tables:
            await table.connect()
            await table.open()
        self.pace.go()

    async def cut(self) -> None:
        """Cut connections."""
        while True:
            await asyncio.sleep(1 / self._churn)
            self._chance.choice(self._chance.choice(self.tables).players).cut()

    async def watch(self) -> None:
        """Let watchers come and go."""
        while True:
            rooms = [table.room for table in self._chance.sample(self.tables, 3) if table.room]
            gallery = Gallery(self._url, rooms, 10)
            try:
                await gallery.open()
                await asyncio.sleep(self._chance.uniform(5, 30))
            finally:
                await gallery.close()

    async def desert(self) -> None:
        """Open tables and go away."""
        while True:
            await asyncio.sleep(2)
            table = Table("standard", [self._url], 1, self.pace, self.tally, 0)
            await table.connect()
            await table.open()
            await table.close()

    async def mind(self) -> None:
        """Check that no table stalls."""
        last: dict[Table, tuple[str, int]] = {}
        since: dict[Table, float] = {}
        while True:
            at = time.monotonic()
            for table in self.tables:
                if last.get(table) != (table.room, table.seq):
                    last[table], since[table] = (table.room, table.seq), at
                elif at - since[table] > self._patience:
                    since[table] = math.inf  # once is enough
                    self.tally.errors["stood still"] += 1
                    print(json.dumps({"stands_still": await self._known(table)}), file=sys.stderr, flush=True)
            await asyncio.sleep(1)

    async def _known(self, table: Table) -> dict[str, Any]:
        """The state of a table's players, and of a new watcher."""
        known = {"room": table.room, "variant": table.variant, "seq": table.seq, "playing": table.playing}
        watcher = Table(table.variant, [self._url], 1, self.pace, self.tally, 0)
        await watcher.connect()
        try:
            shown = await watcher.players[0].ask("watch", room=table.room)
        except RuntimeError as error:
            shown = {"error": str(error)}
        await watcher.close()
        return known | {"players": [player.known() for player in table.players], "shown": shown}

    async def host(self) -> None:
        """Run computer players, who leave soon after a game is over."""
        await host(Hosting(self._url, BOTS_KEY, pace=0.1, stay=5), lambda line: print(line, file=sys.stderr))

    async def end(self) -> None:
        """Everybody resigns and leaves."""
        self.pace.halt()
        for table in self.tables:
            await table.give_up()
            await table.close()

    def look(self) -> dict[str, Any]:
        """The server's current usage."""
        server, store = self._running.servers[0], self._running.store
        assert store is not None and self._running.store_url is not None  # it has its own
        with urllib.request.urlopen(f"{self._url}/metrics", timeout=60) as page:
            metrics = dict(line.rsplit(" ", 1) for line in page.read().decode().splitlines() if line[0] != "#")
        with Redis.from_url(self._running.store_url) as client:
            keys = client.dbsize()
            named = sorted(key.decode() for key in client.scan_iter(count=1000)) if keys < 10 else []
        return {
            "server_bytes": server.memory(),
            "store_bytes": store.memory(),
            "files": server.files(),
            "keys": keys,
            "named": named,
            "connections": int(float(metrics["fourfold_connections"])),
            "rooms": sum(int(float(n)) for name, n in metrics.items() if name.startswith("fourfold_rooms{")),
            "tasks": int(float(metrics["fourfold_tasks"])),
        }


async def soak(running: Running, options: argparse.Namespace) -> dict[str, Any]:
    """All of it; returns the report."""
    work = Soak(running, options.rooms, options.rate, options.churn)
    before = await asyncio.to_thread(work.look)
    await work.begin()
    others = [asyncio.create_task(job) for job in (work.host(), work.cut(), work.watch(), work.desert(), work.mind())]
    lines: list[dict[str, Any]] = []
    start = time.monotonic()
    while (passed := time.monotonic() - start) < options.minutes * 60:
        await asyncio.sleep(min(60, options.minutes * 60 - passed))
        line = await asyncio.to_thread(work.look)
        tally = work.tally
        line |= {"minute": round((time.monotonic() - start) / 60, 1), "moves": tally.moves, "games": tally.games}
        line |= {"reconnects": tally.reconnects, "errors": dict(tally.errors)}
        lines.append(line)
        print(json.dumps(line), file=sys.stderr, flush=True)
        for job in others:
            if job.done():
                job.result()  # it has failed
    hosting, *coming_and_going = others
    for job in coming_and_going:
        job.cancel()
    await asyncio.gather(*coming_and_going, return_exceptions=True)
    await work.end()
    hosting.cancel()
    await asyncio.gather(hosting, return_exceptions=True)
    after = await _quiet(work, before)
    after["files"] = max(before["files"], after["files"] - SPARE)
    growth = {name: _growth([line[name] for line in lines]) for name in ("server_bytes", "store_bytes")}
    left = {name: after[name] - before[name] for name in ("files", "keys", "connections", "rooms", "tasks")}
    return {
        "minutes": options.minutes,
        "moves": work.tally.moves,
        "games": work.tally.games,
        "reconnects": work.tally.reconnects,
        "seen_ms": spread(work.tally.seen),
        "errors": dict(work.tally.errors),
        "before": before,
        "after": after,
        "growth": growth,
        "left": left,
        "passed": not (work.tally.errors or any(n > 0 for n in left.values()) or any(n > 1.1 for n in growth.values())),
    }


async def _quiet(work: Soak, before: dict[str, Any]) -> dict[str, Any]:
    """The server's usage after everybody has left: once it is back to the value before, or after the time limit."""
    start = time.monotonic()
    while True:
        await asyncio.sleep(5)
        after = await asyncio.to_thread(work.look)
        names = ("keys", "connections", "rooms", "tasks")
        if all(after[name] <= before[name] for name in names) or time.monotonic() - start > QUIET:
            return after


def _growth(sizes: Sequence[int]) -> float:
    """Growth from the second quarter to the last; None with too few values."""
    quarter = len(sizes) // 4
    if not quarter:
        return 1.0
    return median(sizes[-quarter:]) / median(sizes[quarter : 2 * quarter])


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.soak", description="Checks that nothing grows.")
    parser.add_argument("--minutes", type=float, default=60, help="how long (60)")
    parser.add_argument("--rooms", type=int, default=24, help="tables at a time (24)")
    parser.add_argument("--rate", type=float, default=60, help="moves per second over all of them (60)")
    parser.add_argument("--churn", type=float, default=1, help="cut connections per second (1)")
    parser.add_argument("--json", action="store_true", help="print one JSON object in the end")
    options = parser.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="fourfold-soak-")))
        url, server = stack.enter_context(program("tests.bench.forgetful", str(folder)))
        store = Process(int((folder / "store.lock").read_text()))
        running = Running([url], [server], store, f"unix://{folder / SOCKET}")
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            report = runner.run(soak(running, options))
    if options.json:
        print(json.dumps(report))
    else:
        for name, value in report.items():
            print(f"{name:<12}{value}")
    sys.exit(0 if report["passed"] else 1)


if __name__ == "__main__":
    main()
