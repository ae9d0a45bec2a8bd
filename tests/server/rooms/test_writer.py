"""The writer of a match: before a decision, it gives back the time lost in outages, and proves absence."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from fourfold.engine.decisions import Decision, Rejection
from fourfold.engine.match.clock import Control
from fourfold.engine.match.commands import Create, Credit, Expire, Move, Propose, Resign, Sit, Vote
from fourfold.engine.match.events import Credited, Flagged, Moved, ProposalKind
from fourfold.server.metrics import Metrics
from fourfold.server.rooms.retention import Retention
from fourfold.server.rooms.writer import RoomWriter
from fourfold.server.storage.event_log import AppendConflict, AppendRequest, LogUnavailable, Outage
from tests.server.memory_log import MemoryLog
from tests.server.replication.test_log_writer import ask, writer_on


class Away(MemoryLog):
    """A log with an outage, known only afterwards. While it `fails`, nothing is written."""

    def __init__(self) -> None:
        self.time = 1_000
        super().__init__(lambda: self.time)
        self.known: list[Outage] = []
        self.fails = False
        self.beats = 0
        self.unheard: list[Outage] = []

    @property
    def certain(self) -> bool:
        return not self.unheard

    async def beat(self) -> None:
        self.beats += 1
        if self.fails:
            raise LogUnavailable("away again")
        self.known, self.unheard = [*self.known, *self.unheard], []

    async def steady(self) -> None:
        if self.fails:
            await asyncio.Event().wait()  # for longer than a caller should wait
        await self.beat()

    def append(self, *args: Any, **kwargs: Any) -> asyncio.Future[Decision]:
        if not self.fails:
            return super().append(*args, **kwargs)
        future: asyncio.Future[Decision] = asyncio.get_running_loop().create_future()
        future.set_exception(LogUnavailable("away again"))
        return future

    def outages(self) -> Sequence[Outage]:
        return self.known


async def timed_game_on(log: MemoryLog) -> RoomWriter:
    """A game with a second for each player, in which both have moved once."""
    writer = writer_on(log)
    await ask(writer, Create("standard", control=Control(1_000)), "ann", "create")
    for player in ("ann", "bob"):
        await ask(writer, Sit(player), player, f"sit {player}")
    for number, (player, text) in enumerate((("ann", "e2e4"), ("bob", "e7e5"))):
        assert isinstance(await ask(writer, Move(text, 3 + number), player, text), int)
    return writer


@pytest.mark.parametrize("last", [Move("g1f3", 5), Expire()], ids=["a move", "the flag"])
@pytest.mark.parametrize("fails", [True, False], ids=["away again", "there"])
async def test_nothing_is_judged_before_what_an_outage_took_is_given_back(fails: bool, last: Any) -> None:
    """Also when the store was away again at the moment of giving it back."""
    log = Away()
    writer = await timed_game_on(log)
    log.known = [Outage(900, 1_500), Outage(2_000, 9_000)]
    log.time = 9_400
    if fails:
        log.fails = True
        for command in (Credit(900, 1_500), last):
            assert isinstance(await ask(writer, command, "ann", f"failing {command}"), Rejection)
        log.fails = False
    answer = await ask(writer, last, "ann", "last")
    events = [event for decision in await log.read("room", 5) for event in decision.events]
    assert [event.milliseconds for event in events if isinstance(event, Credited)] == [500, 7_000]
    assert not any(isinstance(event, Flagged) for event in events)
    assert isinstance(answer, int)


@pytest.mark.parametrize("last", [Move("g1f3", 5), Expire()], ids=["a move", "the flag"])
async def test_nothing_is_judged_before_it_is_known_whether_the_store_was_away(last: Any) -> None:
    """A command in progress during an outage is decided afterwards, before the outage is known here."""
    log = Away()
    writer = await timed_game_on(log)
    log.unheard = [Outage(900, 9_000)]
    log.time = 9_400
    log.fails = True
    refused = await ask(writer, last, "ann", "first")
    assert isinstance(refused, Rejection) and refused.code == "unavailable"
    log.fails = False
    assert isinstance(await ask(writer, last, "ann", "last"), int)
    events = [event for decision in await log.read("room", 5) for event in decision.events]
    assert [event.milliseconds for event in events if isinstance(event, Credited)] == [8_000]
    assert not any(isinstance(event, Flagged) for event in events)


async def test_a_vote_about_who_is_absent_is_refused_while_the_store_is_away() -> None:
    """Then it is unknown whether the player could connect, and the wait for the store is bounded."""
    log = Away()
    writer = writer_on(log, inform=lambda proposal: replace(proposal, absent={1: 0}))
    await ask(writer, Create("standard"), "ann", "create")
    for player in ("ann", "bob"):
        await ask(writer, Sit(player), player, f"sit {player}")
    remove = Propose(ProposalKind.REMOVE, 3, seat="black")
    log.fails = True
    async with asyncio.timeout(240):
        refused = await ask(writer, remove, "ann", "remove")
    assert isinstance(refused, Rejection) and refused.code == "unavailable"
    log.fails = False
    assert isinstance(await ask(writer, remove, "ann", "remove"), int)


@pytest.mark.parametrize(
    ("absent", "asked"),
    [
        ({}, 0),
        ({2: 1_001}, 0),
        ({1: 1_000}, 1),
        ({1: 999, 2: 1_001}, 1),
        ({1: 1_001, 2: 999}, 1),
    ],
    ids=["nobody is away", "not absent yet", "absent now", "one of two", "the other of two"],
)
async def test_before_somebody_counts_as_absent_the_store_is_asked_whether_it_was_away(
    absent: dict[int, int], asked: int
) -> None:
    log = Away()
    writer = writer_on(log, inform=lambda proposal: replace(proposal, absent=absent))
    await ask(writer, Create("survivor"), "ann", "create")
    for player in ("ann", "bob", "cid", "dan"):
        await ask(writer, Sit(player), player, f"sit {player}")
    await ask(writer, Propose(ProposalKind.REMOVE, 5, seat="blue"), "ann", "remove")
    assert log.beats == asked


class Kept(MemoryLog):
    """A log that records the retention after each append."""

    def __init__(self) -> None:
        super().__init__(lambda: 1_000)
        self.keeps: list[int | None] = []

    def append(self, request: AppendRequest) -> asyncio.Future[Decision]:
        self.keeps.append(request.keep)
        return super().append(request._replace(keep=None))


async def test_a_log_is_kept_for_as_long_as_its_status_says_from_the_decision_that_changes_it() -> None:
    log, metrics = Kept(), Metrics()
    kept = Retention(open=1, closed=2, playing=3, finished=4)
    writer = RoomWriter(
        "room", log, log.now, kept, metrics, lambda *_: None, lambda _: None, lambda _: None, lambda proposal: proposal
    )
    for player, command in (
        ("ann", Create("standard")),
        ("ann", Sit("Ann")),
        ("bob", Sit("Bob")),
        ("ann", Move("e2e4", 3)),
        ("bob", Resign()),
        ("ann", Propose(ProposalKind.REMATCH, 5)),
        ("bob", Vote(1, True)),
    ):
        assert isinstance(await ask(writer, command, player, f"{command}"), int)
    assert log.keeps == [1, 1, 3, 3, 4, 4, 3]
    assert (metrics.moves, metrics.credits) == (1, 0)


async def test_a_proposal_that_was_made_gets_its_answer_although_somebody_is_absent_now() -> None:
    """It needs no request to the store, which may be away."""
    log = Away()
    absent: dict[int, int] = {}
    writer = writer_on(log, inform=lambda proposal: replace(proposal, absent=absent))
    await ask(writer, Create("standard"), "ann", "create")
    for player in ("ann", "bob"):
        await ask(writer, Sit(player), player, f"sit {player}")
    assert await ask(writer, Propose(ProposalKind.DRAW, 3), "ann", "draw") == 4
    absent[1], log.fails = 0, True
    assert await ask(writer, Propose(ProposalKind.DRAW, 3), "ann", "draw") == 4


async def test_time_that_was_given_back_is_given_back_once() -> None:
    log = Away()
    writer = await timed_game_on(log)
    log.known = [Outage(2_000, 9_000)]
    log.time = 9_200
    for number, player in enumerate(("ann", "bob")):
        assert isinstance(await ask(writer, Propose(ProposalKind.DRAW, 5), player, f"{number}"), int | Rejection)
    events = [event for decision in await log.read("room", 5) for event in decision.events]
    assert [event.milliseconds for event in events if isinstance(event, Credited)] == [7_000]


async def test_a_command_that_was_judged_in_vain_waits_again_until_outages_are_known() -> None:
    """The answer, that another node was first, took long: the store may have been away meanwhile."""
    log = Away()
    writer = await timed_game_on(log)
    log.unheard = [Outage(0, 500)]  # so that the first time needs a request
    late: asyncio.Future[Decision] = asyncio.get_running_loop().create_future()
    append = log.append
    log.append = lambda *_: late  # type: ignore[method-assign]
    moving = asyncio.create_task(ask(writer, Move("g1f3", 5), "ann", "move"))
    while not log.beats:  # noqa: ASYNC110 - some turns of the event loop
        await asyncio.sleep(0)
    for _ in range(3):
        await asyncio.sleep(0)
    log.append = append  # type: ignore[method-assign]
    log.unheard, log.time = [Outage(1_100, 9_000)], 9_400
    late.set_exception(AppendConflict("another node was first"))
    assert isinstance(await moving, int)
    events = [event for decision in await log.read("room", 5) for event in decision.events]
    assert [type(event) for event in events] == [Credited, Moved]
