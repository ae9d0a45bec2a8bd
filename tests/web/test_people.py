"""Challenges in a real browser: to one, to three, refused, and answered by a bot."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from playwright.async_api import expect

from fourfold.clients.connection import Connection
from fourfold.protocol.from_server import Challenge, Frame
from tests.web.test_access import faults

pytestmark = pytest.mark.asyncio(loop_scope="session")

Visit = Callable[..., Awaitable[Any]]


async def test_somebody_online_is_challenged_and_both_are_at_the_table(server: Any, visit: Visit) -> None:
    ada, bea = await visit(server.url, name="Ada P", reduced_motion="reduce"), await visit(server.url, name="Bea P")
    await ada.get_by_role("button", name="Challenge Bea P").click()
    await expect(ada.get_by_role("heading", name="Challenge Bea P")).to_be_visible()
    await ada.get_by_role("button", name="Send the challenge").click()
    asked = bea.locator("#challenges")
    await expect(asked).to_contain_text("Ada P challenges you")
    await expect(asked).to_contain_text("Chess, 10 min + 5 s each move")
    await expect(ada.locator("#challenges")).to_contain_text("You challenge Bea P")
    assert await faults(ada) == []
    await asked.get_by_role("button", name="Accept").click()
    for page in (ada, bea):
        await page.wait_for_url("**/r/*")
        await page.locator(".card.white.to-move").wait_for()
    assert ada.url == bea.url


async def test_a_challenge_is_declined_with_a_word(server: Any, visit: Visit) -> None:
    ada, bea = await visit(server.url, name="Ada Q"), await visit(server.url, name="Bea Q", reduced_motion="reduce")
    await ada.get_by_role("button", name="Challenge Bea Q").click()
    await ada.get_by_role("button", name="Send the challenge").click()
    await bea.get_by_role("button", name="Decline").click()
    dialog = bea.get_by_role("dialog", name="Decline the challenge")
    assert await faults(bea) == []
    await dialog.get_by_label("Why").select_option("Ask me later")
    await dialog.get_by_label("A word of yours").fill("in an hour")
    await dialog.get_by_role("button", name="Decline").click()
    await expect(ada.locator("#challenges")).to_contain_text("Bea Q declined: ask me later. “in an hour”")
    await ada.locator("#challenges").get_by_role("button", name="Close").click()
    await expect(ada.locator("#challenges")).to_be_hidden()


async def test_a_player_is_followed_and_comes_first(server: Any, visit: Visit) -> None:
    async with Connection(server.url, name="Zed") as zed, Connection(server.url, name="Abe S"):
        await zed.register("Zed of Web")
        ada = await visit(f"{server.url}/#you", name="Ada S", reduced_motion="reduce")
        await ada.locator("#account-name").fill("Ada S of Web")
        await ada.get_by_role("button", name="With a recovery code").click()
        await ada.locator(".code output").wait_for()
        await ada.goto(server.url)
        star = ada.get_by_role("button", name="Follow Zed of Web")
        await expect(star).to_have_attribute("aria-pressed", "false")
        await expect(ada.get_by_role("button", name="Follow Abe S")).to_have_count(0)
        await star.click()
        await expect(star).to_have_attribute("aria-pressed", "true")
        await expect(ada.locator(".person-row").first).to_contain_text("Zed of Web")
        assert await faults(ada) == []
        await ada.reload()
        await expect(star).to_have_attribute("aria-pressed", "true")
    await ada.reload()
    await ada.get_by_role("button", name="All, and whom you follow").click()
    away = ada.locator(".person-row").filter(has_text="Zed of Web")
    await expect(away).to_contain_text("not here")
    await away.get_by_role("button", name="Follow Zed of Web").click()
    await expect(ada.get_by_text("Zed of Web")).to_have_count(0)


async def test_a_table_of_four_with_named_seats(server: Any, visit: Visit) -> None:
    told: list[Frame] = []
    async with Connection(server.url, name="Deep R", bot=True, heard=told.append) as bot:
        ada, bea = await visit(server.url, name="Ada R"), await visit(server.url, name="Bea R")
        await ada.get_by_role("button", name="Challenge Bea R").wait_for()
        await ada.get_by_role("button", name="Challenge Deep R").wait_for()
        await ada.get_by_role("button", name="Create a table").click()
        await ada.locator("[name=variant][value=ffa]").check()
        await ada.get_by_label("Blue", exact=True).select_option(label="Bea R")
        await ada.get_by_label("Yellow", exact=True).select_option(label="Deep R")
        await ada.get_by_role("button", name="Send the challenge").click()
        await expect(ada.locator("#fault")).to_contain_text("Name who is to sit at each seat")
        await ada.get_by_label("Green", exact=True).select_option("2")
        await ada.get_by_role("button", name="Send the challenge").click()
        await bea.get_by_role("button", name="Accept").click()
        await expect(bea.locator("#challenges")).to_contain_text("Waiting for the others")
        await expect(ada.locator("#challenges")).to_contain_text("Yes from Bea R")
        asked = next(frame for frame in told if isinstance(frame, Challenge))
        answered = await bot.answer(asked.challenge, True)
        assert answered.room is not None
        await ada.wait_for_url(f"**/r/{answered.room}")
        await expect(bea.locator("#table")).to_contain_text("Ada R")
        await ada.locator(".card.red.to-move").wait_for()
