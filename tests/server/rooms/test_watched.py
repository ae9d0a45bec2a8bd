"""A server for watchers: it shows every game, and changes none."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from redis import Redis
from websockets.asyncio.client import connect
from websockets.typing import Subprotocol

from fourfold.protocol.errors import SUBPROTOCOL_JSON
from fourfold.server.rooms import takeover
from fourfold.server.storage.redis_log import stream
from fourfold.server.storage.reminders import REMINDERS
from tests.each import each
from tests.server.conftest import Wire, node

Dial = Any  # see conftest
Start = Callable[..., Awaitable[str]]


@pytest.fixture
async def gallery(start: Start) -> str:
    """A server for watchers, on the same store as the others."""
    return await start(watchers_only=True)


async def game(dial: Dial, **fields: Any) -> tuple[str, Any, Any]:
    """A started game, on the usual server."""
    white, black = await dial(), await dial()
    room = (await white.asks("create", **fields))["room"]
    for wire, seat in ((white, "white"), (black, "black")):
        await wire.asks("join", room=room, seat=seat)
    return room, white, black


async def test_watchers_see_every_move(dial: Dial, gallery: str) -> None:
    room, white, black = await game(dial)
    watchers = [await dial(at=gallery, text=text) for text in (True, False)]
    for watcher in watchers:
        assert (await watcher.asks("watch", room=room))["seq"] == 3
    await white.asks("move", room=room, move="e2e4", seq=3, key="1")
    await black.asks("move", room=room, move="e7e5", seq=4, key="1")
    for watcher in watchers:
        assert [event["move"] for event in (await watcher.seq(5))["events"]] == ["e7e5"]
    late = await dial(at=gallery)
    assert (await late.asks("watch", room=room, since=3))["type"] == "ok"
    await late.seq(5)
    await white.seen(lambda frame: frame["type"] == "watchers" and frame["count"] == 3)
    assert room in [entry["room"] for entry in (await late.asks("rooms"))["rooms"]]
    assert (await late.asks("export", room=room, format="pgn"))["type"] == "exported"
    assert (await late.asks("legal", room=room))["moves"]


@each(
    ("request_", "fields"),
    [
        ("create", {}),
        ("seek", {}),
        ("join", {"room": "ROOM"}),
        ("bot", {"room": "ROOM", "level": 1}),
        ("move", {"room": "ROOM", "move": "e2e4", "seq": 3, "key": "k"}),
        ("propose", {"room": "ROOM", "kind": "draw", "seq": 3, "key": "k"}),
        ("resign", {"room": "ROOM", "key": "k"}),
    ],
)
async def test_whatever_would_change_a_room_is_refused(
    dial: Dial, gallery: str, request_: str, fields: dict[str, Any]
) -> None:
    room, white, _ = await game(dial)
    there = await dial(at=gallery, token=white.token)
    await there.asks("watch", room=room)
    reply = await there.asks(request_, **{name: room if value == "ROOM" else value for name, value in fields.items()})
    assert (reply["type"], reply["code"]) == ("error", "watchers_only")
    assert "Connect to another server" in reply["message"]
    assert (await white.asks("move", room=room, move="e2e4", seq=3, key="k"))["seq"] == 4  # nothing has happened


@pytest.mark.slow
async def test_deadlines_are_left_to_others(dial: Dial, gallery: str) -> None:
    """The server where the game is played calls its flag."""
    room, white, _ = await game(dial, clock={"base": 3_000, "increment": 0})
    watcher = await dial(at=gallery)
    await watcher.asks("watch", room=room)
    await white.asks("move", room=room, move="e2e4", seq=3, key="k")
    await watcher.seen(lambda f: f["type"] == "update" and "flagged" in [event["type"] for event in f["events"]])


async def greeted(stack: AsyncExitStack, at: str) -> Wire:
    """A connection to a server, for a test that runs no other server."""
    url = f"{at.replace('http', 'ws')}/ws"
    wire = Wire(await connect(url, subprotocols=[Subprotocol(SUBPROTOCOL_JSON)]), text=True)
    stack.push_async_callback(wire.end)
    await wire.asks("hello")
    return wire


@pytest.mark.slow
async def test_it_takes_over_no_game(
    common_url: str, store: Redis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game whose server is gone waits for a server that decides."""
    monkeypatch.setattr(takeover, "GRACE", 100)
    monkeypatch.setattr(takeover, "LOOK", 0.05)
    async with AsyncExitStack() as stack:
        async with node(common_url, tmp_path) as first:
            gallery = await stack.enter_async_context(node(common_url, tmp_path, watchers_only=True))
            players = [await greeted(stack, first) for _ in range(2)]
            # On a busy machine it takes the first server seconds to stop: the flag must not fall before.
            room = (await players[0].asks("create", clock={"base": 10_000, "increment": 0}))["room"]
            for player in players:
                await player.asks("join", room=room)
            watcher = await greeted(stack, gallery)
            await watcher.asks("watch", room=room)
            async with asyncio.timeout(240):
                while store.zscore(REMINDERS, room) is None:  # noqa: ASYNC110 - nothing tells of it
                    await asyncio.sleep(0.01)
        store.zadd(REMINDERS, {room: 1})  # due: a server that decides would take it at its next look
        await asyncio.sleep(20 * takeover.LOOK)  # nothing should happen, so there is nothing to wait for
        assert store.zscore(REMINDERS, room) == 1
        assert store.xlen(stream(room)) == 3
        await stack.enter_async_context(node(common_url, tmp_path))
        (event, *_) = (await watcher.seq(4))["events"]
        assert event["type"] in ("credited", "flagged")
