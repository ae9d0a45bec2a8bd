"""The extras of the package: optional dependencies, which some commands need."""

from importlib.util import find_spec
from typing import Final

NEEDED: Final = {
    "server": ("redis", "structlog", "prometheus_client", "sqlalchemy", "webauthn", "alembic", "openskill"),
    "terminal": ("textual", "rich", "segno"),
    "gateway": ("aiohttp",),
    "oidc": ("authlib", "httpx2"),
}
"""The extras that commands need, each with modules that only it brings."""


class MissingExtra(Exception):
    """An extra is not installed. The text names it and says how to install it."""


def need(extra: str, who: str) -> None:
    """Check that an extra is installed, for a command or a setting called `who`. Raises `MissingExtra`."""
    if not installed(extra):
        raise MissingExtra(f"{who} needs the extra '{extra}': run pip install '.[{extra}]' in the folder of the clone")


def installed(extra: str) -> bool:
    """Whether all modules of an extra can be imported. It imports none of them."""
    return all(find_spec(module) is not None for module in NEEDED[extra])
