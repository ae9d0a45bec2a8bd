"""Records which version has written a store, and which versions may open it.

A server with an older form than the store requires does not start, because it would misread newer data. Entries have
their own schema number (see `records`), and the archive has its migrations.
"""

import contextlib
from collections.abc import Awaitable, Callable
from typing import Any, Final

import msgspec

from fourfold import __version__
from fourfold.server.storage.event_log import LogRefused
from fourfold.server.storage.safety import WrongStore

KEY: Final = "fourfold:form"
"""The key with the form."""

FORM: Final = 2
"""The form that this version writes. Since 2, games may end unrated."""

OLDEST: Final = 2
"""The oldest form of a server that can read it. A change that older servers misread raises both numbers."""

class Form(msgspec.Struct, frozen=True):
    """The form of a store, the oldest form of a server that may open it, and the version that wrote it last."""

    form: int
    oldest: int
    version: str


def own() -> Form:
    """The form of this version."""
    return Form(FORM, OLDEST, __version__)


def read(value: bytes | str | None) -> Form | None:
    """The form in a key's value; None for a store without one, such as that of version 0.1."""
    return None if value is None else msgspec.json.decode(value, type=Form)


def refusal(found: Form | None) -> str | None:
    """Why this version may not open a store; None if it may."""
    if found is None or found.oldest <= FORM:
        return None
    return (
        f"version {found.version} has written it, which this older version can't read: run {found.version} or newer, "
        "or restore the backup from before the upgrade"
    )


async def claim(execute: Callable[..., Awaitable[Any]]) -> None:
    """Check that this version may open a store, and record it there.

    The record of a newer version is left. Raises `WrongStore`, and the errors of `execute`.
    """
    found, mine = read(await execute(KEY, "GET", KEY)), own()
    if (why := refusal(found)) is not None:
        raise WrongStore(why)
    if found != mine and (found is None or found.form <= FORM):
        with contextlib.suppress(LogRefused):  # it is full, or a replica: the next start records it
            await execute(KEY, "SET", KEY, msgspec.json.encode(mine))
