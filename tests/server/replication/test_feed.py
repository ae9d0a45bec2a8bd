"""Everyone gets every decision after the one they know, in order, once. Where watchers see a room late, they get
nothing early, in any way."""

import asyncio
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fourfold.engine.decisions import Decision
from fourfold.engine.match import State, evolve
from fourfold.engine.match.events import Created, Moved, Returned, Seated, Started, StoodIn
from fourfold.engine.match.terms import Terms
from fourfold.protocol import from_server as frames
from fourfold.server.lobby import lobby
from fourfold.server.metrics import Metrics
from fourfold.server.replication.fanout import Encoded, FanoutScheduler, Follower
from fourfold.server.replication.feed import AT_ONCE, Feed
from fourfold.server.replication.log_writer import ignore
from fourfold.server.rooms.retention import USUAL
from fourfold.server.rooms.room import AUDIENCE
from fourfold.server.rooms.writer import RoomWriter
from fourfold.server.storage.event_log import AppendRequest, LogUnavailable, OtherLineage
from fourfold.server.storage.redis_log import RedisLog
from tests.server.memory_log import MemoryLog

Dial = Any  # see conftest
Wire = Any

DELAY = 500
MOVES = ("g1f3", "g8f6", "b1c3", "b8c6", "f3g1", "f6g8", "c3b1", "c6b8")


class StoppedClock:
    """The time of all servers that start after this. It stands still until a test moves it. So a test requests it
    before it requests `dial`."""

    def __init__(self) -> None:
        self.now = now()

    def pass_delay(self) -> None:
        """Let the delay pass for all events so far. Held frames go out when the feed's timer checks again."""
        self.now = now() + DELAY + 1


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> StoppedClock:
    clock = StoppedClock()
    monkeypatch.setattr(RedisLog, "now", lambda _: clock.now)
    return clock


async def table(dial: Dial, **options: Any) -> tuple[str, Wire, Wire]:
    white, black = await dial(name="Ann"), await dial(name="Bob")
    room = (await white.asks("create", **{"delay": DELAY} | options))["room"]
    await white.asks("join", room=room)
    return room, white, black


async def play(players: tuple[Wire, Wire], room: str, seq: int, count: int) -> int:
    for ply in range(seq - 3, seq - 3 + count):
        move = MOVES[ply % len(MOVES)]
        reply = await players[ply % 2].asks("move", room=room, move=move, seq=seq, key=f"{seq}")
        assert (reply["type"], reply["seq"]) == ("ok", seq + 1)
        seq += 1
    return seq


def now() -> int:
    return time.time_ns() // 1_000_000


async def test_those_who_watch_see_the_game_later_and_the_players_do_not(
    clock: StoppedClock, dial: Dial, elsewhere: str
) -> None:
    room, white, black = await table(dial)
    watchers = [await dial(), await dial(at=elsewhere)]
    for watcher in watchers:
        snapshot = await watcher.asks("watch", room=room)
        assert (snapshot["seq"], snapshot["delay"], snapshot["status"]) == (2, DELAY, "open")
    await black.asks("join", room=room)
    seq = await play((white, black), room, 3, 4)
    await black.seq(seq)
    for watcher in watchers:
        await watcher.asks("ping")
    assert not any(watcher.updates() for watcher in watchers)
    clock.pass_delay()
    for watcher in watchers:
        for number in range(3, seq + 1):
            update = await watcher.seq(number)
            assert update == await white.seq(number)
        assert [frame["seq"] for frame in watcher.updates()] == list(range(3, seq + 1))


async def test_while_seats_are_free_everybody_sees_the_same(clock: StoppedClock, dial: Dial) -> None:
    room, white, _ = await table(dial)
    watcher = await dial()
    assert (await watcher.asks("watch", room=room))["seats"][0]["name"] == "Ann"
    await white.asks("leave", room=room)
    await watcher.seq(3)


async def test_no_road_leads_to_what_is_not_shown_yet(clock: StoppedClock, dial: Dial) -> None:
    room, white, black = await table(dial)
    await black.asks("join", room=room)
    early = await dial()
    assert (await early.asks("watch", room=room))["seq"] == 2
    clock.pass_delay()
    await early.seq(3)
    seq = await play((white, black), room, 3, 3)
    watcher = await dial()
    snapshot = await watcher.asks("watch", room=room)
    assert (snapshot["seq"], snapshot["moves"], snapshot["status"]) == (3, [], "playing")
    assert snapshot["time"] < (await white.seq(seq))["time"]
    legal = await watcher.asks("legal", room=room)
    assert (legal["seq"], legal["seat"], "e2e4" in legal["moves"]) == (3, "white", True)
    exported = await watcher.asks("export", room=room, format="json")
    assert (exported["seq"], "g1f3" in exported["text"]) == (3, False)
    assert (await watcher.asks("move", room=room, move="e2e4", seq=3, key="k"))["seq"] == 3
    assert (await watcher.asks("leave", room=room))["seq"] == 3
    assert (await watcher.asks("watch", room=room, since=0))["seq"] == 3
    assert (await white.asks("legal", room=room))["seq"] == seq
    assert "g1f3" in (await white.asks("export", room=room, format="json"))["text"]
    clock.pass_delay()
    await watcher.seq(seq)
    assert [frame["seq"] for frame in watcher.updates()] == list(range(1, seq + 1))


async def test_no_version_asked_for_tells_how_far_the_game_has_come(dial: Dial, elsewhere: str) -> None:
    """Whatever version a viewer without a seat claims to know, the answer depends only on the shown state."""
    rooms = [await table(dial, delay=900_000) for _ in range(2)]
    for room, _, black in rooms:
        await black.asks("join", room=room)
    played, white, black = rooms[0]
    await play((white, black), played, 3, 4)
    answers = []
    for room, _, _ in rooms:
        for at in (None, elsewhere):
            wire = await dial(**({} if at is None else {"at": at}))
            said = []
            for since in range(12):
                reply = await wire.asks("watch", room=room, since=since)
                said.append((reply["type"], reply.get("code"), reply["seq"]))
                await wire.asks("leave", room=room)
            answers.append(said)
    assert answers[0] == answers[1] == answers[2] == answers[3]


async def test_no_guess_ahead_of_what_is_shown_is_confirmed(clock: StoppedClock, dial: Dial) -> None:
    room, white, black = await table(dial)
    watcher, guesser = await dial(), await dial()
    await watcher.asks("watch", room=room)
    await black.asks("join", room=room)
    clock.pass_delay()
    await watcher.seq(3)

    async def answer(**guess: int) -> tuple[Any, ...]:
        reply = await guesser.asks("watch", room=room, since=4, **guess)
        await guesser.asks("leave", room=room)
        return reply["type"], reply.get("code"), reply["seq"]

    before = await answer(), await answer(decided=1)
    await play((white, black), room, 3, 1)
    decided = (await white.seq(4))["time"]
    after = [await answer(), await answer(decided=decided), await answer(decided=decided + 1)]
    assert {*before, *after} == {("ok", None, 4)}


@pytest.mark.slow
async def test_nor_does_the_lobby(
    clock: StoppedClock, dial: Dial, elsewhere: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lobby, "POST_EVERY", 0.1)
    room, white, black = await table(dial)
    viewer = await dial(at=elsewhere)
    await viewer.asks("rooms", follow=True)

    def listed(**fields: Any) -> Any:
        return lambda frame: any(
            entry["room"] == room and fields.items() <= entry.items()
            for entry in (*frame.get("rooms", ()), *frame.get("changed", ()))
        )

    await black.asks("join", room=room)
    seq = await play((white, black), room, 3, 2)
    await white.seq(seq)
    assert not any(listed(ply=2)(frame) for frame in viewer.frames)
    clock.pass_delay()
    await viewer.seen(listed(ply=2))
    await white.asks("resign", room=room, key="resign")
    assert not any(frame["type"] == "lobby" and room in frame["removed"] for frame in viewer.frames)
    clock.pass_delay()
    await viewer.seen(lambda frame: frame["type"] == "lobby" and room in frame["removed"])


@pytest.mark.parametrize(
    ("request_", "fields"), [("join", {}), ("close", {}), ("kick", {"seat": "white"}), ("bot", {"level": 1})]
)
async def test_nor_does_a_refusal(dial: Dial, request_: str, fields: dict[str, Any]) -> None:
    """The host, and a bot, have no seat. They get the same frames before and after the game has ended."""
    host, bot = await dial(), await dial(bot=True)
    room = (await host.asks("create", delay=900_000))["room"]  # it does not pass while the test runs
    white, black = await dial(), await dial()
    for wire in (white, black):
        await wire.asks("join", room=room)
    before = [await wire.asks(request_, room=room, **fields) for wire in (host, bot)]
    await white.asks("resign", room=room, key="resign")
    after = [await wire.asks(request_, room=room, **fields) for wire in (host, bot)]
    for reply in before + after:
        del reply["id"], reply["seq"]
    assert before == after


async def test_a_room_that_is_closed_before_its_game_is_closed_at_once(clock: StoppedClock, dial: Dial) -> None:
    room, white, _ = await table(dial)
    watcher = await dial()
    await watcher.asks("watch", room=room)
    done = await white.asks("close", room=room)
    await watcher.seq(done["seq"])


async def test_resuming_in_the_middle_loses_and_doubles_nothing(dial: Dial, address: str, elsewhere: str) -> None:
    room, white, black = await table(dial)
    await black.asks("join", room=room)
    back = [await dial(at=at) for at in (address, elsewhere) for _ in range(6)]

    async def come(wire: Wire, since: int) -> None:
        await asyncio.sleep(since / 10)
        await wire.asks("watch", room=room, since=since % 3)
        await wire.asks("leave", room=room)
        held = max([frame["seq"] for frame in wire.updates()], default=since % 3)
        await wire.asks("watch", room=room, since=held)

    async def game() -> int:
        seq = 3
        for _ in range(3):
            seq = await play((white, black), room, seq, 4)
            await asyncio.sleep(0.25)
        return seq

    seq, *_ = await asyncio.gather(game(), *(come(wire, number) for number, wire in enumerate(back)))
    for number, wire in enumerate(back):
        await wire.seq(seq)
        assert [frame["seq"] for frame in wire.updates()] == list(range(1 + number % 3, seq + 1))


async def test_who_knows_more_than_is_shown_waits_for_what_is_new(clock: StoppedClock, dial: Dial) -> None:
    """For example one that comes from a node whose clock is fast. The version of another has been lost: that one gets
    the game anew."""
    room, white, black = await table(dial)
    await black.asks("join", room=room)
    seq = await play((white, black), room, 3, 2)
    watcher, lost = await dial(), await dial()
    assert (await watcher.asks("watch", room=room, since=seq - 1))["seq"] == seq - 1
    assert (await watcher.asks("watch", room=room, since=seq + 1))["code"] == "ahead"
    assert (await lost.asks("watch", room=room, since=seq - 1, decided=1))["type"] == "ok"
    clock.pass_delay()
    await watcher.seq(seq)
    assert [frame["seq"] for frame in watcher.updates()] == [seq]
    snapshot = await lost.seen(lambda frame: frame["type"] == "room")
    assert (snapshot["seq"], snapshot["moves"], len(lost.updates())) in (
        (seq - 1, [*MOVES[:1]], 1),
        (seq, [*MOVES[:2]], 0),
    )


async def test_talk_of_players_is_late_and_that_of_watchers_is_not(clock: StoppedClock, dial: Dial) -> None:
    room, white, black = await table(dial)
    watchers = [await dial(), await dial()]
    for watcher in watchers:
        await watcher.asks("watch", room=room)
    await black.asks("join", room=room)
    await white.asks("say", room=room, text="I fear for my knight", to="all")
    await watchers[0].asks("say", room=room, text="What is he up to?", to="all")
    for wire in (white, black, watchers[1]):
        await wire.seen(lambda frame: frame["type"] == "said" and frame["seat"] is None)
    assert not [frame for frame in watchers[1].frames if frame["type"] == "said" and frame["seat"]]
    clock.pass_delay()
    await watchers[1].seen(lambda frame: frame["type"] == "said" and frame["seat"] == "white")


@pytest.mark.parametrize("delay", [-1, 900_001, "1", 0.5])
async def test_a_delay_is_bounded(dial: Dial, delay: Any) -> None:
    reply = await (await dial()).asks("create", delay=delay)
    assert (reply["kind"], reply["code"]) == ("unreadable", "bad_field")


class Reader:
    """A follower that records its frames: the versions of updates, as numbers, and the types of other frames."""

    origin = ""

    def __init__(self, player: str = "") -> None:
        self.player_id = player
        self.got: list[int | str] = []
        self.late: set[int] = set()

    @property
    def seqs(self) -> list[int]:
        return [one for one in self.got if isinstance(one, int)]

    def send(self, frame: Encoded) -> None:
        sent = frame.frame
        self.got.append(sent.seq if isinstance(sent, frames.Update) else type(sent).__name__)

    def reply(self, frame: frames.Reply, id: int | None) -> None:
        assert isinstance(frame, frames.Ok)
        self.got.append("Ok")

    async def drained(self) -> None:
        await asyncio.sleep(0)

    async def answers(self, seconds: float) -> bool:
        raise AssertionError("no node is in doubt")


class Table:
    """A feed, and the writer of a log without other writers."""

    def __init__(self, delay: int = 0, slow: int = 0, *, stopped: bool = False) -> None:
        """Watchers see the game late by `delay`; the server's clock is slow by `slow`. Both are milliseconds. If
        `stopped`, time stands still until the test waits for watchers in `settled`."""
        self._stopped_at = now() if stopped else None
        self.log = MemoryLog(self.now)
        self.decisions: list[Decision] = []
        self.anew: list[Follower] = []
        """Followers that have to start anew."""
        writer = RoomWriter("room", self.log, self.now, USUAL, Metrics(), lambda *_: None, lambda _: None, print, dict)
        scheduler = FanoutScheduler(share=2)
        self.feed = Feed("room", AUDIENCE, writer, scheduler, lambda: self.now() - slow, ignore, self.anew.append)
        self._delay = delay
        self.state: State | None = None
        self.happens(Created("standard", None, "public", "host", terms=Terms(delay=delay)))

    def now(self) -> int:
        return now() if self._stopped_at is None else self._stopped_at

    @property
    def seq(self) -> int:
        return len(self.decisions)

    def happens(self, *events: Any) -> int:
        """Append a decision, and send it."""
        appended = self.log.append(AppendRequest("room", self.seq, "", f"{self.seq}", events))
        decision = appended.result()
        self.decisions.append(decision)
        before, self.state = self.state, evolve(self.state, decision)
        self.feed.advance(decision, self.state)
        if before is not None and before.seats is not self.state.seats:
            seats = (*before.seats, *self.state.seats)
            self.feed.reseat({player or "" for seat in seats for player in (seat.player, seat.stand_in)} - {""})
        return decision.seq

    def begins(self) -> None:
        self.happens(Seated(0, "a", "A"))
        self.happens(Seated(1, "b", "B"), Started())

    def moves(self) -> int:
        assert self.state is not None
        ply = self.state.ply
        return self.happens(Moved(ply % 2, MOVES[ply % len(MOVES)], ply + 1))

    def history(self) -> list[tuple[Decision, State]]:
        state, states = None, []
        for decision in self.decisions:
            state = evolve(state, decision)
            states.append((decision, state))
        return states

    async def settled(self, seq: int) -> None:
        """Wait until watchers have got a version."""
        if self._stopped_at is not None:
            self._stopped_at += self._delay
        async with asyncio.timeout(240):
            while self.feed.shown is None or self.feed.shown.seq < seq or self.feed._watchers.pending:  # noqa: ASYNC110
                await asyncio.sleep(0.01)


async def test_while_seats_are_free_nothing_is_late_though_the_clock_is_slow() -> None:
    table = Table(delay=1000, slow=100)
    watcher = Reader()
    assert table.feed.start(watcher, preview=False)
    seq = table.happens(Seated(0, "a", "A"))
    assert table.feed.shown_to("watcher").seq == seq
    await table.settled(seq)
    assert watcher.got == [seq]


async def test_whoever_changes_sides_gets_each_decision_once() -> None:
    table = Table(delay=1000, stopped=True)
    feed = table.feed
    bot, stayer, seated = Reader("bot"), Reader(), Reader("b")
    for reader in (bot, stayer, seated):
        assert feed.start(reader, preview=False)
    table.begins()
    assert seated.seqs == [2, 3], "a new seat first gets the pending decisions"
    for _ in range(2):
        table.moves()
        await asyncio.sleep(0)
    said = frames.Said("room", "white", "A", "psst", "all", table.now())
    feed.send_when_shown(Encoded(said), table.now())
    came = table.happens(StoodIn(0, "bot", "Bot"))
    assert bot.got == [2, 3, 4, 5, "Said", 6]
    table.moves()
    went = table.happens(Returned(0))
    assert bot.seqs == list(range(2, went + 1))
    table.moves()
    await asyncio.sleep(0)
    assert bot.seqs == list(range(2, went + 1)), "a watcher again, who knows more than the shown version"
    assert feed.present() == ({"b"}, 2)
    table.happens(StoodIn(0, "bot", "Bot"))
    assert bot.seqs == list(range(2, table.seq + 1))
    went = table.happens(Returned(0))
    table.moves()
    assert (came, bot.seqs[-1], stayer.seqs) == (6, went, [2])
    await table.settled(table.seq)
    assert bot.seqs == stayer.seqs == list(range(2, table.seq + 1))
    assert seated.seqs == list(range(2, table.seq + 1))
    assert (bot.got.count("Said"), stayer.got.count("Said"), stayer.got.index("Said")) == (1, 1, 4)


async def test_whoever_knows_more_than_is_shown_is_told_who_is_here() -> None:
    """For example a bot that stood in until the player came back: it waits for new decisions, but misses no arrival."""
    table = Table(delay=1000, stopped=True)
    bot = Reader("bot")
    table.feed.start(bot, preview=False)
    table.begins()
    table.happens(StoodIn(0, "bot", "Bot"))
    table.moves()
    table.happens(Returned(0))
    table.feed.send(Encoded(frames.Presence("room", "white", True)))
    await table.settled(table.seq)
    assert bot.got[-1] == "Presence"
    assert bot.got.count("Presence") == 1
    assert bot.seqs == list(range(2, table.seq + 1))


async def test_whoever_reads_slowly_what_was_missed_is_here() -> None:
    table = Table()
    table.begins()
    for _ in range(AT_ONCE // 2):
        table.happens(StoodIn(1, "bot", "Bot"))
        table.happens(Returned(1))
    reader, full, read = Reader("a"), asyncio.Event(), asyncio.Event()

    async def drained() -> None:
        full.set()
        await read.wait()

    reader.drained = drained  # type: ignore[method-assign]
    resumed = asyncio.ensure_future(table.feed.resume(reader, 0, 1, decided=None, preview=False))
    await asyncio.wait_for(full.wait(), 240)
    assert table.feed.present() == ({"a"}, 0)
    table.moves()
    read.set()
    assert await resumed
    assert (table.feed.present(), reader.seqs) == (({"a"}, 0), list(range(1, table.seq + 1)))


async def test_one_who_knows_a_lost_version_starts_anew_once_that_shows() -> None:
    """The store has lost a version that two watchers had seen. A delay hides that from them at first."""
    table = Table(delay=1000, stopped=True)
    table.begins()
    await table.settled(3)
    right, wrong, seated = Reader(), Reader(), Reader("c")
    table.moves()
    known = table.decisions[-1].at
    for reader, decided in ((right, known), (wrong, known + 1), (seated, known + 1)):
        assert await table.feed.resume(reader, 4, 1, decided=decided, preview=False)
    assert table.anew == []
    table.happens(StoodIn(0, "c", "C"))
    assert table.anew == [seated], "a player: all may be compared now"
    assert table.feed.start(seated, preview=False)
    table.moves()
    await table.settled(table.seq)
    assert table.anew == [seated, wrong]
    assert (right.seqs, wrong.seqs, seated.seqs) == ([5, 6], [], [6])


async def test_whoever_can_not_resume_does_not_follow(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table()
    table.begins()

    async def read(*_: Any) -> list[Decision]:
        raise LogUnavailable("The store is away.")

    monkeypatch.setattr(table.log, "read", read)
    reader = Reader("a")
    with pytest.raises(LogUnavailable):
        await table.feed.resume(reader, 1, 1, decided=None, preview=False)
    table.moves()
    assert (reader in table.feed, table.feed.present(), reader.got) == (False, (set(), 0), [])


async def test_a_log_that_became_another_does_not_show_its_end_early() -> None:
    """For example after the store has gone back: all start anew, and watchers get no further than they may see."""
    table = Table(delay=300, stopped=True)
    table.begins()
    await table.settled(3)
    watcher, player = Reader(), Reader("a")
    for reader in (watcher, player):
        table.feed.start(reader, preview=False)
    for _ in range(3):
        table.moves()
    told = list(watcher.got)
    assert set(table.feed.restart(table.history())) == {watcher, player}
    assert (table.feed.shown_to("").seq, table.feed.shown_to("a").seq) == (3, 6)
    assert table.feed.time_for("") < table.now() - 200
    table.moves()
    assert (player.seqs[-1], watcher.got) == (7, told)
    await table.settled(7)
    assert watcher.seqs == [4, 5, 6, 7]


async def test_a_log_that_became_another_ends_what_was_being_resumed() -> None:
    table = Table()
    table.begins()
    for _ in range(8):
        table.moves()
    reader = Reader()
    resumed = asyncio.ensure_future(table.feed.resume(reader, 1, 1, decided=None, preview=False))
    await asyncio.sleep(0)
    table.feed.restart(table.history()[-1:])
    ended = await resumed
    table.moves()
    await table.settled(table.seq)
    after = reader.seqs[reader.seqs.index(table.seq) - 1] if len(reader.seqs) > 1 else None
    assert not ended or after in (None, table.seq - 1)


ACTS = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(["move", "move", "stand in", "return", "turn", "restart", "wait"])),
        st.tuples(st.sampled_from(["start", "leave"]), st.integers(0, 3)),
        st.tuples(st.just("resume"), st.integers(0, 3), st.integers(0, 5)),
    ),
    max_size=60,
)


@settings(max_examples=60)
@given(ACTS, st.sampled_from([0, 20]))
def test_everything_after_the_cursor_in_order_once(acts: list[tuple[Any, ...]], delay: int) -> None:
    """A snapshot or an answer says where a follower begins. From there on they get each version, and the next."""

    async def run() -> None:
        table = Table(delay)
        feed = table.feed
        table.begins()
        readers = [Reader("a"), Reader("bot"), Reader("c"), Reader("d")]
        knows: list[int | None] = [None] * len(readers)  # the version at which each has begun
        tasks: dict[int, asyncio.Task[bool]] = {}

        def begin(index: int, seq: int | None) -> None:
            knows[index] = seq
            readers[index].got.clear()

        def snapshot(index: int) -> None:
            begin(index, feed.shown_to(readers[index].player_id).seq)

        async def resume(index: int, since: int) -> bool:
            begin(index, since)
            resumed = await feed.resume(readers[index], since, 1, decided=None, preview=False)
            if not resumed and feed.start(readers[index], preview=False):
                snapshot(index)
            return resumed

        def check() -> None:
            for reader, known in zip(readers, knows, strict=True):
                if known is not None:
                    assert reader.seqs == list(range(known + 1, known + 1 + len(reader.seqs)))
                    assert known + len(reader.seqs) <= table.seq

        for act, *args in acts:
            match act:
                case "move":
                    table.moves()
                case "stand in" | "return":
                    table.happens(StoodIn(1, "bot", "Bot") if act == "stand in" else Returned(1))
                case "turn":
                    await asyncio.sleep(0)
                case "wait":
                    await asyncio.sleep(delay / 1000)
                case "restart":
                    for follower in feed.restart(table.history()):
                        snapshot(readers.index(follower))  # type: ignore[arg-type]
                case "start":
                    if feed.start(readers[args[0]], preview=False):
                        snapshot(args[0])
                case "leave":
                    feed.leave(readers[args[0]])
                    begin(args[0], None)
                case "resume" if args[0] not in tasks or tasks[args[0]].done():
                    since = max(0, feed.shown_to(readers[args[0]].player_id).seq - args[1])
                    tasks[args[0]] = asyncio.ensure_future(resume(args[0], since))
            check()
        await asyncio.gather(*tasks.values())
        await table.settled(table.seq)
        await asyncio.sleep(0)
        check()
        for reader, known in zip(readers, knows, strict=True):
            if known is not None:
                assert (reader in feed, known + len(reader.seqs)) == (True, table.seq)
        assert len(feed) == len([known for known in knows if known is not None])
        feed.close()

    asyncio.run(run())


async def test_the_same_version_of_another_log_is_not_resumed() -> None:
    """No number is missing, but the whole log is a different game."""
    table = Table()
    table.begins()
    at = table.decisions[-1].at
    reader = Reader()
    with pytest.raises(OtherLineage):
        await table.feed.resume(reader, table.seq, 1, decided=at - 1, preview=False)
    assert (reader.got, reader in table.feed) == ([], False)
    assert await table.feed.resume(reader, table.seq, 1, decided=at, preview=False)
    assert (reader.got, reader in table.feed) == (["Ok"], True)


async def test_one_who_knows_the_new_log_is_sent_nothing_of_the_old_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """The store has gone back. A player who has a version of the new log comes to a node that still has the old one,
    and holds its end back from watchers."""
    table = Table(delay=300, stopped=True)
    table.begins()
    for _ in range(3):
        table.moves()
    new = Decision(4, table.now() + 100, "", "new", table.decisions[3].events)

    async def read(room: str, after: int = 0, lineage: bytes | None = None) -> list[Decision]:
        return [*table.decisions[:3], new][after:]

    monkeypatch.setattr(table.log, "read", read)
    reader = Reader("a")
    assert await table.feed.resume(reader, 4, 1, decided=new.at, preview=False)
    assert (reader.got, reader in table.feed) == (["Ok"], True)
