"""The explorer at many games: `python -m tests.bench.explorer --games 1000000` prints what a look-up takes, how long it
took to count a game, and how large the table is.

Some games are made up and counted as the product does. At each ply a move is drawn from a long-tailed distribution, so
that the first moves are shared by many games and the later ones by few, as in games that people play. Then SQLite adds
as many rows, of positions that no two games share, as the rest of the games would bring.
"""

import argparse
import asyncio
import os
import random
import statistics
import tempfile
import time
from hashlib import blake2b
from pathlib import Path

from sqlalchemy import func, select, text

from fourfold.server.archive import explorer
from fourfold.server.archive.database import FILE, Database
from fourfold.server.archive.facts import GameFacts, SeatFacts
from fourfold.server.archive.paths import PLIES
from fourfold.server.archive.tables import EXPLORED

BATCH = 1000
"""How many games are counted in one transaction."""

COUNTED = 20_000
"""How many games are counted as the product does, at most."""

LOOKED_UP = 300
"""How many positions are looked up at each mark."""

MOVES = [f"{file}{rank}{to}{rank + 1}" for file in "abcdefgh" for rank in (2, 3, 4) for to in "ab"]
"""Names for moves; the first are played most."""


def game(chance: random.Random, number: int) -> GameFacts:
    """A made-up game."""
    path, position = [], b""
    for _ in range(PLIES):
        move = MOVES[min(int(chance.paretovariate(1.1)) - 1, len(MOVES) - 1)]
        path.append((int.from_bytes(blake2b(position, digest_size=8).digest(), signed=True), move))
        position += move.encode()
    winner = chance.choice(("white", "black", ""))
    places = {"": (1, 1), "white": (1, 2), "black": (2, 1)}[winner]
    seats = tuple(
        SeatFacts(seat, "p", "P", "won" if seat == winner else "lost", place, None)
        for seat, place in zip(("white", "black"), places, strict=True)
    )
    winners = (winner,) if winner else ()
    return GameFacts(
        f"r{number}", 1, "standard", True, None, "resignation", winners, 80, number, number, "", seats, path=tuple(path)
    )


_FILL = """
    INSERT INTO explored
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :rows)
    SELECT random(), 'e2e4', 1, 0, 1, 0, 0, 0, 1, 2, 0, 0, 0, 0, 0, 0 FROM n ORDER BY 1
"""


async def measure(folder: Path, games: int) -> None:
    """Count games, and print a line; fill the table, and print another."""
    database = await Database.open(None, folder)
    chance = random.Random(1)
    known: list[int] = []
    rows, spent, more = 0, 0.0, 0
    counted = min(games, COUNTED)
    for first in range(0, counted, BATCH):
        some = [game(chance, number) for number in range(first, first + BATCH)]
        known += [position for facts in some[:100] for position, _ in facts.path]
        began = time.perf_counter()
        async with database._begin(write=True) as connection:
            await explorer.count(connection, database._insert, some)
        spent += time.perf_counter() - began
        before, rows = rows, await _rows(database)
        more = rows - before
    print(f"{1000 * spent / counted:.2f} ms to count a game, {BATCH} in a transaction")
    await _tell(database, counted, rows, known, folder / FILE)
    if games > counted:
        async with database._begin(write=True) as connection:
            await connection.execute(text(_FILL), {"rows": more * (games - counted) // BATCH})
        await _tell(database, games, await _rows(database), known, folder / FILE)
    await database.close()


async def _rows(database: Database) -> int:
    async with database._begin() as connection:
        return await connection.scalar(select(func.count()).select_from(EXPLORED)) or 0


async def _tell(database: Database, games: int, rows: int, known: list[int], file: Path) -> None:
    root = int.from_bytes(blake2b(b"", digest_size=8).digest(), signed=True)
    told = []
    chosen = {"the start": [root] * 20, "any position": random.Random(2).choices(known, k=LOOKED_UP)}
    for name, positions in chosen.items():
        took, used = [], time.process_time()
        for position in positions:
            began = time.perf_counter()
            await database.explore(position, 2)
            took.append(1000 * (time.perf_counter() - began))
        used = 1000 * (time.process_time() - used) / len(positions)
        took.sort()
        late = took[len(took) * 99 // 100]
        told.append(f"{name} in {statistics.median(took):.1f} ms (99 %: {late:.1f} ms; {used:.2f} of the processor)")
    size = os.stat(file).st_size / games
    print(f"{games:,} games, {rows:,} rows, {size:,.0f} bytes a game: {', '.join(told)}", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1_000_000)
    values = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(measure(Path(folder), values.games))
