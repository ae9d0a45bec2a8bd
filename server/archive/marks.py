"""Queries on the tables of the witness."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from sqlalchemy import delete, func, select

from fourfold.server.archive.statements import Begin, Statements
from fourfold.server.archive.tables import BEATS, LOGS, LOSSES, MARKS, STAYS
from fourfold.server.archive.witnessed import Beat, Loss, Mark

PAGE: Final = 500
"""How many marks are read at once."""


class MarkTables(Statements):
    """The marks, beats and losses of a database. All methods raise `ArchiveUnavailable`."""

    def __init__(self, begin: Begin, insert: Any) -> None:
        """The arguments are as in `Statements`."""
        super().__init__(begin, insert)
        put = insert(MARKS)
        newer = {name: put.excluded[name] for name in Mark._fields if name != "room"}
        self._newer = put.on_conflict_do_update(
            index_elements=["room"], set_=newer, where=put.excluded.at >= MARKS.c.at
        )
        self._put = ""
        count = insert(BEATS)
        most = {"beats": count.excluded.beats, "at": count.excluded.at}
        self._count = count.on_conflict_do_update(
            index_elements=["data"], set_=most, where=count.excluded.beats > BEATS.c.beats
        )

    async def write(self, marks: Sequence[Mark], gone: Collection[str], beat: Beat | None) -> None:
        """Delete the marks of rooms that are `gone`, then store these marks, and the beat. If two servers write a mark
        of one room, the later decision stays."""
        async with self._begin(write=True) as connection:
            for rooms in _parts(sorted(gone)):
                await connection.execute(delete(MARKS).where(MARKS.c.room.in_(rooms)))
            if marks:
                # Half the cost of SQLAlchemy's bulk insert, and each changed room has one.
                self._put = self._put or str(self._newer.compile(dialect=connection.dialect))
                await connection.exec_driver_sql(self._put, list(map(tuple, sorted(marks))))
            if beat is not None:
                await connection.execute(self._count, beat._asdict())

    async def page(self, after: str) -> list[Mark]:
        """Some marks, in the order of the rooms, after a given room."""
        wanted = select(MARKS).where(MARKS.c.room > after).order_by(MARKS.c.room).limit(PAGE)
        return [Mark(*row) for row in await self._rows(wanted)]

    async def of(self, rooms: Collection[str]) -> list[Mark]:
        """The marks of some rooms."""
        return [Mark(*row) for row in await self._rows(select(MARKS).where(MARKS.c.room.in_(rooms)))]

    async def beats(self) -> list[Beat]:
        """The last beat of each data that servers have seen since the last loss."""
        return [Beat(*row) for row in await self._rows(select(BEATS))]

    async def archived(self, rooms: Collection[str]) -> set[str]:
        """Those of `rooms` that have left the store for the archive."""
        query = select(LOGS.c.room).where(LOGS.c.room.in_(rooms), LOGS.c.archived != STAYS)
        async with self._begin() as connection:
            return set((await connection.scalars(query)).all())

    async def settle(self, missing: Mapping[Mark, int], beats: Sequence[Beat], now: int) -> set[Mark | Beat]:
        """Delete the marks of rooms that went back, each with its number of unreported decisions, and these beats, and
        store the loss. Returns what no other server had deleted before: only that is counted. The mark of a room that
        was played on meanwhile is a later one, and stays."""
        gone: set[Mark | Beat] = set()
        async with self._begin(write=True) as connection:
            for mark in missing:
                same = MARKS.c.room == mark.room, MARKS.c.seq == mark.seq, MARKS.c.lineage == mark.lineage
                later = select(MARKS.c.room).where(MARKS.c.room == mark.room, MARKS.c.at > mark.at)
                deleted = (await connection.execute(delete(MARKS).where(*same))).rowcount
                if deleted or await connection.scalar(later) is not None:
                    gone.add(mark)
            for beat in beats:
                seen = BEATS.c.data == beat.data, BEATS.c.beats == beat.beats
                if (await connection.execute(delete(BEATS).where(*seen))).rowcount:
                    gone.add(beat)
            loss = Loss.of(decisions for mark, decisions in missing.items() if mark in gone)
            if loss.rooms:
                kept = self._insert(LOSSES).values(found=now, **loss._asdict())
                sums = {name: LOSSES.c[name] + kept.excluded[name] for name in Loss._fields}
                await connection.execute(kept.on_conflict_do_update(index_elements=["found"], set_=sums))
        return gone

    async def losses(self, since: int) -> Loss:
        """All losses found since a time (ms since 1970)."""
        sums = func.coalesce(func.sum(LOSSES.c.rooms), 0), func.coalesce(func.sum(LOSSES.c.decisions), 0)
        async with self._begin() as connection:
            rooms, decisions = (await connection.execute(select(*sums).where(LOSSES.c.found >= since))).one()
        return Loss(int(rooms), int(decisions))

    async def forget(self, rooms: Collection[str]) -> None:
        """Delete the marks of rooms that were removed on purpose."""
        await self._do(delete(MARKS).where(MARKS.c.room.in_(rooms)))

    async def prune(self, now: int, before: int) -> None:
        """Delete marks that have expired by `now`, and losses found before `before` (ms since 1970)."""
        async with self._begin(write=True) as connection:
            await connection.execute(delete(MARKS).where(MARKS.c.until < now))
            await connection.execute(delete(LOSSES).where(LOSSES.c.found < before))


def _parts(rooms: Sequence[str]) -> list[Sequence[str]]:
    return [rooms[start : start + PAGE] for start in range(0, len(rooms), PAGE)]
