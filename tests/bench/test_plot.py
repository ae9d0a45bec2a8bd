"""Measurements are drawn, with a line for each compared thing."""

import io
from xml.etree import ElementTree

import pytest

from tests.bench import curves

pytest.importorskip("matplotlib", reason="matplotlib is not installed: pip install -e '.[bench]'")
plot = pytest.importorskip("tests.bench.plot")

SVG = "{http://www.w3.org/2000/svg}"


def drawn(found: dict[str, curves.Curves]) -> bytes:
    file = io.BytesIO()
    plot.draw(found, file)
    return file.getvalue()


@pytest.mark.slow
def test_a_picture_has_three_panels_and_no_background() -> None:
    line = {10.0: [2.0, 1.0, 3.0], 100.0: [4.0, 5.0, 6.0]}
    found = {
        "rooms": dict.fromkeys(("ours", "relay"), line),
        "plies": dict.fromkeys(("played", "set up"), line),
        "rates": dict.fromkeys(("ours, p50", "ours, p99", "relay, p50", "relay, p99"), line),
    }
    picture = drawn(found)
    root = ElementTree.fromstring(picture)
    groups = [group.get("id", "") for group in root.iter(f"{SVG}g")]
    assert sum(name.startswith("axes_") for name in groups) == 3
    backgrounds = [root.find(f".//{SVG}g[@id='{name}']/{SVG}path") for name in ("patch_1", "patch_2")]
    assert all(path is not None and "fill: none" in path.get("style", "") for path in backgrounds)
    assert picture == drawn(found), "the same figures give the same file"


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_all_three_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"ROOMS": (2, 4), "RATES": (10, 20), "LONGEST": 20, "STEP": 10, "GAMES": 4, "TURN": 0.3}.items():
        monkeypatch.setattr(curves, name, value)
    found = curves.measure(1)
    assert drawn(found)
    places = {panel: {name: list(line) for name, line in lines.items()} for panel, lines in found.items()}
    assert places["rooms"] == {"ours": [2, 4], "relay": [2, 4]}
    assert places["plies"] == {"played": [0, 10, 20], "set up": [0, 10, 20]}
    assert places["rates"].keys() == {"ours, p50", "ours, p99", "relay, p50", "relay, p99"}
