"""A worker's own end of the sockets to its supervisor, whose end the tests hold."""

import asyncio
import os
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from fourfold.server.vitals import History, Reading, Sample
from fourfold.server.workers import worker as module
from fourfold.server.workers.link import (
    LONGEST,
    SUPERVISOR,
    VARIABLE,
    VITALS,
    AskHistory,
    FromWorker,
    Kept,
    Link,
    Vital,
)
from fourfold.server.workers.worker import Worker

READING = Reading(7, 1, 2, 1, 0.5, [1, 0, 2], 10**7, {"stale": 1})
WHOLE = History([Sample(105_000, 3, 2, 2, 1.5, None, 2 * 10**7, 1)], {"stale": 1})

Opened = tuple[Worker, Link[FromWorker]]


@asynccontextmanager
async def opened(known: str | None, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Opened]:
    """A worker, and its supervisor's end of the messages. `known`: what the supervisor says that it knows."""
    connections, messages = socket.socketpair(), socket.socketpair()
    monkeypatch.setenv(VARIABLE, f"0:{connections[1].detach()}:{messages[1].detach()}")
    if known is not None:
        monkeypatch.setenv(SUPERVISOR, known)
    worker = Worker.inherited()
    assert worker is not None and not {VARIABLE, SUPERVISOR} & os.environ.keys()
    link: Link[FromWorker] = Link(*await asyncio.open_unix_connection(sock=messages[0], limit=LONGEST), FromWorker)
    await worker.open(lambda: "", lambda: None, lambda: None)
    try:
        yield worker, link
    finally:
        await worker.close()
        link.close()
        connections[0].close()


async def test_the_supervisor_gets_the_readings_and_answers_with_those_of_all(monkeypatch: pytest.MonkeyPatch) -> None:
    async with opened(VITALS, monkeypatch) as (worker, link):
        worker.tell(READING)
        asked = asyncio.create_task(worker.history(90_000))
        heard = aiter(link)
        assert [await anext(heard), await anext(heard)] == [Vital(READING), AskHistory(90_000)]
        link.send(Kept(WHOLE))
        assert await asked == WHOLE


async def test_a_supervisor_that_does_not_answer_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PATIENCE", 0.01)
    async with opened(VITALS, monkeypatch) as (worker, _):
        assert await worker.history(0) is None


async def test_an_older_supervisor_hears_nothing_that_it_does_not_know(monkeypatch: pytest.MonkeyPatch) -> None:
    async with opened(None, monkeypatch) as (worker, link):
        worker.tell(READING)
        assert await worker.history(0) is None
        worker.ready()
        assert type(await anext(aiter(link))).__name__ == "Ready"
