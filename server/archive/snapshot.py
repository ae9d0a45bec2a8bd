"""The whole archive as rows: a consistent copy, and its restoration, on either database.

Rows of an older server are restored to the tables of its version, which are then migrated.
"""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, MetaData, Table, insert, select, text
from sqlalchemy.ext.asyncio import AsyncConnection

from fourfold.server.archive.database import Database, upgrade
from fourfold.server.archive.tables import LOGS, METADATA

PART: Final = 500
"""How many rows are read or written at once."""

Row = dict[str, Any]


class Snapshot(NamedTuple):
    """A consistent view of the archive, and the migration of its tables."""

    connection: AsyncConnection
    schema: str

    async def rows(self) -> AsyncIterator[tuple[str, list[Row]]]:
        """All rows, table by table, in batches. Tables that others refer to come first. Tables about the store's
        current state are left out."""
        for table in (one for one in METADATA.sorted_tables if one.info.get("backup", True)):
            async with self.connection.stream(select(table).execution_options(yield_per=PART)) as found:
                async for part in found.mappings().partitions(PART):
                    yield table.name, [dict(row) for row in part]


@asynccontextmanager
async def snapshot(database: Database) -> AsyncIterator[Snapshot]:
    """The archive as it is now, for the duration of the context. Raises `ArchiveUnavailable`."""
    async with database.transaction() as connection:
        if connection.dialect.name == "postgresql":
            await connection.execute(text("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ"))
        schema = await connection.scalar(text("SELECT version_num FROM alembic_version"))
        yield Snapshot(connection, str(schema))


async def is_empty(database: Database) -> bool:
    """Whether no log is stored. Raises `ArchiveUnavailable`."""
    async with database.transaction() as connection:
        return await connection.scalar(select(LOGS.c.room).limit(1)) is None


async def replace(database: Database, schema: str, rows: Iterable[tuple[str, list[Row]]]) -> None:
    """Replace everything by these rows of a schema, wholly or not at all.

    Raises `ArchiveUnavailable`, also if a newer server has written the rows.
    """
    async with database.transaction(write=True) as connection:
        await connection.run_sync(_drop)
        await upgrade(connection, schema)
        tables: dict[str, Table] = {}
        for name, part in rows:
            if name not in tables:
                tables[name] = await connection.run_sync(_table, name)
            if name == "properties":
                await connection.execute(tables[name].delete())  # rows that a migration has written itself
            await connection.execute(insert(tables[name]), part)
        await upgrade(connection)


def _table(connection: Connection, name: str) -> Table:
    """A table as it is in the database, whatever this server's definition."""
    return Table(name, MetaData(), autoload_with=connection)


def _drop(connection: Connection) -> None:
    METADATA.drop_all(connection)
    connection.execute(text("DROP TABLE alembic_version"))


async def kept_rooms(database: Database) -> AsyncIterator[list[str]]:
    """The ids of all rooms with a stored log, in batches. Raises `ArchiveUnavailable`."""
    last = ""
    while True:
        async with database.transaction() as connection:
            query = select(LOGS.c.room).where(LOGS.c.room > last).order_by(LOGS.c.room).limit(PART)
            rooms = list((await connection.scalars(query)).all())
        if not rooms:
            return
        yield rooms
        last = rooms[-1]


async def file_faults(database: Database) -> list[str]:
    """The faults that SQLite finds in its file. PostgreSQL checks its own files. Raises `ArchiveUnavailable`."""
    async with database.transaction() as connection:
        if connection.dialect.name != "sqlite":
            return []
        found = (await connection.scalars(text("PRAGMA integrity_check(10)"))).all()
    return [fault for fault in found if fault != "ok"]
