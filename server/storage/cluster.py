"""Which Redis server holds which key: the only one there is, or one of a cluster's masters.

Any server of a cluster tells the whole map, and is believed until an answer contradicts it. It knows
addresses and slots; what is kept there it doesn't.
"""

import asyncio
import random
from collections.abc import Awaitable, Callable, Collection
from typing import Any, Final
from urllib.parse import SplitResult, urlsplit

import structlog
from redis.crc import key_slot
from redis.exceptions import RedisError

from fourfold.server.storage.redis_node import PAUSE, RedisNode, without_password

OLDEST: Final = (7, 0)
"""The first Redis that has shard channels."""

_log = structlog.get_logger(__name__)


class WrongStore(Exception):
    """This store cannot serve; the message says why."""


class Cluster:
    """Finds servers. `make` makes one for a URL; `changed` is called when keys have other servers than before."""

    def __init__(self, url: str, make: Callable[[str], RedisNode], changed: Callable[[], Awaitable[None]]) -> None:
        self._seed = url
        self._make = make
        self._changed = changed
        self._servers: dict[str, RedisNode] = {}
        self._by_slot: list[RedisNode] = []  # empty where there is but one server
        self._refreshing: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Find out what there is at the URL. Raises `WrongStore`, `RedisError` or `OSError`."""
        server = self._server(self._seed)
        info: dict[str, Any] = await server.client.info()
        version = tuple(int(part) for part in str(info["redis_version"]).split(".")[:2])
        if version < OLDEST:
            raise WrongStore(f"it is Redis {info['redis_version']}; 7.0 or newer is needed")
        if info.get("cluster_enabled"):
            await self._read_map(server)

    async def close(self) -> None:
        """Close all servers."""
        if self._refreshing is not None:
            self._refreshing.cancel()
        for server in self._servers.values():
            await server.close()

    @property
    def masters(self) -> Collection[RedisNode]:
        """Those that hold keys now."""
        return set(self._by_slot) or self._servers.values()

    @property
    def servers(self) -> Collection[RedisNode]:
        """All that are or were known."""
        return self._servers.values()

    def of(self, key: str) -> RedisNode:
        """The server that holds a key."""
        if self._by_slot:
            return self._by_slot[key_slot(key.encode())]
        return self._servers[self._seed]

    async def refresh(self) -> None:
        """Ask the cluster for its map, as it is a little later than now. Where there is one server, nothing happens."""
        if not self._by_slot:
            return
        if self._refreshing is None or self._refreshing.done():
            self._refreshing = asyncio.create_task(self._refresh())
        await asyncio.shield(self._refreshing)

    async def _refresh(self) -> None:
        await asyncio.sleep(PAUSE)  # paces the attempts, and gathers those who want one
        before = self._by_slot
        for server in random.sample(list(self._servers.values()), len(self._servers)):
            try:
                await self._read_map(server)
                break
            except (RedisError, OSError, WrongStore) as error:
                _log.debug("no map of the cluster", url=without_password(server.url), error=str(error))
        if self._by_slot != before:
            _log.info("cluster changed", servers=sorted({without_password(server.url) for server in self._by_slot}))
        await self._changed()

    async def _read_map(self, server: RedisNode) -> None:
        ranges: Any = await server.client.execute_command("CLUSTER", "SLOTS")  # type: ignore[no-untyped-call]
        by_slot: list[RedisNode | None] = [None] * 16384
        asked = urlsplit(server.url)
        for first, last, (host, port, *_), *_replicas in ranges:
            name = host.decode() if host else asked.hostname or ""  # a server may not know its own address
            holder = self._server(_replace_address(asked, name, port))
            by_slot[first : last + 1] = [holder] * (last + 1 - first)
        covered = [holder for holder in by_slot if holder is not None]
        if len(covered) < len(by_slot):
            raise WrongStore(f"its cluster has no server for {len(by_slot) - len(covered)} of 16384 slots")
        self._by_slot = covered

    def _server(self, url: str) -> RedisNode:
        if url not in self._servers:
            server = self._servers[url] = self._make(url)
            server.start()
        return self._servers[url]


def _replace_address(url: SplitResult, host: str, port: int) -> str:
    if url.scheme == "unix":
        raise WrongStore("it is part of a cluster: name it by redis:// or rediss://, as its other servers are")
    login, at, _ = url.netloc.rpartition("@")
    address = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    return url._replace(netloc=f"{login}{at}{address}").geturl()
