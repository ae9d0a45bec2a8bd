"""Players who are not part of an attack, and the latency of their moves meanwhile."""

from __future__ import annotations

import asyncio
import json
import time
from itertools import count
from random import Random
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

PAUSE = 0.2
"""Seconds between two moves of a game."""


class Player:
    """A bystander with their own connection."""

    def __init__(self, connection: ClientConnection, latencies: list[float]) -> None:
        self._connection = connection
        self._latencies = latencies
        self._asked: dict[int, tuple[float, asyncio.Future[dict[str, Any]]]] = {}
        self._ids = 0
        self.turns: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()
        """The `turn` frames of a game, and None at its end."""
        self.seq = 0
        """The number of the update that ended the last game."""
        self.reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        async for data in self._connection:
            frame = json.loads(data)
            if frame["type"] == "turn":
                self.turns.put_nowait(frame)
            elif frame["type"] == "update" and any(event["type"] == "finished" for event in frame["events"]):
                self.seq = frame["seq"]
                self.turns.put_nowait(None)
            elif (id := frame.get("id")) in self._asked:
                began, answered = self._asked.pop(id)
                if answered.done():
                    continue  # nobody waits for it any more
                if frame["type"] == "ok":
                    self._latencies.append(time.perf_counter() - began)
                answered.set_result(frame)
        raise ConnectionError("the server has closed the connection of a bystander")

    async def ask(self, type: str, **fields: Any) -> dict[str, Any]:
        self._ids += 1
        answered: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._asked[self._ids] = time.perf_counter(), answered
        await self._connection.send(json.dumps({"type": type, "id": self._ids, **fields}))
        async with asyncio.timeout(240):
            return await answered


class Bystanders:
    """Pairs of players. Each pair plays one game after the other, at the pace of hurried people. `latencies` are
    seconds from a move, or from a vote on the next game, to its `ok`."""

    def __init__(self, url: str, games: int, address: str = "") -> None:
        """All players are at the same `address`; without one, each has their own."""
        self._address = address
        self._url = f"{url.replace('http', 'ws')}/ws"
        self._games = games
        self._connections: list[ClientConnection] = []
        self._tasks: list[asyncio.Task[None]] = []
        self.latencies: list[float] = []

    async def __aenter__(self) -> Bystanders:
        for number in range(self._games):
            await self._begin(number)
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for connection in self._connections:
            await connection.close()

    async def _player(self, number: int) -> Player:
        address = {"X-Forwarded-For": self._address or f"198.51.100.{number % 250}"}
        connection = await connect(self._url, additional_headers=address, compression=None, max_size=None)
        self._connections.append(connection)
        player = Player(connection, self.latencies)
        self._tasks.append(player.reading)
        await player.ask("hello")
        return player

    async def _begin(self, number: int) -> None:
        players = [await self._player(2 * number), await self._player(2 * number + 1)]
        room = (await players[0].ask("create"))["room"]
        for player in players:
            await player.ask("join", room=room)
        self._tasks.append(asyncio.create_task(self._play(players, room, Random(number))))

    async def _play(self, players: list[Player], room: str, random: Random) -> None:
        await asyncio.sleep(random.random() * PAUSE)
        for game in count(1):
            await self._play_one(players, room, game, random)
            asked = await players[0].ask("propose", room=room, kind="rematch", seq=players[0].seq, key=f"{game} again")
            voted = await players[1].ask("vote", room=room, proposal=game, accept=True, key=f"{game} again")
            assert asked["type"] == voted["type"] == "ok", (asked, voted)
            players.reverse()

    async def _play_one(self, players: list[Player], room: str, game: int, random: Random) -> None:
        """A game to its end; the first player is white."""
        for ply in count():
            mover, other = players[ply % 2], players[ply % 2 - 1]
            turn = await mover.turns.get()
            if turn is None:
                await other.turns.get()
                return
            quiet = [move for move in turn["legal"] if len(move) == 4]
            move = random.choice(quiet or turn["legal"])
            reply = await mover.ask("move", room=room, move=move, seq=turn["seq"], key=f"{game} {ply}")
            assert reply["type"] == "ok", reply
            await asyncio.sleep(PAUSE)

    def check(self) -> None:
        """Raise the error of a game or of a connection, if one failed."""
        for task in self._tasks:
            if task.done():
                task.result()

    async def watch_for(self, moves: int, patience: float) -> list[float]:
        """The latencies of the next `moves` moves. Raises `TimeoutError` after `patience` seconds."""
        before = len(self.latencies)
        async with asyncio.timeout(patience):
            while len(self.latencies) < before + moves:
                self.check()
                await asyncio.sleep(0.05)
        return self.latencies[before:]


def percentile(latencies: list[float], percent: float) -> float:
    """In milliseconds."""
    ranked = sorted(latencies)
    return 1000 * ranked[min(len(ranked) - 1, int(len(ranked) * percent / 100))]
