"""Real stores for the tests: our embedded Valkey, and Debian's redis-server.

Each is one process for each test worker, on a unix socket in a folder of its own, and as durable as in
production. It stays in the worker's process group, so that Ctrl-C ends it too.
"""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from redis import Redis
from redis.exceptions import RedisError

from server.store import ARGUMENTS, SOCKET, find_binary


class StoreProcess:
    """A store in a folder of its own, on one address for all its lives: it may be frozen, killed and started again."""

    def __init__(self, binary: str) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="fourfold-test-"))
        self.url = f"unix://{self.folder / SOCKET}"
        self._binary = binary
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start, and return when it serves."""
        with (self.folder / "store.log").open("ab") as output:
            self._process = subprocess.Popen(
                [self._binary, *ARGUMENTS], cwd=self.folder, stdout=output, stderr=subprocess.STDOUT
            )
        deadline = time.monotonic() + 10
        with Redis.from_url(self.url) as client:
            while not answers(client):
                if self._process.poll() is not None or time.monotonic() > deadline:
                    pytest.fail(f"{self._binary} did not start:\n{(self.folder / 'store.log').read_text()}")
                time.sleep(0.01)

    def kill(self) -> None:
        """kill -9."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def signal(self, number: signal.Signals) -> None:
        """Send a signal: SIGSTOP freezes the store, SIGCONT lets it go on."""
        assert self._process is not None
        self._process.send_signal(number)


@contextmanager
def store(binary: str) -> Iterator[StoreProcess]:
    """A store run by this program, until the context ends."""
    process = StoreProcess(binary)
    try:
        process.start()
        yield process
    finally:
        process.kill()
        shutil.rmtree(process.folder)


@contextmanager
def running(binary: str) -> Iterator[str]:
    """A store run by this program, until the context ends; gives its URL."""
    with store(binary) as process:
        yield process.url


def answers(client: Redis) -> bool:
    try:
        return bool(client.ping())
    except RedisError:
        return False


@pytest.fixture(scope="session")
def redis_server() -> str:
    """The path of Debian's redis-server. Tests that want it are skipped without it, but never in CI."""
    if found := shutil.which("redis-server"):
        return found
    reason = "redis-server is not installed (Debian: apt install redis-server)"
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def embedded_url() -> Iterator[str]:
    """The URL of the Valkey server that we ship."""
    with running(find_binary()) as url:
        yield url


@pytest.fixture(scope="session")
def debian_url(redis_server: str) -> Iterator[str]:
    """The URL of Debian's redis-server."""
    with running(redis_server) as url:
        yield url


@pytest.fixture(scope="session", params=["embedded_url", "debian_url"], ids=["valkey", "redis"])
def store_url(request: pytest.FixtureRequest) -> str:
    """The URL of a store, once for each kind; it holds whatever earlier tests left there."""
    url: str = request.getfixturevalue(request.param)
    return url


@pytest.fixture
def clean_store_url(store_url: str) -> str:
    """The URL of a store in which there is nothing, once for each kind."""
    with Redis.from_url(store_url) as client:
        client.flushall()
    return store_url


@pytest.fixture
def frail_store() -> Iterator[StoreProcess]:
    """A store for one test, which may freeze or kill it."""
    with store(find_binary()) as process:
        yield process
