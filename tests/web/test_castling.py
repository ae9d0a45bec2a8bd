"""Castling by hand: the king is put on its rook or two squares towards it, in standard chess as in Chess960."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from fourfold.clients.connection import Connection
from tests.web.test_play import click, drag, opened, sit, stands, turn_of, written

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow]

Visit = Callable[..., Awaitable[Any]]
CLOSE = "rk4r1/1p1p2p1/8/8/8/8/1P1P2P1/1RK3R1 w KQkq - 0 1"


async def test_in_chess960(server: Any, visit: Visit) -> None:
    """White's rook stands beside the king; Black chooses ahead to castle with the other."""
    _, url = await opened(server, "chess960", position=CLOSE)
    white, black = await visit(url, name="Ada"), await visit(url, name="Bo")
    await sit(white, "white")
    await sit(black, "black")
    await turn_of(black, "white")
    await drag(black, "b8", "g8")
    assert await black.locator(".marks .premove").count() == 2
    await click(white, "c1", "b1")
    await stands(white, "c1", "white king")
    await stands(white, "d1", "white rook")
    await written(white, "O-O-O", "O-O")
    await stands(black, "g8", "black king")
    await stands(black, "f8", "black rook")
    # The game is replayed move by move.
    await white.locator("#first").click()
    await stands(white, "b1", "white rook")
    await white.locator("#forth").click()
    await stands(white, "d1", "white rook")


@pytest.mark.parametrize(("variant", "target"), [("chess960", "e1"), ("standard", "h1"), ("standard", "a1")])
async def test_two_squares_or_onto_the_rook(server: Any, visit: Visit, variant: str, target: str) -> None:
    position = "4k3/8/8/8/8/8/8/1RK3R1 w KQ - 0 1" if variant == "chess960" else "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"
    room, url = await opened(server, variant, position=position)
    async with Connection(server.url, name="Bo") as bo:
        page = await visit(url, name="Ada")
        await sit(page, "white")
        await bo.join(room, "black")
        await turn_of(page, "white")
        await drag(page, "c1" if variant == "chess960" else "e1", target)
        await turn_of(page, "black")
        await stands(page, "c1" if target == "a1" else "g1", "white king")
        await stands(page, "d1" if target == "a1" else "f1", "white rook")


async def test_the_editor_of_chess960(server: Any, visit: Visit) -> None:
    """Rights are set for whichever rooks stand beside the king; a table begins from there."""
    page = await visit(server.url, name="Ada")
    await page.locator("#open-create").click()
    await page.get_by_role("radio", name="Chess960").check()
    await page.locator(".more-options summary").click()
    await page.locator("#edit").click()
    editor = page.locator("#editor")
    text = editor.locator("#editor-text")
    await text.fill("4k3/8/8/8/8/8/8/1RK3R1 w GB - 0 1")
    await text.press("Tab")
    await editor.get_by_text("A game can begin from here.").wait_for()
    for side in ("long", "short"):
        assert await editor.get_by_label(f"White {side}").is_checked()
    await editor.get_by_label("White long").uncheck()
    await editor.get_by_text("A game can begin from here.").wait_for()
    assert await text.input_value() == "4k3/8/8/8/8/8/8/1RK3R1 w K - 0 1"
    await editor.get_by_role("button", name="Open a table").click()
    await page.wait_for_url("**/r/*")
    await stands(page, "g1", "white rook")
