"""Studies in the browser: two people write one, by mouse, keyboard and form; what was written is there again."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from fourfold.clients.connection import Connection
from fourfold.protocol import from_client as ask
from fourfold.protocol import from_server as told
from tests.games.conftest import ServerProcess
from tests.web.test_access import faults

pytestmark = pytest.mark.asyncio(loop_scope="session")

Visit = Callable[..., Awaitable[Any]]

GAME = "1. e4 e5 2. Nf3 (2. f4 exf4) 2... Nc6 *"


async def press(page: Any, *squares: str, button: str = "left") -> None:
    for square in squares:
        await page.locator(f"[role=gridcell][data-square={square}]").scroll_into_view_if_needed()
        box = await page.locator(f"[role=gridcell][data-square={square}]").bounding_box()
        await page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, button=button)


async def drag(page: Any, start: str, end: str) -> None:
    """Draw a line with the other button."""
    places = [await page.locator(f"[role=gridcell][data-square={square}]").bounding_box() for square in (start, end)]
    middles = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in places]
    await page.mouse.move(*middles[0])
    await page.mouse.down(button="right")
    await page.mouse.move(*middles[1], steps=4)
    await page.mouse.up(button="right")


async def begun(server: ServerProcess, visit: Visit, text: str = "", **how: Any) -> Any:
    """A page with a study of its own."""
    page = await visit(f"{server.url}/studies", **how)
    await page.get_by_label("From").fill(text)
    await page.get_by_role("button", name="Begin").click()
    await page.wait_for_url("**/s/*")
    await page.locator(".board .piece").first.wait_for()
    return page


def node(page: Any, text: str) -> Any:
    return page.locator("#moves .node", has_text=text)


async def test_two_people_write_one_study(server: ServerProcess, visit: Visit) -> None:
    ada = await begun(server, visit, name="Ada")
    await ada.get_by_label("May see it").select_option("link")
    await ada.get_by_label("May write").select_option("everybody")
    await ada.wait_for_function("document.getElementById('write').value === 'everybody'")
    bob = await visit(ada.url.split("#")[0], name="Bob")
    await bob.locator(".board .piece").first.wait_for()
    await ada.locator("#people li", has_text="Bob").wait_for()

    await press(ada, "e2", "e4")
    await ada.locator("#moves [aria-current]", has_text="e4").wait_for()
    await node(bob, "e4").click()
    await ada.locator("#people li", has_text="Bob writes, at e4").wait_for()
    await bob.locator("[role=gridcell][data-square=e4][aria-label*=pawn]").wait_for()
    await press(bob, "e7", "e5")
    await bob.locator("#moves [aria-current]", has_text="e5").wait_for()
    await press(ada, "c7", "c5")
    variation = ada.locator(".variation")
    await variation.wait_for()
    await bob.locator(".variation").wait_for()
    words = {await page.locator(".variation").get_attribute("aria-label") for page in (ada, bob)}
    main = [[await one.get_attribute("data-focus") for one in await page.locator(".rounds > .node").all()]
            for page in (ada, bob)]  # fmt: skip
    assert main[0] == main[1] and len(main[0]) == 2
    assert len(words) == 1 and words <= {"variation, one move, by Ada", "variation, one move, by Bob"}

    await node(bob, "c5").click()
    await bob.get_by_label("Comment").fill("Sharper.")
    await bob.get_by_role("button", name="Keep").click()
    await bob.get_by_role("button", name="interesting move").click()
    await ada.locator(".comment", has_text="Sharper.").wait_for()
    await node(ada, "c5").locator(".glyph", has_text="!?").wait_for()
    await drag(bob, "g1", "f3")
    await node(ada, "c5").click()
    await ada.locator(".shaft.drawn-green").wait_for()

    await bob.reload()
    await bob.locator(".comment", has_text="Sharper.").wait_for()
    await bob.locator("#moves [aria-current]", has_text="c5").wait_for()
    await bob.locator(".shaft.drawn-green").wait_for()


async def test_a_server_that_was_away_is_followed_again(mortal_server: ServerProcess, visit: Visit) -> None:
    page = await begun(mortal_server, visit, GAME, name="Ada")
    await node(page, "Nf3").click()
    mortal_server.kill()
    mortal_server.start()
    await press(page, "g8", "f6")
    await page.locator("#moves [aria-current]", has_text="Nf6").wait_for(timeout=60_000)


async def test_by_keyboard_and_ear(server: ServerProcess, visit: Visit) -> None:
    page = await begun(server, visit, GAME, name="Ada")

    async def hears(text: str) -> None:
        await page.wait_for_function("(text) => document.getElementById('spoken').textContent.includes(text)", arg=text)

    await page.keyboard.press("ArrowRight")
    await hears("white e4")
    await page.keyboard.press("ArrowRight")
    await page.keyboard.press("ArrowRight")
    await hears("white Nf3, main line, 1 more")
    await page.keyboard.press("ArrowDown")
    await hears("white f4, variation, two moves, by Ada")
    await page.keyboard.press("End")
    await hears("black exf4")
    await page.keyboard.press("Home")
    await hears("The start.")
    await page.keyboard.press("ArrowRight")
    for square in ("d7", "d5"):
        await page.locator(f"[role=gridcell][data-square={square}]").focus()
        await page.keyboard.press("Enter")
    await page.locator("#moves [aria-current]", has_text="d5").wait_for()
    await page.get_by_role("button", name="Promote variation").click()
    await page.locator(".rounds > .node", has_text="d5").wait_for()
    await page.get_by_label("Arrows").fill("d5e4 red, f7 blue")
    await page.get_by_role("button", name="Draw").click()
    await page.locator(".shaft.drawn-red").wait_for()
    await page.get_by_role("button", name="Remove from here").click()
    await page.get_by_role("button", name="Remove", exact=True).click()
    await node(page, "d5").wait_for(state="detached")
    assert await page.locator(".shaft.drawn-red").count() == 0


@pytest.mark.parametrize("size", [(1280, 800), (360, 740)], ids=str)
async def test_chapters_and_files_for_four(server: ServerProcess, visit: Visit, size: tuple[int, int]) -> None:
    async with Connection(server.url, name="Cy") as cy:
        created = await cy.request(ask.Create(variant="ffa", moves=["h2h3", "b7c7", "g13g12", "m8l8", "d2d3"]))
        assert isinstance(created, told.Created)
        page = await begun(server, visit, GAME, name="Ada", viewport={"width": size[0], "height": size[1]})
        await page.get_by_text("Add a chapter").click()
        await page.get_by_label("From").fill(f"{server.url}/r/{created.room}")
        await page.get_by_role("button", name="Add", exact=True).click()
        await page.locator(".chapter").nth(1).click()
        await page.locator("[role=gridcell][data-square=n8]").wait_for()
        assert await page.locator(".rounds > .node").count() == 5
        await node(page, "c7").click()
        await page.locator("[role=gridcell][data-square=c7][aria-label*='blue pawn']").wait_for()
        await press(page, "g13", "g11")
        await page.locator(".variation .node[aria-current]", has_text="g11").wait_for()
        assert await faults(page) == []
        await page.get_by_label("Move the chapter up").click()
        await page.locator("li:first-child .chapter[aria-current]").wait_for()
        async with page.expect_download() as saved:
            await page.get_by_role("button", name="Save as a file").click()
        text = (await (await saved.value).path()).read_text()
        assert "g13-g11" in text and "[Variant" in text
        assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")


async def test_engine_and_explorer(server: ServerProcess, visit: Visit) -> None:
    page = await begun(server, visit, GAME, name="Ada")
    await page.get_by_role("switch", name="Engine").click()
    await page.locator(".lines li").first.wait_for()
    assert await page.locator(".judge:visible i").count() == 2
    await page.get_by_role("heading", name="Explorer").wait_for()


async def test_a_reader_reads(server: ServerProcess, visit: Visit) -> None:
    page = await begun(server, visit, GAME, name="Ada")
    stranger = await visit(page.url)
    await stranger.locator("#sharing", has_text="There is no such study, or it is not shared with you.").wait_for()
    await page.get_by_label("May see it").select_option("public")
    await page.wait_for_function("document.getElementById('visibility').value === 'public'")
    await stranger.reload()
    await node(stranger, "e4").click()
    assert await stranger.get_by_label("Comment").count() == 0
    await press(stranger, "d7", "d5")
    await stranger.locator("#remarks", has_text="You may look at this study, and not write in it.").wait_for()
    await stranger.goto(f"{server.url}/studies")
    await stranger.locator("#public a").first.wait_for()


async def test_a_game_that_is_over_is_studied(server: ServerProcess, visit: Visit) -> None:
    async with Connection(server.url, name="Ann") as ann, Connection(server.url, name="Bob") as bob:
        created = await ann.request(ask.Create(moves=["f2f3", "e7e5"]))
        assert isinstance(created, told.Created)
        for player in (ann, bob):
            await player.join(created.room)
        await bob.resign(created.room)
        page = await visit(f"{server.url}/r/{created.room}")
        await page.locator("#more").click()
        await page.get_by_role("button", name="Study this game").click()
        await page.wait_for_url("**/s/*")
        await node(page, "e5").wait_for()
