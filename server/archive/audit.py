"""The audit log: a row for each action of operators and moderators. Rows are never removed."""

from sqlalchemy import select

from fourfold.server.archive.acts import Record
from fourfold.server.archive.database import Database
from fourfold.server.archive.tables import AUDIT, SEATS


async def records(database: Database) -> list[Record]:
    """All rows, oldest first. Raises `ArchiveUnavailable`."""
    async with database.transaction() as connection:
        rows = await connection.execute(select(AUDIT).order_by(AUDIT.c.at, AUDIT.c.id))
        return [Record(**row._mapping) for row in rows]


async def rooms_of(database: Database, player: str) -> list[str]:
    """The archived rooms in which a player has a seat in a game. Raises `ArchiveUnavailable`."""
    async with database.transaction() as connection:
        query = select(SEATS.c.room).where(SEATS.c.player == player).distinct()
        return list((await connection.scalars(query)).all())
