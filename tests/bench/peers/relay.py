"""The lower bound of cost: a server without rules. It sends each frame to everybody in the room.

`python -m tests.bench.peers.relay` listens at a free port of this machine; a room is the path of the URL.
"""

import asyncio
from collections import defaultdict

import uvloop
from websockets.asyncio.server import ServerConnection, broadcast, serve

rooms: defaultdict[str, set[ServerConnection]] = defaultdict(set)


async def relay(connection: ServerConnection) -> None:
    assert connection.request is not None  # the handshake is over
    room = rooms[connection.request.path]
    room.add(connection)
    try:
        async for message in connection:
            broadcast(room, message)
    finally:
        room.discard(connection)


async def main() -> None:
    async with serve(relay, "127.0.0.1", 0, compression=None, ping_interval=None) as server:
        print(f"ready http://127.0.0.1:{next(iter(server.sockets)).getsockname()[1]}", flush=True)
        await server.serve_forever()


if __name__ == "__main__":
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(main())
