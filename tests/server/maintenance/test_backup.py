"""A backup contains everything, and is restored completely or not at all."""

import gzip
from pathlib import Path

import pytest
from redis import Redis

from fourfold.server.archive.database import Database
from fourfold.server.archive.facts import Search
from fourfold.server.maintenance import backup
from fourfold.server.maintenance.places import NotPossible, Places
from fourfold.server.maintenance.verification import verify
from fourfold.server.storage.redis_log import ARCHIVE, stream
from tests.server.archive.played import archived, mate
from tests.server.maintenance.conftest import put


async def test_what_was_lost_is_brought_back(places: Places, store: Redis, tmp_path: Path) -> None:
    await archived(places.archive, "between", mate(2))
    entries = await places.store.entries("playing")
    games = await places.archive.search(Search())
    written = await backup.write(tmp_path / "file", *places)
    assert backup.look(tmp_path / "file") == written
    store.flushall()
    put(store, "another", mate(5).entries)
    elsewhere = await Database.open(None, tmp_path / "elsewhere")
    assert not await backup.is_nothing_there(places.store, elsewhere)
    await backup.restore(tmp_path / "file", places.store, elsewhere)
    assert await places.store.entries("playing") == entries
    assert await elsewhere.search(Search()) == games
    assert not store.exists(stream("another"))
    assert 0 < int(store.pttl(stream("left"))) <= 60_000  # type: ignore[arg-type]
    assert [looked.damage async for looked in verify(places.store, elsewhere)] == [None] * 5
    reopened = await Database.open(None, tmp_path / "elsewhere")
    assert store.get(ARCHIVE) == reopened.id.encode()
    await reopened.close()
    await elsewhere.close()


async def test_a_game_that_leaves_the_store_meanwhile_is_in_the_backup(
    places: Places, store: Redis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once the store has been copied, the last step of the hand-over is done."""
    snapshot, between = backup.snapshot, stream("between")

    def first(database: Database) -> object:
        store.xtrim(between, maxlen=1)
        return snapshot(database)

    monkeypatch.setattr(backup, "snapshot", first)
    await backup.write(tmp_path / "file", *places)
    await backup.restore(tmp_path / "file", *places)
    assert store.xlen(between) == len(mate(2).entries)
    assert await places.archive.log("between") == mate(2).entries


@pytest.mark.parametrize(
    "spoil", [lambda raw: raw[: len(raw) // 2], lambda raw: raw[:400] + bytes([raw[400] ^ 1]) + raw[401:]]
)
async def test_a_damaged_backup_changes_nothing(places: Places, store: Redis, tmp_path: Path, spoil: object) -> None:
    assert callable(spoil)
    path = tmp_path / "file"
    await backup.write(path, *places)
    path.write_bytes(spoil(path.read_bytes()))
    keys = sorted(store.keys())  # type: ignore[type-var]
    with pytest.raises(NotPossible, match=r"can't be read|is incomplete|not a backup"):
        await backup.restore(path, *places)
    assert sorted(store.keys()) == keys  # type: ignore[type-var]


async def test_what_ends_between_two_items_is_a_part(places: Places, tmp_path: Path) -> None:
    path = tmp_path / "file"
    await backup.write(path, *places)
    path.write_bytes(gzip.compress(gzip.decompress(path.read_bytes())[:-7]))
    with pytest.raises(NotPossible, match=r"is incomplete|can't be read"):
        backup.look(path)


@pytest.mark.parametrize(
    "content",
    [b"", b"no backup", gzip.compress(b"\xc0"), gzip.compress(b"\x93\xa1a\x01\x01")],
    ids=["empty", "text", "not a list", "another list"],
)
def test_another_file_is_no_backup(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(content)
    with pytest.raises(NotPossible):
        backup.look(tmp_path / "file")
