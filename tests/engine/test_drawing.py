"""A board as text, and as a picture."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from fourfold.engine import InvalidNotation, Position, Termination
from fourfold.engine.drawing import _FOOT, _PAINTS, _SHAPES

BROWSER = Path(__file__).parents[2] / "clients/web/static/board/pieces.js"


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


@pytest.mark.parametrize("variant", ["standard", "ffa"])
def test_each_seat_sees_its_own_row_at_the_bottom(variant: str) -> None:
    position = Position.start(variant)
    for seat, king in enumerate(position.kings):
        picture = ElementTree.fromstring(position.svg(280, orientation=seat, coordinates=True))
        places = {(int(part.attrib["x"]), int(part.attrib["y"])) for part in picture if part.tag.endswith("rect")}
        assert len(places) == position.geometry.size
        assert max(y for _, y in places) == 100 * (position.geometry.ranks - 1)
        pieces = {
            part.attrib["transform"]: part[0].attrib["fill"] for part in picture if part.tag.endswith("g")
        }
        colour = _PAINTS[position.seats[seat]].body
        bottom = [place for place, fill in pieces.items() if fill == colour and place.endswith(f" {max(places)[0]})")]
        assert len(bottom) == 8, seat
        labels = [part.text for part in picture if part.tag.endswith("text")]
        assert len(labels) == position.geometry.files + position.geometry.ranks
        assert set(labels) == {*map(str, range(1, position.geometry.ranks + 1)), *"abcdefghijklmn"[: len(labels) // 2]}
        assert king >= 0


def test_arrows_and_marks() -> None:
    position = Position.start()
    picture = position.svg(arrows=["e2e4", "Bg1f3"], marks=["Rd5"])
    assert picture.count('fill="#15781b"') == picture.count('fill="#003088"') == 1
    circle = next(part for part in ElementTree.fromstring(picture) if part.tag.endswith("circle"))
    assert (circle.attrib["cx"], circle.attrib["cy"], circle.attrib["stroke"]) == ("350", "350", "#882020")
    turned = ElementTree.fromstring(position.svg(marks=["d5"], orientation=1))
    assert next(part.attrib["cx"] for part in turned if part.tag.endswith("circle")) == "450"
    for arrow in ("e2", "e2e9", "Xe2e4", "e2e4e5", ""):
        with pytest.raises(InvalidNotation, match="is not an arrow such as") as raised:
            position.svg(arrows=[arrow])
        assert raised.value.code == "bad_arrow"
    with pytest.raises(InvalidNotation, match="'e2e4' is not a square such as"):
        position.svg(marks=["e2e4"])


def test_the_pieces_are_those_of_the_browser() -> None:
    if not BROWSER.exists():
        pytest.skip("the browser client is read in a checkout")
    paths = set(re.findall(r'"(M[^"]+)"', BROWSER.read_text()))
    assert {_FOOT, *(path for shape in _SHAPES.values() for path in (shape.body, *shape.lines, *shape.spots))} <= paths
