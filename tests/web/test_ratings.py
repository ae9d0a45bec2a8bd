"""Ratings in the browser: a profile with its curves, who stands highest, and what a game did to ratings."""

import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import expect

from fourfold.clients.connection import Connection
from fourfold.protocol.from_client import Clock
from tests.games.conftest import ServerProcess
from tests.web.conftest import archived
from tests.web.test_access import faults
from tests.web.test_games import SIZES, Visit, play

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow]

FITS = """() => {
    const faults = document.documentElement.scrollWidth > innerWidth ? [`sideways: ${document.documentElement.scrollWidth}`] : [];
    for (const part of document.querySelectorAll(".rating-card, .leaders li > *, .leader-kind select, .rated li > *")) {
        const at = part.getBoundingClientRect();
        if (part.checkVisibility() && (at.left < -1 || at.right > innerWidth + 1)) faults.push(`"${part.textContent.slice(0, 20)}" is cut`);
    }
    return faults;
}"""  # noqa: E501


OPENING = "e2e4 e7e5 g1f3 b8c6"
"""Each player moves twice, so that the game may be rated."""


@dataclass
class Rated:
    """Two players with accounts who have played; the token of the first and of the other, and rooms by why they are
    rated or not."""

    url: str
    ids: dict[str, str]
    token: str
    other: str
    rooms: dict[str, str]


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def rated(archiving: ServerProcess) -> AsyncIterator[Rated]:
    async with AsyncExitStack() as stack:
        ada, bo, guest = [
            await stack.enter_async_context(Connection(archiving.url, name=name)) for name in ("Ada", "Bo", "Cy")
        ]
        account = await ada.register("Ada Rated", "Test")
        other = await bo.register("Bo Rated", "Test")
        rooms = {}
        for number, loser in enumerate((bo, bo, ada, bo)):
            rooms[f"rated{number}"] = await play([ada, bo], moves=OPENING)
            await loser.resign(rooms[f"rated{number}"])
            while await archived(ada) <= number:
                await ada.ping()
        rooms["casual"] = await play([ada, bo], rated=False)
        await ada.resign(rooms["casual"])
        rooms["guest"] = await play([ada, guest], moves=OPENING)
        await guest.resign(rooms["guest"])
        while await archived(ada) < len(rooms):
            await ada.ping()
        assert isinstance(account.token, str) and isinstance(other.token, str) and ada.player and bo.player
        yield Rated(archiving.url, {"Ada": ada.player, "Bo": bo.player}, account.token, other.token, rooms)


async def fits(page: Any) -> None:
    for scheme in ("light", "dark"):
        await page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        assert await faults(page) == [], scheme
    for width, height in SIZES:
        await page.set_viewport_size({"width": width, "height": height})
        assert await page.evaluate(FITS) == [], (width, height)
    await page.set_viewport_size({"width": 1280, "height": 800})


async def test_a_profile_has_a_card_with_a_curve(visit: Visit, rated: Rated) -> None:
    page = await visit("about:blank")
    await page.add_init_script(f"localStorage['fourfold.token'] = {rated.token!r}")
    await page.goto(f"{rated.url}/#games")
    card = page.locator(".rating-card")
    await card.locator(".curve polyline").wait_for()
    text = await card.inner_text()
    assert "rapid" in text and "4 games" in text and "±" in text
    assert len((await card.locator("polyline").get_attribute("points")).split()) == 4
    changes = await page.locator("#games .game-row .told h3 .second").all_inner_texts()
    best = page.locator("#best-wins")
    assert "Bo" in await best.inner_text()
    link = await best.get_by_role("link").nth(1).get_attribute("href")
    assert link.removeprefix("/r/") in rated.rooms.values()
    await page.locator("#computers-record").wait_for(state="hidden")
    assert sum(", +" in change for change in changes) == 3 and sum(", −" in change for change in changes) == 1
    await fits(page)


async def test_the_leaderboard_is_beside_everybodys_games(visit: Visit, rated: Rated) -> None:
    page = await visit(f"{rated.url}/#games/all")
    first = page.locator(".leaders li").first
    await first.wait_for()
    assert "Level 5" in await first.inner_text()
    await page.get_by_label("Game", exact=True).select_option("ffa")
    await page.get_by_text("1970").wait_for()
    assert await page.get_by_label("Speed").count() == 0
    await page.get_by_label("Who", exact=True).select_option("bots")
    await page.get_by_text("1970").wait_for()
    assert await page.get_by_label("Who", exact=True).input_value() == "bots"
    await fits(page)


@pytest.mark.parametrize(
    ("room", "told"),
    [("rated0", "expected 0.5, scored 1"), ("casual", "its host chose so"), ("guest", "had no account")],
)
async def test_a_game_says_what_it_did_to_ratings_and_why(visit: Visit, rated: Rated, room: str, told: str) -> None:
    page = await visit(f"{rated.url}/r/{rated.rooms[room]}")
    panel = page.locator(".rated")
    await page.locator("#tabs").get_by_role("button", name="Table").click()  # shown at first once the room is archived
    await panel.get_by_text(told).wait_for()
    if room == "rated0":
        assert "1500 →" in await panel.inner_text()
        await page.locator("#explorer-title").wait_for()
        await fits(page)


async def test_a_search_within_a_range_goes_to_whom_it_comes_to_reach(visit: Visit, rated: Rated) -> None:
    clock = Clock(600_000, 5_000)
    async with Connection(rated.url, token=rated.other) as bo:
        ada = rated.ids["Ada"]
        known = {one.player: one.rating for one in await bo.strengths([ada, rated.ids["Bo"]], clock=clock)}
        apart = abs(known[ada] - known[rated.ids["Bo"]])
        assert apart > 50
        room, _ = await bo.seek("standard", clock)
        page = await visit("about:blank")
        await page.add_init_script(f"localStorage['fourfold.token'] = {rated.token!r}")
        await page.goto(rated.url)
        tile = page.locator("[data-quick='standard 10+5']")
        await expect(tile).to_contain_text(f"{known[rated.ids['Bo']]}")
        await page.get_by_label("Opponents", exact=True).select_option("100")
        near = f"Object.assign(document.querySelector('#range option:checked'), {{ value: {apart - 12} }})"
        await page.evaluate(f"() => {{ {near}; }}")
        await tile.click()
        await page.wait_for_url(f"**/r/{room}")
        await expect(page.locator(".card.white .rating")).to_have_text(re.compile(r"^\d+\??$"))
        await expect(page.locator(".card.black .rating")).to_have_text(re.compile(r"^\d+\??$"))


async def test_guests_have_no_range_and_no_rating(visit: Visit, rated: Rated) -> None:
    async with Connection(rated.url, token=rated.other) as bo, Connection(rated.url, name="Gus") as guest:
        page = await visit(rated.url, name="Gast")
        room = await bo.create("standard")
        await bo.join(room, "white")
        await guest.join(await guest.create("standard"), "white")
        await expect(page.locator("#open")).to_contain_text(re.compile(r"Bo Rated \d+\?"))
        await expect(page.locator("#open")).to_contain_text(re.compile(r"Gus(?! \d)"))
        await expect(page.get_by_label("Opponents", exact=True)).to_be_hidden()
        await guest.join(room, "black")
        await page.goto(f"{rated.url}/r/{room}")
        await expect(page.locator(".card.white .rating")).to_have_text(re.compile(r"^\d+\?$"))
        await expect(page.locator(".card.black .rating")).to_have_text("")
        await bo.resign(room)
