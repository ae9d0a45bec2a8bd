"""Measures how much load a server can take: rooms full of games that play themselves over real sockets.

python -m tests.bench.load --rooms 200 --players 2 --seconds 10 [--rate 1000] [--watchers 50] [--json]

starts the server on its embedded store, or `--nodes` of them on one store, without the limits that would hold the load
back, or loads the server at `--url`. In every room random legal games, from a `--seed`, are played as fast as the
answers come, or at `--rate` moves per second over all rooms. Each of the first `--watched` rooms has `--watchers`
watchers. `--churn` times a second a player's connection is cut, reconnects and resumes.

The output has the moves per second; the median and the 99th percentile of the time from a move to its acknowledgement
and to its arrival at the other players; the processor time (user and system) of the servers and of the store, in
microseconds per move; and the memory of the servers per connection and per room, and of the store per move. With
`--json` it is one JSON object. The load comes from this process and is in none of the figures. On a machine with few
cores it competes with them; then only the processor time is meaningful.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import random
import time
from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any, Final

import uvloop

from tests.bench.peers.players import MakeTable, PeerTable
from tests.bench.processes import Running, fourfold
from tests.bench.progress import bar, track
from tests.bench.tables import Pace, Player, Table, Tally
from tests.bench.watchers import Gallery

VARIANTS: Final = {2: "standard", 4: "survivor"}
AT_ONCE: Final = 50
"""How many tables are set up at once."""

PATIENCE: Final = 30.0
"""Seconds that the last answers may take."""


def spread(times: Sequence[float]) -> dict[str, float] | None:
    """The median and the 99th percentile of times in seconds, in milliseconds; None of no times."""
    if not times:
        return None
    ordered = sorted(times)
    return {f"p{part}": ordered[len(ordered) * part // 100] * 1000 for part in (50, 99)}


class Load:
    """Tables at some servers, and the cost of playing there."""

    def __init__(
        self,
        running: Running,
        rooms: int = 0,
        players: int = 2,
        *,
        variant: str | None = None,
        rate: float | None = None,
        churn: float = 0.0,
        seed: int = 1,
        plies: int | None = None,
        apart: bool = False,
        make: MakeTable | None = None,
    ) -> None:
        """With `apart`, the players of a room are spread over the servers; otherwise each room has one server.

        `make` creates the tables of another server than ours.
        """
        self.running = running
        self.tally = Tally()
        self.pace = Pace(rate)
        self.memory: dict[str, float] = {}
        self._churn = churn
        self._chance = random.Random(seed)
        self.tables: list[Table | PeerTable] = []
        for n in range(rooms):
            own = self._chance.getrandbits(64)
            urls = running.urls if apart else [running.urls[n % len(running.urls)]]
            if make is not None:
                self.tables.append(make(urls[0], players, self.pace, self.tally, own))
            else:
                name = variant or VARIANTS[players]
                self.tables.append(Table(name, urls, players, self.pace, self.tally, own, plies))

    async def open(self) -> None:
        """Connect everybody, and open all rooms."""
        connections = sum(len(table.players) for table in self.tables)
        before = self._memory()
        await self._all([table.connect() for table in self.tables], "connecting")
        connected = self._memory()
        await self._all([table.open() for table in self.tables], "opening rooms")
        seated = self._memory()
        self.memory["connection"] = (connected - before) / connections
        self.memory["room"] = (seated - connected) / len(self.tables)

    def _memory(self) -> float:
        return self.running.memory()[0]

    async def _all(self, work: Sequence[Any], what: str) -> None:
        turn = asyncio.Semaphore(AT_ONCE)
        done = 0

        async def one(item: Any) -> None:
            nonlocal done
            async with turn:
                await item
            done += 1
            update(done)

        with bar(what, len(work)) as update:
            await asyncio.gather(*map(one, work))

    async def play(
        self, seconds: float, moves: float = math.inf, apart: Table | PeerTable | None = None
    ) -> dict[str, Any]:
        """Let everybody play for `seconds`, or until `moves` moves are made; returns the cost.

        The times at a table `apart` are not reported.
        """
        tally = self.tally = Tally()
        for table in self.tables:
            table.tally = Tally() if table is apart else tally
        server, store = self.running.cpu()
        grown = self.running.memory()
        start = time.perf_counter()
        self.pace.go()
        cutter = asyncio.create_task(self._cut()) if self._churn else None
        with bar("playing", seconds) as update:
            while (passed := time.perf_counter() - start) < seconds and tally.moves < moves:
                update(passed, f"{tally.moves:,} moves, {tally.moves / max(passed, 0.1):,.0f} a second")
                await asyncio.sleep(min(0.2, seconds - passed))
        self.pace.halt()
        if cutter is not None:
            cutter.cancel()
        wall = time.perf_counter() - start
        server_after, store_after = self.running.cpu()
        made = tally.moves
        await self._settle()
        grown_after = self.running.memory()
        return self._report(wall, made, server_after - server, store_after - store, grown_after[1] - grown[1])

    async def _cut(self) -> None:
        while True:
            await asyncio.sleep(1 / self._churn)
            player = self._chance.choice(self._chance.choice(self.tables).players)
            assert isinstance(player, Player)  # only ours reconnect
            player.cut()

    async def _settle(self) -> None:
        """Wait for the last answers."""
        async with asyncio.timeout(PATIENCE):
            for table in self.tables:
                for player in table.players:
                    await player.settled.wait()

    def _report(self, wall: float, moves: int, server: float, store: float, grown: int) -> dict[str, Any]:
        tally = self.tally
        ours = bool(self.running.servers)
        return {
            "moves": moves,
            "moves_per_second": moves / wall,
            "acknowledged_ms": spread(tally.acknowledged),
            "seen_ms": spread(tally.seen),
            "server_us_per_move": server / moves * 1e6 if moves and ours else None,
            "store_us_per_move": store / moves * 1e6 if moves and ours else None,
            "bytes_per_connection": self.memory["connection"] if ours else None,
            "bytes_per_room": self.memory["room"] if ours else None,
            "store_bytes_per_move": grown / moves if moves and ours else None,
            "games": tally.games,
            "reconnects": tally.reconnects,
            "resumed_ms": spread(tally.resumed),
            "errors": dict(tally.errors),
        }

    async def close(self) -> None:
        """Everybody leaves."""
        for table in self.tables:
            await table.close()


async def in_turn(loads: dict[str, Load], rounds: int, seconds: float) -> dict[str, list[dict[str, Any]]]:
    """Let open loads play in turn, in each of some rounds, and report each round. The first round, in which tables
    fill, does not count. Raises `RuntimeError` if anything failed."""
    results: dict[str, list[dict[str, Any]]] = {name: [] for name in loads}
    for number in track("rounds", range(rounds + 1)):
        for name, load in loads.items():
            report = await load.play(seconds)
            if report["errors"]:
                raise RuntimeError(f"{name}: {report['errors']}")
            if number:
                results[name].append(report)
    return results


async def run(running: Running, options: argparse.Namespace) -> dict[str, Any]:
    """One load from the command line."""
    load = Load(
        running,
        options.rooms,
        options.players,
        variant=options.variant,
        rate=options.rate,
        churn=options.churn,
        seed=options.seed,
        plies=options.plies,
        apart=options.apart,
    )
    await load.open()
    rooms = [table.room for table in load.tables[: options.watched]]
    gallery = Gallery(running.urls[0], rooms, options.watchers) if options.watchers else None
    try:
        if gallery is not None:
            await gallery.open()
        report = await load.play(options.seconds)
        if gallery is not None:
            report["watchers"] = await gallery.close()
    finally:
        await load.close()
    return report


def print_report(report: dict[str, Any]) -> None:
    """The report as readable text."""

    def number(value: float | None, unit: str, digits: int = 1) -> str:
        return "unknown" if value is None else f"{value:,.{digits}f} {unit}"

    print(f"moves                 {report['moves']:,}, {report['moves_per_second']:,.0f} a second")
    for title in ("acknowledged", "seen", "resumed"):
        times = report[f"{title}_ms"]
        if times is not None:
            print(f"{title + ' after':<21} {times['p50']:.1f} ms (median), {times['p99']:.1f} ms (99 %)")
    print(f"processor, server     {number(report['server_us_per_move'], 'µs a move')}")
    print(f"processor, store      {number(report['store_us_per_move'], 'µs a move')}")
    print(f"memory, connection    {number(report['bytes_per_connection'], 'bytes', 0)}")
    print(f"memory, room          {number(report['bytes_per_room'], 'bytes', 0)}")
    print(f"memory, store         {number(report['store_bytes_per_move'], 'bytes a move', 0)}")
    print(f"games over {report['games']}, reconnects {report['reconnects']}, errors {report['errors'] or 'none'}")
    if "watchers" in report:
        print(f"watchers              {report['watchers']}")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.load", description="How much load a server takes.")
    parser.add_argument("--rooms", type=int, default=50, help="how many (50)")
    parser.add_argument("--players", type=int, choices=(2, 4), default=2, help="in each room (2)")
    parser.add_argument("--variant", help="standard, survivor, ffa or teams; default by the number of players")
    parser.add_argument("--seconds", type=float, default=10, help="duration of play (10)")
    parser.add_argument("--rate", type=float, help="moves per second over all rooms; default as fast as possible")
    parser.add_argument("--watchers", type=int, default=0, help="number at each watched room (0)")
    parser.add_argument("--watched", type=int, default=1, help="number of watched rooms (1)")
    parser.add_argument("--churn", type=float, default=0, help="cut connections per second (0)")
    parser.add_argument("--plies", type=int, help="plies after which a player resigns; default never")
    parser.add_argument("--nodes", type=int, default=1, help="servers on one store (1)")
    parser.add_argument("--apart", action="store_true", help="spread the players of a room over different servers")
    parser.add_argument("--url", help="a running server, http://HOST:PORT; its limits apply")
    parser.add_argument("--seed", type=int, default=1, help="seed of the games (1)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    with ExitStack() as stack:
        if options.url:
            running = Running([options.url], [], None, None)
        else:
            running = stack.enter_context(fourfold(options.nodes))
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            report = runner.run(run(running, options))
    if options.json:
        print(json.dumps(report))
    else:
        print_report(report)


if __name__ == "__main__":
    main()
