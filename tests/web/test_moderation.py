"""The moderators' page in a real browser: a player is reported at the table, muted, and let talk again."""

import os
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import expect

from fourfold.clients.connection import Connection
from fourfold.clients.errors import RequestError
from fourfold.protocol import from_client as ask
from tests.games.conftest import ServerProcess, running
from tests.web.test_access import faults

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow]

Visit = Callable[..., Awaitable[Any]]


@pytest.fixture
def orderly() -> Iterator[ServerProcess]:
    """A server without an admin yet."""
    with running(None, 0) as server:
        yield server


async def test_a_report_is_settled_by_a_mute_which_is_lifted(orderly: ServerProcess, visit: Visit) -> None:
    url = orderly.url
    async with Connection(url, name="Eve") as eve, Connection(url, name="Ada") as ada:
        token = (await ada.register("Ada")).token
        room = await eve.create("standard")
        await eve.join(room, "black")
        table = await visit(f"{url}/r/{room}", name="Bob")
        await expect(table.get_by_role("button", name="More").first).to_be_visible()
        await eve.request(ask.Say(room=room, text="You patzer!"))
        await expect(table.locator("#said")).to_contain_text("You patzer!")
        await table.get_by_role("button", name="More").first.click()
        await table.get_by_role("button", name="Report a player").click()
        await table.locator("#report-why").fill("Insults")
        await table.get_by_role("button", name="Report", exact=True).click()
        await expect(table.locator("#slot")).to_contain_text("The moderators have your report.")

        page = await visit("about:blank")
        await page.add_init_script(f"localStorage['fourfold.token'] = {token!r}")
        await page.goto(f"{url}/#admin={orderly.admin_code()}")
        await page.get_by_role("button", name="Become the admin").click()
        await page.wait_for_url(f"{url}/admin")
        await page.get_by_role("link", name="Reports and orders in force").click()
        await expect(page.locator(".report")).to_contain_text("You patzer!")
        assert await faults(page) == []
        if folder := os.environ.get("PICTURES"):
            await pictures(page, Path(folder), "reported")
        await page.get_by_role("button", name="Mute for a day").click()
        await expect(page.get_by_text("No open reports.")).to_be_visible()
        if folder := os.environ.get("PICTURES"):
            await pictures(page, Path(folder), "muted")
        with pytest.raises(RequestError, match="muted on this server until"):
            await eve.request(ask.Say(room=room, text="Hello"))
        await page.get_by_role("button", name="Lift: mute").click()
        await expect(page.get_by_text("No orders in force.")).to_be_visible()
        await eve.request(ask.Say(room=room, text="Sorry"))
        await expect(table.locator("#said")).to_contain_text("Sorry")

        await page.locator("#act").select_option("announce")
        await page.locator("#act-text").fill("Noon restart.")
        await page.get_by_role("button", name="Do it").click()
        await expect(table.locator("#slot")).to_contain_text("Noon restart.")


async def test_what_everybody_is_told_stands_above_the_lobby_and_so_does_a_ban(
    orderly: ServerProcess, visit: Visit
) -> None:
    async with Connection(orderly.url, name="Ada") as ada:
        await ada.register("Ada")
        await ada.become_admin(orderly.admin_code())
        page = await visit(orderly.url, name="Eve")
        notice = page.locator("#notice")
        await page.locator("#live .nothing-here").wait_for()
        await expect(notice).to_be_hidden()
        await ada.request(ask.Moderate(act="announce", text="Noon restart."))
        await expect(notice).to_contain_text("Noon restart.")
        await expect(notice).to_be_in_viewport()
        assert await faults(page) == []
        await notice.get_by_role("button", name="Close").click()
        await expect(notice).to_be_hidden()
        eve = await page.evaluate("localStorage['fourfold.token'].split('.')[0]")
        await ada.request(ask.Moderate(act="ban", target=eve, why="Insults", seconds=3600))
        await expect(notice).to_contain_text("You are banned from this server until")
        await expect(notice).to_contain_text("Insults.")
        await expect(page.locator("main")).to_be_hidden()
        assert await faults(page) == []
        await page.reload()
        await expect(notice).to_contain_text("You are banned from this server until")


async def pictures(page: Any, folder: Path, name: str) -> None:
    """Pictures for people to look at."""
    for scheme in ("light", "dark"):
        await page.emulate_media(color_scheme=scheme)
        for width, height in ((360, 740), (1280, 800)):
            await page.set_viewport_size({"width": width, "height": height})
            await page.screenshot(path=folder / f"moderate-{name}-{width}-{scheme}.png", full_page=True)
