"""The archive's database in a world: SQLite itself, without the threads of its driver.

The requesting machine itself does a thread's work, a moment later. If the database is locked, a writer retries for as
long as SQLite itself would wait. When a machine dies, its open transactions are rolled back.
"""

import asyncio
import shutil
import sqlite3
import tempfile
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, Final

from aiosqlite import core
from sqlalchemy import URL
from sqlalchemy.dialects.sqlite import aiosqlite
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlalchemy.util import LRUCache

from fourfold.server.archive import database
from fourfold.server.archive.database import FILE, Database
from tests.world.loop import WorldLoop

TURN: Final = 0.3e-3
"""Seconds that a question takes at most."""

PATIENCE: Final = 5.0
"""Seconds that a connection waits for a lock, as the archive sets it."""

AGAIN: Final = 0.01
"""Seconds between attempts."""


class _Thread:
    """Replaces the driver's thread: there is none."""

    daemon = False

    def __init__(self, **_: Any) -> None:
        pass

    def start(self) -> None:
        """Does nothing: see `_Jobs`."""


class _Jobs:
    """Replaces the driver's queue: carries out its entries in order."""

    def __init__(self) -> None:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, WorldLoop)
        self._loop = loop
        self._machine = loop.current
        self._machine.ends[self] = None
        self._jobs: deque[tuple[Any, Callable[[], Any], float]] = deque()
        self._connection: sqlite3.Connection | None = None

    def put_nowait(self, job: tuple[Any, Callable[[], Any]]) -> None:
        """Carry it out after all earlier entries."""
        self._jobs.append((*job, self._loop.time() + PATIENCE))
        if len(self._jobs) == 1:
            self._soon(TURN * self._loop.chance.random())

    def _soon(self, seconds: float) -> None:
        self._loop.on(self._machine, lambda: self._loop.call_later(seconds, self._work))

    def _work(self) -> None:
        future, do, until = self._jobs[0]
        try:
            result = do()
        except Exception as error:  # noqa: BLE001 - it belongs to who asked
            if "locked" in str(error) and self._loop.time() < until:
                self._soon(AGAIN)
                return
            if future is not None and not future.done():
                future.set_exception(error)
        else:
            if isinstance(result, sqlite3.Connection):
                self._connection = result
                result.execute("PRAGMA busy_timeout = 0")
            if future is not None and not future.done():
                future.set_result(result)
        self._jobs.popleft()
        if self._jobs:
            self._soon(TURN * self._loop.chance.random())

    def died(self) -> None:
        """Its machine is dead. A connection with an open cursor lives on after `close`, and so would its lock."""
        if self._connection is not None:
            with suppress(sqlite3.ProgrammingError):  # it is closed already
                self._connection.rollback()
            self._connection.close()


class _Dialect(aiosqlite.SQLiteDialect_aiosqlite):
    """SQLAlchemy's, as equal as all of them are here: each node has its own, and they share `_COMPILED`."""

    supports_statement_cache = True

    def __eq__(self, other: object) -> bool:
        return other.__class__ is _Dialect

    def __hash__(self) -> int:
        return hash(_Dialect)


_COMPILED: Final[Any] = LRUCache(1000)
"""SQLAlchemy's statements, compiled once in a process. Otherwise each start of a node compiles all that it uses."""

_engine: Final = database._engine


def _make_engine(url: URL, locked: float = database.LOCKED) -> AsyncEngine:
    """An engine of the archive, which compiles no statement again."""
    engine = _engine(url, locked)
    engine.sync_engine._compiled_cache = _COMPILED
    return engine


@contextmanager
def without_threads() -> Iterator[None]:
    """Until the context ends, the driver has no threads, and its statements stay compiled."""
    changes = (
        (core, "Thread", _Thread), (core, "SimpleQueue", _Jobs), (database, "_engine", _make_engine),
        (aiosqlite, "dialect", _Dialect),
    )  # fmt: skip
    held = [getattr(place, name) for place, name, _ in changes]
    for place, name, instead in changes:
        setattr(place, name, instead)
    try:
        yield
    finally:
        for (place, name, _), before in zip(changes, held, strict=True):
            setattr(place, name, before)


@cache
def _empty() -> Path:
    """A database that is up to date and empty, made once: to migrate one takes longer than a world."""
    folder = Path(tempfile.mkdtemp(prefix="fourfold-world-"))

    async def make() -> None:
        await (await Database.open(None, folder)).close()

    asyncio.run(make())
    with closing(sqlite3.connect(folder / FILE, isolation_level=None)) as file:
        file.execute("UPDATE properties SET value = 'world' WHERE name = 'id'")
        file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return folder / FILE


def lay_out(folder: Path) -> None:
    """Put an empty database into a folder. Call it outside of a world."""
    shutil.copy(_empty(), folder / FILE)
