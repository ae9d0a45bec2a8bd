"""The parts of the store that other folders use, as interfaces. `RedisLog` implements them all. They are protocols
because tests stand in for parts of the store. All methods raise `LogUnavailable`."""

from collections.abc import AsyncIterator, Awaitable, Sequence
from typing import Any, Protocol

from fourfold.server.storage.event_log import Messages
from fourfold.server.storage.heartbeat import StoreData
from fourfold.server.storage.records import Entry


class Commands(Protocol):
    """Commands to the store."""

    def execute(self, key: str, *command: str | bytes | int) -> Awaitable[Any]:
        """The answer to one command, whose keys share a slot with `key`."""


class SharedData(Commands, Messages, Protocol):
    """Data that all servers share, and the messages about its changes."""


class StoredLogs(Protocol):
    """The logs in the store, for the archive: it compares them, files them, and takes over those of ended games."""

    @property
    def data(self) -> tuple[StoreData | None, StoreData | None]:
        """The store's data at the first beat of this server, and at the latest."""

    async def entries(self, room: str, first: int = 1) -> list[Entry]:
        """The entries of a room's log from number `first` on. Raises `UnreadableEntry` too."""

    async def retire(self, room: str, last: Entry, keep: int) -> bool:
        """Remove a log before its `last` entry, and that one after `keep` milliseconds. Returns False if it is not the
        last."""

    def rooms(self) -> AsyncIterator[list[str]]:
        """The ids of all rooms with a log in the store, some at a time."""

    async def remind_first(self, rooms: Sequence[str], time: int) -> None:
        """Set reminders for rooms that have none, at `time`."""
