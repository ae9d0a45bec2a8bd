"""With REPLICAS, acknowledged moves are on the disks of replicas, and so outlive the loss of the store's own disk."""

import asyncio
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import structlog
from redis import Redis
from redis.asyncio import Redis as AsyncRedis

from fourfold.engine.decisions import Decision
from fourfold.engine.match.events import Created, Moved
from fourfold.server.storage import pipeline, redis_node
from fourfold.server.storage.embedded import find_binary
from fourfold.server.storage.event_log import AppendRequest, LogUnavailable
from fourfold.server.storage.pipeline import REPLICATION
from fourfold.server.storage.redis_log import RedisLog
from fourfold.server.storage.safety import Inspector
from tests import forked
from tests.conftest import HANG, answers
from tests.ports import free_port
from tests.server.conftest import node
from tests.server.storage.test_event_log import Hearing
from tests.server.storage.test_lineage import metrics
from tests.server.storage.test_safety import until_ready_is

Dial = Any  # see conftest
CREATED = (Created("standard", None, "public", "host"),)
MOVED = (Moved(0, "e2e4", 1),)


class Pair:
    """A store and its replica, each as durable as in production."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="fourfold-replica-"))
        self.ports = [free_port(), free_port()]
        self.url = f"redis://127.0.0.1:{self.ports[0]}"
        self.processes: list[subprocess.Popen[bytes]] = []
        self.clients = [Redis(port=port) for port in self.ports]

    def start(self) -> None:
        for port in self.ports:
            folder = self.folder / str(port)
            folder.mkdir()
            of = ("--replicaof", "127.0.0.1", str(self.ports[0])) if self.processes else ()
            options = (
                *("--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "yes"),
                *("--appendfsync", "always", "--repl-diskless-sync-delay", "0", *of),
            )
            with (folder / "store.log").open("wb") as output:
                self.processes.append(
                    subprocess.Popen([find_binary(), *options], cwd=folder, stdout=output, stderr=subprocess.STDOUT)
                )
        deadline = time.monotonic() + HANG
        while not self._up():
            assert time.monotonic() < deadline
            time.sleep(0.02)

    def lose_the_first(self) -> None:
        """Kill both, and start the replica again, as an independent store, on the data of its disk."""
        for process in self.processes:
            process.kill()
            process.wait()
        port = self.ports[1]
        with (self.folder / str(port) / "again.log").open("wb") as output:
            options = ("--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "yes")
            self.processes[1] = subprocess.Popen(
                [find_binary(), *options], cwd=self.folder / str(port), stdout=output, stderr=subprocess.STDOUT
            )
        deadline = time.monotonic() + HANG
        while not answers(self.clients[1]):
            assert time.monotonic() < deadline
            time.sleep(0.02)

    def _up(self) -> bool:
        if not all(map(answers, self.clients)):
            return False
        self.clients[0].set("probe", 1)
        return bool(self.clients[0].execute_command("WAITAOF", 1, 1, 1500)[1] == 1)

    def stop(self) -> None:
        for process in self.processes:
            process.kill()
            process.wait()
        for client in self.clients:
            client.close()
        shutil.rmtree(self.folder)


@pytest.fixture
def pair() -> Iterator[Pair]:
    pair = Pair()
    try:
        pair.start()
        yield pair
    finally:
        pair.stop()


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Logs that are opened later wait for a replica that gets no processor time for seconds."""
    monkeypatch.setattr(pipeline, "REPLICATION", int(1000 * HANG))
    for module in (pipeline, redis_node):
        monkeypatch.setattr(module, "SILENCE", 3 * HANG)


@pytest.fixture
async def logs(pair: Pair) -> AsyncIterator[list[RedisLog]]:
    logs = [await RedisLog.open(pair.url, replicas=1) for _ in range(2)]
    yield logs
    for log in logs:
        await log.close()


async def test_what_is_acknowledged_outlives_the_store(pair: Pair, patient: None, logs: list[RedisLog]) -> None:
    lineage = b""
    for n in range(30):
        events = CREATED if n == 0 else MOVED
        decision = await logs[0].append(AppendRequest("room", n, "p", f"k{n}", events, None, lineage))
        lineage = decision.lineage
    await asyncio.to_thread(pair.lose_the_first)
    assert pair.clients[1].xlen("fourfold:{room}:log") == 30


async def test_a_replica_that_takes_over_is_recognized(pair: Pair) -> None:
    """It may lack what was written without waiting for it, for example a player's list of games."""
    told: list[str] = []
    clients = [AsyncRedis(port=port) for port in pair.ports]
    nodes: list[Any] = [SimpleNamespace(url=f"redis://127.0.0.1:{pair.ports[0]}", client=clients[0])]
    inspector = Inspector(lambda: nodes, 0, None, lambda: told.append("replaced"), unsafe=False)
    for _ in range(2):
        await inspector.look()
    pair.processes[0].kill()
    pair.clients[1].execute_command("REPLICAOF", "NO", "ONE")
    nodes[0].client = clients[1]
    assert told == []
    for _ in range(2):
        await inspector.look()
    assert told == ["replaced"]
    await asyncio.to_thread(pair.lose_the_first)  # the second starts again
    await inspector.look()
    assert told == ["replaced"]
    for client in clients:
        await client.aclose()


@pytest.mark.slow
async def test_what_no_replica_has_is_neither_acknowledged_nor_shown(
    pair: Pair, logs: list[RedisLog], monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = logs
    bell = Hearing()
    await there.follow("room", bell)
    first = await here.append(AppendRequest("room", 0, "host", "k1", CREATED, None, b""))
    assert await bell.next() == first
    pair.processes[1].send_signal(signal.SIGSTOP)
    try:
        with pytest.raises(LogUnavailable, match="0 of 1 replicas"):
            await here.append(AppendRequest("room", 1, "p", "k2", MOVED, None, first.lineage))
        assert pair.clients[0].xlen("fourfold:{room}:log") == 2, "stored, but not for certain"
        assert bell.heard.empty()
        with pytest.raises(LogUnavailable, match="may still be lost"):
            await there.read("room", 1, first.lineage)
    finally:
        pair.processes[1].send_signal(signal.SIGCONT)
    async with asyncio.timeout(240):
        while True:
            try:
                (second,) = await there.read("room", 1, first.lineage)
                break
            except LogUnavailable:
                await asyncio.sleep(0.1)
    assert (second.key, second.events) == ("k2", MOVED), "a client that sends the command again finds it"


@pytest.mark.slow
async def test_a_command_that_replicas_lacked_is_found_by_its_key(
    pair: Pair, dial: Dial, tmp_path: Path
) -> None:
    async with node(pair.url, tmp_path, replicas=1) as address:
        white, black = await dial(at=address), await dial(at=address)
        room = (await white.asks("create"))["room"]
        for wire in (white, black):
            assert (await wire.asks("join", room=room))["type"] == "joined"
        pair.processes[1].send_signal(signal.SIGSTOP)
        try:
            refused = await white.asks("move", room=room, move="e2e4", seq=3, key="once")
            assert refused["code"] == "unavailable"
            assert refused["retry"] > 0
            assert not [frame for frame in black.updates() if frame["seq"] == 4]
        finally:
            pair.processes[1].send_signal(signal.SIGCONT)
        async with asyncio.timeout(240):
            while True:
                reply = await white.asks("move", room=room, move="e2e4", seq=3, key="once")
                if reply["type"] == "ok":
                    break
        assert reply["seq"] == 4
        await black.seq(4)
        assert pair.clients[0].xlen(f"fourfold:{{{room}}}:log") == 4, "it was done once"


async def test_time_without_replicas_is_an_outage(
    pair: Pair, dial: Dial, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """White moves, and the move is shown when the replica answers again. By then Black's clock would have run out."""
    monkeypatch.setattr("fourfold.server.rooms.registry._log", log := structlog.testing.CapturingLogger())
    async with node(pair.url, tmp_path, replicas=1) as address:
        white, black = await dial(at=address), await dial(at=address)
        room = (await white.asks("create", clock={"base": 6_000}))["room"]  # enough for two moves on a busy machine
        for wire in (white, black):
            await wire.asks("join", room=room)
        await white.asks("move", room=room, move="e2e4", seq=3, key="1")
        await black.asks("move", room=room, move="e7e5", seq=4, key="2")
        pair.processes[1].send_signal(signal.SIGSTOP)
        frozen = time.monotonic()
        try:
            refused = await white.asks("move", room=room, move="g1f3", seq=5, key="3")
            assert refused["code"] == "unavailable"
            said = await until_ready_is(address, 503, "0 of 1 replicas answer")
            assert not said["ready"]
            assert "fourfold_store_up 0.0" in await metrics(address)
            await asyncio.sleep(max(0, frozen + 7 - time.monotonic()))  # longer than Black's clock
        finally:
            pair.processes[1].send_signal(signal.SIGCONT)
        credited = await black.seen(
            lambda frame: frame["type"] == "update" and frame["events"][0]["type"] == "credited"
        )
        assert (credited["events"][0]["seat"], credited["seq"]) == ("black", 7)
        assert credited["events"][0]["milliseconds"] > 2_000
        assert (await black.asks("move", room=room, move="b8c6", seq=6, key="4"))["type"] == "ok"
        assert not [frame for frame in black.updates() if frame["events"][0]["type"] == "flagged"]
        await until_ready_is(address, 200)
        assert "fourfold_outages_total 1.0" in await metrics(address)
        warnings = {call.args for call in log.calls if call.method_name == "warning"}
        # The first server of this process writes to the same log: about rooms that other tests have left in the shared
        # store, and outages of its own on a busy machine.
        assert warnings - {("a deadline without a room",)} == {("outage",)}
        assert not [frame for wire in (white, black) for frame in wire.frames if frame["type"] == "closing"]


async def test_a_server_whose_store_lacks_replicas_is_not_ready(pair: Pair, tmp_path: Path) -> None:
    async with node(pair.url, tmp_path, replicas=1) as address:
        await until_ready_is(address, 200)
        pair.processes[1].kill()
        await until_ready_is(address, 503, "0 of 1 replicas")  # at first the store may just be silent


async def test_replicas_are_asked_when_they_have_something_to_say(patient: None, logs: list[RedisLog]) -> None:
    """Asked too early, a replica answers a second later."""
    last: Decision | None = None
    for n in range(20):
        lineage = b"" if last is None else last.lineage
        last = await logs[0].append(AppendRequest("quick", n, "p", f"k{n}", MOVED, None, lineage))
    assert REPLICATION < 2000


def refused(*arguments: str) -> str:
    ended = forked.run("--port", "0", "--bots", "0", *arguments)
    assert ended.returncode == 1
    assert "Traceback" not in ended.stderr
    return ended.stderr


@pytest.mark.slow
def test_a_store_that_cannot_wait_is_refused(debian_url: str, tmp_path: Path) -> None:
    with Redis.from_url(debian_url) as client:
        if str(client.info("server")["redis_version"]) >= "7.2":
            pytest.skip("this redis-server has WAITAOF")
    assert "it lacks WAITAOF, which REPLICAS needs" in refused("--redis", debian_url, "--replicas", "1")
    assert "REPLICAS needs your own store" in refused("--data", str(tmp_path), "--replicas", "1")
