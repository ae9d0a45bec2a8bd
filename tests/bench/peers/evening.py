"""A naive but correct server, as one can write it in an evening: websockets, python-chess and redis-py.

It checks every move, stores it in a Redis that syncs to disk before it answers, and then sends everybody in the room
the move and the next legal moves. It has no clocks, votes, seat tokens, retries, resuming, or second server. `python -m
tests.bench.peers.evening REDIS_URL` listens at a free port of this machine; a room is the path of the URL.
"""

import asyncio
import json
import sys

import chess
import uvloop
from redis.asyncio import Redis
from websockets.asyncio.server import ServerConnection, broadcast, serve


class Game:
    def __init__(self, room: str) -> None:
        self.key = f"game:{room}"
        self.board = chess.Board()
        self.lock = asyncio.Lock()
        self.players: list[ServerConnection] = []

    def situation(self) -> dict[str, object]:
        return {
            "fen": self.board.fen(),
            "turn": "white" if self.board.turn else "black",
            "legal": [move.uci() for move in self.board.legal_moves],
        }


games: dict[str, Game] = {}


async def play(connection: ServerConnection, redis: Redis) -> None:
    assert connection.request is not None  # the handshake is over
    room = connection.request.path
    game = games.setdefault(room, Game(room))
    async with game.lock:
        if not game.players:  # then nobody has loaded the game
            for played in await redis.lrange(game.key, 0, -1):  # type: ignore[misc]
                game.board.push_uci(played.decode())
        game.players.append(connection)
    if len(game.players) == 2:
        broadcast(game.players, json.dumps({"type": "started", **game.situation()}))
    try:
        async for text in connection:
            request = json.loads(text)
            async with game.lock:
                await move(game, connection, request, redis)
    finally:
        game.players.remove(connection)
        if not game.players:
            games.pop(room, None)


async def move(game: Game, connection: ServerConnection, request: dict[str, str], redis: Redis) -> None:
    board = game.board
    try:
        wanted = chess.Move.from_uci(request["move"])
    except ValueError as error:
        await connection.send(json.dumps({"type": "error", "message": str(error)}))
        return
    seat = game.players.index(connection)
    if seat != (not board.turn) or wanted not in board.legal_moves:
        await connection.send(json.dumps({"type": "error", "message": "You cannot play that."}))
        return
    board.push(wanted)
    await redis.rpush(game.key, request["move"])  # type: ignore[misc]
    outcome = board.outcome()
    played = {"seat": seat, "move": request["move"]}
    if outcome is not None:
        broadcast(game.players, json.dumps({"type": "over", **played, "result": outcome.result()}))
        board.reset()
        await redis.delete(game.key)
        broadcast(game.players, json.dumps({"type": "started", **game.situation()}))
    else:
        broadcast(game.players, json.dumps({"type": "moved", **played, **game.situation()}))


async def main(redis_url: str) -> None:
    redis = Redis.from_url(redis_url, max_connections=10_000)
    async with serve(
        lambda connection: play(connection, redis), "127.0.0.1", 0, compression=None, ping_interval=None
    ) as server:
        print(f"ready http://127.0.0.1:{next(iter(server.sockets)).getsockname()[1]}", flush=True)
        await server.serve_forever()


if __name__ == "__main__":
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(main(sys.argv[1]))
