"""An untimed game that both players leave: it is adjourned. Then they come back and play on, or it is closed."""

import asyncio
from contextlib import suppress
from functools import partial
from typing import Final

from redis.exceptions import ConnectionError

from fourfold.clients.errors import RequestError
from fourfold.protocol import from_client as ask
from tests.faults.blows import Stage
from tests.faults.guests import World
from tests.faults.orphans import Orphan
from tests.faults.process import until
from tests.world.blows import loses
from tests.world.passers import GIVEN_UP, Passer, insist

LOOK: Final = 0.5
"""Seconds between two looks at the log."""


async def adjourn(stage: Stage, world: World) -> None:
    """Two players go away in the middle of a game without a clock."""
    people = [Passer(world, "leaving") for _ in range(2)]
    await asyncio.gather(*(one.reach() for one in people))
    wanted = "begun"
    try:
        async with asyncio.timeout(GIVEN_UP):
            key = people[0].connection.new_key()
            room = await people[0].open(ask.Create(variant="standard", visibility="private", key=key))
            for one in people:
                await insist(partial(one.connection.join, room))
                one.start(room)
            for one in people:
                await one.begun()
        for one in people:
            one.vanish()
        returning = world.chance.random() < 0.5
        for wanted in ("adjourned", "returned" if returning else "finished"):
            if wanted == "returned":
                for one in people:
                    one.come_back()
            await until(partial(_has, stage, room, wanted), GIVEN_UP, pause=LOOK)
        if returning:
            async with asyncio.timeout(GIVEN_UP):
                await asyncio.gather(*(one.play() for one in people))
    except (RequestError, TimeoutError) as error:
        if not loses(stage):
            stage.wrong.append(f"{people[0].room}, which its players have left, is not {wanted}: {error!r}")
    finally:
        for one in people:
            one.come_back()
        await asyncio.gather(*(one.go() for one in people))


async def _has(stage: Stage, room: str, event: str) -> bool:
    with suppress(ConnectionError):  # the store is away
        return await Orphan(room, 0, event).has_ended(stage.cluster.store)
    return False
