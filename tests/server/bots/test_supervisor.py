"""The server's own bot host: kept alive while the server serves, and no longer."""

import asyncio
import sys

import pytest

from fourfold.server.bots import supervisor as bot_host
from fourfold.server.bots.supervisor import keep_hosting


@pytest.fixture
def hosts(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The commands of the started hosts. Each is a process that ends at once."""
    started: list[list[str]] = []
    real = asyncio.create_subprocess_exec

    async def start(*command: str, **options: object) -> asyncio.subprocess.Process:
        started.append([*command])
        return await real(sys.executable, "-c", "", **options)  # type: ignore[arg-type]

    monkeypatch.setattr(asyncio, "create_subprocess_exec", start)
    monkeypatch.setattr(bot_host, "_SHORTEST", 0.01)
    return started


async def test_a_host_that_ends_is_started_again(hosts: list[list[str]]) -> None:
    keeping = asyncio.create_task(keep_hosting("http://127.0.0.1:1", "key", 2, asyncio.Event(), "stockfish"))
    async with asyncio.timeout(240):
        while len(hosts) < 3:  # noqa: ASYNC110 - nothing tells of it
            await asyncio.sleep(0.01)
    keeping.cancel()
    await asyncio.gather(keeping, return_exceptions=True)
    assert hosts[0] == hosts[2]
    assert hosts[0][-5:] == ["--analysis-engine", "stockfish", "--workers", "2", "--until-eof"]


async def test_a_server_that_goes_away_starts_none(hosts: list[list[str]]) -> None:
    """A host that starts only now is turned away, and ends."""
    stop = asyncio.Event()
    keeping = asyncio.create_task(keep_hosting("http://127.0.0.1:1", "key", 1, stop))
    while not hosts:  # noqa: ASYNC110 - nothing tells of it
        await asyncio.sleep(0)
    stop.set()
    async with asyncio.timeout(240):
        await keeping
    assert len(hosts) == 1
