"""Finds the store node for a key, and asks it: the only node, or one of a cluster's masters.

Any node of a cluster returns the whole slot map. The map is used until an answer contradicts it.
"""

import asyncio
import random
from collections.abc import Awaitable, Callable, Collection
from typing import Any, Final, TypeVar
from urllib.parse import SplitResult, urlsplit

import structlog
from redis.asyncio import Redis
from redis.crc import key_slot
from redis.exceptions import RedisError, ResponseError

from fourfold.server.storage.event_log import LogRefused, LogUnavailable
from fourfold.server.storage.pipeline import AWAY, ELSEWHERE, PAUSE
from fourfold.server.storage.redis_node import RedisNode, without_password
from fourfold.server.storage.safety import WrongStore, version

OLDEST: Final = (7, 0)
"""The first Redis version with shard channels."""

ATTEMPTS: Final = 20
"""How often a request follows a key from node to node before it fails: for about two seconds."""

_log = structlog.get_logger(__name__)

_T = TypeVar("_T")


class Cluster:
    """Finds the node for a key, and asks it."""

    def __init__(self, url: str, make: Callable[[str], RedisNode], changed: Callable[[], Awaitable[None]]) -> None:
        """`make` creates a node for a URL. `changed` is called when keys have moved to other nodes."""
        self._seed = url
        self._make = make
        self._changed = changed
        self._nodes: dict[str, RedisNode] = {}
        self._by_slot: list[RedisNode] = []  # empty without a cluster
        self._refreshing: asyncio.Task[None] | None = None
        self._unanswered = 0

    async def open(self) -> None:
        """Inspect the store at the URL. Raises `WrongStore`, `RedisError` or `OSError`."""
        node = self._node(self._seed)
        info: dict[str, Any] = await node.client.info()
        if version(info) < OLDEST:
            raise WrongStore(f"it is Redis {info['redis_version']}; 7.0 or newer is needed")
        if info.get("cluster_enabled"):
            await self._read_map(node)

    async def close(self) -> None:
        """Close all nodes."""
        if self._refreshing is not None:
            self._refreshing.cancel()
        for node in self._nodes.values():
            await node.close()

    @property
    def only(self) -> RedisNode | None:
        """The only node; None for a cluster."""
        return None if self._by_slot else self._nodes[self._seed]

    @property
    def masters(self) -> Collection[RedisNode]:
        """The nodes that hold keys now."""
        return set(self._by_slot) or self._nodes.values()

    @property
    def nodes(self) -> Collection[RedisNode]:
        """All nodes that are or were known."""
        return self._nodes.values()

    def of(self, key: str) -> RedisNode:
        """The node that holds a key."""
        if self._by_slot:
            return self._by_slot[key_slot(key.encode())]
        return self._nodes[self._seed]

    @property
    def errors(self) -> int:
        """How often a node failed to answer, or answered with an error."""
        return self._unanswered + sum(node.pipeline.errors for node in self.nodes)

    async def ask(self, key: str, question: Callable[[Redis], Awaitable[_T]]) -> _T:
        """Ask the node that holds a key, even while the key moves. Raises `LogUnavailable`."""
        for attempt in range(ATTEMPTS):
            try:
                return await question(self.of(key).client)
            except (RedisError, OSError) as error:
                if isinstance(error, (*ELSEWHERE, *AWAY)):
                    await self.refresh()  # for the next attempt, by this call or another
                if not isinstance(error, ELSEWHERE) or attempt == ATTEMPTS - 1:
                    self._unanswered += 1
                    self.of(key).trouble.tell(str(error))
                    if isinstance(error, ResponseError):
                        raise LogRefused(f"The store refuses: {error}") from error
                    raise LogUnavailable(f"The store does not answer: {error}") from error
        raise AssertionError("there is at least one attempt")

    async def command(self, key: str, *command: str | bytes | int) -> Any:
        """Send one command for a key. Raises `LogUnavailable`."""
        return await self.ask(key, lambda client: client.execute_command(*command))  # type: ignore[no-untyped-call]

    async def refresh(self) -> None:
        """Ask a cluster for its slot map, after a short pause. Concurrent calls share the answer.

        Does nothing without a cluster.
        """
        if not self._by_slot:
            return
        if self._refreshing is None or self._refreshing.done():
            self._refreshing = asyncio.create_task(self._refresh())
        await asyncio.shield(self._refreshing)

    async def _refresh(self) -> None:
        await asyncio.sleep(PAUSE)  # paces the attempts, and gathers calls
        before = self._by_slot
        for node in random.sample(list(self._nodes.values()), len(self._nodes)):
            try:
                await self._read_map(node)
                break
            except (RedisError, OSError, WrongStore) as error:
                _log.debug("no map of the cluster", url=without_password(node.url), error=str(error))
        if self._by_slot != before:
            _log.info("cluster changed", servers=sorted({without_password(node.url) for node in self._by_slot}))
        await self._changed()

    async def _read_map(self, node: RedisNode) -> None:
        ranges: Any = await node.client.execute_command("CLUSTER", "SLOTS")  # type: ignore[no-untyped-call]
        by_slot: list[RedisNode | None] = [None] * 16384
        asked = urlsplit(node.url)
        for first, last, (host, port, *_), *_replicas in ranges:
            name = host.decode() if host else asked.hostname or ""  # a node may not know its own address
            holder = self._node(_replace_address(asked, name, port))
            by_slot[first : last + 1] = [holder] * (last + 1 - first)
        covered = [holder for holder in by_slot if holder is not None]
        if len(covered) < len(by_slot):
            raise WrongStore(f"its cluster has no server for {len(by_slot) - len(covered)} of 16384 slots")
        self._by_slot = covered

    def _node(self, url: str) -> RedisNode:
        if url not in self._nodes:
            node = self._nodes[url] = self._make(url)
            node.start()
        return self._nodes[url]


def _replace_address(url: SplitResult, host: str, port: int) -> str:
    if url.scheme == "unix":
        raise WrongStore("it is part of a cluster: use a redis:// or rediss:// URL, as for its other nodes")
    login, at, _ = url.netloc.rpartition("@")
    address = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    return url._replace(netloc=f"{login}{at}{address}").geturl()
