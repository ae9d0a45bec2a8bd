"""The server's access to the archive: opened in the background, and sometimes away for a while.

Startup does not wait for it, and no running game depends on it. SQLAlchemy is loaded on opening, in a thread, so that
the server is ready earlier.
"""

import asyncio
import contextlib
import importlib
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import structlog

from fourfold.server.archive.errors import ArchiveUnavailable
from fourfold.server.archive.facts import GameFacts
from fourfold.server.metrics import Metrics
from fourfold.server.storage.event_log import LogUnavailable
from fourfold.server.storage.records import Entry
from fourfold.server.supervision import supervise

if TYPE_CHECKING:
    from fourfold.server.archive.accounts import AccountTables
    from fourfold.server.archive.database import Database
    from fourfold.server.archive.marks import MarkTables
    from fourfold.server.archive.orders import OrderTables
    from fourfold.server.archive.ratings import RatingTables

AGAIN: Final = 5.0
"""Seconds between attempts to open the archive."""

LOOK: Final = 10.0
"""Seconds between checks of the archive when no other request is sent to it."""

ENDING: Final = 10.0
"""Seconds for which the shutdown waits for pending requests to the database."""

OPENING: Final = 30.0
"""Seconds, at most, for which a request waits until the archive has been opened, or could not be."""

_log = structlog.get_logger(__name__)

_T = TypeVar("_T")


class Archive:
    """Runs from `open` to `close`. Requests raise `ArchiveUnavailable`."""

    def __init__(
        self, address: str | None, folder: Path, agree: Callable[[str], Awaitable[str]], metrics: Metrics
    ) -> None:
        """Without an address the archive is a file in the folder. `agree` takes the archive's id and returns the one
        that all servers of the store use. An archive with another id is not used."""
        self._address = address
        self._folder = folder
        self._agree = agree
        self._metrics = metrics
        self._opened: asyncio.Future[Database] = asyncio.get_running_loop().create_future()
        self._tried = asyncio.Event()
        self._closing = asyncio.Event()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._well = True

    @property
    def away(self) -> bool:
        """Whether the archive failed to answer, or refused, at the last request. It is checked every `LOOK` seconds at
        least."""
        return not self._well

    def open(self) -> None:
        """Start opening the database."""
        self._follow(supervise("archive", self._open))

    async def close(self) -> None:
        """Stop, when the database has finished its requests, or after `ENDING` seconds."""
        self._closing.set()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=ENDING)
        if self._opened.done():
            await self._opened.result().close()

    def _do(self, work: Coroutine[Any, Any, _T]) -> asyncio.Task[_T]:
        """Start some work on the database. It is never cancelled: an interrupted driver may never end."""
        return self._follow(asyncio.create_task(work))

    def _follow(self, task: asyncio.Task[_T]) -> asyncio.Task[_T]:
        """Make `close` wait for a task."""
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # marks the exception as retrieved, even if nobody waits any more

    async def _open(self) -> None:
        module = await asyncio.to_thread(importlib.import_module, "fourfold.server.archive.database")
        while not (self._opened.done() or self._closing.is_set()):
            try:
                database: Database = await module.Database.open(self._address, self._folder)
                await self._make_sure(database)
            except LogUnavailable as error:
                self._tell(error)
            else:
                self._recovered()
                self._opened.set_result(database)
            self._tried.set()
            if not self._opened.done():
                await self._closes_within(AGAIN)
        while not await self._closes_within(LOOK):
            with contextlib.suppress(ArchiveUnavailable):  # `_tell` logs and counts it
                await self.ping()

    async def _closes_within(self, seconds: float) -> bool:
        """Wait for `seconds`, or until the shutdown; returns whether that has come."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._closing.wait(), seconds)
        return self._closing.is_set()

    async def _make_sure(self, database: "Database") -> None:
        """Raises `LogUnavailable` unless the servers of the store agree on this database."""
        try:
            agreed = await self._agree(database.id)
            if agreed != database.id:
                raise ArchiveUnavailable(
                    f"The servers of this store use the archive {agreed}, but this is {database.id}: "
                    "give all of them the same DATABASE_URL."
                )
        except BaseException:
            await database.close()
            raise

    async def ask(self, question: "Callable[[Database], Coroutine[Any, Any, _T]]") -> _T:
        """The result of a query on the database."""
        try:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._tried.wait(), OPENING)
            if not self._opened.done():
                raise ArchiveUnavailable("The archive of games does not answer.")
            answer = await asyncio.shield(self._do(question(self._opened.result())))
        except ArchiveUnavailable as error:
            self._tell(error)
            raise
        self._recovered()
        return answer

    def _tell(self, error: LogUnavailable) -> None:
        self._metrics.archive_errors += 1
        self._metrics.archive_up = False
        if self._well:
            self._well = False
            _log.error("archive away", error=str(error), cause=repr(error.__cause__))

    def _recovered(self) -> None:
        self._metrics.archive_up = True
        if not self._well:
            self._well = True
            _log.warning("archive well again")

    async def ping(self) -> None:
        """Check that the archive answers."""
        await self.ask(lambda database: database.ping())

    async def keep(self, room: str, entries: Sequence[Entry], now: int | None) -> None:
        """Store the whole log of a room that leaves the store (None: that stays there); does nothing if it is already
        there. Raises `AnotherLog` if another is."""
        await self.ask(lambda database: database.keep(room, entries, now))

    async def log(self, room: str) -> list[Entry] | None:
        """The log of a room, as far as it is here; None if there is none. Raises `DamagedEntry`."""
        return await self.ask(lambda database: database.log(room))

    async def left(self, room: str) -> list[Entry] | None:
        """The whole log of a room that has left the store; None if there is none. Raises `DamagedEntry`."""
        return await self.ask(lambda database: database.log(room, left=True))

    async def list_games(self, games: Sequence[GameFacts]) -> None:
        """List games whose log is stored, and count them in the explorer."""
        await self.ask(lambda database: database.list_games(games))

    async def ratings(self, question: "Callable[[RatingTables], Coroutine[Any, Any, _T]]") -> _T:
        """The result of a query on the tables of ratings."""
        return await self.ask(lambda database: question(database.ratings))

    async def people(self, question: "Callable[[AccountTables], Coroutine[Any, Any, _T]]") -> _T:
        """The result of a query on the tables of accounts."""
        return await self.ask(lambda database: question(database.accounts))

    async def orders(self, question: "Callable[[OrderTables], Coroutine[Any, Any, _T]]") -> _T:
        """The result of a query on the tables of orders."""
        return await self.ask(lambda database: question(database.orders))

    async def marks(self, question: "Callable[[MarkTables], Coroutine[Any, Any, _T]]") -> _T:
        """The result of a query on the tables of the witness."""
        return await self.ask(lambda database: question(database.marks))
