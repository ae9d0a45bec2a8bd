"""The contract of the log: one suite for the log in memory and the log on Redis and Valkey."""

import asyncio
import itertools
import signal
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
import structlog
from redis import Redis

from fourfold.engine.decisions import Decision
from fourfold.engine.match.events import Created, Moved, Seated
from fourfold.engine.match.terms import Terms
from fourfold.server.storage import pubsub, redis_log
from fourfold.server.storage.event_log import (
    AppendConflict,
    AppendRequest,
    DamagedEntry,
    EventLog,
    Listener,
    LogUnavailable,
    NewerEntry,
    Notification,
    OtherLineage,
)
from fourfold.server.storage.pipeline import Pipeline
from fourfold.server.storage.records import SCHEMA, descend, pack, seal
from fourfold.server.storage.redis_log import RedisLog
from tests.conftest import HANG, some
from tests.server.memory_log import MemoryLog

CREATED = (Created("standard", None, "public", "host"),)
SEATED = (Seated(0, "p1", "Ann"),)
MOVED = (Moved(0, "e2e4", 1),)

_rooms = itertools.count()


@pytest.fixture
def room() -> str:
    return f"room{next(_rooms)}"


URLS = {"valkey": "embedded_url", "redis": "debian_url"}
CLUSTERS = {"redis cluster": "redis_cluster", "valkey cluster": "valkey_cluster"}


@pytest.fixture(params=["memory", *some(1, *URLS, *CLUSTERS)])
async def nodes(request: pytest.FixtureRequest) -> AsyncIterator[tuple[EventLog, EventLog]]:
    """The log, opened by two nodes."""
    if request.param == "memory":
        ticks = itertools.count(1_700_000_000_000)
        only = MemoryLog(lambda: next(ticks))
        yield only, only
        return
    if request.param in URLS:
        url = request.getfixturevalue(URLS[request.param])
    else:
        url = request.getfixturevalue(CLUSTERS[request.param]).url
    here, there = await RedisLog.open(url), await RedisLog.open(url)
    yield here, there
    await here.close()
    await there.close()


@pytest.fixture
def log(nodes: tuple[EventLog, EventLog]) -> EventLog:
    return nodes[0]


@pytest.fixture
def there(nodes: tuple[EventLog, EventLog]) -> EventLog:
    return nodes[1]


def entry(
    packed: bytes, *, schema: int = SCHEMA, checksum_of: bytes | None = None, before: bytes = b""
) -> dict[Any, Any]:
    """The stored form of a first decision."""
    sealed = seal(descend(before, packed), packed if checksum_of is None else checksum_of, schema)
    return {"t": 1, "d": packed, "s": sealed}


class Hearing(Listener):
    """A listener that records decisions, messages, and None for a miss, and can be waited for."""

    def __init__(self) -> None:
        self.heard: asyncio.Queue[Decision | bytes | None] = asyncio.Queue()

    def notified(self, notification: Notification) -> None:
        decision = notification.decision(None)
        assert decision.seq == notification.seq
        self.heard.put_nowait(decision)

    def told(self, message: bytes) -> None:
        self.heard.put_nowait(message)

    def missed(self) -> None:
        self.heard.put_nowait(None)

    async def next(self) -> Decision | bytes | None:
        return await asyncio.wait_for(self.heard.get(), 240)


async def gone(log: EventLog, room: str) -> None:
    """Wait until the store has no key of a room."""
    async with asyncio.timeout(240):
        while await log.read(room):
            pass


class TestContract:
    async def test_an_unknown_room_has_an_empty_log(self, log: EventLog, room: str) -> None:
        assert await log.read(room) == []

    async def test_what_was_appended_is_read_back(self, log: EventLog, room: str) -> None:
        first = await log.append(AppendRequest(room, 0, "host", "k1", CREATED))
        second = await log.append(AppendRequest(room, 1, "p1", "k2", SEATED + MOVED))
        assert (first.seq, second.seq) == (1, 2)
        assert first == Decision(1, first.at, "host", "k1", CREATED)
        assert await log.read(room) == [first, second]
        assert await log.read(room, 1) == [second]
        assert await log.read(room, 2) == []

    async def test_a_log_goes_when_its_time_is_over_and_may_begin_anew(self, log: EventLog, room: str) -> None:
        await log.append(AppendRequest(room, 0, "host", "k1", CREATED, 60_000))
        await log.append(AppendRequest(room, 1, "p1", "k2", SEATED, 30))
        await gone(log, room)
        assert (await log.append(AppendRequest(room, 0, "host", "k3", CREATED))).seq == 1

    async def test_the_last_append_says_how_long(self, log: EventLog, room: str) -> None:
        for n, later in enumerate((None, 60_000)):
            await asyncio.gather(  # they travel together, so that the first does not go before the second comes
                log.append(AppendRequest(f"{room}-{n}", 0, "host", "k1", CREATED, 500)),
                log.append(AppendRequest(f"{room}-{n}", 1, "p1", "k2", SEATED, later)),
            )
        await log.append(AppendRequest(room, 0, "host", "k1", CREATED, 600))
        await gone(log, room)  # by then the others would have gone
        for n in range(2):
            assert len(await log.read(f"{room}-{n}")) == 2

    async def test_a_refused_append_prolongs_nothing(self, log: EventLog, room: str) -> None:
        first = log.append(AppendRequest(room, 0, "host", "k1", CREATED, 300))
        second = log.append(AppendRequest(room, 0, "host", "k2", CREATED, 60_000))  # travels together with the first
        await first
        with pytest.raises(AppendConflict):
            await second
        await gone(log, room)

    async def test_the_hosts_terms_come_back(self, log: EventLog, room: str) -> None:
        created = Created("ffa", None, "private", "host", terms=Terms(chat=False, lock="hash", seek=True))
        await log.append(AppendRequest(room, 0, "host", "k1", (created,)))
        (decision,) = await log.read(room)
        assert decision.events == (created,)
        assert "hash" not in repr(decision)

    async def test_times_do_not_run_backwards(self, log: EventLog, room: str) -> None:
        times = [(await log.append(AppendRequest(room, n, "", f"k{n}", MOVED))).at for n in range(5)]
        assert times == sorted(times)
        assert times[0] > 1_600_000_000_000

    @pytest.mark.parametrize("expected", [0, 2, 7])
    async def test_a_wrong_version_conflicts_and_changes_nothing(self, log: EventLog, room: str, expected: int) -> None:
        first = await log.append(AppendRequest(room, 0, "host", "k1", CREATED))
        with pytest.raises(AppendConflict):
            await log.append(AppendRequest(room, expected, "p1", "k2", SEATED))
        assert await log.read(room) == [first]

    async def test_of_many_writers_at_once_exactly_one_wins(self, log: EventLog, room: str) -> None:
        attempts = [log.append(AppendRequest(room, 0, f"p{n}", f"k{n}", CREATED)) for n in range(20)]
        results = await asyncio.gather(*attempts, return_exceptions=True)
        won = [result for result in results if isinstance(result, Decision)]
        assert len(won) == 1
        assert sum(isinstance(result, AppendConflict) for result in results) == 19
        assert await log.read(room) == won

    async def test_rooms_do_not_mix(self, log: EventLog, room: str) -> None:
        others = [f"{room}-{n}" for n in range(30)]
        await asyncio.gather(*(log.append(AppendRequest(other, 0, "host", other, CREATED)) for other in others))
        for other in others:
            assert [decision.key for decision in await log.read(other)] == [other]

    async def test_a_long_log_is_read_whole(self, log: EventLog, room: str) -> None:
        for start in range(0, 2500, 100):
            requests = [AppendRequest(room, n, "", str(n), MOVED) for n in range(start, start + 100)]
            await asyncio.gather(*map(log.append, requests))
        decisions = await log.read(room)
        assert [decision.seq for decision in decisions] == list(range(1, 2501))
        assert [decision.seq for decision in await log.read(room, 1499)] == list(range(1500, 2501))

    async def test_notifications_tell_every_decision_of_others_in_order(
        self, log: EventLog, there: EventLog, room: str
    ) -> None:
        hearing = Hearing()
        await log.follow(room, hearing)
        appended = [await there.append(AppendRequest(room, n, "p", f"k{n}", MOVED)) for n in range(10)]
        assert [await hearing.next() for _ in range(10)] == appended

    async def test_nothing_is_missed_between_following_and_reading(
        self, log: EventLog, there: EventLog, room: str
    ) -> None:
        hearing = Hearing()
        pending = [there.append(AppendRequest(room, 0, "p", "k0", CREATED))]
        await log.follow(room, hearing)
        pending += [there.append(AppendRequest(room, n, "p", f"k{n}", MOVED)) for n in range(1, 5)]
        known = {decision.seq for decision in await log.read(room)}
        await asyncio.gather(*pending)
        while 5 not in known:
            decision = await hearing.next()
            assert isinstance(decision, Decision)
            known.add(decision.seq)
        assert known == {1, 2, 3, 4, 5}

    async def test_an_unfollowed_room_notifies_no_more(self, log: EventLog, there: EventLog, room: str) -> None:
        hearing, witness = Hearing(), Hearing()
        await log.follow(room, hearing)
        await log.unfollow(room, hearing)
        await log.follow(f"{room}-witness", witness)
        await there.append(AppendRequest(room, 0, "host", "k", CREATED))
        await there.append(AppendRequest(f"{room}-witness", 0, "host", "k", CREATED))
        await witness.next()  # by now the other would have been notified
        assert hearing.heard.empty()

    async def test_whoever_has_followed_last_hears_alone(self, log: EventLog, there: EventLog, room: str) -> None:
        first, last = Hearing(), Hearing()
        await log.follow(room, first)
        await log.follow(room, last)
        await log.unfollow(room, first)  # it no longer follows: this changes nothing
        decision = await there.append(AppendRequest(room, 0, "host", "k", CREATED))
        assert await last.next() == decision
        assert first.heard.empty()

    async def test_what_is_told_is_heard_in_order_with_decisions_and_kept_nowhere(
        self, log: EventLog, there: EventLog, room: str
    ) -> None:
        hearing = Hearing()
        assert await there.tell(room, b"too early") == 0
        await log.follow(room, hearing)
        told = there.tell(room, b"\x00first")
        appended = there.append(AppendRequest(room, 0, "host", "k", CREATED))
        there.tell(room, b"second")
        assert [await hearing.next() for _ in range(3)] == [b"\x00first", await appended, b"second"]
        assert await told == 1
        assert await log.read(room) == [await appended]

    async def test_the_latest_lines_of_a_chat_are_kept(self, log: EventLog, there: EventLog, room: str) -> None:
        assert await log.lines(room) == []
        await log.append(AppendRequest(room, 0, "host", "k", CREATED))
        for number in range(5):
            await log.keep_line(room, b"line %d" % number, 3, 600_000)
        assert await there.lines(room) == [b"line 2", b"line 3", b"line 4"]
        assert await there.lines(room + "x") == []

    async def test_reminders_are_handed_out_once_when_their_time_has_come(self, log: EventLog, room: str) -> None:
        await log.remind({}, 5000, 3_600_000)  # left by earlier tests
        now = log.now()
        names = [f"{room}-{n}" for n in range(1200)]
        await log.remind({name: now - 10_000 + n for n, name in enumerate(names[:1100])})
        assert await log.remind(dict.fromkeys(names[1100:], now + 600_000), 3, 60_000) == names[:3]
        rest = await log.remind({names[3]: None, names[4]: now + 600_000}, 5000, 60_000)
        assert rest == names[5:1100]
        assert await log.remind({names[0]: now - 1}, 5000, 60_000) == [names[0]]
        await log.remind(dict.fromkeys(names))

    async def test_the_log_has_a_clock(self, log: EventLog, room: str, monkeypatch: pytest.MonkeyPatch) -> None:
        """It may be wrong by half the round trip of its sample, and half a millisecond of rounding each way."""
        monkeypatch.setattr(redis_log, "FRESH", HANG)  # on a busy machine the beat may be seconds ago
        await log.steady()
        before = log.now()
        decision = await log.append(AppendRequest(room, 0, "host", "k", CREATED))
        after = log.now()
        error = 0.0 if isinstance(log, MemoryLog) else min(sample.trip for sample in log._heartbeat._samples) / 2000 + 1  # type: ignore[attr-defined]
        assert log.certain
        assert before - error <= decision.at <= after + error

    async def test_a_writer_of_another_lineage_is_too_late(self, log: EventLog, room: str) -> None:
        first = await log.append(AppendRequest(room, 0, "host", "k1", CREATED, None, b""))
        with pytest.raises(AppendConflict):
            await log.append(AppendRequest(room, 1, "p1", "k2", SEATED, None, b"anything"))
        second = await log.append(AppendRequest(room, 1, "p1", "k2", SEATED, None, first.lineage))
        assert [decision.lineage for decision in await log.read(room)] == [first.lineage, second.lineage]
        assert len({first.lineage, second.lineage, b""}) == 3

    async def test_two_logs_of_the_same_length_differ_in_lineage(self, log: EventLog, room: str) -> None:
        ends = []
        for n, player in enumerate(("p1", "p2")):
            first = await log.append(AppendRequest(f"{room}-{n}", 0, "host", "k1", CREATED, None, b""))
            ends.append(await log.append(AppendRequest(f"{room}-{n}", 1, player, "k2", SEATED, None, first.lineage)))
            third = await log.append(AppendRequest(f"{room}-{n}", 2, "p1", "k3", MOVED, None, ends[n].lineage))
            assert await log.read(f"{room}-{n}", 2, ends[n].lineage) == [third]
        with pytest.raises(OtherLineage):
            await log.read(f"{room}-0", 2, ends[1].lineage)

    async def test_who_holds_more_than_there_is_learns_it(self, log: EventLog, room: str) -> None:
        first = await log.append(AppendRequest(room, 0, "host", "k1", CREATED, None, b""))
        assert await log.read(room, 1, first.lineage) == []
        with pytest.raises(OtherLineage):
            await log.read(room, 2, b"whatever")
        with pytest.raises(OtherLineage):
            await log.read(f"{room}-gone", 1, first.lineage)

    async def test_a_notification_says_which_lineage_it_is_of(
        self, log: EventLog, there: EventLog, room: str
    ) -> None:
        heard: asyncio.Queue[Notification] = asyncio.Queue()
        hearing = Hearing()
        hearing.notified = heard.put_nowait  # type: ignore[method-assign]
        await log.follow(room, hearing)
        first = await there.append(AppendRequest(room, 0, "host", "k1", CREATED, None, b""))
        second = await there.append(AppendRequest(room, 1, "p1", "k2", SEATED, None, first.lineage))
        await asyncio.wait_for(heard.get(), 240)
        read = await asyncio.wait_for(heard.get(), 240)
        assert read.lineage == second.lineage
        assert read.decision(first.lineage) == second
        with pytest.raises(OtherLineage):
            read.decision(b"another")

    async def test_a_log_without_lineages_is_continued(self, log: EventLog, room: str) -> None:
        for n in range(3):
            await log.append(AppendRequest(room, n, "p", f"k{n}", MOVED))
        held = (await log.read(room))[-1].lineage
        fourth = await log.append(AppendRequest(room, 3, "p", "k3", MOVED, None, held))
        fifth = await log.append(AppendRequest(room, 4, "p", "k4", MOVED))  # by an older server, while not all are new
        kept = await log.read(room)
        assert kept[3:] == [fourth, fifth]
        assert kept[3].lineage == fourth.lineage
        assert (await log.append(AppendRequest(room, 5, "p", "k5", MOVED, None, kept[4].lineage))).seq == 6
        assert [decision.seq for decision in await log.read(room, 3, kept[2].lineage)] == [4, 5, 6]

    async def test_the_work_handed_on_in_an_event_is_not_part_of_it(self, log: EventLog, room: str) -> None:
        await log.append(AppendRequest(room, 0, "p", "k", (Moved(0, "e2e4", 1, after=object()),)))  # type: ignore[arg-type]
        (decision,) = await log.read(room)
        assert decision.events == MOVED


class TestRedis:
    """Failures that only a store in another process can cause."""

    async def test_two_nodes_hear_each_other(self, store_url: str, room: str) -> None:
        here, there = await RedisLog.open(store_url), await RedisLog.open(store_url)
        hearing = Hearing()
        await there.follow(room, hearing)
        appended = await here.append(AppendRequest(room, 0, "host", "k", CREATED))
        assert await hearing.next() == appended
        with pytest.raises(AppendConflict):
            await there.append(AppendRequest(room, 0, "host", "k2", CREATED))
        await here.close()
        await there.close()

    async def test_two_databases_of_one_store_do_not_hear_each_other(self, store_url: str, room: str) -> None:
        """Streams belong to a database, channels do not."""
        here, there, other = [await RedisLog.open(f"{store_url}?db={db}") for db in (2, 2, 3)]
        hearing, stranger = Hearing(), Hearing()
        await there.follow(room, hearing)
        await other.follow(room, stranger)
        appended = await here.append(AppendRequest(room, 0, "host", "k", CREATED))
        assert await here.tell(room, b"said") == 1
        assert [await hearing.next(), await hearing.next()] == [appended, b"said"]
        await other.tell(room, b"here")
        assert await stranger.next() == b"here", "and nothing before"
        assert await other.read(room) == []
        for log in (here, there, other):
            await log.close()

    async def test_all_nodes_share_one_secret(self, store_url: str) -> None:
        here, there = await RedisLog.open(store_url), await RedisLog.open(store_url)
        secrets = await asyncio.gather(here.secret(), there.secret())
        assert secrets[0] == secrets[1]
        assert len(secrets[0]) == 32
        await here.close()
        await there.close()

    async def test_a_store_that_forgot_the_script_is_told_again(self, store_url: str, room: str) -> None:
        log = await RedisLog.open(store_url)
        with Redis.from_url(store_url) as store:
            store.script_flush()
        decisions = await asyncio.gather(*(log.append(AppendRequest(room, n, "p", f"k{n}", MOVED)) for n in range(10)))
        assert await log.read(room) == decisions
        await log.close()

    @pytest.mark.interpreted
    async def test_nothing_is_sent_while_there_is_nothing_to_send(
        self, store_url: str, room: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """asyncio never finishes a write of no bytes."""
        batches, send = [], Pipeline._send

        async def watched(pipeline: Pipeline, batch: list[Any]) -> list[Any]:
            batches.append(len(batch))
            return await send(pipeline, batch)

        monkeypatch.setattr(Pipeline, "_send", watched)
        log = await RedisLog.open(store_url)
        for n in range(3):
            await log.read(room)
            await log.append(AppendRequest(room, n, "p", f"k{n}", MOVED))
        await log.close()
        assert batches == [1, 1, 1]

    async def test_cut_connections_are_made_again(self, store_url: str, room: str) -> None:
        log, other = await RedisLog.open(store_url), await RedisLog.open(store_url)
        hearing = Hearing()
        await log.follow(room, hearing)
        with Redis.from_url(store_url) as store:
            for kind in ("normal", "pubsub"):
                store.client_kill_filter(_type=kind)
        assert await hearing.next() is None  # some may have been missed: read
        decision = await other.append(AppendRequest(room, 0, "p", "k", CREATED))
        assert await hearing.next() == decision
        await log.close()
        await other.close()

    async def test_a_nodes_own_decisions_do_not_come_back_to_it(self, store_url: str, room: str) -> None:
        log = await RedisLog.open(store_url)
        hearing = Hearing()
        await log.follow(room, hearing)
        await log.append(AppendRequest(room, 0, "p", "k", CREATED))
        await log.tell(room, b"messages do")
        assert await hearing.next() == b"messages do"
        await log.close()

    async def test_a_connection_that_died_without_a_word_is_made_again(
        self, frail_store: Any, room: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        log, other = await RedisLog.open(frail_store.url), await RedisLog.open(frail_store.url)
        hearing = Hearing()
        await log.follow(room, hearing)
        with structlog.testing.capture_logs() as logs, monkeypatch.context() as patch:
            patch.setattr(pubsub, "PING", 0.1)
            frail_store.signal(signal.SIGSTOP)  # as if a firewall had forgotten the connections
            async with asyncio.timeout(HANG):
                while not any(entry["event"] == "doorbells silent" for entry in logs):  # noqa: ASYNC110 - it only logs it
                    await asyncio.sleep(0.02)
        monkeypatch.setattr(pubsub, "PING", HANG)  # a store that answers late is not silent again
        frail_store.signal(signal.SIGCONT)
        assert await hearing.next() is None
        decision = await other.append(AppendRequest(room, 0, "p", "k", CREATED))
        assert await hearing.next() == decision
        await log.close()
        await other.close()

    @pytest.mark.parametrize(
        ("entry", "error"),
        [
            (entry(b"\x93\xa0\xa0\x91\x91\xa6castle"), NewerEntry),
            (entry(pack("", "", MOVED), schema=SCHEMA + 1), NewerEntry),
            (entry(pack("", "", MOVED)[:-1] + b"x", checksum_of=pack("", "", MOVED)), DamagedEntry),
            ({**entry(pack("", "", MOVED)), "s": b"short"}, DamagedEntry),
            ({"t": 1, "d": b"\x93\xa0\xa0\x91\x91\xa6castle"}, DamagedEntry),
            ({"t": 1, "d": b"\xc1"}, DamagedEntry),
            ({"t": 1}, DamagedEntry),
            ({"t": "soon", "d": pack("", "", MOVED)}, DamagedEntry),
        ],
    )
    async def test_what_a_newer_server_wrote_and_what_is_damaged_are_told_apart(
        self, store_url: str, room: str, entry: dict[Any, Any], error: type[Exception]
    ) -> None:
        log = await RedisLog.open(store_url)
        with Redis.from_url(store_url) as store:
            store.xadd(f"fourfold:{{{room}}}:log", entry, id="1-0")
        with pytest.raises(error):
            await log.read(room)
        await log.close()

    async def test_notifications_tell_them_apart_too(self, store_url: str, room: str) -> None:
        log = await RedisLog.open(store_url)
        heard: asyncio.Queue[Notification] = asyncio.Queue()
        hearing = Hearing()
        hearing.notified = heard.put_nowait  # type: ignore[method-assign]
        await log.follow(room, hearing)
        packed = pack("", "", MOVED)
        sound = entry(packed)
        for message, error in (
            (sound["s"] + packed, None),
            (packed, None),  # of an older server
            (sound["s"] + packed[:-1], DamagedEntry),
            (entry(packed, schema=SCHEMA + 1)["s"] + packed, NewerEntry),
        ):
            with Redis.from_url(store_url) as store:
                store.execute_command("SPUBLISH", f"fourfold:{{{room}}}:log", b"1 1 " + message)
            read = await asyncio.wait_for(heard.get(), 240)
            if error is None:
                assert read.decision(b"").events == MOVED
            else:
                with pytest.raises(error):
                    read.decision(b"")
        await log.close()

    @pytest.mark.parametrize("harm", ["one is gone", "one is different", "two changed places"])
    async def test_a_log_whose_entries_do_not_follow_each_other_is_damaged(
        self, store_url: str, room: str, harm: str
    ) -> None:
        log = await RedisLog.open(store_url)
        lineage = b""
        for n in range(4):
            lineage = (await log.append(AppendRequest(room, n, "p", f"k{n}", MOVED, None, lineage))).lineage
        key = f"fourfold:{{{room}}}:log"
        with Redis.from_url(store_url) as store:
            entries = [fields for _, fields in store.xrange(key)]  # type: ignore[union-attr]
            store.delete(key)
            match harm:
                case "one is gone":
                    numbered = [(n, fields) for n, fields in enumerate(entries, 1) if n != 2]
                case "one is different":
                    entries[1] |= entry(pack("p", "other", MOVED), before=b"another")
                    numbered = [*enumerate(entries, 1)]
                case _:
                    numbered = [*enumerate([entries[0], entries[2], entries[1], entries[3]], 1)]
            for n, fields in numbered:
                store.xadd(key, fields, id=f"{n}-0")  # type: ignore[arg-type]
        with pytest.raises(DamagedEntry):
            await log.read(room)
        await log.close()

    async def test_closing_fails_what_waits(self, frail_store: Any, room: str) -> None:
        log = await RedisLog.open(frail_store.url)
        frail_store.kill()
        waiting = log.append(AppendRequest(room, 0, "p", "k", CREATED))
        await log.close()
        with pytest.raises(LogUnavailable):
            await waiting

    async def test_no_store_is_said_at_once(self, tmp_path: str) -> None:
        with pytest.raises(LogUnavailable, match="does not answer"):
            await RedisLog.open(f"unix://{tmp_path}/nobody.sock")


@pytest.fixture(autouse=True)
def _no_lost_exceptions(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    yield
    assert "exception was never retrieved" not in caplog.text
