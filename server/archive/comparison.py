"""Compares the store with the witness's marks, to find rooms that hold less than was acknowledged.

A room went back if the entry of its mark is missing or different. An entry with the same time is the same, even if its
lineage differs, because erasing a player changes the lineage. A missing room may be in the archive, or may have
expired.
"""

import asyncio
from collections.abc import AsyncIterator, Collection, Sequence
from typing import Final, NamedTuple

from fourfold.server.archive.archive import Archive
from fourfold.server.archive.witnessed import Beat, Mark
from fourfold.server.storage.event_log import UnreadableEntry
from fourfold.server.storage.heartbeat import StoreData
from fourfold.server.storage.records import Entry, lineage_of
from fourfold.server.storage.store import StoredLogs

AT_ONCE: Final = 20
"""How many rooms are compared at once."""


class Lost(NamedTuple):
    """A room that went back: its mark, and the latest version that still equals the acknowledged one."""

    mark: Mark
    kept: int


class Comparison:
    """Compares the rooms of a store with their marks in the archive. All methods raise `LogUnavailable`."""

    def __init__(self, archive: Archive, store: StoredLogs) -> None:
        self._archive = archive
        self._store = store

    async def beats(self, data: StoreData) -> list[Beat]:
        """The beats that were seen before a beat with this data. Later ones belong to running servers."""
        beats = await self._archive.marks(lambda tables: tables.beats())
        return [beat for beat in beats if beat.at < data.now]

    async def rooms(self, only: Collection[str] | None, now: int) -> tuple[list[Lost], list[str]]:
        """The rooms that went back, and those that have left for the archive: of `only` or of all (None), at a time (ms
        since 1970)."""
        lost: list[Lost] = []
        left: list[str] = []
        async for marks in self._marks(only):
            due = [mark for mark in marks if mark.until is None or mark.until > now]
            behind: list[Lost] = []
            for start in range(0, len(due), AT_ONCE):
                part = due[start : start + AT_ONCE]
                kept = await asyncio.gather(*map(self._kept, part))
                behind += [Lost(mark, seq) for mark, seq in zip(part, kept, strict=True) if seq < mark.seq]
            archived = await self._archived([one.mark.room for one in behind])
            lost += [one for one in behind if one.mark.room not in archived]
            left += sorted(archived)
        return lost, left

    async def _marks(self, only: Collection[str] | None) -> AsyncIterator[Sequence[Mark]]:
        if only is not None:
            yield await self._archive.marks(lambda tables: tables.of(only))
            return
        last = ""
        while page := await self._page(last):
            yield page
            last = page[-1].room

    async def _page(self, after: str) -> list[Mark]:
        return await self._archive.marks(lambda tables: tables.page(after))

    async def _archived(self, rooms: Collection[str]) -> set[str]:
        return await self._archive.marks(lambda tables: tables.archived(rooms)) if rooms else set()

    async def _kept(self, mark: Mark) -> int:
        """The latest version, at most that of the mark, that the store still has as acknowledged."""
        try:
            entries = await self._store.entries(mark.room, mark.seq)
            if entries and entries[0].seq == mark.seq and _is(entries[0], mark):
                return mark.seq
            whole = await self._store.entries(mark.room)
        except UnreadableEntry:
            return mark.seq  # the entry exists but is damaged: the server reports that when somebody opens the room
        return min(mark.seq, sum(entry.at <= mark.at for entry in whole))


def lacks(data: StoreData, beat: Beat) -> bool:
    """Whether this data went back behind a beat that was seen before it, or is another store's."""
    return beat.data != data.name.decode() or beat.beats >= data.beats


def _is(entry: Entry, mark: Mark) -> bool:
    return lineage_of(entry.sealed) == mark.lineage or entry.at == mark.at
