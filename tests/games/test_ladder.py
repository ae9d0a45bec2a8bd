"""A ladder of bots on a real server: it arranges rated games between bots, which play them by themselves."""

import asyncio
import json
import os
import secrets
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientResponse, ClientSession

from fourfold.clients.bots.hosting.ladder import Ladder, keep_ladder
from fourfold.clients.connection import Connection
from fourfold.clients.errors import RequestError
from fourfold.clients.following import RoomFrame
from fourfold.clients.table import Table
from fourfold.protocol.from_client import Clock
from fourfold.protocol.from_server import Game, Room
from tests.games.conftest import ServerProcess, running
from tests.games.peers import gateway_to

CLOCK = Clock(10_000, 0)
"""A clock with which every game ends soon."""


@asynccontextmanager
async def command(token: str, *words: str) -> AsyncIterator[None]:
    """One of our commands as a separate process, with an access token."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "fourfold.clients", *words, env=os.environ | {"FOURFOLD_TOKEN": token}
    )
    try:
        yield
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()


class Organized:
    """A server with an admin, who lets a ladder arrange games; and bots, each with its own account."""

    def __init__(self, server: ServerProcess, admin: Connection, token: str) -> None:
        self.server = server
        self.admin = admin
        self.token = token
        self.said: list[str] = []

    async def bot(self, stack: AsyncExitStack, *words: str) -> str:
        """A bot is online; its name."""
        async with Connection(self.server.url) as owner:
            await owner.register(f"Owner{secrets.token_hex(4)}")
            granted = await owner.grant("bot", f"Engine{secrets.token_hex(4)}")
        more = ("--url", self.server.url, "--pace", "0", "--budget", "0.05")
        await stack.enter_async_context(command(granted.token, words[0], *more, *words[1:]))
        return granted.name

    async def online(self, names: set[str]) -> None:
        async with asyncio.timeout(240):
            while not names <= {one.name for one in (await self.admin.people(None, 100)).people}:  # noqa: ASYNC110
                await asyncio.sleep(0.2)

    def ladder(self, *variants: str) -> "asyncio.Task[None]":
        options = Ladder(self.server.url, self.token, variants, CLOCK, pause=0.2)
        return asyncio.create_task(keep_ladder(options, self.said.append))

    async def games(self, count: int, variant: str) -> list[Game]:
        """`count` finished public games."""
        async with asyncio.timeout(240):
            while True:
                found = (await self.admin.games(variant=variant, limit=50)).games
                over = [game for game in found if game.status == "finished"]
                if len(over) >= count:
                    return over
                await asyncio.sleep(0.5)


@pytest.fixture
async def organized() -> AsyncIterator[Organized]:
    name = f"Admin{secrets.token_hex(4)}"
    with running(None, 0, "--archive-after", "1") as server:
        async with Connection(server.url) as admin:
            await admin.register(name)
            await admin.become_admin(server.admin_code())
            yield Organized(server, admin, (await admin.grant("organize", "Ladder")).token)


async def _ended(task: "asyncio.Task[None]") -> None:
    task.cancel()
    await asyncio.wait([task])


@pytest.mark.slow
async def test_levels_and_an_engine_play_each_other(organized: Organized, tmp_path: Path) -> None:
    """Two levels and a UCI engine, of which two are always idle, play public rated games."""
    engine = tmp_path / "engine"
    engine.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m fourfold.clients engine --level 2\n')
    engine.chmod(0o755)
    async with AsyncExitStack() as stack:
        names = {
            await organized.bot(stack, "bot", "--level", "1"),
            await organized.bot(stack, "bot", "--level", "2"),
            await organized.bot(stack, "uci", "--engine", str(engine)),
        }
        await organized.online(names)
        ladder = organized.ladder("standard")
        async with Connection(organized.server.url, name="Watcher") as watcher:
            async with asyncio.timeout(240):
                while not (rooms := await watcher.rooms(status="playing")):  # noqa: ASYNC110
                    await asyncio.sleep(0.2)
            frame: RoomFrame = await anext(watcher.follow(rooms[0].room))
            assert isinstance(frame, Room)
            table = Table.of(frame)
            assert table.rated and {seat.name for seat in table.seats.values()} < names
        rated: set[str | None] = set()
        played: set[str | None] = set()
        async with asyncio.timeout(240):
            while played != names or not rated:  # a game without a move of each is not rated
                seats = [seat for game in await organized.games(1, "standard") for seat in game.seats]
                played = {seat.name for seat in seats}
                rated = {seat.name for seat in seats if seat.change is not None}
                await asyncio.sleep(0.2)
        await _ended(ladder)
        assert rated <= names


@pytest.mark.slow
async def test_four_play_and_the_ladder_begins_again_when_it_was_stopped(organized: Organized) -> None:
    async with AsyncExitStack() as stack:
        names = {await organized.bot(stack, "bot", "--level", "1") for _ in range(4)}
        await organized.online(names)
        ladder = organized.ladder("ffa")
        await organized.games(1, "ffa")
        await _ended(ladder)
        ladder = organized.ladder("ffa")
        (game, *_) = await organized.games(2, "ffa")
        await _ended(ladder)
        assert {seat.name for seat in game.seats} == names and game.clock is not None


async def test_who_may_not_organize_is_told_so_at_once(organized: Organized) -> None:
    tokens = {"out_of_scope": (await organized.admin.grant("play", "No ladder")).token}
    async with Connection(organized.server.url) as ordinary:
        await ordinary.register(f"Ann{secrets.token_hex(4)}")
        with pytest.raises(RequestError) as refused:
            await ordinary.grant("organize", "Ladder")
        assert refused.value.code == "not_moderator"
        tokens["not_moderator"] = ordinary.token or ""
    for code, token in tokens.items():
        organized.token = token
        with pytest.raises(RequestError) as raised:
            await organized.ladder("standard")
        assert raised.value.code == code
    assert organized.said == []


async def test_it_says_for_which_variants_bots_are_missing(organized: Organized) -> None:
    ladder = organized.ladder("standard", "ffa")
    async with asyncio.timeout(240):
        while len(organized.said) < 3:  # noqa: ASYNC110
            await asyncio.sleep(0.05)
    await _ended(ladder)
    assert organized.said[1:] == [
        "ffa needs 4 bots; of those online, 0 play it with this clock.",
        "standard needs 2 bots; of those online, 0 play it with this clock.",
    ]


async def test_programs_behind_a_gateway_hear_of_the_other_player(organized: Organized) -> None:
    """A program sees a challenge by its opponent. Its acceptance is answered once the other has accepted or
    declined."""
    granted = [await organized.admin.grant("bot", f"Engine{secrets.token_hex(4)}") for _ in range(2)]
    async with AsyncExitStack() as stack:
        gateway = await stack.enter_async_context(gateway_to(organized.server.url))
        organizer = await stack.enter_async_context(Connection(organized.server.url, token=organized.token))
        programs = []
        for one in granted:
            headers = {"Authorization": f"Bearer {one.token}"}
            session = await stack.enter_async_context(ClientSession(gateway, headers=headers))
            programs.append((session, await stack.enter_async_context(session.get("/api/stream/event"))))
        await organized.online({one.name for one in granted})
        for accepts in (False, True):
            seats = {seat: one.player for seat, one in zip(("white", "black"), granted, strict=True)}
            made = await organizer.challenge(seats=seats, clock=CLOCK)
            for number, (_, events) in enumerate(programs):
                told = await _event(events, "challenge")
                assert told["challenger"]["name"] == granted[1 - number].name
                assert told["destUser"]["name"] == granted[number].name
            path = f"/api/challenge/{made.challenge}"
            first = asyncio.create_task(programs[0][0].post(f"{path}/accept"))
            second = await programs[1][0].post(f"{path}/{'accept' if accepts else 'decline'}")
            assert ((await first).status, second.status) == ((200, 200) if accepts else (404, 200))
        for _, events in programs:
            assert (await _event(events, "gameStart"))["gameId"] == made.challenge


async def _event(events: ClientResponse, kind: str) -> Any:
    """The next event of a type: its challenge, or its game."""
    async with asyncio.timeout(240):
        while line := await events.content.readline():
            if line.strip() and (told := json.loads(line))["type"] == kind:
                return told["challenge" if kind == "challenge" else "game"]
    raise EOFError
