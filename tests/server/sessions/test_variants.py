"""The server's list of variants is the list that it plays."""

import re
from pathlib import Path
from typing import Any

import pytest

from fourfold.engine.variants import VARIANTS, opening
from fourfold.server.sessions.variants import variants

PAGE = (Path(__file__).parents[3] / "protocol" / "README.md").read_text()


async def test_anybody_may_ask(dial: Any) -> None:
    for text in (True, False):
        wire = await dial(text=text)
        told = await wire.asks("variants")
        assert told["type"] == "variants"
        assert [one["variant"] for one in told["variants"]] == list(VARIANTS)
        ffa = told["variants"][2]
        assert [seat["seat"] for seat in ffa["seats"]] == ["red", "blue", "yellow", "green"]
        assert [seat["forward"] for seat in ffa["seats"]] == ["north", "east", "south", "west"]
        assert ffa["points"]["pieces"] == {"p": 1, "n": 3, "b": 5, "r": 5, "q": 9, "d": 1}
        assert ffa["points"]["checks"][1] == {"kings": 3, "queen": 5, "other": 20}
        assert (ffa["promotion_rank"], ffa["promotions"]) == (8, [{"move": "q", "piece": "d"}])


async def test_every_start_that_is_told_can_be_played(dial: Any) -> None:
    wire = await dial()
    for one in (await wire.asks("variants"))["variants"]:
        for start in one["starts"]:
            for position in (*start["names"], start["position"]):
                checked = await wire.asks("check", variant=one["variant"], position=position)
                assert checked["faults"] == []


@pytest.mark.parametrize("number", range(len(VARIANTS)))
def test_each_is_told_as_the_engine_has_it(number: int) -> None:
    told, rules = variants()[number], list(VARIANTS.values())[number]
    assert (told.variant, told.title, told.summary) == (rules.name, rules.title, rules.summary)
    assert told.summary and told.title
    assert told.starts[0].position == opening(rules.name).fen()
    names = [name for start in told.starts for name in start.names]
    assert sorted(names) == sorted(name for name, _ in (rules.starts[:1] if rules.draws_start else rules.starts))
    squares = {f"{chr(97 + file)}{rank + 1}" for file in range(told.board.files) for rank in range(told.board.ranks)}
    assert squares - set(told.board.missing) == set(rules.geometry.names)
    assert len(squares) == len(rules.geometry.names) + len(told.board.missing)
    assert [side.team for side in told.seats] == list(rules.teams)
    assert (told.points is not None) == rules.scored
    assert set(told.worth) == {"p", "n", "b", "r", "q"} | {promotion.piece for promotion in told.promotions}


def test_claims_are_those_that_can_come() -> None:
    claims = {one.variant: one.claims for one in variants()}
    two = {one.variant: ["fifty_moves", "threefold"] for one in variants() if len(one.seats) == 2}
    two["crazyhouse"] = ["threefold"]
    more = {one.variant: ["points"] if one.points else [] for one in variants() if len(one.seats) > 2}
    assert claims == two | more and more["ffa"] == ["points"]


def test_the_page_has_the_start_and_the_ranks_of_promotion() -> None:
    assert f"    {opening('survivor').fen()}\n" in PAGE
    row = next(line for line in PAGE.splitlines() if line.startswith("| promotion |"))
    ranks = [int(rank) for rank in re.findall(r"on the (\d+)th", row)]
    promoting = [one for one in variants() if one.promotion_rank is not None and not one.one_player_a_team]
    assert ranks == [one.promotion_rank for one in promoting]
