"""Third-party programs play many games at once while the gateway and the server are killed and started again.

python -m tests.faults.gateway --games 200 [--seed 1] [--at-once 8]

Unmodified, lichess-bot, BotLi and two scripts that use berserk play (see `tests.games.peers`) against our own players,
who resign after some moves. At random moments the gateway or the server is killed (kill -9) and started again. In the
end every game must be over and have every acknowledged move, once. No program may still hold an engine, and each must
play one more game. The exit status is 1 if one of these fails.
"""

import argparse
import asyncio
import json
import os
import random
import secrets
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from fourfold.clients.bots.bot import Bot
from fourfold.clients.connection import Connection
from fourfold.clients.errors import RequestError, Unreachable
from fourfold.clients.table import Table
from fourfold.engine.position import Position
from fourfold.protocol.from_client import Clock
from fourfold.protocol.from_server import Challenge, Frame
from tests.faults.process import Process, mortal, until
from tests.games.conftest import ServerProcess, running
from tests.games.peers import Peer, berserk, botli, lichess_bot
from tests.ports import free_port

CLOCK: Final = Clock(180_000, 2000)
"""Seconds, long enough for a program that asks again a minute after a fault."""

BLOWS: Final = (3.0, 9.0)
"""Seconds, at least and at most, from one blow to the next."""

DOWN: Final = (0.0, 2.0)
"""Seconds for which a killed process stays down."""

ANSWERED: Final = 90.0
"""Seconds in which a program must answer a challenge; it may be busy, and decline it."""

LONGEST: Final = 480.0
"""Seconds after which a game counts as stuck. The clocks end every game before."""

AT_ONCE: Final = 2
"""How many games each program plays at once."""


@dataclass
class Outcome:
    """The results; `faults` are sentences, empty without faults."""

    games: int = 0
    plies: int = 0
    asked: int = 0
    blows: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    by: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    seconds: float = 0


class Gateway(Process):
    """`fourfold gateway` as a separate process."""

    def __init__(self, server: str) -> None:
        self._server = server
        self._port = free_port()
        self.url = f"http://127.0.0.1:{self._port}"

    async def start(self) -> None:
        """Start it; returns once it listens."""
        words = ("gateway", "--url", self._server, "--port", str(self._port))
        self._process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "fourfold.clients", *words, stdout=asyncio.subprocess.PIPE, preexec_fn=mortal
        )
        assert self._process.stdout is not None
        assert (await self._process.stdout.readline()).startswith(b"ready "), "the gateway has not started"


class Program:
    """A third-party program: `name` is its player's, and `folder` its working folder."""

    def __init__(self, kind: str, name: str, peer: Peer) -> None:
        self.kind = kind
        self.name = name
        self.peer = peer
        self.free = asyncio.Semaphore(AT_ONCE)

    def engines(self) -> int:
        """How many engines it runs."""
        return sum(b"engine" in words and session == self.peer.pid for session, words in _processes())


class Rival:
    """Our player, who plays one game with a program, at random, and resigns after some moves."""

    def __init__(self, chance: random.Random, url: str, name: str, plies: int) -> None:
        self._chance = chance
        self._heard: asyncio.Queue[Challenge] = asyncio.Queue()
        self.connection = Connection(url, name=name, patience=300, heard=self._hear)
        self._left = plies
        self._room = ""
        self.chosen: list[str] = []
        self.acknowledged: dict[int, str] = {}
        """The acknowledged moves, by the room's version."""
        self.declined = 0

    def _hear(self, frame: Frame) -> None:
        if isinstance(frame, Challenge):
            self._heard.put_nowait(frame)

    async def play(self, program: Program) -> Table | None:
        """Challenge a program until it accepts, and play with it; returns the final table."""
        while True:
            try:
                await self.connection.__aenter__()
                break
            except Unreachable:  # it has just been killed
                await asyncio.sleep(0.5)
        try:
            while not self._room:
                self._room = await self._challenge(program) or ""
            return await Bot(self, self._room, None, self._choose).play()
        finally:
            await self.connection.__aexit__()

    async def _challenge(self, program: Program) -> str | None:
        try:
            made = await self.connection.challenge(program.name, clock=CLOCK, rated=False)
        except RequestError:  # it is not online right now
            await asyncio.sleep(1)
            return None
        while made.status == "open":
            async with asyncio.timeout(ANSWERED):
                heard = await self._heard.get()
            made = heard if heard.challenge == made.challenge else made
        if made.status == "accepted":
            return made.challenge
        self.declined += 1
        await asyncio.sleep(1)
        return None

    async def _choose(self, position: Position, _budget: float) -> str:
        if not self._left:
            await self.connection.resign(self._room)
        self._left -= 1
        self.chosen.append(self._chance.choice(position.legal_texts()))
        return self.chosen[-1]

    # -- the connection's methods that its `Bot` needs --

    @property
    def player(self) -> str | None:
        return self.connection.player

    async def join(self, room: str, seat: str | None = None) -> str:
        return await self.connection.join(room, seat)

    def follow(self, room: str) -> AsyncIterator[object]:
        return self.connection.follow(room)

    async def move(self, room: str, move: str, seq: int) -> int:
        told = await self.connection.move(room, move, seq)
        self.acknowledged[told] = move
        return told

    async def vote(self, room: str, proposal: int, accept: bool) -> int:
        return await self.connection.vote(room, proposal, accept)

    async def claim(self, room: str) -> int:
        return await self.connection.claim(room)


class Siege:
    """Play the games, with blows at the same time."""

    def __init__(self, server: ServerProcess, gateway: Gateway, seed: int, games: int) -> None:
        self.outcome = Outcome()
        self._server = server
        self._gateway = gateway
        self._chance = random.Random(seed)
        self._left = games
        self._rooms: set[str] = set()
        self._over = asyncio.Event()

    async def run(self, programs: list[Program], at_once: int) -> Outcome:
        """Play all games, then one more with each program, undisturbed."""
        began = time.monotonic()
        blows = asyncio.create_task(self._strike())
        try:
            await asyncio.gather(*(self._play_on(programs) for _ in range(at_once)))
        finally:
            self._over.set()
            await blows
        for program in programs:
            await self._play(program)
        for program in programs:
            await self._rest(program)
        self.outcome.seconds = round(time.monotonic() - began)
        return self.outcome

    async def _play_on(self, programs: list[Program]) -> None:
        while self._left > 0:
            self._left -= 1
            program = programs[self._left % len(programs)]
            async with program.free:
                await self._play(program)
            print(
                f"{self.outcome.games} games, {dict(self.outcome.blows)}, {len(self.outcome.faults)} faults", flush=True
            )

    async def _play(self, program: Program) -> None:
        outcome, what = self.outcome, f"{program.kind} ({program.name})"
        rival = Rival(self._chance, self._server.url, f"Rival {secrets.token_hex(4)}", self._chance.randint(4, 24))
        outcome.games += 1
        try:
            async with asyncio.timeout(LONGEST):
                table = await rival.play(program)
        except TimeoutError:
            outcome.faults.append(f"{what}: stuck in {rival._room or 'a challenge'}")
            print("\n".join(program.peer.said[-60:]), file=sys.stderr)
            return
        except Exception as error:  # noqa: BLE001 - it is told of, and the others play on
            outcome.faults.append(f"{what}: {error!r} in {rival._room}")
            return
        outcome.asked += rival.declined
        if table is None or table.result is None:
            outcome.faults.append(f"{what}: {rival._room} is not over")
            return
        if rival._room in self._rooms:
            outcome.faults.append(f"{what}: {rival._room} was played twice")
        self._rooms.add(rival._room)
        outcome.reasons[table.result.reason] += 1
        outcome.by[program.kind] += 1
        outcome.plies += len(table.moves)
        self._check(program, rival, table)

    def _check(self, program: Program, rival: Rival, table: Table) -> None:
        """Check that a game has every acknowledged move, in order, and none of our moves twice. An answer may come
        after the update with the move, when nobody waits for it any more."""
        mine = next(name for name, seat in table.seats.items() if seat.player == rival.player)
        first = list(table.seats).index(mine)
        held = list(table.moves[first::2])
        acknowledged = [move for _, move in sorted(rival.acknowledged.items())]
        if not (_within(acknowledged, held) and _within(held, rival.chosen)):
            self.outcome.faults.append(
                f"{program.kind}: {table.room} holds {held}, chosen: {rival.chosen}, acknowledged: {acknowledged}"
            )
        # Their API names no position with a move: a move whose answer is late may be made on the next turn.
        theirs = [line.split()[3] for line in program.peer.said if line.startswith(f"moved {table.room} ")]
        if not _within(theirs, list(table.moves[1 - first :: 2])):
            self.outcome.faults.append(f"{program.kind}: {table.room} holds {table.moves}, acknowledged: {theirs}")

    async def _rest(self, program: Program) -> None:
        """Wait until a program has no engines left."""

        async def rests() -> bool:
            return not program.engines()

        try:
            await until(rests, 60, 0.2)
        except TimeoutError:
            self.outcome.faults.append(f"{program.kind}: {program.engines()} engines are stuck")

    async def _strike(self) -> None:
        """Kill the gateway or the server, now and then."""
        while not await self._ends_within(self._chance.uniform(*BLOWS)):
            down = self._chance.uniform(*DOWN)
            what = self._chance.choice(("gateway", "gateway", "server", "both"))
            if what != "server":
                await self._gateway.kill()
            if what != "gateway":
                await asyncio.to_thread(self._server.kill)
            await asyncio.sleep(down)
            if what != "gateway":
                await asyncio.to_thread(self._server.start)
            if what != "server":
                await self._gateway.start()
            self.outcome.blows[what] += 1

    async def _ends_within(self, seconds: float) -> bool:
        """Whether the games are over within `seconds`."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._over.wait()
        return self._over.is_set()


def _within(some: list[str], others: list[str]) -> bool:
    """Whether some moves are a subsequence of others."""
    rest = iter(others)
    return all(move in rest for move in some)


def _processes() -> list[tuple[int, list[bytes]]]:
    """The processes of this machine: the session and the arguments of each."""
    found = []
    for path in Path("/proc").iterdir():
        if path.name.isdigit():
            try:
                words = (path / "cmdline").read_bytes().split(b"\0")
                found.append((os.getsid(int(path.name)), words))
            except OSError:
                continue  # it has ended
    return found


@asynccontextmanager
async def _programs(server: str, gateway: str, place: Path) -> AsyncIterator[list[Program]]:
    async with Connection(server) as owner, AsyncExitStack() as stack:
        await owner.register(f"Owner{secrets.token_hex(4)}")
        programs = []
        makers = {
            "lichess-bot": lambda *where: lichess_bot(*where, 1, challenge={"concurrency": AT_ONCE}),
            "botli": lambda *where: botli(*where, 1, challenge=BOTLI),
            "berserk": lambda *where: berserk(*where, "bot"),
            "berserk again": lambda *where: berserk(*where, "bot"),
        }
        for number, (kind, make) in enumerate(makers.items()):
            granted = await owner.grant("bot", f"Program{number}{secrets.token_hex(4)}")
            own = place / str(number)
            own.mkdir()
            peer = await stack.enter_async_context(make(own, gateway, granted.token))
            programs.append(Program(kind, granted.name, peer))

        async def online() -> bool:
            people = (await owner.people(None, 100)).people
            return {program.name for program in programs} <= {one.name for one in people}

        await until(online, 60, 0.2)
        yield programs


BOTLI: Final = {
    "concurrency": AT_ONCE,
    "human": {"modes": ["casual", "rated"]},
    "bot": {"modes": ["casual", "rated"]},
}
"""The configuration of BotLi's challenges."""


async def besiege(games: int, seed: int, at_once: int) -> Outcome:
    """Play `games` games, `at_once` at the same time."""
    with running() as server, tempfile.TemporaryDirectory(prefix="fourfold-programs-") as place:
        gateway = Gateway(server.url)
        await gateway.start()
        try:
            async with _programs(server.url, gateway.url, Path(place)) as programs:
                siege = Siege(server, gateway, seed, games)
                return await siege.run(programs, at_once)
        finally:
            await gateway.kill()


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults.gateway", description="Kills gateway and server.")
    parser.add_argument("--games", type=int, default=200, metavar="N", help="how many (200)")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="seed of the blows and of our moves (1)")
    parser.add_argument("--at-once", type=int, default=8, metavar="N", help="number of games at the same time (8)")
    given = parser.parse_args()
    outcome = asyncio.run(besiege(given.games, given.seed, given.at_once))
    print(json.dumps(outcome.__dict__, indent=1))
    sys.exit(1 if outcome.faults else 0)


if __name__ == "__main__":
    main()
