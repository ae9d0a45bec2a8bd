"""Self-partner in the browser: one person moves two opposite armies."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from fourfold.clients.connection import Connection
from fourfold.protocol import from_client as ask
from fourfold.protocol import from_server as told
from tests.web.test_own_variants import moves
from tests.web.test_play import click, drag, sit, stands, turn_of, written

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow]

Visit = Callable[..., Awaitable[Any]]


async def test_a_person_plays_two_armies(server: Any, visit: Visit) -> None:
    async with Connection(server.url, name="Bob") as bob:
        room = await bob.create("selfpartner", clock=ask.Clock(base=600_000))
        page = await visit(f"{server.url}/r/{room}", name="Ann")
        slot = page.locator("#slot")
        await page.get_by_text("Both seats are open").wait_for()
        await sit(page, "yellow")
        await page.get_by_text("Waiting for 1 player").wait_for()
        await bob.join(room)
        await turn_of(page, "red")
        assert await page.locator(".card.yours").count() == 2
        places = await page.evaluate(
            "[...document.querySelectorAll('.card')].map((card) => [card.classList[1], card.dataset.at])"
        )
        at_first = {"red": "bottom", "blue": "left", "yellow": "top", "green": "right"}
        assert dict(places) == at_first

        # Red, then yellow, whose turn comes after Bob's.
        await drag(page, "h2", "h4")
        await slot.get_by_text("You are next.").wait_for()
        await moves(bob, room, "b7d7")
        await turn_of(page, "yellow")
        await slot.get_by_text("Your turn").wait_for()
        await click(page, "g13", "g11")
        await written(page, "h2-h4", "b7-d7", "g13-g11")
        places = await page.evaluate(
            "[...document.querySelectorAll('.card')].map((card) => [card.classList[1], card.dataset.at])"
        )
        assert dict(places) == at_first, "the board stays"

        # A move ahead, for the army that moves next.
        await click(page, "i2", "i4")
        await moves(bob, room, "m8k8")
        await stands(page, "i4", "red pawn")
        await written(page, "h2-h4", "b7-d7", "g13-g11", "m8-k8", "i2-i4")

        # One vote, whichever army is to move.
        await moves(bob, room, "b4d4")
        await turn_of(page, "yellow")
        await page.get_by_role("button", name="Draw").click()
        await page.get_by_role("button", name="Withdraw").wait_for()
        await page.get_by_role("button", name="Withdraw").click()
        await page.get_by_role("heading", name="You took the proposal back").wait_for()
        table = await bob.request(ask.Watch(room=room))
        assert isinstance(table, told.Room)
        await bob.propose(room, "undo", table.seq, 2)
        await page.get_by_role("button", name="Agree").click()
        await stands(page, "i4", "empty")
        await turn_of(page, "red")
        await page.get_by_role("button", name="Undo…").click()
        await page.get_by_text("Take back 2 moves, to my last turn").wait_for()
        await page.keyboard.press("Escape")
        await bob.resign(room)
        await page.get_by_role("heading", name="You won").wait_for()


async def test_a_table_from_the_lobby_has_two_players(server: Any, visit: Visit) -> None:
    page = await visit(server.url, name="Ann")
    await page.get_by_label("Play Self-partner now, 2 players").wait_for()
    await page.locator("#open-create").click()
    await page.get_by_role("radio", name="Self-partner").check()
    seats = page.locator("#seats select")
    assert await seats.evaluate_all("seats => seats.map((seat) => seat.dataset.seat)") == ["red", "blue"]
    await seats.nth(1).select_option("1")
    await page.get_by_role("button", name="Open the table").click()
    await turn_of(page, "red")
    await page.get_by_text("· casual").wait_for()
    await click(page, "h2", "h4")
    await turn_of(page, "yellow")
    await click(page, "g13", "g11")
    await turn_of(page, "red")
    names = await page.locator(".card .name").all_inner_texts()
    assert sorted(names) == ["Ann", "Ann", "Level 1", "Level 1"]


async def test_an_open_table_waits_for_one_more(server: Any, visit: Visit) -> None:
    async with Connection(server.url, name="Bob") as bob:
        room = await bob.create("selfpartner", clock=ask.Clock(base=600_000))
        await bob.join(room, "green")
        page = await visit(server.url, name="Ann")
        row = page.locator(".open-row", has_text="Self-partner")
        await row.get_by_text("Bob", exact=True).wait_for()
        await row.get_by_role("button", name="Sit at red").click()
        await turn_of(page, "red")
        await bob.resign(room)
        await page.get_by_role("heading", name="You won").wait_for()
