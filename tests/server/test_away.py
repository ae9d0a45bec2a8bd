"""The store is away for a moment, or an answer of it is lost: nobody is left behind, and nothing is told twice."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fourfold.engine.match import Status
from fourfold.engine.match.clock import Control
from fourfold.engine.match.commands import Abort, Create, Credit, Expire, Move, Propose, Resign, Sit, Vote
from fourfold.engine.match.events import Credited, Decision, Flagged, ProposalKind, Rejection
from fourfold.server.metrics import Metrics
from fourfold.server.rooms.retention import USUAL
from fourfold.server.rooms.writer import RoomWriter
from fourfold.server.storage.event_log import AppendConflict, AppendRequest, LogUnavailable, Outage
from tests.faults.link import Link
from tests.server.conftest import node
from tests.server.memory_log import MemoryLog

Dial = Any  # see conftest


@pytest.fixture
async def linked(embedded_url: str, tmp_path: Path) -> AsyncIterator[tuple[str, Link]]:
    """A node that reaches the store over a link: its address, and the link."""
    async with AsyncExitStack() as stack:
        link = await Link(lambda: embedded_url.removeprefix("unix://")).start()
        stack.push_async_callback(link.close)
        yield await stack.enter_async_context(node(f"redis://127.0.0.1:{link.port}", tmp_path)), link


async def test_who_resumes_while_the_log_cannot_be_read_is_refused_and_may_ask_again(
    linked: tuple[str, Link], dial: Dial
) -> None:
    address, link = linked
    white, black = await dial(at=address), await dial(at=address)
    room = (await white.asks("create"))["room"]
    for wire in (white, black):
        await wire.asks("join", room=room)
    assert (await white.asks("move", room=room, move="e2e4", seq=3, key="1"))["seq"] == 4

    watcher = await dial(at=address)
    link.cut()
    refused = await watcher.asks("watch", room=room, since=2)
    assert refused["code"] == "unavailable"
    link.heal()

    async def back() -> dict[str, Any]:
        while True:
            reply: dict[str, Any] = await watcher.asks("watch", room=room, since=2)
            if reply["type"] == "ok":
                return reply
            assert reply["code"] == "unavailable"

    async with asyncio.timeout(60):
        await back()
    assert (await black.asks("move", room=room, move="e7e5", seq=4, key="1"))["seq"] == 5
    await watcher.seq(5)
    assert [update["seq"] for update in watcher.updates()] == [3, 4, 5]
    replies = [frame["id"] for frame in watcher.frames if "id" in frame]
    assert sorted(set(replies)) == sorted(replies), "one reply to each request"


async def test_a_player_who_resumes_while_the_log_is_slow_does_not_leave_meanwhile(
    linked: tuple[str, Link], dial: Dial
) -> None:
    address, link = linked
    white, black = await dial(at=address), await dial(at=address)
    room = (await white.asks("create"))["room"]
    for wire in (white, black):
        await wire.asks("join", room=room)

    def told() -> list[bool]:
        presences = (frame for frame in white.frames if frame["type"] == "presence" and frame["seat"] == "black")
        return [frame["online"] for frame in presences]

    await white.seen(lambda _: told() == [True])
    link.slow(0.3)
    resuming = await black.say("watch", room=room, since=1)
    for _ in range(3):
        await (await dial(at=address)).asks("watch", room=room)  # everybody is counted again
    assert not any(frame.get("id") == resuming for frame in black.frames), "still reading"
    link.heal()
    await black.seen(lambda frame: frame.get("id") == resuming)
    await black.seq(3)
    assert (await white.asks("watch", room=room))["seats"][1]["online"]
    assert told() == [True]


async def test_who_takes_a_seat_while_he_resumes_is_told_in_order(linked: tuple[str, Link], dial: Dial) -> None:
    address, link = linked
    host, guest = await dial(at=address), await dial(at=address)
    room = (await host.asks("create"))["room"]
    for number in range(6):  # some versions to be missed
        await host.asks("join" if number % 2 == 0 else "leave", room=room)
    link.slow(0.05)
    joining = await guest.say("join", room=room)
    watching = await guest.say("watch", room=room, since=1)
    for id in (joining, watching):
        assert (await guest.seen(lambda frame, id=id: frame.get("id") == id))["type"] in ("joined", "ok")
    await guest.seen(lambda frame: frame["type"] == "room")
    link.heal()
    assert (await host.asks("join", room=room))["type"] == "joined"
    await guest.seen(lambda frame: frame["type"] == "turn" or frame.get("seq") == 9)
    last = 1
    for frame in guest.frames:
        if frame["type"] == "room":
            last = frame["seq"]
        elif frame.get("id") == watching:
            last = 1
        elif frame["type"] == "update":
            assert frame["seq"] == last + 1, [(one["type"], one.get("seq")) for one in guest.frames]
            last = frame["seq"]
    assert last == 9


class LostAnswers(MemoryLog):
    """A log whose answers can be lost: the append lands, and its writer is not told before `answer`."""

    def __init__(self, clock: Callable[[], int]) -> None:
        super().__init__(clock)
        self.lossy = False
        self.landed = asyncio.Event()
        """That an append has, whose answer is lost."""
        self._waiting: list[asyncio.Future[Decision]] = []

    def append(self, request: AppendRequest) -> asyncio.Future[Decision]:
        done = super().append(request)
        if not self.lossy:
            return done
        self._waiting.append(asyncio.get_running_loop().create_future())
        self.landed.set()
        return self._waiting[-1]

    def answer(self, error: Exception) -> None:
        """What the writer hears in the end: that he gave up, or, having sent it again, that he comes too late."""
        for future in self._waiting:
            future.set_exception(error)


def writer_on(
    log: MemoryLog,
    ended: Callable[[Rejection], None] = lambda _: None,
    inform: Callable[[Propose], Propose] = lambda proposal: proposal,
) -> RoomWriter:
    return RoomWriter("room", log, log.now, USUAL, Metrics(), lambda *_: None, lambda _: None, ended, inform)


async def ask(writer: RoomWriter, command: Any, by: str, key: str) -> int | Rejection:
    answered: asyncio.Future[int | Rejection] = asyncio.get_running_loop().create_future()
    writer.submit(command, by, answered.set_result, key)
    return await answered


@pytest.mark.parametrize("error", [AppendConflict("sent again"), LogUnavailable("given up")], ids=["again", "given up"])
async def test_an_append_whose_answer_is_lost_may_be_found_by_a_reader_first(error: Exception) -> None:
    gone: list[Rejection] = []
    log = LostAnswers(lambda: 1_000)
    writer = writer_on(log, gone.append)
    assert await ask(writer, Create("standard"), "ann", "create") == 1
    log.lossy = True
    answers: list[int | Rejection] = []
    writer.submit(Sit("Ann"), "ann", answers.append, "sit")
    await writer.load()  # as does who is asked to resume what only another node has heard
    assert answers == [2]
    log.answer(error)
    await writer.settled()
    assert answers == [2]
    assert not gone


LONG = 300
"""So many decisions a long game has."""


class ReadOn(MemoryLog):
    """A log that notes the most that was read of it at a time."""

    most = 0

    async def read(self, room: str, after: int = 0, lineage: bytes | None = None) -> list[Decision]:
        decisions = await super().read(room, after, lineage)
        self.most = max(self.most, len(decisions))
        return decisions


async def played(writer: RoomWriter, moves: int, seq: int) -> None:
    """So many moves back and forth."""
    shuffle = ("g1f3", "g8f6", "f3g1", "f6g8")
    for number in range(moves):
        assert writer.state is not None
        player = writer.state.seats[number % 2].player or ""
        answer = await ask(writer, Move(shuffle[number % 4], writer.seq), player, f"{seq}.{number}")
        if isinstance(answer, Rejection) or writer.state.status is Status.FINISHED:
            return


@pytest.mark.parametrize("last", [Resign(), Abort()], ids=["resignation", "abort"])
async def test_an_old_command_that_comes_again_ends_no_later_game(last: Any) -> None:
    """The answer to it was lost, and its sender was away for some games."""
    log = ReadOn(lambda: 1_000)
    writer = writer_on(log)
    await ask(writer, Create("standard"), "ann", "create")
    for player in ("ann", "bob"):
        await ask(writer, Sit(player), player, f"sit {player}")
    first = await ask(writer, last, "ann", "the end")
    assert first == 4
    for game in range(2, 100):
        assert writer.state is not None
        proposal = await ask(writer, Propose(ProposalKind.REMATCH, writer.seq), "bob", f"again {game}")
        assert isinstance(proposal, int)
        assert writer.state.proposal is not None
        await ask(writer, Vote(writer.state.proposal.number, True), "ann", f"yes {game}")
        if writer.seq > LONG:
            break
        await played(writer, 3, writer.seq)
        await ask(writer, Resign(), "bob", f"resign {game}")
    assert writer.state is not None and writer.state.status is Status.PLAYING
    before = writer.seq
    log.most = 0
    assert await ask(writer, last, "ann", "the end") == first
    assert log.most == 0
    assert writer.seq == before
    assert writer.state.status is Status.PLAYING


async def test_what_is_refused_or_comes_again_in_a_long_game_reads_nothing_of_it() -> None:
    log = ReadOn(lambda: 1_000)
    writer = writer_on(log)
    await ask(writer, Create("standard"), "ann", "create")
    for player in ("ann", "bob"):
        await ask(writer, Sit(player), player, f"sit {player}")
    while writer.seq < LONG:
        number = writer.seq
        assert isinstance(await ask(writer, Move("g1f3", number), "ann", f"move {number}"), int)
        assert isinstance(await ask(writer, Propose(ProposalKind.UNDO, number + 1), "ann", f"undo {number}"), int)
        assert writer.state is not None and writer.state.proposal is not None
        await ask(writer, Vote(writer.state.proposal.number, True), "bob", f"yes {number}")
    seq = writer.seq
    log.most = 0
    for command in (Propose(ProposalKind.REMATCH, seq), Move("e2e5", seq), Move("e2e4", 3), Vote(999, True)):
        assert isinstance(await ask(writer, command, "ann", f"new {command}"), Rejection)
    assert await ask(writer, Move("g1f3", 3), "ann", "move 3") == 4
    assert await ask(writer, Sit("ann"), "ann", "sit ann") == 2
    assert log.most == 0
    assert writer.seq == seq


class Away(MemoryLog):
    """A log that was away, and knows of it afterwards; while it `fails`, nothing is written."""

    def __init__(self) -> None:
        self.time = 1_000
        super().__init__(lambda: self.time)
        self.known: list[Outage] = []
        self.fails = False
        self.unheard: list[Outage] = []

    @property
    def certain(self) -> bool:
        return not self.unheard

    async def beat(self) -> None:
        if self.fails:
            raise LogUnavailable("away once more")
        self.known, self.unheard = [*self.known, *self.unheard], []

    async def steady(self) -> None:
        if self.fails:
            await asyncio.Event().wait()  # for longer than anybody should
        await self.beat()

    def append(self, *args: Any, **kwargs: Any) -> asyncio.Future[Decision]:
        if not self.fails:
            return super().append(*args, **kwargs)
        future: asyncio.Future[Decision] = asyncio.get_running_loop().create_future()
        future.set_exception(LogUnavailable("away once more"))
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
@pytest.mark.parametrize("fails", [True, False], ids=["away once more", "there"])
async def test_nothing_is_judged_before_what_an_outage_took_is_given_back(fails: bool, last: Any) -> None:
    """Also where the store was away once more when it was to be given back."""
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
    """A command that was under way while the store was away is judged when it is back, before that is known here."""
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
    """It is not known then whether the player could come, and nobody waits for the store without an end."""
    log = Away()
    writer = writer_on(log, inform=lambda proposal: replace(proposal, absent={1: 0}))
    await ask(writer, Create("standard"), "ann", "create")
    for player in ("ann", "bob"):
        await ask(writer, Sit(player), player, f"sit {player}")
    remove = Propose(ProposalKind.REMOVE, 3, seat="black")
    log.fails = True
    async with asyncio.timeout(60):
        refused = await ask(writer, remove, "ann", "remove")
    assert isinstance(refused, Rejection) and refused.code == "unavailable"
    log.fails = False
    assert isinstance(await ask(writer, remove, "ann", "remove"), int)
