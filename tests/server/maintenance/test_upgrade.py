"""`fourfold-server upgrade-check`: what the first start of this version changes, before it does, and the way back."""

import asyncio
import json
import socket
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest
from redis import Redis

from fourfold import __version__
from fourfold.server.archive.database import HEAD, Database
from fourfold.server.archive.pending import after
from fourfold.server.maintenance.doctor import FAILURE, OK, WARNING, Finding
from fourfold.server.maintenance.upgrade import MIGRATION, examine
from fourfold.server.settings import Settings
from fourfold.server.storage.embedded import SOCKET, EmbeddedStore
from fourfold.server.storage.form import FORM, KEY, OLDEST, Form, own
from fourfold.server.storage.heartbeat import STAMP_KEYS
from tests import new_archive
from tests.ports import free_port
from tests.server.maintenance.conftest import status


def of(findings: list[Finding], topic: str) -> list[tuple[str, str]]:
    """The levels and texts of the findings about a topic."""
    return [(one.level, one.text) for one in findings if one.topic == topic]


@pytest.fixture
def settings(store: Redis, embedded_url: str, tmp_path: Path) -> Iterator[Settings]:
    """Those of a server on a store that is a server's, whatever its form."""
    store.set(STAMP_KEYS[0], 1)
    yield Settings(data_dir=tmp_path, redis_url=embedded_url, unsafe_store=True, port=free_port())
    store.delete(STAMP_KEYS[0], KEY)


@pytest.fixture
async def file(settings: Settings) -> Path:
    """The file of an archive as this version has it."""
    new_archive.lay(settings.data_dir)
    await (await Database.open(None, settings.data_dir)).close()
    return settings.data_dir / "archive.db"


def put_back(file: Path, revision: str) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute(f"UPDATE alembic_version SET version_num = '{revision}'")


async def test_without_data_there_is_nothing_to_change_and_nothing_is_made(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    found = await examine(Settings(data_dir=folder, port=free_port()), {})
    assert {one.level for one in found} == {OK} and not of(found, "return")
    assert not folder.exists()


async def test_data_of_this_version_stay_as_they_are(settings: Settings, store: Redis, file: Path) -> None:
    store.set(KEY, msgspec.json.encode(own()))
    found = await examine(settings, {})
    assert {one.level for one in found} == {OK}
    assert of(found, "archive") == [(OK, f"{file}: nothing to migrate")]
    assert "the start changes nothing" in of(found, "return")[0][1]


async def test_an_older_version_that_reads_the_same_form_may_come_back(
    settings: Settings, store: Redis, file: Path
) -> None:
    store.set(KEY, msgspec.json.encode(Form(FORM, OLDEST, "0.1.9")))
    assert of(await examine(settings, {}), "return") == [
        (OK, "version 0.1.9 can use the data afterwards; start it again to go back")
    ]


@pytest.mark.parametrize("wrote", [None, Form(OLDEST - 1, 1, "0.1.5")])
async def test_a_store_that_the_old_version_could_not_open_any_more(
    settings: Settings, store: Redis, file: Path, wrote: Form | None
) -> None:
    if wrote is not None:
        store.set(KEY, msgspec.json.encode(wrote))
    before = store.get(KEY)
    found = await examine(settings, {})
    version = "0.1" if wrote is None else "0.1.5"
    assert of(found, "store")[0][0] == WARNING and f"version {version} has written it" in of(found, "store")[0][1]
    assert of(found, "backup") == [(WARNING, "there is no automatic one")]
    assert of(found, "return") == [(WARNING, f"version {version} can't use the data once this version has started")]
    assert store.get(KEY) == before  # it has changed nothing


async def test_the_migrations_of_the_archive_are_named_and_not_run(
    settings: Settings, store: Redis, file: Path
) -> None:
    store.set(KEY, msgspec.json.encode(own()))
    put_back(file, "former_14")
    found = await examine(settings, {})
    assert of(found, "archive") == [(OK, f"{file}: the first start runs 3 migrations, in one transaction")]
    assert of(found, MIGRATION) == [
        (OK, "follows_15: Followed players."), (OK, "witness_16: Marks of the store's acknowledged decisions."),
        (OK, "preferences_17: The preferences of accounts."),
    ]  # fmt: skip
    assert of(found, "return")[0][0] == WARNING
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("SELECT version_num FROM alembic_version").fetchone() == ("former_14",)


async def test_a_fresh_backup_is_named(settings: Settings, file: Path) -> None:
    folder = settings.data_dir / "backups"
    folder.mkdir()
    (folder / "fourfold-20261125-100000.backup").touch()
    assert of(await examine(settings, {}), "backup")[0][0] == OK


async def test_data_of_a_newer_version_are_a_failure(settings: Settings, store: Redis, file: Path) -> None:
    store.set(KEY, msgspec.json.encode(Form(FORM + 1, FORM + 1, "9.9")))
    put_back(file, "future_99")
    found = await examine(settings, {})
    assert of(found, "store")[0][0] == FAILURE and "run 9.9 or newer" in of(found, "store")[0][1]
    assert of(found, "archive") == [(FAILURE, f"{file}: a newer version has migrated it to future_99")]
    assert not of(found, "return")


async def test_settings_with_which_this_version_does_not_start_are_a_failure(settings: Settings) -> None:
    assert of(await examine(settings, {"MAX_ROOM": "7"}), "setting")[0][0] == FAILURE


async def test_the_embedded_store_is_started_for_the_check_and_stopped_again(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path, port=free_port())
    async with await EmbeddedStore.start(tmp_path) as store:
        with Redis.from_url(store.url) as client:
            client.set(KEY, msgspec.json.encode(own()))
    found = await examine(settings, {})
    assert of(found, "store") == [
        (OK, f"embedded: version {__version__} has written it; this version reads and writes the same form")
    ]
    assert not (await asyncio.to_thread(_answers, tmp_path))


def _answers(folder: Path) -> bool:
    with closing(socket.socket(socket.AF_UNIX)) as client:
        return client.connect_ex(str(folder / SOCKET)) == 0


async def test_a_running_server_says_its_version(start: Callable[..., Any], settings: Settings) -> None:
    port = int((await start()).rpartition(":")[2])
    found = await examine(Settings(data_dir=settings.data_dir, redis_url=settings.redis_url, port=port), {})
    assert of(found, "server") == [(OK, f"http://127.0.0.1:{port} runs version {__version__}")]


def test_the_migrations_end_with_the_one_that_this_version_needs() -> None:
    found = after("games_1")
    assert found[-1].revision == HEAD and all(one.purpose.endswith(".") for one in found)


def test_the_exit_status_and_json(settings: Settings, store: Redis, capsys: pytest.CaptureFixture[str]) -> None:
    where = ("--data", str(settings.data_dir), "--redis", str(settings.redis_url), "--port", str(settings.port))
    assert status("upgrade-check", *where) == 0
    assert "to go back, restore the backup" in capsys.readouterr().out
    store.set(KEY, msgspec.json.encode(Form(FORM + 1, FORM + 1, "9.9")))
    assert status("upgrade-check", *where, "--json") == 1
    assert FAILURE in [one["level"] for one in json.loads(capsys.readouterr().out)]
