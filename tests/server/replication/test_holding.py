"""Rooms held in memory: loaded once for all callers, loaded again after they are dropped, dropped when unused."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from fourfold.engine.decisions import Decision, Rejection
from fourfold.engine.match.commands import Create, Sit
from fourfold.server.replication.holding import SWEEP, NoSuchRoom
from fourfold.server.replication.rejections import GONE
from fourfold.server.rooms.registry import RoomRegistry
from fourfold.server.rooms.room import Room
from fourfold.server.storage.event_log import DamagedEntry, LogUnavailable
from tests.server.memory_log import MemoryLog

ID = "abcdefgh"


class Log(MemoryLog):
    """A log that counts the reads of each room, and fails on demand."""

    def __init__(self) -> None:
        super().__init__(lambda: 1_000)
        self.reads: list[str] = []
        self.error: Exception | None = None

    async def read(self, room: str, after: int = 0, lineage: bytes | None = None) -> list[Decision]:
        self.reads.append(room)
        await asyncio.sleep(0)
        if self.error is not None:
            raise self.error
        return await super().read(room, after, lineage)


class Home:
    """A server's rooms, and the rooms that it reports to hold."""

    def __init__(self) -> None:
        self.log = Log()
        self.held: set[str] = set()

        def holds(room: str, here: bool) -> None:
            (self.held.add if here else self.held.remove)(room)

        self.rooms = RoomRegistry(self.log, self.log.now, b"secret", holds=holds)

    async def exists(self) -> None:
        """Somebody has opened a room elsewhere."""
        elsewhere = RoomRegistry(self.log, self.log.now, b"secret")
        assert isinstance(await elsewhere.open(ID, Create("standard"), "ann"), Room)
        await elsewhere.close()
        self.log.reads.clear()


@pytest.fixture
async def home() -> AsyncIterator[Home]:
    home = Home()
    yield home
    await home.rooms.close()


async def test_a_room_is_read_once_for_all_who_ask_and_kept(home: Home) -> None:
    await home.exists()
    first, second = await asyncio.gather(home.rooms.find(ID), home.rooms.find(ID))
    assert first is second is await home.rooms.find(ID) is home.rooms.holding(ID)
    assert (len(home.log.reads), home.held, home.rooms.holds(first)) == (1, {ID}, True)


async def test_one_who_gives_up_does_not_keep_the_others_from_it(home: Home) -> None:
    await home.exists()
    impatient, patient = (asyncio.create_task(home.rooms.find(ID)) for _ in range(2))
    await asyncio.sleep(0)
    impatient.cancel()
    assert (await patient).id == ID


@pytest.mark.parametrize("id", [ID, "not an id"])
async def test_what_there_is_not_is_not_held(home: Home, id: str) -> None:
    with pytest.raises(NoSuchRoom):
        await home.rooms.find(id)
    assert (home.rooms.holding(id), home.held, home.log._listeners) == (None, set(), {})
    assert len(home.log.reads) == (id == ID)


async def test_a_room_that_is_gone_is_read_again(home: Home) -> None:
    await home.exists()
    before = await home.rooms.find(ID)
    before.writer.stop(GONE)
    after = await home.rooms.find(ID)
    assert after is not before and not after.gone
    assert home.log._listeners[ID] is after


@pytest.mark.parametrize("error", [DamagedEntry(1, "it is missing"), LogUnavailable("away")])
async def test_a_room_that_cannot_be_read_is_not_held_and_a_damaged_one_not_read_again_at_once(
    home: Home, error: Exception
) -> None:
    await home.exists()
    home.log.error = error
    for _ in range(2):
        with pytest.raises(type(error)):
            await home.rooms.find(ID)
    assert len(home.log.reads) == (1 if isinstance(error, DamagedEntry) else 2)
    assert (home.rooms.holding(ID), home.log._listeners) == (None, {})


async def test_a_room_that_is_opened_twice_is_one_room(home: Home) -> None:
    opened = await asyncio.gather(*(home.rooms.open(ID, Create("standard"), "ann", "key") for _ in range(2)))
    assert opened[0] is opened[1] and isinstance(opened[0], Room)
    assert (opened[0].seq, home.held) == (1, {ID})
    other = await home.rooms.open(ID, Create("no such variant"), "ann", "other key")
    assert other is opened[0]


async def test_a_room_that_cannot_be_opened_is_not_held(home: Home) -> None:
    refused = await home.rooms.open(ID, Create("no such variant"), "ann")
    assert isinstance(refused, Rejection)
    assert (home.held, home.log._listeners) == (set(), {})


@pytest.mark.interpreted
async def test_a_room_is_dropped_that_was_idle_at_two_sweeps(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    await home.exists()
    room = await home.rooms.find(ID)
    idle = [True, False, True, True]  # at each sweep; it checks again before it drops one
    kept: list[bool] = []
    swept = asyncio.Event()

    async def sleep(seconds: float) -> None:
        if seconds == SWEEP:
            kept.append(home.rooms.holds(room))
            if len(kept) > len(idle):
                swept.set()
                await asyncio.Event().wait()

    monkeypatch.setattr("fourfold.server.replication.holding.asyncio.sleep", sleep)
    monkeypatch.setattr(Room, "idle", property(lambda _: idle[len(kept) - 1]))
    sweeping = asyncio.create_task(home.rooms._sweep())
    await asyncio.wait_for(swept.wait(), 240)
    sweeping.cancel()
    assert kept == [True, True, True, True, False]
    assert (home.held, home.log._listeners) == (set(), {})


@pytest.mark.interpreted
async def test_a_room_that_was_asked_for_is_not_dropped_at_once(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever asked may first have to prove a password or wait for a ping."""
    await home.exists()
    room = await home.rooms.find(ID)
    kept: list[bool] = []
    swept = asyncio.Event()

    async def sleep(seconds: float) -> None:
        if seconds == SWEEP:
            kept.append(home.rooms.holds(room))
            if len(kept) == 2:
                assert await home.rooms.find(ID) is room
            if len(kept) == 4:
                swept.set()
                await asyncio.Event().wait()

    monkeypatch.setattr("fourfold.server.replication.holding.asyncio.sleep", sleep)
    monkeypatch.setattr(Room, "idle", property(lambda _: True))
    sweeping = asyncio.create_task(home.rooms._sweep())
    await asyncio.wait_for(swept.wait(), 240)
    sweeping.cancel()
    assert kept == [True, True, True, False]


@pytest.mark.interpreted
async def test_a_room_to_which_somebody_comes_while_another_is_dropped_is_kept(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    for id in (ID, ID[::-1]):
        await home.rooms.open(id, Create("standard"), "ann")
    sweeps, swept = 0, asyncio.Event()

    async def sleep(seconds: float) -> None:
        nonlocal sweeps
        if seconds == SWEEP:
            sweeps += 1
            if sweeps == 3:
                swept.set()
                await asyncio.Event().wait()

    monkeypatch.setattr("fourfold.server.replication.holding.asyncio.sleep", sleep)
    monkeypatch.setattr(Room, "idle", property(lambda _: len(home.held) == 2))
    sweeping = asyncio.create_task(home.rooms._sweep())
    await asyncio.wait_for(swept.wait(), 240)
    sweeping.cancel()
    assert len(home.held) == 1


async def test_one_that_fails_keeps_no_other_from_what_the_store_tells(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost: list[str] = []
    for id in (ID, ID[::-1]):
        await home.rooms.open(id, Create("standard"), "ann")
    first, second = (home.rooms.holding(id) for id in (ID, ID[::-1]))

    def fails(nodes: Any) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(first, "lose", fails)
    monkeypatch.setattr(second, "lose", lost.extend)
    home.rooms.lost(["node"])
    assert lost == ["node"]


async def test_after_a_loss_each_room_is_doubted_until_it_has_been_compared(home: Home) -> None:
    room = await home.rooms.open(ID, Create("standard"), "ann")
    assert isinstance(room, Room)
    room.submit(Sit("Ann"), "ann", lambda _: None)
    home.rooms.loss()
    assert home.rooms.doubted == 1
    await asyncio.wait_for(asyncio.gather(*home.rooms._checking), 240)
    assert home.rooms.doubted == 0
