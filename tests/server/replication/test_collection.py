"""Stored data that every server holds in memory: when it is read again."""

import asyncio
from typing import Any

import msgspec

from fourfold.server.replication.collection import ReplicatedCollection
from fourfold.server.storage.event_log import Callbacks
from tests.server.memory_log import MemoryLog


class Log(MemoryLog):
    """A log whose events a test reports."""

    def __init__(self) -> None:
        super().__init__(lambda: 0)
        self.watching: list[Callbacks] = []

    def watch(self, callbacks: Callbacks) -> None:
        self.watching.append(callbacks)


class Notes(ReplicatedCollection):
    """Counts how often it has been read."""

    def __init__(self, log: Log) -> None:
        super().__init__(log, "notes", "notes")
        self.read = asyncio.Queue[None]()
        self.taken: list[bytes] = []

    def take(self, message: bytes) -> None:
        if message == b"new":
            raise msgspec.DecodeError("of a newer version")
        self.taken.append(message)

    async def learn(self) -> None:
        self.read.put_nowait(None)


async def test_it_is_read_again_after_a_gap_and_after_the_death_of_a_server() -> None:
    log = Log()
    notes = Notes(log)
    again: list[Any] = [notes.missed, lambda: notes.told(b"new"), lambda: log.watching[0].lost(["a"])]
    await notes.start()
    for happens in (lambda: None, *again):
        happens()
        await asyncio.wait_for(notes.read.get(), 240)
        assert notes.read.empty()
    notes.told(b"a message")
    assert notes.taken == [b"a message"] and not notes.behind
    await notes.stop()
