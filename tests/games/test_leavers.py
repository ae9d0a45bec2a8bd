"""Leavers, on a server and a store that are really killed: an outage of the service counts against nobody."""

import asyncio
import time
import urllib.error
import urllib.request
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from websockets.asyncio.client import connect
from websockets.typing import Subprotocol

from fourfold.protocol.errors import SUBPROTOCOL_JSON
from fourfold.server.archive.acts import LEFT
from fourfold.server.archive.database import Database
from fourfold.server.storage.embedded import find_binary
from tests.conftest import StoreProcess, archive_of, store
from tests.games.conftest import ServerProcess, running
from tests.server.conftest import Wire
from tests.server.lobby.test_leavers import noted, paired

pytestmark = pytest.mark.slow

OUTAGE = 3.0
"""Seconds of an outage. More than two make one."""

Come = Callable[..., Awaitable[Wire]]


class Service(NamedTuple):
    store: StoreProcess
    server: ServerProcess

    async def without_its_store(self, *players: Wire) -> None:
        self.store.kill()
        for wire in players:
            await wire.closed()  # the server has noticed; just before that, it may still accept clients
        await asyncio.to_thread(self.store.start)
        await asyncio.to_thread(self._is_ready)

    async def without_its_server(self, *players: Wire) -> None:
        self.server.kill()
        await asyncio.sleep(OUTAGE)
        await asyncio.to_thread(self.server.start)

    def _is_ready(self) -> None:
        until = time.monotonic() + 240
        while True:
            try:
                urllib.request.urlopen(f"{self.server.url}/readyz", timeout=240).close()
                return
            except urllib.error.HTTPError as error:
                assert error.code == 503 and time.monotonic() < until
                time.sleep(0.1)


@pytest.fixture
def service() -> Any:
    """A server on its own store, where players may be voted out as soon as they are away."""
    with store(str(find_binary())) as process, running(process.url, 0, "--absence", "0") as server:
        yield Service(process, server)


@pytest.fixture
async def come(service: Service) -> AsyncIterator[Come]:
    """Opens a connection for a player, new or known by a token."""
    async with AsyncExitStack() as stack:

        async def come(name: str, token: str | None = None) -> Wire:
            url = f"{service.server.url.replace('http', 'ws')}/ws"
            wire = Wire(await connect(url, subprotocols=[Subprotocol(SUBPROTOCOL_JSON)]), text=True)
            stack.push_async_callback(wire.end)
            welcome = await wire.asks("hello", name=name, token=token)
            wire.player, wire.token = welcome["player"], welcome["token"]
            return wire

        yield come


async def votes_out(wire: Wire, room: str, player: str) -> None:
    """Have a player removed from a two-player game, as soon as they count as absent."""
    async with asyncio.timeout(240):
        while True:
            there = await wire.asks("watch", room=room)
            seat = next((one for one in there.get("seats", ()) if one["player"] == player), None)
            if seat is not None and not seat["online"]:
                fields = {"kind": "remove", "seat": seat["seat"], "seq": there["seq"], "key": f"out {there['seq']}"}
                if (await wire.asks("propose", room=room, **fields))["type"] == "ok":
                    return
            await asyncio.sleep(0.1)


@pytest.mark.parametrize("what", [Service.without_its_store, Service.without_its_server], ids=["store", "server"])
async def test_an_outage_is_held_against_nobody(
    service: Service, come: Come, tmp_path: Path, what: Callable[..., Awaitable[None]]
) -> None:
    ann, eve, bob, cat = [await come(name) for name in ("Ann", "Eve", "Bob", "Cat")]
    database = await Database.open(archive_of(service.store.url), tmp_path)
    kept = database.orders.departures

    before = await paired(ann, eve)  # left by choice
    await eve.end()
    await votes_out(ann, before, eve.player)
    assert [(one.kind, one.room) for one in await noted(eve, 1, kept)] == [(LEFT, before)]

    suffers, called_off = await paired(ann, bob), await paired(ann, cat)
    await what(service, ann, bob, cat)
    await bob.end()  # and does not come back
    ann, cat = await come("Ann", ann.token), await come("Cat", cat.token)
    await votes_out(ann, suffers, bob.player)
    assert (await cat.asks("abort", room=called_off, key="off"))["type"] == "ok"

    dan = await come("Dan")
    after = await paired(ann, dan)  # left by choice again
    await dan.end()
    await votes_out(ann, after, dan.player)
    assert [(one.kind, one.room) for one in await noted(dan, 1, kept)] == [(LEFT, after)]
    assert await kept(bob.player) == await kept(cat.player) == []
    await database.close()
