"""Measurements of the whole server: each function returns plain numbers. `__main__` explains them."""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
import urllib.request
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from typing import Any, Final

import msgpack
import uvloop

from fourfold.engine.decisions import Rejection
from fourfold.engine.match import Decision, State, decide, evolve
from fourfold.engine.match.clock import Control
from fourfold.engine.match.commands import Create, Sit
from fourfold.protocol.errors import SUBPROTOCOL_MSGPACK
from fourfold.server.lobby.index import listing
from fourfold.server.lobby.listing_store import ListingStore, Posting
from fourfold.server.storage.event_log import AppendRequest
from fourfold.server.storage.redis_log import RedisLog
from tests.bench.calls import functions, totals
from tests.bench.load import Load, in_turn
from tests.bench.peers.players import EveningTable, RelayTable
from tests.bench.peers.servers import evening, relay
from tests.bench.processes import NO_LIMITS, Running, executable, fourfold, program, store
from tests.bench.progress import track
from tests.bench.scripted import Scripted, fen_after, long_game
from tests.bench.tables import BASE
from tests.bench.watchers import Gallery
from tests.bench.wire import Wire

Figures = dict[str, Any]

LONG: Final = 500
"""The ply from which a game counts as long."""

LONGEST: Final = 60.0
"""Seconds that a number of moves may take."""


def _run(work: Any) -> Any:
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(work)


async def _in_turn(loads: dict[str, Load], rounds: int, seconds: float) -> dict[str, list[Figures]]:
    """Open the loads' rooms, let them play in turn, and close them."""
    for load in loads.values():
        await load.open()
    results = await in_turn(loads, rounds, seconds)
    for load in loads.values():
        await load.close()
    return results


def _cost(reports: list[Figures]) -> float:
    return median(report["server_us_per_move"] for report in reports)


def _ratio(above: list[Figures], below: list[Figures]) -> float:
    pairs = zip(above, below, strict=True)
    return median(a["server_us_per_move"] / b["server_us_per_move"] for a, b in pairs)


def peers(rounds: int) -> Figures:
    """Processor time per move of ours, of the relay, and of the evening's server; 200 rooms of two, 100 of four."""
    with ExitStack() as stack:
        ours = stack.enter_context(fourfold())
        bare = stack.enter_context(relay())
        naive = stack.enter_context(evening())
        loads = {
            "relay, two": Load(bare, 200, 2, make=RelayTable),
            "ours, two": Load(ours, 200, 2),
            "evening, two": Load(naive, 200, 2, make=EveningTable),
            "relay, four": Load(bare, 100, 4, make=RelayTable),
            "ours, four": Load(ours, 100, 4),
        }
        found = _run(_in_turn(loads, rounds, 1.0))
    return {
        **{f"{name}, µs": _cost(reports) for name, reports in found.items()},
        "store, two, µs": median(report["store_us_per_move"] for report in found["ours, two"]),
        "two: times the relay": _ratio(found["ours, two"], found["relay, two"]),
        "four: times the relay": _ratio(found["ours, four"], found["relay, four"]),
        "times cheaper than the evening's": _ratio(found["evening, two"], found["ours, two"]),
    }


def calls(_: int) -> Figures:
    """The server's function calls per move: a count, which no other load of the machine changes."""
    figures: Figures = {}
    for name, (count, players) in {"two": (50, 2), "four": (25, 4)}.items():
        written, builtin = totals(functions(count, players, 2000))
        figures |= {f"{name}: of functions written in Python": written, f"{name}: of built-in functions": builtin}
    return figures


def latency(rounds: int) -> Figures:
    """From a move to its arrival at the opponent, at a thousand moves per second, in milliseconds."""
    with fourfold() as ours, relay() as bare:
        loads = {
            "relay": Load(bare, 200, 2, make=RelayTable, rate=1000),
            "ours": Load(ours, 200, 2, rate=1000),
        }
        found = _run(_in_turn(loads, rounds, 2.0))
    seen = {name: [report["seen_ms"] for report in reports] for name, reports in found.items()}
    return {
        f"{name}, {part}, ms": median(spread[part] for spread in spreads)
        for name, spreads in seen.items()
        for part in ("p50", "p99")
    }


def rooms(rounds: int) -> Figures:
    """Processor time per move with 10, 100 and 1,000 rooms, and memory of idle connections and rooms."""
    with ExitStack() as stack:
        counts = (10, 100, 1000)
        loads = {str(count): Load(stack.enter_context(fourfold()), count, 2) for count in counts}
        found = _run(_in_turn(loads, rounds, 1.5))
        memory = loads["1000"].memory
    return {
        **{f"{name} rooms, µs": _cost(reports) for name, reports in found.items()},
        "1000 rooms, by 10": _ratio(found["1000"], found["10"]),
        "idle connection, KB": memory["connection"] / 1024,
        "idle room of two with its connections, KB": (memory["room"] + 2 * memory["connection"]) / 1024,
    }


async def _plies(running: Running, count: int, after: int) -> Figures:
    games = [(game, fen_after(game[:LONG])) for game in (long_game(LONG + after, seed) for seed in range(count))]
    loads: dict[str, Load] = {}
    for name in ("short", "long"):
        load = loads[name] = Load(running)
        for game, fen in games:
            long = name == "long"
            script, halt = (game, LONG) if long else (game[LONG:], 0)
            table = Scripted(running.urls[0], load.pace, load.tally, script, halt)
            if not long:
                table.start = {"position": fen}
            load.tables.append(table)
        await load.open()
        load.pace.go()
        for table in load.tables:
            assert isinstance(table, Scripted)  # just made
            await table.arrived.wait()
        load.pace.halt()
    costs: dict[str, float] = {}
    for name in ("short", "long"):
        for table in loads[name].tables:
            assert isinstance(table, Scripted)  # as above
            table.go_on()
        report = await loads[name].play(LONGEST, count * after)
        if report["moves"] != count * after:
            raise RuntimeError(f"{report['moves']} of {count * after} moves were made")
        costs[name] = report["server_us_per_move"]
        await loads[name].close()
    return costs


def plies(rounds: int) -> Figures:
    """Processor time per move from ply 500 on, compared with the same moves in games that begin there."""
    with fourfold() as running:
        found = [_run(_plies(running, 60, 40)) for _ in track("plies", range(rounds))]
    return {
        f"from ply {LONG}, µs": median(costs["long"] for costs in found),
        "the same moves from ply 0, µs": median(costs["short"] for costs in found),
        "long game, compared with a short one": median(costs["long"] / costs["short"] for costs in found),
    }


async def _watched(running: Running, watchers: int, seconds: float) -> Figures:
    """One of twenty rooms has watchers. The times of the other rooms, and the time until all watchers have seen a
    move."""
    load = Load(running, 20, 2, rate=100)
    await load.open()
    gallery = Gallery(running.urls[0], [load.tables[0].room], watchers)
    await gallery.open()
    watched, elsewhere = load.tables[0], load.tables[1:]
    try:
        report = await load.play(seconds, apart=watched)
        seen = await gallery.close()
    finally:
        await load.close()
    assert len(elsewhere) == 19  # the watched room's times are not counted
    return {**report["seen_ms"], "all": seen["first_to_last_ms"], "lost": seen["lost"]}


def watchers(rounds: int) -> Figures:
    """The effect of a game with a thousand and with ten thousand watchers on other rooms."""
    figures: Figures = {}
    for count in (0, 1000, 10_000):
        name = f"{count:,} watchers"
        with fourfold() as running:
            found = [_run(_watched(running, count, 4.0)) for _ in track(name, range(rounds))]
        figures[f"{name}: elsewhere p50, ms"] = median(one["p50"] for one in found)
        figures[f"{name}: elsewhere p99, ms"] = median(one["p99"] for one in found)
        if count:
            figures[f"{name}: from the first to the last, ms"] = median(one["all"]["p50"] for one in found)
            figures[f"{name}: lost"] = sum(one["lost"] for one in found)
    return figures


async def _beside_a_crowd(running: Running, galleries: Sequence[str], crowd: int, seconds: float) -> Figures:
    """One of twenty rooms is watched by a crowd at each of some servers; the times of all players."""
    load = Load(running, 20, 2, rate=40)
    await load.open()
    crowds = [Gallery(url, [load.tables[0].room], crowd, "nice", "-n", "19") for url in galleries if crowd]
    for each in crowds:
        await each.open()
    try:
        report = await load.play(seconds)
        seen = [await each.close() for each in crowds]
    finally:
        await load.close()
    by_all = sum(one["seen_by_all"] for one in seen)
    return {**report["seen_ms"], "lost": sum(one["lost"] for one in seen), "by all": by_all}


def crowd(rounds: int) -> Figures:
    """The effect on players of ten thousand watchers at each of two servers for watchers.

    These servers and the watchers run at the lowest priority, as if on other machines.
    """
    figures: Figures = {}
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="fourfold-bench-")))
        running = stack.enter_context(fourfold(data=folder))
        assert running.store_url is not None  # it is our own
        flags = ("--port", "0", "--redis", running.store_url, "--data", str(folder), "--watchers-only")
        command = ("nice", "-n", "19", sys.executable, "-m", "fourfold.server", *flags)
        urls = [stack.enter_context(executable(*command, **NO_LIMITS))[0] for _ in range(2)]
        for count in (0, 10_000):
            found = [_run(_beside_a_crowd(running, urls, count, 4.0)) for _ in track(f"{count:,}", range(rounds))]
            for part in ("p50", "p99"):
                figures[f"2 x {count:,} watchers elsewhere: {part}, ms"] = median(one[part] for one in found)
            if count:
                figures[f"2 x {count:,} watchers: lost"] = sum(one["lost"] for one in found)
                figures[f"2 x {count:,} watchers: updates that all have seen"] = sum(one["by all"] for one in found)
    return figures


async def _resume(running: Running, game: list[str], missed: tuple[int, ...], times: int) -> dict[int, float]:
    load = Load(running)
    table = Scripted(running.urls[0], load.pace, load.tally, game, len(game))
    load.tables.append(table)
    await load.open()
    load.pace.go()
    await table.arrived.wait()
    found: dict[int, list[float]] = {count: [] for count in missed}
    come: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
    for count in track("resuming", missed * times):
        wire = await Wire.dial(
            f"{running.urls[0]}/ws",
            lambda data: come.put_nowait(msgpack.unpackb(data)),
            lambda: None,
            SUBPROTOCOL_MSGPACK,
        )
        wire.send(msgpack.packb({"type": "hello"}))
        await come.get()
        start = time.perf_counter()
        wire.send(msgpack.packb({"type": "watch", "room": table.room, "since": table.seq - count}))
        while True:
            frame = await come.get()
            if frame["type"] == "update" and frame["seq"] == table.seq:
                break
        found[count].append(time.perf_counter() - start)
        wire.cut()
    await load.close()
    return {count: median(took) for count, took in found.items()}


def resume(rounds: int) -> Figures:
    """The time until a client has 10 and 1,000 missed moves, in milliseconds."""
    with fourfold() as running:
        found = _run(_resume(running, long_game(1010, 1), (10, 1000), 4 * rounds))
    return {f"{count:,} missed moves, ms": took * 1000 for count, took in found.items()}


async def _fill(url: str, count: int) -> None:
    """Put running games with clocks into a store: their logs, listings and deadlines."""
    log = await RedisLog.open(url)
    board = ListingStore(log)
    state: State | None = None
    postings: list[Posting] = []
    for number in track("filling the store", range(count)):
        room, state, appends = f"room{number}", None, []
        create = Create("standard", control=Control(BASE), seed=number)
        for seq, (command, by) in enumerate(((create, "a"), (Sit("Ann"), "a"), (Sit("Bob"), "b"))):
            events = decide(state, command, by, log.now())
            assert not isinstance(events, Rejection)  # these appends can't fail
            appends.append(log.append(AppendRequest(room, seq, by, f"{seq}", events)))
            state = evolve(state, Decision(seq + 1, log.now(), by, f"{seq}", events))
        postings.append(Posting(room, 3, listing(room, state, 0, empty=False)))
        await asyncio.gather(*appends)
    for start in range(0, count, 100):
        await board.post(postings[start : start + 100])
    await log.remind({posting.room: log.now() + BASE for posting in postings})
    await log.close()


def _until_ready(url: str) -> float:
    start = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="fourfold-bench-") as folder:
        arguments = ("--port", "0", "--redis", url, "--data", folder)
        with program("fourfold.server", *arguments, **NO_LIMITS) as (address, _):
            with urllib.request.urlopen(f"{address}/readyz", timeout=60) as answer:
                assert answer.status == 200  # otherwise it would have raised
            return time.perf_counter() - start


def ready(rounds: int) -> Figures:
    """The time from a server's start until it is ready, with no rooms and with ten thousand."""
    figures: Figures = {}
    with store() as (url, _):
        for count in (0, 10_000):
            _run(_fill(url, count))
            took = [_until_ready(url) for _ in track("starting", range(rounds))]
            figures[f"ready with {count:,} rooms, s"] = median(took)
    return figures


def nodes(rounds: int) -> Figures:
    """The moves of several processes, each on a separate core, per move of one; by their processor time."""
    several = {"two": 2, "two workers": 2, "four workers": 4}
    with fourfold() as one, fourfold(nodes=2) as two, fourfold(workers=2) as pair, fourfold(workers=4) as four:
        loads = {
            "one server": Load(one, 100, 2),
            "two workers": Load(pair, 100, 2),
            "four workers": Load(four, 100, 2),
            "two, each room at one of them": Load(two, 100, 2),
            "two, the players of a room at both": Load(two, 100, 2, apart=True),
        }
        found = _run(_in_turn(loads, rounds, 1.0))
    first, *others = loads
    return {
        **{f"{name}, µs": _cost(reports) for name, reports in found.items()},
        **{
            f"{name}: moves for one": several[name.partition(",")[0]] / _ratio(found[name], found[first])
            for name in others
        },
    }
