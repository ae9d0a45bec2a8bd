"""Records of the store's acknowledged decisions outside the store, and their comparison with the store."""

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from typing import Any

import pytest
import structlog
from redis import Redis

from fourfold.engine.decisions import Decision
from fourfold.engine.match.commands import Create
from fourfold.server.archive.archive import Archive
from fourfold.server.archive.comparison import Comparison, lacks
from fourfold.server.archive.database import Database
from fourfold.server.archive.errors import ArchiveUnavailable
from fourfold.server.archive.marks import MarkTables
from fourfold.server.archive.witness import Witness
from fourfold.server.archive.witnessed import Beat, Loss, Mark
from fourfold.server.metrics import Metrics
from fourfold.server.storage.heartbeat import StoreData
from fourfold.server.storage.records import Entry
from fourfold.server.storage.redis_log import RedisLog
from tests.server.archive.played import START, Game, archived
from tests.server.maintenance.conftest import put

NOW = START + 1_000_000
LATER = START + 2_000_000


class Reached(Archive):
    """A database without a server around it."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.gone = False

    async def marks(self, question: Callable[[MarkTables], Coroutine[Any, Any, Any]]) -> Any:
        if self.gone:
            raise ArchiveUnavailable("away")
        return await question(self._database.marks)


class Store:
    """A store with real logs, and with beats that the test sets."""

    def __init__(self, log: RedisLog) -> None:
        self.entries = log.entries
        self.data: tuple[StoreData | None, StoreData | None] = (data(10, 10), data(10, 10))


def data(beats: int, at: int, name: bytes = b"data") -> StoreData:
    return StoreData(name, beats, -1, at)


def game(room: int, plies: int, start: int = START) -> Game:
    """A log with `plies` moves and three more entries."""
    made = Game(Create("standard", seed=room), ["ann", "bob"], start=start)
    made.play(room, plies)
    return made


def mark(room: str, decision: Decision, until: int | None = None) -> Mark:
    return Mark(room, decision.seq, decision.lineage, decision.at, until)


@pytest.fixture
def kept(embedded_url: str) -> Iterator[Redis]:
    with Redis.from_url(embedded_url) as store:
        store.flushall()
        yield store


@pytest.fixture
async def log(embedded_url: str, kept: Redis) -> Any:
    log = await RedisLog.visit(embedded_url)
    yield log
    await log.close()


async def test_each_fate_of_a_room_is_told_apart(database: Database, log: RedisLog, kept: Redis) -> None:
    """`fates`: for each room, the entries in the store and the number of the last kept one. Each room has its mark at
    entry 7."""
    now, whole = game(1, 4), game(1, 9)
    other = [entry._replace(at=entry.at + 500_000) for entry in game(2, 9).entries[5:]]
    renamed = [*whole.entries[:6], *(Entry(*one[:2], two.packed, two.sealed) for one, two in
               zip(whole.entries[6:], game(2, 9).entries[6:], strict=True))]  # fmt: skip
    fates: dict[str, tuple[list[Entry], int]] = {
        "same": (now.entries, 7),
        "went on": (whole.entries, 7),
        "shorter": (now.entries[:4], 4),
        "shorter, and went on differently": (now.entries[:5] + other, 5),
        "without a player": (renamed, 7),
        "damaged": ([*now.entries[:6], now.entries[6]._replace(packed=b"?", sealed=b"?")], 7),
        "gone": ([], 0),
        "it has expired": ([], 7),
        "archived": ([], 7),
        "archived, and its last entry is there": (whole.entries[-1:], 7),
    }
    marks = []
    for room, (entries, _) in fates.items():
        put(kept, room, entries)
        marks.append(mark(room, now.decisions[6], NOW - 1 if room == "it has expired" else NOW + 1))
        if room.startswith("archived"):
            await archived(database, room, whole)
    await database.marks.write(marks, (), None)
    lost, left = await Comparison(Reached(database), log).rooms(None, NOW)
    assert {one.mark.room: one.kept for one in lost} == {room: end for room, (_, end) in fates.items() if end < 7}
    assert sorted(left) == [room for room in fates if room.startswith("archived")]
    one, _ = await Comparison(Reached(database), log).rooms({"gone", "same"}, NOW)
    assert [(lost.mark, lost.kept) for lost in one] == [(marks[list(fates).index("gone")], 0)]


async def test_beats_that_the_store_lacks(database: Database, log: RedisLog) -> None:
    comparison = Comparison(Reached(database), log)
    for seen, now, lacked in (
        (Beat("data", 99, 500), data(100, 600), False),
        (Beat("data", 100, 500), data(100, 600), True),
        (Beat("data", 130, 700), data(100, 600), False),  # of a running server
        (Beat("older", 7, 500), data(100, 600), True),
    ):
        await database.marks.settle({}, await database.marks.beats(), 0)
        await database.marks.write((), (), seen)
        assert [beat for beat in await comparison.beats(now) if lacks(now, beat)] == ([seen] if lacked else [])


async def test_the_later_of_two_marks_stays(database: Database) -> None:
    decisions = game(1, 9).decisions
    for decision in (decisions[3], decisions[8], decisions[5]):
        await database.marks.write([mark("room", decision), mark(f"room{decision.seq}", decision)], (), None)
    assert await database.marks.of(["room"]) == [mark("room", decisions[8])]
    await database.marks.write([mark("room", decisions[4])], ["room", "room4"], None)
    assert await database.marks.page("") == [
        mark("room", decisions[4]), mark("room6", decisions[5]), mark("room9", decisions[8])
    ]  # fmt: skip
    await database.marks.write([mark("brief", decisions[0], NOW)], (), None)
    await database.marks.prune(NOW + 1, 0)
    assert not await database.marks.of(["brief"])


async def test_a_loss_counts_although_the_room_was_played_on_meanwhile(database: Database) -> None:
    """Between reading the marks and reporting the loss, another server has written a later mark."""
    lost, later = game(1, 9).decisions[-1], game(1, 12).decisions[-1]
    assert later.at > lost.at
    await database.marks.write([mark("room", later), mark("reported", lost)], (), None)
    missing = {mark("room", lost): 3, mark("reported", lost): 2, mark("gone", lost): 1}
    assert await database.marks.settle(missing, (), NOW) == {mark("room", lost), mark("reported", lost)}
    assert await database.marks.page("") == [mark("room", later)]
    assert await database.marks.losses(NOW) == Loss(2, 5)


async def compared(witness: Witness) -> list[dict[str, Any]]:
    """Compare and write, as the witness does by itself; returns the log lines."""
    with structlog.testing.capture_logs() as logs:
        await witness._resolve()
        await witness._write()
    return [dict(entry) for entry in logs]


async def test_a_start_tells_what_was_lost_and_one_server_counts_it(
    database: Database, other: Database, log: RedisLog, kept: Redis
) -> None:
    before = Witness(Reached(database), Store(log), lambda: NOW, Metrics())
    assert await compared(before) == []
    for room in range(4):
        played = game(room, 9)
        put(kept, f"room{room}", played.entries[: 12 - room])
        before.note(f"room{room}", played.decisions[-1], None)
    await before.close()
    assert [one.seq for one in await database.marks.page("")] == [12] * 4
    metrics, store = (Metrics(), Metrics()), Store(log)
    store.data = data(9, LATER), data(50, LATER + 1)  # the tenth beat is gone, too
    archives = Reached(database), Reached(other)
    starting = [Witness(one, store, lambda: LATER, two) for one, two in zip(archives, metrics, strict=True)]
    said = [entry for witness in starting for entry in await compared(witness)]
    assert [(entry["log_level"], entry["event"]) for entry in said] == [
        ("error", "3 rooms went back, by 6 decisions: the store has lost what it had acknowledged")
    ]
    assert said[0]["rooms"] == {"room1": "12 to 11", "room2": "12 to 10", "room3": "12 to 9"}
    assert [(one.losses, one.rooms_back, one.decisions_lost) for one in metrics] == [(1, 3, 6), (0, 0, 0)]
    for witness in starting:
        assert (witness.warning or "").startswith("3 rooms went back, by 6 decisions")
    last = mark("room0", game(0, 9).decisions[-1])
    beats = await database.marks.beats()
    assert await database.marks.settle({last: 2}, beats, LATER) == {last, *beats}
    assert await database.marks.losses(LATER) == Loss(4, 8)
    store.data = data(50, LATER + 2), data(50, LATER + 2)
    again = Witness(Reached(database), store, lambda: LATER, Metrics())
    assert await compared(again) == [], "it was reported"
    assert again.warning, "for a day"


async def test_of_two_that_compare_at_once_one_counts(
    database: Database, other: Database, log: RedisLog, kept: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first has made a beat that hides from it what the other sees: the store lacks the tenth beat, too."""
    before = Witness(Reached(database), Store(log), lambda: NOW, Metrics())
    await compared(before)
    played = game(1, 9)
    put(kept, "room", played.entries[:9])
    before.note("room", played.decisions[-1], None)
    await before.close()
    stores, metrics = (Store(log), Store(log)), (Metrics(), Metrics())
    stores[0].data = data(11, LATER), data(11, LATER)
    stores[1].data = data(10, LATER), data(11, LATER)
    archives = Reached(database), Reached(other)
    both = [
        Witness(archive, store, lambda: LATER, one)
        for archive, store, one in zip(archives, stores, metrics, strict=True)
    ]
    settle, ready, settled = MarkTables.settle, asyncio.Event(), asyncio.Event()

    async def in_turn(tables: MarkTables, *arguments: Any) -> Any:
        if tables is other.marks:
            ready.set()
            await settled.wait()
        else:
            await ready.wait()
        gone = await settle(tables, *arguments)
        settled.set()
        return gone

    monkeypatch.setattr(MarkTables, "settle", in_turn)
    await asyncio.gather(*map(compared, both))
    assert [(one.losses, one.rooms_back, one.decisions_lost) for one in metrics] == [(1, 1, 3), (0, 0, 0)]
    for witness in both:
        assert (witness.warning or "").startswith("1 room went back, by 3 decisions")


async def test_what_a_room_found_out_is_counted_once(database: Database, log: RedisLog, kept: Redis) -> None:
    metrics = Metrics()
    witness = Witness(Reached(database), Store(log), lambda: NOW, metrics)
    await compared(witness)
    played = game(1, 9)
    for room in ("held", "not held"):
        witness.note(room, played.decisions[-1], None)
        put(kept, room, played.entries[:8])
    await witness._write()
    assert witness.went_back("held", 8) and not witness.went_back("held", 8)
    witness.doubt()
    (said,) = await compared(witness)
    assert said["event"].startswith("1 room went back, by 4 decisions")
    assert (metrics.rooms_back, metrics.decisions_lost, metrics.losses) == (1, 4, 0)
    assert await database.marks.page("") == []


async def test_while_the_archive_is_away_nothing_noted_is_lost(database: Database, log: RedisLog, kept: Redis) -> None:
    archive = Reached(database)
    witness = Witness(archive, Store(log), lambda: NOW, Metrics())
    played = game(1, 9)
    put(kept, "room", played.entries)
    await database.marks.write([mark("lost", played.decisions[3])], (), None)
    witness.note("lost", played.decisions[1], None)
    witness.note("room", played.decisions[3], None)
    archive.gone = True
    await witness.close()
    archive.gone = False
    await witness.close()
    assert witness.warning, "it compares before it writes"
    archive.gone = True
    for work in (witness._write, witness._resolve):
        witness.doubt("room")
        with pytest.raises(ArchiveUnavailable):
            await work()
    witness.note("room", played.decisions[-1], 1000)
    await witness.close()
    archive.gone = False
    await witness.close()
    assert await database.marks.of(["room"]) == [mark("room", played.decisions[-1], played.decisions[-1].at + 990)]
