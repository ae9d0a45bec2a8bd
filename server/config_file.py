"""Settings in a TOML file: below the environment, which is below the flags.

Its keys are the names of the settings, such as `max_rooms`. `template` writes a file with all of them.
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
"""How many columns a comment of the template has at most."""


class BadConfig(Exception):
    """A config file that can't be used; the message names the file, and says what would be right."""


def beneath(arguments: Sequence[str], environment: Mapping[str, str]) -> Mapping[str, str]:
    """The environment, and beneath it the file that the flag `--config` names, if there is one. Raises `BadConfig`."""
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False, exit_on_error=False)
    parser.add_argument(CONFIG)
    try:
        file = parser.parse_known_args([*arguments])[0].config
    except argparse.ArgumentError:  # no file behind the flag: the parser of the whole command line says so
        return environment
    return environment if file is None else {**load(Path(file)), **environment}


def load(file: Path) -> dict[str, str]:
    """The settings of a file, by their variables, written as variables are. Raises `BadConfig`."""
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
