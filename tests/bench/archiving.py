"""Measures what it costs to archive games, and that the store's memory does not grow with them.

    python -m tests.bench.archiving --games 2000 [--at-once 20] [--json]

One server after the other finishes so many games, each of sixty plies and a resignation: the first keeps them in the
store, the second archives each a second after its end. Printed are the processor time of each server a game, the
difference of which is the hand-over; the bytes a game takes in the store, and in the archive; and the memory of the
store that archives, looked at ten times on the way: what it has grown by a game from the third look to the last.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sqlite3
import tempfile
import time
from contextlib import AsyncExitStack, closing
from pathlib import Path
from typing import Any, Final

import uvloop
from redis.asyncio import Redis

from fourfold.clients.connection import Connection
from fourfold.engine.notation import pgn
from fourfold.protocol import from_client as ask
from fourfold.server.archive.database import FILE
from tests.bench.processes import Running, fourfold
from tests.bench.progress import bar

SAMPLE: Final = Path(__file__).parents[1] / "engine" / "notation" / "data" / "sample.pgn"
PLIES: Final = 60
LOOKS: Final = 10
"""How often the store is looked at."""

PATIENCE: Final = 120.0
"""Seconds within which the last games are archived."""


def _moves() -> list[str]:
    """The first moves of a recorded game."""
    game = next(pgn.read(SAMPLE.read_text()))
    return [step.move.text for step in game.line.steps if step.move is not None][:PLIES]


async def _play(white: Connection, black: Connection, moves: list[str]) -> None:
    """A game of so many moves, after which white resigns."""
    created: Any = await white.request(ask.Create(variant="standard", moves=moves))
    for player in (white, black):
        await player.join(created.room)
    await white.resign(created.room)


async def _used(store: Redis) -> int:
    """The bytes of memory that a store uses."""
    info: dict[str, Any] = await store.info("memory")
    return int(info["used_memory"])


def _archived(data: Path) -> tuple[int, int]:
    """How many games the archive has, and its size in bytes; none if the server has not made its tables yet."""
    if not (data / FILE).exists():
        return 0, 0
    with closing(sqlite3.connect(data / FILE, timeout=30)) as archive:
        if not archive.execute("SELECT 1 FROM sqlite_master WHERE name = 'games'").fetchall():
            return 0, 0
        archive.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (count,) = archive.execute("SELECT count(*) FROM games").fetchone()
    return count, (data / FILE).stat().st_size


async def _finish(running: Running, games: int, at_once: int, archive: Path | None) -> dict[str, float]:
    """Finish so many games, and wait until all are in the archive, if there is one."""
    assert running.store_url is not None  # it is ours
    store, moves, left = Redis.from_url(running.store_url), _moves(), iter(range(games))
    looks: list[int] = []

    async def play_on(white: Connection, black: Connection) -> None:
        for number in left:
            if number % max(1, games // LOOKS) == 0:
                looks.append(await _used(store))
            await _play(white, black, moves)
            update(number)

    begun, _ = running.cpu()
    async with AsyncExitStack() as stack:
        people = [await stack.enter_async_context(Connection(running.urls[0])) for _ in range(2 * at_once)]
        with bar("games", games) as update:
            await asyncio.gather(*(play_on(*people[at : at + 2]) for at in range(0, len(people), 2)))
        if archive is not None:
            async with asyncio.timeout(PATIENCE):
                while _archived(archive)[0] < games:
                    await asyncio.to_thread(time.sleep, 1)  # paces the looks
    looks.append(await _used(store))
    ended, _ = running.cpu()
    await store.aclose()
    figures = {"server CPU ms": (ended - begun) / games * 1000}
    if archive is None:
        return figures | {"store bytes": (looks[-1] - looks[0]) / games}
    grown = (looks[-1] - looks[2]) / (games * (len(looks) - 3) / LOOKS)
    return figures | {"store bytes": grown, "archive bytes": _archived(archive)[1] / games}


def measure(games: int, at_once: int) -> dict[str, float]:
    """All figures a game."""
    figures: dict[str, float] = {}
    for name, after in (("kept in the store", 0), ("archived", 1)):
        with tempfile.TemporaryDirectory(prefix="fourfold-bench-") as folder:
            data = Path(folder)
            with fourfold(data=data, archive_after=after, max_open=0, max_rooms_total=0) as running:
                found = uvloop.run(_finish(running, games, at_once, data if after else None))
        figures |= {f"{name}: {what}": value for what, value in found.items()}
    kept, archived = figures["kept in the store: server CPU ms"], figures["archived: server CPU ms"]
    return figures | {"hand-over: server CPU ms": archived - kept}


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.archiving", description="What archiving costs.")
    parser.add_argument("--games", type=int, default=2000, metavar="N", help="how many are finished, twice (2000)")
    parser.add_argument("--at-once", type=int, default=20, metavar="N", help="how many are played at a time (20)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args()
    figures = measure(arguments.games, arguments.at_once)
    if arguments.json:
        print(json.dumps(figures))
        return
    for name, value in figures.items():
        print(f"{name:>36}  {value:10.2f} a game")


if __name__ == "__main__":
    main()
