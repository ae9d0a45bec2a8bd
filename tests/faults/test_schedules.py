"""Crash schedules with the usual options: nothing acknowledged is lost, done twice, or seen in two ways."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.faults.blows import BLOWS
from tests.faults.plan import ARCHIVE_WEIGHTS, SERVED_WEIGHTS, WEIGHTS, plan
from tests.world.blows import OWN

ROOT = Path(__file__).parents[2]


def played(schedules: int, seed: int, keep: Path, *options: str) -> dict[str, Any]:
    """Plays schedules, checks that nothing was lost, done twice or seen in two ways, and returns the summary."""
    wanted = ("--schedules", str(schedules), "--seed", str(seed), "--json", "--keep", str(keep), *options)
    command = [sys.executable, "-m", "tests.faults", *wanted]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    summary: dict[str, Any] = json.loads(ran.stdout)
    assert (summary["lost"], summary["doubled"], summary["divergent"], summary["failed"]) == (0, 0, 0, [])
    assert summary["schedules"] == schedules
    assert summary["acknowledged"] > schedules * 20  # else too little was tried
    return summary


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_a_dozen_schedules(tmp_path: Path) -> None:
    """Half of the schedules run on each store. In half of them, games are archived."""
    summary = played(12, 14, tmp_path)
    assert summary["events"].keys() >= {"moved", "finished", "archived"}
    assert len(summary["blows"]) > len(WEIGHTS) / 3


@pytest.mark.campaign
@pytest.mark.timeout(1800)
def test_fifty_schedules(tmp_path: Path) -> None:
    summary = played(50, 1, tmp_path, "--jobs", "3")
    tried = {"moved", "undone", "redone", "carried", "refused", "superseded", "flagged", "resigned", "eliminated"}
    tried |= {"credited", "finished", "rematched", "unseated", "archived"}
    assert summary["events"].keys() >= tried  # whether a bot is asked to stand in depends on timing
    assert len(summary["blows"]) > len(WEIGHTS) * 3 / 4


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("schedules", [3, pytest.param(8, marks=pytest.mark.campaign)])
@pytest.mark.usefixtures("postgres_binaries")
def test_schedules_with_a_postgresql_archive(tmp_path: Path, schedules: int) -> None:
    summary = played(schedules, 1, tmp_path, "--postgres")
    assert "archived" in summary["events"]
    assert any("archive" in blow for blow in summary["blows"])


def test_a_seed_is_one_schedule() -> None:
    assert [plan(seed) for seed in range(50)] == [plan(seed) for seed in range(50)]
    blows = {blow.what for seed in range(1000) for blow in plan(seed).blows}
    assert blows == WEIGHTS.keys()
    blows = {blow.what for seed in range(1000) for blow in plan(seed, archived=True).blows}
    assert blows == WEIGHTS.keys() | ARCHIVE_WEIGHTS.keys()
    blows = {blow.what for seed in range(1000) for blow in plan(seed, archived=True, served=True).blows}
    assert blows == WEIGHTS.keys() | ARCHIVE_WEIGHTS.keys() | SERVED_WEIGHTS.keys() == BLOWS.keys() - OWN.keys()
