"""The next start notices a store that went back while no server ran, even if all processes were killed before."""

import asyncio
import json
import sqlite3
import urllib.request
from contextlib import closing, suppress
from typing import Any

import pytest

from fourfold.clients.connection import Connection
from fourfold.protocol import from_client as ask
from fourfold.protocol.from_server import Created
from tests.conftest import HANG

Server = Any  # see conftest

MOVES = ("g1f3", "g8f6", "f3g1", "f6g8")


async def witnessed(server: Server, room: str, seq: int) -> None:
    """Wait until the archive has a mark of this version."""
    with closing(sqlite3.connect(server.folder / "data" / "archive.db")) as archive:
        async with asyncio.timeout(HANG):
            while True:
                with suppress(sqlite3.OperationalError):  # there is no such table yet
                    if archive.execute("SELECT seq FROM marks WHERE room = ?", (room,)).fetchone() == (seq,):
                        return
                await asyncio.sleep(0.05)


async def warned(url: str) -> str:
    def ask_once() -> Any:
        with urllib.request.urlopen(f"{url}/readyz", timeout=240) as answer:
            return json.load(answer)["warning"]

    async with asyncio.timeout(HANG):
        while True:
            if (warning := await asyncio.to_thread(ask_once)) is not None:
                return str(warning)
            await asyncio.sleep(0.05)


@pytest.mark.slow
async def test_a_cut_file_is_told_of_after_everything_was_killed(mortal_server: Server) -> None:
    async with (
        Connection(mortal_server.url, name="Ann") as white,
        Connection(mortal_server.url, name="Bob") as black,
    ):
        created = await white.request(ask.Create())
        assert isinstance(created, Created)
        room = created.room
        for one in (white, black):
            await one.join(room)
        for ply in range(14):
            await (white, black)[ply % 2].move(room, MOVES[ply % 4], 3 + ply)
        await witnessed(mortal_server, room, 17)
        mortal_server.kill()
        mortal_server.kill_store()
    (file,) = (mortal_server.folder / "data").rglob("appendonly.aof.*.incr.aof")
    written = file.read_bytes()
    file.write_bytes(written[: len(written) * 6 // 10])
    mortal_server.start()
    assert "1 room went back, by " in await warned(mortal_server.url)
