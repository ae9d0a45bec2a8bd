"""A board as text, and as a picture."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from fourfold.engine import Position, Termination
from fourfold.engine.drawing import _FOOT, _SHAPES

BROWSER = Path(__file__).parents[2] / "clients/web/static/pieces.js"


def test_two_players() -> None:
    lines = str(Position.start().play("Nc3")).splitlines()
    assert lines[0] == "r n b q k b n r" and lines[-1] == "R . B Q K B N R"
    assert lines[5] == ". . N . . . . ." and len(lines) == 8


def test_four_players() -> None:
    position = Position.start("survivor").play("h2h4").eliminate(1, Termination.RESIGNATION)
    lines = str(position).splitlines()
    assert lines[0].split() == ["yR", "yN", "yB", "yK", "yQ", "yB", "yN", "yR"]
    assert lines[3].split() == ["dbR", "dbP", *["."] * 10, "gP", "gR"] and lines[3].startswith("dbR dbP   .")
    assert {line.index("r") for line in lines if line.lstrip().startswith("r")} == {13}


@pytest.mark.parametrize("variant", ["standard", "ffa"])
def test_the_picture(variant: str) -> None:
    position = Position.start(variant)
    picture = ElementTree.fromstring(position.svg(size=280))
    assert picture.attrib["width"] == picture.attrib["height"] == "280"
    parts = [part.tag.rpartition("}")[2] for part in picture]
    assert parts.count("rect") == position.geometry.size and parts.count("g") == len(position.pieces())
    assert position._repr_svg_() == position.svg()
    # Two squares change.
    moved = ElementTree.fromstring(position.play("h2h4").svg())
    assert len(moved) == len(picture) + 2


def test_a_check_is_marked() -> None:
    assert Position.from_fen("4k3/8/8/8/8/8/8/4R1K1 b - - 0 1").svg().count("#ff2b1a") == 1


def test_the_pieces_are_those_of_the_browser() -> None:
    if not BROWSER.exists():
        pytest.skip("the browser client is read in a checkout")
    paths = set(re.findall(r'"(M[^"]+)"', BROWSER.read_text()))
    assert {_FOOT, *(path for shape in _SHAPES.values() for path in (shape.body, *shape.lines, *shape.spots))} <= paths
