"""The store's memory: its size, and the behaviour when little is left."""

from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from redis import Redis
from redis.exceptions import OutOfMemoryError

from fourfold.server.composition import store_url as embedded
from fourfold.server.settings import LEAST_MEMORY, Settings
from fourfold.server.storage.embedded import SOCKET, EmbeddedStore
from fourfold.server.storage.memory import default_limit, usable
from tests.server.conftest import node
from tests.server.storage.test_safety import until_ready_is

Dial = Any  # see conftest
MIB = 2**20


@pytest.mark.parametrize(
    ("groups", "limits", "expected"),
    [
        ("0::/", {"sys/fs/cgroup/memory.max": "536870912\n"}, 512 * MIB),
        ("0::/a/b", {"sys/fs/cgroup/a/memory.max": "1048576", "sys/fs/cgroup/a/b/memory.max": "max"}, MIB),
        ("0::/a/b", {"sys/fs/cgroup/a/memory.max": "max", "sys/fs/cgroup/a/b/memory.max": "1048576"}, MIB),
        ("4:cpu,memory:/a\n0::/a", {"sys/fs/cgroup/memory/a/memory.limit_in_bytes": "1048576"}, MIB),
        ("4:memory:/docker/a", {"sys/fs/cgroup/memory/memory.limit_in_bytes": "1048576"}, MIB),  # seen from inside
        ("4:memory:/", {"sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712"}, None),
        ("0::/", {"sys/fs/cgroup/memory.max": "max"}, None),
        (None, {}, None),
    ],
)
def test_the_least_limit_counts(
    groups: str | None, limits: dict[str, str], expected: int | None, tmp_path: Path
) -> None:
    for name, text in ({} if groups is None else {"proc/self/cgroup": groups} | limits).items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    total = int(Path("/proc/meminfo").read_text().split()[1]) * 1024
    assert usable(tmp_path) == (total if expected is None else expected)


async def test_a_store_that_is_adopted_gets_the_limit(tmp_path: Path) -> None:
    first = await EmbeddedStore.start(tmp_path)
    assert first._supervisor is not None
    first._supervisor.cancel()
    first._disown()  # as if it had been killed
    async with await EmbeddedStore.start(tmp_path, LEAST_MEMORY) as store:
        assert store.pid == first.pid
        with Redis.from_url(store.url) as client:
            assert client.config_get("maxmemory", "maxmemory-policy") == {
                "maxmemory": str(LEAST_MEMORY),
                "maxmemory-policy": "noeviction",
            }
    first._reap()


async def test_the_embedded_store_has_half_of_the_memory_by_default(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        with Redis.from_url(await embedded(Settings(data_dir=tmp_path), stack)) as client:
            assert int(client.config_get("maxmemory")["maxmemory"]) == default_limit() == usable() // 2


async def test_no_new_rooms_at_nine_tenths_of_the_limit_and_nothing_is_dropped(
    tmp_path: Path, dial: Dial, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fourfold.server.storage.safety.INSPECTION", 0.1)
    async with node(None, tmp_path, store_memory=LEAST_MEMORY) as address:
        white, black = await dial(at=address), await dial(at=address)
        room = (await white.asks("create"))["room"]
        for wire in (white, black):
            await wire.asks("join", room=room)
        with Redis(unix_socket_path=str(tmp_path / SOCKET)) as client:
            kept = 0

            def fill(part: float) -> None:
                nonlocal kept
                while client.info("memory")["used_memory"] < part * LEAST_MEMORY:
                    client.set(f"ballast{kept}", b"x" * 100_000)
                    kept += 1

            fill(0.92)
            assert "no new rooms" in (await until_ready_is(address, 200, "no new rooms"))["warning"]
            assert (await white.asks("create"))["code"] == "store_full"
            assert (await white.asks("move", room=room, move="e2e4", seq=3, key="k"))["type"] == "ok"
            with pytest.raises(OutOfMemoryError):
                fill(1.1)
            assert len(list(client.scan_iter("ballast*"))) == kept
            client.delete(*(f"ballast{number}" for number in range(kept)))
            await until_ready_is(address, 200, '"warning": null')
        assert (await black.asks("move", room=room, move="e7e5", seq=4, key="k"))["type"] == "ok"
