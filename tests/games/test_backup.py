"""`fourfold-server backup`, `restore`, `verify` and `inspect`, as an operator uses them beside a running server."""

import asyncio
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from redis import Redis

from fourfold.clients.connection import Connection
from fourfold.server.storage.redis_log import stream
from tests import forked
from tests.games.conftest import ServerProcess
from tests.games.test_nodes import game

pytestmark = pytest.mark.slow


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """A command of `fourfold-server`."""
    return forked.run(*map(str, arguments))


@pytest.fixture
def servers(tmp_path: Path) -> Iterator[list[ServerProcess]]:
    """A server, and another one that is not started yet, each with its own data folder."""
    folders = [tmp_path / "lost", tmp_path / "new"]
    for folder in folders:
        folder.mkdir()
    found = [ServerProcess(folder, None, 0, "--archive-after", "1") for folder in folders]
    found[0].start()
    yield found
    for server in found:
        if server.runs:
            server.stop()


async def play(white: Connection, black: Connection, room: str, moves: str, seq: int = 3) -> int:
    for ply, text in enumerate(moves.split()):
        seq = await (white, black)[ply % 2].move(room, text, seq)
    return seq


async def left(server: ServerProcess, room: str) -> None:
    """Wait until a game has left the store."""
    with Redis.from_url(server.store_url) as store:
        async with asyncio.timeout(240):
            while int(store.xlen(stream(room))) > 1:  # type: ignore[arg-type]
                await asyncio.to_thread(time.sleep, 0.05)


async def test_a_server_that_is_lost_is_brought_back(servers: list[ServerProcess], tmp_path: Path) -> None:
    lost, new = servers
    file, data, empty = tmp_path / "games.backup", lost.folder / "data", new.folder / "data"
    async with game(lost, None) as (over, white, black):
        await play(white, black, over, "f2f3 e7e5 g2g4 d8h4")
        archived = await white.export(over, "pgn")
        await left(lost, over)
    async with game(lost, None) as (played, white, black):
        seq = await play(white, black, played, "e2e4 e7e5")
        token = white.token
        saved = await asyncio.to_thread(run, "backup", file, "--data", data)
        assert (saved.returncode, "keys of the store" in saved.stdout) == (0, True), saved
        checked = await asyncio.to_thread(run, "verify", "--data", data)
        assert checked.stdout.endswith(" 0 damaged\n") and checked.returncode == 0, checked
        assert "2 rooms in the store, 1 in the archive" in checked.stdout
        refused = await asyncio.to_thread(run, "restore", file, "--data", data, "--force")
        assert refused.returncode == 2 and "Stop it first" in refused.stderr
        for room, where in ((over, "archive"), (played, "store")):
            shown = await asyncio.to_thread(run, "inspect", room, "--data", data)
            assert f"in the {where}" in shown.stdout and "moved seat=black" in shown.stdout, shown
    lost.kill()
    lost.kill_store()
    restored = run("restore", file, "--data", empty)
    assert restored.returncode == 0, restored
    again = run("restore", file, "--data", empty)
    assert again.returncode == 2 and "--force" in again.stderr
    new.start()
    async with Connection(new.url, token=token) as white:
        assert await white.export(over, "pgn") == archived.replace(lost.url, new.url)
        assert await white.move(played, "g1f3", seq) == seq + 1


def test_what_can_not_be_done_is_said(tmp_path: Path) -> None:
    missing = run("verify", "--data", tmp_path / "nowhere")
    assert missing.returncode == 2 and "There is no folder" in missing.stderr
    (tmp_path / "file").write_text("no backup")
    other = run("restore", tmp_path / "file", "--data", tmp_path / "data")
    assert other.returncode == 2 and "is not a backup" in other.stderr
    assert not (tmp_path / "data").exists()
