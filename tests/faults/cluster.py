"""Real nodes on one real store: processes that can be killed, frozen and drained, each with a link to the store.

A cluster outlives the schedules that are played on it, and restarts the processes that they kill. With workers, it is
one server: its supervisor and its workers are the processes, and they share the link.
"""

import asyncio
import os
import re
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Self

from tests.faults.archive import Archive
from tests.faults.game import ABSENCE
from tests.faults.link import Address, Link
from tests.faults.process import READY, Process, mortal, until
from tests.faults.store import Store
from tests.forked import AwaitedServer

ROOT = Path(__file__).parents[2]

SECRET = "the secret of the crash schedules"
"""The servers' secret. The tokens of stand-in bots are made with it, as for bot hosts."""


class Node(Process):
    """A `fourfold-server` that reaches the store through its own link."""

    def __init__(
        self,
        log: Path,
        store: Store,
        archive: Archive,
        source: Path,
        ready: Callable[[], None],
        workers: int = 1,
        archive_after: int = 0,
    ) -> None:
        """`log` is the file of its log, `source` the folder of its code; `ready` is called when it is ready.

        Finished games are archived after `archive_after` quiet seconds (0: never)."""
        self.workers = workers
        self._archive = archive
        self._archive_after = archive_after
        self._ready = ready
        self._log = log
        self._source = source
        self.link = Link(lambda: store.address)
        self.address: Address = None
        self.deaths: list[int] = []
        """The exit status, if it was told to stop and failed."""

    @property
    def url(self) -> str:
        """The URL for clients."""
        assert isinstance(self.address, tuple)
        return f"http://{self.address[0]}:{self.address[1]}"

    async def start(self) -> None:
        """Start, and restart while the store is away, as a supervisor does. Returns when the node is ready."""
        await until(self._started, READY, pause=0.2)

    async def _started(self) -> bool:
        command = ("--port", "0", "--bots", "0", "--log-level", "warning")
        command += ("--absence", str(ABSENCE // 1000), "--workers", str(self.workers))
        command += ("--archive-after", str(self._archive_after))
        if self._archive.address is not None:
            command += ("--database", self._archive.address)
        with self._log.open("ab") as log:
            command += ("--redis", f"redis://127.0.0.1:{self.link.port}", "--data", str(self._log.parent))
            env = os.environ | {"SECRET": SECRET}
            if self._source == ROOT:
                self._process = await AwaitedServer.start(*command, cwd=ROOT, env=env, stderr=log, begin=_begin)
            else:
                self._process = await asyncio.create_subprocess_exec(
                    sys.executable, "-m", "fourfold.server", *command,
                    cwd=self._source, env=env, stdout=asyncio.subprocess.PIPE, stderr=log, preexec_fn=_begin,
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
        self._ready()
        self.address = (ready[1], int(ready[2]))
        return True

    async def is_ready(self) -> bool:
        """Whether the node reports ready. Raises `OSError` or `ValueError` if it does not answer."""
        try:
            return int((await self._get("/readyz")).split()[1]) == 200
        except IndexError as error:
            raise ValueError("no answer") from error

    async def is_whole(self) -> bool:
        """Whether all its workers serve."""
        if self.workers == 1:
            return True
        with suppress(OSError):
            page = await self._get("/metrics")
            return len(set(re.findall(rb'fourfold_connections\{worker="(\d+)"', page))) == self.workers
        return False

    async def _get(self, path: str) -> bytes:
        """The answer to an HTTP request. Raises `OSError`."""
        assert isinstance(self.address, tuple)
        reader, writer = await asyncio.open_connection(*self.address)
        try:
            writer.write(f"GET {path} HTTP/1.1\r\nHost: harness\r\nConnection: close\r\n\r\n".encode())
            return await reader.read()
        finally:
            writer.close()

    def worker(self, number: int) -> int | None:
        """The process of a worker; None if it is dead, or if the node has no workers."""
        found = self._children()
        return found[number % len(found)] if found and self.workers > 1 else None

    def _children(self) -> list[int]:
        if self._process is None or self.workers == 1:
            return []
        pid = self._process.pid
        try:
            return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
        except OSError:
            return []

    def strike(self, number: int, what: signal.Signals) -> bool:
        """Send a signal to a worker; returns False if there is none."""
        pid = self.worker(number)
        if pid is None:
            return False
        with suppress(ProcessLookupError):
            os.kill(pid, what)
        return True

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to all its processes if they can't catch it; otherwise only to the supervisor."""
        sudden = (signal.SIGKILL, signal.SIGSTOP, signal.SIGCONT)
        children = self._children() if number in sudden else []
        super().signal(number)
        for pid in children:
            with suppress(ProcessLookupError):
                os.kill(pid, number)

    async def kill(self) -> None:
        """See `Process`."""
        self.address = None
        await super().kill()

    async def behead(self) -> None:
        """kill -9 of the supervisor alone: its workers end by themselves."""
        self.address = None
        assert self._process is not None
        with suppress(ProcessLookupError):
            self._process.kill()
        await self._process.wait()

    async def reload(self) -> None:
        """SIGHUP: all workers are replaced. Returns when all serve."""
        super().signal(signal.SIGHUP)
        await self.mended()

    async def mended(self) -> None:
        """Wait until all workers serve."""
        await until(self.is_whole, READY, pause=0.2)

    async def drain(self, *, at_once: bool) -> None:
        """Send SIGTERM, twice if `at_once`; return when it has ended."""
        assert self._process is not None
        self.signal(signal.SIGTERM)
        if at_once:
            await asyncio.sleep(0.05)
            self.signal(signal.SIGTERM)
        status = await asyncio.wait_for(self._process.wait(), READY)
        # it comes when everything but the process has ended
        if status != 0 and not (at_once and status == -signal.SIGTERM):
            self.deaths.append(status)
        self.address = None


def _begin() -> None:
    """Runs in a new process: gives it a session of its own."""
    os.setsid()
    mortal()


class NotStarted(Exception):
    """The nodes do not start. The message has their output."""


class Cluster:
    """A store and its nodes, from `start` to `stop`."""

    patience = 5.0
    """How many times as long as on an idle machine everything may take. In a world it is 1: its clock is virtual."""

    def __init__(
        self,
        binary: str,
        nodes: int,
        source: Path = ROOT,
        workers: int = 1,
        archive_after: int = 0,
        archive: Archive | None = None,
    ) -> None:
        """Without an `archive` it is the file in the nodes' folder."""
        self.folder = Path(tempfile.mkdtemp(prefix="fourfold-faults-"))
        self.archive = archive or Archive(self.folder)
        self.archives = archive_after > 0
        self.store = Store(binary, self.folder, self.archive)
        logs = [self.folder / f"node{number}.log" for number in range(nodes if workers == 1 else 1)]
        self.nodes = [
            Node(log, self.store, self.archive, source, self._came, workers, archive_after) for log in logs
        ]
        self.returns: list[float] = []
        """The time at which the first node was up again after all had been down, in milliseconds since 1970."""

    def _came(self) -> None:
        if all(node.address is None for node in self.nodes):
            self.returns.append(time.time() * 1000)

    async def start(self) -> Self:
        """Return when all nodes are ready and know each other. Raises `NotStarted`."""
        await self.store.start()
        await self.archive.start()
        for node in self.nodes:
            await node.link.start()
        try:
            await asyncio.gather(*(node.start() for node in self.nodes))
        except TimeoutError as error:
            logs = [path.read_text()[-1000:] for path in sorted(self.folder.glob("node*.log"))]
            await self.stop()
            raise NotStarted("\n".join(["no node starts", *logs])) from error
        # By then each has sent a heartbeat, and knows the live servers.
        enough = await self.store.beats() + 2 * sum(node.workers for node in self.nodes)

        async def met() -> bool:
            return await self.store.beats() >= enough

        await until(met, READY, pause=0.05)
        return self

    async def mend(self) -> None:
        """Repair everything."""
        self.store.signal(signal.SIGCONT)
        if not self.store.runs:
            await self.store.start()
        await self.archive.mend()
        for node in self.nodes:
            node.link.heal()
            node.signal(signal.SIGCONT)
        await asyncio.gather(*(node.start() for node in self.nodes if not node.runs))
        await asyncio.gather(*(node.mended() for node in self.nodes))

    async def stop(self) -> None:
        """End all processes and delete their folder."""
        for node in self.nodes:
            await node.kill()
            await node.link.close()
        await self.store.client.aclose()
        await self.store.kill()
        await self.archive.stop()
        shutil.rmtree(self.folder)
