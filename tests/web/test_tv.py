"""Pages to look at games: TV, the wall of a club, a board for other pages, an overlay for streams."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import pytest

from fourfold.clients.connection import Connection
from fourfold.protocol import from_client as ask
from tests.games.conftest import ServerProcess, running
from tests.web.conftest import version

pytestmark = pytest.mark.asyncio(loop_scope="session")

Visit = Callable[..., Awaitable[Any]]

CODE = "club-of-tv"

FITS = """() => {
    const faults = document.documentElement.scrollWidth > innerWidth ? [`sideways: ${document.documentElement.scrollWidth}`] : [];
    const squares = [...document.querySelectorAll(".squares rect")].map((square) => square.getBoundingClientRect());
    for (const plate of document.querySelectorAll(".plate")) {
        const at = plate.getBoundingClientRect();
        if (at.left < -1 || at.right > innerWidth + 1) faults.push(`${plate.className} is cut`);
        if (squares.some((one) => at.right > one.left + 1 && at.left < one.right - 1 && at.bottom > one.top + 1 && at.top < one.bottom - 1))
            faults.push(`${plate.className} meets a square`);
    }
    return faults;
}"""  # noqa: E501

SIZES = (
    (320, 568), (360, 740), (390, 844), (740, 360), (844, 390), (768, 1024), (960, 1080), (1024, 768), (1280, 800),
    (1440, 900), (1920, 1080), (2560, 1440),
)  # fmt: skip


@pytest.fixture(scope="module")
def quiet() -> Any:
    """A server on which nobody else plays."""
    with running(bots=0) as server:
        yield server


@asynccontextmanager
async def playing(server: ServerProcess, variant: str, *names: str) -> AsyncIterator[tuple[str, list[Connection]]]:
    """A running game: its room and its players."""
    players = [Connection(server.url, name=name) for name in names]
    for player in players:
        await player.__aenter__()
    try:
        reply: Any = await players[0].request(ask.Create(variant=variant, clock=ask.Clock(base=600_000)))
        for player in players:
            await player.join(reply.room)
        yield reply.room, players
    finally:
        for player in players:
            await player.__aexit__(None, None, None)


async def fit(page: Any) -> None:
    """Nothing is cut, and no plate meets a square, at any size."""
    for width, height in SIZES:
        await page.set_viewport_size({"width": width, "height": height})
        await page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        assert await page.evaluate(FITS) == [], (width, height)


async def test_tv_shows_the_best_game_and_goes_on_to_the_next(quiet: Any, visit: Visit) -> None:
    page = await visit(f"{quiet.url}/tv")
    await page.get_by_text("No live games right now").wait_for()
    async with playing(quiet, "survivor", "Ann", "Bob", "Cyd", "Dee") as (four, players):
        await page.locator(f"#about [href='/r/{four}']").wait_for()
        await page.locator(".plate .time").nth(3).wait_for()
        await players[0].move(four, "h2h3", await version(quiet.url, four))
        await page.locator(".plate.blue.to-move").wait_for()
        await fit(page)
        async with playing(quiet, "standard", "Eve", "Fay") as (two, pair):
            await page.get_by_role("button", name="Two").click()
            await page.locator(f"#about [href='/r/{two}']").wait_for()
            await fit(page)
            await page.get_by_role("button", name="Best").click()
            await page.locator(f"#about [href='/r/{four}']").wait_for()
            await page.set_viewport_size({"width": 390, "height": 844})
            other = page.get_by_role("link", name="Eve – Fay")
            assert await other.get_attribute("href") == f"/r/{two}"
            await page.set_viewport_size({"width": 1280, "height": 800})
            assert not await other.is_visible(), "the board has the room"
            for player in players[1:]:
                await player.resign(four)
            await page.locator(f"#about [href='/r/{two}']").wait_for()
            assert await page.locator(".plate .name").all_inner_texts() == ["Eve", "Fay"]
            await pair[0].resign(two)


async def test_the_wall_of_a_club_shows_its_games_alone(quiet: Any, visit: Visit) -> None:
    page = await visit(f"{quiet.url}/wall?code={CODE}")
    await page.get_by_text("No game of this club is played right now").wait_for()
    pairs = [(Connection(quiet.url, name=f"A{n}"), Connection(quiet.url, name=f"B{n}")) for n in range(3)]
    for one, other in pairs:
        await one.__aenter__()
        await other.__aenter__()
        for player in (one, other):
            await player.request(ask.Seek(pool=CODE, clock=ask.Clock(base=600_000)))
    async with playing(quiet, "standard", "Eve", "Fay"):
        await page.locator(".cell .plate").nth(5).wait_for()
        assert await page.locator(".cell").count() == 3
        assert await page.get_by_text("Eve").count() == 0
        await fit(page)
        public = await visit(f"{quiet.url}/wall")
        await public.get_by_text("Eve").wait_for()
        assert await public.locator(".cell").count() == 1, "games of a club are not public"
    for one, other in pairs:
        await one.__aexit__(None, None, None)
        await other.__aexit__(None, None, None)


async def test_the_boards_of_the_wall_are_as_large_as_they_can_be(visit: Visit) -> None:
    async with AsyncExitStack() as stack:
        quiet = stack.enter_context(running(bots=0))
        for number in range(2):
            await stack.enter_async_context(playing(quiet, "survivor", *(f"{name} {number}" for name in "ABCD")))
        page = await visit(f"{quiet.url}/wall")
        await page.locator(".plate .name", has_text="D 1").wait_for()  # the large boards have the names on their plates
        assert await page.locator(".names:visible").count() == 0
        for number in range(2, 9):
            await stack.enter_async_context(playing(quiet, "survivor", *(f"{name} {number}" for name in "ABCD")))
        await page.locator(".names:visible", has_text="D 8").wait_for()  # small ones below them
        assert await page.locator(".plate .name:visible").count() == 0
        columns = "getComputedStyle(document.getElementById('cells')).gridTemplateColumns.split(' ').length"
        for size, expected in (((1280, 800), 5), ((1024, 900), 3)):
            await page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
            await page.wait_for_function(f"() => {columns} === {expected}")
        await fit(page)


async def test_other_sites_may_frame_the_embedded_board_alone(quiet: Any, visit: Visit) -> None:
    async with playing(quiet, "standard", "Eve", "Fay") as (room, _), playing(quiet, "standard", "X", "Y"):
        page = await visit("about:blank")
        await page.route("**/favicon.ico", lambda route: route.fulfill(body=""))
        await page.goto(quiet.url.replace("127.0.0.1", "localhost") + "/healthz")  # another origin
        await page.set_content(f"<iframe src='{quiet.url}/embed/{room}?theme=dark' width=480 height=520></iframe>")
        board = page.frame_locator("iframe")
        await board.locator(".plate", has_text="Eve").wait_for()
        await board.locator("html[data-theme=dark]").wait_for()
        assert await board.get_by_role("link", name="Fourfold").get_attribute("target") == "_blank"
        for path, framed in (("/embed/x", True), ("/tv", False), (f"/r/{room}", False), ("/", False)):
            answer = await page.request.get(quiet.url + path)
            assert ("frame-ancestors *" in answer.headers["content-security-policy"]) == framed, path
        alone = await visit(f"{quiet.url}/embed/{room}")
        await alone.locator(".plate", has_text="Eve").wait_for()
        await fit(alone)


async def test_the_overlay_is_transparent_and_large(quiet: Any, visit: Visit) -> None:
    async with playing(quiet, "survivor", "Ann", "Bob", "Cyd", "Dee") as (room, players):
        page = await visit(f"{quiet.url}/overlay/{room}")
        await page.locator("li.red.to-move", has_text="Ann").wait_for()
        await page.locator("li .time", has_text="10:00").first.wait_for()
        assert await page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgba(0, 0, 0, 0)"
        await players[0].move(room, "h2h3", await version(quiet.url, room))
        await page.locator("li.blue.to-move").wait_for()
        await players[1].resign(room)
        await page.locator("li.blue.out", has_text="resigned").wait_for()
    page = await visit(f"{quiet.url}/overlay/nowhere0")
    await page.get_by_text("There is no such game.").wait_for()
