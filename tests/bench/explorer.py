"""The explorer and the search with many games: `python -m tests.bench.explorer --games 1000000 [--postgres]` prints the
times of look-ups, the time to count a game, and the size of the tables: in SQLite, or in a PostgreSQL server that is
started for it.

Some of the explorer's games are generated and counted as the product does. At each ply a move is drawn from a
long-tailed distribution, so that many games share the first moves and few the later ones, as in games of people. Then
the database adds as many rows, of positions that no two games share, as the rest of the games would bring.

For the search the database generates the listed games, every fourth of them a four-player game, of 20,000 players: the
first of them has played in one of 140 seats, the last in one of 1.4 million.
"""

import argparse
import asyncio
import os
import random
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Any

from sqlalchemy import func, select, text
from sqlalchemy.ext.asyncio import create_async_engine

from fourfold.server.archive import explorer
from fourfold.server.archive.database import FILE, Database
from fourfold.server.archive.facts import Cursor, GameFacts, Search, SeatFacts
from fourfold.server.archive.paths import PLIES
from fourfold.server.archive.tables import EXPLORED
from tests import postgres

BATCH = 1000
"""How many games are counted in one transaction."""

COUNTED = 20_000
"""The most games that are counted as the product does."""

LOOKED_UP = 300
"""How many positions are looked up at each mark."""

SEARCHED = 100
"""The number of runs of each search."""

PLAYERS = 20_000
"""The number of players in the searched games."""

MOVES = [f"{file}{rank}{to}{rank + 1}" for file in "abcdefgh" for rank in (2, 3, 4) for to in "ab"]
"""Names for moves; the first are played most."""


def game(chance: random.Random, number: int) -> GameFacts:
    """A generated game."""
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


KEYS = {
    "sqlite": "random()",
    "postgresql": "CAST(CAST('x' || substr(md5(CAST(i AS TEXT)), 1, 16) AS BIT(64)) AS BIGINT)",
}
"""Keys of positions, all different."""

EXPLORED_ROWS = """
    INSERT INTO explored
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {rows})
    SELECT {key}, 'e2e4', 1, 0, 1, 0, 0, 0, 1, 2, 0, 0, 0, 0, 0, 0 FROM n ORDER BY 1
"""

START = 1_700_000_000_000
"""The end of the first searched game; another one ends every ten seconds."""

_GAMES = "WITH RECURSIVE n(i) AS (SELECT CAST(1 AS BIGINT) UNION ALL SELECT i + 1 FROM n WHERE i < {games})"
_CHANCE = "((i * 7919 + turn * 104729 + (i % 997) * (i % 991)) % 1000003 / 1000003.0)"
_PLAYER = f"CAST({PLAYERS} * {_CHANCE} * {_CHANCE} AS INTEGER)"
_FIRST = "(i + turn) % 3 = 0"

LISTED_ROWS = (
    f"""
    INSERT INTO logs (room, seq, schema, lineage, archived, log)
    {_GAMES} SELECT 'g' || i, 1, 1, CAST('x' AS {{blob}}), 0, CAST('x' AS {{blob}}) FROM n
    """,
    f"""
    INSERT INTO games (room, number, variant, public, reason, winners, plies, started, ended, position, explored,
        imported, players)
    {_GAMES} SELECT 'g' || i, 1, CASE WHEN i % 4 = 0 THEN 'survivor' ELSE 'standard' END, i % 10 > 0,
        CASE WHEN i % 50 = 1 THEN 'aborted' ELSE 'checkmate' END, CASE WHEN i % 3 = 0 THEN '' ELSE 'white' END,
        60, {START} + i * 10000 - 9000, {START} + i * 10000, '4k3/8/8/8/8/8/8/4K3 w - - 0 1', i > 0, i < 0,
        CASE WHEN i % 4 = 0 THEN 4 ELSE 2 END
    FROM n
    """,
    f"""
    INSERT INTO seats (room, number, seat, turn, player, name, result, place, ended, called)
    {_GAMES}, t(turn) AS (SELECT 0 UNION ALL SELECT turn + 1 FROM t WHERE turn < 3),
        seated AS (SELECT i, turn, {_PLAYER} AS player, {_FIRST} AS first FROM n CROSS JOIN t
            WHERE turn < CASE WHEN i % 4 = 0 THEN 4 ELSE 2 END)
    SELECT 'g' || i, 1, 'seat' || turn, turn, 'p' || player, 'Player ' || player,
        CASE WHEN first THEN 'won' ELSE 'lost' END, CASE WHEN first THEN 1 ELSE 2 END, {START} + i * 10000,
        'player ' || player
    FROM seated
    """,
)
"""Listed games, in an order that each database generates alike."""


async def measure(address: str | None, folder: Path, games: int, size: Callable[[], int]) -> None:
    """Measure the explorer, then the search. `size` returns the bytes of the database."""
    database = await Database.open(address, folder)
    await _measure_explorer(database, games, size)
    await _measure_search(database, games, size)
    await database.close()


async def _measure_explorer(database: Database, games: int, size: Callable[[], int]) -> None:
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
    print(f"{1000 * spent / counted:.2f} ms to count a game, {BATCH} in a transaction", flush=True)
    if games > counted:
        key = KEYS[database._engine.dialect.name]
        await _fill(database, EXPLORED_ROWS.format(key=key, rows=more * (games - counted) // BATCH))
    rows = await _rows(database)
    print(f"explorer, {games:,} games: {rows:,} rows, {size() / games:,.0f} bytes a game", flush=True)
    root = int.from_bytes(blake2b(b"", digest_size=8).digest(), signed=True)
    for name, positions in {
        "the start": [root] * 20,
        "any position": random.Random(2).choices(known, k=LOOKED_UP),
    }.items():
        await _time(name, [partial(database.explore, position, 2) for position in positions])


async def _measure_search(database: Database, games: int, size: Callable[[], int]) -> None:
    before = size()
    blob = {"sqlite": "BLOB", "postgresql": "BYTEA"}[database._engine.dialect.name]
    await _fill(database, *(rows.format(games=games, blob=blob) for rows in LISTED_ROWS))
    print(f"search, {games:,} games: {(size() - before) / games:,.0f} bytes a game", flush=True)
    chance = random.Random(3)
    anybody = [f"{int(PLAYERS * chance.random() ** 2)}" for _ in range(SEARCHED)]
    somewhere = [START + 10000 * chance.randrange(games) for _ in range(SEARCHED)]
    searches: dict[str, list[Search]] = {
        "the newest": [Search()] * SEARCHED,
        "from any time on": [Search(until=at) for at in somewhere],
        "a later page": [Search(after=Cursor(at, "g", 1)) for at in somewhere],
        "of a variant": [Search(variant="survivor", until=at) for at in somewhere],
        "of four": [Search(players=4, until=at) for at in somewhere],
        "drawn": [Search(result="drawn", until=at) for at in somewhere],
        "aborted": [Search(result="aborted", until=at) for at in somewhere],
        "of a player": [Search(player=f"p{one}") for one in anybody],
        "won by a player": [Search(player=f"p{one}", result="won") for one in anybody],
        "of a player, of a variant": [Search(player=f"p{one}", variant="survivor") for one in anybody],
        "by a name": [Search(name=f"player {one}") for one in anybody],
        "of the busiest player": [Search(player="p0", until=at) for at in somewhere],
        "of the busiest name": [Search(name="Player 0", until=at) for at in somewhere],
        "of a player with the busiest": [Search(player=f"p{one}", other="p0") for one in anybody],
        "of the busiest with a player": [Search(player="p0", other=f"p{one}") for one in anybody],
        "of a name with a name": [Search(name=f"player {one}", other_name="player 0") for one in anybody],
        "of nobody": [Search(name="nobody")] * SEARCHED,
    }
    for name, asked in searches.items():
        await _time(name, [partial(database.search, one) for one in asked])
    await _time("results of a player", [partial(database.record, f"p{one}", private=False) for one in anybody])


async def _fill(database: Database, *commands: str) -> None:
    """Run commands that may take minutes."""
    engine = create_async_engine(database._engine.url)
    for command in commands:
        async with engine.begin() as connection:
            await connection.execute(text(command))
    if engine.dialect.name == "postgresql":  # as it does by itself after a while
        async with engine.connect() as connection:
            await (await connection.execution_options(isolation_level="AUTOCOMMIT")).execute(text("VACUUM ANALYZE"))
    await engine.dispose()


async def _rows(database: Database) -> int:
    engine = create_async_engine(database._engine.url)
    async with engine.connect() as connection:
        count = await connection.scalar(select(func.count()).select_from(EXPLORED)) or 0
    await engine.dispose()
    return count


async def _time(name: str, questions: list[Callable[[], Awaitable[Any]]]) -> None:
    """Run one query after the other, and print their times."""
    took, used = [], time.process_time()
    for ask in questions:
        began = time.perf_counter()
        await ask()
        took.append(1000 * (time.perf_counter() - began))
    used = 1000 * (time.process_time() - used) / len(questions)
    took.sort()
    middle, late = took[len(took) // 2], took[len(took) * 99 // 100]
    print(f"{name:>30}  {middle:7.1f} ms  99 %: {late:7.1f} ms  {used:6.2f} ms of our processor", flush=True)


@contextmanager
def _server() -> Iterator[tuple[str, Callable[[], int]]]:
    """A PostgreSQL server: the URL of a database, and the bytes of its files."""
    binaries = postgres.binaries()
    if binaries is None:
        raise SystemExit("PostgreSQL is not installed (Debian: apt install postgresql)")
    with postgres.running(binaries, "512MB") as process:
        yield process.database(), process.size


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.explorer", description=__doc__)
    parser.add_argument("--games", type=int, default=1_000_000, metavar="N", help="how many (1,000,000)")
    parser.add_argument("--postgres", action="store_true", help="use PostgreSQL instead of SQLite")
    values = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if values.postgres:
            with _server() as (address, size):
                asyncio.run(measure(address, folder, values.games, size))
        else:
            asyncio.run(measure(None, folder, values.games, lambda: os.stat(folder / FILE).st_size))


if __name__ == "__main__":
    main()
