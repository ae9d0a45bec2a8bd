"""Facts that all nodes must agree on: the time, the outages, and the live servers."""

import asyncio
import signal
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import AsyncExitStack
from typing import Any

import pytest
import structlog
from redis import Redis

from fourfold.server.storage import heartbeat
from fourfold.server.storage.event_log import Callbacks, LogUnavailable, Outage
from fourfold.server.storage.heartbeat import STAMP_KEYS, Heartbeat
from fourfold.server.storage.redis_log import RedisLog
from tests.conftest import HANG

Store = Any  # see conftest
SECOND = 1_000_000


class Told:
    """Records the heartbeat's callbacks, in order; can be waited for."""

    def __init__(self, log: RedisLog) -> None:
        self.queue: asyncio.Queue[tuple[str, Any]] = asyncio.Queue()
        log.watch(Callbacks(self.outage, self.lost, self.back))

    def outage(self, outage: Outage) -> None:
        self.queue.put_nowait(("outage", outage))

    def lost(self, nodes: Collection[str]) -> None:
        self.queue.put_nowait(("lost", set(nodes)))

    def back(self) -> None:
        self.queue.put_nowait(("back", None))

    async def next(self) -> tuple[str, Any]:
        return await asyncio.wait_for(self.queue.get(), 240)


Open = Callable[[], Awaitable[RedisLog]]


@pytest.fixture
async def open_log(frail_store: Store) -> AsyncIterator[Open]:
    async with AsyncExitStack() as stack:

        async def open_log() -> RedisLog:
            log = await RedisLog.open(frail_store.url)
            stack.push_async_callback(log.close)
            return log

        yield open_log


async def test_nodes_share_the_stores_clock(frail_store: Store, open_log: Open) -> None:
    logs = [await open_log() for _ in range(3)]
    for _ in range(3):  # the quickest answer counts, so a slow one does no harm
        await asyncio.gather(*(log.steady() for log in logs))
    before = [log.now() for log in logs]
    with Redis.from_url(frail_store.url) as store:
        seconds, micros = store.time()
    after = [log.now() for log in logs]
    error = 50 + max(min(sample.trip for sample in log._heartbeat._samples) for log in logs) / 2000
    assert max(before) - error < seconds * 1000 + micros // 1000 < min(after) + error


@pytest.mark.slow
async def test_an_outage_is_known_to_all_before_the_store_is_called_steady(frail_store: Store, open_log: Open) -> None:
    logs = [await open_log() for _ in range(2)]
    told = [Told(log) for log in logs]
    start = time.time_ns() // 1_000_000
    frail_store.signal(signal.SIGSTOP)
    waiting = [asyncio.create_task(log.steady()) for log in logs]
    await asyncio.sleep(2.6)  # the outage itself
    assert not any(log.certain for log in logs)
    assert not any(task.done() for task in waiting)
    frail_store.signal(signal.SIGCONT)
    await asyncio.gather(*waiting)
    end = time.time_ns() // 1_000_000
    for log, ear in zip(logs, told, strict=True):
        await log.beat()
        assert log.certain
        (outage,) = log.outages()
        assert ear.queue.get_nowait() == ("outage", outage)
        assert start - 600 <= outage.start <= start + 10
        assert start + 2500 <= outage.end <= end
    assert logs[0].outages() == logs[1].outages()
    assert all(ear.queue.empty() for ear in told), "after an outage no server is declared dead"


async def test_a_killed_store_and_the_time_without_any_server_count_too(frail_store: Store, open_log: Open) -> None:
    log = await open_log()
    await log.close()
    frail_store.kill()
    await asyncio.sleep(2.2)  # the outage itself
    frail_store.start()
    before = time.time_ns() // 1_000_000
    late = await open_log()
    told = Told(late)
    *_, outage = late.outages()
    assert outage.end - outage.start > 2000
    assert before <= outage.end <= time.time_ns() // 1_000_000
    assert told.queue.empty(), "later servers read of it"


@pytest.mark.usefixtures("no_outages")
async def test_a_short_absence_is_no_outage(frail_store: Store, open_log: Open) -> None:
    log = await open_log()
    frail_store.kill()
    frail_store.start()
    await log.steady()
    assert log.outages() == ()


@pytest.mark.usefixtures("no_outages")
async def test_a_node_that_stops_beating_is_lost_and_comes_back(
    frail_store: Store, open_log: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(heartbeat, "PERIOD", HANG)  # it might beat before the others notice
    here, there = await open_log(), await open_log()
    await here.steady()
    told, told_there = Told(here), Told(there)
    with Redis.from_url(frail_store.url) as store:
        store.zadd(STAMP_KEYS[2], {there.node: 1, "never seen": 1})  # as if it had not beaten for long
    await here.steady()
    assert await told.next() == ("lost", {there.node})
    await there.steady()
    assert await told_there.next() == ("back", None)


async def test_a_node_that_ends_is_lost_at_once(open_log: Open) -> None:
    here, there = await open_log(), await open_log()
    await here.steady()
    told = Told(here)
    await there.close()
    await here.steady()
    assert await told.next() == ("lost", {there.node})


class Faraway:
    """A clock under test: the test sets the answers, network and clock of a store. Time goes by only on the way to the
    store and back."""

    def __init__(self) -> None:
        self.now = 0
        self.ahead = 0
        self.trip = 0
        self.beats = 0
        self.last = -1
        self.name = b"data"

    async def lacking(self) -> str | None:
        return None

    def ticks(self) -> int:
        return self.now

    async def stamp(self, acknowledges: bool) -> list[Any]:
        micros = self.now + self.trip // 4 + self.ahead
        self.now += self.trip
        self.beats += 1
        before, self.last = self.last, self.beats
        return [micros // SECOND, micros % SECOND, 0, [b"n"], b"", self.name, self.beats, before, self.last]

    async def history(self) -> list[bytes]:
        return []


async def test_the_quickest_answer_counts_until_a_clock_is_set() -> None:
    store = Faraway()
    heart = Heartbeat("n", store.lacking, store.stamp, store.history, store.ticks)

    def wrong() -> float:
        return abs(heart.offset - store.ahead) / 1000

    store.trip = SECOND // 10
    await heart.steady()
    assert wrong() == 25, "an asymmetric round trip misleads"
    store.trip = 0
    await heart.steady()
    assert wrong() == 0
    store.trip = SECOND // 10
    await heart.steady()
    assert wrong() == 0, "a slower answer does not"
    store.ahead = 3600 * SECOND
    await heart.steady()
    assert wrong() == 25, "the store's clock was set: all older answers are void"
    store.ahead = 0
    with structlog.testing.capture_logs() as logs:
        await heart.steady()
        await heart.steady()
    assert wrong() == 25
    (told,) = logs
    assert told["event"] == "the store's clock was set back" and told["milliseconds"] == 3_600_000


async def test_no_store_no_beat() -> None:
    async def stamp(_: bool) -> list[Any]:
        raise LogUnavailable("away")

    heart = Heartbeat("n", Faraway().lacking, stamp, Faraway().history)
    with pytest.raises(LogUnavailable):
        await heart.start()
    assert heart.asked < 0


async def test_a_store_that_cannot_acknowledge_is_not_stamped_and_callers_share_a_beat() -> None:
    store, stamps = Faraway(), list[bool]()
    lacks: str | None = "0 of 1 replicas"

    async def lacking() -> str | None:
        return lacks

    async def stamp(acknowledges: bool) -> list[Any]:
        stamps.append(acknowledges)
        return await store.stamp(acknowledges)

    heart = Heartbeat("n", lacking, stamp, store.history)
    await heart.start()  # the server starts anyway, and is not ready
    store.trip = 0.05
    answers = await asyncio.gather(*(heart.beat() for _ in range(9)), return_exceptions=True)
    assert {str(answer) for answer in answers} == {lacks}
    assert heart.asked < 0 < heart.heard
    assert 1 < len(stamps) < 9 and not any(stamps)
    lacks = None
    await heart.beat()
    assert stamps[-1] and heart.asked > 0
    await heart.close()


async def test_a_heartbeat_that_is_closed_leaves_no_beat_behind() -> None:
    """One beat is in progress then, and another waits for it."""
    asked = asyncio.Semaphore(0)

    async def stamp(_: bool) -> list[Any]:
        asked.release()
        return await asyncio.Future[list[Any]]()

    heart = Heartbeat("n", Faraway().lacking, stamp, Faraway().history)
    before = asyncio.all_tasks()
    beats = [asyncio.create_task(heart.beat())]
    await asked.acquire()
    beats.append(asyncio.create_task(heart.beat()))
    await asyncio.sleep(0)  # it waits now
    await heart.close()
    assert asyncio.all_tasks() <= {*before, *beats}
    await asyncio.wait(beats)


async def test_a_store_that_lost_something_is_told_of_loudly_and_once() -> None:
    store = Faraway()
    heart = Heartbeat("n", store.lacking, store.stamp, store.history)
    losses: list[bool] = []
    heart.callbacks = Callbacks(loss=lambda: losses.append(True))
    with structlog.testing.capture_logs() as logs:
        for _ in range(5):
            await heart.beat()
        store.beats += 7  # other nodes' beats
        await heart.beat()
        assert not losses
        store.beats -= 3  # an older file
        await heart.beat()
        await heart.beat()
        assert len(losses) == 1
        store.beats += 100  # other nodes beat faster
        store.last -= 1  # and our own last one is missing
        await heart.beat()
        assert len(losses) == 2
        store.last = -1  # we were declared dead
        await heart.beat()
        assert len(losses) == 2
        store.name, store.beats = b"other data", 1000
        await heart.beat()
        await heart.beat()
        assert len(losses) == 3
    assert [entry["log_level"] for entry in logs] == ["error"] * 3
