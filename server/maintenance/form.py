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


Argument = Callable[[argparse.ArgumentParser], object]
"""Declares an argument of a command, or several."""

Run = Callable[[Settings, argparse.Namespace], Coroutine[Any, Any, int | None]]
"""Carries out a command; returns the exit status (None: 0)."""


class Command(NamedTuple):
    """The purpose of a command, its function, its arguments, and the settings that it uses."""

    meaning: str
    run: Run
    arguments: Sequence[Argument] = ()
    settings: Sequence[str] = SETTINGS


def argument(*names: str, **options: Any) -> Argument:
    """An argument, described as for `ArgumentParser.add_argument`."""
    return lambda parser: parser.add_argument(*names, **options)


ROOM_ID: Final = "the room's id, the last part of its address"

ROOM: Final = argument("room", metavar="ROOM", help=ROOM_ID)


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
