"""The parts of a server that its admins use from a browser, beside those of moderators."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from fourfold.server.vitals import Vitals


class StoredBackup(NamedTuple):
    """A backup: its file's name, its size in bytes, and when it was made (ms since 1970)."""

    name: str
    size: int
    made: int


class BackupFolder(Protocol):
    """The automatic backups of a server, in their folder. `maintenance.backups.Backups` implements it, in a folder
    above the sessions."""

    @property
    def place(self) -> str:
        """The folder's path."""

    @property
    def making(self) -> bool:
        """Whether this server makes a backup now."""

    @property
    def failed(self) -> str:
        """Why the last backup that was begun here has failed; empty if it has not."""

    def begin(self) -> bool:
        """Begin to make a backup; returns False if this server makes one already."""

    def files(self) -> list[StoredBackup]:
        """The backups, newest first. Raises `OSError`."""

    def part(self, name: str, start: int, size: int) -> tuple[bytes, int] | None:
        """At most `size` bytes of a backup from byte `start` on, and the size of the whole; None if there is none of
        this name. Raises `OSError`."""


class Choices(NamedTuple):
    """What an admin chooses in the setup: the service's name, new accounts (`open` or `closed`), whether this server
    runs computer players, and the origin of its pages (empty: any)."""

    service_name: str
    accounts: str
    computers: bool
    origin: str


class Setup(Protocol):
    """The setup of a server. `maintenance.setup.SetupFile` implements it, in a folder above the sessions."""

    def fixed(self) -> list[str]:
        """The variables that it can't change, because a flag, the environment or the config file sets them."""

    @property
    def done(self) -> bool:
        """Whether choices were made."""

    def choose(self, choices: Choices) -> None:
        """Store the choices, and restart the server with them. Raises `OSError`."""


@dataclass(frozen=True, slots=True)
class Console:
    """The parts. `examine` returns the findings of `doctor`: subject, level, text and cure. `settings` returns all
    settings: variable, value and source."""

    vitals: Vitals
    examine: Callable[[], Awaitable[Sequence[tuple[str, str, str, str]]]]
    settings: Callable[[], Sequence[tuple[str, str, str]]]
    backups: BackupFolder | None
    """None for a server that makes no backups, because it only serves watchers."""
    setup: Setup | None
    """None for a server that can't restart itself, or whose operator wants no setup."""
    service: str
    """The name of the service."""
