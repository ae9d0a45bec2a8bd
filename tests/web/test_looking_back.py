"""A game that is over, as one looks back at it: its address, its menu, its plates."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from fourfold.clients.connection import Connection
from fourfold.protocol import from_client as ask
from fourfold.protocol import from_server as told
from tests.games.conftest import ServerProcess
from tests.web.conftest import version
from tests.web.test_play import click, stands

pytestmark = pytest.mark.asyncio(loop_scope="session")

Visit = Callable[..., Awaitable[Any]]

PHONE: Any = {"viewport": {"width": 360, "height": 740}}


async def ended(server: ServerProcess, *moves: str) -> str:
    """The address of a game that Black has resigned after some moves."""
    async with Connection(server.url, name="Ann") as ann, Connection(server.url, name="Bob") as bob:
        created = await ann.request(ask.Create(moves=list(moves)))
        assert isinstance(created, told.Created)
        for player in (ann, bob):
            await player.join(created.room)
        await bob.resign(created.room)
    return f"{server.url}/r/{created.room}"


async def test_the_position_that_is_looked_at_is_exported(server: ServerProcess, visit: Visit) -> None:
    page = await visit(f"{await ended(server, 'e2e4', 'e7e5', 'g1f3')}#1")
    await page.locator("#moves [aria-current]", has_text="e4").wait_for()
    await page.locator("#more").click()
    await page.get_by_role("button", name="FEN").click()
    text = page.get_by_role("dialog").get_by_role("textbox")
    assert await text.input_value() == "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"


async def test_the_way_to_the_board_leads_to_a_square(server: ServerProcess, visit: Visit) -> None:
    address = f"{await ended(server, 'e2e4', 'e7e5', 'g1f3')}#1"
    page = await visit(address)
    await page.locator("#moves [aria-current]", has_text="e4").wait_for()
    await page.locator("#engine .switch").wait_for()  # the modules that load later are there
    await page.keyboard.press("Tab")
    await page.keyboard.press("Enter")
    assert await page.evaluate("document.activeElement.dataset.square") == "e1"
    await page.keyboard.press("ArrowUp")
    assert await page.evaluate("document.activeElement.dataset.square") == "e2"
    assert page.url == address
    assert await page.locator("#moves [aria-current]").inner_text() == "e4"


async def test_a_link_to_a_move_shows_the_moves_on_a_phone(server: ServerProcess, visit: Visit) -> None:
    address = await ended(server, "e2e4", "e7e5", "g1f3")
    page = await visit(f"{address}#1", **PHONE)
    await page.locator("#moves [aria-current]", has_text="e4").wait_for()
    other = await visit(address, **PHONE)
    await other.get_by_role("heading", name="Ann won").wait_for()
    assert not await other.locator("#moves").is_visible()


async def test_without_clocks_plates_have_no_place_for_them(server: ServerProcess, visit: Visit) -> None:
    page = await visit(f"{await ended(server, 'e2e4', 'e7e5', 'g1f3')}#1")
    await page.get_by_role("button", name="Back to now").wait_for()
    await page.locator("#moves [aria-current]", has_text="e4").wait_for()
    await page.locator(".card .clock:visible").first.wait_for(state="detached")
    await page.get_by_role("button", name="Back to now").click()
    assert await page.locator(".card .clock:visible").all_inner_texts() == ["1", "0"]


async def held(page: Any, rules: str) -> tuple[asyncio.Event, asyncio.Event]:
    """Holds a stylesheet back until the second event is set. The first event: it was requested."""
    asked, arrives = asyncio.Event(), asyncio.Event()

    async def late(route: Any) -> None:
        asked.set()
        await arrives.wait()
        await route.continue_()

    await page.route(f"**/{rules}", late)
    return asked, arrives


async def test_buttons_are_not_there_before_their_place_is(server: ServerProcess, visit: Visit) -> None:
    """They would move under a click while the page loads."""
    page = await visit("about:blank")
    asked, arrives = await held(page, "ended.css")
    await page.goto(f"{await ended(server, 'e2e4', 'e7e5', 'g1f3')}#1", wait_until="commit")
    button = page.get_by_role("button", name="Back to now", include_hidden=True)
    await button.wait_for(state="attached")
    await asked.wait()
    assert not await button.is_visible()
    arrives.set()
    await button.wait_for()
    before = await button.bounding_box()
    await page.locator("#engine .switch").wait_for()
    assert await button.bounding_box() == before


async def test_nor_are_the_engine_and_the_review(server: ServerProcess, visit: Visit) -> None:
    page = await visit("about:blank")
    asked, arrives = await held(page, "engine.css")
    await page.goto(f"{await ended(server, 'e2e4', 'e7e5', 'g1f3')}#1", wait_until="commit")
    await asked.wait()
    parts = page.locator("#engine .switch, #review button")
    assert await parts.count() == 0
    arrives.set()
    await parts.first.wait_for()


async def test_a_move_on_the_board_of_a_game_that_is_over_is_studied(server: ServerProcess, visit: Visit) -> None:
    page = await visit(f"{await ended(server, 'e2e4', 'e7e5', 'g1f3')}#2", name="Cy")
    await page.locator("#moves [aria-current]", has_text="e5").wait_for()
    await click(page, "e1", "e2")
    await page.get_by_role("heading", name="Study this game from here?").wait_for()
    await stands(page, "e2", "white king")
    await page.get_by_role("button", name="No", exact=True).click()
    await page.get_by_role("heading", name="Move 2 of 3").wait_for()
    await stands(page, "e1", "white king")
    await click(page, "f1", "e2")
    await page.locator(".slot.asks").get_by_role("button", name="Study").click()
    await page.wait_for_url("**/s/*#1.4")
    await page.locator("#moves [aria-current]", has_text="Be2").wait_for()


async def test_a_move_that_was_clicked_is_readable_under_the_mouse(server: ServerProcess, visit: Visit) -> None:
    page = await visit(await ended(server, "e2e4", "e7e5", "g1f3"))
    move = page.locator("#moves .ply", has_text="e5")
    await move.click()
    await page.locator("#moves [aria-current]", has_text="e5").wait_for()
    await move.hover()
    ground = "(one) => [getComputedStyle(one).backgroundColor, getComputedStyle(document.body).color]"
    filled, ink = await move.evaluate(ground)
    assert filled == ink


async def test_the_explorer_has_room_beside_a_review(server: ServerProcess, visit: Visit) -> None:
    page = await visit(await ended(server, "e2e4", "e7e5", "g1f3"))
    await page.locator("#engine .switch").wait_for()
    await page.evaluate("document.body.classList.add('reviewed')")
    await page.locator(".tab[data-tab=about]").click()
    assert await page.locator("#about").evaluate("(one) => one.clientHeight") > 200


async def test_a_rematch_leaves_nothing_of_the_game_before(server: ServerProcess, visit: Visit) -> None:
    async with Connection(server.url, name="Ann") as ann, Connection(server.url, name="Bob") as bob:
        room = await ann.create()
        for player in (ann, bob):
            await player.join(room)
        await bob.resign(room)
        page = await visit(f"{server.url}/r/{room}")
        height = "document.querySelector('.judgement').getBoundingClientRect().height"
        await page.wait_for_function(f"() => {height} > 0")
        await ann.propose(room, "rematch", await version(server.url, room))
        await bob.vote(room, 1, True)
        await page.locator(".card.white.to-move").wait_for()
        await page.wait_for_function(f"() => {height} === 0")


async def test_a_move_against_the_rules_is_not_studied(server: ServerProcess, visit: Visit) -> None:
    page = await visit(f"{await ended(server, 'e2e4', 'd7d5', 'e4d5', 'd8d5')}#3", name="Cy", **PHONE)
    await page.locator("#moves [aria-current]", has_text="exd5").wait_for()
    await click(page, "d8", "d6")
    await page.locator(".slot.asks").get_by_role("button", name="Study").wait_for()
    await page.locator("#forth").click()
    await page.get_by_role("heading", name="Ann won").wait_for()
    await click(page, "a2", "b3")
    await page.locator("#spoken", has_text="pawn").wait_for(state="attached")
    assert await page.locator(".slot.asks").count() == 0
