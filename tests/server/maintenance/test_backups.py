"""Automatic backups: made when due, by one server, checked, rotated; a failure is logged and retried."""

import asyncio
import gzip
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import msgpack
import pytest
from redis import Redis

from fourfold.server.maintenance import backup, backups
from fourfold.server.maintenance.backups import AGAIN, MADE, MAKING, Backups, folder_of, kept, make, variables
from fourfold.server.maintenance.doctor import FAILURE, OK, WARNING, Finding, examine
from fourfold.server.maintenance.places import Places
from fourfold.server.maintenance.verification import verify_file
from fourfold.server.settings import Settings, read
from fourfold.server.storage.redis_log import RedisLog, stream
from tests import new_archive
from tests.server.conftest import Dial, Wire
from tests.server.maintenance.conftest import status

HOUR = 60 * 60 * 1000


class Desk:
    """Two servers of one store, with a clock and a backup function under the test's control."""

    def __init__(self, logs: list[RedisLog], folder: Path) -> None:
        self.now = 1_700_000_000_000
        self.fails: str | None = None
        self.made: list[str] = []
        self.folder = folder
        self.both = [Backups(log, lambda: self.now, folder, HOUR, 2, self._make) for log in logs]

    async def _make(self, file: Path) -> str | None:
        self.made.append(file.name)
        if self.fails is None:
            await asyncio.to_thread(file.write_bytes, b"")
        return self.fails

    async def look(self) -> None:
        """Both check at the same time."""
        await asyncio.gather(*(one.look() for one in self.both))


@pytest.fixture
async def desk(store: Redis, embedded_url: str, tmp_path: Path) -> AsyncIterator[Desk]:
    logs = [await RedisLog.open(embedded_url, unsafe=True) for _ in range(2)]
    yield Desk(logs, tmp_path)
    for log in logs:
        await log.close()


async def test_one_server_makes_one_when_it_is_due(desk: Desk, store: Redis) -> None:
    await desk.look()
    assert desk.made == ["fourfold-20231114-221320.backup"]
    desk.now += HOUR - 1
    await desk.look()
    assert len(desk.made) == 1 and [one.age for one in desk.both] == [HOUR / 1000 - 0.001] * 2
    desk.now += 1
    await desk.look()
    assert len(desk.made) == 2 and store.get(MAKING) is None


async def test_the_oldest_go_and_what_others_have_put_there_stays(desk: Desk) -> None:
    (desk.folder / "before-upgrade.backup").write_bytes(b"")
    for _ in range(4):
        await desk.look()
        desk.now += HOUR
    assert [file.name for file in kept(desk.folder)] == desk.made[:1:-1]
    assert (desk.folder / "before-upgrade.backup").exists()


async def test_one_that_fails_is_said_and_tried_again_later(
    desk: Desk, store: Redis, capsys: pytest.CaptureFixture[str]
) -> None:
    desk.fails = "no space left"
    await desk.look()
    await desk.look()
    assert len(desk.made) == 1 and [one.age for one in desk.both] == [None, None]
    said = capsys.readouterr().out
    assert "backup failed" in said and "no space left" in said
    assert 0 < store.pttl(MAKING) <= AGAIN and store.get(MADE) is None  # type: ignore[operator]
    store.delete(MAKING)  # as when that time is over
    desk.fails = None
    await desk.look()
    assert len(desk.made) == 2 and 0 in [one.age for one in desk.both]


async def test_a_server_makes_one_that_has_the_games_and_passes_the_check(
    start: Callable[..., Awaitable[str]],
    dial: Dial,
    common_url: str,
    tmp_path: Path,
) -> None:
    with Redis.from_url(common_url) as store:
        store.flushall()  # the check finds what other tests have damaged
    wire: Wire = await dial()
    room = (await wire.asks("create"))["room"]
    await start(backup_every=60, backup_dir=tmp_path / "kept")
    async with asyncio.timeout(240):
        while not kept(tmp_path / "kept"):  # noqa: ASYNC110 - it is another process
            await asyncio.sleep(0.05)
    (file,) = kept(tmp_path / "kept")
    assert room in [one.room async for one in verify_file(file)]
    assert file.stat().st_mode & 0o777 == 0o600


@pytest.mark.slow
async def test_a_server_of_a_low_priority_makes_one_too(
    embedded_url: str, store: Redis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only root may raise the priority of a process."""

    def refuse(*_: int) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "setpriority", refuse)
    settings = Settings(data_dir=tmp_path, redis_url=embedded_url)
    file = tmp_path / "a.backup"
    new_archive.lay(tmp_path)
    status, said = await backups._run("backup", file, variables(settings, embedded_url))
    assert status == 0, said
    assert file.exists()


@pytest.mark.slow
async def test_what_can_not_be_made_says_why(embedded_url: str, store: Redis, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    settings = Settings(data_dir=tmp_path, backup_dir=tmp_path / "file")
    failed = await make(folder_of(settings) / "a.backup", variables(settings, embedded_url))
    assert failed is not None and "file" in failed
    away = Settings(data_dir=tmp_path)
    failed = await make(folder_of(away) / "a.backup", variables(away, "redis://127.0.0.1:1"))
    assert failed is not None and "does not answer" in failed
    assert not kept(folder_of(away))


@pytest.fixture
async def file(places: Places, tmp_path: Path) -> Path:
    await backup.write(tmp_path / "a.backup", *places)
    return tmp_path / "a.backup"


async def test_a_backup_is_folded_as_the_store_and_the_archive_are(file: Path) -> None:
    looked = [one async for one in verify_file(file)]
    assert {(one.room, one.archived) for one in looked} == {
        ("playing", False), ("between", False), ("between", True), ("left", True)
    }  # fmt: skip
    assert all(one.damage is None and one.decisions > 0 for one in looked)


async def test_damage_in_a_backup_is_named(places: Places, store: Redis, tmp_path: Path) -> None:
    (id, fields), *_ = store.xrange(stream("playing"), "2-0", "2-0")  # type: ignore[misc]
    first, *later = store.xrange(stream("playing"))  # type: ignore[misc]
    store.delete(stream("playing"))
    for number, said in (first, (id, fields | {b"d": fields[b"d"][:-1] + b"\xc1"}), *later[1:]):
        store.xadd(stream("playing"), said, id=number)
    await backup.write(tmp_path / "a.backup", *places)
    damaged = {one.room async for one in verify_file(tmp_path / "a.backup") if one.damage is not None}
    assert damaged == {"playing"}


async def test_a_tail_in_the_store_needs_its_log_in_the_archive(file: Path, tmp_path: Path) -> None:
    whole = list(backup.items(file))
    gone = 0
    for one in whole:
        if one[:2] == ["rows", "logs"]:
            left = [row for row in one[2] if row["room"] != "left"]
            gone, one[2] = gone + len(one[2]) - len(left), left
    whole[-1][2] -= gone
    with gzip.open(tmp_path / "cut.backup", "wb") as out:
        for one in whole:
            out.write(msgpack.packb(one))
    damage = {one.room: one.damage async for one in verify_file(tmp_path / "cut.backup") if one.damage is not None}
    assert list(damage) == ["left"] and "the archive does not have it" in str(damage["left"])


def test_verify_reads_a_file(file: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert status("verify", str(file)) == 0
    assert "2 rooms in the store, 2 in the archive" in capsys.readouterr().out
    file.write_bytes(file.read_bytes()[:-20])
    assert status("verify", str(file)) == 2
    assert "is not a backup of fourfold-server" in capsys.readouterr().err


def test_a_period_is_written_with_its_unit(capsys: pytest.CaptureFixture[str]) -> None:
    periods = {"90s": 90, "5m": 300, "12H": 43_200, "1d": 86_400}
    assert {text: read([], {"BACKUP_EVERY": text}).backup_every for text in periods} == periods
    for text in ("10", "5s", "d", "1w"):
        with pytest.raises(SystemExit):
            read([], {"BACKUP_EVERY": text})
        assert "a period is written 90m, 12h or 1d" in capsys.readouterr().err


async def test_the_doctor_looks_at_the_newest(tmp_path: Path) -> None:
    def levels(found: list[Finding]) -> list[str]:
        return [one.level for one in found if one.topic == "backup"]

    none, every = Settings(data_dir=tmp_path, port=1), Settings(data_dir=tmp_path, port=1, backup_every=60)
    assert levels(await examine(none, {}, {})) == levels(await examine(every, {}, {})) == [WARNING]
    folder_of(every).mkdir()
    newest = folder_of(every) / "fourfold-20260101-000000.backup"
    newest.write_bytes(b"")
    assert levels(await examine(every, {}, {})) == [OK]
    os.utime(newest, (1, 1))
    assert levels(await examine(every, {}, {})) == [FAILURE]
