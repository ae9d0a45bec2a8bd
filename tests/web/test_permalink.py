"""The address of a page names the displayed move."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from fourfold.clients.connection import Connection
from fourfold.protocol import from_client as ask
from fourfold.protocol import from_server as told
from tests.games.conftest import ServerProcess

pytestmark = pytest.mark.asyncio(loop_scope="session")

Visit = Callable[..., Awaitable[Any]]


async def test_an_address_names_a_move(server: ServerProcess, visit: Visit) -> None:
    moves = ["e2e4", "e7e5", "g1f3", "b8c6"]
    async with Connection(server.url, name="Ann") as ann, Connection(server.url, name="Bob") as bob:
        created = await ann.request(ask.Create(moves=moves, password="open sesame"))
        assert isinstance(created, told.Created)
        for player in (ann, bob):
            await player.join(created.room, password="open sesame")
        page = await visit(f"{server.url}/r/{created.room}#2&password=open%20sesame")
        current = page.locator("#moves [aria-current]")
        await page.locator("#moves [aria-current]", has_text="e5").wait_for()
        await page.locator("#back").click()
        await page.wait_for_function("() => location.hash.startsWith('#1&')")
        assert await page.evaluate("location.hash") == "#1&password=open+sesame"
        await page.locator("#live").click()
        await page.wait_for_function("() => location.hash === '#password=open+sesame'")
        await page.evaluate("location.hash = '#3'")
        await page.locator("#moves [aria-current]", has_text="Nf3").wait_for()
        assert await current.count() == 1
        await page.locator("#more").click()
        await page.get_by_role("button", name="Copy the link to this position").wait_for()
