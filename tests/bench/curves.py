"""The data of `plot`: a move's cost by the number of rooms and by the length of games, and its latency by the rate.

Each has a line for each compared thing, with points that have the values of all rounds.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Iterable
from contextlib import ExitStack
from typing import Any, Final

import uvloop

from tests.bench.load import Load, in_turn
from tests.bench.peers.players import RelayTable
from tests.bench.peers.servers import relay
from tests.bench.processes import Running, fourfold
from tests.bench.progress import track
from tests.bench.scripted import Scripted, fen_after, long_game

Line = dict[float, list[float]]
"""The values of the rounds, by the place on the horizontal axis."""

Curves = dict[str, Line]

ROOMS: Final = (10, 30, 100, 300, 1000)
RATES: Final = (125, 250, 500, 1000, 2000, 4000)
STEP: Final = 100
LONGEST: Final = 500
GAMES: Final = 60
KEPT_UP: Final = 0.95
"""The share of a rate's moves that a server must have made to count as keeping up."""

TURN: Final = 1.0
"""Seconds for which each server is loaded in a round. At a given rate, it is twice as long."""

PATIENCE: Final = 60.0
"""Seconds that a number of moves may take."""


def _run(work: Any) -> Any:
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(work)


def cost_by_rooms(rounds: int) -> Curves:
    """Microseconds of the server per move, by the number of rooms; each number has a separate server."""
    with ExitStack() as stack:
        loads: dict[str, Load] = {}
        for count in ROOMS:
            loads[f"ours {count}"] = Load(stack.enter_context(fourfold()), count)
            loads[f"relay {count}"] = Load(stack.enter_context(relay()), count, make=RelayTable)
        found = _run(_all_in_turn(loads, rounds))
    return {
        name: {count: [one["server_us_per_move"] for one in found[f"{name} {count}"]] for count in ROOMS}
        for name in ("ours", "relay")
    }


async def _all_in_turn(loads: dict[str, Load], rounds: int) -> dict[str, list[dict[str, Any]]]:
    for load in loads.values():
        await load.open()
    found = await in_turn(loads, rounds, TURN)
    for load in loads.values():
        await load.close()
    return found


def cost_by_plies(rounds: int) -> Curves:
    """The server's microseconds per move, by ply: in games played up to there, and for the same moves in games that
    start there."""
    games = [long_game(LONGEST + STEP, seed) for seed in range(GAMES)]
    curves: dict[str, defaultdict[float, list[float]]] = {"played": defaultdict(list), "set up": defaultdict(list)}
    with fourfold() as running:
        for _ in track("rounds", range(rounds)):
            for name, starts in {"played": (0,), "set up": range(0, LONGEST + 1, STEP)}.items():
                for start in starts:
                    stops = range(start + STEP, LONGEST + STEP + 1 if name == "played" else start + STEP + 1, STEP)
                    for ply, cost in _run(_stages(running, games, start, stops)).items():
                        curves[name][ply].append(cost)
    return {name: dict(line) for name, line in curves.items()}


async def _stages(running: Running, games: list[list[str]], start: int, stops: Iterable[int]) -> dict[int, float]:
    """The cost of a move up to each stop, by the ply before it, in games that begin with one of these plies."""
    load = Load(running)
    for game in games:
        table = Scripted(running.urls[0], load.pace, load.tally, game[start:])
        if start:
            table.start = {"position": fen_after(game[:start])}
        load.tables.append(table)
    await load.open()
    costs: dict[int, float] = {}
    before = start
    for stop in stops:
        for table in load.tables:
            assert isinstance(table, Scripted)  # just made
            await table.arrived.wait()
            table.go_on(stop - start)
        moves = len(games) * (stop - before)
        report = await load.play(PATIENCE, moves)
        if report["moves"] != moves:
            raise RuntimeError(f"{report['moves']} of {moves} moves were made")
        costs[before] = report["server_us_per_move"]
        before = stop
    await load.close()
    return costs


def latency_by_rate(rounds: int) -> Curves:
    """Milliseconds from a move to its arrival at the opponent, by the moves per second in 200 rooms, as long as the
    server keeps up: median and 99th percentile."""
    with fourfold() as ours, relay() as bare:
        loads = {"ours": Load(ours, 200), "relay": Load(bare, 200, make=RelayTable)}
        found = _run(_rates(loads, rounds))
    return {
        f"{name}, {part}": {
            rate: [one["seen_ms"][part] for one in reports]
            for rate, reports in by_rate.items()
            if all(one["moves_per_second"] > KEPT_UP * rate for one in reports)
        }
        for name, by_rate in found.items()
        for part in ("p50", "p99")
    }


async def _rates(loads: dict[str, Load], rounds: int) -> dict[str, dict[float, list[dict[str, Any]]]]:
    found: dict[str, dict[float, list[dict[str, Any]]]] = {name: {} for name in loads}
    for load in loads.values():
        await load.open()
    for rate in track("rates", RATES):
        for load in loads.values():
            load.pace.rate = rate
        for name, reports in (await in_turn(loads, rounds, 2 * TURN)).items():
            found[name][rate] = reports
    for load in loads.values():
        await load.close()
    return found


def measure(rounds: int) -> dict[str, Curves]:
    """All three."""
    return {"rooms": cost_by_rooms(rounds), "plies": cost_by_plies(rounds), "rates": latency_by_rate(rounds)}
