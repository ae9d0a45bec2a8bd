"""Measures the cost of archiving games, and that the store's memory does not grow with them.

python -m tests.bench.archiving --games 2000 [--minutes 60] [--at-once 20] [--json]

Two servers in turn finish games of sixty plies and a resignation. The first keeps them in the store. The second
archives each game a second after its end. The first finishes at most 2,000; the second all requested ones, or as many
as `--minutes` allow, but starts none while 500 wait for the archive. The output has the processor time of each server
per game, whose difference is the hand-over; the bytes of a game in the store and in the archive; and the memory of the
archiving store after a fifth of the games and at the end, with its growth per game in between.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
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
KEPT: Final = 2000
"""The most games that the server without an archive finishes."""

LOOKS: Final = 10
"""The least number of measurements of the store."""

APART: Final = 1000
"""The most games between two measurements of the store."""

BEHIND: Final = 500
"""The most games that may wait for the archive; beyond that, no games start."""

PATIENCE: Final = 120.0
"""Seconds within which another game is archived."""


def _moves() -> list[str]:
    """The first moves of a recorded game."""
    game = next(pgn.read(SAMPLE.read_text()))
    return [step.move.text for step in game.line.steps if step.move is not None][:PLIES]


async def _play(white: Connection, black: Connection, moves: list[str]) -> None:
    """A game of these moves, after which white resigns and both leave."""
    created: Any = await white.request(ask.Create(variant="standard", moves=moves))
    for player in (white, black):
        await player.join(created.room)
    await white.resign(created.room)
    for player in (white, black):
        await player.leave(created.room)


async def _used(store: Redis) -> int:
    """The memory that a store uses, in bytes."""
    info: dict[str, Any] = await store.info("memory")
    return int(info["used_memory"])


def _archived(data: Path) -> tuple[int, int]:
    """The number of games in the archive, and its size in bytes; zeros if the server has not created its tables yet."""
    if not (data / FILE).exists():
        return 0, 0
    with closing(sqlite3.connect(data / FILE, timeout=240)) as archive:
        if not archive.execute("SELECT 1 FROM sqlite_master WHERE name = 'games'").fetchall():
            return 0, 0
        archive.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (count,) = archive.execute("SELECT count(*) FROM games").fetchone()
    return count, (data / FILE).stat().st_size


async def _all_archived(archive: Path, games: int) -> None:
    """Wait until `games` games are in the archive. Raises `TimeoutError` when no more come."""
    count, since = 0, time.monotonic()
    while count < games:
        await asyncio.to_thread(time.sleep, 1)  # paces the checks
        before, count = count, _archived(archive)[0]
        if count > before:
            since = time.monotonic()
        elif time.monotonic() - since > PATIENCE:
            raise TimeoutError(f"{games - count} games are not archived")


async def _finish(
    running: Running, games: int, at_once: int, archive: Path | None, minutes: float = math.inf
) -> dict[str, float]:
    """Finish `games` games, or as many as the minutes allow, and wait until all are in the archive, if there is one."""
    assert running.store_url is not None  # it is our own
    store, moves, left = Redis.from_url(running.store_url), _moves(), iter(range(games))
    looks: list[tuple[int, int]] = []  # number of games, and bytes
    apart = min(max(1, games // LOOKS), APART)
    until, done = time.monotonic() + 60 * minutes, 0
    room = asyncio.Event()  # until another game may start
    room.set()

    async def keep_up(archive: Path) -> None:
        while True:
            await asyncio.sleep(1)  # paces the checks
            count, _ = await asyncio.to_thread(_archived, archive)
            (room.set if done - count < BEHIND else room.clear)()

    async def play_on(white: Connection, black: Connection) -> None:
        nonlocal done
        for number in left:
            await room.wait()
            if number % apart == 0:
                looks.append((number, await _used(store)))
            await _play(white, black, moves)
            done += 1
            update(done)
            if time.monotonic() > until:
                return

    begun, _ = running.cpu()
    async with AsyncExitStack() as stack:
        people = [await stack.enter_async_context(Connection(running.urls[0])) for _ in range(2 * at_once)]
        if archive is not None:
            stack.callback(asyncio.create_task(keep_up(archive)).cancel)
        with bar("games", games) as update:
            await asyncio.gather(*(play_on(*people[at : at + 2]) for at in range(0, len(people), 2)))
        if archive is not None:
            await _all_archived(archive, done)
    looks.append((done, await _used(store)))
    ended, _ = running.cpu()
    await store.aclose()
    early, late = looks[len(looks) // 5], looks[-1]
    figures = {
        "games": float(done),
        "server CPU ms": (ended - begun) / done * 1000,
        "store bytes": (late[1] - early[1]) / (late[0] - early[0]),
    }
    if archive is None:
        return figures
    memory = {"store MB after a fifth": early[1] / 1e6, "store MB at the end": late[1] / 1e6}
    return figures | memory | {"archive bytes": _archived(archive)[1] / done}


def measure(games: int, at_once: int, minutes: float = math.inf) -> dict[str, float]:
    """All figures; those of processor time and of bytes are per game."""
    figures: dict[str, float] = {}
    for name, after, count in (("kept in the store", 0, min(games, KEPT)), ("archived", 1, games)):
        with tempfile.TemporaryDirectory(prefix="fourfold-bench-") as folder:
            data = Path(folder)
            with fourfold(data=data, archive_after=after, max_open=0, max_rooms_total=0) as running:
                found = uvloop.run(_finish(running, count, at_once, data if after else None, minutes))
        figures |= {f"{name}: {what}": value for what, value in found.items()}
    kept, archived = figures["kept in the store: server CPU ms"], figures["archived: server CPU ms"]
    return figures | {"hand-over: server CPU ms": archived - kept}


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.archiving", description="The cost of archiving.")
    parser.add_argument("--games", type=int, default=2000, metavar="N", help="number of games (2000)")
    parser.add_argument("--minutes", type=float, default=math.inf, metavar="M", help="time limit")
    parser.add_argument("--at-once", type=int, default=20, metavar="N", help="number of simultaneous games (20)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args()
    figures = measure(arguments.games, arguments.at_once, arguments.minutes)
    if arguments.json:
        print(json.dumps(figures))
        return
    for name, value in figures.items():
        print(f"{name:>40}  {value:12,.2f}")


if __name__ == "__main__":
    main()
