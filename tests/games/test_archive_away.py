"""The archive's database is killed: players notice nothing, and games that ended meanwhile are archived later."""

import asyncio
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest

from fourfold.clients.connection import Connection
from fourfold.protocol import from_client as ask
from tests.games.conftest import ServerProcess, running
from tests.postgres import PostgresProcess


@pytest.fixture
def server(frail_postgres: PostgresProcess) -> Iterator[ServerProcess]:
    """A server with its archive in PostgreSQL, which archives a game a second after its end."""
    with running(None, 0, "--database", frail_postgres.database(), "--archive-after", "1") as server:
        yield server


def probe(url: str, path: str) -> tuple[int, str]:
    with urllib.request.urlopen(f"{url}{path}", timeout=240) as answer:
        return answer.status, answer.read().decode()


async def until_metric(url: str, line: str) -> None:
    """Wait until the metrics contain a line."""
    async with asyncio.timeout(240):
        while line not in (await asyncio.to_thread(probe, url, "/metrics"))[1].splitlines():
            pass


async def play(white: Connection, black: Connection, moves: str = "") -> str:
    reply: Any = await white.request(ask.Create(variant="standard"))
    for player in (white, black):
        await player.join(reply.room)
    await proceed(white, black, reply.room, moves)
    return str(reply.room)


async def proceed(white: Connection, black: Connection, room: str, moves: str) -> None:
    """Make moves in turn, white's first."""
    for ply, text in enumerate(moves.split()):
        player = (white, black)[ply % 2]
        snapshot: Any = await player.request(ask.Watch(room=room))
        await player.move(room, text, snapshot.seq)


@pytest.mark.slow
async def test_games_go_on_and_those_that_end_wait(server: ServerProcess, frail_postgres: PostgresProcess) -> None:
    async with Connection(server.url, name="Ada") as ada, Connection(server.url, name="Bo") as bo:
        room = await play(ada, bo, "e2e4 e7e5")
        await until_metric(server.url, "fourfold_archive_up 1.0")
        frail_postgres.kill()
        over = await play(ada, bo, "f2f3 e7e5 g2g4 d8h4")
        await until_metric(server.url, "fourfold_archive_up 0.0")  # it was due for the archive
        assert '"event": "archive away"' in (server.folder / "server.log").read_text()
        status, body = await asyncio.to_thread(probe, server.url, "/readyz")
        assert (status, '"ready": true' in body, "archive does not answer" in body) == (200, True, True)
        await until_metric(server.url, "fourfold_archive_waiting 1.0")
        await proceed(ada, bo, room, "g1f3 b8c6 f1b5")
        snapshot: Any = await bo.request(ask.Watch(room=over))  # waits in the store
        assert (snapshot.status, getattr(snapshot, "archived", False)) == ("finished", False)
        frail_postgres.start()
        await until_metric(server.url, "fourfold_archive_up 1.0")
        async with asyncio.timeout(240):
            while not (snapshot := await bo.request(ask.Watch(room=over))).archived:
                pass
        assert (snapshot.status, snapshot.result.reason) == ("finished", "checkmate")
        await proceed(bo, ada, room, "g8f6")
