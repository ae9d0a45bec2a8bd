"""Tables at which people and bots come and go before the game begins. The checker judges who may do what."""

import asyncio
from contextlib import suppress
from functools import partial
from typing import Final

from fourfold.clients.errors import RequestError
from fourfold.engine.variants import opening
from fourfold.protocol import from_client as ask
from fourfold.server.players.identity import Identities, key_of
from tests.faults.blows import Stage
from tests.faults.cluster import SECRET
from tests.faults.guests import World
from tests.faults.players import NOWHERE
from tests.world.blows import loses
from tests.world.passers import GIVEN_UP, Passer, insist

VARIANTS: Final = ("standard", "survivor", "ffa", "teams")

LEVEL: Final = 1
"""The level of the bots that are invited."""

OFTEN: Final = 8
"""How often each guest asks for something, at most."""


async def gather_at_table(stage: Stage, world: World) -> None:
    """A host, guests and bots ask for seats, give them up, and free those of others. Then the host closes the table, or
    the game begins and is called off."""
    chance = world.chance
    variant = chance.choice(VARIANTS)
    names = opening(variant).seats
    people = [Passer(world, "visitor") for _ in range(chance.randint(2, len(names) + 1))]
    token = Identities(key_of(SECRET)).house_bot(LEVEL).token
    bots = [Passer(world, "called", bot=True, token=token)]
    await asyncio.gather(*(one.reach() for one in (*people, *bots)))
    try:
        host = people[0].connection
        room = await people[0].open(ask.Create(variant=variant, visibility="private", key=host.new_key()))
        await asyncio.gather(*(_come_and_go(one, room, names) for one in (*people, *bots)))
        for one in people:
            with suppress(RequestError):  # they have no seat, the game has begun, or it has not
                await (one.connection.close_room if one is people[0] else one.connection.abort)(room)
    finally:
        await asyncio.gather(*(one.go() for one in (*people, *bots)))


async def lose_seat(stage: Stage, world: World) -> None:
    """A guest who goes away before the game begins loses the seat, and another takes it."""
    host, away, other = people = [Passer(world, kind) for kind in ("waiting", "vanishing", "next")]
    await asyncio.gather(*(one.reach() for one in people))
    try:
        async with asyncio.timeout(GIVEN_UP):
            key = host.connection.new_key()
            room = await host.open(ask.Create(variant="survivor", visibility="private", key=key))
            host.start(room)
            for one, seat in ((host, "red"), (away, "blue")):
                await insist(partial(one.connection.join, room, seat))
            away.vanish()
            await insist(lambda: other.connection.join(room, "blue"), ("unavailable", "seat_taken"))
    except (RequestError, TimeoutError) as error:
        if not loses(stage):
            stage.wrong.append(f"{away.who} has gone, and keeps the seat in {host.room}: {error!r}, {host.table}")
    finally:
        away.come_back()
        await asyncio.gather(*(one.go() for one in people))


async def _come_and_go(guest: Passer, room: str, names: tuple[str, ...]) -> None:
    chance, connection = guest.chance, guest.connection
    for _ in range(chance.randint(1, OFTEN)):
        seat = chance.choice((*names, *names, *names, NOWHERE))
        wishes = (
            (6, ask.Join(room=room, seat=chance.choice((None, seat)))),
            (2, ask.Leave(room=room)),
            (2, ask.Bot(room=room, level=LEVEL, seat=chance.choice((None, seat)))),
            (2, ask.Kick(room=room, seat=seat, key=connection.new_key())),
            (0.1, ask.Close(room=room, key=connection.new_key())),
        )  # fmt: skip
        [request] = chance.choices([request for _, request in wishes], [weight for weight, _ in wishes])
        await asyncio.sleep(chance.uniform(0, 0.1))
        with suppress(RequestError):  # the checker judges it
            await connection.request(request)
