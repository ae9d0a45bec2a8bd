"""Crazyhouse in the browser: pieces in hand, and drops."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from tests.web.test_own_variants import moves, others
from tests.web.test_play import click, opened, sit, stands, turn_of, written

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow]

Visit = Callable[..., Awaitable[Any]]


async def test_a_captured_piece_is_dropped(server: Any, visit: Visit) -> None:
    room, url = await opened(server, "crazyhouse")
    page = await visit(url, name="Ada")
    await sit(page, "white")
    async with others(server.url, room, "black") as (black,):
        await turn_of(page, "white")
        await click(page, "e2", "e4")
        await moves(black, room, "d7d5")
        await turn_of(page, "white")
        await click(page, "e4", "d5")
        await page.locator('.card.white .held[data-kind="P"]').wait_for()
        await moves(black, room, "d8d5")
        await turn_of(page, "white")
        await page.locator('.card.black .held[data-kind="P"]').wait_for()
        await page.locator('.card.white .held[data-kind="P"]').click()
        await page.locator("#board .dot").first.wait_for()
        await page.locator('[data-square="e4"]').click()
        await stands(page, "e4", "white pawn")
        await written(page, "e4", "d5", "exd5", "Qxd5", "P@e4")
        assert await page.locator(".card.white .held").count() == 0
        # Looked at again, move by move, and after a reload.
        await page.locator("#back").click()
        await page.locator('.card.white .held[data-kind="P"]').wait_for()
        await page.reload()
        await page.locator('.card.black .held[data-kind="P"]').wait_for()
        await stands(page, "e4", "white pawn")


async def test_a_drop_is_chosen_before_the_turn(server: Any, visit: Visit) -> None:
    room, url = await opened(server, "crazyhouse")
    page = await visit(url, name="Ada")
    await sit(page, "white")
    async with others(server.url, room, "black") as (black,):
        await turn_of(page, "white")
        await click(page, "e2", "e4")
        await moves(black, room, "d7d5")
        await turn_of(page, "white")
        await click(page, "e4", "d5")
        held = page.locator('.card.white .held[data-kind="P"]')
        await held.click()
        assert await page.locator("#board .dot.ahead").count() == 33  # the empty squares
        await page.locator('[data-square="e6"]').click()
        await page.locator('[data-square="e6"][aria-label*="premove"]').wait_for()
        await moves(black, room, "d8d5")
        await stands(page, "e6", "white pawn")
        await written(page, "e4", "d5", "exd5", "Qxd5", "P@e6")
        # One whose square is taken meanwhile is not possible.
        await moves(black, room, "d5e6")
        await turn_of(page, "white")


async def test_the_editor_has_hands(server: Any, visit: Visit) -> None:
    page = await visit(server.url, name="Ada")
    await page.locator("#open-create").click()
    await page.get_by_role("radio", name="Crazyhouse").check()
    await page.locator(".more-options summary").click()
    await page.locator("#edit").click()
    editor = page.locator("#editor")
    text = editor.locator("#editor-text")
    await editor.get_by_text("A game can begin from here.").wait_for()
    await editor.get_by_label("Black: knights in hand").fill("2")
    await editor.get_by_label("Black: knights in hand").press("Enter")
    await page.wait_for_function("() => document.querySelector('#editor-text').value.includes('[nn]')")
    await text.fill("4k3/8/8/8/8/8/8/R2Q~K3[Pq] w - - 0 1")
    await text.press("Enter")
    await page.wait_for_function("() => document.querySelector('[aria-label=\"White: pawns in hand\"]').value === '1'")
    # What is in the hands and what was promoted stays when a piece is put on the board.
    await editor.get_by_role("button", name="white bishop").click()
    await editor.locator("[data-square=c4]").click()
    await editor.get_by_text("A game can begin from here.").wait_for()
    assert await text.input_value() == "4k3/8/8/8/2B5/8/8/R2Q~K3[Pq] w - - 0 1"
    await editor.get_by_role("button", name="Empty board").click()
    assert "[]" in await text.input_value()
