"""Pending writes: the store gets the latest value of each key, even after failures."""

import asyncio
from collections.abc import AsyncIterator, Callable

import pytest

from fourfold.server.replication import pending as module
from fourfold.server.replication.pending import Pending
from fourfold.server.storage.event_log import LogUnavailable
from tests.conftest import HANG


class Store:
    """A store that can be away, and can hold a write."""

    def __init__(self) -> None:
        self.written: list[tuple[str, int]] = []
        self.refused = 0
        self.away = False
        self.free = asyncio.Event()
        self.free.set()

    async def write(self, key: str, value: int) -> None:
        await self.free.wait()
        if self.away:
            self.refused += 1
            raise LogUnavailable("The store is away.")
        self.written.append((key, value))


@pytest.fixture
def store() -> Store:
    return Store()


@pytest.fixture
async def pending(store: Store, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator["Pending[str, int]"]:
    monkeypatch.setattr(module, "AGAIN", 0.001)
    pending = Pending("seats", store.write)
    pending.open()
    yield pending
    await pending.close()


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(HANG):
        while not holds():  # noqa: ASYNC110 - nothing tells of it
            await asyncio.sleep(0)


async def test_each_value_is_written_once(pending: "Pending[str, int]", store: Store) -> None:
    pending.put("a", 1)
    pending.put("b", 2)
    await until(lambda: not pending)
    pending.put("a", 3)
    await until(lambda: not pending)
    assert store.written == [("a", 1), ("b", 2), ("a", 3)]


async def test_a_write_that_fails_is_tried_until_the_store_is_back(
    pending: "Pending[str, int]", store: Store
) -> None:
    store.away = True
    pending.put("a", 1)
    await until(lambda: store.refused > 2)
    pending.put("a", 2)  # in place of the first
    store.away = False
    await until(lambda: not pending)
    assert store.written == [("a", 2)]


async def test_a_value_that_is_replaced_while_it_is_written_is_written_again(
    pending: "Pending[str, int]", store: Store
) -> None:
    store.free.clear()
    pending.put("a", 1)
    await asyncio.sleep(0)
    pending.put("a", 2)
    store.free.set()
    await until(lambda: not pending)
    assert store.written[-1] == ("a", 2)


async def test_what_is_not_written_at_the_end_is_still_here(pending: "Pending[str, int]", store: Store) -> None:
    store.away = True
    pending.put("a", 1)
    await until(lambda: store.refused > 0)
    await pending.close()
    assert pending == {"a": 1} and store.written == []
