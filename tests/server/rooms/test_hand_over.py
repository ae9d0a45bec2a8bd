"""Finished games move to the archive, once, whatever crashes on the way: on a real store and a real archive, and on
ones in memory for their rare failures."""

import asyncio
import math
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from redis import Redis
from sqlalchemy import func, select

from fourfold.engine.decisions import Rejection
from fourfold.engine.match import State, Status
from fourfold.engine.match.commands import Close, Create, Move, Propose, Resign, Sit, Vote
from fourfold.engine.match.events import Archived, ProposalKind
from fourfold.engine.match.terms import Terms
from fourfold.server.archive.archive import Archive
from fourfold.server.archive.database import Database
from fourfold.server.archive.tables import GAMES, LOGS, SEATS
from fourfold.server.metrics import Metrics
from fourfold.server.replication.holding import NoSuchRoom
from fourfold.server.rooms import hand_over as module
from fourfold.server.rooms.hand_over import HandOver
from fourfold.server.rooms.registry import RoomRegistry, new_id
from fourfold.server.rooms.retention import Retention
from fourfold.server.rooms.room import Room
from fourfold.server.storage.event_log import OtherLineage
from fourfold.server.storage.records import Entry, pack
from fourfold.server.storage.redis_log import RedisLog
from tests import new_archive
from tests.conftest import some
from tests.server.memory_log import MemoryLog
from tests.server.replication.test_log_writer import ask, writer_on

FOOLS_MATE = ["f2f3", "e7e5", "g2g4", "d8h4"]


class Crash(Exception):
    """The node has crashed at this moment."""


class Crashing:
    """Stands before the archive and the store. Fails at a step, before or after it is done. Later calls fail too, as on
    a dead node."""

    def __init__(self, inner: Any, steps: "Steps") -> None:
        self._inner, self._steps = inner, steps

    def __getattr__(self, name: str) -> Any:
        real = getattr(self._inner, name)
        if name not in ("ping", "keep", "log", "list_games", "retire", "entries"):
            return real

        async def call(*arguments: Any) -> Any:
            self._steps.pass_one(name)
            result = await real(*arguments)
            self._steps.pass_one(name)
            return result

        return call


class Steps:
    """Counts the moments before and after each step. At one of them the node crashes."""

    def __init__(self, crash: int | None) -> None:
        self._left = crash
        self.passed: list[str] = []
        self.crashed = asyncio.Event()

    def pass_one(self, name: str) -> None:
        self.passed.append(name)
        if self._left is None:
            return
        self._left -= 1
        if self._left < 0:
            self.crashed.set()
            raise Crash(name)


class Node:
    """A node: its log, its archive and its rooms."""

    def __init__(
        self,
        log: RedisLog,
        archive: Archive,
        hand_over: HandOver,
        rooms: RoomRegistry,
        metrics: Metrics,
        steps: Steps,
    ) -> None:
        self.log, self.archive, self.hand_over, self.rooms = log, archive, hand_over, rooms
        self.metrics, self.steps = metrics, steps


Start = Callable[..., Awaitable[Node]]


@pytest.fixture
def store(embedded_url: str) -> Redis:
    store = Redis.from_url(embedded_url)
    store.flushall()
    return store


@pytest.fixture
async def start(store: Redis, embedded_url: str, tmp_path: Path) -> AsyncIterator[Start]:
    """Starts a node, which crashes at a step; `after` is the quiet time in milliseconds."""
    new_archive.lay(tmp_path)
    async with AsyncExitStack() as stack:

        async def start(crash: int | None = None, after: int = 0, folder: Path = tmp_path) -> Node:
            log = await RedisLog.open(embedded_url)
            stack.push_async_callback(log.close)
            metrics, steps = Metrics(), Steps(crash)

            async def agree(id: str) -> str:
                return id

            games = Archive(None, folder, agree, metrics)
            games.open()
            stack.push_async_callback(games.close)
            log.archive = games.log
            crashing: Any = Crashing(games, steps)
            hand_over = HandOver(crashing, Crashing(log, steps), log.now, after, None, metrics)
            rooms = RoomRegistry(log, log.now, b"secret", Retention(finished=None), (), metrics, hand_over=hand_over)
            stack.push_async_callback(rooms.close)
            rooms.start()
            return Node(log, games, hand_over, rooms, metrics, steps)

        yield start


async def play(node: Node, moves: Sequence[str] = FOOLS_MATE) -> Room:
    room = await node.rooms.open(new_id(), Create("standard"), "ann")
    assert isinstance(room, Room)
    for player in ("ann", "bob"):
        await room.judge(Sit(player), player)
    for ply, text in enumerate(moves):
        answer = await room.judge(Move(text, room.seq), ("ann", "bob")[ply % 2])
        assert not isinstance(answer, Rejection)
    return room


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(240):
        while not condition():
            await asyncio.to_thread(time.sleep, 0.02)  # paces the looks


def in_store(store: Redis, room: str) -> int:
    return int(store.xlen(f"fourfold:{{{room}}}:log"))  # type: ignore[arg-type]


async def counts(folder: Path) -> tuple[int, int, int]:
    """The numbers of logs, games and seats in the archive."""
    database = await Database.open(None, folder)
    async with database._begin() as connection:
        found = [await connection.scalar(select(func.count()).select_from(table)) for table in (LOGS, GAMES, SEATS)]
    await database.close()
    return found[0], found[1], found[2]


STEPS = ["ping", "ping", "entries", "entries", "keep", "keep", "log", "log", "list_games", "list_games", "retire"]


async def test_a_game_goes_to_the_archive(start: Start, store: Redis, tmp_path: Path) -> None:
    node = await start()
    room = await play(node)
    await until(lambda: in_store(store, room.id) == 1)
    await until(lambda: room.id not in node.hand_over)
    assert node.steps.passed == [*STEPS, "retire"]
    decisions = await node.log.read(room.id)
    assert [decision.seq for decision in decisions] == list(range(1, room.seq + 1))
    assert await counts(tmp_path) == (1, 1, 2)
    assert 0 < int(store.pttl(f"fourfold:{{{room.id}}}:log")) <= module.LEFT  # type: ignore[arg-type]
    assert node.metrics.archived == 1
    assert node.rooms.waiting() == 0
    assert room.idle


@pytest.mark.parametrize("crash", some(2, 5, 9, 1, 2, 7, 11))  # the moments between which something changes
async def test_a_crash_loses_and_doubles_nothing(crash: int, start: Start, store: Redis, tmp_path: Path) -> None:
    """One node dies at a step, before or after it is done; another one does the rest."""
    dying = await start(crash)
    room = await play(dying)
    await asyncio.wait_for(dying.steps.crashed.wait(), 240)
    log = (await dying.log.read(room.id))[: room.seq]
    heir = await start()
    await heir.rooms.find(room.id)
    await until(lambda: in_store(store, room.id) == 1)
    await until(lambda: room.id not in heir.hand_over)
    decisions = await heir.log.read(room.id)
    assert decisions[: len(log)] == log and len(decisions) - len(log) in (0, 1)
    assert await counts(tmp_path) == (1, 1, 2)
    assert heir.metrics.archived == (crash < len(STEPS))  # otherwise it had left


async def test_many_nodes_at_once_archive_a_game_once(start: Start, store: Redis, tmp_path: Path) -> None:
    nodes = [await start(after=300) for _ in range(3)]
    room = await play(nodes[0])
    for node in nodes[1:]:
        await node.rooms.find(room.id)
    await until(lambda: in_store(store, room.id) == 1)
    await until(lambda: not any(room.id in node.hand_over for node in nodes))
    assert await counts(tmp_path) == (1, 1, 2)
    assert sum(node.metrics.archive_failures for node in nodes) == 0
    assert sum(node.steps.passed.count("retire") for node in nodes) >= 2


async def test_an_archive_that_is_away_touches_no_game(start: Start, store: Redis, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    node = await start(folder=tmp_path / "file")
    over, played = await play(node), await play(node, FOOLS_MATE[:1])
    await until(lambda: node.metrics.archive_errors > 1 and over.id not in node.hand_over)
    assert over.state is not None and not over.state.archived
    assert node.rooms.waiting() == 1
    await node.rooms._drop(over)
    assert node.rooms.waiting() == 1
    over = await node.rooms.find(over.id)
    assert not isinstance(await played.judge(Move("e7e5", played.seq), "bob"), Rejection)
    await over.judge(Propose(ProposalKind.REMATCH, over.seq), "ann")
    await over.judge(Vote(1, True), "bob")
    assert over.state is not None and over.state.game == 2
    assert node.rooms.waiting() == 0
    assert in_store(store, over.id) == over.seq


@pytest.mark.slow
async def test_a_room_that_has_no_deadline_is_found(
    start: Start, store: Redis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The node has died before it wrote the reminder."""
    playing = await start(after=3_600_000)
    over, going_on = await play(playing), await play(playing, FOOLS_MATE[:2])
    await playing.rooms.close()
    store.delete("fourfold:alarms")
    monkeypatch.setattr(module, "FIRST_LOOK", 0.0)
    node = await start()
    node.hand_over.open()
    await until(lambda: in_store(store, over.id) == 1)
    assert in_store(store, going_on.id) == going_on.seq


async def test_a_log_that_the_archive_has_otherwise_stays(start: Start, store: Redis, tmp_path: Path) -> None:
    node = await start(after=300)
    room = await play(node, FOOLS_MATE[:2])
    entries: list[Entry] = await node.log.entries(room.id)
    await node.archive.keep(room.id, entries, 0)
    await room.judge(Resign(), "ann")
    await until(lambda: node.metrics.archive_failures == 1)
    assert in_store(store, room.id) == room.seq == len(entries) + 2
    assert await node.archive.log(room.id) == entries


async def test_a_log_that_has_not_left_is_read_without_the_archive(start: Start, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    node = await start(after=3_600_000, folder=tmp_path / "file")  # whose archive is away
    room = await play(node, FOOLS_MATE[:2])
    assert await node.log.read(room.id, room.seq) == []
    assert len(await node.log.read(room.id, room.seq - 1)) == 1


async def test_a_store_that_has_gone_back_is_no_log_that_has_left(start: Start, store: Redis) -> None:
    node = await start()
    room = await play(node)
    key = f"fourfold:{{{room.id}}}:log"
    shelf: Any = store.dump(key)
    await until(lambda: in_store(store, room.id) == 1)
    seq, lineage = room.seq, room.writer.lineage
    assert await node.log.read(room.id, seq, lineage) == []
    store.restore(key, 0, shelf, replace=True)
    with pytest.raises(OtherLineage):
        await node.log.read(room.id, seq, lineage)
    store.delete(key)  # as if some minutes later
    assert await node.log.read(room.id, seq, lineage) == []


async def test_a_game_that_comes_back_with_the_store_leaves_it_again(
    start: Start, store: Redis, tmp_path: Path
) -> None:
    dying = await start(STEPS.index("retire"))
    room = (await play(dying)).id
    await asyncio.wait_for(dying.steps.crashed.wait(), 240)
    key = f"fourfold:{{{room}}}:log"
    shelf: Any = store.dump(key)
    node = await start()
    held = await node.rooms.find(room)
    await until(lambda: held.has_left)
    store.restore(key, 0, shelf, replace=True)
    held.missed()
    node.rooms.loss()
    await until(lambda: in_store(store, room) == 1)
    assert await counts(tmp_path) == (1, 1, 2)


async def test_a_game_that_comes_back_without_its_end_is_looked_at_again(start: Start, store: Redis) -> None:
    """The archive has another log, so it stays, and the operator reads of it."""
    node = await start(after=300)
    room = await play(node)
    key = f"fourfold:{{{room.id}}}:log"
    shelf: Any = store.dump(key)
    await until(lambda: room.has_left)
    store.restore(key, 0, shelf, replace=True)
    room.missed()
    node.rooms.loss()
    await until(lambda: node.metrics.archive_failures == 1)
    assert not room.has_left
    assert in_store(store, room.id) == room.seq


async def test_a_game_that_the_archive_has_forgotten_is_gone(start: Start, store: Redis) -> None:
    node = await start()
    room = await play(node)
    await until(lambda: in_store(store, room.id) == 1)
    await node.archive.ask(lambda database: database.forget(node.log.now() + 1))
    assert await node.log.read(room.id) == []
    heir = await start()
    with pytest.raises(NoSuchRoom):
        await heir.rooms.find(room.id)


async def test_an_alarm_that_the_game_has_outlived_archives_nothing(start: Start, store: Redis) -> None:
    """The deadline was for a flag or a vote, and comes after the end: the quiet minutes still have to pass."""
    node = await start(after=3_600_000)
    room = await play(node)
    seq = room.seq
    room.alarm()
    assert room.id not in node.hand_over
    await room.writer.settled()
    assert in_store(store, room.id) == room.seq == seq


async def test_a_room_that_never_began_is_not_archived(start: Start) -> None:
    node = await start()
    room = await node.rooms.open(new_id(), Create("standard"), "ann")
    assert isinstance(room, Room)
    await room.judge(Close(), "ann")
    assert room.state is not None and room.state.outcome is not None
    assert node.hand_over.due(room.state) is None


class Ended:
    """A room whose game is over, with its log, and the store and the archive in memory."""

    id = "room"

    def __init__(self, *, delay: int = 0, fault: str = "") -> None:
        """Watchers see the room `delay` milliseconds late; `fault` is the fault to simulate."""
        self.looked_at_again: asyncio.Future[float] = asyncio.get_running_loop().create_future()
        self.now = 1_000
        self._events = MemoryLog(lambda: self.now)
        self._writer = writer_on(self._events)
        self._terms = Terms(delay=delay)
        self._fault = fault
        self._kept: list[Entry] = []

    async def play(self) -> State:
        await self.judge(Create("standard", terms=self._terms), "ann")
        for player in ("ann", "bob"):
            await self.judge(Sit(player), player)
        await self.judge(Resign(), "ann")
        assert self.state is not None
        return self.state

    async def refuse_a_rematch(self) -> None:
        assert self.state is not None
        self.now = 2_000
        await self.judge(Propose(ProposalKind.REMATCH, self.state.seq), "ann")
        await self.judge(Vote(1, False), "bob")

    # -- the room --

    @property
    def state(self) -> State | None:
        state = self._writer.state
        return replace(state, host="eve") if self._fault == "it leads to another match" else state

    async def judge(self, command: Any, by: str, key: str = "") -> int | Rejection:
        return await ask(self._writer, command, by, key)

    def put_off(self, until: float) -> None:
        self.looked_at_again.set_result(until)

    # -- the store --

    async def entries(self, room: str, first: int = 1) -> list[Entry]:
        decisions = await self._events.read(room, first - 1)
        return [Entry(one.seq, one.at, pack(one.by, one.key, one.events), None) for one in decisions]

    async def retire(self, room: str, last: Entry, keep: int) -> bool:
        return self._fault != "it went on"

    # -- the archive --

    async def ping(self) -> None:
        if self._fault == "a rematch is refused meanwhile":
            await self.refuse_a_rematch()

    async def keep(self, room: str, entries: list[Entry], now: int) -> None:
        self._kept = entries

    async def log(self, room: str) -> list[Entry]:
        if self._fault != "the archive has another":
            return self._kept
        return [*self._kept[:-1], self._kept[-1]._replace(packed=pack("", "another key", (Archived(),)))]

    async def list_games(self, games: Any) -> None:
        """Not used here."""


@pytest.mark.parametrize("fault", ["", "it went on", "it leads to another match", "the archive has another"])
async def test_a_log_that_is_not_as_it_should_be_stays_in_the_store(fault: str) -> None:
    room: Any = Ended(fault=fault)
    await room.play()
    metrics = Metrics()
    hand_over = HandOver(room, room, lambda: 2_000, 0, None, metrics)
    hand_over.begin(room, room.put_off)
    again = await asyncio.wait_for(room.looked_at_again, 240)
    await hand_over.close()
    if fault:
        assert (again, metrics.archived, metrics.archive_failures) == (2_000 + module.LATEST, 0, 1)
    else:
        assert (again, metrics.archived, metrics.archive_failures) == (math.inf, 1, 0)


@pytest.mark.parametrize(("delay", "due"), [(0, 1_500), (499, 1_500), (5_000, 6_000)])
async def test_a_game_stays_at_least_until_watchers_have_seen_its_end(delay: int, due: int) -> None:
    """The game ends at 1,000; 500 milliseconds must be quiet."""
    room: Any = Ended(delay=delay)
    hand_over = HandOver(room, room, lambda: 1_000, 500, None, Metrics())
    state = await room.play()
    assert hand_over.due(state) == due
    assert hand_over.due(replace(state, archived=True)) == 1_000, "only the remaining steps are done"
    assert hand_over.due(replace(state, status=Status.PLAYING)) is None


@pytest.mark.parametrize("meanwhile", [False, True])
async def test_decisions_that_come_first_put_the_hand_over_off(meanwhile: bool) -> None:
    """A rematch is refused while the room waits for its turn, or while the archive is asked whether it is there."""
    room: Any = Ended(delay=5_000, fault="a rematch is refused meanwhile" if meanwhile else "")
    await room.play()
    hand_over = HandOver(room, room, lambda: 6_000, 500, None, Metrics())
    hand_over.begin(room, room.put_off)
    if not meanwhile:
        await room.refuse_a_rematch()
    assert await room.looked_at_again == 0, "as soon as it is due"
    await hand_over.close()
    assert not room.state.archived and room.state.proposal is None
    assert hand_over.due(room.state) == 7_000


async def test_nothing_is_handed_over_once_the_server_closes() -> None:
    """A room can still become due then."""
    room: Any = Ended()
    await room.play()
    hand_over = HandOver(room, room, lambda: 2_000, 0, None, Metrics())
    await hand_over.close()
    hand_over.begin(room, room.put_off)
    assert room.id not in hand_over
