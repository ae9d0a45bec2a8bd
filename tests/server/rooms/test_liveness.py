"""Presence is proved by the answer to a ping, on any node; a check ends when all have answered."""

import asyncio
from typing import Any

import pytest

from fourfold.server.rooms import node_messages
from fourfold.server.rooms.liveness import WITHIN, LivenessCheck
from fourfold.server.storage.event_log import LogUnavailable
from tests.virtual_time import in_virtual_time


class Nodes:
    """Nodes with one room; every message reaches all at once."""

    def __init__(self, number: int) -> None:
        self.away = False
        self.answered = asyncio.Event()
        self.told: list[node_messages.Probe | node_messages.Alive] = []
        self.tasks: list[asyncio.Task[None]] = []
        self.followers: list[list[Any]] = [[] for _ in range(number)]
        log: Any = self
        self.checks = [LivenessCheck("room", log, self.do) for _ in range(number)]

    def do(self, work: Any) -> None:
        self.tasks.append(asyncio.create_task(work))

    async def tell(self, room: str, message: bytes) -> int:
        if self.away:
            raise LogUnavailable("away")
        heard = node_messages.read(message)
        assert isinstance(heard, node_messages.Probe | node_messages.Alive)
        self.told.append(heard)
        for check, followers in zip(self.checks, self.followers, strict=True):
            if isinstance(heard, node_messages.Probe):
                check.probed(heard, followers)
            else:
                check.answered(heard)
                self.answered.set()
        return len(self.checks)


class Player:
    """A follower who answers pings, or does not."""

    def __init__(self, player: str, origin: str, *, here: bool = True) -> None:
        self.player_id, self.origin, self.here = player, origin, here
        self.pinged: list[float] = []

    async def answers(self, seconds: float) -> bool:
        self.pinged.append(seconds)
        return self.here


async def test_a_check_ends_as_soon_as_all_have_answered_wherever_they_are() -> None:
    nodes = Nodes(2)
    ann, bob, eve = Player("ann", "192.0.2.1"), Player("bob", ""), Player("eve", "192.0.2.3")
    nodes.followers = [[ann, eve], [bob]]
    alive = await asyncio.wait_for(nodes.checks[0].check({"ann", "bob"}), 240)
    assert alive == {"ann": "192.0.2.1", "bob": ""}
    assert (ann.pinged, bob.pinged, eve.pinged) == ([WITHIN], [WITHIN], []), "only the requested players"


async def test_who_comes_after_the_question_answers_it() -> None:
    """One who takes a seat follows the room a moment later, and lost the seat if another seeker came in between."""
    nodes = Nodes(2)
    asking = asyncio.create_task(nodes.checks[0].check({"bob"}))
    await asyncio.sleep(0)
    nodes.checks[1].came(Player("eve", "192.0.2.3"))  # type: ignore[arg-type]
    nodes.checks[1].came(Player("bob", "192.0.2.2"))  # type: ignore[arg-type]
    assert await asyncio.wait_for(asking, 240) == {"bob": "192.0.2.2"}


async def test_a_node_that_follows_the_room_later_hears_the_open_question() -> None:
    """One who came back at another server lost the seat, if a seeker had asked a moment before."""
    nodes = Nodes(2)
    ann, bob = Player("ann", "192.0.2.1"), Player("bob", "192.0.2.2")
    nodes.followers[0].append(ann)
    late, _ = nodes.checks.pop(), nodes.followers.pop()
    asking = asyncio.create_task(nodes.checks[0].check({"ann", "bob"}))
    await asyncio.wait_for(nodes.answered.wait(), 240)
    nodes.checks.append(late)
    nodes.followers.append([bob])
    nodes.checks[0].repeat()
    assert await asyncio.wait_for(asking, 240) == {"ann": "192.0.2.1", "bob": "192.0.2.2"}
    assert len(ann.pinged) == 1, "who has answered is not asked again"


async def test_no_question_is_repeated_while_the_store_is_away() -> None:
    nodes = Nodes(1)
    asking = asyncio.create_task(nodes.checks[0].check({"ann"}))
    await asyncio.sleep(0)
    nodes.away = True
    nodes.checks[0].repeat()
    await asyncio.gather(*nodes.tasks)
    asking.cancel()


def test_a_late_comer_answers_no_question_that_is_over() -> None:
    async def run() -> None:
        nodes = Nodes(1)
        assert await nodes.checks[0].check({"bob"}) == {}
        await asyncio.sleep(WITHIN)
        nodes.checks[0].came(bob := Player("bob", "192.0.2.2"))  # type: ignore[arg-type]
        assert (nodes.tasks, bob.pinged) == ([], [])

    in_virtual_time(run())


@pytest.mark.interpreted
async def test_who_does_not_answer_is_not_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fourfold.server.rooms.liveness.WITHIN", 0.01)
    nodes = Nodes(1)
    nodes.followers = [[Player("ann", "a"), Player("bob", "b", here=False)]]
    assert await nodes.checks[0].check({"ann", "bob"}) == {"ann": "a"}
    number = nodes.told[0].number
    nodes.checks[0].answered(node_messages.Alive(number, "bob", "b"))  # too late: nobody waits any more


async def test_answers_count_for_their_own_check_alone() -> None:
    nodes = Nodes(1)
    first, second = (asyncio.create_task(nodes.checks[0].check({"ann"})) for _ in range(2))
    await asyncio.sleep(0)
    one, other = (probe.number for probe in nodes.told)
    nodes.checks[0].answered(node_messages.Alive(other, "ann", "b"))
    assert (await second, first.done()) == ({"ann": "b"}, False)
    nodes.checks[0].answered(node_messages.Alive(one, "ann", "a"))
    assert await first == {"ann": "a"}


async def test_without_the_store_nothing_is_known() -> None:
    nodes = Nodes(1)
    nodes.away = True
    with pytest.raises(LogUnavailable):
        await nodes.checks[0].check({"ann"})
    nodes.checks[0].probed(node_messages.Probe("number", ["ann"]), [Player("ann", "a")])
    await asyncio.gather(*nodes.tasks)
    assert nodes.told == []
