"""Several workers behind one port: real processes, on the embedded store."""

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidMessage, InvalidStatus

from fourfold.clients.connection import Connection
from fourfold.protocol import from_client as ask
from fourfold.protocol.from_server import Account, Sample, Status, Turn, Update
from tests.server.conftest import appointed
from tests.server.test_metrics import get
from tests.server.workers.conftest import ROOT, Server, lives, until

Serve = Callable[..., Awaitable[Server]]

SHUFFLE = ("g1f3", "g8f6", "b1c3", "b8c6", "f3g1", "f6g8", "c3b1", "c6b8")

SEATED = 3
"""The version of a room in which two have just sat down."""


class Game:
    """A two-player game; every acknowledged move, and every version that a watcher has seen."""

    def __init__(self) -> None:
        self.room = ""
        self._allowed = asyncio.Semaphore(0)
        self.acknowledged: list[int] = []
        self.seen: list[int] = []

    async def reach(self, moves: int) -> None:
        """Wait until `moves` more moves have been made and acknowledged."""
        enough = len(self.acknowledged) + moves
        for _ in range(moves):
            self._allowed.release()
        await until(lambda: len(self.acknowledged) >= enough)

    async def play(self, player: Connection) -> None:
        async for frame in player.follow(self.room):
            if isinstance(frame, Turn) and frame.seq >= max(self.acknowledged, default=0):  # otherwise it is sent again
                await self._allowed.acquire()
                move = SHUFFLE[(frame.seq - SEATED) % len(SHUFFLE)]
                self.acknowledged.append(await player.move(self.room, move, frame.seq))

    async def watch(self, watcher: Connection) -> None:
        async for frame in watcher.follow(self.room):
            if isinstance(frame, Update):
                self.seen.append(frame.seq)


@asynccontextmanager
async def playing(server: Server) -> AsyncIterator[Game]:
    """A game that goes on while the context lasts, whatever happens to the server."""
    game = Game()
    async with Connection(server.url) as white, Connection(server.url) as lobby:
        game.room = await lobby.create("standard", moves=[])
        await white.join(game.room)
        async with Connection(server.url, room=game.room) as black, Connection(server.url, room=game.room) as watcher:
            await black.join(game.room)
            tasks = [asyncio.create_task(one) for one in (game.play(white), game.play(black), game.watch(watcher))]
            try:
                yield game
            finally:
                for task in tasks:
                    task.cancel()
                ends = await asyncio.gather(*tasks, return_exceptions=True)
            assert all(isinstance(end, asyncio.CancelledError) for end in ends), ends
    assert game.seen == list(range(game.seen[0], game.seen[0] + len(game.seen)))  # none missed, none twice
    assert len({*game.acknowledged}) == len(game.acknowledged)


def levels(server: Server) -> set[str]:
    """The levels of all its log lines. A line that is not a log line raises `ValueError`."""
    return {json.loads(line)["level"] for line in server.log().splitlines()}


@pytest.mark.parametrize("workers", [1, 2])
async def test_a_signal_changes_the_level_of_the_log_and_back(serve: Serve, workers: int) -> None:
    server = await serve("--workers", str(workers), "--log-level", "warning")
    processes = 1 if workers == 1 else workers + 1
    assert "debug" not in levels(server)
    server.process.send_signal(signal.SIGUSR1)
    await server.logs("log level changed", processes)
    async with Connection(server.url):
        await server.logs("hello")  # at level debug
    server.process.send_signal(signal.SIGUSR1)
    await server.logs("log level changed", 2 * processes)
    before = server.log().count('"event": "hello"')
    async with Connection(server.url) as late:
        await late.ping()
    assert server.log().count('"event": "hello"') == before
    changes = [json.loads(line) for line in server.log().splitlines() if "log level changed" in line]
    assert [one["now"] for one in changes] == ["debug"] * processes + ["warning"] * processes


async def test_a_room_is_held_by_one_worker_if_its_clients_name_it(serve: Serve) -> None:
    server = await serve("--workers", "3")
    async with Connection(server.url) as host:
        rooms = [await host.create("survivor") for _ in range(3)]
        sockets = []
        for room in rooms * 5:
            socket = await connect(f"{server.url.replace('http', 'ws')}/ws?room={room}")
            sockets.append(socket)
            await socket.send('{"type": "hello"}')
            await socket.send(f'{{"type": "watch", "room": "{room}"}}')
            await until_said(socket, '"room"')
        held = [labels["worker"] for labels, count in await server.samples("fourfold_rooms") for _ in range(int(count))]
        assert len(held) == len(rooms), "no room is held twice"
        connections = {labels["worker"]: count for labels, count in await server.samples("fourfold_connections")}
        (worker,) = set(held)  # the worker of the host, who opened them all
        assert connections == {str(n): 0.0 for n in range(3)} | {worker: 16.0}
        for socket in sockets:
            await socket.close()


async def until_said(socket: Any, what: str) -> None:
    async with asyncio.timeout(240):
        while what not in str(await socket.recv()):
            pass


async def test_connections_about_no_room_are_spread(serve: Serve) -> None:
    server = await serve("--workers", "2")
    sockets = [await connect(f"{server.url.replace('http', 'ws')}/ws") for _ in range(6)]
    connections = {labels["worker"]: count for labels, count in await server.samples("fourfold_connections")}
    assert connections == {"0": 3.0, "1": 3.0}
    for path, body in (("healthz", "ok"), ("readyz", '"ready": true'), ("", "<html")):
        for _ in range(2):
            status, _, text = await get(f"{server.url}/{path}")
            assert status == 200 and body in text
    for socket in sockets:
        await socket.close()


async def charted(admin: Connection) -> list[Sample]:
    reply = await admin.request(ask.Status())
    assert isinstance(reply, Status)
    return reply.samples


@pytest.mark.slow  # a reading is taken every fifteen seconds
async def test_the_charts_of_the_admin_are_of_all_workers(serve: Serve, tmp_path: Path) -> None:
    server = await serve("--workers", "2")
    async with Connection(server.url) as admin, Connection(server.url), Connection(server.url):
        account = await admin.request(ask.Register("Alice"))
        assert isinstance(account, Account)
        await appointed(f"sqlite:///{tmp_path / 'archive.db'}", account.player)
        connections = {labels["worker"]: count for labels, count in await server.samples("fourfold_connections")}
        assert len(connections) == 2 and sorted(connections.values()) == [1, 2]
        async with asyncio.timeout(240):
            found = await charted(admin)
            while not found or found[-1].connections != 3:
                await asyncio.sleep(0.5)
                found = await charted(admin)
    assert found[-1].memory > 2 * 10**7


async def test_a_reload_replaces_all_workers_while_a_game_goes_on(serve: Serve) -> None:
    server = await serve("--workers", "2")
    before = server.workers()
    async with playing(server) as game:
        await game.reach(5)
        server.process.send_signal(signal.SIGHUP)
        await game.reach(3)
        await server.logs("reloaded")
        await game.reach(5)
    after = server.workers()
    assert before.keys() == after.keys() == {0, 1}
    assert not {*before.values()} & {*after.values()}
    assert not any(lives(pid) for pid in before.values())
    assert levels(server) == {"info"}


async def test_a_worker_that_dies_is_started_again_and_the_game_goes_on(serve: Serve) -> None:
    server = await serve("--workers", "2")
    async with playing(server) as game:
        await game.reach(5)
        for pid in server.workers().values():  # so that one of them holds the game
            os.kill(pid, signal.SIGKILL)
            await game.reach(3)
        await server.logs("worker died", 2)
        await server.logs("worker ready", 4)
        await game.reach(3)
    assert len(await server.samples("fourfold_connections")) == 2


async def test_when_the_supervisor_is_killed_its_workers_end_and_the_next_one_goes_on(serve: Serve) -> None:
    server = await serve("--workers", "2")
    workers = server.workers().values()
    async with Connection(server.url) as host:
        room = await host.create("standard")
        seat = await host.join(room)
        token = host.token
    os.kill(server.process.pid, signal.SIGKILL)
    await until(lambda: not any(map(lives, workers)))
    again = await serve("--workers", "2")
    assert '"event": "store adopted"' in again.log()
    async with Connection(again.url, token=token, room=room) as host:
        assert await host.join(room) == seat


async def come_back(url: str, statuses: set[int]) -> None:
    """Connect again and again, until nobody listens; record the answers."""
    while True:
        try:
            async with connect(f"{url.replace('http', 'ws')}/ws") as socket:
                await socket.wait_closed()
        except InvalidStatus as answer:
            statuses.add(answer.response.status_code)
            assert answer.response.headers["Retry-After"] == "1"
        except ConnectionRefusedError:
            return
        except (InvalidMessage, OSError):  # cut at the very end
            await asyncio.sleep(0.01)


async def test_sigterm_ends_all_in_order_and_is_no_fault(serve: Serve) -> None:
    server = await serve("--workers", "2")
    workers = server.workers().values()
    async with playing(server) as game:
        await game.reach(2)
        statuses: set[int] = set()
        coming = [asyncio.create_task(come_back(server.url, statuses)) for _ in range(8)]
        assert await asyncio.wait_for(server.stop(), 240) == 0
        await asyncio.gather(*coming)
        assert statuses == {503}
        assert not any(map(lives, workers))
        log = server.log()
        assert levels(server) == {"info"}
        assert log.index('"event": "worker ended"') < log.rindex('"event": "draining"')  # one after the other
        assert '"event": "store stopped"' in log
        # The game comes back with the server.
        port = server.url.rpartition(":")[2]
        await serve("--workers", "2", "--port", port)
        await game.reach(2)


async def test_sighup_drains_a_server_without_workers(serve: Serve) -> None:
    server = await serve()
    async with playing(server) as game:
        await game.reach(2)
        server.process.send_signal(signal.SIGHUP)
        assert await asyncio.wait_for(server.process.wait(), 240) == 0
        assert '"event": "draining"' in server.log() and '"event": "store stopped"' in server.log()
        await serve("--port", server.url.rpartition(":")[2])
        await game.reach(2)


async def test_a_second_signal_ends_it_at_once(serve: Serve) -> None:
    server = await serve("--workers", "2")
    os.kill(next(iter(server.workers().values())), signal.SIGSTOP)  # this one never ends by itself
    server.process.send_signal(signal.SIGTERM)
    await server.logs("draining")
    server.process.send_signal(signal.SIGTERM)
    assert await asyncio.wait_for(server.process.wait(), 240) == 0
    assert '"event": "worker does not end"' in server.log()


async def test_workers_that_cannot_start_are_an_error() -> None:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "fourfold.server", "--port", "0", "--workers", "2", "--redis", "redis://127.0.0.1:1"),
        cwd=ROOT,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    said, errors = await asyncio.wait_for(process.communicate(), 240)
    assert (process.returncode, said) == (1, b"")
    assert b"redis://127.0.0.1:1 does not answer" in errors and b"did not start" in errors
