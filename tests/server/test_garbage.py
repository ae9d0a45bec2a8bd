"""Unused objects are freed at once, without waiting for Python's rare search for cycles."""

import asyncio
import gc
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from fourfold.engine.match import State
from fourfold.protocol.errors import Unreadable
from fourfold.server.replication import holding as rooms
from fourfold.server.replication.holding import NoSuchRoom, NotOpened
from fourfold.server.rooms.room import Room
from fourfold.server.sessions.session import Session
from fourfold.server.storage.embedded import find_binary
from fourfold.server.transport.connection import Connection
from fourfold.server.transport.frames import WebSocketProtocol
from tests.conftest import store

Dial = Any  # see conftest


OTHERS: Counter[type] = Counter()
"""The number of objects of each kind before the test."""


@pytest.fixture
def common_url() -> Iterator[str]:
    """A separate store: a server handles rooms that other tests have left in a shared one."""
    with store(find_binary()) as process:
        yield process.url


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The cycle collector is off, and rooms without followers are dropped soon."""
    monkeypatch.setattr(rooms, "SWEEP", 0.1)
    gc.collect()
    OTHERS.clear()
    OTHERS.update(map(type, gc.get_objects()))
    gc.disable()
    yield
    gc.enable()


async def at_most(number: int, kind: type, wire: Any) -> None:
    """Wait until there are at most `number` objects of a kind, beside those of other tests."""
    async with asyncio.timeout(240):
        while sum(type(thing) is kind for thing in gc.get_objects()) > number + OTHERS[kind]:
            await wire.asks("ping")
            await asyncio.sleep(0.1)  # the search takes as long as the server's work


@pytest.mark.slow
@pytest.mark.usefixtures("kept")
async def test_a_room_that_nobody_follows_leaves_nothing(dial: Dial) -> None:
    white, black, watcher = await dial(), await dial(), await dial()
    room = (await white.asks("create", clock={"base": 60_000}, visibility="private"))["room"]
    for wire in (white, black):
        await wire.asks("join", room=room)
    await watcher.asks("watch", room=room)
    for seq, (wire, move) in enumerate([(white, "e2e4"), (black, "e7e5"), (white, "g1f3")], 3):
        await wire.asks("move", room=room, move=move, seq=seq, key=f"{seq}")
    proposed = await black.asks("propose", room=room, kind="undo", plies=1, seq=6, key="undo")
    await white.asks("vote", room=room, proposal=1, accept=True, key="yes")
    await watcher.seq(proposed["seq"] + 1)
    await watcher.asks("watch", room=room, since=2)
    await white.asks("resign", room=room, key="up")
    for wire in (white, black, watcher):
        await wire.asks("leave", room=room)
    for kind in (Room, State):
        await at_most(0, kind, watcher)


@pytest.mark.usefixtures("kept")
async def test_a_connection_that_has_gone_leaves_nothing(dial: Dial) -> None:
    host, other, witness = await dial(), await dial(), await dial()
    room = (await host.asks("create"))["room"]
    for wire in (host, other):
        await wire.asks("join", room=room)
        await wire.asks("rooms", follow=True)
    host.connection.transport.abort()
    await other.end()
    for kind in (Session, Connection, WebSocketProtocol):
        await at_most(1, kind, witness)


@pytest.mark.slow
@pytest.mark.usefixtures("kept")
async def test_a_room_that_does_not_come_to_be_leaves_nothing(dial: Dial) -> None:
    wire = await dial()
    assert (await wire.asks("watch", room="abcdefgh"))["code"] == "no_such_room"
    assert (await wire.asks("create", position="8/8/8/8/8/8/8/8 w - - 0 1"))["type"] == "error"
    for kind in (Room, NoSuchRoom, NotOpened):
        await at_most(0, kind, wire)


@pytest.mark.slow
@pytest.mark.usefixtures("kept")
async def test_a_frame_that_nobody_can_read_leaves_nothing(dial: Dial) -> None:
    wire = await dial()
    for _ in range(5):
        assert (await wire.asks("fly"))["code"] == "unknown_type"
        assert (await wire.asks("join", room=7))["code"] == "bad_field"
    await at_most(0, Unreadable, wire)
