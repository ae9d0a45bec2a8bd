"""The addresses of databases, as operators write them. Knows no database."""

from typing import Final

DRIVERS: Final = {
    "sqlite": "sqlite+aiosqlite",
    "postgresql": "postgresql+asyncpg",
    "postgres": "postgresql+asyncpg",
}
"""The schemes of addresses, and the drivers that serve them."""


def check_address(text: str) -> None:
    """Raises `ValueError` for what is no address of a database."""
    scheme, separator, rest = text.partition("://")
    if scheme not in DRIVERS or not separator:
        raise ValueError("it begins with neither postgresql:// nor sqlite:///")
    if scheme == "sqlite" and not rest.startswith("/"):
        raise ValueError("three slashes stand before the path of a file, four before one that begins at the root")
