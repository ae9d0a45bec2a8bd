"""Stored data that every server holds in memory: read at the start, changed by messages, read again after a gap.

A change is stored first, and then sent to all servers. So a server that has missed the message finds the change in the
store. The others read it again too when a server dies: it may have stored a change, and sent it to nobody. What the
store has lost, a server that still holds it may store again.
"""

import asyncio
from collections.abc import Iterable
from typing import Final

import msgspec
import structlog

from fourfold.server.storage.event_log import Callbacks, Listener, LogUnavailable, Messages
from fourfold.server.storage.store import Commands
from fourfold.server.supervision import end, supervise

AGAIN: Final = 0.5
"""Seconds until the store is tried again."""

_PAGE: Final = 500
"""How many fields of a hash one command reads or writes."""

_log = structlog.get_logger(__name__)


class ReplicatedCollection(Listener):
    """Keeps the data of a subclass up to date."""

    def __init__(self, messages: Messages, room: str, name: str) -> None:
        """`room` is the id under which changes are sent; no room has it. `name` says in the log what the data is."""
        self._messages = messages
        self._channel = room
        self._name = name
        self._missed = asyncio.Event()
        self._reading = False
        self._learning: asyncio.Task[None] | None = None

    # -- for subclasses --

    def take(self, message: bytes) -> None:
        """Apply a message. Raises `msgspec.DecodeError` for one of a newer server; then the data is read again."""
        raise NotImplementedError

    async def learn(self) -> None:
        """Read all data from the store. Raises `LogUnavailable`."""
        raise NotImplementedError

    @property
    def behind(self) -> bool:
        """Whether changes may have been missed that have not been read yet."""
        return self._reading or self._missed.is_set()

    async def start(self) -> None:
        """Read the data, and stay informed. Raises `LogUnavailable`."""
        await self._messages.follow(self._channel, self)
        self._messages.watch(Callbacks(lost=lambda _: self.missed()))
        await self.learn()
        self._learning = supervise(self._name, self._learn_again)

    async def stop(self) -> None:
        """Take no more messages."""
        await end([self._learning])
        await self._messages.unfollow(self._channel, self)

    # -- messages --

    def told(self, message: bytes) -> None:
        """A server, perhaps this one, has sent a message."""
        try:
            self.take(message)
        except msgspec.DecodeError:
            self.missed()

    def missed(self) -> None:
        """Messages may have been missed."""
        self._missed.set()

    async def _learn_again(self) -> None:
        while True:
            await self._missed.wait()
            self._missed.clear()
            self._reading = True
            try:
                await self.learn()
            except LogUnavailable as error:
                _log.debug("not read", what=self._name, error=str(error))
                self._missed.set()
                await asyncio.sleep(AGAIN)  # paces the attempts
            finally:
                self._reading = False


async def write_hash(store: Commands, key: str, entries: Iterable[tuple[str, bytes | int]]) -> None:
    """Set fields of a hash, some at a time. Raises `LogUnavailable`."""
    pairs = [part for entry in entries for part in entry]
    for start in range(0, len(pairs), 2 * _PAGE):
        await store.execute(key, "HSET", key, *pairs[start : start + 2 * _PAGE])


async def read_hash(store: Commands, key: str) -> dict[str, bytes]:
    """All fields of a hash, read some at a time. Raises `LogUnavailable`."""
    found: dict[str, bytes] = {}
    cursor = 0
    while True:
        cursor, page = await store.execute(key, "HSCAN", key, cursor, "COUNT", _PAGE)
        found |= {field.decode(): value for field, value in page.items()}
        if cursor == 0:
            return found
