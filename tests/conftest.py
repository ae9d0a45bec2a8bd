"""Real stores for the tests: our embedded Valkey, and Debian's redis-server.

Each is one process for each test worker, on a unix socket in its own folder, and as durable as in production. It stays
in the worker's process group, so that Ctrl-C ends it too.
"""

import atexit
import gc
import hashlib
import importlib.util
import logging
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import pytest
import structlog
from hypothesis import settings
from redis import Redis
from redis.crc import key_slot
from redis.exceptions import RedisError

from fourfold.server import logs
from fourfold.server.storage.embedded import ARGUMENTS, SOCKET, find_binary
from tests import new_archive, postgres
from tests.ports import free_port
from tests.postgres import PostgresProcess

# Hypothesis has no time limit for an example, because a busy machine is slow. Pytest ends a test that hangs.
settings.register_profile("search", deadline=None)
# By default, each run tries the same examples, and half as many.
settings.register_profile("any machine", settings.get_profile("search"), derandomize=True, max_examples=50)
settings.load_profile("any machine")


HANG = 240.0
"""Seconds that a test waits for a condition. Only a hang takes that long, however busy the machine."""

ROOM_IN_MEMORY = 1 << 30
"""Bytes that must be free in memory before the tests keep their files there."""


def _keep_files_in_memory() -> None:
    """Keep the files of stores, databases and tests in memory, so that a slow disk delays no test."""
    memory = Path("/dev/shm")
    if os.access(memory, os.W_OK) and shutil.disk_usage(memory).free > ROOM_IN_MEMORY:
        tempfile.tempdir = str(memory)


def _keep_compiled_modules() -> None:
    """Let Python keep compiled modules, or each of the tests' many processes would compile them anew."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False


_keep_files_in_memory()
_keep_compiled_modules()
_archives = Path(tempfile.mkdtemp(prefix="fourfold-archives-"))
atexit.register(shutil.rmtree, _archives, ignore_errors=True)


def archive_of(store_url: str) -> str:
    """The URL of a store's archive, the same for all servers that share the store. Its file is migrated already."""
    file = _archive_file(store_url)
    new_archive.make(file)
    return f"sqlite:///{file}"


def _archive_file(store_url: str) -> Path:
    return _archives / f"{hashlib.sha256(store_url.encode()).hexdigest()[:16]}.db"


def forget_earlier(store_url: str) -> None:
    """Let servers accept the empty state of a store that a test has emptied, and those whom an earlier test banned."""
    file = _archive_file(store_url)
    if file.exists():
        with closing(sqlite3.connect(file, isolation_level=None)) as archive:
            for table in ("marks", "beats", "losses", "orders"):
                archive.execute(f"DELETE FROM {table}")


class StoreProcess:
    """A store in its own folder, always on the same address: it may be frozen, killed and started again."""

    def __init__(self, binary: str) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="fourfold-test-"))
        self.url = f"unix://{self.folder / SOCKET}"
        self._binary = binary
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start; returns when it serves."""
        with (self.folder / "store.log").open("ab") as output:
            self._process = subprocess.Popen(
                [self._binary, *ARGUMENTS], cwd=self.folder, stdout=output, stderr=subprocess.STDOUT
            )
        deadline = time.monotonic() + HANG
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
        """Send a signal: SIGSTOP freezes the store, SIGCONT continues it."""
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
    """A store run by this program, until the context ends; yields its URL."""
    with store(binary) as process:
        yield process.url


class ClusterProcess:
    """A cluster on loopback: three masters, which share the slots, and any number of replicas of the last."""

    def __init__(self, binary: str, replicas: int) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="fourfold-cluster-"))
        self.ports = [free_port() for _ in range(3 + replicas)]
        self.url = f"redis://:open%20sesame@127.0.0.1:{self.ports[0]}/0"
        self._binary = binary
        self._processes: list[subprocess.Popen[bytes]] = []

    def start(self) -> None:
        """Start; returns when every server says that the cluster works."""
        for port in self.ports:
            folder = self.folder / str(port)
            folder.mkdir()
            options = (
                *("--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "yes"),
                *("--appendfsync", "always", "--repl-diskless-sync-delay", "0"),
                *("--requirepass", "open sesame", "--masterauth", "open sesame"),
                *("--cluster-enabled", "yes", "--cluster-port", str(free_port()), "--cluster-node-timeout", "1000"),
            )
            with (folder / "store.log").open("wb") as output:
                self._processes.append(
                    subprocess.Popen([self._binary, *options], cwd=folder, stdout=output, stderr=subprocess.STDOUT)
                )
        servers = [self.server(n) for n in range(len(self.ports))]
        self._wait(lambda: all(answers(server) for server in servers))
        cluster_ports = [server.config_get("cluster-port")["cluster-port"] for server in servers]
        for port, cluster_port in zip(self.ports[1:], cluster_ports[1:], strict=True):
            servers[0].execute_command("CLUSTER", "MEET", "127.0.0.1", port, cluster_port)
        for n, (first, last) in enumerate([(0, 5460), (5461, 10922), (10923, 16383)]):
            servers[n].execute_command("CLUSTER", "ADDSLOTSRANGE", first, last)
        self._wait(lambda: all(facts(server)["cluster_known_nodes"] == str(len(servers)) for server in servers))
        for replica in servers[3:]:
            replica.execute_command("CLUSTER", "REPLICATE", self.name(2))
            self._wait(lambda replica=replica: replica.info("replication").get("master_link_status") == "up")
        self._wait(lambda: all(facts(server)["cluster_state"] == "ok" for server in servers))
        for server in servers:
            server.close()

    def server(self, number: int) -> Redis:
        """A client of one server: the masters come first."""
        return Redis(port=self.ports[number], password="open sesame")

    def name(self, number: int) -> str:
        """A server's name in the cluster."""
        with self.server(number) as server:
            return str(server.execute_command("CLUSTER", "MYID").decode())

    def holder(self, key: str) -> int:
        """Which master holds a key."""
        return min(2, key_slot(key.encode()) // 5461)

    def kill(self, number: int) -> None:
        """kill -9 of one server."""
        self._processes[number].kill()
        self._processes[number].wait()

    def signal(self, number: int, what: signal.Signals) -> None:
        """Send a signal to one server."""
        self._processes[number].send_signal(what)

    def move(self, key: str, to: int) -> None:
        """Move a key's slot, with all its keys, to another master, as `redis-cli --cluster reshard` does."""
        slot = key_slot(key.encode())
        source, target = self.holder(key), to
        with self.server(source) as giver, self.server(target) as taker:
            taker.execute_command("CLUSTER", "SETSLOT", slot, "IMPORTING", self.name(source))
            giver.execute_command("CLUSTER", "SETSLOT", slot, "MIGRATING", self.name(target))
            while keys := giver.execute_command("CLUSTER", "GETKEYSINSLOT", slot, 100):
                where = ("127.0.0.1", self.ports[target], "", 0, 5000)
                giver.execute_command("MIGRATE", *where, "AUTH", "open sesame", "KEYS", *keys)
            for server in (taker, giver):
                server.execute_command("CLUSTER", "SETSLOT", slot, "NODE", self.name(target))

    def stop(self) -> None:
        for number in range(len(self._processes)):
            self.kill(number)
        shutil.rmtree(self.folder)

    def _wait(self, condition: Callable[[], bool]) -> None:
        deadline = time.monotonic() + HANG
        while not condition():
            if time.monotonic() > deadline:
                logs = (path.read_text()[-1000:] for path in self.folder.glob("*/store.log"))
                pytest.fail("the cluster did not start:\n" + "\n".join(logs))
            time.sleep(0.02)


def facts(server: Redis) -> dict[str, str]:
    """The answer of a cluster's server about it."""
    lines = server.execute_command("CLUSTER", "INFO").decode().split()
    return dict(line.split(":") for line in lines)


@contextmanager
def cluster(binary: str, replicas: int = 0) -> Iterator[ClusterProcess]:
    """A cluster run by this program, until the context ends."""
    processes = ClusterProcess(binary, replicas)
    try:
        processes.start()
        yield processes
    finally:
        processes.stop()


def answers(client: Redis) -> bool:
    try:
        return bool(client.ping())
    except RedisError:
        return False


_Found = TypeVar("_Found")


def find_node() -> str:
    """The Node that Playwright brings, since those of machines differ: Debian's has no WebSocket."""
    package = importlib.util.find_spec("playwright")
    brought = package and package.origin and str(Path(package.origin).with_name("driver") / "node")
    return needs(brought and shutil.which(brought), "Playwright is not installed, which brings Node")


def needs(found: _Found | None, reason: str) -> _Found:
    """The found path. Without it, the test is skipped, but fails in CI."""
    if not found:
        if os.environ.get("CI"):
            pytest.fail(reason)
        skip(reason)
    return found


def skip(reason: str) -> NoReturn:
    """Skip a test. The summary gives the reason once, however many tests are skipped for it."""
    _lacking.add(reason)
    pytest.skip(reason)


_lacking: set[str] = set()
"""The reasons of this process's skips."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Report all skips for one reason at one place, so that the summary gives the reason once."""
    report = yield
    if report.skipped and isinstance(report.longrepr, tuple):
        reason = report.longrepr[2]
        if reason.removeprefix("Skipped: ") in _lacking:
            report.longrepr = (__file__, needs.__code__.co_firstlineno, reason)
    return report


SLOW_FOLDERS = {Path("games"), Path("web"), Path("server/workers")}
"""Folders whose tests start processes or browsers: each test there is slow, unless it is marked `by_default`."""


GARBAGE = (5_000, 100, 40)
"""When Python searches for garbage: as the server sets it."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds `--late`: see the `conftest.py` of `tests/server` and of `tests/web`."""
    late = "by how many seconds servers hear late of each other, and pages draw late"
    parser.addoption("--late", type=float, default=0.0, help=late)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    """Collect the tests without searches for cycles, which take a third of the time. What is there then stays: later
    searches pass over it."""
    gc.disable()
    try:
        _share_compiling(session.config)
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(*GARBAGE)
        gc.enable()


def _share_compiling(config: pytest.Config) -> None:
    """Import the test modules, each worker beginning with others. In a fresh clone one worker compiles a module, and
    the others read the result: to compile them takes two thirds of their collection."""
    worker = os.environ.get("PYTEST_XDIST_WORKER")
    if worker is None or config.args != config.getini("testpaths") or config.getoption("ignore"):
        return
    root = Path(__file__).parent
    paths = sorted(root.rglob("test_*.py"))
    first = len(paths) * int(worker.removeprefix("gw")) // int(os.environ["PYTEST_XDIST_WORKER_COUNT"])
    for path in [*paths[first:], *paths[:first]]:
        with suppress(Exception, pytest.skip.Exception):  # pytest imports it again, and tells of it
            importlib.import_module(".".join(path.relative_to(root.parent).with_suffix("").parts))


@pytest.hookimpl(tryfirst=True)  # before pytest selects by marks
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark campaigns and the tests of slow folders as slow."""
    tests = Path(__file__).parent
    for item in items:
        in_slow_folder = item.path.parent.relative_to(tests) in SLOW_FOLDERS
        if item.get_closest_marker("campaign") or (in_slow_folder and not item.get_closest_marker("by_default")):
            item.add_marker(pytest.mark.slow)


@pytest.fixture(autouse=True)
def usual_log() -> Iterator[None]:
    """Resets the log of this process before each test, because commands and servers that run in it configure it, and
    so may a fixture that several tests share."""
    structlog.reset_defaults()
    loggers = logging.getLogger(), logging.getLogger(logs.OURS)
    before = [(logger, logger.handlers[:], logger.level) for logger in loggers]
    yield
    for logger, handlers, level in before:
        logger.handlers[:] = handlers
        logger.setLevel(level)


@pytest.fixture(scope="session")
def redis_server() -> str:
    """The path of Debian's redis-server. Without it, tests are skipped, but never in CI."""
    return needs(shutil.which("redis-server"), "redis-server is not installed (Debian: apt install redis-server)")


@pytest.fixture(scope="session")
def stockfish() -> str:
    """The path of Stockfish."""
    path = f"{os.environ.get('PATH', '')}:/usr/games"
    return needs(shutil.which("stockfish", path=path), "stockfish is not installed (Debian: apt install stockfish)")


@pytest.fixture(scope="session")
def node() -> str:
    """The path of Node."""
    return find_node()


@pytest.fixture(scope="session")
def tmux() -> str:
    """The path of tmux."""
    return needs(shutil.which("tmux"), "tmux is not installed (Debian: apt install tmux)")


@pytest.fixture(scope="session")
def promtool() -> str:
    """The path of the tool that reads the rules of Prometheus."""
    found = shutil.which("promtool")
    return needs(found, "promtool is not installed (Debian: apt install --no-install-recommends prometheus)")


@pytest.fixture(scope="session")
def postgres_binaries() -> Path:
    """The folder of Debian's PostgreSQL. Without it, tests are skipped, but never in CI."""
    return needs(postgres.binaries(), "postgresql is not installed (Debian: apt install postgresql)")


@pytest.fixture(scope="session", name="postgres")
def common_postgres(postgres_binaries: Path) -> Iterator[PostgresProcess]:
    """A PostgreSQL server that all tests of this worker share."""
    with postgres.running(postgres_binaries) as process:
        yield process


@pytest.fixture
def frail_postgres(postgres_binaries: Path) -> Iterator[PostgresProcess]:
    """A PostgreSQL server for one test, which may kill it."""
    with postgres.running(postgres_binaries) as process:
        yield process


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


def some(count: int, *cases: Any) -> list[Any]:
    """Cases of a test or fixture: the first `count` by default, the others in the slow tests. A tuple has the values of
    several parameters."""
    every = [pytest.param(*case) if type(case) is tuple else pytest.param(case) for case in cases]
    return [*every[:count], *(case._replace(marks=[pytest.mark.slow]) for case in every[count:])]


@pytest.fixture(scope="session", params=some(1, "valkey", "redis"))
def store_url(request: pytest.FixtureRequest) -> str:
    """The URL of a store, once for each kind; it may have data of earlier tests."""
    url: str = request.getfixturevalue({"valkey": "embedded_url", "redis": "debian_url"}[request.param])
    return url


@pytest.fixture
def clean_store_url(store_url: str) -> str:
    """The URL of an empty store, once for each kind."""
    with Redis.from_url(store_url) as client:
        client.flushall()
    forget_earlier(store_url)
    return store_url


@pytest.fixture
def frail_store() -> Iterator[StoreProcess]:
    """A store for one test, which may freeze or kill it."""
    with store(find_binary()) as process:
        yield process


@pytest.fixture(scope="session")
def redis_cluster(redis_server: str) -> Iterator[ClusterProcess]:
    """A cluster of three of Debian's redis-server, which all tests of this worker share."""
    with cluster(redis_server) as processes:
        yield processes


@pytest.fixture(scope="session")
def valkey_cluster() -> Iterator[ClusterProcess]:
    """A cluster of three of the Valkey servers that we ship."""
    with cluster(find_binary()) as processes:
        yield processes


@pytest.fixture
def frail_cluster(redis_server: str) -> Iterator[ClusterProcess]:
    """A cluster for one test, which may take it apart; its last master has a replica."""
    with cluster(redis_server, replicas=1) as processes:
        yield processes
