"""The form of a maintenance command: its purpose, its arguments, its function; and arguments that several commands
share."""

import argparse
import getpass
import os
from collections.abc import Callable, Coroutine, Sequence
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from fourfold.server.settings import Settings

SETTINGS: Final = ("redis_url", "data_dir", "database_url", "log_level", "log_format")
"""The settings that say where games are, and how to log."""


class Command(NamedTuple):
    """The purpose of a command, the declaration of its arguments, its function, which returns the exit status, and the
    settings that it uses."""

    meaning: str
    declare: Callable[[argparse.ArgumentParser], object]
    run: Callable[[Settings, argparse.Namespace], Coroutine[Any, Any, int]]
    settings: Sequence[str] = SETTINGS


def declare_nothing(_: argparse.ArgumentParser) -> None:
    """A command without arguments of its own."""


def declare_reason(parser: argparse.ArgumentParser) -> None:
    """The arguments of a command that adds to the audit log."""
    parser.add_argument("--why", default="", metavar="TEXT", help="the reason, for the audit log")
    parser.add_argument("--by", default=_user(), metavar="NAME", help="the author, for the audit log (%(default)s)")


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # the user of this process has no name
        return f"uid {os.getuid()}"


def written(at: int) -> str:
    """A time (ms since 1970) in readable form."""
    return datetime.fromtimestamp(at / 1000, UTC).isoformat(sep=" ", timespec="seconds")
