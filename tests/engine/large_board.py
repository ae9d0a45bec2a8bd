"""Four players on a 16x16 board, defined in one file like any variant. The missing corners are four by four squares,
and the armies are further apart."""

from __future__ import annotations

from dataclasses import replace

from fourfold.engine.fourplayer.rules import SURVIVOR
from fourfold.engine.geometry import Geometry
from fourfold.engine.rules import two_step_castlings

CROSS_16 = Geometry("16x16", ("####........####",) * 4 + ("................",) * 8 + ("####........####",) * 4)

_EMPTY = "x,x,x,x,8,x,x,x,x"
_START = (
    "R-0,0,0,0-1,1,1,1-1,1,1,1-0,0,0,0-0-"
    f"x,x,x,x,yR,yN,yB,yK,yQ,yB,yN,yR,x,x,x,x/x,x,x,x,yP,yP,yP,yP,yP,yP,yP,yP,x,x,x,x/{_EMPTY}/{_EMPTY}/"
    "bR,bP,12,gP,gR/bN,bP,12,gP,gN/bB,bP,12,gP,gB/bQ,bP,12,gP,gK/"
    "bK,bP,12,gP,gQ/bB,bP,12,gP,gB/bN,bP,12,gP,gN/bR,bP,12,gP,gR/"
    f"{_EMPTY}/{_EMPTY}/x,x,x,x,rP,rP,rP,rP,rP,rP,rP,rP,x,x,x,x/x,x,x,x,rR,rN,rB,rQ,rK,rB,rN,rR,x,x,x,x"
)

LARGE = replace(
    SURVIVOR,
    name="large",
    title="Large board",
    summary="Four players on a board of 16x16: the last king standing wins.",
    geometry=CROSS_16,
    castlings=two_step_castlings(CROSS_16, SURVIVOR.seats, ("i1", "a8", "h16", "p9")),
    starts=(("large", _START),),
    record_name="Large",
)
