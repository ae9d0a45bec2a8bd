"""The lists of studies in the store, shared by all servers: those of each owner, and the public ones.

The studies' logs remain the truth. An owner's list gets a study before it is opened, so that no study is lost. Other
data in the lists may be slightly out of date, and are corrected when the study is next loaded from its log. A guest's
studies expire some time after their last edit or load. The guest's list expires with the last of them.
"""

import asyncio
from functools import partial
from typing import Final

import msgspec
import structlog

from fourfold.protocol import study_projection
from fourfold.protocol.studies import StudyListing
from fourfold.server.clock import Clock
from fourfold.server.replication.pending import Pending
from fourfold.server.storage.event_log import LogUnavailable, every
from fourfold.server.storage.redis_log import stream
from fourfold.server.storage.store import Commands
from fourfold.server.studies.room import StudyRoom
from fourfold.server.studies.writer import Kept
from fourfold.server.supervision import end, supervise

CLAIM: Final = """
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then return 1 end
if redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[2]) then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
return 1
"""
"""KEYS: an owner's hash. ARGV: a study, the most studies allowed, and the value to store. Returns 0 at the limit."""

PUBLISH: Final = """
redis.call('ZADD', KEYS[1], ARGV[2], ARGV[1])
redis.call('HSET', KEYS[2], ARGV[1], ARGV[3])
"""
"""KEYS: the public studies by the time of their last change, and their listings. ARGV: a study, the time, and the
listing."""

WITHDRAW: Final = """
redis.call('ZREM', KEYS[1], ARGV[1])
redis.call('HDEL', KEYS[2], ARGV[1])
"""
"""KEYS: as above. ARGV: a study that is not public."""

CHANGED: Final = "fourfold:{studies}:changed"
LISTINGS: Final = "fourfold:{studies}:listings"
"""The keys of the public studies."""

OPENING: Final = 60_000
"""Milliseconds for which a listed study may still be in the process of opening."""

SWEEP: Final = 3600.0
"""Seconds between two searches for public studies that have ended."""

PAGE: Final = 100
"""How many studies one command checks."""

_encoder: Final = msgspec.msgpack.Encoder()
_decoder: Final = msgspec.msgpack.Decoder(StudyListing | int)
"""A stored value: a listing, or the time since when a study is being opened (ms since 1970)."""

_log = structlog.get_logger(__name__)


def key_of(owner: str) -> str:
    """The key of an owner's list."""
    return f"fourfold:{{{owner}}}:studies"


class Catalogue:
    """Runs from `open` to `close`."""

    def __init__(self, store: Commands, clock: Clock, kept: Kept) -> None:
        """`kept` returns how long a player's studies are kept."""
        self._store = store
        self._clock = clock
        self._kept = kept
        # the listing to store for a study; for one that is gone, its owner; for a guest with a new account, None
        self._pending = Pending[str, StudyListing | str | None]("studies", self._note)
        self._sweeping: asyncio.Task[None] | None = None

    def open(self) -> None:
        """Start storing changes."""
        self._pending.open()
        sweeping = partial(every, SWEEP, self.sweep, _log, "studies not swept")
        self._sweeping = supervise("studies that ended", sweeping)

    async def close(self) -> None:
        """Store the pending changes, if the store answers, and stop."""
        await end([self._sweeping])
        await self._pending.close()
        for id in list(self._pending):
            try:
                await self._note(id, self._pending.pop(id))
            except LogUnavailable:
                return

    def changed(self, room: StudyRoom) -> None:
        """This node has changed a study, or loaded it."""
        study = room.study
        self._pending.put(room.id, study.owner if study.deleted else study_projection.listing(room.id, study))

    def keep(self, owner: str) -> None:
        """A guest has registered an account: their studies no longer expire."""
        self._pending.put(owner, None)

    async def claim(self, owner: str, id: str, most: int) -> bool:
        """Store that a player opens a study; False if they have `most` already. Raises `LogUnavailable`."""
        key = key_of(owner)
        now = _encoder.encode(self._clock())
        if await self._store.execute(key, "EVAL", CLAIM, 1, key, id, most, now):
            return True
        ended = await self._ended([one.room for one in (await self.of(owner))[0]])
        if ended:
            await self._store.execute(key, "HDEL", key, *ended)
        return bool(ended) and bool(await self._store.execute(key, "EVAL", CLAIM, 1, key, id, most, now))

    async def forget(self, owner: str, id: str) -> None:
        """A player has no study of this id. Raises `LogUnavailable`."""
        key = key_of(owner)
        await self._store.execute(key, "HDEL", key, id)

    async def of(self, owner: str) -> tuple[list[StudyListing], list[str]]:
        """A player's studies, latest change first, and the ids of studies whose opening was recorded a while ago but
        never finished. Raises `LogUnavailable`."""
        key = key_of(owner)
        found: dict[bytes, bytes] = await self._store.execute(key, "HGETALL", key)
        noted = {id.decode(): _decoder.decode(data) for id, data in found.items()}
        for id, listing in self._pending.items():
            if id in noted:
                if isinstance(listing, StudyListing):
                    noted[id] = listing
                else:
                    del noted[id]
        listings = sorted((one for one in noted.values() if isinstance(one, StudyListing)), key=_place, reverse=True)
        old = self._clock() - OPENING
        return listings, [id for id, since in noted.items() if isinstance(since, int) and since < old]

    async def public(self, after: tuple[int, str] | None, most: int) -> list[StudyListing]:
        """Public studies, latest change first, at most `most`, after a time and an id. Raises `LogUnavailable`."""
        listings: list[StudyListing] = []
        top = "+inf" if after is None else str(after[0])
        start = 0
        while len(listings) < most:
            ids: list[bytes] = await self._store.execute(
                CHANGED, "ZRANGE", CHANGED, top, "-inf", "BYSCORE", "REV", "LIMIT", start, most
            )
            if not ids:
                break
            start += len(ids)
            noted = await self._store.execute(LISTINGS, "HMGET", LISTINGS, *ids)
            for data in noted:
                listing = None if data is None else _decoder.decode(data)
                if isinstance(listing, StudyListing) and (after is None or _place(listing) < after):
                    listings.append(listing)
        return listings[:most]

    async def _note(self, id: str, listing: StudyListing | str | None) -> None:
        if listing is None:
            await self._keep(id)
            return
        owner = listing if isinstance(listing, str) else listing.owner
        key = key_of(owner)
        if isinstance(listing, str):
            await self._store.execute(key, "HDEL", key, id)
        else:
            await self._store.execute(key, "HSET", key, id, _encoder.encode(listing))
            await self._end_after(key, self._kept(owner))
            await self._end_after(stream(id), self._kept(owner))
        if isinstance(listing, StudyListing) and listing.visibility == "public":
            told = _encoder.encode(listing)
            await self._store.execute(CHANGED, "EVAL", PUBLISH, 2, CHANGED, LISTINGS, id, listing.changed, told)
        else:
            await self._store.execute(CHANGED, "EVAL", WITHDRAW, 2, CHANGED, LISTINGS, id)

    async def _keep(self, owner: str) -> None:
        key = key_of(owner)
        ids: list[bytes] = await self._store.execute(key, "HKEYS", key)
        for one in (key, *(stream(id.decode()) for id in ids)):
            await self._end_after(one, None)

    async def _end_after(self, key: str, milliseconds: int | None) -> None:
        if milliseconds is None:
            await self._store.execute(key, "PERSIST", key)
        else:
            await self._store.execute(key, "PEXPIRE", key, milliseconds)

    async def _ended(self, ids: list[str]) -> list[str]:
        """Those of some studies whose log is gone."""
        return [id for id in ids if not await self._store.execute(stream(id), "EXISTS", stream(id))]

    async def sweep(self) -> None:
        """Remove public studies that have ended from the list. Raises `LogUnavailable`."""
        start = 0
        while True:
            ids: list[bytes] = await self._store.execute(CHANGED, "ZRANGE", CHANGED, start, start + PAGE - 1)
            if not ids:
                return
            ended = await self._ended([id.decode() for id in ids])
            for id in ended:
                await self._store.execute(CHANGED, "EVAL", WITHDRAW, 2, CHANGED, LISTINGS, id)
            start += len(ids) - len(ended)


def _place(listing: StudyListing) -> tuple[int, str]:
    """The place of a study in a list."""
    return listing.changed, listing.room
