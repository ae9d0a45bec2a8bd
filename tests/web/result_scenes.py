"""Rated results, the card of a player who is out, and the first screen afterwards, for `pictures` and `test_scenes`."""

import asyncio
from typing import Any

from fourfold.protocol import from_client as ask
from tests.web.conftest import archived, version
from tests.web.lobby_scenes import members

MATE = ("e2e4", "e7e5", "d1h5", "b8c6", "f1c4", "g8f6", "h5f7")
ROUNDS = (("h2h3", "b7c7", "g13g12", "m8l8"), ("k2k3", "b4c4", "d13d12", "m11l11"))


async def _mated(stage: Any) -> str:
    """A rated game for two, played by hand: the first player mates the second. Its room."""
    room: str = await stage.room("standard")
    for ply, move in enumerate(MATE):
        await stage.people[ply % 2].move(room, move, await version(stage.server.url, room))
    return room


async def _four(stage: Any) -> str:
    """A rated game for four after two rounds. Its room."""
    room: str = await stage.room("survivor", clock=ask.Clock(600_000, 5_000))
    for moves in ROUNDS:
        for player, move in zip(stage.people, moves, strict=True):
            await player.move(room, move, await version(stage.server.url, room))
    return room


async def result_two(stage: Any) -> None:
    """Ratings, their changes, and the score of the two against each other."""
    await members(stage)
    await _mated(stage)
    await stage.open(await _mated(stage))
    await stage.page.locator(".rating-now", has_text="+").wait_for()


async def result_four(stage: Any) -> None:
    """The winner has another seat than the user."""
    await members(stage)
    room = await _four(stage)
    for loser in (stage.people[2], stage.people[0], stage.people[3]):
        await loser.resign(room)
    await stage.open(room)
    await stage.page.locator(".rating-now", has_text="+").first.wait_for()


async def result_told(stage: Any) -> None:
    """The ratings, and the story that the review has by itself."""
    await result_four(stage)
    await stage.page.locator(".story .curve").first.wait_for(state="attached", timeout=300_000)


async def out_four(stage: Any) -> None:
    """The user is out, and the others play on."""
    await members(stage)
    room = await _four(stage)
    await stage.people[0].resign(room)
    await stage.open(room)
    await stage.page.get_by_role("button", name="Watch on").wait_for()


async def returning(stage: Any) -> None:
    """The first screen, after rated games for two and for four. One of the opponents is online."""
    await members(stage)
    await _mated(stage)
    room = await _four(stage)
    for loser in stage.people[:3]:
        await loser.resign(room)
    async with asyncio.timeout(240):
        while await archived(stage.people[0]) < 2:
            pass
    await stage.lobby()
    await stage.page.get_by_role("heading", name="Welcome back").wait_for()
    await stage.page.get_by_role("button", name="Challenge").first.wait_for()


SCENES = (result_two, result_four, result_told, out_four)
ARCHIVED = (returning,)
"""Those of the server that archives games at once."""
