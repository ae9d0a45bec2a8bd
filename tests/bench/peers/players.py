"""Players for the compared servers: like ours, they move when the opponent's move has arrived."""

import asyncio
import json
import random
import urllib.request
from collections.abc import Callable, Coroutine
from typing import Any

import msgpack
import msgspec

from fourfold.engine.variants import opening
from tests.bench.tables import Pace, Tally, now
from tests.bench.wire import Wire

PATIENCE = 30.0
"""Seconds that an answer may take."""


class PeerPlayer:
    """One seat at one connection."""

    def __init__(self, table: "PeerTable", seat: int) -> None:
        self.seat = seat
        self.ply = 0
        """How many moves of the game the player has seen."""
        self.settled = asyncio.Event()
        self.settled.set()
        self.greeted = asyncio.Event()
        """Set by servers that confirm the player's entry to the room."""
        self.sent_at = 0.0
        self.wire: Wire
        self._table = table

    async def connect(self, url: str) -> None:
        self.greeted.clear()
        self.wire = await Wire.dial(url, lambda data: self._table.heard(self, data), self._lost, text=self._table.text)

    def send(self, data: bytes) -> None:
        """Make a move."""
        self.settled.clear()
        self.sent_at = now()
        self.wire.send(data)

    def told(self, mover: "PeerPlayer") -> None:
        """A player's move has arrived here."""
        tally = self._table.tally
        if mover is self:
            tally.acknowledged.append(now() - self.sent_at)
            tally.moves += 1
            self.settled.set()
        else:
            tally.seen.append(now() - mover.sent_at)

    def _lost(self) -> None:
        if not self._table.ending:
            self._table.tally.errors["connection lost"] += 1


class PeerTable:
    """A room at another server: the equivalent of `Table`, as far as a load needs it."""

    text = False

    def __init__(self, url: str, seats: int, pace: Pace, tally: Tally, seed: int) -> None:
        self.pace = pace
        self.tally = tally
        self.chance = random.Random(seed)
        self.players = [PeerPlayer(self, seat) for seat in range(seats)]
        self.ending = False
        self.room = f"{seats}{seed:x}"  # two loads of the same seed have separate ones
        self.url = url

    async def connect(self) -> None:
        """Connect all players, which also lets them enter the room."""
        for player in self.players:
            await player.connect(f"{self.url}/{self.room}")

    async def open(self) -> None:
        """Begin."""
        raise NotImplementedError

    def heard(self, player: PeerPlayer, data: bytes) -> None:
        """A player's connection has received a message."""
        raise NotImplementedError

    async def close(self) -> None:
        """Everybody leaves."""
        self.ending = True
        for player in self.players:
            player.wire.close()


class RelayTable(PeerTable):
    """Everybody sends a message in turn, of the size of a move."""

    async def open(self) -> None:
        self._play(self.players[0])

    def _play(self, player: PeerPlayer) -> None:
        room = self.room[:8]
        move = {"type": "move", "id": 1234, "room": room, "move": "e2e4", "seq": 1234, "key": f"{room}1234"}
        data = msgpack.packb({**move, "seat": player.seat})
        self.pace.offer(lambda: player.send(data))

    def heard(self, player: PeerPlayer, data: bytes) -> None:
        seat = msgpack.unpackb(data)["seat"]
        player.told(self.players[seat])
        if player.seat == (seat + 1) % len(self.players):
            self._play(player)


class GameTable(PeerTable):
    """Random legal games for two. A seed gives the same game as at our own tables, unless it is drawn. The
    table computes the legal moves itself, whether a server lists them or not."""

    def __init__(self, url: str, seats: int, pace: Pace, tally: Tally, seed: int) -> None:
        super().__init__(url, seats, pace, tally, seed)
        self._position = opening("standard")
        self._tasks: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        self._offer(self.players[0])

    def write(self, player: PeerPlayer, move: str) -> bytes:
        """A player's move, in the server's form."""
        raise NotImplementedError

    async def standing(self, url: str) -> int:
        """The number of plies that a server at this address shows to returning players."""
        raise NotImplementedError

    async def again(self) -> None:
        """Begin another game when one is over."""
        await self.open()

    def moved(self, player: PeerPlayer, text: str, over: bool) -> None:
        """A player has seen a move, and whether it has ended the game."""
        mover = self.players[player.ply % 2]
        player.ply += 1
        if player.ply > self._position.ply:
            move = next(move for move in self._position.movable() if move.text == text)
            self._position = self._position.play(move)
        player.told(mover)
        if over:
            player.ply = 0
            if not any(other.ply for other in self.players):
                self.tally.games += 1
                self._position = opening("standard")
                self._run(self.again())
        elif player.seat == player.ply % 2:
            self._offer(player)

    def _offer(self, player: PeerPlayer) -> None:
        self.pace.offer(lambda: self._play(player))

    def _play(self, player: PeerPlayer) -> None:
        move = self.chance.choice(sorted(move.text for move in self._position.movable()))
        player.send(self.write(player, move))

    def _run(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: "asyncio.Task[None]") -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self.tally.errors[f"no new game: {error!r}"] += 1

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await super().close()


class RematchTable(GameTable):
    """At a server whose rooms have one game: for another one, its players leave and enter another room."""

    async def again(self) -> None:
        ending, self.ending = self.ending, True  # their connections were closed on purpose
        for player in self.players:
            player.wire.close()
        await self.connect()
        self.ending = ending
        await self.open()


class EveningTable(GameTable):
    """At the evening's server, which uses text frames."""

    text = True

    def write(self, player: PeerPlayer, move: str) -> bytes:
        return msgspec.json.encode({"type": "move", "move": move})

    def heard(self, player: PeerPlayer, data: bytes) -> None:
        frame: dict[str, Any] = msgspec.json.decode(data)
        kind = frame["type"]
        if kind == "error":
            self.tally.errors[frame["message"]] += 1
        elif kind != "started":
            self.moved(player, frame["move"], kind == "over")

    async def standing(self, url: str) -> int:
        shown: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        def hear(data: bytes) -> None:
            if not shown.done():
                shown.set_result(plies(msgspec.json.decode(data)["fen"]))

        wires = [await Wire.dial(f"{url}/{self.room}", hear, lambda: None, text=True) for _ in self.players]
        try:
            return await asyncio.wait_for(shown, PATIENCE)
        finally:
            for wire in wires:
                wire.close()


def plies(fen: str) -> int:
    """The number of plies played, by a FEN."""
    _, turn, *_, number = fen.split()
    return 2 * (int(number) - 1) + (turn == "b")


async def post(url: str, body: dict[str, Any]) -> dict[str, Any]:
    """A server's answer to JSON. Raises `OSError`, of which `urllib.error.HTTPError` is a subclass."""

    def ask() -> dict[str, Any]:
        request = urllib.request.Request(url, json.dumps(body).encode(), {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            answered: dict[str, Any] = json.load(answer)
            return answered

    return await asyncio.to_thread(ask)


MakeTable = Callable[[str, int, Pace, Tally, int], PeerTable]
