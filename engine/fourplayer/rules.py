"""The records `SURVIVOR`, `FFA` and `TEAMS`: the variants for four players."""

from __future__ import annotations

from dataclasses import replace

from fourfold.engine.fourplayer import lan
from fourfold.engine.fourplayer.fen4 import Fen4
from fourfold.engine.fourplayer.referee import FourPlayerReferee, TeamReferee
from fourfold.engine.geometry import CROSS_14, EAST, NORTH, SOUTH, WEST
from fourfold.engine.pieces import PieceKind
from fourfold.engine.position import Variant
from fourfold.engine.rules import Side, two_step_castlings

_CLASSIC = (
    "R-0,0,0,0-1,1,1,1-1,1,1,1-0,0,0,0-0-"
    "x,x,x,yR,yN,yB,yK,yQ,yB,yN,yR,x,x,x/x,x,x,yP,yP,yP,yP,yP,yP,yP,yP,x,x,x/x,x,x,8,x,x,x/"
    "bR,bP,10,gP,gR/bN,bP,10,gP,gN/bB,bP,10,gP,gB/bK,bP,10,gP,gQ/"
    "bQ,bP,10,gP,gK/bB,bP,10,gP,gB/bN,bP,10,gP,gN/bR,bP,10,gP,gR/"
    "x,x,x,8,x,x,x/x,x,x,rP,rP,rP,rP,rP,rP,rP,rP,x,x,x/x,x,x,rR,rN,rB,rQ,rK,rB,rN,rR,x,x,x"
)


def _start(swapped: str) -> str:
    """The classic array with king and queen of some colours swapped."""
    text = _CLASSIC
    for colour in swapped:
        king, queen = f"{colour}K", f"{colour}Q"
        text = text.replace(king, "?").replace(queen, king).replace("?", queen)
    return text


STARTS = (
    ("modern", _start("bg")),
    ("classic", _start("")),
    ("4PC", _start("bg")),
    ("4PCo", _start("")),
    ("4PCb", _start("by")),
    ("4PCn", _start("byg")),
    ("4PCrg", _start("rg")),
)
"""The starting arrays by name. They differ only in the positions of each colour's king and queen."""

_SEATS = (
    Side("red", "r", NORTH),
    Side("blue", "b", EAST),
    Side("yellow", "y", SOUTH),
    Side("green", "g", WEST),
)

SURVIVOR = Variant(
    name="survivor",
    title="Survivor",
    summary="Four players, each alone: the last king standing wins.",
    geometry=CROSS_14,
    seats=_SEATS,
    teams=(0, 1, 2, 3),
    referee=FourPlayerReferee(),
    notation=Fen4(),
    move_notation=lan,
    starts=STARTS,
    castlings=two_step_castlings(CROSS_14, _SEATS, ("g1", "h1", "a7", "a8", "g14", "h14", "n7", "n8")),
    minor_pieces_draw=True,
    records="pgn4",
    record_name="Survivor",
)
"""Survivor: the last player left wins."""

FFA = replace(
    SURVIVOR,
    name="ffa",
    record_name="FFA",
    title="Free for all",
    summary="Four players, each alone: the game ends when three are out, and the most points win.",
    values=(1, 3, 5, 5, 9, 0, 1),
    promotion_depth=8,
    promotions=(PieceKind.PROMOTED_QUEEN,),
    scored=True,
    stalemate_eliminates=True,
    dead_kings_walk=True,
    minor_pieces_draw=False,
)
"""Free for all: when three players are out, the most points win."""

TEAMS = replace(
    SURVIVOR,
    name="teams",
    record_name="Teams",
    title="Teams",
    summary="Red and yellow against blue and green: a mate or a king's capture wins for both partners.",
    teams=(0, 1, 0, 1),
    referee=TeamReferee(),
    promotion_depth=11,
    minor_pieces_draw=False,
)
"""Teams: red and yellow against blue and green. Mate or capture either enemy king."""
