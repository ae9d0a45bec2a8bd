"""The audit log: what operators have done to what was kept, a row for each command. Nothing removes a row."""

from typing import NamedTuple

from sqlalchemy import insert, select

from fourfold.server.archive.database import Database
from fourfold.server.archive.tables import AUDIT, SEATS


class Record(NamedTuple):
    """When (ms since 1970), under which id, who did what, to which game or player, with how many rooms, and why."""

    at: int
    id: str
    by: str
    action: str
    target: str
    rooms: int
    why: str


async def note(database: Database, record: Record) -> None:
    """Add a row. Raises `ArchiveUnavailable`."""
    async with database.transaction(write=True) as connection:
        await connection.execute(insert(AUDIT).values(**record._asdict()))


async def records(database: Database) -> list[Record]:
    """All rows, oldest first. Raises `ArchiveUnavailable`."""
    async with database.transaction() as connection:
        rows = await connection.execute(select(AUDIT).order_by(AUDIT.c.at, AUDIT.c.id))
        return [Record(**row._mapping) for row in rows]


async def rooms_of(database: Database, player: str) -> list[str]:
    """The archived rooms in which a player has a seat in some game. Raises `ArchiveUnavailable`."""
    async with database.transaction() as connection:
        query = select(SEATS.c.room).where(SEATS.c.player == player).distinct()
        return list((await connection.scalars(query)).all())
