"""Makes an account the first admin, by a one-time code that the server prints while there is no admin.

A role belongs to a player's id, never to a name. Servers of earlier versions treated the account named by `ADMIN` as an
admin, whoever registered that name. The first start of this version gives that account the role, and records that in
the store. From then on the name has no effect.
"""

import asyncio
from collections.abc import Callable
from typing import Final

import structlog

from fourfold.server.archive.acts import record
from fourfold.server.archive.archive import Archive
from fourfold.server.archive.people import ADMIN
from fourfold.server.clock import Clock
from fourfold.server.players.accounts import AccountRefused
from fourfold.server.players.codes import letters_of, new_code
from fourfold.server.players.identity import Player
from fourfold.server.players.names import skeleton
from fourfold.server.storage.event_log import LogUnavailable, until_available
from fourfold.server.storage.store import SharedData
from fourfold.server.supervision import end

KEY: Final = "fourfold:{admin}"
"""The hash of data about admins: the code, and whether names are `settled`."""

AGAIN: Final = 5.0
"""Seconds between attempts to read the archive."""

SERVER: Final = "server"
"""The author of these appointments in the audit log."""

_MAKE: Final = """
redis.call('HSETNX', KEYS[1], 'code', ARGV[1])
return redis.call('HGET', KEYS[1], 'code')
"""
"""KEYS: the hash. ARGV: a new code. Stores the code unless the hash has one, and returns the hash's code."""

_TAKE: Final = """
if redis.call('HGET', KEYS[1], 'code') ~= ARGV[1] then return 0 end
return redis.call('HDEL', KEYS[1], 'code')
"""
"""KEYS: the hash. ARGV: a code. Returns 1, and removes the code, if it was right."""

_log = structlog.get_logger(__name__)


class FirstAdmin:
    """Runs from `open` to `close`. `appoint` raises `AccountRefused` and `LogUnavailable`."""

    def __init__(self, name: str | None, store: SharedData, archive: Archive, clock: Clock) -> None:
        """`name` is the setting ADMIN."""
        self._name = name
        self._store = store
        self._archive = archive
        self._clock = clock
        self._preparing: asyncio.Task[None] | None = None

    def open(self, tell: Callable[[str], None]) -> None:
        """Start to check whether there is an admin. If there is none, `tell` is called with the code."""
        preparing = until_available(AGAIN, lambda: self._prepare(tell), _log, "cannot check for admins")
        self._preparing = asyncio.create_task(preparing)

    async def close(self) -> None:
        """Stop."""
        await end([self._preparing])

    async def _prepare(self, tell: Callable[[str], None]) -> None:
        await self._settle()
        if await self._archive.people(lambda tables: tables.has_admin()):
            await self._store.execute(KEY, "HDEL", KEY, "code")
        else:
            tell(await self._code())

    async def _settle(self) -> None:
        """Give the role to the account that an earlier version treated as an admin. Done once for each store."""
        if await self._store.execute(KEY, "HEXISTS", KEY, "settled"):
            return
        if self._name is not None:
            looks = skeleton(self._name)
            account = await self._archive.people(lambda tables: tables.find_by_name(looks))
            if account is not None and account.closed is None and account.owner is None and account.role != ADMIN:
                await self._give_role(account.player, "was admin by name")
        await self._store.execute(KEY, "HSET", KEY, "settled", 1)

    async def _code(self) -> str:
        """The code, the same on all servers of the store."""
        kept: bytes = await self._store.execute(KEY, "EVAL", _MAKE, 1, KEY, letters_of(new_code()))
        return kept.decode()

    async def appoint(self, player: Player, code: str) -> None:
        """Make a player's account an admin by the one-time code."""
        kept = letters_of(code)
        if not await self._store.execute(KEY, "EVAL", _TAKE, 1, KEY, kept):
            raise AccountRefused("wrong_code", "Wrong code, or already used. The server prints it at startup.")
        try:
            await self._give_role(player.id, "by the code that the server printed")
        except LogUnavailable:
            await self._store.execute(KEY, "HSETNX", KEY, "code", kept)  # so that it can be used again
            raise

    async def _give_role(self, player: str, why: str) -> None:
        row = record(SERVER, f"appoint {ADMIN}", player, why, self._clock())
        await self._archive.orders(lambda tables: tables.appoint(player, ADMIN, row))
        _log.info("moderated", action=row.action, target=player, by=SERVER)
