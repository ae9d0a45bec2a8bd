"""The store and the archive of the settings, opened while servers use them."""

import argparse
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, NamedTuple, TypeVar

from fourfold.server.archive.accounts import AccountTables
from fourfold.server.archive.database import LOCKED_LONG, Database
from fourfold.server.archive.orders import OrderTables
from fourfold.server.clock import today
from fourfold.server.maintenance.form import Run
from fourfold.server.players.accounts import AccountRefused
from fourfold.server.settings import Settings
from fourfold.server.storage.embedded import EmbeddedStore, StoreInUse, find_binary
from fourfold.server.storage.heartbeat import ALIVE, STAMP_KEYS
from fourfold.server.storage.redis_log import ARCHIVE, RedisLog

_T = TypeVar("_T")


class NotPossible(Exception):
    """A command can't be carried out. The message says why, and what to do."""


class Places(NamedTuple):
    """Where games are: in the store while they run, in the archive afterwards."""

    store: RedisLog
    archive: Database

    async def people(self, question: Callable[[AccountTables], Coroutine[Any, Any, _T]]) -> _T:
        """The result of a query on the tables of accounts."""
        return await question(self.archive.accounts)

    async def orders(self, question: Callable[[OrderTables], Coroutine[Any, Any, _T]]) -> _T:
        """The result of a query on the tables of orders."""
        return await question(self.archive.orders)


async def open_store(settings: Settings, stack: AsyncExitStack, *, alone: bool = False) -> RedisLog:
    """The store, until the stack unwinds. The embedded one is started if no server runs it.

    With `alone`, raises `NotPossible` if a server uses the store. Also raises `StoreError` and `LogUnavailable`.
    """
    url = settings.redis_url
    if url is None:
        try:
            embedded = await EmbeddedStore.start(settings.data_dir)
            stack.push_async_callback(embedded.stop)
        except StoreInUse as error:
            if alone:
                raise NotPossible(f"A server uses the data folder. Stop it first. {error}") from error
            embedded = EmbeddedStore(settings.data_dir, find_binary())
        url = embedded.url
    store = await RedisLog.visit(url)
    stack.push_async_callback(store.close)
    # otherwise only this command uses it, even if a restored backup names servers
    shared = settings.redis_url is not None
    if alone and shared and (servers := await living(store)):
        raise NotPossible(f"{servers} servers use the store. Stop them first, and wait {ALIVE} s.")
    return store


async def living(store: RedisLog) -> int:
    """The number of servers that have lately stamped the store. Raises `LogUnavailable`."""
    nodes = await store.keys.copy(STAMP_KEYS[2])
    since = today() - ALIVE * 1000
    return 0 if nodes is None else sum(at > since for _, at in nodes.value)


@asynccontextmanager
async def open_both(settings: Settings) -> AsyncIterator[Places]:
    """The store and its archive. Raises `NotPossible` if the store's games go to another archive; also `StoreError` and
    `LogUnavailable`."""
    if settings.redis_url is None and not settings.data_dir.exists():
        raise NotPossible(f"There is no folder {settings.data_dir}. Give the servers' (--data DIR, or DATA_DIR).")
    async with AsyncExitStack() as stack:
        store = await open_store(settings, stack)
        archive = await Database.open(settings.database_url, settings.data_dir, LOCKED_LONG)
        stack.push_async_callback(archive.close)
        agreed = await store.keys.copy(ARCHIVE)
        if agreed is not None and agreed.value.decode() != archive.id:
            raise NotPossible(
                f"The servers of this store use the archive {agreed.value.decode()}, but this is {archive.id}. "
                "Give theirs (--database URL or DATABASE_URL; without one, their --data DIR)."
            )
        yield Places(store, archive)


def in_places(run: Callable[[Places, argparse.Namespace], Coroutine[Any, Any, int | None]]) -> Run:
    """The function of a command that uses the store and the archive: see `open_both`. Raises `NotPossible` where a
    moderator would be refused."""

    async def opened(settings: Settings, arguments: argparse.Namespace) -> int:
        try:
            async with open_both(settings) as places:
                return await run(places, arguments) or 0
        except AccountRefused as error:
            raise NotPossible(error.message) from error

    return opened
