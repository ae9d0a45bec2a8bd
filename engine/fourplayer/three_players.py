"""Three players on the board for four: Green's army is missing, and so is Green's seat.

In FEN4 the lists still have four entries, and Green counts as out.
"""

from __future__ import annotations

import re
from dataclasses import replace

from fourfold.engine.fourplayer.rules import STARTS, SURVIVOR
from fourfold.engine.geometry import CROSS_14
from fourfold.engine.rules import two_step_castlings

_SEATS = SURVIVOR.seats[:3]


def _without_green(text: str) -> str:
    """A starting array of four without Green's army, rights and seat."""
    return re.sub("10,g[A-Z],g[A-Z]", "12", text).replace("-0,0,0,0-1,1,1,1-1,1,1,1-", "-0,0,0,1-1,1,1,0-1,1,1,0-", 1)


THREE_PLAYERS = replace(
    SURVIVOR,
    name="threeplayers",
    title="Three players",
    summary="Three players, each alone: the last king standing wins.",
    seats=_SEATS,
    teams=(0, 1, 2),
    castlings=two_step_castlings(CROSS_14, _SEATS, ("g1", "h1", "a7", "a8", "g14", "h14")),
    starts=tuple((name, _without_green(text)) for name, text in STARTS),
    record_name="ThreePlayers",
)
