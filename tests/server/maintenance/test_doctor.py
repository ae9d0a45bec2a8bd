"""`fourfold-server doctor`: its findings in various states, and that it changes nothing."""

import json
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from redis import Redis

from fourfold.server.archive.database import Database
from fourfold.server.config_file import keep
from fourfold.server.maintenance import doctor
from fourfold.server.maintenance.doctor import FAILURE, OK, WARNING, Finding, examine
from fourfold.server.settings import Settings
from fourfold.server.storage.redis_log import ARCHIVE
from tests.ports import free_port
from tests.server.maintenance.conftest import status


def of(findings: list[Finding], topic: str, *levels: str) -> list[str]:
    """The findings about a topic, of some levels or of any."""
    return [one.text for one in findings if one.topic == topic and one.level in (levels or (OK, WARNING, FAILURE))]


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data_dir=tmp_path / "data", port=free_port())


async def test_before_the_first_start_nothing_is_wrong_and_nothing_is_made(settings: Settings) -> None:
    found = await examine(settings, {}, {})
    assert not [one for one in found if one.level == FAILURE]
    assert "not running" in of(found, "store")[0] and "not there yet" in of(found, "archive")[0]
    assert "no server answers" in of(found, "server", WARNING)[0]
    assert not settings.data_dir.exists()


async def test_a_setting_is_shown_with_its_source_and_a_secret_is_not(settings: Settings) -> None:
    own = Settings(
        data_dir=settings.data_dir, port=settings.port, max_rooms=7, max_open=8, max_rate=9, secret="x" * 20,
        database_url="postgresql://u:geheim@127.0.0.1:1/x",
    )  # fmt: skip
    found = await examine(own, {"MAX_ROOMS": "7", "SECRET": "x" * 20, "FOURFOLD_PORT": "1"}, {"MAX_OPEN": "8"})
    told = of(found, "setting", OK)
    assert "MAX_ROOMS: 7 (from the environment)" in told and "MAX_OPEN: 8 (from the config file)" in told
    assert "MAX_RATE: 9 (from a flag)" in told and "SECRET: set (from the environment)" in told
    assert of(found, "setting", WARNING) == ["FOURFOLD_PORT is no setting"]
    assert "does not answer" in of(found, "archive", FAILURE)[0]
    assert not [one for one in found if "geheim" in one.text or "xxxx" in one.text]


async def test_what_stops_the_start_is_a_failure(settings: Settings) -> None:
    found = await examine(settings, {"MAX_ROOM": "7"}, {})
    assert of(found, "setting", FAILURE) == ["There is no setting MAX_ROOM. Call it MAX_ROOMS, or unset it."]


@pytest.mark.parametrize(
    ("free", "level"), [(50 * 10**9, OK), (1_900 * 10**6, WARNING), (400 * 10**6, WARNING), (90 * 10**6, FAILURE)]
)
async def test_a_disk_that_fills_up(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, free: int, level: str
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=free, total=100 * 10**9))
    assert len(of(await examine(settings, {}, {}), "disk", level)) == (2 if level == OK else 1)


async def test_a_folder_that_others_can_read(settings: Settings) -> None:
    settings.data_dir.mkdir(mode=0o755)
    settings.data_dir.chmod(0o755)
    assert "open to other users" in of(await examine(settings, {}, {}), "disk", WARNING)[0]


async def test_a_store_that_may_lose_games_is_a_failure_unless_that_is_allowed(
    settings: Settings, embedded_url: str
) -> None:
    with Redis.from_url(embedded_url) as store:
        before = store.config_get("appendfsync")["appendfsync"]  # type: ignore[index]
        store.config_set("appendfsync", "everysec")
        try:
            where: dict[str, Any] = {"data_dir": settings.data_dir, "port": settings.port, "redis_url": embedded_url}
            found = await examine(Settings(**where), {}, {})
            assert "syncs to disk only everysec" in of(found, "store", FAILURE)[0]
            found = await examine(Settings(**where, unsafe_store=True), {}, {})
            assert not of(found, "store", FAILURE) and "UNSAFE_STORE allows it" in of(found, "store", WARNING)[0]
        finally:
            store.config_set("appendfsync", before)


@pytest.fixture
async def file(settings: Settings) -> Path:
    """The file of an archive that is set up."""
    settings.data_dir.mkdir(mode=0o700)
    database = await Database.open(None, settings.data_dir)
    await database.close()
    return settings.data_dir / "archive.db"


async def test_an_archive_that_is_as_it_should_be(settings: Settings, file: Path) -> None:
    assert of(await examine(settings, {}, {}), "archive", WARNING, FAILURE) == []


def _write(file: Path, *statements: str) -> None:
    with sqlite3.connect(file) as connection:
        for statement in statements:
            connection.execute(statement)


@pytest.mark.parametrize(
    ("revision", "level", "text"),
    [("follows_15", OK, "brings it up to date"), ("future_99", FAILURE, "a newer version has written it")],
)
async def test_an_archive_of_another_version_is_named_and_left_as_it_is(
    settings: Settings, file: Path, revision: str, level: str, text: str
) -> None:
    _write(file, f"UPDATE alembic_version SET version_num = '{revision}'")
    assert text in of(await examine(settings, {}, {}), "archive", level)[0]
    with sqlite3.connect(file) as connection:
        assert connection.execute("SELECT version_num FROM alembic_version").fetchone() == (revision,)


async def test_moves_that_the_store_has_lost_are_a_failure(settings: Settings, file: Path) -> None:
    _write(file, f"INSERT INTO losses (found, rooms, decisions) VALUES ({4 * 10**12}, 1, 7)")
    assert "1 room went back, by 7 decisions" in of(await examine(settings, {}, {}), "archive", FAILURE)[0]


async def test_a_running_server_and_the_archive_of_another(
    start: Callable[..., Any], embedded_url: str, settings: Settings, file: Path
) -> None:
    address = await start()
    port = int(address.rpartition(":")[2])
    with Redis.from_url(embedded_url) as store:
        store.set(ARCHIVE, "another")
        found = await examine(Settings(data_dir=settings.data_dir, port=port, redis_url=embedded_url), {}, {})
        store.delete(ARCHIVE)
    assert of(found, "server", OK) == [f"http://127.0.0.1:{port} is ready"]
    assert "the servers of this store use the archive another" in of(found, "archive", FAILURE)[0]


def test_the_exit_status_and_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    port = str(free_port())
    assert status("doctor", "--data", str(tmp_path), "--port", port) == 0
    assert "→ start it" in capsys.readouterr().out
    assert status("doctor", "--data", str(tmp_path), "--redis", f"redis://127.0.0.1:{port}", "--json") == 1
    said = json.loads(capsys.readouterr().out)
    assert {"topic", "level", "text", "cure"} == set(said[0]) and FAILURE in [one["level"] for one in said]


def test_a_finding_is_one_line() -> None:
    assert doctor.line(Finding("disk", WARNING, "4 GB free", "make room")) == "warning  disk     4 GB free → make room"


def test_the_settings_of_the_setup_come_from_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tmp_path.chmod(0o700)
    keep(tmp_path, {"service_name": "Chess club", "accounts": "closed"})
    config = tmp_path / "fourfold.toml"
    config.write_text(f'data_dir = "{tmp_path}"\naccounts = "open"\n')
    status("doctor", "--config", str(config), "--port", str(free_port()))
    lines = capsys.readouterr().out
    assert "SERVICE_NAME: Chess club (from the config file)" in lines and "ACCOUNTS" not in lines
