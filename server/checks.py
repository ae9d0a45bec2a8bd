"""Checks at startup: refuses settings that can't work on this machine, and misspelt variables."""

import os
import unicodedata
from collections.abc import Collection
from itertools import takewhile
from pathlib import Path
from typing import Final

from fourfold.server.archive.address import file_of
from fourfold.server.bots.supervisor import BadEngine, check_engine
from fourfold.server.players.names import BadName, account_name
from fourfold.server.settings import Settings, table
from fourfold.server.transport import engine_list

_BETWEEN: Final = " -_.'"
"""The characters allowed in an admin's name beside letters and digits."""

OURS: Final = "FOURFOLD_"

SHORTEST: Final = 6
"""The shortest variable name that is compared with settings. Too many names resemble shorter ones."""


class BadSetting(Exception):
    """A setting that can't work. The message names it, and says what would be right."""


def check(settings: Settings, environment: Collection[str] = os.environ, *, make: bool = True) -> None:
    """Check the settings, and the names of the variables that are set. Raises `BadSetting`.

    Creates the archive's file if needed, and the data folder if the file belongs there; nothing if `make` is false.
    """
    _check_names(environment)
    if settings.data_dir.parts[:1] == ("~",):
        raise BadSetting("DATA_DIR must name a folder (--data DIR), because this user has no home folder.")
    if settings.admin is not None:
        _check_admin(settings.admin)
    if make:
        _check_archive(settings.database_url, settings.data_dir)
    if settings.analysis_engine is not None:
        _check_engine(settings.analysis_engine, settings)
    if settings.engine_list is not None:
        _check_list(settings.engine_list)


def _check_names(environment: Collection[str]) -> None:
    """Refuse a variable that differs from an unset setting by one slip."""
    ours = {variable for variable, _, _ in table().values()}
    missing = sorted(variable for variable in ours.difference(environment) if len(variable) >= SHORTEST)
    for variable in sorted(set(environment) - ours):
        for meant in missing:
            if is_slip(variable, meant):
                raise BadSetting(f"There is no setting {variable}. Call it {meant}, or unset it.")


def strangers(environment: Collection[str]) -> list[tuple[str, str]]:
    """Ignored variables that have this server's name before that of a setting, each with the setting."""
    ours = {variable for variable, _, _ in table().values()}
    found = [(variable, variable.removeprefix(OURS)) for variable in sorted(environment) if variable.startswith(OURS)]
    return [(variable, meant) for variable, meant in found if meant in ours]


def is_slip(text: str, meant: str) -> bool:
    """Whether adding, leaving out, or changing one character, or swapping two, turns a text into another one."""
    same = len([*takewhile(lambda pair: pair[0] == pair[1], zip(text, meant, strict=False))])
    rest, other = text[same:], meant[same:]
    swapped = rest[:2] == other[1::-1] and rest[2:] == other[2:]
    return text != meant and (swapped or rest[1:] in (other, other[1:]) or rest == other[1:])


def _check_engine(profile: str, settings: Settings) -> None:
    if settings.watchers_only or not settings.bots:
        why = "WATCHERS_ONLY is set" if settings.watchers_only else "BOTS is 0"
        raise BadSetting(f"ANALYSIS_ENGINE needs computer players on this server, but there are none: {why}.")
    try:
        check_engine(profile)
    except BadEngine as error:
        raise BadSetting(f"ANALYSIS_ENGINE: {error}") from error


def _check_list(folder: Path) -> None:
    try:
        engine_list.check(folder)
    except engine_list.BadList as error:
        raise BadSetting(f"ENGINE_LIST: {error}") from error


def _check_admin(name: str) -> None:
    """Refuse impossible admin names. The look-up of accounts ignores punctuation: `x/y` would appoint `xy`."""
    try:
        account_name(name)
    except BadName as error:
        raise BadSetting(f"ADMIN: {error}") from error
    if not all(char.isalnum() or char in _BETWEEN or unicodedata.category(char)[0] == "M" for char in name):
        raise BadSetting(f"ADMIN must be the name of one account, of letters, digits, spaces and -_.', not {name!r}.")


def _check_archive(address: str | None, folder: Path) -> None:
    """Refuse an archive file that can't be created or written. An archive that fails later stops no server."""
    file = file_of(address, folder)
    if file is None:
        return
    try:
        if address is None:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(file, os.O_RDWR | os.O_CREAT, 0o644))  # SQLite accepts an empty file as a new database
    except OSError as error:
        variable = "DATA_DIR" if address is None else "DATABASE_URL"
        raise BadSetting(f"{variable}: the archive can't be kept in {file}: {error.strerror}.") from error
