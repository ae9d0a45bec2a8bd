"""Stores that go back, and damaged logs: no client is left with a game that no longer exists."""

import asyncio
import json
import shutil
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest
import structlog
from redis import Redis

from fourfold.engine.match import replay
from fourfold.engine.match.events import Moved
from fourfold.server.storage.embedded import find_binary
from fourfold.server.storage.event_log import AppendRequest
from fourfold.server.storage.records import pack
from fourfold.server.storage.redis_log import RedisLog
from tests.conftest import HANG, StoreProcess, store
from tests.server.conftest import node
from tests.server.storage.test_safety import until_ready_is
from tests.server.test_nodes import SHUFFLE, move, seated

Dial = Any  # see conftest
Wire = Any

OLD = json.loads((Path(__file__).parents[1] / "vectors" / "log_without_lineage.json").read_text())


@pytest.fixture
def nodes(address: str, elsewhere: str) -> list[str]:
    return [address, elsewhere]


@pytest.fixture
def brief_on(tmp_path: Path) -> Callable[[str], AbstractAsyncContextManager[str]]:
    """A server on a store, for the duration of its context; yields its address."""
    return lambda url: node(url, tmp_path)


@pytest.fixture
def own_store() -> Iterator[StoreProcess]:
    """A store for one test, which does not freeze it, nor kill it while a server runs: servers wait for it, however
    long it gets no processor time."""
    with store(find_binary()) as process:
        yield process


def key(room: str) -> str:
    return f"fourfold:{{{room}}}:log"


class Shelf:
    """A copy of a room's log, to be restored later, as when a store's older file is restored."""

    def __init__(self, store: Redis, room: str) -> None:
        self._store = store
        self._key = key(room)
        self._kept = store.dump(self._key)

    def put_back(self) -> None:
        assert isinstance(self._kept, bytes)
        self._store.restore(self._key, 0, self._kept, replace=True)


@pytest.fixture
def kept(embedded_url: str) -> Iterator[Redis]:
    with Redis.from_url(embedded_url) as store:
        yield store


async def play(wires: list[Wire], room: str, first: int, moves: int) -> int:
    """Make `moves` moves from version `first` on, back and forth; returns the version after them."""
    for seq in range(first, first + moves):
        mover = wires[(seq - 3) % 2]
        await mover.seen(lambda frame, seq=seq: frame["type"] == "turn" and frame["seq"] == seq)
        assert (await move(mover, room, SHUFFLE[(seq - 3) % 4], seq))["seq"] == seq + 1
    return first + moves


async def told_anew(wire: Wire, seq: int) -> dict[str, Any]:
    """The snapshot that comes without a request."""
    snapshot: dict[str, Any] = await wire.seen(
        lambda frame: frame["type"] == "room" and frame.get("id") is None and frame["seq"] == seq
    )
    return snapshot


async def test_whoever_moves_on_what_the_store_lost_sees_what_there_is(
    dial: Dial, nodes: list[str], kept: Redis
) -> None:
    room, (white, black) = await seated(dial, nodes)
    watcher = await dial(at=nodes[0])
    await watcher.asks("watch", room=room)
    before = await play([white, black], room, 3, 4)
    shelf = Shelf(kept, room)
    end = await play([white, black], room, before, 3)
    await white.seq(end)
    shelf.put_back()
    assert (await move(black, room, "b8c6", end))["type"] == "error"
    assert len((await told_anew(black, before))["moves"]) == 4
    # The other node is notified when the game goes on.
    assert (await move(white, room, "e2e4", before))["seq"] == before + 1
    for wire in (white, watcher):
        await told_anew(wire, before)
    update = await black.seen(lambda frame: frame["type"] == "update" and frame["events"][0].get("move") == "e2e4")
    assert update["seq"] == before + 1
    assert (await black.asks("watch", room=room))["moves"] == (await watcher.asks("watch", room=room))["moves"]


@pytest.mark.slow
async def test_a_notification_of_what_is_held_may_tell_of_another_log(
    dial: Dial, nodes: list[str], kept: Redis, brief: Any
) -> None:
    """A third server has only the store's present data, and plays on there, behind the versions that others hold."""
    room, (white, black) = await seated(dial, nodes)
    shelf = Shelf(kept, room)
    end = await play([white, black], room, 3, 4)
    await white.seq(end)
    await black.seq(end)
    shelf.put_back()
    async with brief() as third:
        again = await dial(at=third, token=white.token)
        await again.asks("watch", room=room, since=3)
        assert (await move(again, room, "e2e4", 3))["seq"] == 4
        for wire in (white, black):
            assert (await told_anew(wire, 4))["moves"] == ["e2e4"]
        assert (await move(black, room, "e7e5", 4))["seq"] == 5
        await again.seq(5)


async def test_who_comes_back_with_what_the_store_lost_is_told(dial: Dial, nodes: list[str], kept: Redis) -> None:
    room, (white, black) = await seated(dial, nodes)
    shelf = Shelf(kept, room)
    end = await play([white, black], room, 3, 4)
    last = await black.seq(end)
    first = await black.seq(4)
    await black.connection.close()
    shelf.put_back()
    assert (await move(white, room, "a2a3", end))["type"] == "error"
    await told_anew(white, 3)
    assert (await move(white, room, "e2e4", 3))["seq"] == 4
    for at in nodes:
        for seen in (first, last):
            back = await dial(at=at, token=black.token)
            await back.refused("ahead", "watch", room=room, since=seen["seq"], decided=seen["time"])
        snapshot = await back.asks("watch", room=room)
        assert (snapshot["moves"], snapshot["seq"]) == (["e2e4"], 4)
        again = await back.asks("watch", room=room, since=4, decided=snapshot["decided"])
        assert (again["type"], again["seq"]) == ("ok", 4)


async def test_who_resumes_finds_that_the_store_has_lost_the_end(dial: Dial, nodes: list[str], kept: Redis) -> None:
    room, (white, black) = await seated(dial, nodes)
    end = await play([white, black], room, 3, 2)
    shelf = Shelf(kept, room)
    last = await play([white, black], room, end, 4)
    await black.seq(last)
    seen = await white.seq(end - 1)
    shelf.put_back()
    back = await dial(at=nodes[1], token=black.token)
    assert (await back.asks("watch", room=room, since=seen["seq"], decided=seen["time"]))["type"] == "ok"
    assert len((await told_anew(back, end))["moves"]) == 2
    assert not [frame for frame in back.frames if frame["type"] == "error"]


async def test_the_same_version_of_another_log_is_told_apart(dial: Dial, nodes: list[str], kept: Redis) -> None:
    room, (white, black) = await seated(dial, nodes)
    assert (await move(white, room, "e2e4", 3))["type"] == "ok"
    await black.seq(4)
    log = await RedisLog.open(f"unix://{kept.connection_pool.connection_kwargs['path']}")
    decisions = await log.read(room)
    kept.xtrim(key(room), maxlen=0)
    kept.delete(key(room))
    lineage = b""
    for decision in decisions[:3]:
        again = decision.by, decision.key, decision.events
        written = await log.append(AppendRequest(room, decision.seq - 1, *again, None, lineage))
        lineage = written.lineage
    await log.append(AppendRequest(room, 3, white.player, "other", (Moved(0, "d2d4", 1),), None, lineage))
    await log.close()
    assert (await move(black, room, "e7e5", 4))["type"] in ("ok", "error")  # it may have been notified before
    for wire in (white, black):
        found = await wire.seen(
            lambda frame: frame["type"] == "room" and frame.get("id") is None and frame["moves"][:1] == ["d2d4"]
        )
        assert found["seq"] >= 4


async def test_a_room_that_is_gone_is_said_to_be(dial: Dial, nodes: list[str], kept: Redis) -> None:
    room, (white, black) = await seated(dial, nodes)
    kept.delete(key(room))
    assert (await move(white, room, "e2e4", 3))["code"] == "no_such_room"
    assert (await black.asks("resign", room=room, key="k"))["code"] == "no_such_room"


async def test_a_damaged_room_is_refused_as_such_and_others_go_on(
    dial: Dial, nodes: list[str], kept: Redis, elsewhere: str
) -> None:
    room, (white, black) = await seated(dial, nodes)
    other, (red, _) = await seated(dial, nodes)
    kept.xadd(key(room), {"t": 1_700_000_000_000, "d": pack(white.player, "odd", (Moved(0, "a1h8", 1),))}, id="4-0")
    assert (await move(white, room, "e2e4", 3))["code"] == "damaged"
    assert (await white.asks("watch", room=room))["code"] == "damaged"
    stranger = await dial(at=elsewhere)
    assert (await stranger.asks("watch", room=room)).get("code") in ("damaged", None)  # which has not been notified yet
    assert (await black.asks("move", room=room, move="e7e5", seq=3, key="k"))["code"] == "damaged"
    assert (await black.asks("export", room=room, format="pgn"))["code"] == "damaged"
    assert (await move(red, other, "e2e4", 3))["type"] == "ok"


@pytest.mark.parametrize("room", OLD)
async def test_a_log_from_before_opens_and_goes_on(room: str, embedded_url: str, kept: Redis) -> None:
    """Written by a server without lineages and seals."""
    for id, fields in OLD[room]:
        kept.xadd(key(room), {"t": fields["t"], "d": bytes.fromhex(fields["d"])}, id=id)
    log = await RedisLog.open(embedded_url)
    decisions = await log.read(room)
    assert len(decisions) == len(OLD[room])
    state = replay(decisions)
    held = decisions[-1]
    more = await log.append(AppendRequest(room, held.seq, "p", "k", (Moved(0, "e2e4", 1),), None, held.lineage))
    assert await log.read(room, held.seq, held.lineage) == [more]
    assert state.seq == held.seq
    kept.delete(key(room))
    await log.close()


@pytest.mark.slow
async def test_a_damaged_room_ends_no_other_rooms_takeover(
    dial: Dial, address: str, brief: Any, kept: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two games with clocks on a server that stops; one is damaged. The remaining server calls the other's flag."""
    monkeypatch.setattr("fourfold.server.rooms.takeover.AHEAD", 500)
    async with brief() as doomed:
        rooms = []
        for _ in range(2):
            white, black = await dial(at=doomed), await dial(at=doomed)
            # On a busy machine it takes the server seconds to stop: the flag must not fall before.
            room = (await white.asks("create", clock={"base": 10_000}))["room"]
            for wire in (white, black):
                await wire.asks("join", room=room)
            rooms.append((room, white.player))
        damaged, sound = rooms[0][0], rooms[1][0]
        odd = pack(rooms[0][1], "odd", (Moved(0, "a1h8", 1),))
        kept.xadd(key(damaged), {"t": 1_700_000_000_000, "d": odd}, id="4-0")
    async with asyncio.timeout(HANG):
        while not await asyncio.to_thread(kept.xread, {key(sound): "3-0"}, block=1_000):
            continue  # the server has not called the flag yet
    watcher = await dial()
    assert (await watcher.asks("watch", room=sound, since=3))["type"] == "ok"
    assert "flagged" in [event["type"] for event in (await watcher.seq(4))["events"]]
    assert (await watcher.asks("watch", room=damaged))["code"] == "damaged"


async def test_a_store_that_is_emptied_is_noticed_though_nobody_asks(
    dial: Dial, brief_on: Any, own_store: Any
) -> None:
    async with brief_on(own_store.url) as here, brief_on(own_store.url) as there:
        room, (white, black) = await seated(dial, [here, there])
        with Redis.from_url(own_store.url) as store:
            secret = store.get("fourfold:secret")
            store.flushall()
            for wire in (white, black):
                gone = await wire.seen(lambda frame: frame["type"] == "error" and frame.get("room") == room)
                assert (gone["code"], gone.get("id")) == ("no_such_room", None)
            assert (await white.asks("watch", room=room))["code"] == "no_such_room"
            again = await dial(at=there, token=white.token)
            assert again.player == white.player
            async with brief_on(own_store.url) as third:  # tokens are still good
                assert (await dial(at=third, token=white.token)).player == white.player
            assert store.get("fourfold:secret") == secret


@pytest.mark.slow
async def test_an_older_file_that_is_restored_is_noticed_though_nobody_asks(
    dial: Dial, brief_on: Any, frail_store: Any, tmp_path: Path
) -> None:
    """Both servers hold data that the store has lost; nobody moves. Not ready until the rooms have been compared."""
    async with brief_on(frail_store.url) as here, brief_on(frail_store.url) as there:
        room, (white, black) = await seated(dial, [here, there])
        kept = await play([white, black], room, 3, 2)
        files = frail_store.folder / "appendonlydir"
        shutil.copytree(files, tmp_path / "older")
        end = await play([white, black], room, kept, 3)
        for wire in (white, black):
            await wire.seq(end)
        with Redis.from_url(frail_store.url) as store:
            await beaten(store, 5)  # each of them, in the time that will be lost
        assert "fourfold_store_losses_total 0.0" in await metrics(here)
        frail_store.kill()
        shutil.rmtree(files)
        shutil.copytree(tmp_path / "older", files)
        frail_store.start()
        for wire in (white, black):
            assert len((await told_anew(wire, kept))["moves"]) == 2
        await white.seen(lambda frame: frame["type"] == "turn" and frame["seq"] == kept)
        assert (await move(white, room, "e2e4", kept))["type"] == "ok"
        await black.seen(lambda frame: frame["type"] == "update" and frame["events"][0].get("move") == "e2e4")
        with Redis.from_url(frail_store.url) as store:
            await beaten(store, 5)
        for address in (here, there):
            assert "fourfold_store_losses_total 1.0" in await metrics(address)
            assert "fourfold_other_lineages_total 1.0" in await metrics(address)


async def test_a_room_that_holds_less_than_was_acknowledged_is_an_error(
    dial: Dial, nodes: list[str], kept: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The store went back between two beats: only the room shows it."""
    monkeypatch.setattr("fourfold.server.replication.log_writer._log", log := structlog.testing.CapturingLogger())
    room, (white, black) = await seated(dial, nodes)
    before = await play([white, black], room, 3, 2)
    shelf = Shelf(kept, room)
    end = await play([white, black], room, before, 3)
    for wire in (white, black):
        await wire.seq(end)
    shelf.put_back()
    assert (await move(black, room, "b8c6", end))["type"] == "error"
    await told_anew(black, before)
    (said,) = [call for call in log.calls if call.method_name in ("warning", "error")]
    assert (said.method_name, said.args) == ("error", ("room went back: it holds less than was acknowledged",))
    assert (said.kwargs["held"], said.kwargs["kept"]) == (end, before)
    numbers = await metrics(nodes[1])
    assert "fourfold_rooms_back 1.0" in numbers and "fourfold_decisions_lost 3.0" in numbers
    warned = await until_ready_is(nodes[1], 200, "went back")
    assert warned["warning"].startswith("1 room went back, by 3 decisions")


async def test_a_store_that_went_back_while_nothing_ran_is_told_of_at_the_start(
    dial: Dial, brief_on: Any, own_store: Any, tmp_path: Path
) -> None:
    """Of three rooms one is whole, one has lost its end, one is gone. Both servers warn, and one of them counts."""
    files, older = own_store.folder / "appendonlydir", tmp_path / "older"
    async with brief_on(own_store.url) as here, brief_on(own_store.url) as there:
        (room, wires), (other, others) = await seated(dial, [here, there]), await seated(dial, [here, there])
        kept = await play(wires, room, 3, 2)
        await play(others, other, 3, 1)
        shutil.copytree(files, older)
        end = await play(wires, room, kept, 3)
        await seated(dial, [here, there])
    own_store.kill()
    shutil.rmtree(files)
    shutil.copytree(older, files)
    own_store.start()
    async with brief_on(own_store.url) as here, brief_on(own_store.url) as there:
        for address in (here, there):
            said = await until_ready_is(address, 200, "went back")
            assert said["warning"].startswith(f"2 rooms went back, by {end - kept + 3} decisions")
        numbers = [await metrics(address) for address in (here, there)]
        for line in ("fourfold_store_losses_total 1.0", "fourfold_rooms_back 2.0", "fourfold_decisions_lost 6.0"):
            assert sorted(line in page for page in numbers) == [False, True], line


async def beaten(store: Redis, beats: int) -> None:
    """Wait until `beats` more beats of servers have reached the store."""
    key = "fourfold:{alive}:data"
    end = int(store.hget(key, "beats") or 0) + beats  # type: ignore[arg-type]
    async with asyncio.timeout(240):
        while True:
            if int(store.hget(key, "beats") or 0) >= end:  # type: ignore[arg-type]
                return
            await asyncio.sleep(0.05)


async def metrics(address: str) -> str:
    def get() -> str:
        with urllib.request.urlopen(f"{address}/metrics", timeout=240) as answer:
            text: str = answer.read().decode()
            return text

    return await asyncio.to_thread(get)
