"""The result is an event: ratings at once, ways on, and something to share."""

import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from typing import Any

import pytest
import pytest_asyncio

from fourfold.clients.connection import Connection
from fourfold.protocol import from_client as ask
from tests.web.conftest import version

pytestmark = pytest.mark.asyncio(loop_scope="session")

Visit = Callable[..., Awaitable[Any]]
MATE = (("e2e4", "e7e5"), ("d1h5", "b8c6"), ("f1c4", "g8f6"), ("h5f7",))


@pytest_asyncio.fixture(loop_scope="session")
async def players(server: Any) -> AsyncIterator[list[tuple[Connection, str]]]:
    """Two members, each with a token."""
    async with AsyncExitStack() as stack:
        found = []
        for name in ("Ann", "Bob"):
            player = await stack.enter_async_context(Connection(server.url, name=name))
            account: Any = await player.request(ask.Register(name=f"{name} {secrets.token_hex(3)}"))
            found.append((player, account.token))
        yield found


async def played(players: list[tuple[Connection, str]], page: Any, url: str) -> str:
    """A game in which White mates, seen by White in the browser."""
    white, black = (player for player, _ in players)
    room = await white.create("standard", clock=ask.Clock(300_000, 3_000))
    await white.join(room, "white")
    await black.join(room, "black")
    await page.add_init_script(f"localStorage['fourfold.token'] = {players[0][1]!r}")
    await page.goto(f"{url}/r/{room}")
    await page.locator(".card.to-move").wait_for()
    await page.locator("link[href*='/ended.css']").wait_for(state="attached")  # before the end, whose card needs it
    seq = 3
    for moves in MATE:
        for (player, _), move in zip(players, moves, strict=False):
            seq = await player.move(room, move, seq)
    return room


async def test_the_rating_and_its_change_stand_in_the_card(server: Any, visit: Visit, players: Any) -> None:
    page = await visit("about:blank")
    await page.add_init_script("""
      window.naked = false;
      const look = () => {
        const places = document.querySelector('.standings');
        if (places && getComputedStyle(places).listStyleType !== 'none') window.naked = true;
        requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    """)
    await played(players, page, server.url)
    await page.get_by_role("heading", name="You won").wait_for()
    await page.locator(".rating-now", has_text="+").wait_for()
    assert not await page.evaluate("window.naked"), "the card is never drawn without its rules"
    assert await page.locator(".standings li").count() == 2
    assert await page.locator(".slot .head.filled.white").count() == 1
    buttons = await page.locator(".slot .buttons button:visible").all_inner_texts()
    assert [text.split()[0] for text in buttons[:2]] == ["Rematch", "Next"]
    review = page.get_by_role("button", name="Review")
    assert await review.count() == 1, "in the card alone"
    await page.locator("#back").click()
    await page.get_by_role("button", name="Review this game").wait_for()
    assert await review.count() == 1, "beside the moves alone"


async def test_a_picture_of_the_end_is_saved(server: Any, visit: Visit, players: Any) -> None:
    page = await visit("about:blank", accept_downloads=True, viewport={"width": 1440, "height": 900})
    room = await played(players, page, server.url)
    await page.get_by_role("button", name="Share").click()
    async with page.expect_download() as saving:
        await page.get_by_role("button", name="Save a picture").click()
    download = await saving.value
    assert download.suggested_filename == f"fourfold-{room}.png"
    body = (await download.path()).read_bytes()
    assert body[:8] == b"\x89PNG\r\n\x1a\n"
    assert (int.from_bytes(body[16:20]), int.from_bytes(body[20:24])) == (1200, 720)


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
async def test_the_winners_pieces_celebrate_unless_motion_is_reduced(
    server: Any, visit: Visit, players: Any, motion: str
) -> None:
    page = await visit("about:blank", reduced_motion=motion)
    await page.add_init_script("""
      window.jumps = 0;
      const animate = Element.prototype.animate;
      Element.prototype.animate = function (frames, options) {
        if (this.matches('.pieces .piece.white') && options?.iterations === 2) window.jumps += 1;
        return animate.call(this, frames, options);
      };
    """)
    await played(players, page, server.url)
    await page.locator(".rating-now").first.wait_for()
    if motion == "reduce":
        assert await page.evaluate("window.jumps") == 0
    else:
        await page.wait_for_function("() => window.jumps > 10")


async def test_the_next_game_of_two_is_sought_in_the_lobby(server: Any, visit: Visit, players: Any) -> None:
    page = await visit("about:blank")
    await played(players, page, server.url)
    await page.get_by_role("heading", name="You won").wait_for()
    await page.get_by_role("button", name="Next game").click()
    await page.locator("[data-quick='standard 10+5'].searching").wait_for()


@pytest.mark.slow
async def test_an_undo_makes_the_game_casual_at_once_for_players_and_watchers(
    server: Any, visit: Visit, players: Any
) -> None:
    (white, token), (black, _) = players
    room = await white.create("standard", clock=ask.Clock(300_000, 3_000))
    await white.join(room, "white")
    await black.join(room, "black")
    page, watching = await visit("about:blank"), await visit(f"{server.url}/r/{room}")
    await page.add_init_script(f"localStorage['fourfold.token'] = {token!r}")
    await page.goto(f"{server.url}/r/{room}")
    for one in (page, watching):
        await one.locator("#title", has_text="rated").wait_for()
    seq = await version(server.url, room)
    for player, move in ((white, "e2e4"), (black, "e7e5"), (white, "g1f3"), (black, "b8c6")):
        seq = await player.move(room, move, seq)
    await black.propose(room, "undo", seq, 1)
    await page.get_by_text("It is then no longer rated.").wait_for()
    await page.get_by_role("button", name="Agree").click()
    for one in (page, watching):
        await one.locator("#title", has_text="casual").wait_for()
    await black.resign(room)
    await page.get_by_text("Not rated: moves were taken back.").first.wait_for()


@pytest.mark.slow
async def test_the_story_of_a_game_comes_by_itself(server: Any, visit: Visit, players: Any) -> None:
    page = await visit("about:blank")
    await played(players, page, server.url)
    await page.locator(".story .curve").first.wait_for(state="attached", timeout=300_000)
    await page.locator(".story .text", has_text="Ann").or_(page.locator(".story .text", has_text="Bob")).wait_for()
    assert await page.locator(".reviewed").count() == 0, "nothing else has moved"
