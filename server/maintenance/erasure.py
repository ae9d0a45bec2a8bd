"""Erasing games for good: one game, or all that a player has played; and the audit log, which says who asked for it.

A room that is still played is left as it is, and so is one that a server hands over at this moment. A log goes from
the store only if nothing has happened in it since it was looked at.
"""

import secrets
import time
from typing import NamedTuple

from fourfold.engine.match import State, Status
from fourfold.server.archive import audit
from fourfold.server.archive.facts import fold
from fourfold.server.maintenance.places import Places
from fourfold.server.storage.event_log import UnreadableEntry
from fourfold.server.storage.records import Entry, read
from fourfold.server.storage.redis_log import room_of, stream

AT_ONCE = 20
"""How many rooms leave the archive in one transaction."""

_PLAYED = "it is still played: erase it when it is over"
_LEAVING = "it is on its way to the archive: try again in a minute"


class Erased(NamedTuple):
    """How many rooms were erased, and why others were left, by room."""

    rooms: int
    left: dict[str, str]


async def erase_game(places: Places, room: str, by: str, why: str) -> Erased:
    """Erase a room with all games of its series. Raises `LogUnavailable`."""
    there = await places.store.entries(room) or await places.archive.log(room) is not None
    return await _erase(places, "game", room, [room] if there else [], by, why)


async def erase_player(places: Places, player: str, by: str, why: str) -> Erased:
    """Erase all rooms in which a player has a seat, with everybody's games in them. What they did to the ratings of
    others stays. Raises `LogUnavailable`."""
    rooms = set(await audit.rooms_of(places.archive, player))
    async for names in places.store.keys.names(stream("*")):
        rooms |= {room for room in map(room_of, names) if await _sits(places, room, player)}
    erased = await _erase(places, "player", player, sorted(rooms), by, why)
    await places.archive.ratings.erase(player)
    return erased


async def _erase(places: Places, kind: str, target: str, rooms: list[str], by: str, why: str) -> Erased:
    if not rooms:
        return Erased(0, {})
    record = audit.Record(round(time.time() * 1000), secrets.token_hex(8), by, f"erase {kind}", target, len(rooms), why)
    await audit.note(places.archive, record)
    left: dict[str, str] = {}
    free = []
    for room in rooms:
        reason = await _leave_store(places, room)
        if reason is None:
            free.append(room)
        else:
            left[room] = reason
    for start in range(0, len(free), AT_ONCE):
        await places.archive.erase(free[start : start + AT_ONCE])
    return Erased(len(free), left)


async def _leave_store(places: Places, room: str) -> str | None:
    """Remove what the store has of a room; returns why not, if it is left."""
    try:
        entries = await places.store.entries(room)
        state = await _state(room, entries)
    except UnreadableEntry:
        await places.store.keys.remove([stream(room)])  # nobody can play it any more
        return None
    if state is not None and state.status is Status.PLAYING:
        return _PLAYED
    if state is not None and state.archived:
        return _LEAVING
    if entries and not await places.store.keys.remove_log(stream(room), entries[-1].seq):
        return _PLAYED
    return None


async def _sits(places: Places, room: str, player: str) -> bool:
    try:
        entries = await places.store.entries(room)
        if not any(player.encode() in entry.packed for entry in entries):
            return False
        state = await _state(room, entries)
    except UnreadableEntry:
        return False
    return state is not None and state.seat_of(player) is not None


async def _state(room: str, entries: list[Entry]) -> State | None:
    """What a log of the store leads to; None if it has left, or if there is none. Raises `UnreadableEntry`."""
    if not entries or entries[0].seq > 1:
        return None
    return (await fold(room, read(entries)))[0]
