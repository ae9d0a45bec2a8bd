"""The archive of a cluster: SQLite's file in the folder of its nodes, or a PostgreSQL server behind a link.

The harness reads it directly, not through a server. It can be locked, as by a backup that does not end. The server can
be killed and started again, and the link be cut, held and robbed.
"""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import asyncpg

from fourfold.server.archive.database import FILE
from fourfold.server.archive.packing import unpack
from fourfold.server.storage.records import Entry
from tests import postgres
from tests.faults.link import Link
from tests.faults.process import mortal

BUSY = 30.0
"""Seconds for which the harness waits until the archive is free."""


class Archive:
    """The nodes' archive, in SQLite's file. Runs from `start` to `stop`."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE

    async def start(self) -> None:
        """Start; returns when it serves."""

    async def mend(self) -> None:
        """Repair everything."""

    async def stop(self) -> None:
        """End it."""

    @property
    def address(self) -> str | None:
        """The URL for nodes; None for the file in their folder."""
        return None

    async def entries(self, room: str) -> list[Entry] | None:
        """The whole log of a room; None if there is none. Raises `DamagedEntry`."""
        rows = await self._select("log, lineage FROM logs", room)
        return unpack(*rows[0]) if rows else None

    async def games(self, room: str) -> list[int]:
        """The numbers of a room's listed games."""
        return sorted(number for (number,) in await self._select("number FROM games", room))

    async def _select(self, what: str, room: str) -> list[tuple[Any, ...]]:
        """The rows of a room; none if no node has created the tables yet."""
        if not self._path.exists():
            return []
        with closing(sqlite3.connect(self._path, timeout=BUSY)) as connection:
            if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'seats'").fetchall():
                return []
            return connection.execute(f"SELECT {what} WHERE room = ?", (room,)).fetchall()

    @asynccontextmanager
    async def locked(self) -> AsyncIterator[None]:
        """Lock the archive against all writers."""
        with closing(sqlite3.connect(self._path, timeout=BUSY, isolation_level=None)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            yield
            connection.execute("ROLLBACK")


class ServedArchive(Archive):
    """The cluster's own PostgreSQL server, and the link through which all nodes reach it."""

    def __init__(self, binaries: Path) -> None:  # it has no file
        self._server = postgres.PostgresProcess(binaries, begin=mortal)
        self._url = ""
        self.link = Link(lambda: self._server.socket)

    async def start(self) -> None:
        """See `Archive`."""
        await self.revive()
        self._url = await asyncio.to_thread(self._server.database)
        await self.link.start()

    async def mend(self) -> None:
        """See `Archive`."""
        self.link.heal()
        if not self._server.runs:
            await self.revive()

    async def stop(self) -> None:
        """See `Archive`."""
        await self.link.close()
        await asyncio.to_thread(self._server.stop)

    async def kill(self) -> None:
        """kill -9."""
        await asyncio.to_thread(self._server.kill)

    async def revive(self) -> None:
        """Start it again; returns when it serves."""
        await asyncio.to_thread(self._server.start)

    @property
    def address(self) -> str:
        """The URL for nodes, through the link."""
        database = self._url.partition("@/")[2].partition("?")[0]
        return f"postgresql://fourfold@127.0.0.1:{self.link.port}/{database}"

    @asynccontextmanager
    async def _connected(self) -> AsyncIterator[Any]:
        connection = await asyncpg.connect(self._url, command_timeout=BUSY)
        try:
            yield connection
        finally:
            connection.terminate()

    async def _select(self, what: str, room: str) -> list[tuple[Any, ...]]:
        async with self._connected() as connection:
            if await connection.fetchval("SELECT to_regclass('seats')") is None:
                return []
            return [tuple(row) for row in await connection.fetch(f"SELECT {what} WHERE room = $1", room)]

    @asynccontextmanager
    async def locked(self) -> AsyncIterator[None]:
        """See `Archive`."""
        async with self._connected() as connection, connection.transaction():
            if await connection.fetchval("SELECT to_regclass('seats')") is not None:
                await connection.execute("LOCK TABLE logs, games, seats IN EXCLUSIVE MODE")
            yield
