"""Settings that can't work are refused at the start, each with one sentence."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fourfold.server.checks import BadSetting, check, is_slip
from fourfold.server.settings import Settings

MISTAKES: list[tuple[dict[str, Any], list[str], str]] = [
    ({"analysis_engine": "stockfish", "bots": 0}, [], "ANALYSIS_ENGINE needs computer players .* BOTS is 0"),
    ({"analysis_engine": "stockfish", "watchers_only": True}, [], "ANALYSIS_ENGINE needs .* WATCHERS_ONLY is set"),
    ({"engine_list": Path("/no/such/folder")}, [], "ENGINE_LIST: /no/such/folder/list.json cannot be read: No"),
    ({"admin": "x/y"}, [], "ADMIN must be the name of one account, .* not 'x/y'"),
    ({"admin": "Ann, Bob"}, [], "ADMIN must be the name of one account"),
    ({"admin": "admin"}, [], "ADMIN: The name admin, or one that looks like it, is reserved"),
    ({"database_url": "sqlite:////no/such/folder/a.db"}, [], "DATABASE_URL: .* /no/such/folder/a.db: No such file"),
    ({"database_url": "sqlite:////"}, [], "DATABASE_URL: .* Is a directory"),
    ({"data_dir": Path("/dev/null")}, [], "DATA_DIR: .* File exists"),
    ({"data_dir": Path("/dev/null"), "redis_url": "redis://localhost"}, [], "DATA_DIR: .* File exists"),
    ({"data_dir": Path("~/data")}, [], "DATA_DIR must name a folder .* no home folder"),
    ({}, ["MAX_ROOM"], "There is no setting MAX_ROOM. Call it MAX_ROOMS, or unset it"),
    ({}, ["HOME", "REDIS_URI"], "There is no setting REDIS_URI. Call it REDIS_URL"),
]


@pytest.fixture
def usual(tmp_path: Path) -> Settings:
    return Settings(data_dir=tmp_path)


@pytest.mark.parametrize(("changes", "variables", "sentence"), MISTAKES)
def test_a_mistake_is_one_sentence(
    changes: dict[str, Any], variables: list[str], sentence: str, usual: Settings
) -> None:
    with pytest.raises(BadSetting, match=sentence) as caught:
        check(replace(usual, **changes), variables)
    said = str(caught.value)
    assert said.endswith((".", "choose another.")) and "\n" not in said


def test_what_works_is_not_refused(usual: Settings, tmp_path: Path) -> None:
    others = ["HOSTNAME", "LOGNAME", "DATABASE_USER", "REDIS_PORT", "FOURFOLD_PORT", "METRICS_PORT", "SECRET_KEY"]
    fine: list[dict[str, Any]] = [
        {},
        {"admin": "Ann-Marie O'Neill"},
        {"admin": "Zoë"},
        {"database_url": "postgresql://nobody@127.0.0.1:9/none"},  # a database that is away is not a bad setting
        {"database_url": f"sqlite:///{tmp_path / 'a.db'}"},
        {"database_url": f"sqlite:///{tmp_path / 'a.db'}?timeout=5"},  # which exists now
        {"data_dir": tmp_path / "new" / "folder"},
    ]
    for changes in fine:
        check(replace(usual, **changes), others)
    check(usual, ["MAX_ROOM", "MAX_ROOMS"])  # it is for another program


def test_a_slip_is_one_character_or_two_swapped() -> None:
    for text in ("MAX_ROOM", "MAX_ROOMSS", "MAX_ROOMZ", "AX_ROOMS", "XMAX_ROOMS", "MAX_ROMOS", "AMX_ROOMS", "MAXROOMS"):
        assert is_slip(text, "MAX_ROOMS"), text
    for text in ("MAX_ROOMS", "MAX_RO", "MAX_ROSMO", "MAX_OPEN", "MAX_ROOMS_TOTAL", ""):
        assert not is_slip(text, "MAX_ROOMS"), text
