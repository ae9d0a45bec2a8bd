"""The admin's page in a real browser: people, rooms, backups; and each act is in the audit log."""

from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import expect

from fourfold.clients.connection import Connection
from fourfold.server.maintenance.verification import verify_file
from tests.games.conftest import ServerProcess, running
from tests.web.test_access import faults

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow]

Visit = Callable[..., Awaitable[Any]]


@pytest.fixture
def governed() -> Iterator[ServerProcess]:
    """A server without an admin yet."""
    with running(None, 0) as server:
        yield server


async def acts(page: Any, button: str, yes: str, **fields: str) -> None:
    """Press a button, fill the fields of the dialog by their labels, and confirm."""
    await page.get_by_role("button", name=button).first.click()
    dialog = page.get_by_role("dialog")
    for label, value in fields.items():
        field = dialog.get_by_label(label.replace("_", " "))
        if await field.evaluate("field => field.tagName") == "SELECT":
            await field.select_option(value)
        else:
            await field.fill(value)
    await dialog.get_by_role("button", name=yes, exact=True).click()
    await expect(dialog).to_have_count(0)


async def test_an_admin_sees_the_server_and_acts(governed: ServerProcess, visit: Visit, tmp_path: Path) -> None:
    url = governed.url
    async with Connection(url, name="Ada") as ada, Connection(url, name="Eve") as eve:
        await ada.register("Ada")
        await eve.register("Eve", "A phone")
        await ada.become_admin(governed.admin_code())
        room = await eve.create("standard")
        await eve.join(room, "black")
        page = await visit("about:blank")
        await page.add_init_script(f"localStorage['fourfold.token'] = {ada.token!r}")
        await page.goto(f"{url}/#you")
        await page.get_by_role("link", name="The server").click()
        await expect(page.locator("#server")).to_contain_text("fourfold")
        await expect(page.locator("#findings")).to_contain_text("the server makes no backups")
        await expect(page.locator("#settings")).to_contain_text("PORT")
        await expect(page.locator(".vital")).to_have_count(6)
        assert await faults(page) == []

        log = page.locator("#acts li").first
        await page.get_by_label("Find accounts").fill("eve")
        await page.get_by_role("button", name="Find").click()
        await expect(page.get_by_text("1 found")).to_be_visible()
        await acts(page, "Mute: Eve", "Mute", For_how_long="3600", Why="Insults")
        await expect(log).to_contain_text("Ada: mute Eve")
        await expect(log).to_contain_text("Insults")
        await expect(page.locator(".tag")).to_have_text("muted")
        await acts(page, "Rename: Eve", "Rename", The_new_name="Evelyn", Why="asked for it")
        await expect(log).to_contain_text("Ada: rename Evelyn")
        await acts(page, "Role: Evelyn", "Appoint", Role="moderator", Why="helps")
        await expect(log).to_contain_text("appoint moderator Evelyn")

        await acts(page, f"Close: {room}", "Close", Why="empty")
        await expect(page.locator("#rooms")).to_contain_text("No public room is open.")
        await acts(page, "Write", "Send", What_they_read="Noon restart.", Why="an update")
        await expect(log).to_contain_text("announce Noon restart.")

        await page.get_by_text("1 session").click()
        await acts(page, "Sign out: A phone of Evelyn", "Sign out", Why="lost")
        await expect(log).to_contain_text("sign out 1 Evelyn")

        await page.locator("#level").select_option("debug")
        await page.get_by_role("dialog").get_by_role("button", name="Change").click()
        await expect(log).to_contain_text("log level debug")

        await acts(page, "Make one", "Make it", Why="before the upgrade")
        download = page.get_by_role("button", name="Download")
        await download.wait_for()
        async with page.expect_download() as found:
            await download.click()
        file = tmp_path / "saved.backup"
        await (await found.value).save_as(file)
        assert not [one async for one in verify_file(file) if one.damage is not None]
        await expect(log).to_contain_text("download backup fourfold-")
        assert await faults(page) == []


async def test_the_first_admin_sets_the_server_up(governed: ServerProcess, visit: Visit) -> None:
    url = governed.url
    async with Connection(url, name="Ada") as ada:
        token = (await ada.register("Ada")).token
    page = await visit("about:blank")
    await page.add_init_script(f"localStorage['fourfold.token'] = {token!r}")
    await page.goto(f"{url}/#admin={governed.admin_code()}")
    await page.get_by_role("button", name="Become the admin").click()
    await page.wait_for_url(f"{url}/admin")
    await expect(page.get_by_role("heading", name="Set up this server")).to_be_visible()
    assert await faults(page) == []
    await page.get_by_label("Name of the service").fill("Chess club")
    await page.get_by_label("New accounts").select_option("closed")
    await page.get_by_label("Its public address is").check()
    await page.get_by_role("button", name="Save and restart").click()
    await page.get_by_role("dialog").get_by_role("button", name="Save and restart").click()
    await expect(page.get_by_role("heading", name="The service")).to_be_visible(timeout=60_000)
    await expect(page.locator("#settings")).to_contain_text(f"ALLOWED_ORIGINS{url}")
    await page.goto(url)
    await expect(page.locator(".top .logo")).to_have_text("Chess club")
    await expect(page).to_have_title("Chess club: chess for two and for four")


async def test_what_the_server_refuses_is_said(governed: ServerProcess, visit: Visit) -> None:
    async with Connection(governed.url, name="Ada") as ada:
        await ada.register("Ada")
        await ada.become_admin(governed.admin_code())
        page = await visit("about:blank")
        await page.add_init_script(f"localStorage['fourfold.token'] = {ada.token!r}")
        await page.goto(f"{governed.url}/admin")
        await acts(page, "Mute: Ada", "Mute", Why="a mistake")
        await expect(page.locator("#admin-trouble")).to_have_text("You can't do this to yourself.")


async def test_a_guest_is_told_who_may_see_it(governed: ServerProcess, visit: Visit) -> None:
    page = await visit(f"{governed.url}/admin")
    await expect(page.get_by_text("Only admins can do this.")).to_be_visible()
    assert await faults(page) == []
