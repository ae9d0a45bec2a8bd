"""Rooms that are opened and looked up at the same moment."""

import asyncio

from fourfold.engine.decisions import Rejection
from fourfold.engine.match.commands import Create
from fourfold.server.rooms.registry import RoomRegistry
from fourfold.server.storage.event_log import LogUnavailable
from tests.server.replication.test_log_writer import LostAnswers


async def test_a_room_is_found_although_opening_it_again_fails() -> None:
    """The request to open it is sent again, to a node whose store then fails; the room was opened long ago."""
    log = LostAnswers(lambda: 1_000)
    rooms = RoomRegistry(log, log.now, b"secret")
    room = rooms.name("public", "ann", "key")
    log.lossy = True
    opening = asyncio.create_task(rooms.open(room, Create("standard"), "ann", "key"))
    await log.landed.wait()
    log.lossy = False
    finding = asyncio.create_task(rooms.find(room))
    await asyncio.sleep(0)
    log.answer(LogUnavailable("given up"))
    assert isinstance(await opening, Rejection)
    assert (await finding).id == room
    await rooms.close()
