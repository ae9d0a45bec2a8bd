"""Settings in a TOML file. Environment variables override them, and flags override both.

Its keys are the names of the settings, such as `max_rooms`. `template` returns a file with all of them.
"""

import argparse
import textwrap
import tomllib
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final

from fourfold.server.settings import CONFIG, table

WIDTH: Final = 100
"""The widest comment of the template, in columns."""


class BadConfig(Exception):
    """A config file that can't be used. The message names the file, and says what would be right."""


def beneath(arguments: Sequence[str], environment: Mapping[str, str]) -> Mapping[str, str]:
    """The environment, with defaults from the file of the flag `--config`, if there is one. Raises `BadConfig`."""
    return {**named(arguments), **environment}


def named(arguments: Sequence[str]) -> dict[str, str]:
    """The settings of the file of the flag `--config`, as `load` returns them. Raises `BadConfig`."""
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False, exit_on_error=False)
    parser.add_argument(CONFIG)
    try:
        file = parser.parse_known_args([*arguments])[0].config
    except argparse.ArgumentError:  # the flag has no file: the parser of the whole command line reports that
        return {}
    return {} if file is None else load(Path(file))


def load(file: Path) -> dict[str, str]:
    """The settings of a file by their variables, in the form of environment variables. Raises `BadConfig`."""
    try:
        written = tomllib.loads(file.read_text())
    except (OSError, UnicodeDecodeError) as error:
        raise BadConfig(f"{file} can't be read: {error}") from error
    except tomllib.TOMLDecodeError as error:
        raise BadConfig(f"{file} is not TOML: {error}") from error
    settings = table()
    for key in written:
        if key not in settings:
            raise BadConfig(f"{file}: there is no setting {key}{_guess(key)}")
    return {settings[key][0]: _text(file, key, value) for key, value in written.items()}


def _guess(key: str) -> str:
    close = get_close_matches(key.lower(), table(), 1)
    return f". Call it {close[0]}, or remove it." if close else "; `fourfold-server config` prints all there are."


def _text(file: Path, key: str, value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (str, int)):
        return str(value)
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return ",".join(value)
    raise BadConfig(f"{file}: {key} is a text, a whole number, true, false or a list of texts, not {value!r}.")


def template() -> str:
    """A file with all settings, their meanings and their defaults, each commented out."""
    parts = [
        "# Settings of fourfold-server. Remove the # before those that you change.\n"
        "# Environment variables override this file, and flags override both.\n"
    ]
    for name, (_, setting, default) in table().items():
        meaning = textwrap.fill(setting.meaning, WIDTH, initial_indent="# ", subsequent_indent="# ")
        parts.append(f"{meaning}\n# {name} = {_toml(default)}\n")
    return "\n".join(parts)


def _toml(default: Any) -> str:
    if default is None:
        return '""'
    if isinstance(default, bool):
        return str(default).lower()
    if isinstance(default, int):
        return str(default)
    text = str(default).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{text}"'
