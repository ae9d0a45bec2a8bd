"""A store and an archive with games, in the form that servers leave."""

from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path
from typing import Final

import pytest
from redis import Redis

from fourfold.server.archive.database import Database
from fourfold.server.config_file import beneath
from fourfold.server.maintenance import command, doctor, rooms, upgrade
from fourfold.server.maintenance.places import Places
from fourfold.server.storage import survey
from fourfold.server.storage.records import Entry
from fourfold.server.storage.redis_log import ARCHIVE, RedisLog, stream
from tests import new_archive
from tests.conftest import HANG
from tests.server.archive.played import archived, mate, of_four

DATA: Final = Path(__file__).parents[2] / "engine" / "notation" / "data"
"""Games that people played; see its README."""


@pytest.fixture(autouse=True)
def _commands_are_patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine the store or a server may be silent for seconds."""
    for module in (doctor, rooms, survey, upgrade):
        monkeypatch.setattr(module, "PATIENCE", HANG)


def status(name: str, *arguments: str) -> int:
    """The exit status of a command; unlike the program it leaves the log of this process as it is."""
    settings, parsed = command.read(name, arguments, beneath(arguments, {}))
    return command.carry_out(name, settings, parsed)


def put(store: Redis, room: str, entries: Sequence[Entry]) -> None:
    """Write a log to the store."""
    for seq, at, packed, sealed in entries:
        store.xadd(stream(room), {"t": at, "d": packed} | ({} if sealed is None else {"s": sealed}), id=f"{seq}-0")


@pytest.fixture
def store(embedded_url: str) -> Iterator[Redis]:
    """The worker's store, empty. What a test has damaged there is gone when the next one begins."""
    with Redis.from_url(embedded_url) as store:
        store.flushall()
        yield store
        store.flushall()


@pytest.fixture
async def places(store: Redis, embedded_url: str, tmp_path: Path) -> AsyncIterator[Places]:
    """`playing` is in the store alone, `between` in both, `left` in the archive, with its last entry in the store."""
    new_archive.lay(tmp_path)
    log, database = await RedisLog.visit(embedded_url), await Database.open(None, tmp_path)
    store.set(ARCHIVE, database.id)
    put(store, "playing", mate(1, archived=False).entries)
    between, left = mate(2), of_four(3)
    put(store, "between", between.entries)
    await database.keep("between", between.entries, 0)
    await archived(database, "left", left)
    put(store, "left", left.entries[-1:])
    store.pexpire(stream("left"), 60_000)
    yield Places(log, database)
    await log.close()
    await database.close()


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    """An empty archive."""
    new_archive.lay(tmp_path)
    found = await Database.open(None, tmp_path)
    yield found
    await found.close()
