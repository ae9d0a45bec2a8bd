"""A store that ended in the middle of a transaction, and restarted, keeps later acknowledged writes."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from fourfold.engine.match.events import Created, Event, Moved
from fourfold.server.storage.embedded import find_binary
from fourfold.server.storage.event_log import AppendRequest
from fourfold.server.storage.redis_log import RedisLog
from tests.conftest import StoreProcess, store

TORN = b"*1\r\n$5\r\nMULTI\r\n*3\r\n$3\r\nSET\r\n$4\r\nsome\r\n$3\r\nkey\r\n*3\r\n$3\r\nSET\r\n$5\r\nothe"
"""A transaction in the file after the disk was full, or the power failed."""


def tear(ended: StoreProcess) -> None:
    """Append the transaction to the file of a stopped store."""
    (file,) = Path(ended.folder).glob("**/*.incr.aof")
    with file.open("ab") as written:
        written.write(TORN)


@asynccontextmanager
async def visit(url: str) -> AsyncIterator[RedisLog]:
    """A log without beats, which write transactions too: the next one may come in time or not."""
    log = await RedisLog.visit(url)
    yield log
    await log.close()


async def append(log: RedisLog, seq: int, event: Event) -> None:
    await log.append(AppendRequest("room", seq, "ann", f"{seq}", (event,)))


@pytest.mark.parametrize("find", [find_binary, None], ids=["embedded", "redis"])
async def test_what_follows_is_kept(find: Callable[[], str] | None, request: pytest.FixtureRequest) -> None:
    with store(find() if find else request.getfixturevalue("redis_server")) as process:
        async with visit(process.url) as log:
            await append(log, 0, Created("standard", None, "public", "ann"))
            process.kill()
            tear(process)
            process.start()
            await append(log, 1, Moved(0, "e2e4", 1))
            process.kill()
        process.start()
        async with visit(process.url) as log:
            assert [entry.seq for entry in await log.entries("room")] == [1, 2]
