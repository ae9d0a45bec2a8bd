"""A variant that is added to the engine is in the pages by itself: the lobby, the table, the editor. Those of
tests/engine that show how to add one are played here, on a server that knows them."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import IO, Any

import pytest

from fourfold.clients.connection import Connection
from fourfold.clients.games.remote import RemoteVenue
from fourfold.clients.terminal.fullscreen.app import FourfoldApp
from fourfold.clients.terminal.fullscreen.room import RoomScreen
from fourfold.engine import VARIANTS
from fourfold.protocol import from_client as ask
from fourfold.protocol import from_server as told
from tests.clients.terminal.fullscreen.driving import Driver
from tests.engine.large_board import LARGE
from tests.engine.own_array import CAVALRY
from tests.games.conftest import ROOT, ServerProcess, running
from tests.web.test_play import click, drag, opened, sit, stands, turn_of, written

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow]

Visit = Callable[..., Awaitable[Any]]

OWN = (CAVALRY, LARGE)
_REGISTERED = """
from fourfold.engine import VARIANTS
from tests.engine.large_board import LARGE
from tests.engine.own_array import CAVALRY

VARIANTS.update({rules.name: rules for rules in (CAVALRY, LARGE)})
"""


def new_interpreter(*arguments: str, cwd: Path, stderr: IO[str], begin: None) -> subprocess.Popen[str]:
    """A server that is not forked: Python has read our module. So it has the limits of production."""
    command = [sys.executable, "-m", "fourfold.server", *arguments]
    return subprocess.Popen(command, cwd=cwd, stdout=subprocess.PIPE, stderr=stderr, text=True)


@pytest.fixture(scope="module")
def own_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server whose processes know our variants: Python reads the module before everything else."""
    folder: Path = tmp_path_factory.mktemp("variants")
    (folder / "sitecustomize.py").write_text(_REGISTERED)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", f"{folder}:{ROOT}")
        patch.setattr("tests.games.conftest.ForkedServer", new_interpreter)
        with running(bots=1) as server:
            yield server


@asynccontextmanager
async def others(url: str, room: str, *seats: str) -> AsyncIterator[list[Connection]]:
    """Programs at these seats."""
    async with AsyncExitStack() as stack:
        there = [await stack.enter_async_context(Connection(url, name=seat.capitalize())) for seat in seats]
        for connection, seat in zip(there, seats, strict=True):
            await connection.join(room, seat)
        yield there


async def moves(connection: Connection, room: str, move: str) -> None:
    """Move as soon as it is the player's turn."""
    async for frame in connection.follow(room):
        if isinstance(frame, told.Turn):
            await connection.move(room, move, frame.seq)
            break


async def test_a_game_on_the_board_of_16x16(own_server: ServerProcess, visit: Visit) -> None:
    room, url = await opened(own_server, "large")
    page = await visit(url, name="Ada")
    await sit(page, "red")
    async with others(own_server.url, room, "blue", "yellow", "green") as there:
        await turn_of(page, "red")
        assert await page.locator("#board [data-square]").count() == 192
        places = await page.evaluate(
            "[...document.querySelectorAll('.card')].map((card) => [card.classList[1], card.dataset.at])"
        )
        assert dict(places) == {"red": "bottom", "blue": "left", "yellow": "top", "green": "right"}
        await drag(page, "i2", "i4")
        for connection, move in zip(there, ("b8d8", "h15h13", "o9m9"), strict=True):
            await moves(connection, room, move)
        await stands(page, "m9", "green pawn")
        await written(page, "i2-i4", "b8-d8", "h15-h13", "o9-m9")
        await click(page, "j1", "h3")
        await stands(page, "j1", "empty")
        for connection in there:
            await connection.resign(room)
        await page.get_by_role("heading", name="You won").wait_for()
        # Replayed, move by move.
        await page.locator("#first").click()
        await stands(page, "i2", "red pawn")
        await page.locator("#forth").click()
        await stands(page, "i4", "red pawn")


async def test_a_game_of_three(own_server: ServerProcess, visit: Visit) -> None:
    room, url = await opened(own_server, "threeplayers", clock=ask.Clock(base=300_000))
    page = await visit(url, name="Cy")
    await sit(page, "yellow")
    async with others(own_server.url, room, "red", "blue") as (red, blue):
        await turn_of(page, "red")
        assert await page.locator(".card").count() == 3
        assert await page.locator('.card.yellow[data-at="bottom"]').count() == 1
        assert await page.locator('.card.red[data-at="top"]').count() == 1
        await moves(red, room, "h2h4")
        await moves(blue, room, "b7d7")
        await click(page, "g13", "g11")
        await written(page, "h2-h4", "b7-d7", "g13-g11")
        await red.resign(room)
        await page.locator(".card.red.out").wait_for()
        await moves(blue, room, "b10c10")
        await drag(page, "h13", "h12")
        await blue.resign(room)
        await page.get_by_role("heading", name="You won").wait_for()
        assert await page.locator(".standings li").count() == 3


async def test_the_lobby_has_them(own_server: ServerProcess, visit: Visit) -> None:
    """Tiles, the dialog of a new table, and its editor, whose board and usual start are the variant's."""
    page = await visit(own_server.url, name="Ada")
    for rules in OWN:
        await page.get_by_label(f"Play {rules.title} now, {len(rules.seats)} players").wait_for()
    await page.locator("#open-create").click()
    await page.get_by_role("radio", name="Large board").check()
    assert await page.locator("#seats select").count() == 4
    await page.get_by_role("radio", name="Three players").check()
    assert await page.locator("#seats select").count() == 3
    await page.get_by_role("radio", name="Large board").check()
    await page.locator(".more-options summary").click()
    await page.locator("#edit").click()
    editor = page.locator("#editor")
    await editor.get_by_text("A game can begin from here.").wait_for()
    assert await editor.locator("[data-square]").count() == 192
    assert (await editor.locator("#editor-text").input_value()) == LARGE.starts[0][1]
    await editor.get_by_role("button", name="red queen").click()
    await editor.locator("[data-square=h8]").click()
    await editor.get_by_text("A game can begin from here.").wait_for()
    assert "/bK,bP,5,rQ,6,gP,gQ/" in await editor.locator("#editor-text").input_value()


async def test_computers_play_them(own_server: ServerProcess, visit: Visit) -> None:
    """Against a computer at each other seat, from the editor's position to the end."""
    async with Connection(own_server.url, name="Ada") as ada:
        room = (await ada.request(ask.Create(variant="threeplayers"))).room  # type: ignore[attr-defined]
        for seat, level in (("blue", 1), ("yellow", 2)):
            await ada.request(ask.Bot(room=room, seat=seat, level=level))
        page = await visit(f"{own_server.url}/r/{room}", name="Ada")
        await sit(page, "red")
        await turn_of(page, "red")
        await click(page, "h2", "h4")
        await stands(page, "h4", "red pawn")
        # It is there at once; the turn is red's again when all three have moved.
        await page.wait_for_function("() => document.querySelectorAll('.ply:not(:empty)').length >= 3")
        await turn_of(page, "red")
        await page.get_by_role("button", name="Resign").click()
        await page.get_by_role("button", name="Resign", exact=True).last.click()
        await page.locator(".card.red.out").wait_for()


async def test_in_the_terminal(own_server: ServerProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    for rules in OWN:
        monkeypatch.setitem(VARIANTS, rules.name, rules)
    async with RemoteVenue(own_server.url, "Ann") as venue:
        app = FourfoldApp(venue, ("create large",))
        async with app.run_test(size=(120, 50)) as pilot:
            at = Driver(app, pilot)
            await at.at(RoomScreen)
            assert app.desk.game is not None
            room = app.desk.game.table.room
            async with others(own_server.url, room, "blue", "yellow", "green") as there:
                await at.until(lambda: app.desk.game is not None and app.desk.game.mover == "red")
                await at.click("i2", "i4")
                await at.moved(1)
                for connection, move in zip(there, ("b8d8", "h15h13", "o9m9"), strict=True):
                    await moves(connection, room, move)
                await at.moved(4)
                await at.type("j1h3")
                await at.moved(5)
                for connection in there:
                    await connection.resign(room)
                await at.until(lambda: "wins" in str(at.screen.query_one("#result").render()))
                assert app.desk.game.table.result is not None and app.desk.game.table.result.winners == ["red"]
