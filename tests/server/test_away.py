"""The store is slow or away while a client resumes a game: no follower is left behind, and nothing is sent twice."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.faults.link import Link
from tests.server.conftest import node

Dial = Any  # see conftest


@pytest.fixture
async def linked(embedded_url: str, tmp_path: Path) -> AsyncIterator[tuple[str, Link]]:
    """A node that reaches the store through a link: its address, and the link."""
    async with AsyncExitStack() as stack:
        link = await Link(lambda: embedded_url.removeprefix("unix://")).start()
        stack.push_async_callback(link.close)
        yield await stack.enter_async_context(node(f"redis://127.0.0.1:{link.port}", tmp_path)), link


async def test_who_resumes_while_the_log_cannot_be_read_is_refused_and_may_ask_again(
    linked: tuple[str, Link], dial: Dial
) -> None:
    address, link = linked
    white, black = await dial(at=address), await dial(at=address)
    room = (await white.asks("create"))["room"]
    for wire in (white, black):
        await wire.asks("join", room=room)
    assert (await white.asks("move", room=room, move="e2e4", seq=3, key="1"))["seq"] == 4

    watcher = await dial(at=address)
    link.cut()
    refused = await watcher.asks("watch", room=room, since=2)
    assert refused["code"] == "unavailable"
    link.heal()

    async def back() -> dict[str, Any]:
        while True:
            reply: dict[str, Any] = await watcher.asks("watch", room=room, since=2)
            if reply["type"] == "ok":
                return reply
            assert reply["code"] == "unavailable"

    async with asyncio.timeout(240):
        await back()
    assert (await black.asks("move", room=room, move="e7e5", seq=4, key="1"))["seq"] == 5
    await watcher.seq(5)
    assert [update["seq"] for update in watcher.updates()] == [3, 4, 5]
    replies = [frame["id"] for frame in watcher.frames if "id" in frame]
    assert sorted(set(replies)) == sorted(replies), "one reply to each request"


async def test_a_player_who_resumes_while_the_log_is_slow_does_not_leave_meanwhile(
    linked: tuple[str, Link], dial: Dial
) -> None:
    address, link = linked
    white, black = await dial(at=address), await dial(at=address)
    room = (await white.asks("create"))["room"]
    for wire in (white, black):
        await wire.asks("join", room=room)

    def told() -> list[bool]:
        presences = (frame for frame in white.frames if frame["type"] == "presence" and frame["seat"] == "black")
        return [frame["online"] for frame in presences]

    await white.seen(lambda _: told() == [True])
    link.hold("from")
    resuming = await black.say("watch", room=room, since=1)
    for _ in range(3):
        await (await dial(at=address)).asks("watch", room=room)  # all followers are counted again
    assert not any(frame.get("id") == resuming for frame in black.frames), "still reading"
    link.heal()
    await black.seen(lambda frame: frame.get("id") == resuming)
    await black.seq(3)
    assert (await white.asks("watch", room=room))["seats"][1]["online"]
    assert told() == [True]


async def test_who_takes_a_seat_while_he_resumes_is_told_in_order(linked: tuple[str, Link], dial: Dial) -> None:
    address, link = linked
    host, guest = await dial(at=address), await dial(at=address)
    room = (await host.asks("create"))["room"]
    for number in range(6):  # some versions to miss
        await host.asks("join" if number % 2 == 0 else "leave", room=room)
    link.slow(0.05)
    joining = await guest.say("join", room=room)
    watching = await guest.say("watch", room=room, since=1)
    for id in (joining, watching):
        assert (await guest.seen(lambda frame, id=id: frame.get("id") == id))["type"] in ("joined", "ok")
    await guest.seen(lambda frame: frame["type"] == "room")
    link.heal()
    assert (await host.asks("join", room=room))["type"] == "joined"
    await guest.seen(lambda frame: frame["type"] == "turn" or frame.get("seq") == 9)
    last = 1
    for frame in guest.frames:
        if frame["type"] == "room":
            last = frame["seq"]
        elif frame.get("id") == watching:
            last = 1
        elif frame["type"] == "update":
            assert frame["seq"] == last + 1, [(one["type"], one.get("seq")) for one in guest.frames]
            last = frame["seq"]
    assert last == 9
