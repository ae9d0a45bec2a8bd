"""The lobby's data in the store, shared by all servers: the listings, and the rooms in which seekers wait.

The listings are one hash. Every change goes to all servers. The rooms' logs remain the truth, so lost listings can be
rebuilt. The rooms in which seekers wait are one hash for each kind of game. Each entry expires unless it is renewed.
The time of an outage does not count. Each script touches one key, so all of it runs on a cluster.
"""

from collections.abc import AsyncIterator, Iterable, Sequence
from typing import Final

import msgspec

from fourfold.engine.decisions import Decision
from fourfold.protocol.from_server import Listing
from fourfold.server.clock import HOUR
from fourfold.server.lobby.ranges import Range
from fourfold.server.storage.event_log import Outage
from fourfold.server.storage.records import unpack
from fourfold.server.storage.redis_log import RedisLog, stream

ROOM: Final = "lobby"
"""The room id for messages about the lobby between servers. No room has this id."""

_LISTINGS: Final = "fourfold:{lobby}:listings"
_SEEK: Final = "fourfold:seekers:"
_RANGES: Final = "fourfold:ranges:"

KEPT: Final = HOUR
"""Milliseconds for which the rooms and ranges of seekers stay in the store after the last change: longer than any of
them counts."""

SOUGHT: Final = 600_000
"""Milliseconds for which the room of a player's seek is kept after their last seek. Clients repeat a seek for less."""

_MOST_SOUGHT: Final = 100
"""How many seeks of a player are kept. More are forgotten together, to bound the memory for a player who always seeks
the next game."""

POST: Final = """
for i = 1, #ARGV, 3 do
  local held = redis.call('HGET', KEYS[1], ARGV[i])
  if not held or tonumber(string.match(held, '^%d+')) <= tonumber(ARGV[i + 1]) then
    if ARGV[i + 2] == '' then redis.call('HDEL', KEYS[1], ARGV[i])
    else redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1] .. ' ' .. ARGV[i + 2]) end
  end
end
"""
"""KEYS: the hash. ARGV: for each room its id, the version of its log, and its packed listing (empty: it has none)."""

_WAITING: Final = """
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local entries = redis.call('HGETALL', KEYS[1])
local since, oldest = {}, nil
for i = 1, #entries, 2 do
  local room = entries[i]
  local began, ends = string.match(entries[i + 1], '^(%d+) (%d+)$')
  if tonumber(ends) + ARGV[3] > now then since[room] = tonumber(began) else redis.call('HDEL', KEYS[1], room) end
end
local function wait(room)
  redis.call('HSET', KEYS[1], room, string.format('%.0f %.0f', since[room] or now, now + ARGV[2]))
  redis.call('PEXPIRE', KEYS[1], ARGV[4])
end
"""
"""KEYS: the rooms in which players wait for a kind of game, each with the start of the wait and the expiry of the
entry. ARGV: a room, in how many milliseconds its entry expires, by how many milliseconds outages extend the life of
entries, and in how many milliseconds all entries are deleted."""

MEET: Final = (
    _WAITING
    + """
for i = 5, #ARGV do since[ARGV[i]] = nil end
for room, began in pairs(since) do
  if not oldest or began < since[oldest] or (began == since[oldest] and room < oldest) then oldest = room end
end
if not oldest then
  wait(ARGV[1])
  oldest = ARGV[1]
end
return oldest
"""
)
"""More ARGV: rooms to leave out. Returns the room in which players have waited longest; without one, the given room."""

NOTE: Final = """
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
"""
"""KEYS: the ranges of the players waiting in a room. ARGV: a player, their range, and in how many milliseconds all of
them expire."""

CLAIM: Final = """
local held = redis.call('HGET', KEYS[1], ARGV[1])
for i = 5, #ARGV do if held == ARGV[i] then held = false end end
if held then return held end
if redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[4]) then redis.call('DEL', KEYS[1]) end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return ARGV[2]
"""
"""KEYS: the rooms of a player's seeks, by their keys. ARGV: the key of a seek, a room for it, in how many milliseconds
all of them expire, how many are kept, and rooms in which it found no seat. Returns the room of the seek: an earlier
one, or the given one."""

HOLD: Final = _WAITING + "wait(ARGV[1])"
"""Renews the entry of a room, or creates one."""

_PAGE: Final = 500
"""How many listings one step of a scan requests."""


class Posting(msgspec.Struct, array_like=True):
    """A room's listing (None: it has none) as of version `seq` of its log."""

    room: str
    seq: int
    listing: Listing | None


class Looked(msgspec.Struct, tag=True):
    """A server has viewers for the listings of these rooms."""

    rooms: list[str]


_encode: Final = msgspec.msgpack.Encoder().encode
_decode: Final[msgspec.msgpack.Decoder[list[Posting] | Looked]] = msgspec.msgpack.Decoder(list[Posting] | Looked)
_decode_one: Final = msgspec.msgpack.Decoder(Listing).decode


def read(message: bytes) -> list[Posting] | Looked:
    """The content of a message; no postings if a newer version of the server has sent it."""
    try:
        return _decode.decode(message)
    except msgspec.DecodeError:
        return []


class ListingStore:
    """The lobby's data. All methods raise `LogUnavailable` while the store is away."""

    def __init__(self, store: RedisLog) -> None:
        self._store = store

    async def post(self, postings: Sequence[Posting]) -> None:
        """Store listings, unless newer ones are stored, and notify all nodes."""
        arguments: list[str | bytes | int] = []
        for posting in postings:
            packed = b"" if posting.listing is None else _encode(posting.listing)
            arguments += (posting.room, posting.seq, packed)
        await self._store.execute(_LISTINGS, "EVAL", POST, 1, _LISTINGS, *arguments)
        await self._store.tell(ROOM, _encode(postings))

    async def look(self, rooms: Iterable[str]) -> None:
        """Notify all nodes that the listings of these rooms have viewers."""
        await self._store.tell(ROOM, _encode(Looked(list(rooms))))

    async def postings(self) -> AsyncIterator[Posting]:
        """All stored listings. Concurrent changes may or may not be included."""
        cursor = 0
        while True:
            cursor, page = await self._store.execute(_LISTINGS, "HSCAN", _LISTINGS, cursor, "COUNT", _PAGE)
            for posting in _unpack(page.items()):
                yield posting
            if cursor == 0:
                return

    async def last(self, room: str) -> Decision | None:
        """The last decision of a room's log; None if the log is gone. Raises `UnreadableEntry`."""
        key = stream(room)
        for id, fields in await self._store.execute(key, "XREVRANGE", key, "+", "-", "COUNT", 1):
            seq = int(id.split(b"-")[0])
            return unpack(seq, int(fields[b"t"]), fields[b"d"], fields.get(b"s"))
        return None

    async def meet(self, game: str, room: str, milliseconds: int, but: Iterable[str] = ()) -> str:
        """The room in which seekers of a kind of game have waited longest, except the rooms in `but`. If there is none,
        seekers wait in `room` from now on, for `milliseconds`."""
        key = _SEEK + game
        entry = await self._entry(room, milliseconds)
        found: bytes = await self._store.execute(key, "EVAL", MEET, 1, key, *entry, *sorted(but))
        return found.decode()

    async def hold(self, game: str, room: str, milliseconds: int) -> None:
        """Let seekers of a kind of game wait in `room` for `milliseconds` from now on."""
        key = _SEEK + game
        await self._store.execute(key, "EVAL", HOLD, 1, key, *await self._entry(room, milliseconds))

    async def _entry(self, room: str, life: int) -> tuple[str, int, int, int]:
        """The arguments of `_WAITING`, for an entry that expires after `life` milliseconds."""
        if not self._store.certain:
            await self._store.beat()  # the store may be back from an outage that is not known here yet
        return room, life, extension(self._store.outages(), self._store.now(), life), KEPT

    async def waiting(self, game: str) -> list[str]:
        """The rooms in which seekers of a kind of game wait, or waited moments ago, longest first."""
        key = _SEEK + game
        found: dict[bytes, bytes] = await self._store.execute(key, "HGETALL", key)
        return [room.decode() for room in sorted(found, key=lambda room: (int(found[room].split()[0]), room))]

    async def note_range(self, room: str, player: str, wanted: Range) -> None:
        """Store the range within which a player waits in a room."""
        key = _RANGES + room
        await self._store.execute(key, "EVAL", NOTE, 1, key, player, " ".join(map(str, wanted)), KEPT)

    async def drop_range(self, room: str, player: str) -> None:
        """A player no longer waits in a room."""
        key = _RANGES + room
        await self._store.execute(key, "HDEL", key, player)

    async def claimed(self, player: str, key: str) -> str | None:
        """The room that a player's seek of this key has claimed; None if there is none."""
        found: bytes | None = await self._store.execute(_claims(player), "HGET", _claims(player), key)
        return None if found is None else found.decode()

    async def claim(self, player: str, key: str, room: str, but: Iterable[str] = ()) -> str:
        """Let a player's seek of this key take a seat in `room`, unless an attempt before has claimed another room that
        is not in `but`. Returns the room to sit in."""
        claims, bounds = _claims(player), (SOUGHT, _MOST_SOUGHT)
        found: bytes = await self._store.execute(claims, "EVAL", CLAIM, 1, claims, key, room, *bounds, *sorted(but))
        return found.decode()

    async def disclaim(self, player: str, key: str) -> None:
        """The player's seek of this key has left its room for another."""
        await self._store.execute(_claims(player), "HDEL", _claims(player), key)

    async def ranges(self, room: str) -> dict[str, Range]:
        """The stored ranges in a room, by player."""
        key = _RANGES + room
        found: dict[bytes, bytes] = await self._store.execute(key, "HGETALL", key)
        return {player.decode(): Range(*map(int, wanted.split())) for player, wanted in found.items()}

    async def release(self, game: str, room: str) -> None:
        """Stop letting seekers of a kind of game wait in `room`."""
        key = _SEEK + game
        await self._store.execute(key, "HDEL", key, room)


def extension(outages: Sequence[Outage], now: int, life: int) -> int:
    """By how many milliseconds the latest outages extend the life of entries, at the time `now`. Without an outage, an
    entry lives for `life` milliseconds. `outages` come oldest first."""
    seen = now
    for outage in reversed(outages):
        if outage.end <= seen - life:
            break
        seen -= outage.end - outage.start
    return now - seen


def _claims(player: str) -> str:
    return f"fourfold:{{{player}}}:seeks"


def _unpack(entries: Iterable[tuple[bytes, bytes]]) -> Iterable[Posting]:
    for room, kept in entries:
        seq, _, packed = kept.partition(b" ")
        try:
            yield Posting(room.decode(), int(seq), _decode_one(packed))
        except msgspec.DecodeError:
            continue  # of another version; its room will be listed again after its next change
