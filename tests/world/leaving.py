"""Once all faults are mended: one who leaves paired games is warned each time, and must wait after too many."""

import asyncio
import random
from typing import Any, Final

from fourfold.clients.errors import RequestError
from fourfold.protocol import from_server as told
from tests.faults.blows import Stage
from tests.faults.guests import World
from tests.world.blows import loses
from tests.world.passers import Passer

OFTEN: Final = 0.1
"""The chance that somebody leaves games, in a world with an archive."""

CALLED_OFF: Final = 6
"""How many games a player must call off in a row for a cooldown: the rule weighs each with 0.7, and asks for 4."""

COOLDOWN: Final = 600_000
"""The milliseconds of a first cooldown."""

KEPT: Final = 1.0
"""Seconds until the archive has a departure."""


class Leaver(Passer):
    """Counts the warnings."""

    def __init__(self, world: World, kind: str) -> None:
        super().__init__(world, kind)
        self.warnings = 0

    def receive(self, message: Any) -> None:
        """See `Guest`."""
        self.warnings += isinstance(message, told.Error) and message.code == "left_games"

    async def seek(self, pool: str) -> None:
        """Begin a game, and wait until the opponent is seen: nobody leaves one who is away."""
        room, _ = await self.connection.seek(pool=pool, rated=False)
        self.start(room)
        await self.begun()
        while self.away:
            await self.changed(1)


async def leave_games(stage: Stage) -> None:
    """One calls off paired games with another, at times."""
    if not stage.cluster.archives or loses(stage) or random.Random(f"leaving {stage.plan.seed}").random() > OFTEN:
        return
    one, other = Leaver(stage.world, "quitter"), Leaver(stage.world, "patient")
    await asyncio.gather(one.reach(), other.reach())
    try:
        for number in range(CALLED_OFF):
            await asyncio.gather(*(player.seek(f"{one.who}-{number}") for player in (one, other)))
            await one.connection.abort(one.room)
            await asyncio.sleep(KEPT)
            for player in (one, other):
                player.stop()
            warned = one.warnings, other.warnings
            if warned != (number, 0):
                stage.wrong.append(f"{one.who} has left {number} games, the other none, and they are warned {warned}")
        try:
            await one.connection.seek()
            stage.wrong.append(f"{one.who} has left {CALLED_OFF} games, and may go on at once")
        except RequestError as error:
            if error.code != "left_games" or not COOLDOWN * 0.9 < (error.retry or 0) <= COOLDOWN:
                answer = f"{error.code}, {error.retry}"
                stage.wrong.append(f"{one.who} has left {CALLED_OFF} games, and is refused by {answer}")
    finally:
        await asyncio.gather(one.go(), other.go())
