"""The pages of games that were played, for `pictures` and `test_scenes`. Their server archives games at once."""

from typing import Any

from tests.web.conftest import archived, version

FINISHED = 6
"""The number of the first player's finished games."""

OPENING = ("e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6")


async def _evening(stage: Any) -> None:
    """The first of four people has won, lost, come second of four, won with a partner, and plays on."""
    ada, boris, chen, dagny = stage.people
    for player in (boris, ada):
        account = await player.register(f"{player.name} {player.player[:6]}", "Test")
    await stage.page.add_init_script(f"localStorage['fourfold.token'] = {account.token!r}")
    for loser, plies in ((boris, 6), (ada, 4), (boris, 5)):
        room = await stage.room("standard")  # played by hand: a game that begins with moves is not rated
        for ply, move in enumerate(OPENING[:plies]):
            await stage.people[ply % 2].move(room, move, await version(stage.server.url, room))
        await loser.resign(room)
    await boris.resign(await stage.room("standard", 12, players=[boris, chen]))
    for variant, losers in (("survivor", (chen, dagny, ada)), ("ffa", (dagny, boris, chen)), ("teams", (boris,))):
        room = await stage.room(variant, 22)
        for loser in losers:
            await loser.resign(room)
    await stage.room("survivor", 20)
    while await archived(ada) < FINISHED:
        await ada.ping()


async def _games(stage: Any, whose: str) -> None:
    await stage.page.goto(f"{stage.server.url}/#games{whose}")
    await stage.page.locator("#games .game-row .piece").first.wait_for()


async def games_mine(stage: Any) -> None:
    await _evening(stage)
    await _games(stage, "")
    await stage.page.locator(".rating-card .curve").first.wait_for()
    await stage.page.locator("#places .place-bar").first.wait_for()


async def games_all(stage: Any) -> None:
    await _evening(stage)
    await _games(stage, "/all")
    await stage.page.locator(".leaders li").first.wait_for()


async def games_player(stage: Any) -> None:
    await _evening(stage)
    await _games(stage, f"/{stage.people[1].player}")
    await stage.page.locator("#against .score-row").first.wait_for()


async def games_download(stage: Any) -> None:
    await games_mine(stage)
    await stage.page.get_by_role("button", name="Download").click()


async def games_none(stage: Any) -> None:
    await _evening(stage)
    await _games(stage, "/all")
    await stage.page.get_by_label("Player's name").fill("nobody")
    await stage.page.get_by_text("No games found").wait_for()


SCENES = (games_mine, games_all, games_player, games_download, games_none)
