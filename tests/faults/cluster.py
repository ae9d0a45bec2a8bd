"""Real nodes on one real store, as processes that can be killed, frozen and drained, with a link between each and it.

A cluster outlives the schedules that are played on it: what they kill is started again.
"""

import asyncio
import ctypes
import re
import shutil
import signal
import sys
import tempfile
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

from redis.asyncio import Redis
from redis.exceptions import RedisError

from engine.match import replay
from engine.match.events import Decision
from server.records import unpack
from server.store import ARGUMENTS, SOCKET
from tests.faults.history import Entry, entry
from tests.faults.link import Address, Link

ROOT = Path(__file__).parents[2]
DIE_WITH_PARENT = 1  # PR_SET_PDEATHSIG
READY = 30.0
"""Seconds that a node or a store has to start, with all attempts."""


async def until(holds: Callable[[], Awaitable[bool]], seconds: float, pause: float) -> None:
    """Ask until it holds. Raises TimeoutError."""
    async with asyncio.timeout(seconds):
        while True:
            if await holds():
                return
            await asyncio.sleep(pause)


def _mortal() -> None:
    """In a process that begins: be killed when the harness is, where the system knows how (Linux)."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(DIE_WITH_PARENT, signal.SIGKILL)


class Process:
    """A process that may be killed and frozen."""

    _process: asyncio.subprocess.Process | None = None

    @property
    def runs(self) -> bool:
        """Whether it has been started, and has not ended since."""
        return self._process is not None and self._process.returncode is None

    def signal(self, number: signal.Signals) -> None:
        """Send a signal; a process that is gone gets none."""
        if self._process is not None:
            with suppress(ProcessLookupError):
                self._process.send_signal(number)

    async def kill(self) -> None:
        """kill -9."""
        self.signal(signal.SIGKILL)
        if self._process is not None:
            await self._process.wait()


class Store(Process):
    """A Redis or Valkey server, as durable as in production, in a folder and on a unix socket of its own."""

    def __init__(self, binary: str, folder: Path) -> None:
        self._binary = binary
        self._folder = folder
        self.address = str(folder / SOCKET)
        self.client = Redis(unix_socket_path=self.address)

    async def start(self) -> None:
        """Start, and return when it serves."""
        with (self._folder / "store.log").open("ab") as output:
            self._process = await asyncio.create_subprocess_exec(
                self._binary, *ARGUMENTS,
                cwd=self._folder, stdout=output, stderr=output, start_new_session=True, preexec_fn=_mortal,
            )  # fmt: skip
        await until(self._answers, READY, pause=0.01)

    async def _answers(self) -> bool:
        try:
            return bool(await self.client.ping())
        except (RedisError, OSError):
            return False

    async def length(self, room: str) -> int:
        """How many decisions a room has."""
        return int(await self.client.xlen(f"fourfold:{{{room}}}:log"))

    async def rooms(self) -> set[str]:
        """Every room there is."""
        keys = [key.decode() async for key in self.client.scan_iter("fourfold:{*}:log", count=1000)]
        return {key[len("fourfold:{") : -len("}:log")] for key in keys}

    async def log(self, room: str) -> list[Entry]:
        """A room's whole log, read past every server of ours."""
        entries: Any = await self.client.xrange(f"fourfold:{{{room}}}:log")
        decisions: list[Decision] = [
            unpack(int(id.split(b"-")[0]), int(fields[b"t"]), fields[b"d"]) for id, fields in entries
        ]
        names = replay(decisions[:1]).position.seats
        return [entry(room, names, decision) for decision in decisions]

    async def outages(self) -> list[tuple[int, int]]:
        """When nobody reached it."""
        entries = await self.client.lrange("fourfold:{alive}:outages", 0, -1)
        return [(int(start), int(end)) for start, end in (entry.split() for entry in entries)]

    async def clear(self) -> None:
        """Forget all rooms, but neither the secret nor the scripts, which the nodes know."""
        keys = [key async for key in self.client.scan_iter("fourfold:{*}:log", count=1000)]
        if keys:
            await self.client.unlink(*keys)


class Node(Process):
    """A `fourfold-server` that reaches the store over a link of its own."""

    def __init__(self, folder: Path, store: Store) -> None:
        self._log = folder
        self.link = Link(lambda: store.address)
        self.address: Address = None
        self.deaths: list[int] = []
        """With which status it ended, where it was told to stop and did so badly."""

    @property
    def url(self) -> str:
        """Where clients come."""
        assert isinstance(self.address, tuple)
        return f"http://{self.address[0]}:{self.address[1]}"

    async def start(self) -> None:
        """Start, again and again where the store is away, as a supervisor does; return when it is ready."""
        await until(self._started, READY, pause=0.2)

    async def _started(self) -> bool:
        command = (sys.executable, "-m", "server", "--port", "0", "--bots", "0", "--log-level", "warning")
        with self._log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                *command, "--redis", f"redis://127.0.0.1:{self.link.port}",
                cwd=ROOT, stdout=asyncio.subprocess.PIPE, stderr=log, start_new_session=True, preexec_fn=_mortal,
            )  # fmt: skip
        assert self._process.stdout is not None
        try:
            line = (await self._process.stdout.readline()).decode()
        except BaseException:
            await self.kill()
            raise
        ready = re.fullmatch(r"ready http://(127\.0\.0\.1):(\d+)\n", line)
        if ready is None:
            await self._process.wait()
            return False
        self.address = (ready[1], int(ready[2]))
        return True

    async def kill(self) -> None:
        """See `Process`."""
        self.address = None
        await super().kill()

    async def drain(self, *, at_once: bool) -> None:
        """SIGTERM, and once more if it is to be quick; returns when it has ended."""
        assert self._process is not None
        self.signal(signal.SIGTERM)
        if at_once:
            await asyncio.sleep(0.05)
            self.signal(signal.SIGTERM)
        status = await asyncio.wait_for(self._process.wait(), READY)
        if status != 0 and not (at_once and status == -signal.SIGTERM):  # it comes when all but the process has ended
            self.deaths.append(status)
        self.address = None


class Cluster:
    """A store and its nodes, from `start` to `stop`."""

    def __init__(self, binary: str, nodes: int) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="fourfold-faults-"))
        self.store = Store(binary, self.folder)
        self.nodes = [Node(self.folder / f"node{number}.log", self.store) for number in range(nodes)]

    async def start(self) -> Self:
        """Return when all are ready."""
        await self.store.start()
        for node in self.nodes:
            await node.link.start()
        await asyncio.gather(*(node.start() for node in self.nodes))
        return self

    async def mend(self) -> None:
        """All is well again."""
        self.store.signal(signal.SIGCONT)
        if not self.store.runs:
            await self.store.start()
        for node in self.nodes:
            node.link.heal()
            node.signal(signal.SIGCONT)
        await asyncio.gather(*(node.start() for node in self.nodes if not node.runs))

    async def stop(self) -> None:
        """The end of all processes; their folder goes."""
        for node in self.nodes:
            await node.kill()
            await node.link.close()
        await self.store.client.aclose()
        await self.store.kill()
        shutil.rmtree(self.folder)
