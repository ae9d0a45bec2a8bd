"""Settings: from the environment, from flags over it, and as in server/HOSTING.md."""

import re
from pathlib import Path

import pytest

from fourfold.server.settings import Settings, read, table

PAGE = Path(__file__).parents[2] / "server" / "HOSTING.md"


def test_nothing_set() -> None:
    settings = read([], {})
    assert settings == Settings()
    assert (settings.port, settings.redis_url, settings.allowed_origins) == (8080, None, None)


def test_flags_go_over_the_environment() -> None:
    environment = {"PORT": "1", "MAX_ROOMS": "7", "LOG_LEVEL": "DEBUG", "HOST": ""}
    settings = read(["--port", "2"], environment)
    assert (settings.port, settings.max_rooms, settings.log_level, settings.host) == (2, 7, "debug", "127.0.0.1")


def test_memory_is_written_as_redis_writes_it() -> None:
    written = {"0": 0, "512mb": 512 * 2**20, "2GB": 2**31, "20m": 20_000_000, "16777216": 2**24, "99999k": 99_999_000}
    assert {text: read([], {"STORE_MEMORY": text}).store_memory for text in written} == written
    assert read([], {}).store_memory is None


def test_origins_are_a_list() -> None:
    settings = read([], {"ALLOWED_ORIGINS": "https://Chess.example.org, http://localhost:8080"})
    assert settings.allowed_origins == ("https://chess.example.org", "http://localhost:8080")


def test_the_data_folder_follows_xdg() -> None:
    assert read([], {"XDG_DATA_HOME": "/var/state"}).data_dir == Path("/var/state/fourfold")
    assert read(["--data", "here"], {"XDG_DATA_HOME": "/var/state"}).data_dir == Path.cwd() / "here"


@pytest.mark.parametrize(
    ("variable", "value", "cure"),
    [
        ("PORT", "70000", "a port is a number from 0 to 65535"),
        ("PORT", "http", "a port is a number from 0 to 65535"),
        ("MAX_RATE", "-1", "a whole number, 0 or more"),
        ("ALLOWED_ORIGINS", "chess.example.org", "write an origin as https://chess.example.org"),
        ("ALLOWED_ORIGINS", "https://chess.example.org/play", "write an origin as https://chess.example.org"),
        ("REDIS_URL", "http://localhost:6379", "write a store as redis://HOST:PORT/DATABASE"),
        ("REDIS_URL", "localhost:6379", "write a store as redis://HOST:PORT/DATABASE"),
        ("REDIS_URL", "redis://localhost:port", "write a store as redis://HOST:PORT/DATABASE"),
        ("REDIS_URL", "redis://localhost/games", "the database must be a number"),
        ("UNSAFE_STORE", "perhaps", "this is yes or no"),
        ("LOG_FORMAT", "xml", "one of console, json"),
        ("BOTS", "999", "the number of processes for computer players is 0 to 256"),
        ("STORE_MEMORY", "half", "write memory as 512mb or 4gb, at least 16mb, or 0"),
        ("STORE_MEMORY", "8mb", "write memory as 512mb or 4gb, at least 16mb, or 0"),
    ],
)
def test_a_bad_value_is_named_with_the_cure(
    variable: str, value: str, cure: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        read([], {variable: value})
    assert caught.value.code == 2
    said = capsys.readouterr().err
    assert cure in said
    assert repr(value.split(",")[0]) in said


def test_a_store_is_unsafe_by_a_flag_alone_or_by_a_word() -> None:
    assert not read([], {}).unsafe_store
    assert not read([], {"UNSAFE_STORE": "no"}).unsafe_store
    assert read(["--unsafe-store"], {}).unsafe_store
    assert read(["--unsafe-store", "--port", "1"], {"UNSAFE_STORE": "no"}).unsafe_store
    assert read([], {"UNSAFE_STORE": "1"}).unsafe_store


@pytest.mark.parametrize(
    ("variable", "value"),
    [("SECRET", "fifteen letters"), ("REDIS_URL", "redis://:geheim@localhost:port")],
)
def test_a_bad_value_that_is_secret_is_not_shown(
    variable: str, value: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        read([], {variable: value})
    assert caught.value.code == 2
    said = capsys.readouterr().err
    assert variable.split("_")[0].lower() in said
    assert "geheim" not in said and "fifteen" not in said


def test_the_page_of_hosting_has_every_setting_as_it_is() -> None:
    rows = re.findall(r"^\| `([A-Z_]+)` \| `(--[a-z-]+)` \| (.*?) \|", PAGE.read_text(), re.MULTILINE)
    home = str(Path.home())
    assert rows == [
        (
            variable,
            setting.flag or "--" + name.replace("_", "-"),
            "" if default is None or default is False else f"`{_said(default)}`".replace(home, "~"),
        )
        for name, (variable, setting, default) in table().items()
    ]


def _said(default: object) -> str:
    return "yes" if default is True else f"{default}"
