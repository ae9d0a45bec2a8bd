"""Servers on one store, one of which dies: the others keep its promises."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from redis.asyncio import Redis

from fourfold.clients.connection import Connection
from fourfold.engine.match import Decision
from fourfold.engine.match.events import Closed, Closure, Event, Flagged
from fourfold.protocol import from_client as ask
from fourfold.protocol.events import Moved
from fourfold.protocol.from_server import Created, Presence, Room, Turn, Update
from fourfold.server.storage.event_log import Listener, Notification
from fourfold.server.storage.redis_log import RedisLog
from fourfold.server.storage.reminders import REMINDERS

Server = Any  # see conftest

BASE = 3_000
"""Milliseconds of each player's clock."""


class Ear(Listener):
    """Reads a room's log. It is not a server, so it takes nothing over."""

    def __init__(self) -> None:
        self.heard: asyncio.Queue[Decision] = asyncio.Queue()

    def notified(self, notification: Notification) -> None:
        self.heard.put_nowait(notification.decision(None))

    def missed(self) -> None:
        raise AssertionError("the store is up")

    async def event(self, kind: type[Event]) -> tuple[Decision, Event]:
        """The first event of this type."""
        async with asyncio.timeout(240):
            while True:
                decision = await self.heard.get()
                for event in decision.events:
                    if isinstance(event, kind):
                        return decision, event


@asynccontextmanager
async def game(at: Server, clock: ask.Clock | None) -> AsyncIterator[tuple[str, Connection, Connection]]:
    """A started two-player game on one server."""
    async with Connection(at.url, name="Ann") as white, Connection(at.url, name="Bob") as black:
        created = await white.request(ask.Create(clock=clock))
        assert isinstance(created, Created)
        await white.join(created.room)
        await black.join(created.room)
        yield created.room, white, black


@asynccontextmanager
async def listening(server: Server, room: str) -> AsyncIterator[Ear]:
    log = await RedisLog.open(server.store_url)
    ear = Ear()
    await log.follow(room, ear)
    yield ear
    await log.close()


async def noted(server: Server, room: str) -> None:
    """Wait until a server has stored a reminder for a room's deadline, which happens after the room's frames are
    sent."""
    async with asyncio.timeout(240), Redis.from_url(server.store_url) as store:
        while await store.zscore(REMINDERS, room) is None:
            pass


@pytest.mark.slow
async def test_the_flag_falls_although_the_only_server_that_knew_the_game_is_dead(three_servers: list[Server]) -> None:
    doomed = three_servers[0]
    async with game(doomed, ask.Clock(BASE)) as (room, white, black), listening(doomed, room) as ear:
        async for frame in white.follow(room):
            if isinstance(frame, Turn):
                await white.move(room, "e2e4", frame.seq)
                break
        async for frame in black.follow(room):
            if isinstance(frame, Turn):
                await black.move(room, "e7e5", frame.seq)  # now nobody may abort it, and white's clock runs
                break
        await noted(doomed, room)
        await asyncio.to_thread(doomed.kill)
        await ear.event(Flagged)


@pytest.mark.slow
async def test_a_vote_ends_although_the_only_server_that_knew_it_is_dead(three_servers: list[Server]) -> None:
    doomed = three_servers[1]
    async with game(doomed, None) as (room, white, _), listening(doomed, room) as ear:
        async for frame in white.follow(room):
            if isinstance(frame, Turn):
                seq = await white.move(room, "e2e4", frame.seq)
                break
        proposed = time.time_ns() // 1_000_000
        await white.request(ask.Propose(room=room, kind="draw", seq=seq, key="p"))
        await noted(doomed, room)
        await asyncio.to_thread(doomed.kill)
        decision, closed = await ear.event(Closed)
        assert isinstance(closed, Closed)
        assert closed.closure is Closure.EXPIRED
        assert decision.at - proposed >= 30_000


@pytest.mark.slow
async def test_players_of_a_dead_server_go_offline_and_come_back_on_another(
    three_servers: list[Server], one_address: str
) -> None:
    doomed, other, _ = three_servers
    async with Connection(other.url, name="Ann") as white:
        created = await white.request(ask.Create())
        assert isinstance(created, Created)
        room = created.room
        await white.join(room)
        watching = white.follow(room)

        async def seen(seat: str, online: bool) -> None:
            async with asyncio.timeout(240):
                async for frame in watching:
                    if isinstance(frame, Presence) and (frame.seat, frame.online) == (seat, online):
                        return

        async with Connection(doomed.url, name="Bob") as black:
            await black.join(room)
            token = black.token
            await seen("black", True)
            await asyncio.to_thread(doomed.kill)
            await seen("black", False)
        async with Connection(one_address, name="Bob", token=token) as black:
            await black.join(room)
            await seen("black", True)
            frames = black.follow(room)
            snapshot = await anext(frame async for frame in frames if isinstance(frame, Room))
            assert [seat.online for seat in snapshot.seats] == [True, True]
            await white.move(room, "e2e4", snapshot.seq)
            update = await anext(frame async for frame in frames if isinstance(frame, Update))
            assert isinstance(update.events[0], Moved)
