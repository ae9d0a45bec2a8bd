"""Players seek a game that computers fill. Those who come later take seats over from the computers, or get a game of
their own."""

import asyncio
from typing import Any, Final

from fourfold.clients.errors import RequestError
from fourfold.protocol import from_client as ask
from tests.faults.blows import Stage
from tests.faults.guests import World
from tests.world.blows import loses
from tests.world.computers import LEVEL, PLIES, VARIANTS, Host
from tests.world.pairing import Seeker, places
from tests.world.passers import GIVEN_UP

SEEKERS: Final = 3

APART: Final = 6.0
"""Seconds within which they begin to seek. The computers of the first have moved by then."""


class _Seeker(Seeker):
    def __init__(self, world: World, host: Host) -> None:
        super().__init__(world, has_account=False)
        self._host = host

    def wait_in(self, room: str) -> None:
        """See `Seeker`. The host brings the computers there."""
        self._host.wanted.add(room)
        super().wait_in(room)

    async def play_for_a_while(self, wish: dict[str, Any]) -> None:
        """Get a game, and play until it has got somewhere."""
        await asyncio.sleep(self.chance.uniform(0, APART))
        await self.seek(wish)
        await self.play_for(PLIES)


async def fill(stage: Stage, world: World) -> None:
    """All get a game that goes on, each with another seat."""
    clock = ask.Clock(base=60_000 + world.chance.randrange(1000))  # a game that nobody else seeks
    wish = {"variant": world.chance.choice(VARIANTS), "clock": clock, "fill": LEVEL}
    host = Host(world)
    seekers = [_Seeker(world, host) for _ in range(SEEKERS)]
    await asyncio.gather(*(one.reach() for one in (host, *seekers)))
    serving = asyncio.create_task(host.serve())
    try:
        async with asyncio.timeout(GIVEN_UP):
            await asyncio.gather(*(one.play_for_a_while(wish) for one in seekers))
    except (RequestError, TimeoutError) as error:
        if not loses(stage):
            stage.wrong.append(f"those who seek a game with computers have not played: {error!r}, {places(seekers)}")
    finally:
        serving.cancel()
        await host.rest()
        await asyncio.gather(*(one.go() for one in (host, *seekers)))
