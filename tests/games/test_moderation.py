"""Moderation typed at terminals: a player is reported from the table, muted, and unmuted."""

import asyncio
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from aiohttp import ClientSession

from fourfold.clients.connection import Connection
from fourfold.protocol import from_client as ask
from tests.games.peers import gateway_to

from .conftest import ServerProcess, running
from .test_challenges import sit

__all__ = ["sit"]

Sit = Callable[[str], Any]


@pytest.fixture
def server() -> Iterator[ServerProcess]:
    """A server without an admin yet."""
    with running(None, 0) as server:
        yield server


async def test_a_moderator_works_at_the_keyboard(sit: Sit, server: ServerProcess) -> None:
    ada, ann, eve = await sit("Ada"), await sit("Ann"), await sit("Eve")
    await ada.types("account new Ada")
    await ada.hears("You are Ada")
    await server.appoints("Ada")
    await ann.types("create two")
    game = ann.desk.game
    assert game is not None
    await eve.types(f"join {game.table.room}")
    await ann.until(lambda: game.table.status == "playing")
    mine, theirs = game.seats[0], next(seat for seat in game.table.seats if seat not in game.seats)
    await eve.types("say You patzer!")
    await ann.hears("You patzer!")  # a report leaves out messages that the server has not sent to anybody yet
    await ann.types(f"report {theirs} insults in chat")
    await ann.hears("The moderators have your report")
    await ann.types("moderate")
    await ann.hears("Only moderators can do this.")

    await ada.types("moderate")
    player = game.table.seats[theirs].player
    await ada.hears(f"1 Eve ({player}) in {game.table.room}")
    await ada.hears("> Eve: You patzer!")
    await ada.types("moderate mute Eve 7d; insults")
    await ada.hears("Unknown account Eve. To name a guest, use the player id.")
    await ada.types(f"moderate mute {player} 7d; insults")
    await ada.types("moderate settle 1; muted for a week")
    ada.lines.clear()
    await ada.types("moderate")
    await ada.hears("No reports are open.")
    await ada.hears("1 mute")
    await eve.types("say Sorry")
    await eve.hears("You are muted on this server until")
    await ada.types("moderate lift 1")
    await ada.types("moderate lift 1")
    await ada.hears("There is no number 1 there")
    await eve.types("say Sorry again")
    await ann.hears("Sorry again")
    await ada.types("moderate announce The server restarts at noon.")
    await eve.hears("To everybody: The server restarts at noon.")
    await ann.types(f"report {mine} nothing")
    await ada.types(f"moderate ban {player} 1h; enough")
    await eve.until(lambda: eve.desk.fault is not None)
    assert "enough" in str(eve.desk.fault)


async def test_the_gateway_is_no_way_around_a_ban(server: ServerProcess) -> None:
    async with Connection(server.url) as ada, Connection(server.url) as eve, gateway_to(server.url) as gateway:
        await ada.register("Ada")
        await ada.become_admin(server.admin_code())
        await eve.register("Eve")
        granted = await eve.grant("play", "Program")
        headers = {"Authorization": f"Bearer {granted.token}"}
        async with ClientSession(gateway, headers=headers) as program:
            async with program.get("/api/account") as response:
                assert response.status == 200
            await ada.request(ask.Moderate(act="ban", target="Eve", why="Insults", seconds=3600))
            async with asyncio.timeout(240):
                while (response := await program.get("/api/account")).status == 200:
                    response.release()
            said = (await response.json())["error"]
            assert response.status == 403 and "You are banned from this server until" in said and "Insults" in said
