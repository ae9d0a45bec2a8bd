"""Servers with several workers, as separate processes."""

import asyncio
import os
import re
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, Self

import pytest
from prometheus_client.parser import text_string_to_metric_families

from fourfold.server.workers import supervisor
from tests.conftest import HANG
from tests.forked import AwaitedServer
from tests.server.test_metrics import get

ROOT = Path(__file__).parents[3]


class Server:
    """A running `fourfold-server`."""

    def __init__(self, process: AwaitedServer, url: str, log: Path) -> None:
        self.process = process
        self.url = url
        self._log = log

    @classmethod
    async def start(cls, data: Path, *flags: str) -> Self:
        """Start one on a data folder, and wait until it is ready."""
        log = data / "server.log"
        command = ("--port", "0", "--data", str(data), "--bots", "0", *flags)
        with log.open("ab") as output:
            process = await AwaitedServer.start(*command, cwd=ROOT, stderr=output, begin=_begin)
        line = (await process.stdout.readline()).decode()
        ready = re.fullmatch(r"ready (http://127\.0\.0\.1:\d+)\n", line)
        assert ready, log.read_text()
        return cls(process, ready[1], log)

    def log(self) -> str:
        """Its log."""
        return self._log.read_text()

    def workers(self) -> dict[int, int]:
        """The process ids of the latest workers, by number."""
        started = re.findall(r'"worker": (\d+), "pid": (\d+), "event": "worker ready"', self.log())
        return {int(number): int(pid) for number, pid in started}

    async def logs(self, event: str, count: int = 1) -> None:
        """Wait until it has logged an event `count` times."""
        await until(lambda: self.log().count(f'"event": "{event}"') >= count)

    async def samples(self, name: str) -> list[tuple[dict[str, str], float]]:
        """The samples of a metric: their labels and values."""
        status, _, page = await get(f"{self.url}/metrics")
        assert status == 200
        families = text_string_to_metric_families(page)
        return [(one.labels, one.value) for family in families for one in family.samples if one.name == name]

    async def stop(self) -> int:
        """SIGTERM; returns the exit status."""
        if self.process.returncode is None:
            self.process.send_signal(signal.SIGTERM)
        async with asyncio.timeout(240):
            return await self.process.wait()


def _begin() -> None:
    """A run of the tests that ignores SIGHUP, as under `nohup`, must not make the server ignore it. And a worker may
    get no processor time for seconds: its metrics are waited for."""
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    supervisor.PATIENCE = HANG  # type: ignore[misc]


async def until(holds: Callable[[], bool]) -> None:
    """Wait until a condition holds."""
    async with asyncio.timeout(240):
        while not holds():  # noqa: ASYNC110 - nothing tells of it
            await asyncio.sleep(0.02)


def lives(pid: int) -> bool:
    """Whether a process exists and has not ended."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return "(zombie)" not in Path(f"/proc/{pid}/status").read_text()


@pytest.fixture
async def serve(tmp_path: Path) -> AsyncIterator[Callable[..., Any]]:
    """Starts a server with some flags, on the same data folder each time, for the duration of its context."""
    async with AsyncExitStack() as stack:

        async def begin(*flags: str) -> Server:
            server = await Server.start(tmp_path, *flags)
            stack.push_async_callback(server.stop)
            return server

        yield begin
