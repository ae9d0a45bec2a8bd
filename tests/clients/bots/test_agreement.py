"""Bots agree to a draw, or claim the end of the game, only with good reason."""

from dataclasses import replace

import pytest

from fourfold.clients.bots.agreement import SETTLED, agrees, claims
from fourfold.clients.table import Table
from fourfold.engine.variants import opening, seats

LEVEL = "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1"
WHITE_A_PAWN_UP = "4k3/ppppppp1/8/8/8/8/PPPPPPPP/4K3 w - - 0 1"
TWO_OF_FOUR = (
    "R-0,1,0,1-0,0,0,0-0,0,0,0-{}-0-x,x,x,8,x,x,x/x,x,x,8,x,x,x/x,x,x,1,yK,yR,5,x,x,x/14/14/14/14/14/14/14/14/"
    "x,x,x,rP,7,x,x,x/x,x,x,8,x,x,x/x,x,x,4,rK,3,x,x,x"
)
PARTNERS = (
    "R-0,0,0,0-0,0,0,0-0,0,0,0-0,0,0,0-0-x,x,x,4,yK,3,x,x,x/x,x,x,8,x,x,x/x,x,x,8,x,x,x/14/14/14/"
    "bK,5,yQ,7/13,gK/14/14/14/x,x,x,8,x,x,x/x,x,x,8,x,x,x/x,x,x,3,rK,4,x,x,x"
)
"""Yellow has a queen; the others have only their kings."""


def table(variant: str, position: str | None = None, moves: int = 1000) -> Table:
    there = opening(variant, position=position) if position else opening(variant)
    empty = dict.fromkeys(seats(variant))
    return replace(
        Table("room", variant, there.fen(), 9, "playing", empty, there),  # type: ignore[arg-type]
        moves=("e2e4",) * moves,
    )


@pytest.mark.parametrize("variant", ["standard", "survivor", "ffa", "teams"])
def test_nobody_agrees_before_their_twentieth_move(variant: str) -> None:
    count = len(seats(variant))
    for moves, agreed in ((0, False), (SETTLED * count - 1, False), (SETTLED * count, True)):
        for seat in seats(variant):
            assert agrees(table(variant, moves=moves), seat) is agreed


def test_who_stands_better_plays_on() -> None:
    assert agrees(table("standard", LEVEL), "white")
    assert agrees(table("standard", LEVEL), "black")
    assert not agrees(table("standard", WHITE_A_PAWN_UP), "white")
    assert agrees(table("standard", WHITE_A_PAWN_UP), "black")


def test_partners_stand_as_their_team_does() -> None:
    there = table("teams", PARTNERS)
    assert [seat for seat in there.seats if agrees(there, seat)] == ["blue", "green"]


@pytest.mark.parametrize(
    ("points", "agreed"),
    [("30,0,10,39", ["red"]), ("30,0,10,41", []), ("30,0,29,0", ["red"]), ("30,0,30,0", ["red", "yellow"])],
)
def test_where_points_count_only_who_would_come_first(points: str, agreed: list[str]) -> None:
    there = table("ffa", TWO_OF_FOUR.format(points))
    assert [seat for seat in ("red", "yellow") if agrees(there, seat)] == agreed


def test_a_draw_is_claimed_by_whom_it_costs_nothing() -> None:
    assert claims(table("standard", LEVEL, 8), "white")
    assert not claims(table("standard", WHITE_A_PAWN_UP, 8), "white")
    assert claims(table("standard", WHITE_A_PAWN_UP, 8), "black")


@pytest.mark.parametrize(("points", "claimed"), [("51,0,30,0", True), ("51,0,30,50", True), ("51,0,30,60", False)])
def test_a_game_by_points_is_claimed_by_who_comes_first(points: str, claimed: bool) -> None:
    assert claims(table("ffa", TWO_OF_FOUR.format(points)), "red") is claimed
