"""Puzzles: made by a review of a real game, solved on the board, by keyboard, and in the terminal."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from fourfold.clients.connection import Connection
from fourfold.clients.games.remote import RemoteVenue
from fourfold.protocol import from_client as ask
from fourfold.protocol import from_server as told
from tests.faults.process import until
from tests.games.conftest import ServerProcess, running
from tests.games.test_challenges import Keyboard
from tests.web.conftest import ARCHIVING, version
from tests.web.test_access import faults

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow]

Visit = Callable[..., Awaitable[Any]]

MISSED = ["f2f3", "e7e5", "g2g4", "a7a6", "a2a3"]
"""Black has missed the mate, and mates now."""


async def reviewed(player: Connection, room: str) -> told.Reviewed:
    found = await player.review(room)
    while found.summary is None:
        found = await player.review(room)
    return found


async def game(white: Connection, black: Connection) -> str:
    created = await white.request(ask.Create(moves=MISSED))
    assert isinstance(created, told.Created)
    for player in (white, black):
        await player.join(created.room)
    await black.move(created.room, "d8h4", await version(white.url, created.room))
    return created.room


@pytest.fixture(scope="module")
def server() -> Any:
    with running(None, 1, *ARCHIVING) as server:
        yield server


@pytest.mark.parametrize("size", [(1280, 800), (360, 740)], ids=str)
async def test_a_puzzle_is_solved_on_the_board(server: ServerProcess, visit: Visit, size: tuple[int, int]) -> None:
    async with Connection(server.url, name="Ann") as ann, Connection(server.url, name="Bob") as bob:
        room = await game(ann, bob)
        assert (await reviewed(bob, room)).puzzles == 1
        page = await visit(f"{server.url}/r/{room}#4", viewport={"width": size[0], "height": size[1]})
        await page.get_by_role("link", name="Solve the puzzle of this game").click()
        await page.get_by_role("heading", name="Black to move. Mate with one move.").wait_for()
        await page.wait_for_function("() => document.getElementById('spoken').textContent.startsWith('Puzzle 1 of 1.')")

        async def press(square: str) -> None:
            box = await page.locator(f"[role=gridcell][data-square={square}]").bounding_box()
            await page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

        await press("a7")
        await press("a6")
        await page.locator(".verdict.wrong", has_text="That is not it").wait_for()
        await page.locator("[role=gridcell][data-square=a7][aria-label*=pawn]").wait_for()
        await press("d8")
        await press("h4")
        await page.locator(".verdict", has_text="Solved: Qh4#").wait_for()
        assert "1 puzzle solved" in await page.locator("#task").inner_text()
        assert await page.locator("#spoken").inner_text() == "Solved: Qh4#"
        assert await faults(page) == []
        await page.get_by_role("button", name="Again").click()
        await page.get_by_role("button", name="Show the solution").click()
        await page.locator(".verdict", has_text="The solution: Qh4#").wait_for()


async def test_by_keyboard_and_by_typing(server: ServerProcess, visit: Visit) -> None:
    async with Connection(server.url, name="Ann") as ann, Connection(server.url, name="Bob") as bob:
        room = await game(ann, bob)
        await reviewed(bob, room)
        page = await visit(f"{server.url}/puzzles#{room}")
        await page.get_by_label("Move").fill("Qa1")
        await page.get_by_role("button", name="Play").click()
        await page.locator(".verdict.wrong", has_text="not possible").wait_for()
        await page.locator(".skip").focus()
        await page.keyboard.press("Enter")
        assert await page.evaluate("document.activeElement.dataset.square") == "e1"
        assert page.url.endswith(f"#{room}"), "the puzzle is still this one"
        await page.locator("[role=gridcell][data-square=d8]").focus()
        await page.keyboard.press("Enter")
        await page.locator("[role=gridcell][data-square=h4]").focus()
        await page.keyboard.press("Enter")
        await page.locator(".verdict", has_text="Solved: Qh4#").wait_for()


async def test_ones_own_games_and_none(server: ServerProcess, visit: Visit) -> None:
    async with Connection(server.url, name="Ann") as ann, Connection(server.url, name="Bob") as bob:
        page = await visit(f"{server.url}/puzzles")
        await page.get_by_role("heading", name="No puzzles yet").wait_for()
        room = await game(ann, bob)
        await reviewed(bob, room)

        async def kept() -> bool:
            await bob.review(room)
            return bool((await bob.puzzles()).puzzles)

        await until(kept, 240, 0.1)
        assert bob.token is not None
        await page.evaluate("(token) => localStorage.setItem('fourfold.token', token)", bob.token)
        await page.reload()
        await page.get_by_text("where you missed it").wait_for()


async def test_in_the_terminal(server: ServerProcess) -> None:
    async with (
        Connection(server.url, name="Ann") as ann, Connection(server.url, name="Bob") as bob,
        RemoteVenue(server.url, name="Cy") as venue,
    ):  # fmt: skip
        room = await game(ann, bob)
        await reviewed(bob, room)
        keyboard = Keyboard(venue)
        async with keyboard.desk:
            await keyboard.types(f"watch {room}")
            for line, answer in (
                ("puzzle", "Black to move. Mate with one move. (1 puzzle left)"),
                ("a5", "Wrong. Try again."),
                ("a6a4", "othing to move"),
                ("show", "The solution: Qh4#"),
                ("puzzle", "Black to move."),
                ("Qh4", "Solved: Qh4#"),
            ):
                keyboard.lines.clear()
                await keyboard.types(line)
                await keyboard.hears(answer)
