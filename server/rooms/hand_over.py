"""Moves finished games from the store to the archive.

A room is due some quiet minutes after its game has ended. Its deadline then starts the hand-over, on the node that
holds the room or on the node that takes it over. Each step can be repeated by any node. A crash between two steps only
delays the rest:

1. A last decision, `archived`, ends the match for good. After that nobody can append to the log.
2. The log is written to the archive, unless it is already there.
3. The log is read back and replayed. It must lead to the match that this room holds.
4. The games in it are listed, so that searches find them.
5. The store drops the log except for its last entry. That stays for some minutes, so that a late command cannot start a
   new log. So does the chat, which then ends.

While the archive is away, games stay open and rooms wait in the store.
"""

import asyncio
import math
import random
from collections.abc import Callable, Collection
from typing import Final

import structlog

from fourfold.engine.decisions import Rejection
from fourfold.engine.match import State
from fourfold.engine.match.commands import Archive as ArchiveCommand
from fourfold.engine.match.commands import Command
from fourfold.engine.match.decide import NOBODY
from fourfold.server.archive.archive import Archive
from fourfold.server.archive.errors import AnotherLog
from fourfold.server.archive.facts import fold
from fourfold.server.clock import HOUR, Clock
from fourfold.server.metrics import Metrics
from fourfold.server.replication.hosted import Hosted
from fourfold.server.replication.ids import is_study
from fourfold.server.storage.event_log import LogUnavailable, UnreadableEntry, unless_unavailable
from fourfold.server.storage.records import unpacked
from fourfold.server.storage.store import StoredLogs
from fourfold.server.supervision import end, supervise

AT_ONCE: Final = 2
"""How many rooms this node hands over at the same time."""

SOON: Final = 10_000
"""Milliseconds, at least, before a failed hand-over is tried again."""

LATEST: Final = HOUR
"""Milliseconds, at most, before a failed hand-over is tried again. Between the two limits, half of the time the room
has already waited."""

LEFT: Final = HOUR // 6
"""Milliseconds for which the store keeps the last entry of an archived log."""

FIRST_LOOK: Final = 5.0
"""Seconds from startup to the first search of the store for rooms without a deadline."""

LOOK: Final = 3600.0
"""Seconds between such searches, varied by a fifth."""

_log = structlog.get_logger(__name__)


class HandOver:
    """Runs from `open` to `close`."""

    def __init__(
        self, archive: Archive, store: StoredLogs, clock: Clock, after: int, retention: int | None, metrics: Metrics
    ) -> None:
        """A room is due after `after` quiet milliseconds. The archive keeps games for `retention` milliseconds (None:
        for ever)."""
        self._archive = archive
        self._store = store
        self._clock = clock
        self._after = after
        self._retention = retention
        self._metrics = metrics
        self._free = asyncio.Semaphore(AT_ONCE)
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._put_off: dict[str, float] = {}  # the end of the delay, by room
        self._searching: asyncio.Task[None] | None = None
        self._closed = False

    def open(self) -> None:
        """Start searching for rooms that have no deadline because their node died before it set one."""
        self._searching = supervise("archive search", self._search)

    async def close(self) -> None:
        """Stop. Other nodes hand over the rest."""
        self._closed = True  # rooms go on for a moment
        await end([*self._tasks.values(), *([] if self._searching is None else [self._searching])])

    def due(self, state: State) -> int | None:
        """When a room is due for hand-over (ms since 1970) if nothing happens before; None if it is not due."""
        if not state.complete or state.host == NOBODY:  # the service's own games are not kept
            return None
        return state.at if state.archived else state.at + max(self._after, state.terms.delay)

    def __contains__(self, room: str) -> bool:
        """Whether the hand-over of a room is in progress."""
        return room in self._tasks

    @property
    def put_off(self) -> Collection[str]:
        """Rooms whose hand-over failed and will be tried again, by this node or another."""
        looked = self._clock() - SOON
        self._put_off = {room: until for room, until in self._put_off.items() if until > looked}
        return self._put_off.keys()

    def begin(self, room: Hosted[State, Command], put_off: Callable[[float], None]) -> None:
        """Hand over a room that is due. `put_off` is called with the time (ms since 1970) when to look at it again:
        after a failure, or never (infinity)."""
        if room.id not in self._tasks and not self._closed:
            task = self._tasks[room.id] = asyncio.create_task(self._try(room, put_off))
            task.add_done_callback(lambda _: self._tasks.pop(room.id))

    async def _try(self, room: Hosted[State, Command], put_off: Callable[[float], None]) -> None:
        async with self._free:
            try:
                again = await self._hand_over(room)
            except LogUnavailable as error:
                again = self._later(room)
                _log.debug("not archived", room=room.id, error=str(error))
            except (UnreadableEntry, AnotherLog) as error:
                again = self._clock() + LATEST
                self._metrics.archive_failures += 1
                _log.error("not archived: the game stays in the store", room=room.id, error=str(error))
            except Exception:  # noqa: BLE001 - told in the log, and others go on
                again = self._clock() + LATEST
                self._metrics.archive_failures += 1
                _log.exception("not archived: the game stays in the store", room=room.id)
            if 0 < again < math.inf:
                self._put_off[room.id] = again
            else:
                self._put_off.pop(room.id, None)
            put_off(again)

    def _later(self, room: Hosted[State, Command]) -> float:
        now = self._clock()
        waited = 0 if room.state is None else now - room.state.at
        return now + random.uniform(0.8, 1.2) * min(max(SOON, waited // 2), LATEST)

    async def _hand_over(self, room: Hosted[State, Command]) -> float:
        """Do the remaining steps. Returns when to check the room again; infinity for never."""
        state = room.state
        due = None if state is None else self.due(state)
        if state is None or due is None or due > self._clock():
            return 0  # decisions that came while this waited for its turn
        if not state.archived:
            await self._archive.ping()
            answer = await room.judge(ArchiveCommand(state.seq), NOBODY)
            state = room.state
            if isinstance(answer, Rejection) or state is None:
                return self._later(room)
            if not state.archived:
                return 0  # another decision came first
        entries = await self._store.entries(room.id)
        if not entries or entries[0].seq > 1:
            return math.inf  # it has left the store
        await self._archive.keep(room.id, entries, self._clock())
        kept = await self._archive.log(room.id)
        if kept != entries:
            raise AnotherLog("The log read back differs from the one written.")
        found, games = await fold(room.id, unpacked(kept))
        if found != state:
            raise AnotherLog("The log read back leads to another match.")
        await self._archive.list_games(games)
        if not await self._store.retire(room.id, entries[-1], LEFT):
            raise AnotherLog("The log has grown after its last decision.")
        self._metrics.archived += len(games)
        _log.info("archived", room=room.id, games=len(games), decisions=len(entries))
        return math.inf

    async def _forget(self, before: int) -> int:
        return await self._archive.ask(lambda database: database.forget(before))

    async def _search(self) -> None:
        pause = FIRST_LOOK
        while True:
            await asyncio.sleep(pause)
            pause = LOOK * random.uniform(0.8, 1.2)
            with unless_unavailable(_log, "not searched"):
                async for rooms in self._store.rooms():
                    games = [room for room in rooms if not is_study(room)]  # studies stay in the store
                    await self._store.remind_first(games, self._clock())
                if self._retention is not None:
                    gone = await self._forget(self._clock() - self._retention)
                    _log.info("forgotten: their time is over", rooms=gone)
                while counted := await self._archive.ask(lambda database: database.count_more()):
                    _log.info("counted for the explorer", rooms=counted)
