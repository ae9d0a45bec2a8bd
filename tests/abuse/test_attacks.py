"""While a server is attacked, players in other rooms go on; after the attack everything is as before.

The latency of their moves is not asserted, because machines differ: `python -m tests.abuse` measures it.
"""

import asyncio
import json
import re
import urllib.request
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from tests.abuse.attacks import ATTACKS, attack
from tests.abuse.bystanders import Bystanders
from tests.conftest import HANG
from tests.fuzz.conftest import complaints
from tests.games.conftest import ServerProcess, running

pytestmark = pytest.mark.slow

MOST = 64
"""The most mebibytes that a server may grow under an attack: the backlog of up to a hundred slow readers."""

FIRST = {one.limit: name for name, one in reversed(ATTACKS.items())}
"""The first attack on each limit. The others are a campaign."""

attacks = pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in FIRST.values() else pytest.mark.campaign) for name in ATTACKS]
)


@pytest.fixture(scope="module")
def server() -> Iterator[ServerProcess]:
    """A server that expects its clients through a proxy. Fails if the server has logged an error."""
    with running(None, 0, "--trust-proxy", "1", "--log-format", "json") as server:
        yield server
        server.stop()
        log = (server.folder / "server.log").read_text()
        server.start()
    assert complaints(log) == []


@pytest.fixture
async def bystanders(server: ServerProcess) -> AsyncIterator[Bystanders]:
    async with Bystanders(server.url, 4) as bystanders:
        yield bystanders


def resident(pid: int) -> float:
    """In MiB."""
    found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    assert found is not None
    return int(found[1]) / 1024


def connections(url: str) -> int:
    with urllib.request.urlopen(f"{url}/metrics", timeout=HANG) as page:
        found = re.search(r"fourfold_connections (\d+)", page.read().decode())
    assert found is not None
    return int(found[1])


@attacks
async def test_others_go_on(name: str, server: ServerProcess, bystanders: Bystanders) -> None:
    await bystanders.watch_for(4, patience=HANG)
    memory = resident(server.pid)
    attacker = attack(name, server.url, 2)
    assert attacker.stdout is not None
    try:
        assert await asyncio.to_thread(attacker.stdout.readline) == "ready\n"
        await bystanders.watch_for(10, patience=HANG)
        got = json.loads(await asyncio.to_thread(attacker.stdout.read))
    finally:
        attacker.kill()
        attacker.communicate()
    assert isinstance(got, dict) and "1011" not in got and "500" not in got
    assert resident(server.pid) - memory < MOST
    await bystanders.watch_for(4, patience=HANG)
    async with asyncio.timeout(HANG):  # the attacker is gone, and its connections are served no longer
        while await asyncio.to_thread(connections, server.url) != 8:  # noqa: ASYNC110 - nothing tells of it
            await asyncio.sleep(0.2)
