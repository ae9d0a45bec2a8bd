"""Self-partner: two players on the board for four. Each plays two opposite armies, by the rules of teams."""

from __future__ import annotations

from dataclasses import replace

from fourfold.engine.fourplayer.rules import TEAMS

SELF_PARTNER = replace(
    TEAMS,
    name="selfpartner",
    title="Self-partner",
    summary="Two players with two opposite armies each: a mate or a king's capture wins.",
    one_player_a_team=True,
    record_name="SelfPartner",
)
