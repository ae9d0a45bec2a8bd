"""The words of common situations, as a player meets them in one evening."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from fourfold.clients.connection import Connection
from tests.games.conftest import running
from tests.web.conftest import ARCHIVING, version

pytestmark = pytest.mark.asyncio(loop_scope="session")

Visit = Callable[..., Awaitable[Any]]


async def test_the_words_of_a_lobby_a_vote_and_an_end(visit: Visit) -> None:
    with running(None, 0, *ARCHIVING) as server:
        async with Connection(server.url, name="Ada") as ada, Connection(server.url, name="Bo") as bo:
            page = await visit(server.url)
            await page.get_by_text("Click to find an opponent").wait_for()
            await page.get_by_text("No live games right now").wait_for(state="attached")
            account = await ada.register("Ada", "Test")  # games of guests are not rated
            await bo.register("Bo", "Test")
            room = await bo.create("standard")
            await page.add_init_script(f"localStorage['fourfold.token'] = {account.token!r}")
            await page.goto(f"{server.url}/r/{room}")
            await page.get_by_role("heading", name="Both seats are open").wait_for()
            await page.get_by_label("Sit here, at white").click()
            await page.get_by_role("button", name="Leave seat").wait_for()
            await bo.join(room, "black")

            async def moves(mine: str, theirs: str) -> None:
                await page.locator(".card.white.to-move").wait_for()
                await page.get_by_label("Move", exact=True).fill(mine)
                await page.get_by_role("button", name="Play", exact=True).click()
                await page.locator(".card.black.to-move").wait_for()
                await bo.move(room, theirs, await version(server.url, room))
                await page.locator(".card.white.to-move").wait_for()

            await moves("e2e4", "e7e5")
            await page.get_by_role("button", name="Undo…").click()
            await page.get_by_text("Take back 1 move", exact=True).wait_for()
            await page.get_by_text("The game is then no longer rated").wait_for()
            await page.get_by_text("Take back 2 moves, to my last turn").click()
            await page.get_by_role("heading", name="You ask to take back 2 moves").wait_for()
            await page.locator(".slot .text", has_text="It is then no longer rated.").wait_for()
            await bo.vote(room, 1, True)
            await page.locator(".slot.asks").wait_for(state="detached")
            await page.get_by_role("button", name="More", exact=True).first.click()
            await page.get_by_text("Redo 2 moves").wait_for()
            await page.get_by_text("Zen mode").wait_for()
            await page.keyboard.press("Escape")
            await moves("d2d4", "d7d5")
            for answered in (True, False):
                await page.get_by_role("button", name="Undo…").click()
                await page.get_by_text("Take back 1 move", exact=True).click()
                if answered:
                    await page.locator(".slot.asks").wait_for()
                    await bo.vote(room, 2, False)
                    await page.locator(".slot.asks").wait_for(state="detached")
            await page.get_by_text("You can ask again in").first.wait_for()
            await bo.resign(room)
            await page.locator(".slot.ends").wait_for()
            await page.locator(".tab[data-tab=about]").click()
            await page.get_by_text("No games found in this position").wait_for()
