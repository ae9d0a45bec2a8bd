"""The archive's database, on SQLite and on PostgreSQL."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from fourfold.server.archive.database import Database
from tests import new_archive
from tests.conftest import some
from tests.postgres import PostgresProcess


@pytest.fixture(params=some(1, "sqlite", "postgresql"))
def database_address(request: pytest.FixtureRequest) -> str | None:
    """None means SQLite's file in the data folder."""
    if request.param == "sqlite":
        return None
    postgres: PostgresProcess = request.getfixturevalue("postgres")
    return postgres.database()


@pytest.fixture
async def database(database_address: str | None, tmp_path: Path) -> AsyncIterator[Database]:
    if database_address is None:
        new_archive.lay(tmp_path)
    found = await Database.open(database_address, tmp_path)
    yield found
    await found.close()


@pytest.fixture
async def other(database: Database, database_address: str | None, tmp_path: Path) -> AsyncIterator[Database]:
    """The same database, opened by another server."""
    found = await Database.open(database_address, tmp_path)
    yield found
    await found.close()
