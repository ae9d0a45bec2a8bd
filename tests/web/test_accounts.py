"""Accounts in a real browser, with Chromium's virtual authenticator for passkeys."""

import secrets
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.async_api import expect

from fourfold.clients.connection import Connection
from tests.faults.link import Link
from tests.games.conftest import known
from tests.web.conftest import version
from tests.web.test_access import faults

pytestmark = pytest.mark.asyncio(loop_scope="session")

Visit = Callable[..., Awaitable[Any]]


async def authenticator(page: Any) -> tuple[Any, str]:
    """Gives a page an authenticator that agrees to everything; its session with the browser, and its id."""
    devtools = await page.context.new_cdp_session(page)
    await devtools.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    added = await devtools.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    return devtools, added["authenticatorId"]


@pytest.mark.parametrize("closed", [False, True], ids=["the page waits", "the page is closed"])
async def test_an_account_whose_answer_was_lost_is_there_with_its_code(
    server: Any, visit: Visit, closed: bool
) -> None:
    parts = urlsplit(server.url)
    link = await Link(lambda: (str(parts.hostname), int(parts.port or 0))).start()
    name = f"Lost {secrets.token_hex(3)}"
    try:
        page = await visit(f"http://127.0.0.1:{link.port}/#you", name="Ada")
        await page.locator("#account-name").fill(name)
        link.rob("from")
        await page.get_by_role("button", name="With a recovery code").click()
        async with Connection(server.url) as other:
            await known(other, name)
            context = page.context
            if closed:
                await page.close()
            link.heal()
            if closed:
                page = await context.new_page()
                await page.goto(f"http://127.0.0.1:{link.port}/#you")
            await expect(page.get_by_text(f"{name}, since")).to_be_visible()
            code = await page.locator("#you output").inner_text()
            assert (await other.login(code)).token
        await page.reload()
        await expect(page.get_by_text(f"{name}, since")).to_be_visible()
        await expect(page.locator("#you output")).to_have_count(0)
    finally:
        await link.close()


def local(url: str) -> str:
    """The address under which browsers make passkeys: not one of numbers."""
    return url.replace("127.0.0.1", "localhost")


async def test_a_guest_in_mid_game_becomes_an_account_signs_in_elsewhere_and_the_seat_follows(
    server: Any, visit: Visit
) -> None:
    url = local(server.url)
    async with Connection(server.url, name="Bob") as bob:
        room = await bob.create("standard")
        await bob.join(room, "black")
        first = await visit(f"{url}/r/{room}", name="Ada")
        await first.get_by_role("button", name="Sit", exact=True).first.click()
        await first.locator("#move").fill("e2e4")
        await first.keyboard.press("Enter")
        await expect(first.locator("#moves")).to_contain_text("e4")

        account = await first.context.new_page()
        devtools, id = await authenticator(account)
        await account.goto(f"{url}/#you")
        await account.locator("#account-name").fill("Ada of Web")
        await account.get_by_role("button", name="With a passkey").click()
        await expect(account.get_by_text("Ada of Web, since")).to_be_visible()
        await expect(account.get_by_text("this one")).to_be_visible()

        await bob.move(room, "e7e5", await version(server.url, room))
        await first.reload()
        await first.locator("#move").fill("g1f3")
        await first.keyboard.press("Enter")
        await expect(first.locator("#moves")).to_contain_text("Nf3")

        second = await visit(f"{url}/#you")
        devices, other = await authenticator(second)
        for credential in (await devtools.send("WebAuthn.getCredentials", {"authenticatorId": id}))["credentials"]:
            await devices.send("WebAuthn.addCredential", {"authenticatorId": other, "credential": credential})
        await second.get_by_role("button", name="Use a passkey").click()
        await expect(second.get_by_text("Ada of Web, since")).to_be_visible()
        signed = second.locator(".you-row").filter(has_text="on Linux").filter(has_not_text="this one")
        await signed.filter(has_not_text="Passkey").get_by_role("button", name="Sign out").click()
        await expect(signed.filter(has_not_text="Passkey")).to_have_count(0)

        await expect(account.get_by_text("a guest of this browser")).to_be_visible()
        await expect(first.locator("#typed")).to_be_hidden()
        await bob.move(room, "b8c6", await version(server.url, room))
        await second.goto(f"{url}/r/{room}")
        await second.locator("#move").fill("f1b5")
        await second.keyboard.press("Enter")
        await expect(second.locator("#moves")).to_contain_text("Bb5")


@pytest.mark.by_default
async def test_an_account_by_a_recovery_code(server: Any, visit: Visit) -> None:
    page = await visit(f"{local(server.url)}/#you", name="Cy", reduced_motion="reduce")
    await page.locator("#account-name").wait_for()
    assert await faults(page) == []
    await page.get_by_role("button", name="With a recovery code").click()
    code = await page.locator(".code output").inner_text()
    await page.get_by_label("Name").last.fill("Cy of Web")
    await page.get_by_role("button", name="Rename").click()
    await expect(page.locator("#who")).to_contain_text("Cy of Web")
    assert await faults(page) == []
    await page.get_by_label("A new one").fill("Cybot of Web")
    await page.get_by_role("button", name="Make a token").click()
    token = await page.locator(".code", has_text="Your access token").locator("output").inner_text()
    async with Connection(server.url, token=token) as bot:
        assert bot.name == "Cybot of Web"
    await page.get_by_role("button", name="Revoke: Cybot of Web").click()
    await expect(page.get_by_role("button", name="Revoke: Cybot of Web")).to_have_count(0)
    other = await visit(f"{server.url}/#you", name="Phone")  # by its number: without passkeys
    await expect(other.get_by_role("button", name="Use a passkey")).to_have_count(0)
    await other.get_by_label("recovery code", exact=False).fill("wrong")
    await other.get_by_role("button", name="Sign in").click()
    await expect(other.get_by_role("alert").filter(has_text="Unknown recovery code")).to_be_visible()
    await other.get_by_label("recovery code", exact=False).fill(code)
    await other.get_by_role("button", name="Sign in").click()
    await expect(other.get_by_text("Cy of Web, since")).to_be_visible()
