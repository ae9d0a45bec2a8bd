"""A server that can't reach its store sends its players away: to servers that can, or once, to wait for it."""

import asyncio
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus

from fourfold.clients import session
from fourfold.clients.connection import Connection
from fourfold.protocol.from_server import Closing, Welcome
from fourfold.server.clock import monotonic as loop_time
from fourfold.server.storage import redis_log
from fourfold.server.storage.redis_log import RedisLog
from fourfold.server.supervision import end
from fourfold.server.transport import cutoff
from tests.conftest import HANG
from tests.faults.link import Link
from tests.server.conftest import node

Dial = Any  # see conftest
Brief = Callable[[str], AbstractAsyncContextManager[str]]


USUAL = {(cutoff, "AFTER"): cutoff.AFTER, (redis_log, "HOPE"): redis_log.HOPE}
"""How long servers wait for a silent store."""


def servers_wait(monkeypatch: pytest.MonkeyPatch, *, for_long: bool) -> None:
    """Whether servers wait for a store that is silent, as it may be on a busy machine, or no longer than usual."""
    for (module, name), usual in USUAL.items():
        monkeypatch.setattr(module, name, HANG if for_long else usual)


@pytest.fixture
def brief_on(tmp_path: Path) -> Brief:
    """A server on a store, for the duration of its context; yields its address."""
    return lambda url: node(url, tmp_path)


@pytest.fixture
async def link(frail_store: Any) -> AsyncIterator[Link]:
    """The link between one server and the store."""
    link = await Link(lambda: str(frail_store.folder / "store.sock")).start()
    yield link
    await link.close()


async def let_in(dial: Dial, at: str) -> None:
    """Wait until a server accepts connections."""
    async with asyncio.timeout(240):
        while True:
            try:
                await dial(at=at)
                return
            except InvalidStatus as error:
                assert error.response.status_code == 503
            await asyncio.sleep(0.1)


async def test_players_go_where_the_store_is(
    dial: Dial, brief_on: Brief, frail_store: Any, link: Link, monkeypatch: pytest.MonkeyPatch
) -> None:
    servers_wait(monkeypatch, for_long=True)
    heard = RedisLog.heard.fget  # type: ignore[attr-defined]
    assert heard is not None
    # On a busy machine the store may be silent for seconds, also for the server that reaches it.
    near_hears = property(lambda log: loop_time() if log._url == frail_store.url else heard(log))
    monkeypatch.setattr(RedisLog, "heard", near_hears)
    async with brief_on(frail_store.url) as near, brief_on(f"redis://127.0.0.1:{link.port}") as far:
        white, black = await dial(at=near), await dial(at=far)
        room = (await white.asks("create"))["room"]
        for wire in (white, black):
            await wire.asks("join", room=room)
        monkeypatch.setattr(cutoff, "AFTER", USUAL[cutoff, "AFTER"])
        link.cut()
        closing = await black.seen(lambda frame: frame["type"] == "closing")
        assert closing["reason"] == "store"
        assert closing["retry"] > 0
        assert (await black.closed())[0] == 1012
        with pytest.raises(InvalidStatus) as caught:
            await dial(at=far)
        assert caught.value.response.status_code == 503
        assert caught.value.response.headers["Retry-After"]
        again = await dial(at=near, token=black.token)
        await again.asks("watch", room=room)
        assert (await white.asks("move", room=room, move="e2e4", seq=3, key="k"))["type"] == "ok"
        assert (await again.asks("move", room=room, move="e7e5", seq=4, key="k"))["type"] == "ok"
        assert not [frame for frame in white.frames if frame["type"] == "closing"]
        link.heal()
        await let_in(dial, far)


async def test_where_there_is_no_other_server_they_are_closed_once_and_taken_in_again(
    dial: Dial, brief_on: Brief, frail_store: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They would come back at once, again and again."""
    servers_wait(monkeypatch, for_long=True)
    monkeypatch.setattr(session, "SILENCE", HANG)  # the client would connect again to a server that is silent for long
    async with brief_on(frail_store.url) as address:
        white = await dial(at=address)
        room = (await white.asks("create"))["room"]
        await white.asks("join", room=room)
        seen: list[str] = []

        def observe(direction: str, frame: Any) -> None:
            if isinstance(frame, Closing | Welcome):
                seen.append(type(frame).__name__)

        async with Connection(address, name="Bob", observe=observe) as bob:
            await bob.join(room)
            servers_wait(monkeypatch, for_long=False)
            frail_store.signal(signal.SIGSTOP)
            try:
                assert (await white.closed())[0] == 1012
                again = await dial(at=address, token=white.token)
                assert (await again.asks("watch", room=room))["type"] == "room", "its held state is shown"
                refused = await again.asks("watch", room="2" * 8)
                assert refused["code"] == "unavailable"
                assert refused["retry"] > 0
            finally:
                servers_wait(monkeypatch, for_long=True)
                frail_store.signal(signal.SIGCONT)
            moved = await again.asks("move", room=room, move="e2e4", seq=3, key="k")
            assert moved["type"] == "ok"
            assert await bob.move(room, "e7e5", 4) == 5
            assert seen == ["Welcome", "Closing", "Welcome"]


class Store:
    """A store that answers on demand."""

    def __init__(self) -> None:
        self.heard = monotonic()
        self.told: asyncio.Queue[str] = asyncio.Queue()

    async def next(self) -> str:
        return await asyncio.wait_for(self.told.get(), 240)


async def test_a_server_that_slept_itself_has_not_listened(monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store()
    clock = 100.0
    monkeypatch.setattr(cutoff, "AFTER", 3.0)
    monkeypatch.setattr(cutoff, "LOOK", 0.001)
    monkeypatch.setattr(cutoff, "monotonic", lambda: clock)
    looked = asyncio.Event()

    def heard() -> float:
        looked.set()
        return store.heard

    async def look() -> None:
        for _ in range(2):  # the first may have begun before the clock was set
            looked.clear()
            await asyncio.wait_for(looked.wait(), 240)

    store.heard = clock
    watching = asyncio.create_task(
        cutoff.watch(heard, lambda: store.told.put_nowait("left"), lambda: store.told.put_nowait("back"))
    )
    await look()
    clock += 3600  # frozen for an hour
    await look()
    assert store.told.empty()
    for _ in range(4):
        clock += 0.9
        await look()
    assert await store.next() == "left"
    clock += 0.9
    await look()
    assert store.told.empty(), "once"
    store.heard = clock
    assert await store.next() == "back"
    await end([watching])
