"""The writer of a log: commands are judged one at a time, in their order; each is answered once, whatever is lost."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from fourfold.engine.match import Status
from fourfold.engine.match.commands import Abort, Create, Move, Propose, Resign, Sit, Vote
from fourfold.engine.match.events import Decision, ProposalKind, Rejection, Seated
from fourfold.server.metrics import Metrics
from fourfold.server.rooms.retention import USUAL
from fourfold.server.rooms.writer import RoomWriter
from fourfold.server.storage.event_log import AppendConflict, AppendRequest, LogUnavailable, Notification
from tests.server.memory_log import MemoryLog


class LostAnswers(MemoryLog):
    """A log whose answers can be lost or late: the append lands, and its writer waits for `answer` or `deliver`."""

    def __init__(self, clock: Callable[[], int]) -> None:
        super().__init__(clock)
        self.lossy = False
        self.landed = asyncio.Event()
        """That an append has, whose answer is lost."""
        self._waiting: list[tuple[asyncio.Future[Decision], asyncio.Future[Decision]]] = []

    def append(self, request: AppendRequest) -> asyncio.Future[Decision]:
        done = super().append(request)
        if not self.lossy:
            return done
        late: asyncio.Future[Decision] = asyncio.get_running_loop().create_future()
        self._waiting.append((late, done))
        self.landed.set()
        return late

    def answer(self, error: Exception) -> None:
        """End the wait of the writer: the append was given up, or, sent again, came too late."""
        for late, _ in self._waiting:
            late.set_exception(error)

    def deliver(self) -> None:
        """Give the writer the answers that it waits for."""
        for late, done in self._waiting:
            late.set_result(done.result())
        self._waiting.clear()


def writer_on(
    log: MemoryLog,
    ended: Callable[[Rejection], None] = lambda _: None,
    inform: Callable[[Propose], Propose] = lambda proposal: proposal,
) -> RoomWriter:
    return RoomWriter("room", log, log.now, USUAL, Metrics(), lambda *_: None, lambda _: None, ended, inform)


def notification(decision: Decision) -> Notification:
    """What another node is told of a decision, by a store that does not tell its lineage."""
    return Notification(decision.seq, None, lambda _: decision)


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


async def test_what_is_appended_elsewhere_while_an_answer_is_awaited_is_read_afterwards() -> None:
    log = LostAnswers(lambda: 1_000)
    writer = writer_on(log)
    await ask(writer, Create("standard"), "ann", "create")
    log.lossy = True
    answers: list[int | Rejection] = []
    writer.submit(Sit("Ann"), "ann", answers.append, "sit")
    log.lossy = False
    elsewhere = await log.append(AppendRequest("room", 2, "bob", "sit", (Seated(1, "bob", "Bob"),)))
    writer.notified(notification(elsewhere))
    assert (writer.seq, answers) == (1, [])
    log.deliver()
    await writer.settled()
    assert (writer.seq, answers) == (3, [2])
