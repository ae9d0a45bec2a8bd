"""The pages of past games: the user's, everybody's, and a player's; found, filtered and opened."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from fourfold.clients.connection import Connection
from fourfold.engine.notation import pgn, pgn4
from fourfold.protocol import from_client as ask
from tests.games.conftest import ServerProcess
from tests.web.conftest import archived, version
from tests.web.test_access import faults

pytestmark = pytest.mark.asyncio(loop_scope="session")

Visit = Callable[..., Awaitable[Any]]

SIZES = ((320, 568), (360, 740), (640, 700), (768, 1024), (1024, 768), (1280, 800), (1920, 1080))

MEASURE = """() => {
    const faults = [];
    const all = (selector) => [...document.querySelectorAll(selector)].filter((element) => element.checkVisibility());
    const name = (element) => `.${element.className} "${element.textContent.slice(0, 20)}"`;
    if (document.documentElement.scrollWidth > innerWidth) faults.push(`the page scrolls sideways: ${document.documentElement.scrollWidth}`);
    for (const row of all("#games .game-row")) {
        const outer = row.getBoundingClientRect(), parts = [...row.children].filter((part) => part.checkVisibility());
        for (const part of parts) {
            const inner = part.getBoundingClientRect();
            if (inner.left < outer.left - 1 || inner.right > outer.right + 1 || inner.bottom > outer.bottom + 1) faults.push(`${name(part)} leaves its row`);
        }
        for (const [one, other] of parts.flatMap((one, index) => parts.slice(index + 1).map((other) => [one.getBoundingClientRect(), other.getBoundingClientRect()])))
            if (one.left < other.right - 1 && other.left < one.right - 1 && one.top < other.bottom - 1 && other.top < one.bottom - 1) faults.push(`parts of ${name(row)} meet`);
    }
    const squares = all("#games .mini .piece");
    if (!squares.length) faults.push("there are no boards");
    for (const button of all(".filters button, .filters input, #records button, #games a")) {
        const at = button.getBoundingClientRect();
        if (at.left < -1 || at.right > innerWidth + 1) faults.push(`${name(button)} is cut by the window`);
    }
    return faults;
}"""  # noqa: E501


@dataclass
class Evening:
    """Past games: the ids and tokens of two players, and rooms by outcome."""

    url: str
    ids: dict[str, str]
    tokens: dict[str, str]
    rooms: dict[str, str]


async def play(players: list[Connection], variant: str = "standard", moves: str = "", **terms: Any) -> str:
    reply: Any = await players[0].request(ask.Create(variant=variant, clock=ask.Clock(600_000, 5_000), **terms))
    for player in players:
        await player.join(reply.room)
    for ply, text in enumerate(moves.split()):
        await players[ply % len(players)].move(reply.room, text, await version(players[0].url, reply.room))
    return str(reply.room)


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def evening(archiving: ServerProcess) -> AsyncIterator[Evening]:
    """Ada has lost twice to Bo, once in private, won one, come second of four, and plays on with Cy."""
    async with AsyncExitStack() as stack:
        ada, bo, cy, di = [
            await stack.enter_async_context(Connection(archiving.url, name=name)) for name in ("Ada", "Bo", "Cy", "Di")
        ]
        rooms = {"lost": await play([ada, bo], moves="f2f3 e7e5 g2g4 d8h4")}
        rooms["secret"] = await play([ada, bo], visibility="private")
        await ada.resign(rooms["secret"])
        rooms["won"] = await play([bo, ada])
        await bo.resign(rooms["won"])
        rooms["four"] = await play([ada, bo, cy, di], "survivor", "h2h3")
        for player in (cy, di, ada):
            await player.resign(rooms["four"])
        rooms["live"] = await play([ada, cy], moves="e2e4 c7c5")
        over = len(rooms) - 1
        while await archived(ada) < over:
            await ada.ping()
        ids = {"Ada": ada.player, "Bo": bo.player}
        yield Evening(archiving.url, ids, {"Ada": ada.token, "Bo": bo.token}, rooms)


async def look(visit: Visit, evening: Evening, whose: str, name: str = "") -> Any:
    """A page of games, as somebody of this name sees it."""
    page = await visit("about:blank")
    if name:
        await page.add_init_script(f"localStorage['fourfold.token'] = {evening.tokens[name]!r}")
    await page.goto(f"{evening.url}/#games{whose}")
    await page.locator("#games .game-row .piece").first.wait_for()
    return page


async def listed(page: Any, count: int) -> list[tuple[str, str]]:
    """The rooms and the verdicts of the list, once it has `count` rows."""
    await page.wait_for_function("count => document.querySelectorAll('#games .game-row').length === count", arg=count)
    rows = await page.locator("#games .game-row").all()
    links = [await row.locator("h3 a").get_attribute("href") for row in rows]
    return [(link, await row.locator(".verdict").inner_text()) for link, row in zip(links, rows, strict=True)]


async def sound(page: Any) -> None:
    """Axe finds nothing, and nothing is cut or lies on another at any size."""
    for scheme in ("light", "dark"):
        await page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        assert await faults(page) == [], scheme
    for width, height in SIZES:
        await page.set_viewport_size({"width": width, "height": height})
        assert await page.evaluate(MEASURE) == [], (width, height)


async def test_my_games(visit: Visit, evening: Evening) -> None:
    page = await look(visit, evening, "", "Ada")
    await page.get_by_role("heading", name="My games").wait_for()
    rows, at = await listed(page, 5), {name: f"/r/{room}" for name, room in evening.rooms.items()}
    assert rows[0] == (at["live"], "Live")
    assert dict(rows) == {
        at["live"]: "Live", at["four"]: "2nd", at["won"]: "Won", at["secret"]: "Lost", at["lost"]: "Lost",
    }  # fmt: skip
    four = page.locator(".game-row", has=page.locator(f"a[href='{at['four']}']"))
    assert "1 move" in await four.inner_text(), "how many rounds it had is not known"
    await page.locator("#against").get_by_role("button", name="Bo").wait_for()
    assert "1 – 0 – 3" in await page.locator("#against .score-row", has_text="Bo").inner_text()
    assert "1 – 0 – 2" in await page.locator("#by-variant .score-row").first.inner_text()
    await sound(page)
    await page.set_viewport_size({"width": 1280, "height": 800})
    await page.locator("#result-filter").get_by_role("button", name="Lost").click()
    assert {room for room, _ in await listed(page, 3)} == {at["secret"], at["lost"], at["four"]}
    await page.get_by_role("button", name="Two", exact=True).click()
    assert {room for room, _ in await listed(page, 2)} == {at["secret"], at["lost"]}
    assert "Survivor" not in await page.locator("#kind-filter").inner_text()
    await page.locator("#kind-filter").select_option("standard")
    await page.locator("#result-filter").get_by_role("button", name="Any result").click()
    assert {room for room, _ in await listed(page, 4)} == {at[name] for name in ("live", "won", "secret", "lost")}
    await page.get_by_label("Opponent's name").fill("cy")
    assert {room for room, _ in await listed(page, 1)} == {at["live"]}


async def downloaded(page: Any, format: str) -> tuple[str, str]:
    """The name and the text of the downloaded file of the listed games."""
    await page.get_by_role("button", name="Download").click()
    async with page.expect_download() as coming:
        await page.locator("#download-menu").get_by_role("button", name=format).click()
    file = await coming.value
    return file.suggested_filename, await asyncio.to_thread(Path(await file.path()).read_text)


async def test_my_games_are_downloaded(visit: Visit, evening: Evening) -> None:
    page = await look(visit, evening, "", "Ada")
    name, text = await downloaded(page, "For two: PGN")
    assert name == "fourfold-games.pgn"
    assert [game.tags["Site"] for game in pgn.read(text)] == [evening.rooms[one] for one in ("won", "secret", "lost")]
    name, text = await downloaded(page, "For four: PGN4")
    assert (name, [game.tags["Blue"] for game in pgn4.read(text)]) == ("fourfold-games.pgn4", ["Bo"])
    name, text = await downloaded(page, "All: lines of JSON")
    assert (name, len(text.splitlines())) == ("fourfold-games.ndjson", 4)
    await page.locator("#result-filter").get_by_role("button", name="Lost").click()
    await listed(page, 3)
    assert len(list(pgn.read((await downloaded(page, "For two: PGN"))[1]))) == 2
    await page.get_by_text("2 games downloaded.").wait_for()
    await page.get_by_role("button", name="Download").click()
    assert await faults(page) == []


@pytest.mark.by_default
async def test_everybodys_games(visit: Visit, evening: Evening) -> None:
    page = await look(visit, evening, "/all")
    await page.get_by_role("heading", name="Games", exact=True).wait_for()
    rows = dict(await listed(page, 4))
    assert f"/r/{evening.rooms['secret']}" not in rows
    assert rows[f"/r/{evening.rooms['lost']}"] == "Black"
    await sound(page)
    await page.set_viewport_size({"width": 1280, "height": 800})
    await page.get_by_label("Player's name").fill("DI")
    assert [room for room, _ in await listed(page, 1)] == [f"/r/{evening.rooms['four']}"]
    await page.get_by_label("Player's name").fill("")
    await listed(page, 4)
    await page.locator(f"#games a[href='/r/{evening.rooms['lost']}']").click()
    await page.locator(".slot.ends").wait_for()
    await page.locator(".ply").nth(3).wait_for()


async def test_a_players_page(visit: Visit, evening: Evening) -> None:
    page = await look(visit, evening, "/all")
    await page.locator("#games").get_by_role("link", name="Bo").first.click()
    await page.get_by_role("heading", name="Bo", exact=True).wait_for()
    assert page.url.endswith(f"#games/{evening.ids['Bo']}")
    rows = dict(await listed(page, 3))
    assert f"/r/{evening.rooms['secret']}" not in rows
    assert rows[f"/r/{evening.rooms['four']}"] == "1st"
    bars = "[...document.querySelectorAll('.place-bar i')].map((bar) => bar.style.getPropertyValue('--share'))"
    await page.locator("#place-bars .place-bar").first.wait_for()
    assert await page.evaluate(bars) == ["100%"]
    assert "100 %" in await page.locator("#place-bars .place-bar").first.inner_text()
    await sound(page)


async def test_people_play_again_from_an_archived_game(archiving: ServerProcess, visit: Visit) -> None:
    async with Connection(archiving.url, name="Ava") as ava, Connection(archiving.url, name="Ben") as ben:
        room = await play([ava, ben], moves="f2f3 e7e5 g2g4 d8h4")
        while await archived(ava) < 1:
            await ava.ping()
        tokens = {"Ava": ava.token, "Ben": ben.token}
    pages = []
    for name, path in (("Ava", f"/r/{room}"), ("Ben", "/")):
        page = await visit("about:blank")
        await page.add_init_script(f"localStorage['fourfold.token'] = {tokens[name]!r}")
        await page.goto(f"{archiving.url}{path}")
        pages.append(page)
    white, black = pages
    await black.get_by_role("button", name="Challenge Ava").last.wait_for()  # both are here
    await white.get_by_role("button", name="Play again").click()
    await white.locator(".slot", has_text="The other players get a challenge to another game.").wait_for()
    asked = black.locator("#challenges")
    await asked.get_by_text("Ava challenges you").wait_for()
    assert "Chess, 10 min + 5 s each move" in await asked.inner_text()
    await asked.get_by_role("button", name="Accept").click()
    for page in pages:
        await page.wait_for_url(lambda url: "/r/" in url and not url.endswith(room))
        await page.locator(".card.white.to-move").wait_for()
    assert white.url == black.url
    assert "Ben" in await white.locator(".card.white").inner_text()  # seats are exchanged
    assert "Ava" in await white.locator(".card.black").inner_text()


async def test_without_one_of_the_players_a_table_is_opened_for_the_others(
    archiving: ServerProcess, visit: Visit
) -> None:
    """Offline players can't be challenged. Their seat stays free at a table to which the others are invited."""
    async with AsyncExitStack() as stack:
        ava, ben, cat = [
            await stack.enter_async_context(Connection(archiving.url, name=name)) for name in ("Ava", "Ben", "Cat")
        ]
        async with Connection(archiving.url, name="Dan") as dan:
            room = await play([ava, ben, cat, dan], "survivor", "h2h3")
            for player in (ben, cat, dan):
                await player.resign(room)
            while await archived(ava) < 1:
                await ava.ping()
        pages = []
        for player, path in ((ava, f"/r/{room}"), (ben, "/")):
            page = await visit("about:blank")
            await page.add_init_script(f"localStorage['fourfold.token'] = {player.token!r}")
            await page.goto(f"{archiving.url}{path}")
            pages.append(page)
        host, guest = pages
        await host.get_by_role("button", name="Play again").click()
        await host.wait_for_url(lambda url: "/r/" in url and not url.endswith(room))
        await guest.locator("#challenges").get_by_text("Ava challenges you").wait_for()
        await guest.locator("#challenges").get_by_role("button", name="Accept").click()
        await guest.wait_for_url(host.url)
        await host.locator(".card", has_text="Ben").wait_for()
        for seat in ("blue", "yellow"):  # Cat is asked, Dan is not there
            await host.locator(f".card.{seat}.free").wait_for()
        assert "Ava" in await host.locator(".card.green").inner_text(), "seats move on by one"


async def test_who_looked_on_has_nothing_to_play_again(visit: Visit, evening: Evening) -> None:
    page = await visit(f"{evening.url}/r/{evening.rooms['lost']}")
    await page.locator(".slot.ends").wait_for()
    assert await page.get_by_role("button", name="Play again").count() == 0
    await page.get_by_role("button", name="Next game").click()
    await page.wait_for_url(f"{evening.url}/")
