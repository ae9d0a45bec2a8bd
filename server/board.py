"""What all nodes share for the lobby, on the store: the listings, and where those wait who seek the same game.

The listings are one hash, and every change to it is told to all nodes; the log of each room remains the
truth, so that whatever is lost here can be found again. Where seekers wait is one key for each kind of
game: its holder must say again and again that people wait there, or the place is free for the next.
Each script touches one key, so all of it runs on a cluster as it is.
"""

from collections.abc import AsyncIterator, Iterable, Sequence
from typing import Any, Final, Protocol

import msgspec

from protocol.from_server import Listing
from server.event_log import EventLog

ROOM: Final = "lobby"
"""What the lobby is called among the rooms that nodes tell each other about. No room's id has such letters."""

_LISTINGS: Final = "fourfold:{lobby}:listings"
_SEEK: Final = "fourfold:seek:"

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

HOLD: Final = """
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return holder end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return ARGV[1]
"""
"""KEYS: the place. ARGV: the room that wants to hold it, and for how many milliseconds. Returns the holder."""

RELEASE: Final = """
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
"""
"""KEYS: the place. ARGV: the room that gives it up."""

_PAGE: Final = 500
"""How many listings one step of a scan asks for."""


class Posting(msgspec.Struct, array_like=True):
    """A room's listing (None: it has none) as of version `seq` of its log."""

    room: str
    seq: int
    listing: Listing | None


class Store(EventLog, Protocol):
    """What the board needs of the store beside the log."""

    async def execute(self, key: str, *command: str | bytes | int) -> Any:
        """The answer to one command, which touches one key. Raises `LogUnavailable`."""
        ...


_encode: Final = msgspec.msgpack.Encoder().encode
_decode_all: Final = msgspec.msgpack.Decoder(list[Posting]).decode
_decode_one: Final = msgspec.msgpack.Decoder(Listing).decode


def read(message: bytes) -> list[Posting]:
    """The postings of which a node has told; none if only a newer version understands them."""
    try:
        return _decode_all(message)
    except msgspec.DecodeError:
        return []


class Board:
    """See the module. Everything raises `LogUnavailable` while the store is away."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def post(self, postings: Sequence[Posting]) -> None:
        """Keep listings, unless newer ones are kept, and tell all nodes."""
        arguments: list[str | bytes | int] = []
        for posting in postings:
            packed = b"" if posting.listing is None else _encode(posting.listing)
            arguments += (posting.room, posting.seq, packed)
        await self._store.execute(_LISTINGS, "EVAL", POST, 1, _LISTINGS, *arguments)
        await self._store.tell(ROOM, _encode(postings))

    async def postings(self) -> AsyncIterator[Posting]:
        """All that is kept; what changes meanwhile may be among it or not."""
        cursor = 0
        while True:
            cursor, page = await self._store.execute(_LISTINGS, "HSCAN", _LISTINGS, cursor, "COUNT", _PAGE)
            for posting in _unpack(page.items()):
                yield posting
            if cursor == 0:
                return

    async def version(self, room: str, seq: int) -> int | None:
        """The version of a room's log, known to have been `seq`; None if there is no such log any more."""
        decisions = await self._store.read(room, seq - 1)
        return decisions[-1].seq if decisions else None

    async def hold(self, game: str, room: str, milliseconds: int) -> str:
        """Let seekers of a kind of game wait in `room` for so long, unless they do in another; where they wait."""
        key = _SEEK + game
        holder: bytes = await self._store.execute(key, "EVAL", HOLD, 1, key, room, milliseconds)
        return holder.decode()

    async def release(self, game: str, room: str) -> None:
        """Let seekers of a kind of game no longer wait in `room`."""
        key = _SEEK + game
        await self._store.execute(key, "EVAL", RELEASE, 1, key, room)


def _unpack(entries: Iterable[tuple[bytes, bytes]]) -> Iterable[Posting]:
    for room, kept in entries:
        seq, _, packed = kept.partition(b" ")
        try:
            yield Posting(room.decode(), int(seq), _decode_one(packed))
        except msgspec.DecodeError:
            continue  # of another version; its room will be listed anew when something happens in it
