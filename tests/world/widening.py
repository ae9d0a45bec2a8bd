"""Two seekers of different ratings, each with a range: they meet once both ranges are wide enough, and not before."""

import asyncio
from typing import Final

from fourfold.protocol import from_client as ask
from fourfold.server.lobby.ranges import WIDENS
from tests.faults.blows import Stage
from tests.faults.guests import World
from tests.world.blows import loses
from tests.world.pairing import Seeker, apart, places
from tests.world.passers import GIVEN_UP
from tests.world.rated import register

RANGE: Final = (20, 120)
"""Points of a range at first."""

GAP: Final = (0, 250)
"""Points between the ratings."""

SPEED: Final = "bullet"
"""The speed of their games."""

CLOCKS: Final = 2.0
"""Seconds by which the clocks of nodes and of the store may be ahead of the world's."""

AWAY: Final = (0.1, 3.0)
"""Seconds for which one of them loses the connection: too few to lose the seat."""


async def widen(stage: Stage, world: World) -> None:
    """Both seek. Perhaps one comes back over a new connection."""
    if loses(stage):
        return  # and with it accounts, until their players come back
    chance, archive = world.chance, stage.cluster.archive
    seekers = [Seeker(world, has_account=True) for _ in range(2)]
    ranges = [chance.randint(*RANGE) for _ in seekers]
    gap = chance.randint(*GAP)
    clock = ask.Clock(base=30_000 + chance.randrange(1000))
    await asyncio.gather(*(one.reach() for one in seekers))
    try:
        for one, points in zip(seekers, (1500, 1500 + gap), strict=True):
            await register(stage, one)
            await archive.give_rating(one.connection.player, SPEED, points)
        async with asyncio.timeout(GIVEN_UP):
            seeking = [
                asyncio.create_task(one.seek({"clock": clock, "range": points, "rated": False}))
                for one, points in zip(seekers, ranges, strict=True)
            ]
            if chance.random() < 0.5:
                await _blink(chance.choice(seekers))
            await asyncio.gather(*seeking)
        wide = max(one.since + (gap - points) / WIDENS for one, points in zip(seekers, ranges, strict=True))
        if asyncio.get_running_loop().time() < wide - CLOCKS:
            stage.wrong.append(f"{[one.who for one in seekers]}, {gap} points apart, meet before {wide:.1f} s")
        stage.wrong += filter(None, [apart(seekers)])
        async with asyncio.timeout(GIVEN_UP):
            await asyncio.gather(*(one.play() for one in seekers))
    except TimeoutError:
        stage.wrong.append(f"those with ranges {ranges}, {gap} points apart, have not met: {places(seekers)}")
    finally:
        for one in seekers:
            one.come_back()
            await archive.give_rating(one.connection.player, SPEED, None)
        await asyncio.gather(*(one.go() for one in seekers))


async def _blink(one: Seeker) -> None:
    """A seeker loses the connection for a moment, once they wait."""
    while not one.room:
        await one.changed(1)
    await one.changed(one.chance.uniform(0, 5))
    one.vanish()
    await asyncio.sleep(one.chance.uniform(*AWAY))
    one.come_back()
