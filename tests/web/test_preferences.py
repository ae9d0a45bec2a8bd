"""The preferences of board, pieces and sounds: seen at once, kept on the device or with the account, used at tables."""

import re
import secrets
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.async_api import expect

from fourfold.clients.connection import Connection
from fourfold.protocol import from_client as ask
from tests.web.pictures import SIZES

pytestmark = pytest.mark.asyncio(loop_scope="session")

Visit = Callable[..., Awaitable[Any]]

STYLE: Final = Path(__file__).parents[2] / "clients" / "web" / "static" / "board" / "chosen.css"
THEMES: Final = ("walnut", "sea", "moss", "dusk", "clear")
SETS: Final = ("staunton", "blocks", "coins", "letters")

LEGIBLE: Final = {"#1d2a22": 5.4, "#2c2a25": 5.4, "#4a2a96": 3.8, "#4a473f": 3.6, "#960b02": 3.4, "#3a3500": 4.5}
"""The least contrast of ink, violet, grey pieces, check and the palest rim with dark squares, as usual boards have."""


def luminance(colour: str) -> float:
    """The relative luminance of a colour, as WCAG defines it."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """The contrast of two colours."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


async def test_all_themes_keep_the_contrast_of_marks_and_pieces() -> None:
    found = re.findall(r'\[data-board="(\w+)"\] \{ --lights: light-dark\((.*?)\); --darks: light-dark\((.*?)\); \}',
                       STYLE.read_text())  # fmt: skip
    assert tuple(name for name, *_ in found) == THEMES
    for name, lights, darks in found:
        for light, dark in zip(lights.split(", "), darks.split(", "), strict=True):
            assert contrast(light, dark) >= 1.6, name
            assert [ink for ink, least in LEGIBLE.items() if contrast(ink, dark) < least] == [], (name, dark)


async def square(page: Any) -> str:
    """The colour of a dark square."""
    shown: str = await page.locator("#board .squares .dark").first.evaluate("square => getComputedStyle(square).fill")
    return shown


async def test_a_guest_s_choices_are_seen_at_once_and_kept_on_the_device(server: Any, visit: Visit) -> None:
    page = await visit(f"{server.url}/preferences", color_scheme="light", reduced_motion="reduce")
    await page.locator("#board .piece").nth(63).wait_for()
    before = await square(page)
    await page.get_by_label("Walnut").check()
    assert await square(page) == "rgb(207, 168, 120)" != before
    for name in SETS[1:]:
        await page.locator(f"[name=pieces][value={name}]").check()
        await page.locator("#piece-K > *").first.wait_for(state="attached")
        assert await page.locator("#board .piece").count() == 64
    assert await page.locator("#piece-N").text_content() == "N"
    await page.get_by_label("Beside the board").check()
    await page.locator(".labels .outside").nth(15).wait_for()
    await page.get_by_label("Hidden").check()
    await expect(page.locator(".labels")).to_be_hidden()
    await page.locator("[name=animation][value=slow]").check()
    await page.locator("[name=sounds][value=wood]").check()
    await page.get_by_text("Kept on this device").wait_for()
    for width, height in SIZES:
        await page.set_viewport_size({"width": width, "height": height})
        assert await page.evaluate("document.documentElement.scrollWidth") <= width, (width, height)
    await page.reload()
    await page.locator("[name=board][value=walnut]:checked").wait_for(state="attached")
    await page.locator("[name=pieces][value=letters]:checked").wait_for(state="attached")
    assert await square(page) == "rgb(207, 168, 120)"
    async with Connection(server.url, name="Host") as host:
        await page.goto(f"{server.url}/r/{await host.create('standard')}")
        await page.locator("#board .piece").nth(31).wait_for()
        assert await square(page) == "rgb(207, 168, 120)"
        await page.locator("#piece-K .letter").wait_for(state="attached")


async def test_an_account_has_them_on_all_devices(server: Any, visit: Visit) -> None:
    async with Connection(server.url, name="Ann") as ann:
        await ann.register(f"Ann {secrets.token_hex(2)}", "Test")
        phone, laptop = await visit("about:blank"), await visit("about:blank")
        for page in (phone, laptop):
            await page.add_init_script(f"localStorage['fourfold.token'] = {ann.token!r}")
        await phone.goto(f"{server.url}/preferences")
        await phone.get_by_text("Kept with your account").wait_for()
        await phone.get_by_label("Moss").check()
        while (await ann.preferences()).board != "moss":
            await ann.ping()
        await laptop.goto(f"{server.url}/r/{await ann.create('standard')}")
        await laptop.locator("html[data-board=moss]").wait_for()


async def test_a_move_waits_for_its_player_s_word(server: Any, visit: Visit) -> None:
    async with Connection(server.url, name="Bo") as bo:
        page = await visit("about:blank")
        await page.add_init_script("localStorage['fourfold.confirmation'] = 'on'")
        room = await bo.create("standard")
        await bo.join(room, "black")
        await page.goto(f"{server.url}/r/{room}")
        await page.get_by_label("Sit here, at white").click()
        await page.locator(".card.white.to-move").wait_for()

        async def moves(start: str, end: str) -> None:
            for name in (start, end):
                box = await page.locator(f"[role=gridcell][data-square={name}]").bounding_box()
                await page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

        await moves("e2", "e4")
        asked = page.get_by_role("dialog", name="Play this move?")
        await asked.get_by_role("button", name="Cancel").click()
        await page.locator("[data-square=e2][aria-label*='white pawn']").wait_for()
        await moves("d2", "d4")
        await page.locator("[data-square=d4][aria-label*='white pawn']").wait_for()
        snapshot: Any = await bo.request(ask.Watch(room=room, preview=True))
        assert snapshot.moves == [], "it has not been sent"
        await expect(asked.get_by_role("button", name="Play")).to_be_focused()
        await page.keyboard.press("Enter")
        await page.locator(".card.black.to-move").wait_for()
        await expect(asked).to_have_count(0)
