"""A few games of third-party programs while gateway and server are killed. The bots' page reports two hundred."""

import pytest

from tests.faults.gateway import besiege
from tests.games.peers import folder


@pytest.mark.slow
async def test_no_game_is_stuck_or_lost() -> None:
    for name in ("lichess-bot", "botli", "venv"):
        folder(name)
    outcome = await besiege(games=8, seed=1, at_once=4)
    assert outcome.faults == [], outcome
    assert outcome.games == 12 and sum(outcome.by.values()) == 12
