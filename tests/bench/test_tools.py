"""The measuring tools work: their output can be parsed, and has the right counts."""

import json
import subprocess
import sys
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from tests.bench.capacity import next_size, printed, verdict
from tests.bench.rounds import ROUNDS

ROOT = Path(__file__).parents[2]


def run(module: str, *arguments: str) -> Any:
    command = [sys.executable, "-m", module, *arguments, "--json"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=1000)
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


@pytest.mark.slow
@pytest.mark.parametrize("players", ["2", "4"])
def test_load(players: str) -> None:
    report = run("tests.bench.load", "--rooms", "4", "--players", players, "--seconds", "1", "--watchers", "3")
    assert report["moves"] > 20 and not report["errors"]
    assert 0 < report["acknowledged_ms"]["p50"] <= report["acknowledged_ms"]["p99"]
    assert report["seen_ms"] and report["server_us_per_move"] > 0
    assert report["watchers"]["lost"] == 0


@pytest.mark.slow
def test_capacity() -> None:
    """One step of a small load: how late its moves are depends on the machine."""
    small = "--start", "40", "--seconds", "2", "--minutes", "0.1", "--games", "40"
    found = run("tests.bench.capacity", *small, "--limit", "60000")
    assert found["archived_bytes"] > 500
    (row,) = found["rows"]
    good = row["good"]
    assert (good["players"], good["rooms"], good["watchers"], good["errors"]) == (40, 20, 4, {})
    assert row["ended"] == "time" and row["at_least"]
    assert 1 < good["moves_per_second"] < 30 and 0 < good["seen_ms"]["p50"] <= good["seen_ms"]["p99"]
    assert good["server_bytes"] > 10**7 and good["store_bytes"] > 10**6


def step(busy: float = 0.2, late: float = 1.0, p99: float = 5.0, **errors: int) -> dict[str, Any]:
    return {"generator_busy": busy, "generator_late_ms": late, "seen_ms": {"p99": p99}, "errors": errors}


def test_the_verdict_on_a_load() -> None:
    assert verdict(step(), 50) == "good"
    assert verdict(step(p99=51), 50) == verdict(step(stale=1), 50) == "late"
    assert verdict(step(p99=51, busy=0.9), 50) == verdict(step(p99=51, late=26), 50) == "generator"


def test_a_load_rises_slower_the_busier_the_server_is() -> None:
    assert [next_size(1000, busy) for busy in (0.1, 0.5, 0.9, 1.2)] == [1600, 1250, 1100, 1100]


def test_a_row_that_is_a_lower_bound_says_so() -> None:
    good = {
        "players": 2000, "watchers": 200, "rooms": 1000, "moves_per_second": 400.0, "seen_ms": {"p99": 7.2},
        "server_bytes": 10**8, "store_bytes": 10**7,
    }  # fmt: skip
    rows = [{"name": "compiled", "cores": 1, "at_least": True, "good": good}, {"name": "x", "cores": 2, "good": None}]
    table = printed(rows, 2000).splitlines()
    assert table[2].startswith("| 1 | compiled | at least 2,000 | 200 | 1,000 | 400 | 7 ms | 100 MB; 10 MB | 1.2 GB |")
    assert "none within the limit" in table[3] and len({line.count("|") for line in table}) == 1


@pytest.mark.slow
def test_archiving() -> None:
    found = run("tests.bench.archiving", "--games", "40", "--at-once", "4")
    assert found["archived: archive bytes"] > 500
    assert found["kept in the store: store bytes"] > 500
    assert found["archived: server CPU ms"] > 0


@pytest.mark.slow
def test_calls() -> None:
    report = run("tests.bench.calls", "--rooms", "4", "--moves", "200", "--most", "200")
    assert 50 < report["written"] < 1000 and report["builtin"] > 50
    (calls,) = [calls for name, calls, _ in report["functions"] if name.endswith(" Connection.data_received")]
    assert 0.5 < calls < 1.2, "one for a move, or for some that arrive together"


@pytest.mark.slow
def test_prices() -> None:
    """The prices of requests are right within an order of magnitude: each beside the others, by processor time, since
    machines differ."""
    names = ("create", "watch", "export", "join", "explore", "study", "edit", "games", "/static/NAME", "/ws", *ROUNDS)
    found = run("tests.bench.prices", *names, "--seconds", "0.05")
    assert found.keys() == set(names)
    costs = {name: row["ms"] / row["price"] for name, row in found.items()}
    usual = median(costs.values())
    assert {name: cost / usual for name, cost in costs.items() if not 0.1 < cost / usual < 10} == {}
    assert {found[name]["got"] for name in ROUNDS} == {"ok", "challenge", "reviewed"}, "none was refused"


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize(
    "names", [("resume",), pytest.param(("nodes", "peers", "plies", "ready"), marks=pytest.mark.campaign)]
)
def test_figures(names: tuple[str, ...]) -> None:
    found = run("tests.bench", *names, "--rounds", "1")
    assert found.keys() == set(names)
    assert all(value > 0 for figures in found.values() for value in figures.values())
