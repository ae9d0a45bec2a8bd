"""The archive's database in a world: SQLite itself, without aiosqlite and its threads.

The requesting machine itself does a thread's work, a moment later. Only what others can notice takes a moment: a
statement, a commit of something written, the beginning and the end of a connection. If the database is locked, a writer
retries for as long as SQLite itself would wait. When a machine dies, its open transactions are rolled back.
"""

import asyncio
import shutil
import sqlite3
import tempfile
from collections import deque
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing, contextmanager, suppress
from functools import cache, partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import aiosqlite as driver
from sqlalchemy import URL
from sqlalchemy.dialects.sqlite import aiosqlite
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlalchemy.util import LRUCache
from sqlalchemy.util.concurrency import await_

from fourfold.server.archive import database
from fourfold.server.archive.database import FILE, Database
from tests.world.loop import WorldLoop

TURN: Final = 0.3e-3
"""Seconds that a question takes at most."""

AGAIN: Final = 0.01
"""Seconds between attempts."""

BEGIN: Final = "BEGIN"
"""The statement that begins a transaction without a lock."""


class _Cursor(aiosqlite.AsyncAdapt_aiosqlite_cursor):
    """A cursor whose statements take a turn each."""

    __slots__ = ()

    def __init__(self, connection: "_Connection") -> None:
        self._adapt_connection = connection
        self._connection: Any = connection._connection
        self._cursor: Any = self._connection.cursor()
        self._soft_closed_memoized: Any = {}
        self._rows: deque[Any] = deque()

    def execute(self, operation: str, parameters: Any = None) -> None:
        """Execute a statement, and fetch its rows."""
        if operation.startswith(BEGIN):
            self._adapt_connection.writes = operation != BEGIN
        at_once = operation == BEGIN or operation.startswith("PRAGMA")
        self._adapt_connection.take_turn(partial(self._do, operation, parameters or ()), at_once=at_once)

    def executemany(self, operation: str, seq_of_parameters: Any) -> None:
        """Execute a statement with each of some parameters."""
        self._adapt_connection.take_turn(partial(self._cursor.executemany, operation, seq_of_parameters))

    def _do(self, operation: str, parameters: Any) -> None:
        cursor = self._cursor
        cursor.execute(operation, parameters)
        if cursor.description:
            self._rows = deque(cursor.fetchall())

    async def _async_soft_close(self) -> None:
        """Does nothing: the cursor is of no use any more, but holds no lock either."""

    def close(self) -> None:
        self._rows.clear()
        self._cursor.close()


class _Connection(aiosqlite.AsyncAdapt_aiosqlite_connection):
    """A connection of SQLAlchemy's to the library itself, in place of one to a thread of the driver."""

    __slots__ = ("_due", "_loop", "_machine", "writes")

    _cursor_cls: Any = _Cursor

    def __init__(self, dbapi: Any, connection: sqlite3.Connection) -> None:
        super().__init__(dbapi, connection)  # type: ignore[arg-type] # not one of aiosqlite
        loop = asyncio.get_running_loop()
        assert isinstance(loop, WorldLoop)
        self._loop = loop
        self._machine = loop.current
        self._due = 0.0
        self.writes = False
        self._machine.ends[self] = None

    def take_turn(self, do: Callable[[], Any], *, at_once: bool = False) -> None:
        """Do some work after all earlier work, a moment later, or `at_once` if no lock keeps it from that."""
        if at_once:
            try:
                do()
            except sqlite3.OperationalError as error:
                if "locked" not in str(error):
                    raise
            else:
                return
        loop = self._loop
        done, until = loop.create_future(), loop.time() + database.LOCKED

        def work() -> None:
            try:
                do()
            except Exception as error:  # noqa: BLE001 - it belongs to the caller
                if "locked" in str(error) and loop.time() < until:
                    loop.call_later(AGAIN, work)
                elif not done.done():
                    done.set_exception(error)
            else:
                if not done.done():
                    done.set_result(None)

        self._due = max(self._due, loop.time() + TURN * loop.chance.random())
        loop.call_at(self._due, work)
        await_(done)

    @property
    def isolation_level(self) -> str | None:
        """See `sqlite3.Connection`."""
        level: str | None = self._connection.isolation_level
        return level

    @isolation_level.setter
    def isolation_level(self, value: str | None) -> None:
        self._connection.isolation_level = value

    def create_function(self, *arguments: Any, **options: Any) -> None:
        """See `sqlite3.Connection`."""
        self._connection.create_function(*arguments, **options)  # type: ignore[unused-coroutine]

    def run_async(self, fn: Callable[[Any], Awaitable[Any]]) -> Any:
        """See `AdaptedConnection`. Only scripts of pragmas are asked for, which no lock delays."""

        async def executescript(script: str) -> None:
            self._connection.executescript(script)  # type: ignore[unused-coroutine]

        return await_(fn(SimpleNamespace(executescript=executescript)))  # type: ignore[arg-type]

    def rollback(self) -> None:
        """See `sqlite3.Connection`."""
        self._end(self._connection.rollback)

    def commit(self) -> None:
        """See `sqlite3.Connection`."""
        self._end(self._connection.commit)

    def _end(self, end: Any) -> None:
        """End a transaction. To end one that has not written costs no turn."""
        self.take_turn(end, at_once=not self.writes)
        self.writes = False

    def close(self) -> None:
        """See `sqlite3.Connection`."""
        self.take_turn(self._connection.close)
        self._machine.ends.pop(self, None)

    def terminate(self) -> None:
        """Close it at once."""
        self._connection.close()  # type: ignore[unused-coroutine]
        self._machine.ends.pop(self, None)

    def died(self) -> None:
        """Its machine is dead. A connection with an open cursor lives on after `close`, and so would its lock."""
        with suppress(sqlite3.ProgrammingError):  # it is closed already
            self._connection.rollback()  # type: ignore[unused-coroutine]
        self._connection.close()  # type: ignore[unused-coroutine]


class _Driver(aiosqlite.AsyncAdapt_aiosqlite_dbapi):
    """SQLAlchemy's, without the driver: each connection is one to the library."""

    def connect(self, *arguments: Any, **options: Any) -> _Connection:
        """See `sqlite3.connect`. Locks are waited for by `take_turn`, for as long as a server's archive does."""
        options["timeout"] = 0
        connection = _Connection(self, sqlite3.connect(*arguments, **options))
        connection.take_turn(lambda: None)
        return connection


class _Dialect(aiosqlite.SQLiteDialect_aiosqlite):
    """SQLAlchemy's, as equal as all of them are here: each node has its own, and they share `_COMPILED`."""

    supports_statement_cache = True

    @classmethod
    def import_dbapi(cls) -> _Driver:
        """See `SQLiteDialect_aiosqlite`."""
        return _Driver(driver, sqlite3)

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
    """Until the context ends, the archive uses SQLite without aiosqlite, and all nodes share compiled statements."""
    changes = (
        (database, "_engine", _make_engine), (aiosqlite, "dialect", _Dialect),
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
