"""An operator's command takes effect once, whichever servers hear it, and in the operator's name."""

import asyncio

from fourfold.engine.decisions import Rejection
from fourfold.engine.match import Status
from fourfold.engine.match.commands import Create, Sit
from fourfold.server.rooms.interventions import Intervention, Interventions, publish
from fourfold.server.rooms.registry import RoomRegistry
from fourfold.server.rooms.room import Room
from tests.server.memory_log import MemoryLog


async def test_seats_are_freed_and_rooms_closed_once() -> None:
    log = MemoryLog(lambda: 1_000)
    rooms = RoomRegistry(log, log.now, b"secret")
    room = await rooms.open(rooms.name("public", "ann"), Create("standard"), "ann")
    assert isinstance(room, Room)
    assert not isinstance(await room.judge(Sit("Bob", "white"), "bob"), Rejection)
    interventions = Interventions(log, rooms)
    await interventions.open()

    async def told(*what: Intervention) -> None:
        for one in what:
            assert await publish(log, one) == 1
        await asyncio.sleep(0)
        await asyncio.gather(*interventions._tasks)

    freeing = Intervention(room.id, "first", "white")
    await told(freeing, freeing)
    assert room.state is not None
    assert (room.seq, room.state.seats[0].player, room.state.kicked) == (3, None, ("bob",))
    interventions.told(b"of a newer version")
    await told(Intervention("nosuchroom", "second"), Intervention(room.id, "third"))
    assert (room.seq, room.state.status) == (4, Status.FINISHED)
    await interventions.close()
    assert await publish(log, freeing) == 0
    await rooms.close()
