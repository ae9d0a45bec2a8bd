"""Measures the lobby's cost for a server without players, while thousands of games go on at others.

python -m tests.bench lobby

simulates four nodes on one store. Three of them hold ten thousand two-player games, append their moves to their logs as
games would, and post their changes. The fourth is a separate process in which only the lobby runs. The output is its
processor time per second, by the number of moves elsewhere, while its list has no viewer and while it has one.

`python -m tests.bench.lobby URL [look]` is that process: it prints `ready`, and ends when its standard input closes.
"""

import asyncio
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from statistics import median
from typing import Any, Final, cast

import uvloop

from fourfold.engine.decisions import Rejection
from fourfold.engine.match import Decision, State, decide, evolve
from fourfold.engine.match.clock import Control
from fourfold.engine.match.commands import Command, Create, Move, Sit
from fourfold.server.lobby.index import ListingFilter
from fourfold.server.lobby.listing_store import ListingStore
from fourfold.server.lobby.lobby import POST_EVERY, Lobby
from fourfold.server.replication.fanout import Encoded
from fourfold.server.replication.holding import NoSuchRoom
from fourfold.server.rooms.room import Room, RoomChange
from fourfold.server.storage.event_log import AppendRequest
from fourfold.server.storage.redis_log import RedisLog
from tests.bench.processes import ROOT, Process, store
from tests.bench.progress import track

ROOMS: Final = 10_000
NODES: Final = 3
RATES: Final = (0, 250, 1000)
"""Moves per second, over all rooms."""

TURN: Final = 2 * POST_EVERY
"""Seconds for which one rate is measured: whole periods of the lobby's repeated work."""

BASE: Final = 3_600_000
SHUFFLE: Final = ("g1f3", "g8f6", "b1c3", "b8c6", "f3g1", "f6g8", "c3b1", "c6b8")
SEATED: Final = 3
"""The version of a room in which two have just sat down."""


def _game() -> tuple[list[State], list[AppendRequest]]:
    """The beginning of a game, which all rooms play: its states, and the appended entries."""
    moves = [SHUFFLE[ply % 8] for ply in range(30)]
    commands: list[tuple[Command, str]] = [(Create("standard", control=Control(BASE), seed=1), "a")]
    commands += [(Sit("Ann", "white"), "a"), (Sit("Bob", "black"), "b")]
    states: list[State] = []
    appends: list[AppendRequest] = []
    state: State | None = None
    for number in range(len(commands) + len(moves)):
        if number < SEATED:
            command, by = commands[number]
        else:
            command, by = Move(moves[number - SEATED], number), "ab"[(number - SEATED) % 2]
        events = decide(state, command, by, 1_000_000 + number)
        assert not isinstance(events, Rejection), events  # these appends can't fail
        appends.append(AppendRequest("", number, by, str(number), events))
        state = evolve(state, Decision(number + 1, 1_000_000 + number, by, str(number), events))
        states.append(state)
    return states, appends


class Game:
    """A room from the lobby's view: the place of its game, and attributes that nobody changes here."""

    def __init__(self, id: str, states: list[State]) -> None:
        self.id = id
        self.seq = SEATED
        self.closed = False
        self._states = states

    @property
    def shown(self) -> State:
        """The match."""
        return self._states[self.seq - 1]

    def change(self) -> RoomChange:
        """The room as it is now."""
        state = self.shown
        return RoomChange(cast(Room, self), None, state, state, True, True, watchers=0, empty=False, gone=False)


class Node:
    """A server with `games` games, of which the lobby and the log are real."""

    def __init__(self, log: RedisLog, games: list[Game], appends: list[AppendRequest]) -> None:
        self.lobby = Lobby(ListingStore(log), log, log.now)
        self.games = games
        self._log = log
        self._appends = appends
        self._moved: dict[str, Room] = {}
        self._next = 0

    async def begin(self) -> None:
        """Open all rooms, and post them."""
        await self.lobby.open(self._find, self._take_moved)
        for start in range(0, len(self.games), 100):
            part = self.games[start : start + 100]
            await asyncio.gather(*(self._append(game, number) for number in range(SEATED) for game in part))
        for game in self.games:
            self.lobby.notice(game.change())

    async def _find(self, id: str) -> Room:
        raise NoSuchRoom(id)

    def _take_moved(self) -> Mapping[str, Room]:
        moved, self._moved = self._moved, {}
        return moved

    def _append(self, game: Game, number: int) -> "asyncio.Future[Decision]":
        return self._log.append(self._appends[number]._replace(room=game.id))

    def move(self) -> "asyncio.Future[Decision] | None":
        """Make a move in the next room whose game is not over."""
        game = self.games[self._next % len(self.games)]
        self._next += 1
        if game.seq == len(self._appends):
            return None
        game.seq += 1
        self._moved[game.id] = cast(Room, game)
        return self._append(game, game.seq - 1)


async def _play(nodes: list[Node], rate: int, seconds: float) -> int:
    """Make `rate` moves per second, as far as this process can; returns the number of moves."""
    start, made = time.monotonic(), 0
    while (passed := time.monotonic() - start) < seconds:
        share = min(int(passed * rate) - made, rate // 20)
        moves = [nodes[(made + one) % len(nodes)].move() for one in range(share)]
        made += share
        await asyncio.gather(*(move for move in moves if move is not None), asyncio.sleep(0.01))
    return made


@contextmanager
def _idle(url: str, *look: str) -> Iterator[Process]:
    """The node without players."""
    command = [sys.executable, "-m", "tests.bench.lobby", url, *look]
    process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None and process.stdout is not None
    try:
        if process.stdout.readline() != b"ready\n":
            raise RuntimeError("the node did not start")
        yield Process(process.pid)
    finally:
        process.stdin.close()
        process.wait()
        process.stdout.close()


async def measure(url: str, rounds: int) -> dict[str, float]:
    """Milliseconds of processor time per second of a node without players; each rate has its turn in each round."""
    states, appends = _game()
    nodes = []
    for number in range(NODES):
        log = await RedisLog.open(url)
        games = [Game(f"room{number}x{count}", states) for count in range(ROOMS // NODES)]
        nodes.append(Node(log, games, appends))
    await asyncio.gather(*(node.begin() for node in nodes))
    await _play(nodes, 0, 6)  # until all is posted
    figures: dict[str, float] = {}
    loop = asyncio.get_running_loop()
    for name, look in (("nobody looks", ()), ("somebody looks", ("look",))):
        with _idle(url, *look) as idle:
            costs: dict[int, list[float]] = {rate: [] for rate in RATES}
            for rate in track(name, RATES * rounds):
                before, start = idle.cpu(), loop.time()
                await _play(nodes, rate, TURN)
                costs[rate].append((idle.cpu() - before) / (loop.time() - start) * 1000)
        for rate, each in costs.items():
            figures[f"{name}, {rate:,} moves a second elsewhere: ms a second"] = median(each)
    for node in nodes:
        await node.lobby.close()
        await node._log.close()
    return figures


def lobby(rounds: int) -> dict[str, Any]:
    """The lobby's cost for a node, by the number of moves at others."""
    with store() as (url, _), asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(measure(url, rounds))


class _Viewer:
    """A follower of the list."""

    player_id = ""

    def send(self, frame: Encoded) -> None:
        """Drops the frames."""

    async def drained(self) -> None:
        """Has read everything at once."""


async def _be_idle(url: str, *, look: bool) -> None:
    log = await RedisLog.open(url)
    node = Node(log, [], [])
    await node.begin()
    if look:
        node.lobby.follow(cast(Any, _Viewer()), ListingFilter())
    print("ready", flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    await node.lobby.close()
    await log.close()


if __name__ == "__main__":
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(_be_idle(sys.argv[1], look="look" in sys.argv[2:]))
