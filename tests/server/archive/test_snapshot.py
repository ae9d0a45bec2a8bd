"""The whole archive as rows: one suite that SQLite and PostgreSQL pass."""

import asyncio
from pathlib import Path

import pytest

from fourfold.server.archive.database import Database
from fourfold.server.archive.errors import ArchiveUnavailable
from fourfold.server.archive.facts import Search
from fourfold.server.archive.snapshot import Row, file_faults, is_empty, kept_rooms, replace, snapshot
from fourfold.server.archive.witnessed import Beat, Mark
from tests.server.archive.played import archived, mate, of_four

Rows = list[tuple[str, list[Row]]]


async def rows_of(database: Database) -> tuple[str, Rows]:
    """The schema and the rows, in an order that does not depend on the database."""
    async with snapshot(database) as moment:
        return moment.schema, [(name, sorted(part, key=repr)) async for name, part in moment.rows()]


@pytest.mark.slow
async def test_all_is_brought_back_to_the_other_kind_of_database(database: Database, tmp_path: Path) -> None:
    await archived(database, "abc", of_four())
    await archived(database, "abd", mate())
    schema, rows = await rows_of(database)
    other = await Database.open(None, tmp_path / "other")
    await archived(other, "was here before", mate(7))
    await replace(other, schema, rows)
    assert await rows_of(other) == (schema, rows)
    assert await other.log("abc") == of_four().entries
    assert await other.search(Search()) == await database.search(Search())
    await archived(other, "and it goes on", mate(8))
    await replace(database, *await rows_of(other))
    assert [part async for part in kept_rooms(database)] == [["abc", "abd", "and it goes on"]]
    await other.close()


async def test_a_snapshot_does_not_see_what_comes_later(database: Database, other: Database) -> None:
    await archived(database, "before", mate(1))
    async with snapshot(database) as moment:
        parts = moment.rows()
        first = await anext(parts)
        await asyncio.create_task(archived(other, "after", mate(2)))
        rows = [first] + [part async for part in parts]
    assert [row["room"] for name, part in rows for row in part if name == "logs"] == ["before"]


async def test_marks_of_the_witness_stay_behind(database: Database) -> None:
    """A restored store is meant to be older."""
    await database.marks.write([Mark("abc", 7, b"lineage", 1, None)], (), Beat("data", 1, 1))
    schema, rows = await rows_of(database)
    assert "logs" not in dict(rows) and "marks" not in dict(rows)
    await replace(database, schema, rows)
    assert (await database.marks.page(""), await database.marks.beats()) == ([], [])


async def test_rows_of_a_newer_server_change_nothing(database: Database) -> None:
    await archived(database, "abc", mate())
    _, rows = await rows_of(database)
    with pytest.raises(ArchiveUnavailable, match="newer"):
        await replace(database, "of_the_future", [])
    assert (await rows_of(database))[1] == rows


async def test_an_archive_without_logs_is_empty_and_whole(database: Database) -> None:
    assert await is_empty(database)
    await database.keep("abc", mate().entries, 0)
    assert not await is_empty(database)
    assert await file_faults(database) == []
