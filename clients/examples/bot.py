"""Plays the first legal move: `python -m fourfold.clients.examples.bot http://127.0.0.1:8080 ROOM`."""

import asyncio, sys
from fourfold.clients.connection import Connection
from fourfold.protocol.from_server import Turn

async def play(url: str, room: str) -> None:
    async with Connection(url, name="First move", room=room) as connection:
        await connection.join(room)
        async for frame in connection.follow(room):
            if isinstance(frame, Turn):
                await connection.move(room, frame.legal[0], frame.seq)

asyncio.run(play(*sys.argv[1:]))
