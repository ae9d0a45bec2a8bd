"""A store records the version that wrote it. An older server that can't read it refuses to start, with one sentence."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from redis import Redis

from fourfold.server.maintenance.doctor import FAILURE, WARNING, examine
from fourfold.server.settings import Settings
from fourfold.server.storage import survey
from fourfold.server.storage.event_log import LogUnavailable
from fourfold.server.storage.form import FORM, KEY, OLDEST, Form, own, read, refusal
from fourfold.server.storage.redis_log import RedisLog
from tests import forked
from tests.conftest import HANG


def says(store: Redis, form: int, oldest: int) -> None:
    store.set(KEY, msgspec.json.encode(Form(form, oldest, "9.9")))


@pytest.fixture(autouse=True)
def forgotten(store: Redis) -> Iterator[None]:
    """Removes the record afterwards, for other tests."""
    yield
    store.delete(KEY)


async def opened(url: str) -> None:
    await (await RedisLog.open(url, unsafe=True)).close()


async def test_a_server_says_that_it_has_opened_a_store(store: Redis, embedded_url: str) -> None:
    await opened(embedded_url)
    assert read(store.get(KEY)) == own()  # type: ignore[arg-type]
    says(store, FORM, OLDEST)
    await opened(embedded_url)
    assert read(store.get(KEY)) == own()  # type: ignore[arg-type]


async def test_what_a_newer_version_says_is_left(store: Redis, embedded_url: str) -> None:
    says(store, FORM + 1, FORM)
    await opened(embedded_url)
    assert read(store.get(KEY)) == Form(FORM + 1, FORM, "9.9")  # type: ignore[arg-type]


async def test_a_store_that_needs_a_newer_version_is_refused(store: Redis, embedded_url: str) -> None:
    says(store, FORM + 1, FORM + 1)
    with pytest.raises(LogUnavailable, match=r"can't be used|cannot be used") as refused:
        await opened(embedded_url)
    assert "version 9.9 has written it" in str(refused.value) and "run 9.9 or newer" in str(refused.value)
    assert read(store.get(KEY)) == Form(FORM + 1, FORM + 1, "9.9")  # type: ignore[arg-type]


def test_a_store_of_the_first_version_says_nothing_and_is_opened() -> None:
    assert read(None) is None and refusal(None) is None and refusal(own()) is None


async def test_the_doctor_tells_before_the_upgrade(
    store: Redis, embedded_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(survey, "PATIENCE", HANG)  # on a busy machine the store may be silent for seconds
    settings = Settings(data_dir=tmp_path, redis_url=embedded_url, unsafe_store=True, port=1)
    says(store, FORM - 1, 1)
    found = [one for one in await examine(settings, {}, {}) if one.topic == "store" and "9.9" in one.text]
    assert [one.level for one in found] == [WARNING]
    says(store, FORM + 1, FORM + 1)
    found = [one for one in await examine(settings, {}, {}) if one.topic == "store" and "9.9" in one.text]
    assert [one.level for one in found] == [FAILURE]


def test_the_server_ends_with_the_sentence(store: Redis, embedded_url: str, tmp_path: Path) -> None:
    says(store, FORM + 1, FORM + 1)
    ended = forked.run("--redis", embedded_url, "--data", str(tmp_path), "--port", "0", "--unsafe-store")
    assert ended.returncode == 1 and "run 9.9 or newer, or restore the backup" in ended.stderr
