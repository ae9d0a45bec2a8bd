"""Events beside the games of a schedule: pairings, challenges, studies, tables, and attempts to enter a room with a
password. The checker judges their games too.
"""

import asyncio
import random
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, Final

from redis.exceptions import ConnectionError

from fourfold.clients.errors import RequestError
from fourfold.engine.decisions import Decision
from fourfold.protocol import from_client as ask
from fourfold.server.players.identity import Identities, key_of
from tests.faults import studies
from tests.faults.blows import Stage
from tests.faults.cluster import SECRET
from tests.faults.guests import World
from tests.faults.studies import Editor
from tests.world.accounts import sign_in
from tests.world.adjourning import adjourn
from tests.world.blows import loses
from tests.world.challenges import challenge
from tests.world.computers import play_computers
from tests.world.filling import fill
from tests.world.moderating import moderate
from tests.world.pairing import pair
from tests.world.passers import GIVEN_UP, Passer
from tests.world.tables import gather_at_table, lose_seat
from tests.world.widening import widen

EDITED: Final = 3.0
"""Seconds for which a study is edited at most."""

OFTEN: Final = 0.5
SELDOM: Final = 0.1
"""The chance of each errand in a large and in a small world."""


async def _study(stage: Stage, world: World) -> None:
    """Three edit a study at once."""
    chance = world.chance
    if loses(stage):
        return
    editors = [Editor(f"editor{number}", stage.cluster, random.Random(chance.random())) for number in range(3)]
    room = await editors[0].open()
    for editor in editors:
        editor.room = room
    running = [asyncio.create_task(editor.run()) for editor in editors]
    await asyncio.wait(running, timeout=chance.uniform(0.5, EDITED), return_when=asyncio.FIRST_COMPLETED)
    for editor in editors:
        editor.stopped = True
    try:
        async with asyncio.timeout(GIVEN_UP):
            await asyncio.gather(*running)
            log = await _decisions(stage, room)
            await asyncio.gather(*(editor.catch_up(log[-1].seq) for editor in editors))
        studies.check(room, log, editors)
    except (AssertionError, TimeoutError) as error:
        stage.wrong.append(f"the study {room}: {error!r}")
    finally:
        for task in running:
            task.cancel()
        await asyncio.gather(*(editor.close() for editor in editors))


async def _decisions(stage: Stage, room: str) -> list[Decision]:
    """A study's log, as soon as the store is there."""
    while True:
        try:
            return await studies.decisions(stage.cluster, room)
        except ConnectionError:
            await asyncio.sleep(0.1)  # paces the attempts


async def _intrude(stage: Stage, world: World) -> None:
    """A room has a password: nobody gets in without it, neither a stranger nor a bot that was not called."""
    host, stranger = Passer(world, "locker"), Passer(world, "intruder")
    bot = Passer(world, "uncalled", bot=True, token=Identities(key_of(SECRET)).house_bot(2).token)
    await asyncio.gather(*(one.reach() for one in (host, stranger, bot)))
    try:
        key = host.connection.new_key()
        room = await host.open(ask.Create(variant="standard", visibility="private", password="open", key=key))
        for intruder in (stranger, bot):
            for request in (ask.Join(room=room), ask.Watch(room=room), ask.Join(room=room, password="wrong")):
                with suppress(RequestError):
                    await intruder.connection.request(request)
                    stage.wrong.append(f"{intruder.who} is let into {room}, which has a password, by {request}")
        with suppress(RequestError):  # except faults of the store
            await stranger.connection.request(ask.Join(room=room, password="open"))
    finally:
        await asyncio.gather(*(one.go() for one in (host, stranger, bot)))


ERRANDS: Final[tuple[Callable[[Stage, World], Awaitable[None]], ...]] = (
    pair, challenge, _intrude, _study, gather_at_table, lose_seat, sign_in, play_computers,
    adjourn, fill, moderate, widen,
)  # fmt: skip


async def go_on(stage: Stage) -> None:
    """Some of it, one beside the other."""
    chance = random.Random(f"beside {stage.plan.seed}")
    nodes = stage.cluster.nodes[: stage.plan.nodes]

    def door(chance: random.Random) -> Any:
        awake = [node.address for node in nodes if node.address is not None]
        return chance.choice(awake) if awake else None

    world = World(chance, stage.world.recorder, door)
    often = OFTEN if len(stage.plan.games) > 1 else SELDOM
    chosen = [errand for errand in ERRANDS if chance.random() < often]
    await asyncio.gather(*(errand(stage, world) for errand in chosen))
