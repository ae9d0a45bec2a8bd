import asyncio

import pytest

from fourfold.server.rooms.deadlines import AGAIN, SLACK, Deadlines


class Watch:
    """A clock set by hand, and a record of what rang; `rang` can be waited for."""

    def __init__(self) -> None:
        self.now = 1_000_000
        self.rooms: list[str] = []
        self.rang = asyncio.Event()

    def __call__(self) -> int:
        return self.now

    def ring(self, room: str) -> None:
        self.rooms.append(room)
        self.rang.set()

    async def next(self) -> None:
        await asyncio.wait_for(self.rang.wait(), 240)
        self.rang.clear()


async def test_deadlines_ring_in_their_order_once() -> None:
    watch = Watch()
    deadlines = Deadlines(watch, watch.ring)
    for room, deadline in [("c", 30), ("a", 10), ("b", 20)]:
        deadlines.set(room, watch.now + deadline)
    watch.now += 25
    await watch.next()
    assert watch.rooms == ["a", "b"]
    watch.now += 25
    await watch.next()
    assert watch.rooms == ["a", "b", "c"]
    deadlines.stop()


async def test_a_deadline_set_again_replaces_the_first() -> None:
    watch = Watch()
    deadlines = Deadlines(watch, watch.ring)
    deadlines.set("moved", watch.now + 1)
    deadlines.set("moved", watch.now + 1_000_000)
    deadlines.set("cleared", watch.now + 1)
    deadlines.set("cleared", None)
    deadlines.set("witness", watch.now + 2)
    watch.now += 10
    await watch.next()
    assert watch.rooms == ["witness"]
    deadlines.stop()


async def test_a_deadline_put_off_again_and_again_rings_when_it_has_passed() -> None:
    watch = Watch()
    deadlines = Deadlines(watch, watch.ring)
    for _ in range(3):
        deadlines.set("moved", watch.now + 20)
        watch.now += 15
        deadlines.set("witness", watch.now)
        await watch.next()
        deadlines.set("witness", None)
    assert watch.rooms == ["witness"] * 3
    watch.now += 5
    await watch.next()
    assert watch.rooms[3:] == ["moved"]
    deadlines.stop()


async def test_a_deadline_brought_forward_rings_then_and_once() -> None:
    watch = Watch()
    deadlines = Deadlines(watch, watch.ring)
    deadlines.set("moved", watch.now + 30)
    deadlines.set("moved", watch.now + 10)
    watch.now += 10
    await watch.next()
    deadlines.set("moved", None)
    deadlines.set("witness", watch.now + 20)
    watch.now += 20
    await watch.next()
    assert watch.rooms == ["moved", "witness"]
    deadlines.stop()


async def test_a_deadline_in_the_past_rings_at_once() -> None:
    watch = Watch()
    deadlines = Deadlines(watch, watch.ring)
    deadlines.set("late", watch.now - 5)
    await watch.next()
    assert watch.rooms == ["late"]
    deadlines.stop()


@pytest.mark.slow
async def test_a_deadline_that_nobody_deals_with_rings_again() -> None:
    watch = Watch()
    deadlines = Deadlines(watch, watch.ring)
    deadlines.set("stubborn", watch.now)
    await watch.next()
    watch.now += AGAIN
    await watch.next()
    assert watch.rooms == ["stubborn", "stubborn"]
    assert deadlines.by_room == {"stubborn": 1_000_000}
    deadlines.set("stubborn", None)
    watch.now += AGAIN
    deadlines.set("witness", watch.now)
    await watch.next()
    assert watch.rooms[2:] == ["witness"]
    deadlines.stop()


async def test_a_room_appears_with_its_first_deadline() -> None:
    watch, appeared = Watch(), []
    deadlines = Deadlines(watch, watch.ring, appeared.append)
    for deadline in (5_000_000, 6_000_000, None, None, 7_000_000):
        deadlines.set("a", deadline)
    assert appeared == ["a", "a"]
    assert deadlines.by_room == {"a": 7_000_000}
    deadlines.stop()


async def test_deadlines_replaced_again_and_again_take_no_room_and_still_ring() -> None:
    watch = Watch()
    deadlines = Deadlines(watch, watch.ring)
    for n in range(20 * SLACK):
        deadlines.set(f"r{n % 7}", watch.now + 5_000_000 + n)
    assert len(deadlines._heap) == 7
    for n in range(20 * SLACK):
        deadlines.set(f"r{n % 7}", watch.now + 4_000_000 - n)
    assert len(deadlines._heap) < 3 * SLACK
    for n in range(7):
        deadlines.set(f"r{n}", watch.now + n)
    watch.now += 10
    await watch.next()
    assert watch.rooms == [f"r{n}" for n in range(7)]
    deadlines.stop()


async def test_a_room_appears_again_with_an_earlier_deadline_and_not_with_a_later_one() -> None:
    watch, appeared = Watch(), list[str]()
    deadlines = Deadlines(watch, watch.ring, appeared.append)
    counts = []
    for deadline in (50_000, 60_000, 60_000, 40_000, None, 70_000):
        deadlines.set("room", None if deadline is None else watch.now + deadline)
        counts.append(len(appeared))
    assert counts == [1, 1, 1, 2, 2, 3]
    deadlines.stop()
