"""Challenges in a real browser: to one, to three, refused, and answered by a bot."""

import asyncio
import os
import secrets
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from playwright.async_api import expect

from fourfold.clients.connection import Connection
from fourfold.clients.errors import RequestError
from fourfold.protocol import from_client as ask
from fourfold.protocol import from_server as told
from fourfold.protocol.from_server import Challenge, Frame
from tests.web.test_access import faults

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow]

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
    await dialog.get_by_label("Your message").fill("in an hour")
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
    await ada.get_by_role("button", name="All, and players you follow").click()
    away = ada.locator(".person-row").filter(has_text="Zed of Web")
    await expect(away).to_contain_text("offline")
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
        await expect(ada.locator("#fault")).to_contain_text("Name a player for each seat")
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


@asynccontextmanager
async def online(server: Any, *, level: int = 1) -> AsyncIterator[str]:
    """A bot of ours is online, of an account of its own: its name."""
    async with Connection(server.url) as owner:
        await owner.register(f"Owner {secrets.randbelow(10**9)}")
        granted = await owner.grant("bot", f"Deep {secrets.randbelow(10**9)}")
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "fourfold.clients", "bot", "--level", str(level), "--url", server.url, "--pace", "0",
        stderr=asyncio.subprocess.PIPE, env=os.environ | {"FOURFOLD_TOKEN": granted.token},
    )  # fmt: skip
    try:
        assert process.stderr is not None
        async with asyncio.timeout(240):
            assert b"is online" in await process.stderr.readline()
        yield granted.name
    finally:
        process.terminate()
        await process.wait()


async def test_bots_are_invited_by_name_to_seats_of_a_table_of_four(server: Any, visit: Visit) -> None:
    async with online(server) as deep, online(server) as blue, Connection(server.url, name="Ada I") as host:
        room = await host.create("survivor")
        await host.join(room, "red")
        page = await visit("about:blank", reduced_motion="reduce")
        await page.context.add_init_script(f"localStorage['fourfold.token'] ??= {host.token!r}")
        await page.goto(f"{server.url}/r/{room}")
        for seat, name in (("blue", deep), ("yellow", blue)):
            await page.get_by_role("button", name=f"Add a computer at {seat}").click()
            await page.get_by_role("button", name="Invite a bot…").click()
            choice = page.get_by_role("button", name=f"Ask {name}")
            await expect(choice).to_contain_text("BOT · free")
            if seat == "blue":
                assert await faults(page) == []
            await choice.click()
            await expect(page.locator(f".card.{seat}")).to_contain_text(name)
        await page.get_by_role("button", name="Add a computer at green").click()
        await page.get_by_role("button", name="Invite a bot…").click()
        await page.get_by_role("button", name="Ask Level 1").click()
        await page.locator(".card.red.to-move").wait_for()
        await page.locator("#move").fill("h2h3")
        await page.locator("#move").press("Enter")
        async with asyncio.timeout(240):
            while True:
                table = await host.request(ask.Watch(room=room))
                assert isinstance(table, told.Room)
                if len(table.moves) >= 4:
                    break
                await asyncio.sleep(0.1)
        assert [seat.name for seat in table.seats[:3]] == ["Ada I", deep, blue]


async def test_an_invitation_is_declined_taken_back_and_too_late(server: Any, visit: Visit) -> None:
    heard: list[Frame] = []
    async with Connection(server.url, name="Deep J", bot=True, heard=heard.append) as bot:
        page = await visit(server.url, name="Ada J", reduced_motion="reduce")
        await page.get_by_role("button", name="Challenge Deep J").wait_for()
        async with Connection(server.url, token=await page.evaluate("localStorage['fourfold.token']")) as host:
            room = await host.create("standard")
        await page.goto(f"{server.url}/r/{room}")

        async def invites(seat: str) -> Challenge:
            known = len(heard)
            await page.get_by_label(f"Computer at {seat}").select_option("A bot…")
            await page.get_by_role("button", name="Ask Deep J").click()
            await expect(page.locator("#slot")).to_contain_text(f"Deep J is asked to sit at {seat.capitalize()}")
            async with asyncio.timeout(240):
                while len(heard) == known:  # noqa: ASYNC110
                    await asyncio.sleep(0.02)
            frame = heard[-1]
            assert isinstance(frame, Challenge) and frame.status == "open" and frame.room == room
            return frame

        await bot.answer((await invites("white")).challenge, False, "later")
        await expect(page.locator("#slot")).to_contain_text("Deep J declined: ask me later.")
        await invites("white")
        await page.get_by_label("Computer at white").select_option("A bot…")
        await page.get_by_role("button", name="Take back: Deep J").click()
        await expect(page.locator("#slot")).to_contain_text("The invitation to Deep J is withdrawn.")
        late = await invites("black")
        async with Connection(server.url, name="Bea J") as bea:
            await bea.join(room, "black")
            await expect(page.locator("#slot")).to_contain_text("The seat is taken.")
            with pytest.raises(RequestError):
                await bot.answer(late.challenge, True)


async def test_a_person_is_asked_to_a_table_and_answers_in_the_lobby(server: Any, visit: Visit) -> None:
    bea = await visit(server.url, name="Bea K")
    page = await visit(server.url, name="Ada K")
    await page.get_by_role("button", name="Challenge Bea K").wait_for()
    async with Connection(server.url, token=await page.evaluate("localStorage['fourfold.token']")) as host:
        room = await host.create("ffa")
    await page.goto(f"{server.url}/r/{room}")
    await page.get_by_label("Computer at green").select_option("A bot…")
    await page.get_by_label("Name of a player").fill("Bea K")
    await page.get_by_role("button", name="Ask", exact=True).click()
    await expect(bea.locator("#challenges")).to_contain_text("The host challenges you")
    await expect(bea.locator("#challenges")).to_contain_text("green at an open table")
    await bea.get_by_role("button", name="Accept").click()
    await bea.wait_for_url(f"**/r/{room}")
    await expect(page.locator(".card.green")).to_contain_text("Bea K")
