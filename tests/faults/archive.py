"""The archive of a cluster: SQLite's file in the folder of its nodes. Read directly, not through a server.

It can be locked, as by a backup that does not end.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from fourfold.server.archive.database import FILE
from fourfold.server.archive.packing import unpack
from fourfold.server.storage.records import Entry

BUSY = 30.0
"""Seconds that the harness waits for the file to be free."""


class Archive:
    """What the nodes have archived."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE

    def entries(self, room: str) -> list[Entry] | None:
        """The whole log of a room; None if there is none. Raises `DamagedEntry`."""
        rows = self._select("SELECT log, lineage FROM logs WHERE room = ?", room)
        return unpack(*rows[0]) if rows else None

    def games(self, room: str) -> list[int]:
        """Which games of a room are listed."""
        return [number for (number,) in self._select("SELECT number FROM games WHERE room = ? ORDER BY number", room)]

    def _select(self, query: str, room: str) -> list[tuple[bytes, bytes]] | list[tuple[int]]:
        if not self._path.exists():
            return []
        with closing(sqlite3.connect(self._path, timeout=BUSY)) as connection:
            if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'seats'").fetchall():
                return []  # no node has made its tables yet
            return connection.execute(query, (room,)).fetchall()

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Nobody else can write."""
        with closing(sqlite3.connect(self._path, timeout=BUSY, isolation_level=None)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            yield
            connection.execute("ROLLBACK")
