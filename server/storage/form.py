"""Which version has written a store, and which may open it.

A server whose form is older than the store asks for does not start: it would misread what newer ones have written.
Entries have a schema of their own besides (see `records`), and so has the archive (see its migrations).
"""

import contextlib
from collections.abc import Awaitable, Callable
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Final

import msgspec

from fourfold.server.storage.event_log import LogRefused
from fourfold.server.storage.safety import WrongStore

KEY: Final = "fourfold:form"
"""The key that says it."""

FORM: Final = 2
"""The form of what this version writes. Since 2 games may end unrated."""

OLDEST: Final = 2
"""The oldest form of a server that can read that. A change that older servers misread raises both numbers."""

class Form(msgspec.Struct, frozen=True):
    """The form of a store, the oldest form of a server that may open it, and the version that has written it last."""

    form: int
    oldest: int
    version: str


def own() -> Form:
    """What this version says."""
    try:
        known = version("fourfold")
    except PackageNotFoundError:  # run from a checkout
        known = ""
    return Form(FORM, OLDEST, known)


def read(value: bytes | str | None) -> Form | None:
    """What a key's value says; None for a store that says nothing, as one of version 0.1 does."""
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
    """Check that this version may open a store, and say there that it has.

    What a newer version says is left. Raises `WrongStore`, and what `execute` raises.
    """
    found, mine = read(await execute(KEY, "GET", KEY)), own()
    if (why := refusal(found)) is not None:
        raise WrongStore(why)
    if found != mine and (found is None or found.form <= FORM):
        with contextlib.suppress(LogRefused):  # it is full, or a replica: the next start says it
            await execute(KEY, "SET", KEY, msgspec.json.encode(mine))
