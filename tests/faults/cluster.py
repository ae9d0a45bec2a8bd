"""Real nodes on one real store: processes that can be killed, frozen and drained, each with a link to the store.

A cluster outlives the schedules that are played on it: what they kill is started again.
"""

import asyncio
import re
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Self

from tests.faults.game import ABSENCE
from tests.faults.link import Address, Link
from tests.faults.process import READY, Process, mortal, until
from tests.faults.store import Store

ROOT = Path(__file__).parents[2]


class Node(Process):
    """A `fourfold-server` that reaches the store over a link of its own."""

    def __init__(self, log: Path, store: Store, source: Path, ready: Callable[[], None]) -> None:
        """`log` is the file of its log, `source` the folder of the code it runs; `ready` is called when it is ready."""
        self._ready = ready
        self._log = log
        self._source = source
        self.link = Link(lambda: store.address)
        self.address: Address = None
        self.deaths: list[int] = []
        """The exit status, if it was asked to stop and failed."""

    @property
    def url(self) -> str:
        """The URL for clients."""
        assert isinstance(self.address, tuple)
        return f"http://{self.address[0]}:{self.address[1]}"

    async def start(self) -> None:
        """Start, and start again while the store is away, as a supervisor does. Returns when the node is ready."""
        await until(self._started, READY, pause=0.2)

    async def _started(self) -> bool:
        command = (sys.executable, "-m", "fourfold.server", "--port", "0", "--bots", "0", "--log-level", "warning")
        command += ("--absence", str(ABSENCE // 1000))
        with self._log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                *command, "--redis", f"redis://127.0.0.1:{self.link.port}", "--data", str(self._log.parent),
                cwd=self._source, stdout=asyncio.subprocess.PIPE, stderr=log, start_new_session=True, preexec_fn=mortal,
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
        """Whether the node answers that it is ready. Raises `OSError` or `ValueError` if it does not answer."""
        assert isinstance(self.address, tuple)
        reader, writer = await asyncio.open_connection(*self.address)
        try:
            writer.write(b"GET /readyz HTTP/1.1\r\nHost: harness\r\nConnection: close\r\n\r\n")
            return int((await reader.readline()).split()[1]) == 200
        except IndexError as error:
            raise ValueError("no answer") from error
        finally:
            writer.close()

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


class NotStarted(Exception):
    """The nodes do not start; the message has their output."""


class Cluster:
    """A store and its nodes, from `start` to `stop`."""

    def __init__(self, binary: str, nodes: int, source: Path = ROOT) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="fourfold-faults-"))
        self.store = Store(binary, self.folder)
        logs = [self.folder / f"node{number}.log" for number in range(nodes)]
        self.nodes = [Node(log, self.store, source, self._came) for log in logs]
        self.returns: list[float] = []
        """When a node was up again after all had been down, in milliseconds since 1970."""

    def _came(self) -> None:
        if all(node.address is None for node in self.nodes):
            self.returns.append(time.time() * 1000)

    async def start(self) -> Self:
        """Return when all nodes are ready and know each other. Raises `NotStarted`."""
        await self.store.start()
        for node in self.nodes:
            await node.link.start()
        try:
            await asyncio.gather(*(node.start() for node in self.nodes))
        except TimeoutError as error:
            logs = [path.read_text()[-1000:] for path in sorted(self.folder.glob("node*.log"))]
            await self.stop()
            raise NotStarted("\n".join(["no node starts", *logs])) from error
        enough = await self.store.beats() + 2 * len(self.nodes)  # by then each has, and was told of those that live

        async def met() -> bool:
            return await self.store.beats() >= enough

        await until(met, READY, pause=0.05)
        return self

    async def mend(self) -> None:
        """Repair everything."""
        self.store.signal(signal.SIGCONT)
        if not self.store.runs:
            await self.store.start()
        for node in self.nodes:
            node.link.heal()
            node.signal(signal.SIGCONT)
        await asyncio.gather(*(node.start() for node in self.nodes if not node.runs))

    async def stop(self) -> None:
        """End all processes and delete their folder."""
        for node in self.nodes:
            await node.kill()
            await node.link.close()
        await self.store.client.aclose()
        await self.store.kill()
        shutil.rmtree(self.folder)
