"""The lobby when servers die: every node recovers changes that were lost between a decision and its listing."""

import asyncio
import contextlib
import random
import time
from typing import Any

import pytest

from fourfold.clients.connection import Connection
from fourfold.clients.errors import ConnectionFault, RequestError
from fourfold.engine.match import replay
from fourfold.server.lobby.index import listing
from fourfold.server.storage.redis_log import RedisLog

Server = Any  # see conftest
ROUNDS, ASKED, PEOPLE = 5, 150, 8
ROOMS = 15
"""The approximate number of rooms opened in each round: a list has a hundred."""

Shown = dict[str, tuple[str, list[str | None]]]
"""Rooms, with their status and the names of their players."""


class Crowd:
    """People who open, join, seek, leave and resign, on any server that is up."""

    def __init__(self, urls: list[str]) -> None:
        self.urls = urls
        self.rooms: set[str] = set()
        self.most = 0
        self.asked: asyncio.Queue[None] = asyncio.Queue()
        self.over = asyncio.Event()

    async def live(self, seed: int) -> None:
        """One of them, again and again under a new identity."""
        chance = random.Random(seed)
        while not self.over.is_set():
            with contextlib.suppress(ConnectionFault):
                async with Connection(chance.choice(self.urls), patience=5.0) as person:
                    for _ in range(chance.randrange(1, 8)):
                        with contextlib.suppress(RequestError):
                            await self.ask(person, chance)

    async def ask(self, person: Connection, chance: random.Random) -> None:
        self.asked.put_nowait(None)
        room = chance.choice(sorted(self.rooms) or [""])
        match chance.randrange(5):
            case 0 if len(self.rooms) < self.most:
                self.rooms.add(await person.create())
            case 1 if len(self.rooms) < self.most:
                room, _ = await person.seek()
                self.rooms.add(room)
            case 2 | 3 if room:
                await person.join(room)
            case 4 if room:
                await person.leave(room)
            case _ if room:
                await person.resign(room)


async def truth(url: str, rooms: set[str]) -> Shown:
    """The lobby's rooms, by their logs."""
    log = await RedisLog.open(url)
    shown = [listing(room, replay(await log.read(room)), 0, False) for room in rooms]
    await log.close()
    return {it.room: (it.status, [seat.name for seat in it.seats]) for it in shown if it is not None}


async def told(url: str, rooms: set[str]) -> Shown:
    """A server's listings of these rooms."""
    async with Connection(url) as viewer:
        listings = await viewer.rooms(limit=100)
    return {it.room: (it.status, [seat.name for seat in it.seats]) for it in listings if it.room in rooms}


@pytest.mark.slow
async def test_every_node_lists_what_the_log_says(three_servers: list[Server], embedded_url: str) -> None:
    chance = random.Random(7)
    crowd = Crowd([server.url for server in three_servers])
    people = [asyncio.create_task(crowd.live(seed)) for seed in range(PEOPLE)]
    for _ in range(ROUNDS):
        crowd.most += ROOMS
        async with asyncio.timeout(240):
            asked = 0
            while asked < ASKED or len(crowd.rooms) < crowd.most:
                await crowd.asked.get()
                asked += 1
        victim = chance.choice(three_servers)
        victim.kill()
        await asyncio.to_thread(victim.start)
    crowd.over.set()
    await asyncio.gather(*people)
    for url in crowd.urls:  # seekers who have gone lose their seats, and wrong listings go
        ends = time.monotonic() + 240
        while (shown := await told(url, crowd.rooms)) != (kept := await truth(embedded_url, crowd.rooms)):
            assert time.monotonic() < ends, (url, set(map(str, shown.items())) ^ set(map(str, kept.items())))
            await asyncio.sleep(0.1)
    assert len(crowd.rooms) >= ROUNDS * ROOMS
    assert await truth(embedded_url, crowd.rooms), "there was something to compare"
