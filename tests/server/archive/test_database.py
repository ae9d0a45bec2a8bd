"""The contract of the archive's database: one suite that SQLite and PostgreSQL pass."""

import asyncio
import contextlib
import sqlite3
from pathlib import Path

import pytest

from fourfold.server.archive.address import FILE
from fourfold.server.archive.database import Database
from fourfold.server.archive.errors import AnotherLog, ArchiveUnavailable
from tests.conftest import HANG
from tests.postgres import PostgresProcess
from tests.server.archive.played import archived, mate, of_four


async def test_a_log_is_kept_and_comes_back(database: Database, other: Database) -> None:
    game = of_four()
    assert await other.log("abc") is None
    await database.keep("abc", game.entries, 0)
    assert await other.log("abc") == game.entries
    assert await other.log("abd") is None


async def test_what_is_kept_twice_is_kept_once(database: Database, other: Database) -> None:
    game = mate()
    await asyncio.gather(*(archived(one, "abc", game) for one in (database, other) * 4))
    assert await database.log("abc") == game.entries


async def test_another_log_is_never_written_over_one(database: Database) -> None:
    kept, another = mate(1), mate(2)
    await database.keep("abc", kept.entries, 0)
    for entries in (another.entries, kept.entries[:-1]):
        with pytest.raises(AnotherLog):
            await database.keep("abc", entries, 0)
    assert await database.log("abc") == kept.entries


async def test_the_id_tells_an_archive_from_others(database: Database, other: Database, tmp_path: Path) -> None:
    elsewhere = await Database.open(None, tmp_path / "elsewhere")
    assert database.id == other.id != elsewhere.id
    await elsewhere.close()


async def test_only_old_games_are_forgotten(database: Database) -> None:
    first, second = mate(1), of_four(2)
    await archived(database, "old", first)
    await archived(database, "new", second)
    assert await database.forget(first.entries[-1].at + 1) == 1
    assert await database.log("old") is None
    assert await database.log("new") == second.entries
    await archived(database, "old", first)  # and no part of it stays
    assert await database.log("old") == first.entries


async def test_it_can_be_opened_by_several_at_the_first_time(database_address: str | None, tmp_path: Path) -> None:
    opened = await asyncio.gather(*(Database.open(database_address, tmp_path) for _ in range(4)))
    assert len({database.id for database in opened}) == 1
    for database in opened:
        await database.close()


@pytest.mark.slow
async def test_several_are_migrated_at_once_in_one_process(tmp_path: Path) -> None:
    opened = await asyncio.gather(*(Database.open(None, tmp_path / str(number)) for number in range(4)))
    for database in opened:
        await database.keep("abc", mate().entries, 0)
        await database.close()


async def test_a_locked_file_is_waited_for(tmp_path: Path) -> None:
    """A process that has no processor time may hold its lock for long. A maintenance command waits longer than a
    server does."""
    await (await Database.open(None, tmp_path)).close()
    with contextlib.closing(sqlite3.connect(tmp_path / FILE, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(ArchiveUnavailable, match="does not answer"):
            await Database.open(None, tmp_path, locked=0.1)
        opening = asyncio.create_task(Database.open(None, tmp_path, locked=HANG))
        done, _ = await asyncio.wait([opening], timeout=0.5)
        assert not done
        other.execute("COMMIT")
    await (await opening).close()


@pytest.mark.slow
async def test_a_database_that_is_killed_is_away_and_comes_back(
    frail_postgres: PostgresProcess, tmp_path: Path
) -> None:
    database = await Database.open(frail_postgres.database(), tmp_path)
    game = mate()
    await database.keep("abc", game.entries, 0)
    frail_postgres.kill()
    with pytest.raises(ArchiveUnavailable):
        await database.ping()
    frail_postgres.start()
    assert await database.log("abc") == game.entries
    await database.close()


async def test_a_folder_that_cannot_be_written_to(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ArchiveUnavailable):
        await Database.open(None, tmp_path / "file")


async def test_a_newer_archive_is_left_alone(database: Database, database_address: str | None, tmp_path: Path) -> None:
    from sqlalchemy import text

    async with database._begin(write=True) as connection:
        await connection.execute(text("UPDATE alembic_version SET version_num = 'of_the_future'"))
    with pytest.raises(ArchiveUnavailable, match="newer"):
        await Database.open(database_address, tmp_path)


async def test_migrations_lead_to_the_tables(database: Database) -> None:
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    from fourfold.server.archive.tables import METADATA

    async with database._begin() as connection:
        differences = await connection.run_sync(
            lambda sync: compare_metadata(MigrationContext.configure(sync), METADATA)
        )
    assert differences == []


async def test_reviews_are_kept_with_their_games(database: Database, other: Database) -> None:
    game = mate()
    assert not await database.keep_review("abc", 1, b"too soon")
    await archived(database, "abc", game)
    assert await database.keep_review("abc", 1, b"the first")
    assert await other.keep_review("abc", 1, b"another")
    assert (await other.review("abc", 1), await other.review("abc", 2)) == (b"the first", None)
    await database.erase(["abc"])
    assert await database.review("abc", 1) is None
