"""A real server as a process of its own, on loopback, with a real store in a data folder of its own."""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


class ServerProcess:
    """`fourfold-server` on one data folder and, once started, on one port: it may be killed and started again."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.folder = folder
        self._options = options
        self.url = ""
        self._port = 0
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Start, and return when it is ready."""
        options = ["--port", str(self._port), "--data", str(self.folder / "data"), *self._options]
        with (self.folder / "server.log").open("a") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "server", *options],
                cwd=ROOT,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        assert self._process.stdout is not None
        ready = re.fullmatch(r"ready (http://127\.0\.0\.1:(\d+))\n", self._process.stdout.readline())
        if ready is None:
            self._process.kill()
            self._end()
            pytest.fail(f"the server did not start:\n{(self.folder / 'server.log').read_text()}")
        self.url = ready[1]
        self._port = int(ready[2])

    def kill(self) -> None:
        """kill -9: the server has no last word. Its store lives on."""
        assert self._process is not None
        self._process.kill()
        self._end()

    def signal(self, number: signal.Signals) -> None:
        """Send a signal: SIGSTOP freezes the server, SIGCONT lets it go on."""
        assert self._process is not None
        self._process.send_signal(number)

    def kill_store(self) -> None:
        """kill -9 of the store process."""
        os.kill(int((self.folder / "data" / "store.lock").read_text()), signal.SIGKILL)

    def pause_store(self, seconds: float) -> None:
        """The store stands still for so long (SIGSTOP): connections live, nothing is answered."""
        store = int((self.folder / "data" / "store.lock").read_text())
        os.kill(store, signal.SIGSTOP)
        time.sleep(seconds)
        os.kill(store, signal.SIGCONT)

    def stop(self) -> None:
        """The orderly end, of the store too."""
        if self._process is None:
            self.start()  # to stop the store that a killed server left behind
        assert self._process is not None
        self._process.terminate()
        self._end()

    def _end(self) -> None:
        assert self._process is not None
        assert self._process.stdout is not None
        self._process.wait(timeout=20)
        self._process.stdout.close()
        self._process = None


@contextmanager
def _running() -> Iterator[ServerProcess]:
    folder = Path(tempfile.mkdtemp(prefix="fourfold-"))
    process = ServerProcess(folder)
    process.start()
    try:
        yield process
    finally:
        process.stop()
        shutil.rmtree(folder)


@pytest.fixture(scope="session")
def server() -> Iterator[ServerProcess]:
    """A server that all tests of this worker share; they leave it alive."""
    with _running() as running:
        yield running


@pytest.fixture
def mortal_server() -> Iterator[ServerProcess]:
    """A server for one test, which may kill it."""
    with _running() as running:
        yield running


@pytest.fixture
def three_nodes(embedded_url: str) -> Iterator[tuple[list[ServerProcess], str]]:
    """Three servers on one store, each of which may be killed; and the store's URL."""
    folder = Path(tempfile.mkdtemp(prefix="fourfold-"))
    nodes = [ServerProcess(folder, "--redis", embedded_url) for _ in range(3)]
    for node in nodes:
        node.start()
    try:
        yield nodes, embedded_url
    finally:
        for node in nodes:
            node.stop()
        shutil.rmtree(folder)
