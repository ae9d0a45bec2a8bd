"""Servers and stores as separate processes, and their cost: processor time and memory, from /proc."""

import os
import resource
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from redis import Redis
from redis.exceptions import RedisError

from fourfold.server.storage.embedded import ARGUMENTS, SOCKET, find_binary

ROOT: Final = Path(__file__).parents[2]
_TICK: Final = 1 / os.sysconf("SC_CLK_TCK")
NO_LIMITS: Final = {"MAX_RATE": "0", "MAX_ROOMS": "0", "MAX_CONNECTIONS": "0", "BOTS": "0", "LOG_LEVEL": "warning"}


@dataclass(frozen=True, slots=True)
class Process:
    """A watched process."""

    pid: int

    def cpu(self) -> float:
        """Its processor time, user and system, in seconds."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) * _TICK

    def exact_cpu(self) -> float:
        """The processor time of its living threads, in seconds: exact, where `cpu` counts ticks of 10 ms."""
        tasks = Path(f"/proc/{self.pid}/task").iterdir()
        return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e9

    def memory(self) -> int:
        """Its own memory, in bytes."""
        for line in Path(f"/proc/{self.pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
        raise AssertionError("every process has a Pss")

    def children(self) -> list[int]:
        """Its child processes."""
        return [int(pid) for pid in Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text().split()]

    def files(self) -> int:
        """The number of its open files and sockets."""
        return len(os.listdir(f"/proc/{self.pid}/fd"))


@dataclass(frozen=True, slots=True)
class Running:
    """Running servers: the address of each, the processes, and the store's process, if it is our own."""

    urls: list[str]
    servers: list[Process]
    store: Process | None
    store_url: str | None

    def cpu(self) -> tuple[float, float]:
        """The processor time of all servers, and of the store, so far, in seconds."""
        return sum(server.cpu() for server in self.servers), self.store.cpu() if self.store else 0.0

    def memory(self) -> tuple[int, int]:
        """The memory of all servers, and of the store, in bytes."""
        return sum(server.memory() for server in self.servers), self.store.memory() if self.store else 0

    def kill(self) -> None:
        """Kill the servers and the store at once, as when a machine fails."""
        for process in (*self.servers, *([self.store] if self.store else ())):
            os.kill(process.pid, signal.SIGKILL)


@contextmanager
def _folder(path: Path | None) -> Iterator[Path]:
    """The folder or, if there is none, a new one, which is deleted when the context ends."""
    if path is not None:
        yield path
        return
    with tempfile.TemporaryDirectory(prefix="fourfold-bench-") as name:
        yield Path(name)


@contextmanager
def store(data: Path | None = None) -> Iterator[tuple[str, Process]]:
    """A store of the kind that the server ships, with the same options, until the context ends; its files are in
    `folder`, or else in a new one."""
    with _folder(data) as folder:
        with (folder / "store.log").open("ab") as output:
            process = subprocess.Popen([find_binary(), *ARGUMENTS], cwd=folder, stdout=output, stderr=output)
        url = f"unix://{folder / SOCKET}"
        try:
            with Redis.from_url(url) as client:
                while not _answers(client):
                    if process.poll() is not None:
                        raise RuntimeError(f"the store did not start:\n{(folder / 'store.log').read_text()}")
            yield url, Process(process.pid)
        finally:
            process.kill()
            process.wait()


def _answers(client: "Redis") -> bool:
    try:
        return bool(client.ping())
    except RedisError:
        return False


@contextmanager
def executable(*command: str, **environment: str) -> Iterator[tuple[str, Process]]:
    """A program that prints `ready URL` when it is; ended in an orderly way with the context."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # ours and the program's: a file for each connection
    process = subprocess.Popen(command, cwd=ROOT, env=os.environ | environment, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        word, _, url = process.stdout.readline().strip().partition(" ")
        if word != "ready":
            raise RuntimeError(f"{' '.join(command)} did not start")
        yield url, Process(process.pid)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=240)
        process.stdout.close()


def program(module: str, *arguments: str, **environment: str) -> AbstractContextManager[tuple[str, Process]]:
    """`python -m MODULE`, which prints `ready URL` when it is; ended in an orderly way with the context."""
    return executable(sys.executable, "-m", module, *arguments, **environment)


@contextmanager
def fourfold(nodes: int = 1, data: Path | None = None, **settings: Any) -> Iterator[Running]:
    """Our server on its embedded store, or several on one store, without the limits that would hold a load back. The
    store's files are in `folder`, or else in a new one."""
    environment = NO_LIMITS | {name.upper(): str(value) for name, value in settings.items()}
    with ExitStack() as stack:
        folder = stack.enter_context(_folder(data))
        if nodes == 1:
            arguments = ("--port", "0", "--data", str(folder))
            url, server = stack.enter_context(program("fourfold.server", *arguments, **environment))
            pid = int((folder / "store.lock").read_text())
            workers = [Process(child) for child in server.children() if child != pid]
            yield Running([url], [server, *workers], Process(pid), f"unix://{folder / SOCKET}")
        else:
            store_url, process = stack.enter_context(store(folder))
            arguments = ("--port", "0", "--redis", store_url, "--data", str(folder))
            started = [stack.enter_context(program("fourfold.server", *arguments, **environment)) for _ in range(nodes)]
            yield Running([url for url, _ in started], [server for _, server in started], process, store_url)


@contextmanager
def alone(*command: str, **environment: str) -> Iterator[Running]:
    """A server without a store, from its program."""
    with executable(*command, **environment) as (url, server):
        yield Running([url], [server], None, None)


@contextmanager
def stored(module: str, data: Path | None = None) -> Iterator[Running]:
    """`python -m MODULE STORE_URL`, on a separate store, whose files are in `folder`, or else in a new one."""
    with store(data) as (store_url, process), program(module, store_url) as (url, server):
        yield Running([url], [server], process, store_url)
