"""Games that play themselves over real sockets: the players of a table choose at random among the legal moves they get,
and record the time until a move is acknowledged, and until an opponent has seen it.

A `Pace` says when they may move: as soon as they can, or at a number of moves per second over all tables.
"""

import asyncio
import random
import time
from array import array
from collections import Counter, deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

import msgpack

from fourfold.protocol.errors import SUBPROTOCOL_MSGPACK
from tests.bench.wire import Refused, Wire

BASE: Final = 3_600_000
"""Milliseconds on each clock, with an increment, so that clocks run but no flag falls."""

now = time.perf_counter


def _seconds() -> "array[float]":
    return array("d")


@dataclass(slots=True)
class Tally:
    """The measurements. Times are in seconds."""

    moves: int = 0
    games: int = 0
    reconnects: int = 0
    acknowledged: "array[float]" = field(default_factory=_seconds)
    seen: "array[float]" = field(default_factory=_seconds)
    resumed: "array[float]" = field(default_factory=_seconds)
    errors: Counter[str] = field(default_factory=Counter)


class Pace:
    """Lets moves be made from `go` to `halt`: at once, or `rate` of them per second."""

    def __init__(self, rate: float | None = None) -> None:
        self.rate = rate
        self._going = False
        self._waiting: deque[Callable[[], None]] = deque()
        self._task: asyncio.Task[None] | None = None

    def offer(self, move: Callable[[], None]) -> None:
        """A player could move now."""
        if self._going and self.rate is None:
            move()
        else:
            self._waiting.append(move)

    def go(self) -> None:
        """Let moves be made from now on."""
        self._going = True
        if self.rate is not None:
            self._task = asyncio.create_task(self._keep(self.rate))
        else:
            waiting, self._waiting = self._waiting, deque()
            for move in waiting:
                move()

    def halt(self) -> None:
        """Stop letting moves be made."""
        self._going = False
        if self._task is not None:
            self._task.cancel()
            self._task = None

    async def _keep(self, rate: float) -> None:
        due, last = 0.0, now()
        while True:
            await asyncio.sleep(0.001)
            at = now()
            due, last = min(due + (at - last) * rate, rate / 10), at
            while due >= 1 and self._waiting:
                due -= 1
                self._waiting.popleft()()


class Player:
    """A player of ours: one identity, and its current connection."""

    def __init__(self, table: "Table", url: str) -> None:
        self.table = table
        self.url = url
        self.wire: Wire
        self._token: str | None = None
        self._ids = 0
        self._asked: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._move: tuple[int, bytes] | None = None  # the unacknowledged one
        self._turn: dict[str, Any] | None = None  # the last one, until this player moves
        self.here = asyncio.Event()
        """Set while the player is connected and follows the room."""
        self.settled = asyncio.Event()
        """Set while none of the player's moves waits for its acknowledgement."""
        self.settled.set()
        self.sent_at = 0.0

    async def connect(self) -> None:
        """Connect, and say hello."""
        url = f"{self.url}/ws?room={self.table.room or self.table.name}"
        self.wire = await Wire.dial(url, self._hear, self._lost, SUBPROTOCOL_MSGPACK, local=self.table.local)
        welcome = await self.ask("hello", **({"token": self._token} if self._token else {}))
        self._token = welcome["token"]

    async def ask(self, type: str, **fields: Any) -> dict[str, Any]:
        """The reply to a request."""
        self._ids += 1
        id = self._ids
        reply: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._asked[id] = reply
        self.wire.send(msgpack.packb({"type": type, "id": id, **fields}))
        try:
            answer = await asyncio.wait_for(reply, 60)
        finally:
            self._asked.pop(id, None)  # a caller may have given up before the answer comes
        if answer["type"] == "error":
            raise RuntimeError(f"{type} was refused: {answer}")
        return answer

    def _hear(self, data: bytes) -> None:
        frame = msgpack.unpackb(data)
        kind = frame["type"]
        if kind == "update":
            self.table.told(self, frame)
        elif kind == "turn":
            self._turn = frame
            self._offer()
        elif (id := frame.get("id")) is not None:
            if self._move is not None and self._move[0] == id:
                self._move = None
                self.settled.set()
                if kind == "ok":
                    if self._turn is not None and self._turn["seq"] < frame["seq"]:
                        self._turn = None  # sent again on reconnection, and this was the move
                    self.table.tally.acknowledged.append(now() - self.sent_at)
                    self.table.tally.moves += 1
                else:
                    self.table.tally.errors[frame["code"]] += 1
                self._offer()  # while it had no answer, this player's turn may have come again
            elif (reply := self._asked.pop(id, None)) is not None:
                reply.set_result(frame)

    def _offer(self) -> None:
        """Let the player move if it is their turn, they are connected, and none of their moves waits for its answer."""
        turn = self._turn
        if turn is not None and self._move is None and self.here.is_set():
            self.table.offer(lambda: self._play(turn))

    def _play(self, turn: dict[str, Any]) -> None:
        """Make a random move, unless there has been a newer turn, or the connection is away."""
        if turn is not self._turn or not self.here.is_set():
            return
        self._turn = None
        table, seq = self.table, turn["seq"]
        self._ids += 1
        move = {"type": "move", "id": self._ids, "room": turn["room"], "seq": seq, "key": f"{turn['room']}{seq}"}
        if table.full:
            move["type"] = "resign"
            del move["seq"]
        else:
            move["move"] = table.choose(turn["legal"])
        data = msgpack.packb(move)
        self._move = self._ids, data
        self.settled.clear()
        self.sent_at = now()
        table.mover = self
        self.wire.send(data)

    def known(self) -> dict[str, Any]:
        """For a report: whether the player is connected, the version of their turn, and whether an answer is due."""
        turn = None if self._turn is None else self._turn["seq"]
        return {"here": self.here.is_set(), "turn": turn, "unanswered": self._move is not None}

    # -- connections that come and go --

    def cut(self) -> None:
        """Drop the connection, if there is a game; it reconnects by itself."""
        if self.here.is_set() and self.table.playing:
            self.here.clear()
            self.wire.cut()

    def _lost(self) -> None:
        if self.table.ending:
            return
        if self.here.is_set():
            self.here.clear()
            self.table.tally.errors["connection lost"] += 1
        self.table.run(self._return())

    async def _return(self) -> None:
        """Reconnect and resume; a move whose answer was lost is sent again."""
        began = now()
        for reply in self._asked.values():
            reply.cancel()
        self._asked.clear()
        try:
            await self.connect()
            if self.table.room:
                await self.ask("watch", room=self.table.room, since=self.table.seq)
        except (OSError, Refused, RuntimeError, TimeoutError) as error:
            self.table.tally.errors[f"not back: {error}"] += 1
            return
        self.here.set()
        self.table.tally.resumed.append(now() - began)
        self.table.tally.reconnects += 1
        if self._move is not None:
            self.sent_at = now()
            self.wire.send(self._move[1])
        self._offer()


class Table:
    """A room and its players, who sit at it from `open` on. When a game is over, they open another room."""

    def __init__(
        self,
        variant: str,
        urls: Sequence[str],
        seats: int,
        pace: Pace,
        tally: Tally,
        seed: int,
        plies: int | None = None,
    ) -> None:
        """The players are spread over the servers at `urls`; after `plies` plies one resigns."""
        self.variant = variant
        self.pace = pace
        self.tally = tally
        self.chance = random.Random(seed)
        self.players = [Player(self, urls[n % len(urls)]) for n in range(seats)]
        self.start: dict[str, Any] = {}
        """Further fields of the request that opens a room."""
        self.name = f"{seed:016x}"
        """The name in connections' URLs before a room exists. Equal names lead to the same worker."""
        self.local: str | None = None
        """The address of this machine from which the players connect; None: any."""
        self.room = ""
        self.seq = 0
        self.ending = False
        self.playing = False
        """Whether all players are in a running game."""
        self.last = False
        """Whether no other game should follow."""
        self.mover: Player | None = None
        self._plies = plies
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def full(self) -> bool:
        """Whether the game has been long enough."""
        return self._plies is not None and self.seq > self._plies

    def limit(self, plies: int) -> None:
        """Let a player resign after some plies, from this game on."""
        self._plies = plies

    def offer(self, move: Callable[[], None]) -> None:
        """A player could move now."""
        self.pace.offer(move)

    def choose(self, legal: Sequence[str]) -> str:
        """The move to play. A seed gives the same move, however a server orders the list."""
        return self.chance.choice(sorted(legal))

    async def connect(self) -> None:
        """Connect all players."""
        for player in self.players:
            await player.connect()
            player.here.set()

    async def open(self) -> None:
        """Open a room, and sit down: the game begins."""
        host = self.players[0]
        clock = {"base": BASE, "increment": 1000}
        created = await host.ask("create", variant=self.variant, clock=clock, **self.start)
        self.room, self.seq = created["room"], 0
        for player in self.players:
            await player.ask("join", room=self.room)
        self.playing = True

    def told(self, player: Player, update: dict[str, Any]) -> None:
        """A player has got a decision."""
        if update["room"] != self.room:
            return
        first = update["seq"] > self.seq
        if first:
            self.seq = update["seq"]
        for event in update["events"]:
            kind = event["type"]
            if kind == "moved" and self.mover is not None and player is not self.mover:
                self.tally.seen.append(now() - self.mover.sent_at)
            elif kind == "finished" and first:
                self.tally.games += 1
                self.playing = False
                if not self.last:
                    self.run(self._again())

    async def _again(self) -> None:
        room, self.room, self.mover = self.room, "", None
        try:
            for player in self.players:
                await player.here.wait()
                await player.ask("leave", room=room)
            await self.open()
        except (RuntimeError, TimeoutError) as error:
            self.tally.errors[f"no new game: {error}"] += 1

    async def give_up(self) -> None:
        """End the game for good, if there is one: all but one resign."""
        self.last = True
        for player in self.players[:1] if len(self.players) == 1 else self.players[1:]:
            with suppress(RuntimeError, TimeoutError):  # it is over already
                await asyncio.wait_for(player.here.wait(), 10)
                await player.ask("resign", room=self.room, key=f"{self.room}up")

    def run(self, work: Any) -> None:
        """Run a background task."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """Everybody leaves."""
        self.ending = True
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for player in self.players:
            player.wire.close()
