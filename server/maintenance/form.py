"""The form of a command beside the servers: what it is for, its arguments, what it does; and arguments of several."""

import argparse
import getpass
import os
from collections.abc import Callable, Coroutine
from datetime import UTC, datetime
from typing import Any, NamedTuple

from fourfold.server.settings import Settings


class Command(NamedTuple):
    """What a command is for, how its arguments are declared, and what it does; that returns the exit status."""

    meaning: str
    declare: Callable[[argparse.ArgumentParser], object]
    run: Callable[[Settings, argparse.Namespace], Coroutine[Any, Any, int]]


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
