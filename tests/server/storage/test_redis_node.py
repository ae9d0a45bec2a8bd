"""The URL of a store: its form, its database, and its text without the password."""

import pytest

from fourfold.server.storage.redis_node import check_url, database, without_password
from tests.each import each


@each("url", ["redis://host", "redis://host:6379/3", "rediss://user:secret@host/0", "unix:///run/redis.sock?db=2"])
def test_a_url_that_names_a_store(url: str) -> None:
    check_url(url)


@each("url", ["", "host:6379", "http://host", "redis://host/games", "redis://host:port"])
def test_a_url_that_names_none(url: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - several libraries say it
        check_url(url)


def test_the_database_is_that_of_the_url() -> None:
    urls = ("redis://host", "redis://host/0", "redis://host/3", "unix:///run/redis.sock?db=2")
    assert [database(url) for url in urls] == [0, 0, 3, 2]


def test_a_password_is_not_shown() -> None:
    assert without_password("redis://user:secret@host/3") == "redis://user:***@host/3"
    assert without_password("unix://:secret@/run/redis.sock") == "unix://:***@/run/redis.sock"
    assert without_password("redis://host:6379") == "redis://host:6379"
