"""Real servers as separate processes, on loopback: one with a store in its data folder, or three on one store."""

import asyncio
import os
import re
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from fourfold.clients import session, websocket
from fourfold.clients.connection import Connection
from fourfold.clients.errors import RequestError
from tests import new_archive
from tests.conftest import HANG, archive_of
from tests.forked import ForkedServer
from tests.games.patient import patient
from tests.ports import free_port

ROOT = Path(__file__).parents[2]


class ServerProcess:
    """`fourfold-server` on one data folder and one port. It may be killed and started again.

    With the URL of a store, it uses that instead of its own. Its archive is there before its first start. It runs no
    bots by default. `begin`, a module's function, is called in its process first.
    """

    def __init__(
        self,
        folder: Path,
        store_url: str | None = None,
        bots: int = 0,
        *options: str,
        begin: Callable[[], None] | None = None,
    ) -> None:
        self.folder = folder
        self.store_url = store_url or f"unix://{folder / 'data' / 'store.sock'}"
        self._options = ["--data", str(folder / "data")]
        if store_url is not None:
            self._options += ["--redis", store_url, "--database", archive_of(store_url)]
        self._options += ["--bots", str(bots), "--review-ms", "50", "--fair-play", "account", "--exhibition", "off"]
        self._options += options
        self._begin = begin
        self.url = ""
        self._port = free_port()
        self._process: ForkedServer | None = None

    def start(self) -> None:
        """Start; returns when it is ready."""
        data = self.folder / "data"
        if not data.exists():
            data.mkdir(mode=0o700)
            new_archive.lay(data)
        with (self.folder / "server.log").open("a") as log:
            started = "--port", str(self._port), *self._options
            self._process = ForkedServer(*started, cwd=ROOT, stderr=log, begin=self._begin)
        ready = re.fullmatch(r"ready (http://127\.0\.0\.1:\d+)\n", self._process.stdout.readline())
        if ready is None:
            self._process.kill()
            self._end()
            pytest.fail(f"the server did not start:\n{(self.folder / 'server.log').read_text()}")
        self.url = ready[1]

    def admin_code(self) -> str:
        """The code that makes an account the first admin: the second line of a new server's output."""
        assert self._process is not None
        link = re.fullmatch(rf"admin {self.url}/#admin=([a-z2-7]+)\n", self._process.stdout.readline())
        assert link is not None
        return link[1]

    async def appoints(self, name: str) -> None:
        """Make an account an admin, on the operator's command line."""
        role = ("account", "role", name, "admin", "--data", str(self.folder / "data"))
        command = await asyncio.create_subprocess_exec(sys.executable, "-m", "fourfold.server", *role)
        assert await command.wait() == 0

    def kill(self) -> None:
        """kill -9, without a shutdown. Its store lives on."""
        assert self._process is not None
        self._process.kill()
        self._end()

    @property
    def runs(self) -> bool:
        """Whether it has been started, and not been killed or stopped since."""
        return self._process is not None

    @property
    def pid(self) -> int:
        """The process id."""
        assert self._process is not None
        return self._process.pid

    def signal(self, number: signal.Signals) -> None:
        """Send a signal: SIGSTOP freezes the server, SIGCONT continues it."""
        assert self._process is not None
        self._process.send_signal(number)

    def kill_store(self) -> None:
        """kill -9 of the store process."""
        os.kill(int((self.folder / "data" / "store.lock").read_text()), signal.SIGKILL)

    def pause_store(self, seconds: float) -> None:
        """Freeze the store for `seconds` (SIGSTOP): connections stay open, but get no answer."""
        store = int((self.folder / "data" / "store.lock").read_text())
        os.kill(store, signal.SIGSTOP)
        time.sleep(seconds)
        os.kill(store, signal.SIGCONT)

    def stop(self) -> None:
        """Stop it in an orderly way, with its store."""
        if self._process is None:
            self.start()  # to stop the store of a killed server
        assert self._process is not None
        self._process.terminate()
        self._end()

    def ended(self, within: float = 240) -> int:
        """Wait up to `within` seconds until it has ended by itself; returns its exit status."""
        assert self._process is not None
        status = self._process.wait(timeout=within)
        self._end()
        return status

    def _end(self) -> None:
        assert self._process is not None
        self._process.wait(timeout=240)
        self._process.stdout.close()
        self._process = None


@contextmanager
def running(
    store_url: str | None = None, bots: int = 0, *options: str, begin: Callable[[], None] | None = None
) -> Iterator[ServerProcess]:
    folder = Path(tempfile.mkdtemp(prefix="fourfold-"))
    process = ServerProcess(folder, store_url, bots, *options, begin=begin)
    process.start()
    try:
        yield process
    finally:
        if process.runs or store_url is None:
            process.stop()
        shutil.rmtree(folder)


@pytest.fixture(autouse=True)
def patience(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine a server may be silent for seconds. This process's connections then wait for it, except in slow
    tests, which may freeze it."""
    if request.node.get_closest_marker("slow") is None:
        monkeypatch.setattr(websocket, "OPENING", HANG)
        monkeypatch.setattr(session, "SILENCE", HANG)


@pytest.fixture(scope="session")
def server() -> Iterator[ServerProcess]:
    """A server that all tests of this worker share. Tests must not kill it."""
    with running(begin=patient) as server:
        yield server


@pytest.fixture
def mortal_server() -> Iterator[ServerProcess]:
    """A server for one test, which may kill it."""
    with running() as server:
        yield server


@pytest.fixture
def server_with_bots() -> Iterator[ServerProcess]:
    """A server for one test, with its own bot host; players are absent after a short time."""
    with running(None, 1, "--absence", "1") as server:
        yield server


@pytest.fixture
def three_servers(embedded_url: str) -> Iterator[list[ServerProcess]]:
    """Three servers on one store, for one test, which may kill them.

    Players are absent after a short time, and may open any number of rooms.
    """
    with ExitStack() as stack:
        options = ("--absence", "1", "--max-open", "0", "--max-rooms", "0")
        yield [stack.enter_context(running(embedded_url, 0, *options)) for _ in range(3)]


@pytest.fixture
async def one_address(three_servers: list[ServerProcess]) -> AsyncIterator[str]:
    """One address before the three servers: each connection goes to the next server that accepts it."""
    turn = 0
    connections: set[asyncio.Task[None]] = set()

    async def pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while data := await reader.read(65536):
                writer.write(data)
                await writer.drain()
        except OSError:
            pass  # one side is gone, and the other will follow
        finally:
            writer.close()

    def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(serve(reader, writer))
        connections.add(task)
        task.add_done_callback(connections.discard)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal turn
        for _ in three_servers:
            turn += 1
            url = urlsplit(three_servers[turn % len(three_servers)].url)
            try:
                there = await asyncio.open_connection(url.hostname, url.port)
            except OSError:
                continue
            await asyncio.gather(pump(reader, there[1]), pump(there[0], writer))
            return
        writer.close()

    balancer = await asyncio.start_server(accept, "127.0.0.1", 0)
    host, port = balancer.sockets[0].getsockname()
    yield f"http://{host}:{port}"
    balancer.close()
    for task in connections:
        task.cancel()
    await asyncio.gather(*connections, return_exceptions=True)


async def known(connection: Connection, name: str) -> None:
    """Wait until an account has this name."""
    async with asyncio.timeout(240):
        while True:
            try:
                await connection.ratings(name=name)
                return
            except RequestError:
                await asyncio.sleep(0.05)  # paces the looks
