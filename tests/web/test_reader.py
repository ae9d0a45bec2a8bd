"""The page that reads a game of a file: moves, variations, comments, and the ways on from there."""

import secrets
from collections.abc import Awaitable, Callable
from typing import Any, Final

import pytest

from fourfold.clients.connection import Connection
from tests.web.test_access import check_access_and_width

pytestmark = pytest.mark.asyncio(loop_scope="session")

Visit = Callable[..., Awaitable[Any]]

GAMES: Final = """[Event "Club evening"]
[White "Ada"]
[Black "Boris"]
[Result "1-0"]

{A quiet start.} 1. e4 e5 2. Nf3 Nc6 (2... d6 {The Philidor.} 3. d4) 3. Bb5 $1 a6 1-0

[Event "Club evening"]
[White "Chen"]
[Black "Dagny"]
[Result "1/2-1/2"]

1. d4 d5 1/2-1/2
"""


async def opened(page: Any, url: str) -> None:
    await page.goto(f"{url}/read")
    file = {"name": "club.pgn", "mimeType": "text/plain", "buffer": GAMES.encode()}
    await page.locator("#file").set_input_files(file)
    await page.locator(".node").nth(6).wait_for()


async def test_no_move_is_offered_before_the_page_has_a_game(server: Any, visit: Visit) -> None:
    """On a slow machine, a click came before the page's script, and was lost."""
    page = await visit(f"{server.url}/read", java_script_enabled=False)
    for name in ("One move on", "To the end"):
        assert await page.get_by_role("button", name=name).is_disabled()


async def test_variations_comments_and_games_of_a_file_are_read(server: Any, visit: Visit) -> None:
    page = await visit("about:blank", reduced_motion="reduce")
    await opened(page, server.url)
    await page.get_by_text("A quiet start.").wait_for()
    await page.get_by_text("Club evening · 1-0").wait_for()
    await page.get_by_role("button", name="d6", exact=True).click()
    await page.get_by_text("The Philidor.").first.wait_for()
    await page.locator("[data-square=d6][aria-label*='black pawn']").wait_for()
    await page.keyboard.press("ArrowUp")
    await page.locator("[data-square=c6][aria-label*='black knight']").wait_for()
    await page.keyboard.press("End")
    await page.locator("[data-square=a6][aria-label*='black pawn']").wait_for()
    await check_access_and_width(page)
    await page.get_by_label("Game", exact=True).select_option(label="2. Chen – Dagny")
    await page.get_by_role("heading", name="Chen").wait_for()
    await page.get_by_role("button", name="To the end").click()
    await page.locator("[data-square=d5][aria-label*='black pawn']").wait_for()
    await page.reload()
    await page.get_by_text("Open a file with a game").wait_for()
    assert await page.locator(".steps button:enabled").count() == 0, "there is nothing to step through"


async def test_a_game_is_played_on_and_studied(server: Any, visit: Visit) -> None:
    page = await visit("about:blank")
    await opened(page, server.url)
    await page.get_by_role("button", name="d6", exact=True).click()
    await page.get_by_role("button", name="Play on from here").click()
    await page.wait_for_url("**/r/*")
    await page.locator("[data-square=d6][aria-label*='black pawn']").wait_for()
    await page.locator(".ply").nth(3).wait_for(state="attached")
    await opened(page, server.url)
    await page.get_by_role("button", name="Study this").click()
    await page.wait_for_url("**/s/*")
    await page.locator(".node", has_text="Bb5").wait_for()


async def test_members_add_a_game_to_the_archive(server: Any, visit: Visit) -> None:
    async with Connection(server.url, name="Ann") as ann:
        page = await visit("about:blank")
        await opened(page, server.url)
        await page.get_by_role("button", name="Add to the archive").click()
        await page.get_by_text("Only players with an account can add games to the archive.").wait_for()
        await ann.register(f"Ann {secrets.token_hex(2)}", "Test")
        member = await visit("about:blank")
        await member.add_init_script(f"localStorage['fourfold.token'] = {ann.token!r}")
        await opened(member, server.url)
        await member.get_by_role("button", name="Add to the archive").click()
        await member.wait_for_url("**/r/*")
        await member.get_by_text("imported").first.wait_for()
        await member.locator(".card", has_text="Boris").wait_for()
