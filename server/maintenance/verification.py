"""Verifies all stored games: reads every log, recomputes its lineage and checksums, and replays it. Every archived game
must be listed as its log says, and an imported one must have its text."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import NamedTuple

from fourfold.server.archive.database import Database
from fourfold.server.archive.facts import fold
from fourfold.server.archive.packing import unpack
from fourfold.server.archive.snapshot import file_faults, kept_rooms
from fourfold.server.maintenance import backup, studies
from fourfold.server.rooms import imported
from fourfold.server.storage.event_log import UnreadableEntry
from fourfold.server.storage.keys import Copy
from fourfold.server.storage.records import Entry, read
from fourfold.server.storage.redis_log import RedisLog, room_of, stream


class Looked(NamedTuple):
    """A verified room: in the store or in the archive, the number of its decisions there, and the damage (None:
    none)."""

    room: str
    archived: bool
    decisions: int
    damage: str | None


async def verify(store: RedisLog, archive: Database) -> AsyncIterator[Looked]:
    """Verify every room of the store, then every room of the archive. Servers may use them meanwhile.

    Raises `LogUnavailable`.
    """
    async for names in store.keys.names(stream("*")):
        for room in map(room_of, names):
            looked = await _in_store(store, archive, room)
            if looked is not None:
                yield looked
    for fault in await file_faults(archive):
        yield Looked("", True, 0, f"the database's file is damaged: {fault}")
    async for rooms in kept_rooms(archive):
        for room in rooms:
            looked = await _in_archive(archive, room)
            if looked is not None:
                yield looked


async def verify_file(path: Path) -> AsyncIterator[Looked]:
    """Verify every room of a backup in the same way: all logs of the store's copy, then all of the archive's.

    Raises `NotPossible` if the file is not a complete backup.
    """
    backup.look(path)
    tails: dict[str, int] = {}
    for kind, *rest in backup.items(path):
        if kind == "key" and (copy := Copy(*rest)).type == "stream":
            room = room_of(copy.name)
            entries = [
                Entry(int(id.split(b"-")[0]), int(said[b"t"]), said[b"d"], said.get(b"s")) for id, said in copy.value
            ]
            if entries[0].seq > 1:
                tails[room] = entries[0].seq
            else:
                yield await _folded(room, False, entries)
        elif kind == "rows" and rest[0] == "logs":
            for row in rest[1]:
                tails.pop(row["room"], None)
                try:
                    entries = unpack(row["log"], row["lineage"])
                except UnreadableEntry as error:
                    yield Looked(row["room"], True, error.seq, str(error))
                else:
                    yield await _folded(row["room"], True, entries)
    for room, first in tails.items():
        damage = f"the store has it only from entry {first} on, and the archive does not have it"
        yield Looked(room, False, 0, damage)


async def _folded(room: str, archived: bool, entries: list[Entry]) -> Looked:
    try:
        decisions = read(entries)
        await (studies.fold(decisions) if studies.is_study(decisions) else fold(room, decisions))
    except UnreadableEntry as error:
        return Looked(room, archived, error.seq, str(error))
    return Looked(room, archived, len(entries), None)


async def _in_store(store: RedisLog, archive: Database, room: str) -> Looked | None:
    try:
        entries = await store.entries(room)
        if not entries:
            return None  # it has expired
        if entries[0].seq > 1:
            return Looked(room, False, len(entries), await _left(archive, room, entries))
    except UnreadableEntry as error:
        return Looked(room, False, error.seq, str(error))
    return await _folded(room, False, entries)


async def _left(archive: Database, room: str, last: list[Entry]) -> str | None:
    """The fault of a log whose end alone is in the store; None if the archive has all of it."""
    try:
        archived = await archive.log(room)
    except UnreadableEntry:
        return None  # reported with the archive's rooms
    if archived is None:
        return f"the store has it only from entry {last[0].seq} on, and the archive does not have it"
    if archived[last[0].seq - 1 :] != last:
        return "its end in the store differs from the archive's"
    return None


async def _in_archive(archive: Database, room: str) -> Looked | None:
    try:
        entries = await archive.log(room)
        if entries is None:
            return None  # it has expired
        _, games = await fold(room, read(entries))
        damage = await _text(archive, room) if any(game.imported for game in games) else None
    except UnreadableEntry as error:
        return Looked(room, True, error.seq, str(error))
    listed = await archive.games(room)
    if listed != games:
        numbers = [game.number for game in games if game not in listed] or [game.number for game in listed]
        damage = f"game {numbers[0]} is not listed as its log says"
    return Looked(room, True, len(entries), damage)


async def _text(archive: Database, room: str) -> str | None:
    """The fault of an imported game's text. Raises `DamagedEntry`."""
    came = await archive.text(room)
    if came is None:
        return "the imported game has no text"
    return None if imported.room_of(came[1]) == room else "its text differs from the imported one"
