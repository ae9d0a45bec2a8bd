"""The first screen: an introduction, one live board, and the shortest way into a game."""

import re
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest

from fourfold.clients.connection import Connection
from fourfold.protocol import from_client as ask
from fourfold.protocol import from_server as told
from fourfold.protocol.events import Finished
from tests.games.conftest import ServerProcess, running

pytestmark = pytest.mark.asyncio(loop_scope="session")

Visit = Callable[..., Awaitable[Any]]


@pytest.fixture(scope="module")
def shown() -> Iterator[ServerProcess]:
    """A server whose computers play on the first page."""
    with running(None, 1, "--exhibition", "on") as server:
        yield server


CUT = """(names) => names
    .filter((name) => name.scrollWidth > name.clientWidth + 1 || name.scrollHeight > name.clientHeight + 1)
    .map((name) => name.textContent)"""

FILLED = """(names) => JSON.stringify(names) === JSON.stringify([...document.querySelectorAll("main .primary")]
    .filter((button) => button.checkVisibility())
    .filter((button) => getComputedStyle(button).backgroundColor === getComputedStyle(document.body).color)
    .map((button) => button.id || button.textContent))"""


async def filled(page: Any, names: list[str]) -> None:
    """Wait until the primary buttons in sight are these, by their ids or texts."""
    await page.wait_for_function(FILLED, arg=names)


async def test_the_first_move_of_a_game_for_four_by_visible_text_alone(mortal_server: Any, visit: Visit) -> None:
    page = await visit(mortal_server.url)
    await page.get_by_text("Four-player chess. Sit down and play.").wait_for()
    await page.get_by_text("Play four now").click()
    await page.wait_for_url("**/r/*")
    await page.get_by_role("heading", name="Your turn").wait_for()
    await page.get_by_label("Move", exact=True).fill("h2h3")
    await page.get_by_text("Play", exact=True).click()
    await page.get_by_text("h2-h3").first.wait_for()
    await page.get_by_text("casual").first.wait_for()


async def test_who_presses_it_too_joins_the_game(mortal_server: Any, visit: Visit) -> None:
    ada, bo = await visit(mortal_server.url, name="Ada"), await visit(mortal_server.url, name="Bo")
    await ada.get_by_role("button", name=re.compile("Play four now")).click()
    await ada.wait_for_url("**/r/*")
    await ada.get_by_role("heading", name="Your turn").wait_for()  # a computer's move would replace the next heading
    await bo.get_by_role("button", name=re.compile("Play four now")).click()
    await bo.wait_for_url("**/r/*")
    assert ada.url == bo.url
    await ada.get_by_role("heading", name="Bo joins the game").wait_for()
    await bo.locator(".card .name", has_text="Ada").first.wait_for()


async def test_computers_play_on_the_stage_while_somebody_looks(shown: Any, visit: Visit) -> None:
    page = await visit(shown.url)
    await page.locator("#stage-about", has_text="Computers play").wait_for()
    await page.locator(".plate.to-move").wait_for()
    before = await page.locator("#stage-board .last").first.get_attribute("x")
    await page.wait_for_function(
        "x => document.querySelector('#stage-board .last')?.getAttribute('x') !== x", arg=before
    )
    room = (await page.get_by_text("Watch this game").get_attribute("href")).rsplit("/", 1)[1]
    async with Connection(shown.url, name="Looker", bot=True) as looker:
        watched = looker.follow(room, preview=True)
        await page.goto("about:blank")
        async for frame in watched:
            if isinstance(frame, told.Update) and any(isinstance(event, Finished) for event in frame.events):
                break


async def test_without_computers_the_board_stands_still(visit: Visit) -> None:
    with running(None, 0, "--exhibition", "on") as server:
        page = await visit(server.url)
        await page.locator("#stage-board .piece").nth(60).wait_for()
        await page.get_by_text("Four players, one board. The last king standing wins.").wait_for()


async def test_the_most_watched_game_of_people_has_the_stage(server: Any, visit: Visit) -> None:
    names = ("Amber Rook 27", "Bob", "Cobalt Bishop 98", "Dee")
    people = [Connection(server.url, name=name) for name in names]
    for person in people:
        await person.__aenter__()
    try:
        room = await people[0].create("survivor")
        for person in people:
            await person.join(room)
        page = await visit(server.url)
        await page.locator(f"#stage-about a[href='/r/{room}']").wait_for()
        assert await page.locator(".plate .name").all_inner_texts() == list(names)
        for width in (1280, 1024, 390):
            await page.set_viewport_size({"width": width, "height": 800})
            assert await page.locator(".plate .name").evaluate_all(CUT) == [], width
        await people[0].request(ask.Move(room=room, move="h2h3", seq=5, key="m"))
        await page.locator(".plate.blue.to-move").wait_for()
        assert await page.locator(f"#live [href='/r/{room}']").count() == 0, "shown once"
    finally:
        for person in people:
            await person.__aexit__(None, None, None)


async def test_friends_are_asked_how_many_play(server: Any, visit: Visit) -> None:
    page = await visit(server.url, name="Ada")
    await page.get_by_role("button", name="Play with friends").click()
    await page.get_by_text("How many play?").wait_for()
    four = page.get_by_role("button", name="Four", exact=True).last
    assert await four.get_attribute("aria-pressed") == "true"
    assert await page.locator("#seats select").count() == 4
    await page.get_by_role("dialog").get_by_role("button", name="Two", exact=True).click()
    assert await page.locator("#seats select").count() == 2
    assert await page.locator(".kind-choice:visible", has_text="Survivor").count() == 0
    await page.locator("#close-create").click()
    await page.get_by_role("button", name="Create a table").click()
    assert not await page.get_by_text("How many play?").is_visible()


async def playing(page: Any, url: str, opponent: Connection) -> str:
    """A running game of the page's user, who is back in the lobby. Returns its room."""
    room = await opponent.create("standard")
    await page.goto(f"{url}/r/{room}")
    await page.get_by_label("Sit here, at white").click()
    await opponent.join(room, "black")
    await page.locator(".card.to-move").first.wait_for()
    await page.goto(url)
    return room


async def test_who_comes_back_is_greeted_by_the_last_game(server: Any, visit: Visit) -> None:
    async with Connection(server.url, name="Zoe") as zoe:
        page = await visit(server.url, name="Ada")
        room = await playing(page, server.url, zoe)
        await page.locator(".pitch .own-card").wait_for()
        assert not await page.locator(".lead").is_visible(), "the game stands in its place"
        await zoe.resign(room)
        await page.goto(server.url)
        await page.get_by_role("heading", name="Welcome back, Ada").wait_for()
        await page.get_by_text("won in Chess").wait_for()
        rivals = page.get_by_role("list", name="Last opponents")
        await rivals.get_by_role("button", name="Challenge Zoe").wait_for()
        assert not await page.locator(".lead").is_visible()
    await rivals.get_by_text("offline").wait_for()


async def test_one_button_is_the_primary_one(server: Any, visit: Visit) -> None:
    async with Connection(server.url, name="Zoe") as zoe:
        page = await visit(server.url, name="Ada")
        await filled(page, ["play-four"])
        room = await playing(page, server.url, zoe)
        await page.locator(".pitch .my-turn").wait_for()
        await filled(page, ["Go to the table"])
        await page.set_viewport_size({"width": 390, "height": 844})
        tops = [(await page.locator(place).bounding_box())["y"] for place in ("#own", "#home-title", "#play-four")]
        assert tops == sorted(tops), "the game that waits comes first"
        snapshot: Any = await zoe.request(ask.Watch(room=room, preview=True))
        await page.set_viewport_size({"width": 1280, "height": 800})
        await zoe.challenge(snapshot.seats[0].player, clock=ask.Clock(300_000, 3_000))
        await page.get_by_role("button", name="Accept").wait_for()
        await filled(page, ["Accept"])
        box = await page.get_by_role("button", name="Accept").bounding_box()
        assert box["y"] + box["height"] <= 800, "in sight"
        for view in ("#watch", "#games"):
            await page.goto(f"{server.url}/{view}")
            await page.get_by_role("button", name="Accept").wait_for()
        await zoe.resign(room)


async def test_a_phone_shows_four_tiles_and_more(server: Any, visit: Visit) -> None:
    page = await visit(server.url, viewport={"width": 390, "height": 844})
    tiles = page.locator(".tile:visible")
    await tiles.nth(3).wait_for()
    assert await tiles.count() == 4
    await page.get_by_role("button", name="More games").click()
    await tiles.nth(4).wait_for()
    assert await page.evaluate("document.activeElement.matches('.tile.rare')")
    assert not await page.get_by_role("button", name="More games").is_visible()


WEIGHT = 60_000
"""Bytes that the lobby's first sight may cost, and 5,000 more the table's."""


@pytest.mark.parametrize("path", ["/", "/r/ROOM"])
async def test_the_first_sight_is_light(server: Any, visit: Visit, path: str) -> None:
    """The links and imports of the page as served."""
    async with Connection(server.url, name="Host") as host:
        room = await host.create("survivor")
        page = await visit(server.url + path.replace("ROOM", room))
        weighed = await page.evaluate("""async () => {
          const served = new DOMParser().parseFromString(await (await fetch(location.href)).text(), 'text/html');
          const links = [...served.querySelectorAll('link[rel=modulepreload], link[rel=stylesheet], script[src]')];
          const names = new Set([location.href, ...links.map((link) => link.href ?? link.src)]);
          const sizes = await Promise.all([...names].map(async (name) => {
            const answer = await fetch(name);
            await answer.arrayBuffer();
            return performance.getEntriesByName(answer.url).at(-1)?.encodedBodySize ?? 0;
          }));
          return sizes.reduce((sum, size) => sum + size, 0);
        }""")
        assert 20_000 < weighed <= WEIGHT + (0 if path == "/" else 5_000)
