"""The file of a new archive, as its first start leaves it. The migrations run once for each test worker, because they
take longer than most tests. Only tests that are about the first start run them again.
"""

import asyncio
import sqlite3
import tempfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import cache
from pathlib import Path

from fourfold.server.archive.address import FILE
from fourfold.server.archive.database import Database


def lay(folder: Path) -> None:
    """Put a new archive into a folder, unless there is one. It gets its id when it is opened."""
    make(folder / FILE)


def make(file: Path) -> None:
    """Make the file of a new archive, unless it exists."""
    if not file.exists():
        file.write_bytes(_migrated())


@cache
def _migrated() -> bytes:
    with tempfile.TemporaryDirectory(prefix="fourfold-archive-") as name:
        folder = Path(name)
        with ThreadPoolExecutor(1) as thread:  # without the event loop of a test
            thread.submit(asyncio.run, _migrate(folder)).result()
        with closing(sqlite3.connect(folder / FILE, isolation_level=None)) as database:
            database.execute("DELETE FROM properties WHERE name = 'id'")
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return (folder / FILE).read_bytes()


async def _migrate(folder: Path) -> None:
    await (await Database.open(None, folder)).close()
