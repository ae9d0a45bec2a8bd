"""Since when players are away, by all nodes' knowledge: never too early, and the same on all of them."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from typing import Any, cast

import pytest

from fourfold.engine.decisions import Decision
from fourfold.server.rooms import node_messages
from fourfold.server.rooms.presence import COUNT_EVERY, REMEMBERED, Presence
from fourfold.server.storage.event_log import EventLog, Outage
from tests.virtual_time import in_virtual_time


class Bus:
    """The messages between nodes, delivered when a test says so; and the clock of all nodes, set by hand."""

    def __init__(self) -> None:
        self.now = 1_000
        self.outages: list[Outage] = []
        self.nodes: dict[str, Node] = {}
        self.waiting: list[bytes] = []
        self.names = (f"node{number}" for number in count(1))

    def node(self) -> "Node":
        name = next(self.names)
        self.nodes[name] = Node(self, name)
        return self.nodes[name]

    def carry(self) -> None:
        """Deliver all messages so far, and the messages that they cause."""
        while self.waiting:
            message = self.waiting.pop(0)
            for node in [*self.nodes.values()]:
                here = node_messages.read(message)
                assert isinstance(here, node_messages.Here)
                node.presence.receive(here)

    async def asks(self, node: "Node") -> None:
        asking = asyncio.create_task(node.presence.ask())
        await asyncio.sleep(0)
        self.carry()
        await asking


class Node:
    """The part of one node's log that presence uses, and its presence in one room."""

    def __init__(self, bus: Bus, name: str) -> None:
        self.node = name
        self._bus = bus
        self.told: list[dict[str, int]] = []
        self.seated = ["ann", "bob"]
        nothing: Callable[[], None] = lambda: None  # noqa: E731
        log = cast(EventLog, self)
        self.shown: list[int] = []
        """The numbers of watchers that all followers were sent."""
        self.presence = Presence("room", log, lambda: 0, lambda: self.seated, nothing, self.show)

    def now(self) -> int:
        return self._bus.now

    def outages(self) -> Sequence[Outage]:
        return self._bus.outages

    def tell(self, _: str, message: bytes) -> "asyncio.Future[int]":
        self._bus.waiting.append(message)
        heard: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        heard.set_result(len(self._bus.nodes))
        return heard

    def show(self) -> None:
        self.shown.append(self.presence.watchers)

    def has(self, *players: str) -> None:
        self.presence.count(players, 0)
        self.presence.announce()


@pytest.fixture
def bus() -> Iterator[Bus]:
    made = Bus()
    yield made
    for node in made.nodes.values():
        node.presence.close()


def since(bus: Bus, player: str) -> set[int]:
    """The answers of all nodes."""
    return {node.presence.since(player) for node in bus.nodes.values()}


async def test_of_who_went_before_it_looked_a_node_counts_from_when_it_began_to_look(bus: Bus) -> None:
    node = bus.node()
    bus.now += 500
    assert node.presence.since("bob") == 1_000


async def test_from_the_end_of_the_last_connection_on_any_node(bus: Bus) -> None:
    one, other = bus.node(), bus.node()
    one.has("bob")
    other.has("bob")
    bus.carry()
    bus.now = 2_000
    one.has()
    bus.carry()
    assert one.presence.players == {"bob"}, "still there through the other"
    bus.now = 3_000
    other.has()
    bus.now = 3_009
    bus.carry()
    assert since(bus, "bob") == {3_000}, "reported, however long it took"


async def test_after_an_outage_from_its_end(bus: Bus) -> None:
    node = bus.node()
    node.has("bob")
    bus.now = 2_000
    node.has()
    bus.outages = [Outage(100, 900)]
    assert node.presence.since("bob") == 2_000, "it was earlier"
    bus.outages.append(Outage(2_100, 9_000))
    assert node.presence.since("bob") == 9_000


async def test_a_newcomer_takes_over_what_who_has_looked_for_longer_knows(bus: Bus) -> None:
    first, second = bus.node(), bus.node()
    first.has("bob")
    bus.carry()
    bus.now = 2_000
    first.has()
    bus.carry()
    bus.now = 8_000
    third = bus.node()
    assert third.presence.since("bob") == third.presence.since("ann") == 8_000
    await bus.asks(third)
    assert since(bus, "bob") == {2_000}
    assert since(bus, "ann") == {1_000}, "never seen: since the first node opened the room"
    del bus.nodes[first.node], bus.nodes[second.node]
    assert since(bus, "bob") == {2_000}, "known even when the nodes that saw it are gone"


async def test_whoever_may_have_missed_something_knows_nothing_any_more_and_asks(bus: Bus) -> None:
    deaf, other = bus.node(), bus.node()
    bus.now = 4_000
    del bus.nodes[deaf.node]
    other.has("bob")
    bus.carry()
    bus.now = 5_000
    other.has()
    bus.carry()
    bus.nodes[deaf.node] = deaf
    bus.now = 6_000
    deaf.presence.doubt()
    assert deaf.presence.since("bob") == 6_000
    await bus.asks(deaf)
    assert since(bus, "bob") == {5_000}


async def test_the_players_of_a_node_that_died_went_when_it_was_found_out(bus: Bus) -> None:
    doomed, other = bus.node(), bus.node()
    doomed.has("bob")
    bus.carry()
    del bus.nodes[doomed.node]
    bus.now = 7_000
    assert other.presence.lose([doomed.node])
    assert other.presence.since("bob") == 7_000


async def test_a_newcomer_who_asks_after_a_node_died_counts_its_players_from_then(bus: Bus) -> None:
    doomed, other = bus.node(), bus.node()
    doomed.has("bob")
    bus.carry()
    other.presence.saw(Decision(1, 2_000, "bob", "k", ()))
    bus.now = 6_000
    del bus.nodes[doomed.node]  # and no node knows yet
    newcomer = bus.node()
    await bus.asks(newcomer)
    assert newcomer.presence.since("bob") == 6_000
    bus.now = 7_000
    other.presence.lose([doomed.node])
    bus.carry()
    assert since(bus, "bob") == {7_000}


async def test_what_was_said_before_is_no_news_of_whoever_has_been_here_since(bus: Bus) -> None:
    one, other = bus.node(), bus.node()
    one.has("bob")
    bus.carry()
    bus.now = 2_000
    one.has()
    bus.carry()
    bus.now = 3_000
    one.has("bob")
    other.has("ann")  # and reports that bob is away since 2000
    stale, bus.waiting = bus.waiting[1:], bus.waiting[:1]
    bus.carry()
    bus.now = 4_000
    one.has()
    bus.carry()
    bus.waiting = stale
    bus.carry()
    assert since(bus, "bob") == {4_000}


async def test_whoever_decides_something_from_elsewhere_was_there_then(bus: Bus) -> None:
    node = bus.node()
    node.presence.saw(Decision(1, 500, "bob", "k", ()))
    assert node.presence.since("bob") == 1_000, "that was before"
    node.presence.saw(Decision(1, 1_800, "bob", "k", ()))
    assert node.presence.since("bob") == 1_800


async def test_those_without_a_seat_are_forgotten_the_seated_never(bus: Bus) -> None:
    node = bus.node()
    node.has("bob")
    bus.now += 1
    for number in range(3 * REMEMBERED):
        node.has(f"guest {number}")
    assert node.presence.since("bob") == 1_001
    here: Any = node_messages.read(bus.waiting[-1])
    assert len(here.left) <= REMEMBERED


@pytest.mark.interpreted
async def test_the_number_of_watchers_is_told_when_it_has_changed_by_a_hundredth(
    bus: Bus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fourfold.server.rooms.presence.COUNT_EVERY", 0)
    monkeypatch.setattr("fourfold.server.rooms.presence.COUNT_EACH", 0)
    node = bus.node()
    told = []
    for watchers in (1, 2, 500, 505, 506, 501, 500, 0):
        bus.waiting.clear()
        node.presence.count((), watchers)
        node.presence.announce()
        for _ in range(3):
            await asyncio.sleep(0)
        told.append(len(bus.waiting))
    assert told == [1, 1, 1, 0, 1, 0, 1, 1]


def test_a_follower_who_was_sent_another_number_of_watchers_is_sent_the_right_one() -> None:
    async def run() -> None:
        node = Bus().node()
        for watchers in (1, 0):  # a watcher comes, sees a snapshot, and goes before the others are sent the number
            node.presence.count((), watchers)
            node.presence.watchers_shown()
            node.presence.announce()
        await asyncio.sleep(2 * COUNT_EVERY)
        assert node.shown == [0]
        node.presence.announce()
        await asyncio.sleep(2 * COUNT_EVERY)
        assert node.shown == [0]
        node.presence.close()

    in_virtual_time(run())


async def test_what_a_node_hears_of_itself_counts_once(bus: Bus) -> None:
    here, there = bus.node(), bus.node()
    here.presence.count(("ann",), 3)
    here.presence.announce()
    there.presence.count(("bob",), 2)
    there.presence.announce()
    await bus.asks(here)
    await bus.asks(there)
    for node in (here, there):
        assert (node.presence.players, node.presence.watchers) == ({"ann", "bob"}, 5)
    here.presence.count((), 0)
    here.presence.announce()
    bus.carry()
    assert (here.presence.players, there.presence.players) == ({"bob"}, {"bob"})
    for node in (here, there):
        node.presence.close()
