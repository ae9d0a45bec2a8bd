"""The writer of a log: commands are decided one at a time, in order; each is answered once, whatever messages are
lost."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from fourfold.engine.decisions import Decision, Rejection
from fourfold.engine.match import Status
from fourfold.engine.match.commands import Abort, Create, Expire, Move, Propose, Resign, Sit, Vote
from fourfold.engine.match.events import Moved, ProposalKind, Resigned, Seated, Unseated
from fourfold.server.metrics import Metrics
from fourfold.server.replication.rejections import CLOSED, DAMAGED, FAILED, GONE, NEWER, UNAVAILABLE
from fourfold.server.rooms.retention import USUAL
from fourfold.server.rooms.writer import RoomWriter
from fourfold.server.storage.event_log import (
    AppendConflict,
    AppendRequest,
    DamagedEntry,
    LogUnavailable,
    NewerEntry,
    Notification,
    OtherLineage,
)
from tests.server.memory_log import MemoryLog


class LostAnswers(MemoryLog):
    """A log whose answers can be lost or late: the append is stored, and its writer waits for `answer` or `deliver`."""

    def __init__(self, clock: Callable[[], int]) -> None:
        super().__init__(clock)
        self.lossy = False
        self.landed = asyncio.Event()
        """The number of appends whose answer is lost."""
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
        """End the writer's wait: the append was given up, or was sent again and came too late."""
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
    """The notification of a decision to another node, from a store that sends no lineage."""
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
    await writer.load()  # so does a request to resume after a version that only another node knows
    assert answers == [2]
    log.answer(error)
    await writer.settled()
    assert answers == [2]
    assert not gone


async def test_the_late_answer_to_a_command_that_was_answered_already_is_not_that_to_the_next_one() -> None:
    log = LostAnswers(lambda: 1_000)
    writer = writer_on(log)
    await ask(writer, Create("standard"), "ann", "create")
    log.lossy = True
    first: list[int | Rejection] = []
    second: list[int | Rejection] = []
    writer.submit(Sit("Ann"), "ann", first.append, "sit")
    log.lossy = False
    writer.submit(Sit("Bob"), "bob", second.append, "sit")
    await writer.load()
    log.answer(LogUnavailable("given up"))
    await writer.settled()
    assert (first, second) == ([2], [3])


LONG = 300
"""The decisions of a long game."""


class ReadOn(MemoryLog):
    """A log that records the largest number of entries read at a time."""

    most = 0

    async def read(self, room: str, after: int = 0, lineage: bytes | None = None) -> list[Decision]:
        decisions = await super().read(room, after, lineage)
        self.most = max(self.most, len(decisions))
        return decisions


async def played(writer: RoomWriter, moves: int, seq: int) -> None:
    """Make `moves` moves, back and forth."""
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


# -- which commands are decided, and when --


class Noting:
    """Records a writer's callbacks."""

    def __init__(self) -> None:
        self.taken: list[tuple[int, bool]] = []
        """The versions of decisions, and whether this writer made each."""
        self.renewed: list[list[int]] = []
        self.ended: list[str] = []
        self.metrics = Metrics()

    def writer(self, log: MemoryLog) -> RoomWriter:
        return RoomWriter(
            "room",
            log,
            log.now,
            USUAL,
            self.metrics,
            lambda decision, before, after, ours: self.taken.append((decision.seq, ours)),
            lambda history: self.renewed.append([decision.seq for decision, _ in history]),
            lambda why: self.ended.append(why.code),
            lambda proposal: proposal,
        )


async def opened(log: MemoryLog, notes: Noting) -> RoomWriter:
    """A writer of a room without players."""
    writer = notes.writer(log)
    assert await ask(writer, Create("standard"), "ann", "create") == 1
    return writer


def elsewhere(log: MemoryLog, expected: int, *events: Any, lineage: bytes | None = None, key: str = "k") -> Decision:
    """An append of another node."""
    request = AppendRequest("room", expected, "bob", key, events or (Seated(1, "bob", "Bob"),), None, lineage)
    return MemoryLog.append(log, request).result()


async def test_commands_are_judged_one_at_a_time_in_their_order() -> None:
    """If two want the same seat, the first gets it, even if the second asks before that is decided."""
    log, notes = MemoryLog(lambda: 1_000), Noting()
    writer = await opened(log, notes)
    answers: list[Any] = []
    for player in ("ann", "bob", "cid"):
        writer.submit(Sit(player, "white" if player != "cid" else None), player, answers.append)
    assert writer.busy
    await writer.settled()
    assert not writer.busy
    assert [one if isinstance(one, int) else one.code for one in answers] == [2, "seat_taken", 3]
    assert notes.taken == [(1, True), (2, True), (3, True)]


async def test_a_command_without_a_key_is_another_each_time() -> None:
    log, notes = MemoryLog(lambda: 1_000), Noting()
    writer = await opened(log, notes)
    for player in ("ann", "bob"):
        await ask(writer, Sit(player), player, "")
    keys = [decision.key for decision in await log.read("room")][1:]
    assert all(keys) and len(set(keys)) == 2


async def test_a_command_is_judged_again_when_another_node_was_first() -> None:
    log, notes = MemoryLog(lambda: 1_000), Noting()
    writer = await opened(log, notes)
    elsewhere(log, 1)
    assert await ask(writer, Sit("Ann"), "ann", "sit") == 3, "the other seat is still free"
    assert (notes.taken, notes.metrics.conflicts) == ([(1, True), (2, False), (3, True)], 1)
    elsewhere(log, 3, Resigned(1))
    answer = await ask(writer, Move("e2e4", 3), "ann", "move")
    assert isinstance(answer, Rejection) and answer.code == "stale"
    assert writer.seq == 4


async def test_a_command_is_rejected_only_by_the_log_as_it_is_now() -> None:
    """Another node has freed the seat, and this one has not been notified yet."""
    log, notes = MemoryLog(lambda: 1_000), Noting()
    writer = await opened(log, notes)
    await ask(writer, Sit("Ann", "white"), "ann", "sit")
    elsewhere(log, 2, Unseated(0))
    assert await ask(writer, Sit("Bob", "white"), "bob", "sit") == 4
    answer = await ask(writer, Sit("Cid", "white"), "cid", "sit")
    assert isinstance(answer, Rejection) and answer.code == "seat_taken"


async def test_what_changes_nothing_is_answered_with_the_version_and_not_appended() -> None:
    log, notes = MemoryLog(lambda: 1_000), Noting()
    writer = await opened(log, notes)
    assert await ask(writer, Expire(), "", "expire") == 1
    assert len(await log.read("room")) == 1


async def test_a_fault_in_judging_is_answered_and_others_go_on() -> None:
    faults: list[Exception] = []

    def clock() -> int:
        if faults:
            raise faults.pop()
        return 1_000

    log, notes = MemoryLog(clock), Noting()
    writer = await opened(log, notes)
    faults.append(ZeroDivisionError())
    answers: list[Any] = []
    writer.submit(Sit("Ann"), "ann", answers.append)
    writer.submit(Sit("Bob"), "bob", answers.append)
    await writer.settled()
    assert answers == [FAILED, 2]


async def test_an_append_that_the_store_did_not_take_is_answered_and_the_next_is_judged() -> None:
    log, notes = LostAnswers(lambda: 1_000), Noting()
    writer = await opened(log, notes)
    log.lossy = True
    answers: list[Any] = []
    writer.submit(Sit("Ann"), "ann", answers.append, "sit")
    log.lossy = False
    writer.submit(Sit("Bob"), "bob", answers.append, "sit")
    log.answer(LogUnavailable("given up"))
    await writer.settled()
    (unknown, seated) = answers
    assert (unknown.code, unknown.retry, seated) == ("unavailable", UNAVAILABLE, 3)
    assert await ask(writer, Sit("Ann"), "ann", "sit") == 2, "it was stored anyway"
    assert notes.taken == [(1, True), (2, False), (3, True)]


async def test_one_who_waits_for_the_answers_no_more_is_no_obstacle_to_the_others() -> None:
    log, notes = LostAnswers(lambda: 1_000), Noting()
    writer = await opened(log, notes)
    log.lossy = True
    answers: list[Any] = []
    writer.submit(Sit("Ann"), "ann", answers.append)
    impatient, patient = (asyncio.create_task(writer.settled()) for _ in range(2))
    await asyncio.sleep(0)
    impatient.cancel()
    await asyncio.wait([impatient])
    log.deliver()
    await asyncio.wait_for(patient, 240)
    assert await ask(writer, Expire(), "", "expire") == 2
    assert answers == [2]


# -- appends of other nodes --


async def test_each_decision_is_taken_once_in_order_however_it_is_told() -> None:
    log, notes = MemoryLog(lambda: 1_000), Noting()
    writer = await opened(log, notes)
    second, third = elsewhere(log, 1), elsewhere(log, 2, Unseated(1))
    writer.notified(notification(third))  # the one before is missing
    assert (writer.busy, writer.seq) == (True, 1)
    await writer.settled()
    for decision in (second, third):
        writer.notified(notification(decision))  # late
    fourth = elsewhere(log, 3)
    writer.notified(notification(fourth))
    assert writer.seq == 4, "the next one needs no read"
    elsewhere(log, 4, Unseated(1))
    writer.look(5)
    await writer.settled()
    assert [seq for seq, _ in notes.taken] == [1, 2, 3, 4, 5]


async def test_a_version_that_is_held_is_not_read_again() -> None:
    log, notes = ReadOn(lambda: 1_000), Noting()
    writer = await opened(log, notes)
    writer.look(1)
    assert not writer.busy
    writer.look()
    assert writer.busy, "it may have changed"
    await writer.settled()
    assert (log.most, writer.seq) == (0, 1)


async def test_a_log_that_became_another_is_read_anew_and_told_whole() -> None:
    log, notes = MemoryLog(lambda: 1_000), Noting()
    writer = await opened(log, notes)
    await ask(writer, Sit("Ann"), "ann", "sit")
    del log._rooms["room"][1:]
    changed = elsewhere(log, 1)
    writer.notified(Notification(2, changed.lineage, lambda _: changed))
    await writer.settled()
    assert (writer.seq, writer.state.seats[0].player, writer.state.seats[1].player) == (2, None, "bob")
    assert (notes.renewed, notes.metrics.lineages, notes.ended) == ([[2]], 1, [])
    same = elsewhere(log, 2, Unseated(1), lineage=writer.lineage)
    writer.notified(Notification(3, same.lineage, lambda _: same))
    writer.notified(Notification(3, same.lineage, lambda _: same))
    assert not writer.busy, "the copy has the notified lineage"


async def test_the_next_decision_of_another_log_is_not_taken() -> None:
    log, notes = MemoryLog(lambda: 1_000), Noting()
    writer = await opened(log, notes)
    await ask(writer, Sit("Ann"), "ann", "sit")
    del log._rooms["room"][1:]
    elsewhere(log, 1)
    third = elsewhere(log, 2, Unseated(1))

    def decision(before: bytes | None) -> Decision:
        raise OtherLineage("It follows different entries from those held.")

    writer.notified(Notification(3, third.lineage, decision))
    await writer.settled()
    assert (writer.seq, [seat.player for seat in writer.state.seats], notes.renewed) == (3, [None, None], [[3]])


# -- the end --


async def test_where_the_log_is_gone_commands_are_rejected() -> None:
    log, notes = MemoryLog(lambda: 1_000), Noting()
    writer = await opened(log, notes)
    await ask(writer, Sit("Ann"), "ann", "sit")
    del log._rooms["room"]
    answers: list[Any] = []
    writer.submit(Sit("Bob"), "bob", answers.append)
    writer.submit(Sit("Cid"), "cid", answers.append)
    await writer.settled()
    assert answers == [GONE, GONE]
    assert (await ask(writer, Expire(), "", "late"), notes.ended, writer.end) == (GONE, ["no_such_room"], GONE)
    writer.stop(DAMAGED)
    writer.notified(notification(Decision(3, 1, "", "", ())))
    assert (notes.ended, writer.end, writer.busy) == (["no_such_room"], GONE, False)


@pytest.mark.parametrize(("error", "why"), [(DamagedEntry, DAMAGED), (NewerEntry, NEWER)])
@pytest.mark.parametrize("how", ["told", "read"])
async def test_a_log_that_cannot_be_read_stops_its_room_alone(error: Any, why: Rejection, how: str) -> None:
    class Unreadable(MemoryLog):
        async def read(self, room: str, after: int = 0, lineage: bytes | None = None) -> list[Decision]:
            raise error(2, "it makes no sense")

    def decision(before: bytes | None) -> Decision:
        raise error(2, "it makes no sense")

    log, notes = Unreadable(lambda: 1_000), Noting()
    writer = await opened(log, notes)
    if how == "told":
        writer.notified(Notification(2, None, decision))
    else:
        writer.look()
        await writer.settled()
    assert (writer.end, notes.ended, notes.metrics.quarantined) == (why, [why.code], 1)


async def test_a_decision_that_cannot_have_happened_stops_its_room() -> None:
    log, notes = MemoryLog(lambda: 1_000), Noting()
    writer = await opened(log, notes)
    writer.notified(notification(elsewhere(log, 1, Moved(0, "e2e5", 1))))
    assert (writer.end, writer.seq) == (DAMAGED, 1)


@pytest.mark.interpreted
async def test_while_the_log_cannot_be_read_commands_are_rejected_and_it_is_tried_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Failing(MemoryLog):
        fails = 0

        async def read(self, room: str, after: int = 0, lineage: bytes | None = None) -> list[Decision]:
            if self.fails:
                self.fails -= 1
                raise LogUnavailable("away")
            return await super().read(room, after, lineage)

    monkeypatch.setattr("fourfold.server.replication.log_writer.READ_AGAIN", 0)
    log, notes = Failing(lambda: 1_000), Noting()
    writer = await opened(log, notes)
    elsewhere(log, 1)
    log.fails = 3
    writer.look()
    answers: list[Any] = []
    writer.submit(Sit("Ann"), "ann", answers.append)
    await writer.settled()
    assert [answer.code for answer in answers] == ["unavailable"]
    assert (writer.seq, log.fails) == (2, 0)
    log.fails = 2
    assert [decision.seq for decision in await writer.read_on(1)] == [2], "readers wait"


async def test_a_closed_writer_calls_nobody_and_its_tasks_end() -> None:
    log, notes = MemoryLog(lambda: 1_000), Noting()
    writer = await opened(log, notes)
    waiting = asyncio.Event()
    writer.do(waiting.wait())  # type: ignore[arg-type]
    writer.close()
    await asyncio.wait_for(writer.wait_closed(), 240)
    writer.notified(notification(elsewhere(log, 1)))
    writer.apply(await log.read("room", 1))
    writer.stop(GONE)
    assert (notes.taken, notes.ended) == ([(1, True)], [])


async def test_a_closed_writer_begins_nothing() -> None:
    """The store and its heartbeat go on telling a room of things while a server stops."""
    log, notes = LostAnswers(lambda: 1_000), Noting()
    writer = await opened(log, notes)
    log.lossy = True
    answers: list[Any] = []
    writer.submit(Sit("Ann"), "ann", answers.append)
    writer.submit(Sit("Bob"), "bob", answers.append)
    before = asyncio.all_tasks()
    waiting = asyncio.create_task(writer.settled())
    await asyncio.sleep(0)
    writer.close()
    assert answers == [CLOSED, CLOSED], "of the first nobody knows whether it is in the log: its key tells"
    await asyncio.wait_for(waiting, 240)
    await asyncio.wait_for(writer.wait_closed(), 240)
    writer.look()  # a node has died
    assert await ask(writer, Expire(), "", "late") == CLOSED
    log.answer(AppendConflict("sent again"))
    await asyncio.sleep(0)
    assert asyncio.all_tasks() == before
    assert len(await log.read("room")) == 2, "the second player's command is not appended any more"
