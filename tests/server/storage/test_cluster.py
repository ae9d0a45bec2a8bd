"""A cluster works like any other store: its servers share the rooms, and rooms may move between them."""

import asyncio
import signal
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest

from fourfold.engine.decisions import Decision
from fourfold.engine.match.events import Created, Moved
from fourfold.server.replication import node_shares
from fourfold.server.storage import redis_log
from fourfold.server.storage.event_log import AppendConflict, AppendRequest, Listener, LogUnavailable, Notification
from fourfold.server.storage.redis_log import RedisLog
from tests.conftest import HANG, some

Cluster = Any  # see conftest
Dial = Any

CREATED = (Created("standard", None, "public", "host"),)
MOVED = (Moved(0, "e2e4", 1),)


def be_patient(cluster: Cluster) -> None:
    """Let no server of a cluster give up another that gets no processor time for some seconds: then all would stop."""
    for number in range(len(cluster.ports)):
        with cluster.server(number) as server:
            server.config_set("cluster-node-timeout", 600_000)


@pytest.fixture(params=some(1, "redis_cluster", "valkey_cluster"))
def common_url(request: pytest.FixtureRequest) -> str:
    """The servers' shared cluster."""
    cluster = request.getfixturevalue(request.param)
    be_patient(cluster)
    url: str = cluster.url
    return url


class Room(Listener):
    """The part of a node's room: it holds the decisions, gets notifications, and reads on when some were missed."""

    def __init__(self, log: RedisLog, id: str) -> None:
        self.log = log
        self.id = id
        self.held: list[Decision] = []
        self.messages: list[bytes] = []
        self.misses = 0
        self._changed = asyncio.Event()
        self._reading: set[asyncio.Task[None]] = set()

    def notified(self, notification: Notification) -> None:
        if notification.seq == len(self.held) + 1:
            self.held.append(notification.decision(None))
            self._changed.set()
        elif notification.seq > len(self.held):
            self.missed()

    def told(self, message: bytes) -> None:
        self.messages.append(message)
        self._changed.set()

    def missed(self) -> None:
        self.misses += 1
        task = asyncio.create_task(self._read_on())
        self._reading.add(task)
        task.add_done_callback(self._reading.discard)

    async def _read_on(self) -> None:
        for decision in await self.log.read(self.id, len(self.held)):
            if decision.seq == len(self.held) + 1:
                self.held.append(decision)
        self._changed.set()

    async def until(self, condition: Callable[["Room"], bool]) -> None:
        async with asyncio.timeout(240):
            while not condition(self):
                self._changed.clear()
                await self._changed.wait()

    async def decide(self, key: str) -> None:
        """Append one decision, as a room does: after a conflict, read on and see whether it was ours."""
        await self.log.steady()
        while not any(decision.key == key for decision in self.held):
            try:
                self.made(await self.log.append(AppendRequest(self.id, len(self.held), "p", key, MOVED)))
            except AppendConflict:
                await self._read_on()

    def made(self, decision: Decision) -> None:
        self.notified(Notification(decision.seq, decision.lineage, lambda _: decision))


@pytest.fixture
async def nodes(frail_cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[list[RedisLog]]:
    for name in ("HOPE", "PATIENCE"):
        monkeypatch.setattr(redis_log, name, HANG)  # on a busy machine a server may be silent for seconds
    logs = [await RedisLog.open(frail_cluster.url) for _ in range(2)]
    yield logs
    for log in logs:
        await log.close()


def named(holder: int, cluster: Cluster) -> str:
    """A room on this master."""
    return next(f"room{n}" for n in range(10_000) if cluster.holder(f"room{n}") == holder)


async def follow(logs: list[RedisLog], id: str) -> list[Room]:
    rooms = [Room(log, id) for log in logs]
    for room in rooms:
        await room.log.follow(id, room)
    return rooms


async def test_rooms_are_shared_among_the_servers(redis_cluster: Cluster) -> None:
    be_patient(redis_cluster)
    log = await RedisLog.open(redis_cluster.url)
    ids = [f"shared{n}" for n in range(60)]
    await asyncio.gather(*(log.append(AppendRequest(id, 0, "host", id, CREATED)) for id in ids))
    for id in ids:
        with redis_cluster.server(redis_cluster.holder(id)) as server:
            assert server.keys(f"fourfold:{{{id}}}:*"), "all keys of a room contain its id"
    assert Counter(map(redis_cluster.holder, ids)).keys() == {0, 1, 2}
    await log.close()


async def test_a_game_over_sockets(
    dial: Dial, elsewhere: str, third: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(node_shares, "ANSWER_WITHIN", HANG)  # a busy node answers late who is there
    white, black, watcher = await dial(), await dial(at=elsewhere), await dial(at=third)
    room = (await white.asks("create"))["room"]
    for wire in (white, black):
        assert (await wire.asks("join", room=room))["type"] == "joined"
    snapshot = await watcher.asks("watch", room=room)
    assert [seat["online"] for seat in snapshot["seats"]] == [True, True]
    for seq, (wire, text) in enumerate([(white, "f2f3"), (black, "e7e5"), (white, "g2g4"), (black, "d8h4")], 3):
        reply = await wire.asks("move", room=room, move=text, seq=seq, key=text)
        assert (reply["type"], reply["seq"]) == ("ok", seq + 1)
    assert (await watcher.seq(7))["events"][-1]["result"]["reason"] == "checkmate"


async def test_a_room_that_moves_keeps_every_decision(frail_cluster: Cluster, nodes: list[RedisLog]) -> None:
    be_patient(frail_cluster)
    id = named(0, frail_cluster)
    rooms = await follow(nodes, id)
    writing = True

    async def write(room: Room, name: str) -> int:
        n = 0
        while writing:
            n += 1
            await room.decide(f"{name}{n}")
        return n

    writers = [asyncio.create_task(write(room, name)) for room, name in zip(rooms, "ab", strict=True)]
    await rooms[0].until(lambda room: len(room.held) > 20)
    await asyncio.to_thread(frail_cluster.move, id, 1)
    moved_at = len(rooms[0].held)
    await rooms[1].until(lambda room: len(room.held) > moved_at + 20)
    writing = False
    made = sum(await asyncio.gather(*writers))
    for room in rooms:
        await room.until(lambda room: len(room.held) == made and room.misses > 0)  # they are notified to read on
    decisions = await nodes[0].read(id)
    assert [decision.seq for decision in decisions] == list(range(1, made + 1))
    assert len({decision.key for decision in decisions}) == made, "nothing is done twice"
    assert rooms[0].held == rooms[1].held == decisions
    await nodes[0].tell(id, b"and messages continue")
    for room in rooms:
        await room.until(lambda room: room.messages == [b"and messages continue"])


@pytest.mark.slow
async def test_a_replica_takes_over_from_a_master_that_dies(frail_cluster: Cluster, nodes: list[RedisLog]) -> None:
    id = named(2, frail_cluster)
    rooms = await follow(nodes, id)
    for n in range(5):
        await rooms[n % 2].decide(f"before{n}")
    with frail_cluster.server(2) as master:
        assert master.wait(1, 5000) == 1  # the replica has everything
    await asyncio.to_thread(frail_cluster.kill, 2)
    for n in range(5):
        async with asyncio.timeout(240):
            while True:
                try:
                    await rooms[n % 2].decide(f"after{n}")
                    break
                except LogUnavailable:
                    await asyncio.sleep(0.2)  # as a client does
    for room in rooms:
        await room.until(lambda room: len(room.held) == 10)
    assert rooms[0].held == rooms[1].held == await nodes[1].read(id)


async def test_a_server_that_hangs_holds_up_its_own_rooms_alone(frail_cluster: Cluster, nodes: list[RedisLog]) -> None:
    log, fast, slow = nodes[0], named(0, frail_cluster), named(1, frail_cluster)
    await log.append(AppendRequest(fast, 0, "p", "first", CREATED))
    be_patient(frail_cluster)  # after a second, the others would give it up, and stop
    frail_cluster.signal(1, signal.SIGSTOP)
    try:
        stuck = log.append(AppendRequest(slow, 0, "p", "k", CREATED))
        for n in range(1, 6):
            await log.append(AppendRequest(fast, n, "p", f"k{n}", MOVED))
        assert not stuck.done()
    finally:
        frail_cluster.signal(1, signal.SIGCONT)
    assert (await asyncio.wait_for(stuck, 240)).seq == 1


@pytest.fixture(autouse=True)
def _no_lost_exceptions(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    yield
    assert "exception was never retrieved" not in caplog.text
