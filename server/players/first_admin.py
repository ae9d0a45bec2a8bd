"""How an account becomes the first admin: by a code that is good once, which the server prints while there is no admin.

A role belongs to a player's id, never to a name. Servers of earlier versions took the account called `ADMIN` for an
admin, whoever had the name; the first start of this version gives that account the role, and the store notes that this
is done: from then on the name says nothing.
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
from fourfold.server.players.members import Sender
from fourfold.server.players.names import skeleton
from fourfold.server.storage.event_log import LogUnavailable
from fourfold.server.supervision import end

KEY: Final = "fourfold:{admin}"
"""The hash of what servers note about admins: the code, and whether names are `settled`."""

AGAIN: Final = 5.0
"""Seconds until the archive is asked again."""

SERVER: Final = "server"
"""Who appoints, as the audit log has it."""

_TAKE: Final = """
if redis.call('HGET', KEYS[1], 'code') ~= ARGV[1] then return 0 end
return redis.call('HDEL', KEYS[1], 'code')
"""
"""KEYS: the hash. ARGV: a code. Returns 1 if it was the code; then there is none any more."""

_log = structlog.get_logger(__name__)


class FirstAdmin:
    """Works from `open` to `close`. `appoint` raises `AccountRefused` and `LogUnavailable`."""

    def __init__(self, name: str | None, store: Sender, archive: Archive, clock: Clock) -> None:
        """`name` is the setting ADMIN."""
        self._name = name
        self._store = store
        self._archive = archive
        self._clock = clock
        self._preparing: asyncio.Task[None] | None = None

    def open(self, tell: Callable[[str], None]) -> None:
        """Begin to see whether there is an admin; `tell` is called with the code if there is none."""
        self._preparing = asyncio.create_task(self._prepare(tell))

    async def close(self) -> None:
        """Stop."""
        await end([self._preparing])

    async def _prepare(self, tell: Callable[[str], None]) -> None:
        while True:
            try:
                await self._settle()
                if await self._archive.people(lambda tables: tables.has_admin()):
                    await self._store.execute(KEY, "HDEL", KEY, "code")
                else:
                    tell(await self._code())
                return
            except LogUnavailable as error:
                _log.debug("admins not looked for", error=str(error))
                await asyncio.sleep(AGAIN)  # paces the attempts

    async def _settle(self) -> None:
        """Give the account that an earlier version took for an admin the role; once for a store."""
        if await self._store.execute(KEY, "HEXISTS", KEY, "settled"):
            return
        if self._name is not None:
            looks = skeleton(self._name)
            account = await self._archive.people(lambda tables: tables.find_by_name(looks))
            if account is not None and account.closed is None and account.owner is None and account.role != ADMIN:
                await self._give_role(account.player, "was admin by its name")
        await self._store.execute(KEY, "HSET", KEY, "settled", 1)

    async def _code(self) -> str:
        """The code, the same on all servers of the store."""
        await self._store.execute(KEY, "HSETNX", KEY, "code", letters_of(new_code()))
        kept: bytes = await self._store.execute(KEY, "HGET", KEY, "code")
        return kept.decode()

    async def appoint(self, player: Player, code: str) -> None:
        """Make the account of a player an admin by the code, which is good once."""
        kept = letters_of(code)
        if not await self._store.execute(KEY, "EVAL", _TAKE, 1, KEY, kept):
            raise AccountRefused("wrong_code", "This is not the code that the server has printed, or it was used.")
        try:
            await self._give_role(player.id, "by the code that the server has printed")
        except LogUnavailable:
            await self._store.execute(KEY, "HSETNX", KEY, "code", kept)  # it was not used
            raise

    async def _give_role(self, player: str, why: str) -> None:
        row = record(SERVER, f"appoint {ADMIN}", player, why, self._clock())
        await self._archive.orders(lambda tables: tables.appoint(player, ADMIN, row))
        _log.info("moderated", action=row.action, target=player, by=SERVER)
