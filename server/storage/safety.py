"""Whether a Redis server keeps what it acknowledges, and takes more: judged by what it says of itself.

Pure: `info` is what it answers to INFO, `config` to CONFIG GET, which managed services often forbid.
"""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

CROWDED: Final = 0.9
"""The part of the memory allowed after which no new rooms are opened: those there are need the rest."""

CLEARED: Final = 0.88
"""The part below which they are again."""

OPTIONS: Final = ("appendonly", "appendfsync", "maxmemory-policy")
"""What is asked of its configuration."""


class Condition(NamedTuple):
    """How a server is doing: why it can't be relied on to write (None: it can), and how full its memory is."""

    trouble: str | None = None
    fullness: float = 0.0


def faults(config: Mapping[str, str], info: Mapping[str, Any]) -> list[str]:
    """What makes a server unsafe, each with what would be right. What is in neither is not judged."""
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
    """How a server is doing, of which `replicas` replicas are wanted."""
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
    elif (connected := int(info.get("connected_slaves", 0))) < replicas:
        trouble = f"the store has {connected} of {replicas} replicas (REPLICAS)"
    return Condition(trouble, fullness)
