"""Plans of rating lists."""

from pathlib import Path

import pytest

from fourfold.clients.bots.ratinglist.plan import BadPlan, read
from tests.each import each

ENGINE = """
command = ["tank"]
name = "Tank"
variants = {ffa = ""}
"""


def made(folder: Path, text: str) -> Path:
    path = folder / "plan.toml"
    path.write_text(text)
    return path


def test_keys_of_the_plan_hold_for_variants_that_have_none_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "tank.toml").write_text(ENGINE)
    path = made(tmp_path, """
        levels = [4, 5]
        engines = ["tank.toml"]
        games = 10
        seconds = 1
        [variants.teams]
        [variants.ffa]
        games = 6
        seats = 1
        openings = "mine.txt"
        [variants.survivor]
        levels = [1, 2]
        """)  # fmt: skip
    plan = read(path)
    assert (plan.title, plan.hardware, plan.anchor) == ("Engine ratings", "", None)
    teams, ffa, survivor = plan.sections
    assert [player.name for player in teams.players] == ["4", "5"], "Tank does not play teams"
    assert [player.name for player in ffa.players] == ["4", "5", "Tank"]
    assert [player.name for player in survivor.players] == ["1", "2"]
    assert [(first.name, second.name) for first, second in ffa.pairs] == [("4", "5"), ("4", "Tank"), ("5", "Tank")]
    assert [section.conditions.seats for section in plan.sections] == [1, 1, 2]
    assert [section.conditions.games for section in plan.sections] == [10, 6, 10]
    assert ffa.conditions.openings == str(tmp_path / "mine.txt") and teams.conditions.openings == "balanced"
    assert {section.conditions.budget for section in plan.sections} == {1.0}
    assert [section.conditions.games for section in read(path, games=50).sections] == [50, 50, 50]


def test_the_anchor_is_a_player(tmp_path: Path) -> None:
    text = 'levels = [1, 2]\nanchor = {player = "Level 2", rating = 1200}\n[variants.teams]'
    assert read(made(tmp_path, text)).anchor == ("2", 1200)


def test_levels_can_have_strengths(tmp_path: Path) -> None:
    text = 'levels = [4, "5:1500", "5:1600"]\nanchor = {player = "Level 5 at 1500", rating = 1500}\n[variants.standard]'
    plan = read(made(tmp_path, text))
    assert [(player.name, player.elo) for player in plan.sections[0].players] == [
        ("4", None), ("5 at 1500", 1500), ("5 at 1600", 1600)
    ]  # fmt: skip
    assert plan.anchor == ("5 at 1500", 1500)


@each(("text", "sentence"), [
    ("levls = [1]\n[variants.teams]", "unknown key 'levls' of the plan. Keys: title, hardware"),
    ("[variants.teams]\nlevels = [1, 2]\nsize = 2", r"unknown key 'size' of \[variants.teams\]"),
    ("levels = [1, 9]\n[variants.teams]", "levels is a list of some of the levels 1, 2, 3, 4, 5, and .*: levels are"),
    ("levels = [1, '5:1']\n[variants.teams]", "strengths as '5:1600', not .*: strengths in Elo are 1.* to .*, not '1'"),
    ("levels = [1, '4:1500']\n[variants.teams]", "only level 5 has a strength in Elo, not '4:1500'"),
    ("levels = [1, 5.5]\n[variants.teams]", "levels is a list of some of the levels 1, 2, 3, 4, 5, and of strengths"),
    ("levels = 3\n[variants.teams]", "levels of the plan is a list"),
    ("levels = [1, 2]\ngames = 0\n[variants.teams]", "games of the plan is a whole number from 1, not 0"),
    ("levels = [1, 2]\nseconds = nan\n[variants.teams]", "seconds of the plan is a number of seconds, not nan"),
    ("levels = [1, 2]\nseconds = true\n[variants.teams]", "seconds of the plan is a number of seconds, not True"),
    ("levels = [1, 2]\n[variants.ffa]\nseats = 4", r"\[variants.ffa\]: seats are a number from 1 to 3 in ffa, not 4"),
    ("levels = [1, 1]\n[variants.teams]", "two players of teams are called Level 1"),
    ("levels = [1]\n[variants.teams]", "teams needs two players that play it"),
    ("levels = [1]\nengines = [5]\n[variants.teams]", "engines is a list of profiles"),
    ("engines = ['none']\n[variants.teams]", "there is no profile 'none'"),
    ("engines = ['none.toml']\n[variants.teams]", "none.toml cannot be read"),
    ("levels = [1, 2]\nvariants = {teams = 3}", r"teams is a table, as \[variants.teams\]"),
    ("levels = [1, 2]\nanchor = {player = 'x', rating = 1}\n[variants.teams]", "one of the players Level 1, Level 2"),
    ("levels = [1, 2]\nanchor = {player = 'Level 1'}\n[variants.teams]", "anchor of the plan is a table such as"),
])  # fmt: skip
def test_a_bad_plan_is_refused_with_a_sentence(text: str, sentence: str, tmp_path: Path) -> None:
    with pytest.raises(BadPlan, match=sentence) as caught:
        read(made(tmp_path, text))
    assert str(caught.value).startswith(f"{tmp_path / 'plan.toml'}: ")


def test_a_missing_plan_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadPlan, match="cannot be read"):
        read(tmp_path / "none.toml")
