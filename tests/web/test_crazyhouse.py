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
        assert await page.locator('.card.white .held[data-kind="P"]').is_disabled()
        await moves(black, room, "d8d5")
        await turn_of(page, "white")
        await page.locator('.card.black .held[data-kind="P"]').wait_for()
        await page.locator('.card.white .held[data-kind="P"]').click()
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
