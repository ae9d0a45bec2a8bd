"""Deadlines outlive the node that set them. While it lives, other nodes leave them alone."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack

import pytest

from fourfold.server.rooms.takeover import AHEAD, GRACE, LOOK, QUARANTINE, TAKE, Takeover
from fourfold.server.storage.event_log import DamagedEntry, LogUnavailable
from tests.server.memory_log import MemoryLog


class Hand:
    """A clock set by hand."""

    def __init__(self) -> None:
        self.now = 1_700_000_000_000

    def __call__(self) -> int:
        return self.now


class Log(MemoryLog):
    """A log whose reminders a test can read, and wait for."""

    def __init__(self, clock: Hand) -> None:
        super().__init__(clock)
        self._changed = asyncio.Event()

    async def remind(self, times: Mapping[str, int | None], take: int = 0, lease: int = 0) -> list[str]:
        taken = await super().remind(times, take, lease)
        self._changed.set()
        return taken

    @property
    def noted(self) -> dict[str, int]:
        return self._reminders

    async def until(self, condition: Callable[[dict[str, int]], bool]) -> None:
        async with asyncio.timeout(240):
            while not condition(self._reminders):
                self._changed.clear()
                await self._changed.wait()


class Node:
    """A node's deadlines: takes rooms over on request, and rings."""

    def __init__(self, log: Log) -> None:
        self.log = log
        self.taken: asyncio.Queue[str] = asyncio.Queue()
        self.rang: asyncio.Queue[str] = asyncio.Queue()
        self.deadlines: dict[str, int] = {}
        self.away = False
        self.takeover = Takeover(log, log.now, self.rang.put_nowait, self.load)

    async def load(self, room: str) -> None:
        self.taken.put_nowait(room)
        if self.away:
            raise LogUnavailable("away")
        self.takeover.deadlines.set(room, self.deadlines.get(room))

    async def next(self) -> str:
        return await asyncio.wait_for(self.taken.get(), 240)


@pytest.fixture
def clock() -> Hand:
    return Hand()


@pytest.fixture
def log(clock: Hand) -> Log:
    return Log(clock)


Start = Callable[[], Node]


@pytest.fixture
async def start(log: Log) -> AsyncIterator[Start]:
    async with AsyncExitStack() as stack:

        def start() -> Node:
            node = Node(log)
            stack.push_async_callback(node.takeover.close)
            node.takeover.start()
            return node

        yield start


async def test_a_new_deadline_is_noted_at_once(log: Log, clock: Hand, start: Start) -> None:
    node = start()
    node.takeover.deadlines.set("near", clock.now + 3_000)
    node.takeover.deadlines.set("far", clock.now + 3_600_000)
    node.takeover.deadlines.set("past", clock.now - 5)
    for _ in range(3):
        await asyncio.sleep(0)
    assert log.noted == {
        "near": clock.now + 3_000 + GRACE,
        "far": clock.now + AHEAD,
        "past": clock.now + GRACE,
    }


async def test_nothing_is_taken_before_players_can_connect(log: Log, clock: Hand) -> None:
    node = Node(log)
    await log.remind({"vote": clock.now - 1})
    other = Node(log)
    other.takeover.start()
    assert await other.next() == "vote"
    assert node.taken.empty()
    await asyncio.gather(node.takeover.close(), other.takeover.close())


async def test_the_deadlines_of_the_dead_are_taken_by_one(log: Log, clock: Hand, start: Start) -> None:
    doomed, one, other = start(), start(), start()
    one.deadlines = other.deadlines = {"vote": clock.now + 60_000}
    doomed.takeover.deadlines.set("vote", clock.now + 60_000)
    await log.until(lambda noted: "vote" in noted)
    await doomed.takeover.close()
    clock.now += AHEAD + 1
    await log.until(lambda noted: noted["vote"] == clock.now + AHEAD)
    await asyncio.sleep(2 * LOOK)  # both have checked again by then
    assert one.taken.qsize() + other.taken.qsize() == 1
    heir = one if one.taken.qsize() else other
    assert heir.takeover.deadlines.by_room == one.deadlines


@pytest.mark.slow
async def test_while_a_node_lives_it_is_left_alone(log: Log, clock: Hand, start: Start) -> None:
    keeper, other = start(), start()
    keeper.takeover.deadlines.set("game", clock.now + 3_600_000)
    await log.until(lambda noted: "game" in noted)
    for _ in range(4):
        clock.now += 6_000
        await log.until(lambda noted, put_off=clock.now + AHEAD: noted["game"] == put_off)
    assert other.taken.empty()


async def test_a_deadline_that_is_over_is_struck_out(log: Log, clock: Hand, start: Start) -> None:
    node = start()
    node.takeover.deadlines.set("vote", clock.now + 30_000)
    await log.until(lambda noted: "vote" in noted)
    node.takeover.deadlines.set("vote", None)
    await log.until(lambda noted: "vote" not in noted)


async def test_a_room_without_a_deadline_is_looked_at_once(log: Log, clock: Hand, start: Start) -> None:
    await log.remind({"over": clock.now - 1})
    node = start()
    assert await node.next() == "over"
    await log.until(lambda noted: "over" not in noted)


async def test_what_is_handed_over_waits_for_its_own_time(log: Log, clock: Hand, start: Start) -> None:
    node = start()
    deadline = clock.now + 3_600_000
    node.takeover.deadlines.set("game", deadline)
    await node.takeover.hand_over("game")
    assert not node.takeover.deadlines.by_room
    assert log.noted == {"game": deadline + GRACE}
    clock.now += AHEAD * 2
    node.takeover.deadlines.set("witness", clock.now + 1)
    await log.until(lambda noted: "witness" in noted)
    assert log.noted["game"] == deadline + GRACE
    clock.now = deadline + GRACE
    while await node.next() != "game":
        pass


async def test_what_could_not_be_read_is_taken_again(log: Log, clock: Hand, start: Start) -> None:
    node = start()
    node.away = True
    await log.remind({"game": clock.now - 1})
    assert await node.next() == "game"
    clock.now += AHEAD + 1
    assert await node.next() == "game"


async def test_after_a_disaster_all_are_taken_without_waiting_in_between(
    log: Log, clock: Hand, start: Start
) -> None:
    rooms = {f"r{n}": clock.now - 1 for n in range(5 * TAKE)}
    await log.remind(rooms)
    node = start()
    async with asyncio.timeout(240):
        assert {await node.taken.get() for _ in rooms} == set(rooms)


@pytest.mark.parametrize("error", [DamagedEntry(4, "it cannot have happened"), ZeroDivisionError()])
async def test_a_room_that_cannot_be_loaded_keeps_no_other_waiting(
    log: Log, clock: Hand, start: Start, error: Exception
) -> None:
    node = start()
    load, loaded = node.takeover._load, asyncio.Queue[str]()

    async def load_some(room: str) -> None:
        loaded.put_nowait(room)
        if room == "damaged":
            raise error
        await load(room)

    node.takeover._load = load_some
    await log.remind({"damaged": clock.now - 2, "sound": clock.now - 1})
    assert {await asyncio.wait_for(loaded.get(), 240) for _ in range(2)} == {"damaged", "sound"}
    await log.until(lambda noted: "sound" not in noted)  # checked, and removed
    await log.remind({"later": clock.now - 1})
    assert await asyncio.wait_for(loaded.get(), 240) == "later", "it still checks"
    if isinstance(error, DamagedEntry):
        assert log.noted["damaged"] == clock.now + QUARANTINE


async def test_a_deadline_brought_forward_is_noted_at_once(log: Log, clock: Hand, start: Start) -> None:
    node = start()
    node.takeover.deadlines.set("game", clock.now + 3_600_000)
    await log.until(lambda noted: noted.get("game") == clock.now + AHEAD)
    node.takeover.deadlines.set("game", clock.now + 3_000)
    for _ in range(3):
        await asyncio.sleep(0)
    assert log.noted["game"] == clock.now + 3_000 + GRACE
    node.takeover.deadlines.set("game", clock.now + 8_000)
    for _ in range(3):
        await asyncio.sleep(0)
    assert log.noted["game"] == clock.now + 3_000 + GRACE, "a delayed deadline can wait"


async def test_a_node_that_stops_notes_what_it_has_not_noted_yet(log: Log, clock: Hand) -> None:
    node = Node(log)
    node.takeover.start()
    node.takeover.deadlines.set("game", clock.now + 60_000)
    await node.takeover.close()
    assert log.noted == {"game": clock.now + AHEAD}


async def test_also_if_it_stops_while_it_notes(log: Log, clock: Hand) -> None:
    node, asked = Node(log), asyncio.Event()
    remind = log.remind

    async def stuck(times: Mapping[str, int | None], take: int = 0, lease: int = 0) -> list[str]:
        if not asked.is_set():
            asked.set()
            await asyncio.Event().wait()
        return await remind(times, take, lease)

    log.remind = stuck  # type: ignore[method-assign]
    node.takeover.deadlines.set("game", clock.now + 60_000)
    node.takeover.start()
    await asked.wait()
    await node.takeover.close()
    assert log.noted == {"game": clock.now + AHEAD}


async def test_what_is_handed_over_while_it_is_being_noted_stays_noted(log: Log, clock: Hand) -> None:
    """Nothing renews the reminder after that, and nothing removes it: another node finds the room by it."""
    node, noting = Node(log), asyncio.Event()
    remind = log.remind

    async def slow(times: Mapping[str, int | None], take: int = 0, lease: int = 0) -> list[str]:
        await noting.wait()
        return await remind(times, take, lease)

    log.remind = slow  # type: ignore[method-assign]
    node.takeover.deadlines.set("game", clock.now + 60_000)
    note = asyncio.create_task(node.takeover._note({"game"}, 0))
    await asyncio.sleep(0)
    handing = asyncio.create_task(node.takeover.hand_over("game"))
    await asyncio.sleep(0)
    noting.set()
    await asyncio.gather(note, handing)
    clock.now += AHEAD
    assert node.takeover._stale() == set()
    assert log.noted == {"game": clock.now - AHEAD + 60_000 + GRACE}
    await node.takeover.close()
