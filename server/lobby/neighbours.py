"""The players who played from each address within the last day, and so the games of that address.

The store has a sorted set for each address, shared by all servers. Only the servers can compute the digest that names
an address there.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

from fourfold.server.clock import DAY, Clock
from fourfold.server.ratings.levels import level_of
from fourfold.server.replication.pending import Pending
from fourfold.server.storage.store import Commands

KEPT: Final = DAY
"""Milliseconds for which a player belongs to an address after they were last seen there."""

OFTEN: Final = DAY // 24
"""Milliseconds until a player who is seen again is stored again, so that a move costs no write."""

NOTE: Final = """
redis.call('ZADD', KEYS[1], ARGV[1], ARGV[2])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[1] - ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
"""
"""KEYS: an address's set. ARGV: the time, a player, and for how many milliseconds the player is kept."""

MOST_KNOWN: Final = 1000
"""How many addresses' rooms are cached."""

_Seen = tuple[str, str]
"""An address's digest and a player."""

def _key(digest: str) -> str:
    return f"fourfold:{{{digest}}}:players"


class Neighbours:
    """Runs from `open` to `close`."""

    def __init__(
        self,
        store: Commands,
        rooms_of: Callable[[str], Awaitable[list[str]]],
        digest: Callable[[str], str],
        clock: Clock,
        *,
        kept: bool = True,
    ) -> None:
        """`rooms_of` returns the rooms in which a player has a game, `digest` the digest of an address. Without `kept`,
        addresses are neither stored nor looked up."""
        self._store = store
        self._rooms_of = rooms_of
        self._digest = digest
        self._clock = clock
        self._kept = kept
        self._noted: dict[_Seen, int] = {}  # when each was seen, within the last hour or so
        self._pending = Pending[_Seen, int]("player's address", self._note)
        self._swept = 0
        self._known: dict[str, tuple[int, list[str]]] = {}  # the rooms of an address, and when they were looked up

    def open(self) -> None:
        """Start storing sightings."""
        if self._kept:
            self._pending.open()

    async def close(self) -> None:
        """Stop."""
        await self._pending.close()

    def seen(self, address: str, player: str) -> None:
        """A player sits down or plays, from an address. Computer players of this service do not count."""
        if not self._kept or not address:
            return
        now, seen = self._clock(), (address, player)
        if now - self._noted.get(seen, -OFTEN) < OFTEN or level_of(player) is not None:
            return
        if now - self._swept >= OFTEN:
            self._noted = {one: at for one, at in self._noted.items() if now - at < OFTEN}
            self._swept = now
        self._noted[seen] = now
        self._pending.put((self._digest(address), player), now)

    async def _note(self, seen: _Seen, at: int) -> None:
        digest, player = seen
        await self._store.execute(_key(digest), "EVAL", NOTE, 1, _key(digest), at, player, KEPT)

    async def rooms(self, address: str, age: int = 0) -> list[str]:
        """The rooms in which players of an address have a game. An answer up to `age` milliseconds old may be reused.

        Raises `LogUnavailable`.
        """
        if not self._kept or not address:
            return []
        now, (at, rooms) = self._clock(), self._known.get(address, (0, []))
        if now - at > age or not age:
            players = await self._of(address)
            found = await asyncio.gather(*map(self._rooms_of, players))
            rooms = list(dict.fromkeys(room for some in found for room in some))
            self._known[address] = now, rooms
            while len(self._known) > MOST_KNOWN:
                del self._known[next(iter(self._known))]
        return rooms

    async def _of(self, address: str) -> list[str]:
        digest = self._digest(address)
        pending = [player for where, player in self._pending if where == digest]
        found = await self._store.execute(_key(digest), "ZRANGEBYSCORE", _key(digest), self._clock() - KEPT, "+inf")
        return [*dict.fromkeys([*(player.decode() for player in found), *pending])]
