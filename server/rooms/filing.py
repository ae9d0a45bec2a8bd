"""Games are filed in the archive as soon as they end: found, counted and rated within a second.

Their rooms stay in the store, for talk and a rematch, until they are handed over (see `hand_over`), which files what is
still missing. So nothing waits for the archive here, and what fails is only put off. A game that watchers see late is
not filed before they have seen its end.
"""

import asyncio
from collections.abc import Sequence
from typing import Final

import structlog

from fourfold.engine.match.decide import NOBODY
from fourfold.engine.match.events import Finished
from fourfold.server.archive.archive import Archive
from fourfold.server.archive.errors import AnotherLog
from fourfold.server.archive.facts import fold
from fourfold.server.rooms.room import Departed
from fourfold.server.storage.event_log import LogUnavailable, UnreadableEntry
from fourfold.server.storage.records import Entry, unpacked
from fourfold.server.storage.store import StoredLogs
from fourfold.server.supervision import Tasks, end

AT_ONCE: Final = 4
"""How many rooms are filed at the same time."""

_log = structlog.get_logger(__name__)


class Filing:
    """Files games, until `close`."""

    def __init__(self, archive: Archive, store: StoredLogs) -> None:
        self._archive = archive
        self._store = store
        self._free = asyncio.Semaphore(AT_ONCE)
        self._tasks = Tasks()

    async def close(self) -> None:
        """Stop. The rooms are handed over later."""
        await end(self._tasks)

    def departed(self, departed: Departed) -> None:
        """This server has made a decision by which a game ended, or somebody's part in it."""
        state = departed.after
        if not any(isinstance(event, Finished) for event in departed.decision.events) or not state.complete:
            return
        if state.terms.delay == 0 and state.host != NOBODY:
            self._tasks.start(self._file(departed.room))

    async def _file(self, room: str) -> None:
        async with self._free:
            try:
                entries: Sequence[Entry] = await self._store.entries(room)
                if not entries or entries[0].seq > 1:
                    return  # another server has handed the room over, and filed it
                _, games = await fold(room, unpacked(entries))
                await self._archive.keep(room, entries, None)
                await self._archive.list_games(games)
            except LogUnavailable as error:
                _log.debug("not filed yet", room=room, error=str(error))
            except (UnreadableEntry, AnotherLog) as error:
                _log.error("not filed", room=room, error=str(error))
