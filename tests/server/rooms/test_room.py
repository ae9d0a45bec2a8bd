"""A room on one node: the consequences of a decision, in order, for each follower; on a log in memory."""

import asyncio
import math
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from fourfold.engine.decisions import Decision, Rejection
from fourfold.engine.match import State, Status
from fourfold.engine.match.clock import Control
from fourfold.engine.match.commands import Create, Move, Propose, Resign, Sit, Vote
from fourfold.engine.match.events import Created, Moved, ProposalKind, Seated
from fourfold.engine.match.terms import Terms
from fourfold.protocol import from_server as wire
from fourfold.server.metrics import Metrics
from fourfold.server.replication.fanout import Encoded, FanoutScheduler
from fourfold.server.replication.rejections import GONE
from fourfold.server.rooms import node_messages
from fourfold.server.rooms.chat import RECENT
from fourfold.server.rooms.deadlines import Deadlines
from fourfold.server.rooms.presence import COUNT_EVERY
from fourfold.server.rooms.retention import USUAL
from fourfold.server.rooms.room import Room
from fourfold.server.rooms.vacancy import AwayLimits
from fourfold.server.storage.event_log import AppendRequest, Outage
from tests.server.memory_log import MemoryLog
from tests.virtual_time import in_virtual_time

ABSENCE = 60_000
DESERTED = 300_000


class Log(MemoryLog):
    """A log with a clock that stands still until it is moved, and with a list of outages."""

    def __init__(self) -> None:
        self.time = 1_000_000
        self.away: list[Outage] = []
        super().__init__(lambda: self.time)

    def outages(self) -> list[Outage]:
        return self.away


class Reader:
    """A follower that keeps its frames."""

    origin = ""

    def __init__(self, player: str = "") -> None:
        self.player_id = player
        self.got: list[Any] = []

    @property
    def kinds(self) -> list[str]:
        """Its frames, in order: `room` for the snapshot, `update 3`, `turn`."""
        said = []
        for frame in self.got:
            kind = frame.__struct_config__.tag
            said.append(f"{kind} {frame.seq}" if kind == "update" else kind)
        return said

    def send(self, frame: Encoded) -> None:
        self.got.append(frame.frame)

    def reply(self, frame: wire.Reply, id: int | None) -> None:
        frame.id = id
        self.got.append(frame)

    async def drained(self) -> None:
        await asyncio.sleep(0)

    async def answers(self, seconds: float) -> bool:
        return True


class HandOver:
    """Records the rooms that it gets. A room is due a second after its game."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.busy: set[str] = set()

    def due(self, state: State) -> int | None:
        return state.at + 1_000 if state.complete else None

    def begin(self, room: Room, put_off: Callable[[float], None]) -> None:
        self.begun.append(room.id)

    def __contains__(self, room: str) -> bool:
        return room in self.busy


class House:
    """A node with one room, and the room's callbacks."""

    def __init__(self) -> None:
        self.log = Log()
        self.deadlines = Deadlines(self.log.now, lambda _: None)
        self.scheduler = FanoutScheduler()
        self.moved: dict[str, Room] = {}
        self.notices: list[State | None] = []
        self.heard: list[State | None] = []
        self.departed: list[Decision] = []
        self.hand_over: Any = HandOver()
        self.metrics = Metrics()
        self.room = Room(
            "room",
            self.log,
            self.log.now,
            self.deadlines,
            self.scheduler,
            USUAL,
            (lambda change: self.notices.append(change.before),),
            self.moved,
            self.metrics,
            AwayLimits(ABSENCE, DESERTED),
            self.hand_over,
            (lambda change: self.heard.append(change.before),),
            (lambda departed: self.departed.append(departed.decision),),
        )

    @property
    def state(self) -> State:
        assert self.room.state is not None
        return self.room.state

    @property
    def deadline(self) -> int | None:
        return self.deadlines.by_room.get("room")

    async def does(self, *commands: tuple[str, Any]) -> int:
        """Players send a command, which is accepted with all its consequences; returns the room's version after it."""
        for player, command in commands:
            answer = await self.room.judge(command, player)
            assert not isinstance(answer, Rejection), answer
            await self.rest()
        return self.room.seq

    async def begins(self, variant: str = "standard", **options: Any) -> int:
        """A game begins; the players have the names of their seats."""
        seats = ("white", "black") if variant == "standard" else ("red", "blue", "yellow", "green")
        create = Create(variant, **options)
        return await self.does(("white", create), *((player, Sit(player, player)) for player in seats))

    async def rest(self) -> None:
        """Wait until there is nothing left to do."""
        for _ in range(5):
            await self.room.writer.settled()
            await asyncio.sleep(0)

    async def happens_elsewhere(self, *events: Any) -> Decision:
        """Another node appends a decision, and this one is notified."""
        decision = await self.log.append(AppendRequest("room", self.room.seq, "", "elsewhere", events))
        await self.rest()
        return decision

    def forget(self) -> None:
        """Forget the recorded callbacks."""
        for notes in (self.notices, self.heard, self.departed, self.moved, self.hand_over.begun):
            notes.clear()


@pytest.fixture
async def house() -> AsyncIterator[House]:
    async with opened() as house:
        yield house


@asynccontextmanager
async def opened() -> AsyncIterator[House]:
    house = House()
    await house.log.follow("room", house.room)
    yield house
    house.room.close()
    house.deadlines.stop()
    house.scheduler.stop()
    await house.room.writer.wait_closed()


# -- decisions --


async def test_players_are_sent_a_move_before_anything_else_follows_from_it(house: House) -> None:
    await house.begins(control=Control(60_000))
    white, black = Reader("white"), Reader("black")
    for reader in (white, black):
        house.room.enter(reader)
    sent: list[Any] = []
    white.send = lambda frame: sent.append((frame.frame, house.deadline))  # type: ignore[method-assign]
    white.got, black.got = [], []
    before = house.deadline
    house.log.time += 5_000
    seq = await house.does(("white", Move("e2e4", 3)))
    assert black.kinds == [f"update {seq}", "turn"]
    assert [(frame.seq, deadline) for frame, deadline in sent] == [(seq, before)], "deadlines come after the frames"


async def test_a_turn_is_told_when_the_position_changes_and_only_to_the_player_to_move(house: House) -> None:
    await house.begins()
    white, black, watcher = Reader("white"), Reader("black"), Reader("eve")
    for reader in (white, black, watcher):
        house.room.enter(reader)
    assert [reader.kinds.count("turn") for reader in (white, black, watcher)] == [1, 0, 0]
    seq = await house.does(("white", Move("e2e4", 3)))
    assert [reader.kinds.count("turn") for reader in (white, black, watcher)] == [1, 1, 0]
    await house.does(("white", Propose(ProposalKind.UNDO, seq)))
    assert [reader.kinds.count("turn") for reader in (white, black, watcher)] == [1, 1, 0]
    await house.does(("black", Vote(house.state.proposal.number, True)))  # type: ignore[union-attr]
    assert [reader.kinds.count("turn") for reader in (white, black, watcher)] == [2, 1, 0]


async def test_notices_tell_of_seats_and_status_and_the_rest_is_collected(house: House) -> None:
    await house.does(("white", Create("standard")))
    assert house.notices == [None]
    house.forget()
    opened = house.state
    await house.does(("white", Sit("W")))
    assert house.notices == [opened] and not house.moved
    await house.does(("black", Sit("B")))
    house.forget()
    await house.does(("white", Move("e2e4", 3)))
    assert (house.notices, house.moved) == ([], {"room": house.room})
    house.forget()
    playing = house.state
    await house.does(("black", Resign()))
    assert (house.notices, house.moved) == ([playing], {})


async def test_what_is_decided_elsewhere_is_told_apart(house: House) -> None:
    await house.does(("white", Create("standard")), ("white", Sit("W")))
    before = house.state
    house.forget()
    await house.happens_elsewhere(Seated(1, "black", "B"))
    assert (house.room.seq, house.notices, house.heard, house.moved) == (3, [], [before], {})


async def test_a_move_made_elsewhere_is_told_to_nobody_but_the_followers(house: House) -> None:
    seq = await house.begins()
    black = Reader("black")
    house.room.enter(black)
    await house.rest()
    black.got = []
    house.forget()
    await house.happens_elsewhere(Moved(0, "e2e4", 1))
    assert black.kinds == [f"update {seq + 1}", "turn"]
    assert (house.notices, house.heard, house.moved, house.departed) == ([], [], {}, [])


async def test_who_leaves_a_game_is_told_of_by_the_node_where_it_was_decided(house: House) -> None:
    seq = await house.begins("survivor")
    house.forget()
    await house.does(("red", Move("h2h3", seq)))
    assert house.departed == []
    await house.does(("blue", Resign()))
    assert [decision.by for decision in house.departed] == ["blue"], "the game goes on without them"
    assert house.notices == [], "the seats are the same, and the game is still played"


async def test_players_are_told_when_another_takes_or_leaves_a_seat(house: House) -> None:
    await house.does(("white", Create("survivor")))
    red, watcher = Reader("red"), Reader("eve")
    for reader in (red, watcher):
        house.room.enter(reader)
    assert house.room.watchers == 2
    await house.does(("red", Sit("R", "red")))
    assert (house.room.watchers, house.room.online()) == (1, {0})
    assert [frame.online for frame in watcher.got if isinstance(frame, wire.Presence)] == [True]


# -- followers --


async def test_a_follower_is_sent_the_snapshot_as_the_reply_and_then_what_is_new(house: House) -> None:
    await house.begins()
    watcher = Reader("eve")
    house.room.enter(watcher, 7)
    snapshot = watcher.got[0]
    assert isinstance(snapshot, wire.Room) and (snapshot.id, snapshot.seq) == (7, 3)
    watcher.got = []
    await house.does(("white", Move("e2e4", 3)))
    assert watcher.kinds[0] == "update 4"
    house.room.leave(watcher)
    watcher.got = []
    await house.does(("black", Move("e7e5", 4)))
    assert watcher.got == []


async def test_one_who_resumes_is_sent_what_was_missed_and_who_is_here(house: House) -> None:
    await house.begins()
    await house.does(("white", Move("e2e4", 3)))
    black = Reader("black")
    await house.room.resume(black, 2, 9)
    assert black.kinds == ["ok", "update 3", "update 4", "presence", "presence", "watchers", "presence", "turn"]
    assert (black.got[0].id, black.got[0].seq) == (9, 4)


def test_another_number_of_watchers_is_told_to_followers_and_noticed() -> None:
    """Otherwise the lobby goes on showing a number that was right only for a moment."""

    async def run() -> None:
        async with opened() as house:
            await house.begins()
            house.room.enter(eve := Reader("eve"))
            await asyncio.sleep(2 * COUNT_EVERY)
            for watchers in (1, 0):
                house.forget()
                eve.got.clear()
                house.room.told(node_messages.write(node_messages.Here("elsewhere", [], watchers, house.room.seq)))
                await asyncio.sleep(2 * COUNT_EVERY)
                assert ([frame.count for frame in eve.got], house.notices) == ([1 + watchers], [house.state])

    in_virtual_time(run())


async def test_a_preview_is_not_counted(house: House) -> None:
    await house.begins()
    house.room.enter(Reader("white"), preview=True)
    house.room.enter(eve := Reader("eve"), preview=True)
    assert (house.room.online(), house.room.watchers, house.room.empty) == (set(), 0, True)
    house.room.enter(eve)
    assert (house.room.watchers, house.room.empty) == (1, False)


@pytest.mark.parametrize("missed", ["bot invited", "bot stands in", "vote on them", "nothing"])
async def test_a_player_who_comes_back_ends_what_was_done_about_their_absence(house: House, missed: str) -> None:
    await house.begins("survivor")
    house.log.time += 5 * ABSENCE  # no clock runs
    if missed == "vote on them":
        house.room.enter(Reader("blue"))
        await house.does(("red", Propose(ProposalKind.REMOVE, house.room.seq, seat="green")))
        assert house.state.proposal is not None, "blue has not voted"
    elif missed != "nothing":
        await house.does(("red", Propose(ProposalKind.STAND_IN, house.room.seq, seat="green", level=2)))
        assert house.state.seats[3].invited == 2, "all others are absent too"
    if missed == "bot stands in":
        await house.does(("bot:level2:x", Sit("Bot", "green", bot=True, level=2)))
        assert house.state.seats[3].stand_in == "bot:level2:x"
    seq = house.room.seq
    house.room.enter(Reader("green"), preview=True)
    await house.rest()
    assert house.room.seq == seq, "a preview does not count as a return"
    house.room.enter(Reader("green"))
    await house.rest()
    seat = house.state.seats[3]
    assert (seat.player, seat.invited, seat.stand_in, house.state.proposal) == ("green", None, None, None)
    assert house.room.seq - seq == (missed != "nothing")


async def test_one_who_sees_the_game_late_knows_who_is_here_now(house: House) -> None:
    """A stand-in who is not shown yet is here: no later frame would say so."""
    await house.begins("survivor", terms=Terms(delay=100))
    house.log.time += 5 * ABSENCE
    house.room.enter(Reader("red"))
    await house.does(("red", Propose(ProposalKind.STAND_IN, house.room.seq, seat="green", level=2)))
    async with asyncio.timeout(240):
        while house.room.shown is None or house.room.shown.seq < house.room.seq:
            house.log.time += 100
            await asyncio.sleep(0.01)  # paces the looks
    seq = await house.does(("bot:level2:x", Sit("Bot", "green", bot=True, level=2)))
    house.room.enter(Reader("bot:level2:x"))
    house.room.enter(eve := Reader("eve"))
    snapshot = eve.got[0]
    assert snapshot.seq == seq - 1 and snapshot.seats[3].stand_in is None
    assert [seat.online for seat in snapshot.seats] == [True, False, False, True]


async def test_one_who_saw_a_seat_free_though_it_is_taken_hears_later_that_its_player_is_here(house: House) -> None:
    """The player's presence was sent before this watcher came. Seed 153 of the simulated worlds found it."""
    await house.begins(terms=Terms(delay=100))
    house.room.enter(Reader("black"))
    house.room.enter(eve := Reader("eve"))
    assert [seat.player for seat in eve.got[0].seats] == ["white", None]
    async with asyncio.timeout(240):
        while not any(isinstance(frame, wire.Update) for frame in eve.got):
            house.log.time += 100
            await asyncio.sleep(0.01)  # paces the looks
    await house.rest()
    kinds = [type(frame) for frame in eve.got]
    presence = [(frame.seat, frame.online) for frame in eve.got[kinds.index(wire.Update) :]
                if isinstance(frame, wire.Presence)]  # fmt: skip
    assert presence == [("black", True)]


async def test_what_is_said_goes_to_all_or_to_the_table(house: House) -> None:
    await house.begins()
    white, watcher = Reader("white"), Reader("eve")
    for reader in (white, watcher):
        house.room.enter(reader)
    await house.room.chat.say("white", "W", "between us", "table")
    await house.room.chat.say("white", "W", "hello", "all")
    await house.room.chat.say("eve", "E", "hi", "all")
    await house.rest()

    def heard(reader: Reader) -> list[tuple[str | None, str]]:
        return [(frame.seat, frame.text) for frame in reader.got if isinstance(frame, wire.Said)]

    assert heard(white) == [("white", "between us"), ("white", "hello"), (None, "hi")]
    assert heard(watcher) == [("white", "hello"), (None, "hi")]
    for number in range(RECENT):
        await house.room.chat.say("eve", "E", str(number), "all")
    await house.rest()
    assert [said.text for said in house.room.chat.recent] == [str(number) for number in range(RECENT)]


async def test_words_of_players_are_as_late_as_their_game_and_those_of_watchers_are_not(house: House) -> None:
    await house.begins(terms=Terms(delay=10_000))
    watcher = Reader("eve")
    house.room.enter(watcher)
    await house.room.chat.say("white", "W", "psst", "all")
    await house.room.chat.say("eve", "E", "hi", "all")
    await house.rest()
    assert [frame.text for frame in watcher.got if isinstance(frame, wire.Said)] == ["hi"]


# -- deadlines --


async def test_a_room_has_the_deadline_of_what_it_waits_for(house: House) -> None:
    created = house.log.time
    await house.does(("white", Create("standard", control=Control(90_000))))
    assert house.deadline == created + DESERTED, "nobody is here"
    white = Reader("white")
    house.room.enter(white)
    await house.does(("white", Sit("W")), ("black", Sit("B")))
    house.log.time += 1_000
    await house.does(("white", Move("e2e4", 3)), ("black", Move("e7e5", 4)))
    assert house.deadline == house.state.flag()
    await house.does(("white", Propose(ProposalKind.DRAW, 5)))
    assert house.deadline == house.state.proposal.deadline  # type: ignore[union-attr]
    house.log.time += 1_000
    await house.does(("white", Resign()))
    assert house.deadline == house.log.time + 1_000, "due for the archive"


async def test_a_room_that_is_read_from_its_log_is_given_time_from_then_on(house: House) -> None:
    """A player may have been there until a moment ago, on a dead server."""
    await house.log.unfollow("room", house.room)
    await house.log.append(AppendRequest("room", 0, "white", "k", (Created("standard", None, "public", "white"),)))
    house.log.time += 5 * DESERTED
    await house.room.writer.load()
    await house.room.ask()
    assert house.deadline == house.log.time + DESERTED
    house.room.alarm()
    await house.rest()
    assert house.state.status is Status.OPEN


async def test_a_room_that_nobody_comes_to_is_closed(house: House) -> None:
    await house.does(("white", Create("standard")))
    house.log.time += DESERTED - 1
    house.room.alarm()
    await house.rest()
    assert house.state.status is Status.OPEN
    house.log.time += 1
    house.room.alarm()
    await house.rest()
    assert (house.state.status, house.deadline) == (Status.FINISHED, None)


async def test_a_room_is_kept_while_somebody_is_there_and_for_a_while_after_they_have_gone(house: House) -> None:
    await house.does(("white", Create("standard")))
    house.log.time += DESERTED - 1
    house.room.enter(watcher := Reader("eve"))
    house.log.time += 2 * DESERTED
    house.room.alarm()
    await house.rest()
    assert house.state.status is Status.OPEN
    house.room.leave(watcher)
    assert house.deadline == house.log.time + DESERTED
    house.log.time += DESERTED
    house.room.alarm()
    await house.rest()
    assert house.state.status is Status.FINISHED


async def test_an_outage_is_no_time_in_which_somebody_could_have_come(house: House) -> None:
    await house.does(("white", Create("standard")))
    house.log.time += DESERTED
    house.log.away = [Outage(house.log.time - 5_000, house.log.time)]
    house.room.alarm()
    await house.rest()
    assert (house.state.status, house.deadline) == (Status.OPEN, house.log.time + DESERTED)


async def test_an_alarm_ends_what_is_past_its_time(house: House) -> None:
    await house.begins(control=Control(1_000))
    await house.does(("white", Move("e2e4", 3)), ("black", Move("e7e5", 4)))
    house.log.time += 5_000
    house.room.alarm()
    await house.rest()
    assert house.state.status is Status.FINISHED
    assert house.hand_over.begun == []


async def test_a_game_that_is_over_is_handed_over_when_it_is_due_and_not_before(house: House) -> None:
    await house.begins()
    await house.does(("white", Resign()))
    due = house.log.time + 1_000
    house.room.alarm()
    assert (house.hand_over.begun, house.deadline) == ([], due)
    assert not house.room.due_to_leave(due)
    assert house.room.due_to_leave(due + 1)
    house.log.time = due
    house.room.alarm()
    assert house.hand_over.begun == ["room"]
    house.room.put_off(due + 9_000)
    house.room.alarm()
    assert (house.hand_over.begun, house.deadline, house.room.has_left) == (["room"], due + 9_000, False)
    house.forget()
    house.room.put_off(math.inf)
    assert (house.deadline, house.room.has_left, house.room.due_to_leave(due + 1)) == (None, True, False)
    await house.rest()
    assert house.notices == [None], "its players have one game fewer in the store"


async def test_time_that_an_outage_took_is_given_back_once_and_only_to_a_clock_that_ran(house: House) -> None:
    await house.begins(control=Control(60_000))
    await house.does(("white", Move("e2e4", 3)), ("black", Move("e7e5", 4)))
    moved, flag = house.log.time, house.state.flag()
    assert flag is not None
    house.log.time += 20_000
    early, late = Outage(moved - 5_000, moved), Outage(moved + 1_000, moved + 11_000)
    for _ in range(2):
        house.room.credit([early, late])
        await house.rest()
    assert (house.room.seq, house.metrics.credits) == (6, 1)
    assert house.state.flag() == flag + 10_000


# -- the end --


async def test_a_room_is_idle_when_nobody_needs_it_here(house: House) -> None:
    await house.begins(control=Control(60_000))
    assert house.room.idle
    house.room.enter(watcher := Reader("eve"))
    assert not house.room.idle
    house.room.leave(watcher)
    assert house.room.idle
    house.hand_over.busy.add("room")
    assert not house.room.idle
    house.hand_over.busy.clear()
    house.room.submit(Move("e2e4", 3), "white", lambda _: None)
    assert not house.room.idle, "a command waits"
    await house.rest()
    assert house.room.idle


async def test_a_room_in_which_something_will_be_due_is_not_idle(house: House) -> None:
    await house.does(("white", Create("standard")))
    assert not house.room.idle


async def test_followers_of_a_room_whose_log_is_gone_are_told_why_and_nothing_is_judged_any_more(house: House) -> None:
    await house.begins(control=Control(60_000))
    watcher = Reader("eve")
    house.room.enter(watcher)
    await house.rest()
    watcher.got = []
    house.forget()
    house.room.writer.stop(GONE)
    for _ in range(3):
        await asyncio.sleep(0)
    assert [(frame.code, frame.room) for frame in watcher.got] == [(GONE.code, "room")]
    assert (house.room.gone, house.deadline, house.notices) == (True, None, [None])
    assert await house.room.judge(Move("e2e4", 3), "white") == GONE


async def test_one_who_waits_for_the_answer_no_more_is_no_obstacle_to_others(house: House) -> None:
    await house.begins()
    impatient = asyncio.create_task(house.room.judge(Resign(), "white"))
    patient = asyncio.create_task(house.room.judge(Propose(ProposalKind.REMATCH, 4), "black"))
    await asyncio.sleep(0)
    impatient.cancel()
    assert await asyncio.wait_for(patient, 240) == 5


async def test_a_closed_room_hears_nothing_more(house: House) -> None:
    await house.begins()
    house.room.close()
    seq, house.deadlines.by_room["room"] = house.room.seq, 5
    house.forget()
    said = node_messages.Said("white", "W", "hello", "all", 1)
    house.room.told(node_messages.write(said))
    house.room.missed()
    await house.log.append(AppendRequest("room", seq, "", "k", (Moved(0, "e2e4", 1),)))
    await house.rest()
    assert (house.room.seq, list(house.room.chat.recent), house.notices, house.deadline) == (seq, [], [], 5)


async def test_a_node_that_may_have_missed_something_reads_on(house: House) -> None:
    seq = await house.begins()
    await house.log.unfollow("room", house.room)
    await house.log.append(AppendRequest("room", seq, "", "k", (Moved(0, "e2e4", 1),)))
    await house.rest()
    assert house.room.seq == seq
    house.room.told(node_messages.write(node_messages.Here("other", [], 0, seq + 1)))
    await house.rest()
    assert house.room.seq == seq + 1
    await house.log.append(AppendRequest("room", seq + 1, "", "l", (Moved(1, "e7e5", 2),)))
    house.forget()
    house.room.lose(["another"])
    await house.rest()
    assert (house.room.seq, house.notices) == (seq + 1, []), "that node had no players here"
    house.room.lose(["other"])
    await house.rest()
    assert (house.room.seq, house.notices) == (seq + 2, [None]), "it may have died before it noticed anything"
