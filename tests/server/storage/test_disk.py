"""The brakes of a disk that fills up: no new rooms, then no decisions. Games are kept, and go on afterwards."""

import asyncio
import shutil
import urllib.request
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from redis import Redis
from structlog.testing import capture_logs

from fourfold.server.storage.disk import FREED, READ_ONLY, Disk, limits
from fourfold.server.storage.embedded import SOCKET
from fourfold.server.storage.heartbeat import STAMP_KEYS
from tests.server.conftest import Dial, node
from tests.server.storage.test_safety import until_ready_is

GB = 10**9
MB = 10**6

OUTAGE = 3_500
"""Milliseconds without an acknowledging stamp that are surely an outage, which begins after two seconds."""


@pytest.mark.parametrize(
    ("total", "low", "full"),
    [
        (4000 * GB, 2 * GB, 100 * MB),  # a large disk that is half full is never braked
        (252 * GB, 2 * GB, 100 * MB),
        (20 * GB, GB, 100 * MB),
        (8 * GB, 500 * MB, 100 * MB),
        (GB, 100 * MB, 20 * MB),
        (64 * MB, 6_400_000, 1_280_000),
    ],
)
def test_the_limits_fit_the_file_system(total: int, low: int, full: int) -> None:
    assert limits(total) == (low, full)


class Space:
    """The free space that a disk of 20 GB has from now on."""

    def __init__(self) -> None:
        self.free: float = 10 * GB

    def __call__(self, _: object) -> SimpleNamespace:
        return SimpleNamespace(total=20 * GB, free=int(self.free))


@pytest.fixture
def space(monkeypatch: pytest.MonkeyPatch) -> Space:
    found = Space()
    monkeypatch.setattr(shutil, "disk_usage", found)
    return found


def test_a_brake_is_released_when_a_tenth_more_is_free(space: Space) -> None:
    disk, told = Disk(Path("/")), list[str]()
    disk.tell = told.append
    seen = []
    for megabytes in (1001, 999, 1099, 1100, 99, 109, 110, 1100):
        space.free = megabytes * MB
        disk.look()
        seen.append((disk.low, disk.full))
    assert seen == [
        (False, False), (True, False), (True, False), (False, False),
        (True, True), (True, True), (True, False), (False, False),
    ]  # fmt: skip
    assert told == [READ_ONLY, FREED]


def test_a_change_is_logged_once(space: Space) -> None:
    disk = Disk(Path("/data"))
    with capture_logs() as lines:
        for megabytes in (900, 900, 50, 50, 120, 2000):
            space.free = megabytes * MB
            disk.look()
    assert [(line["log_level"], line["free_mb"]) for line in lines] == [
        ("warning", 900), ("error", 50), ("warning", 120), ("info", 2000)
    ]  # fmt: skip


def test_a_folder_that_is_gone_changes_nothing(space: Space, monkeypatch: pytest.MonkeyPatch) -> None:
    disk = Disk(Path("/data"))
    space.free = 50 * MB
    disk.look()

    def gone(_: object) -> None:
        raise FileNotFoundError("/data")

    monkeypatch.setattr(shutil, "disk_usage", gone)
    disk.look()
    assert disk.full


async def test_a_disk_that_fills_up_in_the_middle_of_a_game(
    tmp_path: Path, space: Space, dial: Dial, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fourfold.server.storage.safety.INSPECTION", 0.1)
    async with node(None, tmp_path) as server:
        white, black = await dial(at=server), await dial(at=server)
        room = (await white.asks("create", clock={"base": 60_000, "increment": 0}))["room"]
        for player in (white, black):
            await player.asks("join", room=room)
        assert (await white.asks("move", room=room, move="e2e4", seq=3, key="1"))["type"] == "ok"

        space.free = 0.9 * GB
        assert "no new rooms" in (await until_ready_is(server, 200, "no new rooms"))["warning"]
        refused = await white.asks("create")
        assert refused["code"] == "store_full" and "disk is nearly full" in refused["message"]
        assert (await black.asks("move", room=room, move="e7e5", seq=4, key="1"))["type"] == "ok"  # games go on

        space.free = 90 * MB
        for player in (white, black):
            assert (await player.seen(lambda frame: frame["type"] == "announced"))["text"] == READ_ONLY
        mine: dict[str, Any] = {"room": room, "move": "g1f3", "seq": 5, "key": "2"}
        reply = await white.asks("move", **mine)
        assert reply["code"] == "unavailable" and reply["message"].startswith(READ_ONLY)
        assert (await black.asks("create"))["message"] == READ_ONLY
        assert (await until_ready_is(server, 503, "disk"))["why"] == READ_ONLY
        late = await dial(at=server)
        await late.seen(lambda frame: frame["type"] == "announced")
        await late.asks("watch", room=room)
        assert (await late.seen(lambda frame: frame["type"] == "room"))["seq"] == 5  # the game is there to be seen

        with Redis(unix_socket_path=str(tmp_path / SOCKET)) as client:
            async with asyncio.timeout(240):
                while True:
                    silent = client.time()[0] * 1000 - int(client.get(STAMP_KEYS[0]))  # type: ignore[index, arg-type]
                    if silent > OUTAGE:
                        break
                    await asyncio.sleep(0.1)
        space.free = 10 * GB
        await white.seen(lambda frame: frame["type"] == "announced" and frame["text"] == FREED)
        while (reply := await white.asks("move", **mine))["type"] != "ok":
            assert reply["code"] == "unavailable"
        credited = await black.seen(
            lambda frame: frame["type"] == "update" and any(event["type"] == "credited" for event in frame["events"])
        )
        assert 5 < credited["seq"] < reply["seq"]  # the time in which nobody could move is given back
        assert (await white.asks("create"))["type"] == "created"


def test_a_backup_on_another_file_system_is_no_danger(space: Space, tmp_path: Path) -> None:
    disk = Disk(tmp_path)
    assert disk.holds(tmp_path / "backups" / "old") and not disk.holds(Path("/proc/self"))


async def test_no_backup_takes_the_space_that_games_need(
    tmp_path: Path, space: Space, monkeypatch: pytest.MonkeyPatch
) -> None:
    space.free = 900 * MB
    with capture_logs() as lines:
        async with node(None, tmp_path, backup_every=60), asyncio.timeout(240):
            while True:
                await asyncio.sleep(0.05)
                if failed := [line for line in lines if line["event"] == "backup failed"]:
                    break
    assert failed[0]["error"] == "the disk is nearly full"
    assert not (tmp_path / "backups").exists()


async def test_without_clocks_moves_are_refused_too(
    tmp_path: Path, space: Space, dial: Dial, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fourfold.server.storage.safety.INSPECTION", 0.1)
    async with node(None, tmp_path) as server:
        white, black = await dial(at=server), await dial(at=server)
        room = (await white.asks("create"))["room"]
        for player in (white, black):
            await player.asks("join", room=room)
        space.free = 90 * MB
        await white.seen(lambda frame: frame["type"] == "announced")
        reply = await white.asks("move", room=room, move="e2e4", seq=3, key="1")
        assert reply["code"] == "unavailable" and reply["message"].startswith(READ_ONLY)


async def test_the_metrics_have_the_space_and_its_limits(tmp_path: Path, space: Space) -> None:
    async with node(None, tmp_path) as server:
        page = (await asyncio.to_thread(urllib.request.urlopen, f"{server}/metrics", timeout=240)).read().decode()
    for line in ("free_bytes 1e+10", "low_bytes 1e+09", "full_bytes 1e+08"):
        assert f"fourfold_disk_{line}" in page


async def test_a_store_elsewhere_has_no_disk_here(address: str) -> None:
    page = (await asyncio.to_thread(urllib.request.urlopen, f"{address}/metrics", timeout=240)).read().decode()
    assert "fourfold_disk" not in page
