"""Which players have played from each address within the last day, and so which games belong to it.

There is a sorted set for each address, in the store, shared by all servers. An address is named there by a digest that
only the servers can make.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final, Protocol

import structlog

from fourfold.server.clock import Clock
from fourfold.server.ratings.levels import level_of
from fourfold.server.rooms.retention import DAY
from fourfold.server.storage.event_log import LogUnavailable
from fourfold.server.supervision import end, supervise

KEPT: Final = DAY
"""For how many milliseconds a player counts as one of an address after they were last seen there."""

OFTEN: Final = DAY // 24
"""Milliseconds until a player who is seen again is noted again: a move costs no write."""

NOTE: Final = """
redis.call('ZADD', KEYS[1], ARGV[1], ARGV[2])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[1] - ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
"""
"""KEYS: an address's set. ARGV: the time, a player, and for how many milliseconds the player is kept."""

MOST_KNOWN: Final = 1000
"""Addresses whose rooms are remembered at most."""

AGAIN: Final = 0.5
"""Seconds until the store is tried again."""

_Seen = tuple[str, str]
"""An address's digest and a player."""

_log = structlog.get_logger(__name__)


class Store(Protocol):
    """Commands to the store."""

    async def execute(self, key: str, *command: str | bytes | int) -> Any:
        """The answer to one command, which touches one key. Raises `LogUnavailable`."""
        ...


def _key(digest: str) -> str:
    return f"fourfold:{{{digest}}}:players"


class Neighbours:
    """Works from `open` to `close`."""

    def __init__(
        self,
        store: Store,
        rooms_of: Callable[[str], Awaitable[list[str]]],
        digest: Callable[[str], str],
        clock: Clock,
        *,
        kept: bool = True,
    ) -> None:
        """`rooms_of` tells the rooms in which a player has a game, `digest` what stands for an address in the store.
        Without `kept` addresses are neither noted nor asked for."""
        self._store = store
        self._rooms_of = rooms_of
        self._digest = digest
        self._clock = clock
        self._kept = kept
        self._noted: dict[_Seen, int] = {}  # when each was seen, within the last hour or so
        self._pending: dict[_Seen, int] = {}
        self._swept = 0
        self._known: dict[str, tuple[int, list[str]]] = {}  # the rooms of an address, and when they were looked up
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def open(self) -> None:
        """Begin to note who is seen."""
        if self._kept:
            self._task = supervise("neighbours", self._note_on)

    async def close(self) -> None:
        """Stop."""
        if self._task is not None:
            await end([self._task])

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
        self._pending[self._digest(address), player] = now
        self._wake.set()

    async def _note_on(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self._pending:
                (digest, player), at = next(iter(self._pending.items()))
                try:
                    await self._store.execute(_key(digest), "EVAL", NOTE, 1, _key(digest), at, player, KEPT)
                except LogUnavailable as error:
                    _log.debug("player's address not noted", error=str(error))
                    await asyncio.sleep(AGAIN)  # paces the attempts
                    continue
                if self._pending[digest, player] == at:
                    del self._pending[digest, player]

    async def rooms(self, address: str, age: int = 0) -> list[str]:
        """The rooms in which players of an address have a game; of those, what was known `age` milliseconds ago.

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
        return [*{player.decode() for player in found} | {*pending}]
