"""Database URLs as operators write them. This module opens no database."""

from pathlib import Path
from typing import Final

DRIVERS: Final = {
    "sqlite": "sqlite+aiosqlite",
    "postgresql": "postgresql+asyncpg",
    "postgres": "postgresql+asyncpg",
}
"""The URL schemes, and their drivers."""

FILE: Final = "archive.db"
"""The name of SQLite's file in the data folder."""


def check_address(text: str) -> None:
    """Raises `ValueError` for an invalid database URL."""
    scheme, separator, rest = text.partition("://")
    if scheme not in DRIVERS or not separator:
        raise ValueError("it must begin with postgresql:// or sqlite:///")
    if scheme == "sqlite" and not rest.startswith("/"):
        raise ValueError("use three slashes before a relative path, four before an absolute one")


def file_of(address: str | None, folder: Path) -> Path | None:
    """The file of an SQLite database; without a URL, the one in the data folder. None for a database elsewhere, or in
    memory."""
    if address is None:
        return folder / FILE
    scheme, _, rest = address.partition(":///")
    name = rest.partition("?")[0]
    return None if scheme != "sqlite" or name in ("", ":memory:") or name.startswith("file:") else Path(name)
