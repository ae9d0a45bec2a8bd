"""The addresses of databases, as operators write them. Knows no database."""

from pathlib import Path
from typing import Final

DRIVERS: Final = {
    "sqlite": "sqlite+aiosqlite",
    "postgresql": "postgresql+asyncpg",
    "postgres": "postgresql+asyncpg",
}
"""The schemes of addresses, and the drivers that serve them."""

FILE: Final = "archive.db"
"""The name of SQLite's file in the data folder."""


def check_address(text: str) -> None:
    """Raises `ValueError` for what is no address of a database."""
    scheme, separator, rest = text.partition("://")
    if scheme not in DRIVERS or not separator:
        raise ValueError("it begins with neither postgresql:// nor sqlite:///")
    if scheme == "sqlite" and not rest.startswith("/"):
        raise ValueError("three slashes stand before the path of a file, four before one that begins at the root")


def file_of(address: str | None, folder: Path) -> Path | None:
    """The file of an SQLite database, which without an address is in the data folder; None for a database that is kept
    elsewhere, or in memory."""
    if address is None:
        return folder / FILE
    scheme, _, rest = address.partition(":///")
    name = rest.partition("?")[0]
    return None if scheme != "sqlite" or name in ("", ":memory:") or name.startswith("file:") else Path(name)
