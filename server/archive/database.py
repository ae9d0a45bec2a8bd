"""The archive's database: SQLite or PostgreSQL, through SQLAlchemy. Its tables are created and migrated at the start.

SQLite keeps a write-ahead log, and syncs every commit to disk. A committed game may be deleted from the store, or be
a copy of one that may go on there.
"""

import asyncio
import contextlib
import importlib.util
import secrets
import threading
import zlib
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

from sqlalchemy import Connection, Engine, and_, delete, event, insert, select, text, true, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import OperationalError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.sql.expression import Executable

from fourfold.server.archive import explorer, queries, ratings
from fourfold.server.archive.accounts import AccountTables
from fourfold.server.archive.address import DRIVERS, FILE
from fourfold.server.archive.errors import AnotherLog, ArchiveUnavailable
from fourfold.server.archive.facts import GameFacts, Imported, Played, Record, Search, fold, folded
from fourfold.server.archive.marks import MarkTables
from fourfold.server.archive.orders import OrderTables
from fourfold.server.archive.packing import lineages_of, pack, pack_text, unpack, unpack_text
from fourfold.server.archive.ratings import RatingTables
from fourfold.server.archive.statements import Statements
from fourfold.server.archive.tables import GAMES, LOGS, MARKS, PROPERTIES, REVIEWS, SEATS, STAYS, TEXTS
from fourfold.server.archive.witnessed import Loss
from fourfold.server.storage.event_log import UnreadableEntry
from fourfold.server.storage.records import Entry, read, schema_of

HEAD: Final = "preferences_17"
"""The migration that this server needs: the last one."""

PATIENCE: Final = 10.0
"""Seconds for which one command may wait for the database."""

LOCKED: Final = 5.0
"""How many seconds a server waits for an SQLite file that another process has locked."""

LOCKED_LONG: Final = 60.0
"""How many seconds a maintenance command waits for such a file. A server on a busy machine may hold its lock for many
seconds."""

BUSY: Final = 0.05
"""Seconds between attempts to connect to a file while another server turns on its write-ahead log."""

_alone: Final = threading.Lock()
"""Held during a migration: Alembic keeps the connection where another migration in this process would find it."""

CONNECTIONS: Final = 4
"""The most connections."""

AT_ONCE: Final = 20
"""How many rooms one transaction deletes, or counts for the explorer."""

MIGRATING: Final = 0x666F7572
"""PostgreSQL's advisory lock that lets one server at a time migrate."""

_ONCE: Final[dict[str, Any]] = {"sqlite": sqlite.insert, "postgresql": postgresql.insert}


class DatabaseState(NamedTuple):
    """The state of a database: its `id` (None: it is empty), the last applied migration, whether that is the newest one
    and whether this server knows it, and the losses of the store, if the tables are up to date."""

    id: str | None
    revision: str | None
    current: bool
    known: bool
    loss: Loss | None


class Database(Statements):
    """Created by `open`, ended by `close`. All methods raise `ArchiveUnavailable`.

    Never cancel a method: an interrupted driver may wait for ever for the work it had begun.
    """

    def __init__(self, engine: AsyncEngine) -> None:
        super().__init__(self.transaction, _ONCE[engine.dialect.name])
        self._engine = engine
        self.accounts = AccountTables(self.transaction, self._insert)
        self.ratings = RatingTables(self.transaction, self._insert)
        self.orders = OrderTables(self.transaction, self._insert)
        self.marks = MarkTables(self.transaction, self._insert)
        self.id = ""
        """Identifies this archive among all archives."""

    @classmethod
    async def open(cls, address: str | None, folder: Path, locked: float = LOCKED) -> Self:
        """Connect to the database at a URL, or to the SQLite file in the data folder, and migrate it. If another
        process has locked the file, wait for up to `locked` seconds."""
        with _unavailable():
            database = cls(_engine(_url(address, folder), locked))
        try:
            await database._connect()
            async with database.transaction(write=True) as connection:
                await _migrate(connection)
                known = select(PROPERTIES.c.value).where(PROPERTIES.c.name == "id")
                found = await connection.scalar(known)
                if found is None:
                    found = secrets.token_hex(8)
                    await connection.execute(insert(PROPERTIES).values(name="id", value=found))
                database.id = found
        except BaseException:
            await database.close()
            raise
        return database

    @classmethod
    async def look(cls, address: str | None, folder: Path, since: int) -> "DatabaseState":
        """The state of a database, with the losses found since a time (ms since 1970). Changes nothing.

        Raises `ArchiveUnavailable`.
        """
        with _unavailable():
            database = cls(_engine(_url(address, folder)))
        try:
            await database._connect()
            async with database.transaction() as connection:
                revision = await connection.run_sync(_version)
                known = select(PROPERTIES.c.value).where(PROPERTIES.c.name == "id")
                id = None if revision is None else await connection.scalar(known)
            current = revision == HEAD
            loss = await database.marks.losses(since) if current else None
            return DatabaseState(id, revision, current, revision is None or _is_known(revision), loss)
        finally:
            await database.close()

    async def _connect(self) -> None:
        """Connect for the first time. While another server turns on the write-ahead log of a new file, SQLite refuses
        at once instead of waiting."""
        with _unavailable():
            async with asyncio.timeout(PATIENCE):
                while True:
                    try:
                        async with self._engine.connect():
                            return
                    except OperationalError as error:
                        if "database is locked" not in str(error):
                            raise
                    await asyncio.sleep(BUSY)

    async def close(self) -> None:
        """Close all connections."""
        await self._engine.dispose()

    @contextlib.asynccontextmanager
    async def transaction(self, *, write: bool = False) -> AsyncIterator[AsyncConnection]:
        """A transaction, which is committed at the end."""
        with _unavailable():
            async with self._engine.connect() as connection:
                await connection.execution_options(fourfold_write=write)
                async with connection.begin():
                    yield connection

    async def scrub(self) -> None:
        """Remove all deleted bytes from SQLite's write-ahead log. PostgreSQL does so by itself."""
        if self._engine.dialect.name == "sqlite":
            with _unavailable():
                async with self._engine.connect() as connection:
                    driver: Any = (await connection.get_raw_connection()).driver_connection
                    await driver.execute_fetchall("PRAGMA wal_checkpoint(TRUNCATE)")

    async def ping(self) -> None:
        """Check that the database answers."""
        await self._rows(select(1))

    # -- logs --

    async def keep(self, room: str, entries: Sequence[Entry], now: int | None) -> None:
        """Keep the whole log of a room, which leaves the store `now` (ms since 1970). With None, keep a copy of a log
        that stays there and may go on. Does nothing if it is kept already, nor for a copy if a later one is. Raises
        `AnotherLog` if it does not continue the one that is kept."""
        row = await asyncio.to_thread(_log_row, room, entries, STAYS if now is None else now)
        lineages = await asyncio.to_thread(lineages_of, entries)
        async with self._begin(write=True) as connection:
            if (await connection.execute(self._once(LOGS, row))).rowcount:
                return
            query = select(LOGS.c.seq, LOGS.c.lineage, LOGS.c.archived).where(LOGS.c.room == room)
            kept = (await connection.execute(query)).one()
            grows, same = kept.seq < len(entries), kept.seq == len(entries)
            if kept.seq > len(entries) and now is None:
                return
            if not (grows or same) or lineages[kept.seq - 1] != kept.lineage or (grows and kept.archived != STAYS):
                raise AnotherLog(f"The archive already has a different log for {room}.")
            if kept.archived == STAYS and (grows or now is not None):
                await connection.execute(update(LOGS).where(LOGS.c.room == room).values(**row))

    async def log(self, room: str, *, left: bool = False) -> list[Entry] | None:
        """The log of a room; None if there is none, or if it should have `left` the store and has not. Raises
        `DamagedEntry`."""
        gone = LOGS.c.archived != STAYS if left else true()
        found = await self._rows(select(LOGS.c.log, LOGS.c.lineage).where(LOGS.c.room == room, gone))
        return await asyncio.to_thread(unpack, *found[0]) if found else None

    async def rename(self, room: str, entries: Sequence[Entry], player: str, other: str, name: str) -> None:
        """Replace a room's log by entries of the same games in which a player has another id and name."""
        row = await asyncio.to_thread(_log_row, room, entries, 0)
        changed = {column: row[column] for column in ("lineage", "log")}
        async with self._begin(write=True) as connection:
            await connection.execute(update(LOGS).where(LOGS.c.room == room).values(**changed))
            seats = update(SEATS).where(SEATS.c.room == room, SEATS.c.player == player)
            await connection.execute(seats.values(player=other, name=name, called=folded(name)))

    async def forget(self, before: int) -> int:
        """Delete the rooms whose last game ended before a time (ms since 1970). Returns how many. Imported games
        stay."""
        late = select(GAMES.c.room).where((GAMES.c.ended >= before) | GAMES.c.imported)
        early = select(GAMES.c.room).where(GAMES.c.ended < before, GAMES.c.room.not_in(late)).distinct()
        forgotten = 0
        while True:
            rooms = await self._rows(early.limit(AT_ONCE))
            if not rooms:
                return forgotten
            forgotten += await self.erase([row.room for row in rooms])

    async def erase(self, rooms: Sequence[str]) -> int:
        """Delete rooms with all their games, and their counts in the explorer. Returns how many rooms existed."""
        games = [game for room in rooms for game in await self._games_of(room)]
        listed = delete(GAMES).where(GAMES.c.room.in_(rooms))
        async with self._begin(write=True) as connection:
            rows = await connection.execute(listed.returning(GAMES.c.room, GAMES.c.number, GAMES.c.explored))
            counted = {(row.room, row.number) for row in rows if row.explored}
            gone = await connection.execute(delete(LOGS).where(LOGS.c.room.in_(rooms)))
            await connection.execute(delete(MARKS).where(MARKS.c.room.in_(rooms)))
            lost = [game for game in games if (game.room, game.number) in counted]
            await explorer.count(connection, self._insert, lost, -1)
            await ratings.unlink(connection, rooms)
            return gone.rowcount

    async def _games_of(self, room: str) -> list[GameFacts]:
        """The games of a stored log; none if it is damaged."""
        try:
            entries = await self.log(room)
            return [] if entries is None else (await fold(room, read(entries)))[1]
        except UnreadableEntry:
            return []

    # -- games --

    async def list_games(self, games: Sequence[GameFacts]) -> None:
        """List games whose log is stored, count them in the explorer, and rate them. Does nothing for games that are
        already listed."""
        async with self._begin(write=True) as connection:
            await self._list(connection, games)

    async def _list(self, connection: AsyncConnection, games: Sequence[GameFacts]) -> None:
        new = []
        for game in games:
            unrated = await ratings.why_not(connection, game)
            row = _game_row(game) | {"explored": True, "unrated": unrated}
            listed = await connection.execute(self._once(GAMES, row))
            if listed.rowcount:
                new.append(replace(game, unrated=unrated))
            for turn, seat in enumerate(game.seats):
                row = {"room": game.room, "number": game.number, "turn": turn, "ended": game.ended}
                facts = {name: getattr(seat, name) for name in ("seat", "player", "name", "result", "place", "points")}
                await connection.execute(self._once(SEATS, row | facts | {"called": folded(seat.name)}))
        await explorer.count(connection, self._insert, new)
        await ratings.rate(connection, self._insert, new)

    async def import_games(self, games: Sequence[Imported], now: int) -> int:
        """Store and list games that were played elsewhere, all of them or none. Returns how many were new."""
        logs = await asyncio.to_thread(lambda: [_log_row(game.room, game.entries, now) for game in games])
        new = []
        async with self._begin(write=True) as connection:
            for game, row in zip(games, logs, strict=True):
                kept = await connection.execute(self._once(LOGS, row))
                if kept.rowcount:
                    text = {"room": game.room, "format": game.format, "text": pack_text(game.text)}
                    await connection.execute(insert(TEXTS).values(**text))
                    new.append(game.facts)
            await self._list(connection, new)
        return len(new)

    async def text(self, room: str) -> tuple[str, str] | None:
        """The format of an imported game, and its original text; None for a room that was played here. Raises
        `DamagedEntry`."""
        found = await self._rows(select(TEXTS.c.format, TEXTS.c.text).where(TEXTS.c.room == room))
        return (found[0].format, unpack_text(found[0].text)) if found else None

    async def games(self, room: str) -> list[GameFacts]:
        """The listed games of a room, in their order."""
        async with self._begin() as connection:
            return await queries.games_of(connection, room)

    async def search(self, search: Search) -> list[GameFacts]:
        """The games that match a search, newest first."""
        async with self._begin() as connection:
            return await queries.search(connection, search)

    async def rooms_of(self, player: str) -> list[str]:
        """The rooms in which a player has a seat in a game."""
        return [row.room for row in await self._rows(select(SEATS.c.room).where(SEATS.c.player == player).distinct())]

    async def record(self, player: str, *, private: bool) -> Record:
        """The outcomes of a player's games: all of them if `private`, else the public ones."""
        async with self._begin() as connection:
            return await queries.record(connection, player, private=private)

    # -- reviews --

    async def review(self, room: str, number: int) -> bytes | None:
        """The review of a game; None if there is none."""
        wanted = select(REVIEWS.c.review).where(REVIEWS.c.room == room, REVIEWS.c.number == number)
        found = await self._rows(wanted)
        return zlib.decompress(found[0].review) if found else None

    async def reviews_of(self, player: str, most: int) -> list[tuple[str, int, str, bytes]]:
        """Room, number, the player's seat and the review of their latest games that have one."""
        same = and_(REVIEWS.c.room == SEATS.c.room, REVIEWS.c.number == SEATS.c.number)
        wanted = (
            select(SEATS.c.room, SEATS.c.number, SEATS.c.seat, REVIEWS.c.review)
            .join(REVIEWS, same)
            .where(SEATS.c.player == player)
            .order_by(SEATS.c.ended.desc(), SEATS.c.room.desc(), SEATS.c.number.desc())
            .limit(most)
        )
        rows = await self._rows(wanted)
        return [(row.room, row.number, row.seat, zlib.decompress(row.review)) for row in rows]

    async def keep_review(self, room: str, number: int, review: bytes) -> bool:
        """Store the review of a game; returns whether its log is here. An earlier review stays."""
        row = {"room": room, "number": number, "review": zlib.compress(review)}
        async with self._begin(write=True) as connection:
            if await connection.scalar(select(LOGS.c.room).where(LOGS.c.room == room)) is None:
                return False
            await connection.execute(self._once(REVIEWS, row))
        return True

    # -- the explorer --

    async def explore(self, position: int, seats: int) -> list[Played]:
        """The moves played from a position, by its key, most frequent first, in games with this number of seats."""
        async with self._begin() as connection:
            return await explorer.look_up(connection, position, seats)

    async def count_more(self) -> int:
        """Count some games that an older server listed without counting. Returns how many were handled: 0 when none are
        left."""
        missing = select(GAMES.c.room).where(~GAMES.c.explored).distinct().limit(AT_ONCE)
        rooms = [row.room for row in await self._rows(missing)]
        games = [game for room in rooms for game in await self._games_of(room)]
        async with self._begin(write=True) as connection:
            mark = update(GAMES).where(GAMES.c.room.in_(rooms), ~GAMES.c.explored).values(explored=True)
            marked = {tuple(row) for row in await connection.execute(mark.returning(GAMES.c.room, GAMES.c.number))}
            new = [game for game in games if (game.room, game.number) in marked]
            await explorer.count(connection, self._insert, new)
        return len(rooms)

    def _once(self, table: Any, row: dict[str, Any]) -> Executable:
        found: Executable = self._insert(table).values(**row).on_conflict_do_nothing()
        return found


def _log_row(room: str, entries: Sequence[Entry], now: int) -> dict[str, Any]:
    schema = max(0 if entry.sealed is None else schema_of(entry.sealed) for entry in entries)
    kept = {"room": room, "seq": entries[-1].seq, "schema": schema, "archived": now}
    return kept | {"lineage": lineages_of(entries)[-1], "log": pack(entries)}


def _game_row(game: GameFacts) -> dict[str, Any]:
    control = game.control
    same = ("room", "number", "variant", "public", "reason", "plies", "started", "ended", "position", "imported")
    return {name: getattr(game, name) for name in same} | {
        "base": None if control is None else control.base,
        "increment": None if control is None else control.increment,
        "delay": None if control is None else control.delay,
        "winners": " ".join(game.winners),
        "players": len(game.seats),
    }


@contextlib.contextmanager
def _unavailable() -> Any:
    try:
        yield
    except TimeoutError as error:
        raise ArchiveUnavailable(f"The archive has not answered for {PATIENCE:.0f} s.") from error
    except (SQLAlchemyError, OSError) as error:
        raise ArchiveUnavailable("The archive of games does not answer.") from error


def _url(address: str | None, folder: Path) -> URL:
    if address is None:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return URL.create(DRIVERS["sqlite"], database=str(folder / FILE))
    url = make_url(address)
    return url.set(drivername=DRIVERS[url.drivername])


def _engine(url: URL, locked: float = LOCKED) -> AsyncEngine:
    options: dict[str, Any] = {"pool_size": CONNECTIONS, "max_overflow": 0, "pool_timeout": PATIENCE}
    if url.get_backend_name() == "sqlite":
        engine = create_async_engine(url, **options, connect_args={"timeout": locked})
        _set_up_sqlite(engine.sync_engine)
        return engine
    connecting = {"timeout": PATIENCE / 2, "command_timeout": PATIENCE}
    return create_async_engine(url, **options, connect_args=connecting, pool_pre_ping=True)


def _set_up_sqlite(engine: Engine) -> None:
    """Turn on the write-ahead log, synced at every commit. A transaction that will write says so at its beginning; a
    reader that starts writing later may fail."""

    @event.listens_for(engine, "connect")
    def _connected(connection: Any, _: object) -> None:
        connection.isolation_level = None  # otherwise the driver decides when a transaction begins
        pragmas = ("journal_mode = wal", "synchronous = full", "foreign_keys = on", "secure_delete = on")
        script = "".join(f"PRAGMA {pragma};" for pragma in pragmas)
        connection.run_async(lambda driver: driver.executescript(script))  # one request to the connection's thread

    @event.listens_for(engine, "begin")
    def _begins(connection: Connection) -> None:
        write = connection.get_execution_options().get("fourfold_write")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if write else "BEGIN")


async def _migrate(connection: AsyncConnection) -> None:
    """Migrate the tables. Alembic is loaded only if needed."""
    if connection.dialect.name == "postgresql":
        await connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": MIGRATING})
    if await connection.run_sync(_version) != HEAD:
        await upgrade(connection)


def _version(connection: Connection) -> str | None:
    if not connection.dialect.has_table(connection, "alembic_version"):
        return None
    version: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
    return version


def _is_known(revision: str) -> bool:
    """Whether this server has a migration."""
    return importlib.util.find_spec(f"fourfold.server.archive.migrations.versions.{revision}") is not None


async def upgrade(connection: AsyncConnection, revision: str = "head") -> None:
    """Migrate the tables to a revision. Raises `ArchiveUnavailable` if this server does not know it."""
    await asyncio.to_thread(_alone.acquire)
    try:
        await connection.run_sync(_upgrade, revision)
    finally:
        _alone.release()


def _upgrade(connection: Connection, revision: str) -> None:
    from alembic import command
    from alembic.config import Config
    from alembic.util import CommandError

    config = Config()
    config.set_main_option("script_location", "fourfold.server.archive:migrations")
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, revision)
    except CommandError as error:
        raise ArchiveUnavailable(f"A newer version of this server has written the archive: {error}") from error
