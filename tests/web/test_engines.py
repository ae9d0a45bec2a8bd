"""The rating list of engines: the page, and the way to each game."""

from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.clients.bots.ratinglist.made import publish
from tests.games.conftest import ServerProcess, running
from tests.web.test_access import check_access_and_width

pytestmark = pytest.mark.asyncio(loop_scope="session")

Visit = Callable[..., Awaitable[Any]]


@pytest.fixture(scope="module")
def publishing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server that publishes a list."""
    folder: Path = tmp_path_factory.mktemp("engines")
    publish(folder)
    with running(None, 0, "--engine-list", str(folder)) as server:
        yield server


@pytest.mark.by_default
async def test_each_game_of_the_list_can_be_replayed(publishing: ServerProcess, visit: Visit) -> None:
    page = await visit(f"{publishing.url}/engines")
    await page.get_by_role("heading", name="Ours & others").wait_for()
    assert await page.locator("#ratings tbody tr").count() == 3
    await page.get_by_role("button", name="Teams").click()
    await page.get_by_role("button", name="Teams", pressed=True).wait_for()
    assert await page.locator("#ratings tbody th").all_inner_texts() != []
    await page.get_by_label("Pairs of").select_option("Level 5")
    pair = page.locator(".pair", has_text="Level 1")
    assert (await pair.locator(".score").inner_text()) == "1 – 1"
    await pair.click()
    await page.locator(".games a").nth(1).click()
    await page.wait_for_url("**/read?from=/engines/*-1.pgn4")
    await page.get_by_text("Level 1 against Level 5").wait_for()
    await page.get_by_role("button", name="To the end").click()
    await page.locator("[data-square=l8][aria-label*='green pawn']").wait_for()
    await page.go_back()
    await page.locator(".games a").nth(1).wait_for()
    assert await page.locator(".pair[aria-expanded=true]").count() == 1, "the address names the pair"


async def test_the_page_fits_and_is_accessible(publishing: ServerProcess, visit: Visit) -> None:
    page = await visit(f"{publishing.url}/engines", reduced_motion="reduce")
    await page.locator(".pair").first.click()
    await page.locator(".games a").first.wait_for()
    await check_access_and_width(page)


async def test_a_list_of_another_form_is_not_guessed_at(publishing: ServerProcess, visit: Visit) -> None:
    page = await visit("about:blank")
    await page.route("**/engines.json", lambda route: route.fulfill(json={"format": 2, "lists": []}))
    await page.goto(f"{publishing.url}/engines")
    await page.get_by_text("This page cannot read /engines.json.").wait_for()
    await page.unroute("**/engines.json")
    await page.route("**/engines/*.json", lambda route: route.fulfill(body="{"))
    await page.reload()
    await page.locator(".pair").first.click()
    await page.get_by_text("This page cannot read /engines/").wait_for()


async def test_an_empty_list_says_so(publishing: ServerProcess, visit: Visit) -> None:
    page = await visit("about:blank")
    await page.route("**/engines.json", lambda route: route.fulfill(json={"format": 1, "lists": []}))
    await page.goto(f"{publishing.url}/engines")
    await page.get_by_text("The list has no games yet.").wait_for()


async def test_the_reader_opens_no_other_address(publishing: ServerProcess, visit: Visit) -> None:
    page = await visit("about:blank")
    for address in ("https://elsewhere.example/x.pgn", "//elsewhere.example/x.pgn", "/engines/../x.pgn"):
        await page.goto(f"{publishing.url}/read?from={address}")
        await page.get_by_text(f"The game {address} cannot be read.").wait_for()


async def test_the_way_to_the_list(publishing: ServerProcess, server: ServerProcess, visit: Visit) -> None:
    page = await visit(f"{publishing.url}/#watch")
    await page.get_by_role("link", name="Engines").click()
    await page.locator("#ratings tbody tr").first.wait_for()
    page = await visit(f"{server.url}/#watch")
    await page.get_by_role("link", name="Wall").wait_for()
    assert await page.get_by_role("link", name="Engines").count() == 0
