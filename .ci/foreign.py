"""A program of somebody else's, for `.ci/run`: mypy must accept it on the installed package alone."""

import asyncio
import sys

from fourfold.clients.connection import Connection
from fourfold.engine.variants import opening
from fourfold.protocol.from_server import Room, Turn


async def play(url: str) -> None:
    position = opening("standard")
    async with Connection(url, name="Foreign") as connection:
        room: str = await connection.create("standard")
        seat: str = await connection.join(room)
        await connection.invite(room, level=1)
        async for frame in connection.follow(room):
            if isinstance(frame, Room):
                print(f"{seat} at {frame.room}, {len(position.legal_texts())} moves to begin with")
            elif isinstance(frame, Turn):
                version: int = await connection.move(room, frame.legal[0], frame.seq)
                print(f"{frame.legal[0]} is version {version}")
                return


asyncio.run(play(sys.argv[1]))
