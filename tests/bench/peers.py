"""Players for the servers that ours is compared with: like ours, they move when the opponent's move has arrived."""

import asyncio
import random
from collections.abc import Callable
from typing import Any

import msgpack
import msgspec

from tests.bench.tables import Pace, Tally, now
from tests.bench.wire import Wire


class PeerPlayer:
    """One seat at one connection."""

    def __init__(self, table: "PeerTable", seat: int) -> None:
        self.seat = seat
        self.settled = asyncio.Event()
        self.settled.set()
        self.sent_at = 0.0
        self.wire: Wire
        self._table = table

    async def connect(self, url: str) -> None:
        self.wire = await Wire.dial(url, lambda data: self._table.heard(self, data), self._lost, text=self._table.text)

    def send(self, data: bytes) -> None:
        """Make a move."""
        self.settled.clear()
        self.sent_at = now()
        self.wire.send(data)

    def told(self, mover: "PeerPlayer") -> None:
        """A player's move has come here."""
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
    """A room at another server: what `Table` is for ours, as far as a load needs it."""

    text = False

    def __init__(self, url: str, seats: int, pace: Pace, tally: Tally, seed: int) -> None:
        self.pace = pace
        self.tally = tally
        self.chance = random.Random(seed)
        self.players = [PeerPlayer(self, seat) for seat in range(seats)]
        self.ending = False
        self.room = f"{seats}{seed:x}"  # of two loads of the same seed, each has its own
        self._url = f"{url}/{self.room}"

    async def connect(self) -> None:
        """Let all players connect, which is how they come to a room."""
        for player in self.players:
            await player.connect(self._url)

    async def open(self) -> None:
        """Begin."""

    def heard(self, player: PeerPlayer, data: bytes) -> None:
        """A player's connection has brought something."""
        raise NotImplementedError

    async def close(self) -> None:
        """Everybody goes."""
        self.ending = True
        for player in self.players:
            player.wire.close()


class RelayTable(PeerTable):
    """Everybody says something in turn, of the size of a move."""

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


class EveningTable(PeerTable):
    """Random legal games, which the server lists; in text frames, as such servers speak."""

    text = True

    def heard(self, player: PeerPlayer, data: bytes) -> None:
        frame: dict[str, Any] = msgspec.json.decode(data)
        kind = frame["type"]
        if kind == "error":
            self.tally.errors[frame["message"]] += 1
            return
        if kind != "started":
            player.told(self.players[frame["seat"]])
        if frame.get("turn") == ("white", "black")[player.seat]:
            move = msgspec.json.encode({"type": "move", "move": self.chance.choice(frame["legal"])})
            self.pace.offer(lambda: player.send(move))


MakeTable = Callable[[str, int, Pace, Tally, int], PeerTable]
