"""The measuring tools work: their output can be parsed, and has the right counts."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.bench.rounds import ROUNDS

ROOT = Path(__file__).parents[2]


def run(module: str, *arguments: str) -> Any:
    command = [sys.executable, "-m", module, *arguments, "--json"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
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
def test_archiving() -> None:
    found = run("tests.bench.archiving", "--games", "40", "--at-once", "4")
    assert found["archived: archive bytes"] > 500
    assert found["kept in the store: store bytes"] > 500
    assert found["archived: server CPU ms"] > 0


@pytest.mark.slow
def test_calls() -> None:
    report = run("tests.bench.calls", "--rooms", "4", "--moves", "200")
    assert 50 < report["written"] < 1000 and report["builtin"] > 50
    assert any(name.endswith("Connection.data_received") and 1 <= calls < 1.2 for name, calls, _ in report["functions"])


@pytest.mark.slow
def test_prices() -> None:
    """The prices of requests are right within an order of magnitude, by processor time."""
    names = ("create", "watch", "export", "join", "explore", "study", "edit", "games", "/static/NAME", "/ws", *ROUNDS)
    found = run("tests.bench.prices", *names, "--seconds", "0.05")
    assert found.keys() == set(names)
    assert {name: row for name, row in found.items() if not 0.1 < row["ms"] / row["price"] < 10} == {}
    assert {found[name]["got"] for name in ROUNDS} == {"ok", "challenge", "reviewed"}, "none was refused"


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    "names", [("resume",), pytest.param(("nodes", "peers", "plies", "ready"), marks=pytest.mark.campaign)]
)
def test_figures(names: tuple[str, ...]) -> None:
    found = run("tests.bench", *names, "--rounds", "1")
    assert found.keys() == set(names)
    assert all(value > 0 for figures in found.values() for value in figures.values())
