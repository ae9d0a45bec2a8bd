"""The server's access to the archive: opened in the background, and away for a while."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
import structlog

from fourfold.server import supervision
from fourfold.server.archive import archive as module
from fourfold.server.archive.archive import Archive
from fourfold.server.archive.errors import ArchiveUnavailable
from fourfold.server.metrics import Metrics
from tests.postgres import PostgresProcess
from tests.server.archive.played import mate


async def agree(id: str) -> str:
    return id


async def another(id: str) -> str:
    return "another"


Make = Callable[..., Archive]


@pytest.fixture
async def make(tmp_path: Path) -> AsyncIterator[Make]:
    made: list[Archive] = []

    def make(
        address: str | None = None, folder: Path = tmp_path, agree: Callable[[str], Awaitable[str]] = agree
    ) -> Archive:
        made.append(Archive(address, folder, agree, Metrics()))
        made[-1].open()
        return made[-1]

    yield make
    for archive in made:
        await archive.close()


async def test_a_question_waits_until_it_is_open(make: Make) -> None:
    archive, game = make(), mate()
    await archive.keep("abc", game.entries, 0)
    assert await archive.log("abc") == game.entries


async def test_it_can_be_closed_at_any_moment_of_its_opening(make: Make) -> None:
    for turns in range(0, 40, 3):
        archive = make()
        for _ in range(turns):
            await asyncio.sleep(0)
        async with asyncio.timeout(240):
            await archive.close()


async def test_whoever_asks_may_go_away(make: Make) -> None:
    archive = make()
    await archive.ping()
    for turns in range(8):
        asking = asyncio.create_task(archive.keep(f"abc{turns}", mate().entries, 0))
        for _ in range(turns):
            await asyncio.sleep(0)
        asking.cancel()
        await asyncio.wait([asking])
    await archive.ping()


async def test_an_archive_that_others_do_not_use_is_not_used(make: Make) -> None:
    archive = make(agree=another)
    with pytest.raises(ArchiveUnavailable):
        await archive.ping()


@pytest.mark.interpreted
async def test_an_error_while_it_opens_is_logged_and_it_opens_nevertheless(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervision, "AGAIN", 0.01)
    answers = [RuntimeError("an error of the server")]

    async def fail_once(id: str) -> str:
        if answers:
            raise answers.pop()
        return id

    with structlog.testing.capture_logs() as logs:
        await make(agree=fail_once).ping()
    assert [(entry["event"], entry["task"]) for entry in logs if "task" in entry] == [("a task died", "archive")]


@pytest.mark.slow
async def test_it_is_away_until_the_database_comes(
    make: Make, frail_postgres: PostgresProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "AGAIN", 0.1)
    monkeypatch.setattr(module, "LOOK", 0.1)
    address = frail_postgres.database()
    frail_postgres.kill()
    archive = make(address)
    with pytest.raises(ArchiveUnavailable):
        await archive.ping()
    assert not archive._metrics.archive_up
    assert archive._metrics.archive_errors > 0
    frail_postgres.start()
    async with asyncio.timeout(240):
        while not archive._metrics.archive_up:
            with contextlib.suppress(ArchiveUnavailable):
                await archive.ping()
    for go, away in ((frail_postgres.kill, True), (frail_postgres.start, False)):  # and no other request is sent
        go()
        async with asyncio.timeout(240):
            while archive.away is not away:  # noqa: ASYNC110 - nothing tells of it
                await asyncio.sleep(0.02)
        assert archive._metrics.archive_up is not away
