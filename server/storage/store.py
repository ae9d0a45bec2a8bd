"""The parts of the store that other folders use, as interfaces. `redis_log` has them all. Their methods raise
`LogUnavailable`."""

from collections.abc import Awaitable
from typing import Any, Protocol

from fourfold.server.storage.event_log import Messages
from fourfold.server.storage.records import Entry


class Commands(Protocol):
    """Commands to the store."""

    def execute(self, key: str, *command: str | bytes | int) -> Awaitable[Any]:
        """The answer to one command, whose keys share a slot with `key`."""


class SharedStore(Commands, Messages, Protocol):
    """Data that all servers share, and the messages about its changes."""


class Entries(Protocol):
    """The stored entries of logs."""

    async def entries(self, room: str, first: int = 1) -> list[Entry]:
        """The entries of a room's log from number `first` on. Raises `UnreadableEntry` too."""
