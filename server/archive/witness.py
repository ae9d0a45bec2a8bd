"""Records in the archive's database what the store has acknowledged. Every start compares the store with these marks.

Writers report each decision, which costs them an entry in a dictionary. Twice a second the witness writes the last
decision of each changed room, in one transaction, so a crash loses at most half a second of marks. All servers of a
store share the marks. One of them logs and counts a loss, and all of them warn of it.
"""

import asyncio
import math
from collections.abc import Collection, Sequence
from typing import Final

import structlog

from fourfold.engine.decisions import Decision
from fourfold.server.archive.archive import Archive
from fourfold.server.archive.comparison import Comparison, Lost, lacks
from fourfold.server.archive.witnessed import Beat, Loss, Mark
from fourfold.server.clock import Clock, monotonic
from fourfold.server.metrics import Metrics
from fourfold.server.storage import event_log
from fourfold.server.storage.event_log import LogUnavailable
from fourfold.server.storage.store import StoredLogs
from fourfold.server.supervision import end, supervise

PERIOD: Final = 0.5
"""Seconds between two writes, as between two beats."""

QUIET: Final = 5.0
"""Seconds after which the beat alone is written."""

AGAIN: Final = 5.0
"""Seconds until the store or the archive is tried again."""

PRUNING: Final = 3600.0
"""Seconds between two searches for expired marks."""

SHOWN: Final = 24 * 60 * 60 * 1000
"""Milliseconds for which every server warns of a loss."""

LAST: Final = 2.0
"""Seconds for which the shutdown waits for the last write."""

NAMED: Final = 20
"""How many of the rooms that went back the log names."""

_log = structlog.get_logger(__name__)


class Witness(event_log.Witness):
    """Runs from `open` to `close`."""

    def __init__(self, archive: Archive, store: StoredLogs, clock: Clock, metrics: Metrics) -> None:
        self._archive = archive
        self._store = store
        self._clock = clock
        self._metrics = metrics
        self._comparison = Comparison(archive, store)
        self._noted: dict[str, tuple[Decision, int | None]] = {}  # to be written, with the retention of their logs
        self._gone: set[str] = set()  # to be deleted
        self._doubted: set[str] | None = None  # the rooms to compare; None: all
        self._compared = False  # whether all rooms have been compared since the start
        self._back: dict[str, int] = {}  # rooms that are known to have gone back, and to which version
        self._earlier = Loss(0, 0)  # losses that any server has lately found
        self._task: asyncio.Task[None] | None = None

    def open(self) -> None:
        """Start: compare the store with the earlier marks, then record."""
        self._task = supervise("witness", self._watch)

    async def close(self) -> None:
        """Stop, and write the pending marks."""
        await end([self._task])
        if self._noted or self._gone:
            try:
                async with asyncio.timeout(LAST):
                    if not self._compared:  # a write would replace marks that are still needed
                        await self._resolve()
                    await self._write()
            except (TimeoutError, LogUnavailable) as error:
                _log.warning("the witness is behind", rooms=len(self._noted), error=str(error))

    @property
    def warning(self) -> str | None:
        """The warning of `/readyz`; None if no loss is known."""
        loss = max(Loss(self._metrics.rooms_back, self._metrics.decisions_lost), self._earlier)
        return f"{loss}: the store has lost what it had acknowledged" if loss.rooms else None

    # -- reports of writers --

    def note(self, room: str, decision: Decision, keep: int | None) -> None:
        self._noted[room] = decision, keep

    def forget(self, room: str) -> None:
        self._noted.pop(room, None)
        self._gone.add(room)

    def doubt(self, room: str | None = None) -> None:
        if room is None:
            self._doubted = None
        elif self._doubted is not None:
            self._doubted.add(room)

    def went_back(self, room: str, kept: int) -> bool:
        self.forget(room)  # the room is marked again with its next decision
        known = self._back.get(room)
        self._back[room] = kept
        return known != kept

    # -- writing --

    async def _watch(self) -> None:
        written = pruned = -math.inf
        while True:
            now = monotonic()
            try:
                if self._compared and (self._noted or self._gone or now - written >= QUIET):
                    await self._write()
                    written = now
                if self._doubted is None or self._doubted:
                    await self._resolve()
                if now - pruned >= PRUNING:
                    await self._prune(self._clock())
                    pruned = now
                await asyncio.sleep(PERIOD)
            except LogUnavailable as error:
                _log.debug("nothing witnessed", error=str(error))
                await asyncio.sleep(AGAIN)

    async def _write(self) -> None:
        """Write the pending marks. If this raises `ArchiveUnavailable`, they stay pending."""
        noted, gone = self._noted, self._gone
        self._noted, self._gone = {}, set()
        marks = [_mark(room, *entry) for room, entry in noted.items()]
        _, data = self._store.data
        beat = None if data is None else Beat(data.name.decode(), data.beats, data.now)
        try:
            await self._archive.marks(lambda tables: tables.write(marks, sorted(gone), beat))
        except LogUnavailable:
            self._noted = {room: entry for room, entry in noted.items() if room not in self._gone} | self._noted
            self._gone |= gone
            raise

    async def _prune(self, now: int) -> None:
        await self._archive.marks(lambda tables: tables.prune(now, now - SHOWN))

    # -- comparing --

    async def _resolve(self) -> None:
        """Compare the rooms in doubt. They stay in doubt if this raises `LogUnavailable`, or is cancelled."""
        doubted, self._doubted = self._doubted, set()
        try:
            await self._compare(doubted)
        except BaseException:
            self._doubted = None if doubted is None or self._doubted is None else doubted | self._doubted
            raise
        self._compared = True

    async def _compare(self, only: Collection[str] | None) -> None:
        first, latest = self._store.data
        data = latest if self._compared else first
        now = self._clock()
        lost, left = await self._comparison.rooms(only, now)
        for room in left:
            self.forget(room)
        beats = [] if data is None else await self._comparison.beats(data)
        lacking = [beat for beat in beats if data and lacks(data, beat)]
        if lost or lacking:
            await self._settle(lost, beats, lacking, now)
        self._earlier = await self._archive.marks(lambda tables: tables.losses(now - SHOWN))

    async def _settle(self, lost: Sequence[Lost], beats: Sequence[Beat], lacking: Sequence[Beat], now: int) -> None:
        """Report the losses that no other server has reported, and delete what proves them: marks, and all earlier
        beats. Another server, which has made a later beat, may not see that the store lacks one."""
        known = {one.mark for one in lost if self._back.get(one.mark.room) == one.kept}
        missing = {one.mark: 0 if one.mark in known else one.mark.seq - one.kept for one in lost}
        gone = await self._archive.marks(lambda tables: tables.settle(missing, beats, now))
        news = [one for one in lost if one.mark in gone - known]
        if not gone & {*missing, *lacking} or (self._compared and not news):
            return  # the heartbeat counts losses that happen while servers run
        loss = Loss.of(missing[one.mark] for one in news)
        self._back |= {one.mark.room: one.kept for one in news}
        self._metrics.losses += not self._compared
        self._metrics.rooms_back += loss.rooms
        self._metrics.decisions_lost += loss.decisions
        rooms = {one.mark.room: f"{one.mark.seq} to {one.kept}" for one in news[:NAMED]}
        what = f"{loss}: the store has lost what it had acknowledged"
        _log.error(
            what if news else "the store has gone back, but no room has",
            rooms=rooms,
            beats={beat.data: beat.beats for beat in lacking},
        )


def _mark(room: str, decision: Decision, keep: int | None) -> Mark:
    """The mark of a decision. The store deletes a log up to a hundredth of its time too early: see `AppendRequest`."""
    until = None if keep is None else decision.at + keep * 99 // 100
    return Mark(room, decision.seq, decision.lineage, decision.at, until)
