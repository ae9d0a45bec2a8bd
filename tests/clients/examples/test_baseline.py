"""The table of the learning example against the levels."""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path

import pytest

pytest.importorskip("numpy")
baseline = pytest.importorskip("fourfold.clients.examples.baseline")
learn = pytest.importorskip("fourfold.clients.examples.learn")


def test_the_spread_of_seeds_and_of_games() -> None:
    mean, error = baseline.spread([[1.0, 0.0, 1.0, 0.0]])
    assert mean == 0.5 and error == pytest.approx(3.18 * math.sqrt(1 / 3) / 2)
    mean, error = baseline.spread([[1.0, 1.0], [0.0, 1.0]])
    assert mean == 0.75 and error == pytest.approx(12.71 * math.sqrt(0.125) / math.sqrt(2))
    assert baseline.spread([[1.0]]) == (1.0, math.inf)
    assert baseline.table({"ffa": {1: [[1.0, 1.0]], 2: [[0.5]]}}).splitlines()[-1] == "| ffa | 100% ± 0% | 50% |"


@pytest.mark.slow
def test_what_is_done_is_not_done_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(learn, "PLIES", 8)
    file = tmp_path / "baseline.json"
    arguments = ["baseline", "--variant", "threeplayers", "--minutes", "0.0001", "--seeds", "1", "--games", "2"]
    monkeypatch.setattr(sys, "argv", [*arguments, "--levels", "1", "--file", str(file)])
    baseline.main()
    points = json.loads(file.read_text())["threeplayers"]["0"]["1"]
    assert len(points) == 2 and all(0 <= one <= 1 for one in points)
    first = capsys.readouterr().out
    baseline.main()
    again = capsys.readouterr().out
    assert "seed 0: 1 games" in first and "seed" not in again
    assert first.splitlines()[-1] == again.splitlines()[-1] and "| threeplayers | " in again
