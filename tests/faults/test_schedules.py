"""Fifty crash schedules with the usual options: nothing acknowledged is lost, done twice, or seen in two ways."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.faults.blows import BLOWS
from tests.faults.plan import ARCHIVE_WEIGHTS, SERVED_WEIGHTS, WEIGHTS, plan

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_fifty_schedules(tmp_path: Path) -> None:
    options = ["--schedules", "50", "--seed", "1", "--jobs", "3", "--json", "--keep", str(tmp_path)]
    command = [sys.executable, "-m", "tests.faults", *options]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    summary = json.loads(ran.stdout)
    assert (summary["lost"], summary["doubled"], summary["divergent"], summary["failed"]) == (0, 0, 0, [])
    assert summary["schedules"] == 50
    assert summary["acknowledged"] > 50 * 20  # otherwise too little was tried
    tried = {"moved", "undone", "redone", "carried", "refused", "superseded", "flagged", "resigned", "eliminated"}
    tried |= {"credited", "finished", "rematched", "unseated", "archived"}
    assert summary["events"].keys() >= tried  # whether a bot is asked to stand in depends on timing
    assert len(summary["blows"]) > len(WEIGHTS) * 3 / 4


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_schedules_with_a_postgresql_archive(postgres_binaries: Path, tmp_path: Path) -> None:
    options = ["--schedules", "8", "--seed", "1", "--jobs", "2", "--postgres", "--json", "--keep", str(tmp_path)]
    command = [sys.executable, "-m", "tests.faults", *options]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    summary = json.loads(ran.stdout)
    assert (summary["lost"], summary["doubled"], summary["failed"]) == (0, 0, [])
    assert "archived" in summary["events"]
    assert any("archive" in blow for blow in summary["blows"])


def test_a_seed_is_one_schedule() -> None:
    assert [plan(seed) for seed in range(50)] == [plan(seed) for seed in range(50)]
    blows = {blow.what for seed in range(1000) for blow in plan(seed).blows}
    assert blows == WEIGHTS.keys()
    blows = {blow.what for seed in range(1000) for blow in plan(seed, archived=True).blows}
    assert blows == WEIGHTS.keys() | ARCHIVE_WEIGHTS.keys()
    blows = {blow.what for seed in range(1000) for blow in plan(seed, archived=True, served=True).blows}
    assert blows == WEIGHTS.keys() | ARCHIVE_WEIGHTS.keys() | SERVED_WEIGHTS.keys() == BLOWS.keys()
