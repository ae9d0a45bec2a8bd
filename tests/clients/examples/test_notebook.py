"""The notebook's cells run, without Jupyter. `.ci/extras` runs it with Jupyter too."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

BOOK = Path(__file__).parents[3] / "clients" / "examples" / "four.ipynb"
if not BOOK.exists():
    pytest.skip("the notebook is read in a checkout", allow_module_level=True)
matplotlib = pytest.importorskip("matplotlib")
pytest.importorskip("numpy")


@pytest.mark.slow
def test_every_cell_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(BOOK.parent)
    matplotlib.use("Agg")
    names: dict[str, Any] = {}
    for cell in json.loads(BOOK.read_text())["cells"]:
        source = "".join(cell["source"]) if cell["cell_type"] == "code" else ""
        if "IPython" not in source:
            exec(compile(source, BOOK.name, "exec"), names)
    games = names["games"]
    assert len(games) == 185 and not any(game.failure for game in games)
    assert len(names["scored"]) == 64 and names["made"].shape == (14, 14)
    gained = sum(game.position.points[seat] for game in names["scored"] for seat in range(4))
    assert 0 < sum(names["when"].values()) <= gained
    names["plt"].close("all")
