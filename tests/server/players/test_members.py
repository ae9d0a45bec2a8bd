"""Every server's list of accounts: updated at once, loaded at the start, stored again after a loss."""

import asyncio
from collections.abc import AsyncIterator, Callable

import pytest

from fourfold.server.players.members import NAMES, VOID, Change, Member, Members, Roll
from fourfold.server.storage.redis_log import RedisLog
from tests.server.conftest import client


@pytest.fixture
async def log(every_clean_url: str) -> AsyncIterator[RedisLog]:
    log = await RedisLog.open(every_clean_url)
    yield log
    await log.close()


async def opened(log: RedisLog, heard: Callable[[Change], object] = lambda _: None) -> Members:
    members = Members(log, log.now, heard)
    await members.start()
    return members


async def test_a_change_is_known_to_all_servers_and_after_a_restart(log: RedisLog, every_clean_url: str) -> None:
    there = await RedisLog.open(every_clean_url)
    told = asyncio.Event()
    here = await opened(log)
    other = await opened(there, lambda change: told.set() if "s1" in change.void else None)
    await here.put(Change({"p1": Member(5, "Ann")}, {"s1": log.now() + 60_000}))
    async with asyncio.timeout(240):
        await told.wait()
    assert other.roll.name("p1") == "Ann" and other.roll.is_taken("ANN") and not other.roll.is_taken("Bob")
    later = await opened(log)
    assert later.roll.has("p1") and later.roll.is_void("s1")
    for members in (here, other, later):
        await members.stop()
    await there.close()


async def test_what_the_store_has_lost_is_kept_again(log: RedisLog, every_clean_url: str) -> None:
    members = await opened(log)
    await members.put(Change({"p1": Member(5, "Ann")}, {"s1": log.now() + 60_000}))
    again = asyncio.Event()
    there = await RedisLog.open(every_clean_url)
    listening = await opened(there, lambda change: again.set() if "s1" in change.void else None)
    again.clear()
    with client(every_clean_url) as store:
        store.delete(NAMES)
        store.delete(VOID)
        members.missed()
        async with asyncio.timeout(240):
            await again.wait()
        assert store.hexists(NAMES, "p1") and store.hexists(VOID, "s1")
    await members.stop()
    await listening.stop()
    await there.close()


async def test_a_session_whose_token_has_expired_is_forgotten(log: RedisLog, every_clean_url: str) -> None:
    first = await opened(log)
    await first.put(Change(void={"old": log.now() - 1, "new": log.now() + 60_000}))
    await first.stop()
    second = await opened(log)
    assert not second.roll.is_void("old") and second.roll.is_void("new")
    with client(every_clean_url) as store:
        assert not store.hexists(VOID, "old")
    await second.stop()


def test_a_name_is_free_again_when_its_account_has_another() -> None:
    roll = Roll()
    roll.take(Change({"p1": Member(5, "Ann")}))
    roll.take(Change({"p1": Member(5, "Bea")}))
    assert not roll.is_taken("Ann") and roll.is_taken("Bea")
    roll.take(Change({"p1": Member(5, "")}))
    assert not roll.is_taken("Bea") and not roll.has("p1") and roll.knows("p1")
