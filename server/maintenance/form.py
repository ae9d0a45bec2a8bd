"""The form of a command beside the servers: what it is for, its arguments, what it does; and arguments of several."""

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
    """What a command is for, how its arguments are declared, and what it does; that returns the exit status. Last, the
    settings that it takes."""

    meaning: str
    declare: Callable[[argparse.ArgumentParser], object]
    run: Callable[[Settings, argparse.Namespace], Coroutine[Any, Any, int]]
    settings: Sequence[str] = SETTINGS


def declare_nothing(_: argparse.ArgumentParser) -> None:
    """A command without arguments of its own."""


def declare_reason(parser: argparse.ArgumentParser) -> None:
    """The arguments of a command that adds to the audit log."""
    parser.add_argument("--why", default="", metavar="TEXT", help="the reason, for the audit log")
    parser.add_argument("--by", default=_user(), metavar="NAME", help="who does it, for the audit log (%(default)s)")


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # this process' user has no name
        return f"uid {os.getuid()}"


def written(at: int) -> str:
    """A time (ms since 1970) as people read it."""
    return datetime.fromtimestamp(at / 1000, UTC).isoformat(sep=" ", timespec="seconds")
