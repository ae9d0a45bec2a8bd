"""Whether the store keeps acknowledged writes and accepts more, judged by the configuration and status of its nodes."""

import asyncio
import contextlib
import re
from collections.abc import Callable, Collection, Mapping
from typing import Any, Final, NamedTuple

import structlog
from redis.exceptions import RedisError, ResponseError

from fourfold.server.clock import monotonic
from fourfold.server.storage.disk import READ_ONLY, Disk
from fourfold.server.storage.event_log import LogUnavailable
from fourfold.server.storage.redis_node import RedisNode, without_password
from fourfold.server.supervision import end, supervise

CROWDED: Final = 0.9
"""How full the memory may be for new rooms to be opened, from 0 to 1. Existing rooms need the rest."""

CLEARED: Final = 0.88
"""How full the memory may be for new rooms to be opened again."""

OPTIONS: Final = ("appendonly", "appendfsync", "maxmemory-policy")
"""The configuration options that are read from a node."""

INSPECTION: Final = 2.0
"""Seconds between inspections."""

WAITS: Final = (7, 2)
"""The first Redis version that can wait until its replicas have synced to disk."""

SILENT: Final = 3
"""Seconds without an acknowledgement after which a connected replica counts as away. It sends one every second."""

_REPLICA: Final = re.compile(r"slave\d+")

_log = structlog.get_logger(__name__)


class WrongStore(Exception):
    """This store can't be used. The message says why."""


class Condition(NamedTuple):
    """The condition of a node: why it can't be relied on to write (None: it can), how full its memory is, and its used
    memory in bytes."""

    trouble: str | None = None
    fullness: float = 0.0
    used: int = 0


def faults(config: Mapping[str, str], info: Mapping[str, Any]) -> list[str]:
    """The reasons why a node is unsafe, each with the right setting. Unknown settings are not judged.

    Pure: `config` is the node's answer to CONFIG GET, which managed services often forbid, and `info` its answer to
    INFO.
    """
    found = []
    appendonly = config.get("appendonly") or ("yes" if info.get("aof_enabled") else "no")
    if appendonly != "yes":
        found.append("it keeps no append-only file (appendonly should be yes)")
    elif config.get("appendfsync", "always") != "always":
        found.append(f"it syncs to disk only {config['appendfsync']} (appendfsync should be always)")
    policy = config.get("maxmemory-policy") or info.get("maxmemory_policy", "noeviction")
    if policy != "noeviction":
        found.append(f"it drops games when its memory is full (maxmemory-policy should be noeviction, not {policy})")
    return found


def condition(info: Mapping[str, Any], replicas: int, *, unsafe: bool) -> Condition:
    """The condition of a node that should have `replicas` replicas. Pure."""
    most = int(info.get("maxmemory", 0))
    used = int(info.get("used_memory", 0)) - int(info.get("mem_not_counted_for_evict", 0))
    fullness = used / most if most else 0.0
    trouble = None
    if info.get("role", "master") not in ("master", "primary"):
        trouble = "the store is a replica, which takes no writes"
    elif info.get("aof_last_write_status", "ok") != "ok":
        trouble = "the store can't write its append-only file; its disk may be full"
    elif not info.get("aof_enabled", 1) and not unsafe:
        trouble = "the store keeps no append-only file any more"
    elif fullness >= 1:
        trouble = "the store is out of memory"
    elif (answering := sum(map(_answers, _replicas(info)))) < replicas:
        trouble = f"{answering} of {replicas} replicas answer (REPLICAS)"
    return Condition(trouble, fullness, used)


def _replicas(info: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [value for name, value in info.items() if _REPLICA.fullmatch(name)]


def _answers(replica: Mapping[str, Any]) -> bool:
    return replica["state"] == "online" and int(replica["lag"]) <= SILENT


class Inspector:
    """Inspects the store's nodes every few seconds, from `start` to `close`."""

    def __init__(
        self,
        nodes: Callable[[], Collection[RedisNode]],
        replicas: int,
        disk: Disk | None,
        replaced: Callable[[], None],
        *,
        unsafe: bool,
    ) -> None:
        """`nodes` returns the nodes that hold keys now, `disk` that of their files, if this machine has it. `replaced`
        is called when a replica has taken over from one of them. With `unsafe`, an unsafe store is allowed."""
        self.heard = 0.0
        """When all nodes last answered, in seconds of the event loop's clock."""
        self._nodes = nodes
        self._replicas = replicas
        self._disk = disk
        self._replaced = replaced
        self._histories: frozenset[str] = frozenset()  # the nodes' replication ids
        self._unsafe = unsafe
        self._short = False  # of memory for new rooms
        self._conditions: dict[str, Condition] = {}
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Check that no node is unsafe, and start. Raises `WrongStore`, `RedisError` or `OSError`."""
        await self._require_safety()
        self._task = supervise("store inspector", self._inspect)

    async def close(self) -> None:
        """Stop."""
        await end([self._task])

    @property
    def trouble(self) -> str | None:
        """Why the store couldn't be relied on to write at the last inspection; None if it could."""
        if self.read_only is not None:
            return self.read_only
        return next((one.trouble for one in self._conditions.values() if one.trouble is not None), None)

    @property
    def crowded(self) -> str | None:
        """Why there is too little space for new rooms; None if there is enough."""
        if self._disk is not None and self._disk.low:
            return "the server's disk is nearly full"
        return "the store's memory is nearly full" if self._short else None

    @property
    def read_only(self) -> str | None:
        """Why no decision may be written, in a sentence for players; None if it may."""
        return READ_ONLY if self._disk is not None and self._disk.full else None

    @property
    def fullness(self) -> float:
        """How full the memory of the fullest node is, from 0 to 1; 0 without a limit."""
        return max((one.fullness for one in self._conditions.values()), default=0.0)

    @property
    def used(self) -> int:
        """The memory used by all nodes, in bytes."""
        return sum(one.used for one in self._conditions.values())

    async def look(self) -> None:
        """Inspect now. Raises `LogUnavailable`."""
        if self._disk is not None:
            self._disk.look()
        conditions, histories = {}, {}
        for node in self._nodes():
            try:
                info = await node.client.info("memory", "persistence", "replication")
            except (RedisError, OSError) as error:
                raise LogUnavailable(f"The store does not answer: {error}") from error
            conditions[node.url] = condition(info, self._replicas, unsafe=self._unsafe)
            histories[info.get("master_replid", "")] = info.get("master_replid2")
        self._conditions = conditions
        self._compare(histories)
        self.heard = monotonic()
        fullness = self.fullness
        short = fullness >= (CLEARED if self._short else CROWDED)
        if short != self._short:
            say = _log.warning if short else _log.info
            say("the store's memory is nearly full: no new rooms" if short else "new rooms again", used=fullness)
        self._short = short

    def _compare(self, histories: Mapping[str, str | None]) -> None:
        """Notice if a replica has taken over. It has a new replication id then, and that of its former master as its
        second one. A node that was restarted has a new id and no second one."""
        before, self._histories = self._histories, frozenset(histories)
        if any(former in before for id, former in histories.items() if id not in before):
            _log.warning("a replica has taken over")
            self._replaced()

    async def _inspect(self) -> None:
        while True:
            with contextlib.suppress(LogUnavailable):  # the caller that writes logs it
                await self.look()
            await asyncio.sleep(INSPECTION)

    async def _require_safety(self) -> None:
        for node in self._nodes():
            info: dict[str, Any] = await node.client.info()
            if self._replicas and version(info) < WAITS:
                raise WrongStore("it lacks WAITAOF, which REPLICAS needs: Redis 7.2 or newer has it, and Valkey")
            url = without_password(node.url)
            if info.get("maxmemory") == 0:
                _log.warning("the store's memory has no limit; maxmemory should be set", url=url)
            config: dict[str, str] = {}
            try:
                config |= {str(name): str(value) for name, value in (await node.client.config_get(*OPTIONS)).items()}
            except ResponseError as error:
                _log.warning("the store's appendfsync can't be known; it should be always", url=url, error=str(error))
            found = faults(config, info)
            if found and not self._unsafe:
                raise WrongStore(
                    f"it may lose games: {'; '.join(found)}. Fix that, or allow it with --unsafe-store (UNSAFE_STORE=1)"
                )
            if found:
                _log.warning("unsafe store", url=url, faults=found)


def version(info: Mapping[str, Any]) -> tuple[int, ...]:
    """The Redis version, or the one that a node is compatible with, from its INFO."""
    return tuple(int(part) for part in str(info["redis_version"]).split(".")[:2])
