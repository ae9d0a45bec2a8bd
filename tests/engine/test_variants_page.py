"""The page about the variants has each of them, and its pictures show real positions."""

import re

import pytest

from fourfold.engine import Position
from fourfold.engine.variants import VARIANTS
from tests.engine.pictures import ENGINE, SIZE, pictures

if not ENGINE.exists():
    pytest.skip("the page is read in a checkout", allow_module_level=True)
PAGE = (ENGINE / "VARIANTS.md").read_text()


def test_every_variant_has_its_row() -> None:
    rows = re.findall(r"^\| \[`(\w+)`\]\(#[\w-]+\) \| (\d) \|", PAGE, re.MULTILINE)
    assert {name: int(players) for name, players in rows} == {
        name: len(variant.players) for name, variant in VARIANTS.items()
    }


def test_every_picture_is_as_drawn() -> None:
    """`python -m tests.engine.pictures` draws them again."""
    drawn = pictures()
    assert set(re.findall(r"^!\[[^]]+\]\(([\w/]+\.svg)\)$", PAGE, re.MULTILINE)) == drawn.keys()
    assert not [name for name, position in drawn.items() if (ENGINE / name).read_text() != position.svg(SIZE) + "\n"]


def test_what_the_page_says_of_the_games_in_its_pictures() -> None:
    drawn = pictures()
    won = drawn["twoplayer/king_of_the_hill.svg"].outcome
    assert won is not None and won.winners == (0,)
    assert drawn["twoplayer/three_check.svg"].fen().split()[4] == "2+3"
    assert drawn["fourplayer/walking_king.svg"].walking == (1,)
    assert Position.start("chess960", "518").fen().split()[0] == Position.start().fen().split()[0]
