"""Each planted fault is found by the campaign."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.faults.plants import PLANTS, TRIES, Plant

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
@pytest.mark.parametrize("plant", PLANTS, ids=[plant.name for plant in PLANTS])
def test_it_can_be_planted(plant: Plant) -> None:
    with plant.planted() as source:
        changed = (source / "fourfold" / plant.file).read_text()
        assert changed != (ROOT / plant.file).read_text()
        compile(changed, plant.file, "exec")
    assert len(list(plant.seeds())) == TRIES


SOME = ("acknowledged before it is stored", "a key is forgotten", "a spoiled game counts as gone")
"""Three planted faults that show under different faults of the service."""

EACH = tuple(plant.name for plant in PLANTS)


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("names", [SOME, pytest.param(EACH, marks=pytest.mark.campaign)], ids=["some", "each"])
def test_it_is_found(names: tuple[str, ...]) -> None:
    command = [sys.executable, "-m", "tests.faults", "--plants", *names, "--jobs", "3", "--json"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    summary = json.loads(ran.stdout)
    assert summary["missed"] == []
    assert summary["found"].keys() == set(names)
