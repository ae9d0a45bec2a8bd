"""One process of the load generator of `tests.bench.capacity`: people who play as people do, and watchers.

`python -m tests.bench.generator URL SEED THINK LOCAL` reads orders from standard input, a JSON object a line, and
answers each with a line:

* `{"players": N, "watchers": W}` opens rooms of two until N play and W watch. The answer has the numbers.
* `{"measure": S}` counts for S seconds. The answer has the times of that span in milliseconds, `seen` and
  `acknowledged`; the numbers of `moves`, `games` and `errors`; and about this process `busy`, its share of a processor,
  and `late`, how late the slowest hundredth of its own timers was.

It ends with its input. A player thinks for a random time up to THINK seconds. The connections come from the addresses
from LOCAL on (127.0.0.x), because one address has too few ports.
"""

from __future__ import annotations

import asyncio
import gc
import json
import random
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any, Final

import msgpack
import uvloop

from fourfold.protocol.errors import SUBPROTOCOL_MSGPACK
from tests.bench.tables import Pace, Table, Tally
from tests.bench.wire import Refused, Wire

PLIES: Final = 60
"""The length of a game; then a player resigns, and the players open the next room."""

WATCHED: Final = 10
"""Every tenth room has watchers. Its game does not end."""

AT_ONCE: Final = 10
"""How many rooms are opened at once: games go on meanwhile."""

PORTS: Final = 20_000
"""Connections from one address."""

TICK: Final = 0.05
"""Seconds between the looks at how late timers are."""


class Thinking(Pace):
    """Lets each player think for a random time."""

    def __init__(self, think: float, chance: random.Random) -> None:
        super().__init__()
        self._think = think
        self._chance = chance

    def offer(self, move: Callable[[], None]) -> None:
        """A player could move, and does so after a while."""
        asyncio.get_running_loop().call_later(self._chance.uniform(0, self._think), move)


class Room(Table):
    """A table whose first game is under way, so that games do not all end together."""

    def __init__(self, url: str, pace: Pace, tally: Tally, seed: int, local: str, *, endless: bool) -> None:
        chance = random.Random(seed)
        super().__init__("standard", [url], 2, pace, tally, seed, None if endless else chance.randint(3, PLIES))
        self.local = local
        self._endless = endless
        self._games = 0

    async def open(self) -> None:
        """Open a room, and sit down. The first game ends early, the next ones have their whole length."""
        self._games += 1
        if self._games == 2 and not self._endless:
            self.limit(PLIES)
        await super().open()


class Generator:
    """The people of this process."""

    def __init__(self, url: str, seed: int, think: float, local: str) -> None:
        self._url = url
        self._chance = random.Random(seed)
        self._pace = Thinking(think, self._chance)
        self._network, _, first = local.rpartition(".")
        self._first = int(first)
        self._dialled = 0
        self._tally = Tally()
        self._rooms: list[Room] = []
        self._watchers: list[Wire] = []
        self._lost = 0

    def _local(self) -> str:
        self._dialled += 1
        return f"{self._network}.{self._first + self._dialled // PORTS}"

    async def grow(self, players: int, watchers: int) -> dict[str, Any]:
        """Open rooms and connect watchers until there are so many."""
        turn = asyncio.Semaphore(AT_ONCE)
        new = [
            Room(
                self._url, self._pace, self._tally, self._chance.getrandbits(64), self._local(),
                endless=number % WATCHED == 0,
            )
            for number in range(len(self._rooms), players // 2)
        ]  # fmt: skip

        async def open(room: Room) -> None:
            async with turn:
                await room.connect()
                await room.open()

        await asyncio.gather(*map(open, new))
        self._rooms += new
        watched = [room.room for room in self._rooms[::WATCHED]]
        await asyncio.gather(
            *(self._watch(watched[n % len(watched)], turn) for n in range(len(self._watchers), watchers))
        )
        gc.collect()
        gc.freeze()  # a look at so many objects would make moves late
        return {"players": 2 * len(self._rooms), "watchers": len(self._watchers)}

    async def _watch(self, room: str, turn: asyncio.Semaphore) -> None:
        async with turn:
            url = f"{self._url}/ws?room={room}"
            wire = await Wire.dial(url, _ignore, self._gone, SUBPROTOCOL_MSGPACK, local=self._local())
            wire.send(msgpack.packb({"type": "hello"}))
            wire.send(msgpack.packb({"type": "watch", "room": room}))
            self._watchers.append(wire)

    def _gone(self) -> None:
        self._lost += 1

    async def measure(self, seconds: float) -> dict[str, Any]:
        """Count for some seconds."""
        tally = self._tally = Tally()
        for room in self._rooms:
            room.tally = tally
        late: list[float] = []
        used, start = time.process_time(), time.perf_counter()
        while (passed := time.perf_counter() - start) < seconds:
            await asyncio.sleep(TICK)
            late.append((time.perf_counter() - start - passed - TICK) * 1000)
        errors = dict(tally.errors) | ({"watcher lost": self._lost} if self._lost else {})
        return {
            "moves": tally.moves,
            "games": tally.games,
            "errors": errors,
            "busy": (time.process_time() - used) / passed,
            "late": sorted(late)[len(late) * 99 // 100],
            "seen": [round(took * 1000, 2) for took in tally.seen],
            "acknowledged": [round(took * 1000, 2) for took in tally.acknowledged],
        }


def _ignore(_: bytes) -> None:
    """A watcher's frames are read, and no more."""


async def _obey(arguments: Sequence[str]) -> None:
    url, seed, think, local = arguments
    generator = Generator(url, int(seed), float(think), local)
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while line := await reader.readline():
        order = json.loads(line)
        try:
            if "measure" in order:
                answer = await generator.measure(order["measure"])
            else:
                answer = await generator.grow(order["players"], order["watchers"])
        except (OSError, Refused, RuntimeError, TimeoutError) as error:
            answer = {"failed": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(_obey(sys.argv[1:]))
