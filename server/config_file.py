"""Settings in a TOML file. Environment variables override them, and flags override both.

Its keys are the names of the settings, such as `max_rooms`. `template` returns a file with all of them.
"""

import argparse
import textwrap
import tomllib
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from fourfold.server.settings import CONFIG, data_dir, expanded, table

CHOSEN: Final = "setup.toml"
"""The file in the data folder with the settings that an admin has chosen in the setup."""

HEAD: Final = "# Written by the setup at /admin. Variables, flags and --config override this file.\n"

WIDTH: Final = 100
"""The widest comment of the template, in columns."""


class BadConfig(Exception):
    """A config file that can't be used. The message names the file, and says what would be right."""


def beneath(arguments: Sequence[str], environment: Mapping[str, str]) -> Mapping[str, str]:
    """The environment, with defaults from the file of the flag `--config`, and beneath that from the file that the
    setup has written. Raises `BadConfig`."""
    return over({**chosen(arguments, environment), **named(arguments)}, environment)


def over(files: Mapping[str, str], environment: Mapping[str, str]) -> dict[str, str]:
    """The environment, with defaults for the variables that are not set, or empty."""
    return {**environment, **{variable: text for variable, text in files.items() if not environment.get(variable)}}


def chosen(arguments: Sequence[str], environment: Mapping[str, str]) -> dict[str, str]:
    """The settings that an admin has chosen in the setup, as `load` returns them. Raises `BadConfig`."""
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False, exit_on_error=False)
    parser.add_argument("--data")
    try:
        folder = parser.parse_known_args([*arguments])[0].data
    except argparse.ArgumentError:  # as in `named`
        return {}
    folder = folder or environment.get("DATA_DIR") or named(arguments).get("DATA_DIR") or data_dir(environment)
    file = expanded(folder) / CHOSEN
    return load(file) if file.exists() else {}


def keep(folder: Path, settings: Mapping[str, Any]) -> None:
    """Write the file of the setup: settings by their names. Raises `OSError`."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    new = folder / f"{CHOSEN}.new"
    lines = [f"{name} = {_toml(value)}\n" for name, value in settings.items()]
    new.write_text(HEAD + "".join(lines))
    new.replace(folder / CHOSEN)


class Start(NamedTuple):
    """How a server was started: the settings of its config file, and of the setup; and what restarts it (None: this
    server can't restart itself)."""

    named: Mapping[str, str] = MappingProxyType({})
    chosen: Mapping[str, str] = MappingProxyType({})
    restart: Callable[[], None] | None = None

    @property
    def files(self) -> Mapping[str, str]:
        """The settings of both files."""
        return {**self.chosen, **self.named}


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
    if isinstance(default, (list, tuple)):
        return f"[{', '.join(map(_toml, default))}]"
    text = str(default).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{text}"'
