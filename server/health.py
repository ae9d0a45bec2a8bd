"""What a server tells monitoring of its parts: whether it is ready, and the gauges of its metrics."""

import asyncio
from typing import Final

from fourfold.server.clock import monotonic
from fourfold.server.composition import Games, Storage
from fourfold.server.maintenance.backups import Backups
from fourfold.server.metrics import Gauge
from fourfold.server.rooms.registry import RoomRegistry
from fourfold.server.settings import Settings
from fourfold.server.storage.redis_log import RedisLog
from fourfold.server.transport.http import Readiness

PATIENCE: Final = 2.0
"""Seconds for which `/readyz` waits for the store."""


async def readiness(storage: Storage, games: Games, *, leaving: bool) -> Readiness:
    """Whether the server is ready for clients; `leaving` says that it is about to stop."""
    log = storage.log
    why = "the server is going away" if leaving else await _why_not(log)
    if games.doubted:
        why = why or f"the store has lost data; {games.doubted} rooms are still to be compared with it"
    warnings = (
        f"{log.crowded}: no new rooms" if log.crowded else None,
        "the archive does not answer: finished games wait in the store" if storage.archive.away else None,
        storage.witness.warning,
    )
    return Readiness(why, "; ".join(filter(None, warnings)) or None)


async def _why_not(log: RedisLog) -> str | None:
    """Why the store is not ready; None if it is."""
    probe = asyncio.create_task(log.why_not())
    # marks the exception as retrieved, even if it is late
    probe.add_done_callback(lambda probe: probe.cancelled() or probe.exception())
    try:
        return await asyncio.wait_for(asyncio.shield(probe), PATIENCE)
    except TimeoutError:
        return f"the store has not answered for {PATIENCE:.0f} s"


def gauges(settings: Settings, storage: Storage, rooms: RoomRegistry, backups: Backups | None) -> list[Gauge]:
    """The gauges of the store, the rooms and the backups, read when the metrics are requested."""
    log, disk = storage.log, storage.disk

    def silence() -> float | None:
        return None if rooms.looked is None else monotonic() - rooms.looked

    found = [
        Gauge("fourfold_store_up", "Whether the store answers and takes writes.", lambda: log.up),
        Gauge("fourfold_store_memory_bytes", "The memory that the store uses.", lambda: log.memory[0]),
        Gauge("fourfold_store_fullness", "The store's fullness, from 0 to 1 (0: no limit).", lambda: log.memory[1]),
        Gauge("fourfold_nodes", "Live servers that share the store.", lambda: log.servers),
        Gauge("fourfold_takeover_seconds", "Seconds since the last search for games of dead servers.", silence),
        Gauge("fourfold_archive_overdue", "Rooms held here that should have been archived by now.", rooms.overdue),
        Gauge("fourfold_archive_waiting", "Rooms known here that wait to be archived.", rooms.waiting),
    ]
    if disk is not None:
        found += [
            Gauge("fourfold_disk_free_bytes", "Free space on the disk of the embedded store.", lambda: disk.free),
            Gauge("fourfold_disk_low_bytes", "Free space below which no rooms are opened.", lambda: disk.limits.low),
            Gauge("fourfold_disk_full_bytes", "Free space below which no moves are taken.", lambda: disk.limits.full),
        ]
    if backups is not None and settings.backup_every is not None:
        age, every = "Seconds since the last good backup was started.", "The setting BACKUP_EVERY, in seconds."
        found += [
            Gauge("fourfold_backup_age_seconds", age, lambda: backups.age),
            Gauge("fourfold_backup_every_seconds", every, lambda: settings.backup_every),
        ]
    return found
