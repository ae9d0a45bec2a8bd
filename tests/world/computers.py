"""A person invites computers to a table. A host of bots at any node brings them, again if they go."""

import asyncio
from contextlib import suppress
from typing import Final

from fourfold.clients.errors import RequestError
from fourfold.engine.variants import opening
from fourfold.protocol import from_client as ask
from fourfold.protocol import from_server as told
from fourfold.server.bots import dispatch
from fourfold.server.players.identity import key_of
from tests.faults.blows import Stage
from tests.faults.cluster import SECRET
from tests.faults.guests import World
from tests.world.blows import loses
from tests.world.passers import GIVEN_UP, Passer, insist

VARIANTS: Final = ("standard", "survivor")

LEVEL: Final = 2
"""The level of the computers."""

PLIES: Final = 8
"""How far the game must get."""

GOES: Final = 0.5
"""The chance that a computer that has moved goes, and has to be called again."""


class Host(Passer):
    """Brings the computers that are called to the rooms of one errand."""

    def __init__(self, world: World) -> None:
        super().__init__(world, "host")
        self.wanted: set[str] = set()
        self._computers: list[asyncio.Task[None]] = []

    async def serve(self) -> None:
        """Answer the calls, for ever."""
        calls = await self.connection.serve(dispatch.key_of(key_of(SECRET)))
        async for call in calls:
            if call.room in self.wanted:
                self._computers.append(asyncio.create_task(self._play(call)))

    async def _play(self, call: told.Summon) -> None:
        computer = Passer(self.world, "computer", bot=True, token=call.token)
        await computer.reach()
        try:
            with suppress(RequestError):  # another one is quicker
                await computer.connection.join(call.room)
            computer.start(call.room)
            while computer.table is None or computer.table.status != "finished":
                turn = computer.turn
                if turn is not None and turn.legal:
                    computer.turn = None
                    with suppress(RequestError):
                        await computer.connection.move(call.room, computer.chance.choice(turn.legal), turn.seq)
                        if computer.chance.random() < GOES:
                            return
                await computer.changed(0.5)
        finally:
            await computer.go()

    async def rest(self) -> None:
        """Send all computers away."""
        for computer in self._computers:
            computer.cancel()
        await asyncio.gather(*self._computers, return_exceptions=True)


async def play_computers(stage: Stage, world: World) -> None:
    """The game begins once the computers have come, and goes on although they go."""
    variant = world.chance.choice(VARIANTS)
    person, friend, host = Passer(world, "person"), Passer(world, "friend"), Host(world)
    everybody = (person, friend, host)
    await asyncio.gather(*(one.reach() for one in everybody))
    serving = asyncio.create_task(host.serve())
    try:
        async with asyncio.timeout(GIVEN_UP):
            key = person.connection.new_key()
            room = await person.open(ask.Create(variant=variant, visibility="private", key=key))
            host.wanted.add(room)
            friend.start(room)  # so that another node has the room before the computers are called
            first, *others = opening(variant).seats
            await insist(lambda: person.connection.join(room, first))
            for seat in others:
                await _invite(person, room, seat)
            person.start(room)
            await person.play_for(PLIES)
    except (RequestError, TimeoutError) as error:
        if not loses(stage):
            stage.wrong.append(f"{person.who} can't play computers in {person.room}: {error!r}, {person.table}")
    finally:
        serving.cancel()
        await host.rest()
        await asyncio.gather(*(one.go() for one in everybody))


async def _invite(person: Passer, room: str, seat: str) -> None:
    try:
        await insist(lambda: person.connection.invite(room, LEVEL, seat))
    except RequestError as error:
        if error.code not in ("seat_taken", "already_started"):  # it was granted before, without an answer
            raise
