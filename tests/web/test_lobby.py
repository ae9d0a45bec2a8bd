"""The lobby: the user's games, quick pairing, games from files; for everybody and at every size."""

import asyncio
import json
import re
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from fourfold.clients.connection import Connection
from fourfold.protocol import from_client as ask
from tests.conftest import HANG

pytestmark = pytest.mark.asyncio(loop_scope="session")

Visit = Callable[..., Awaitable[Any]]
GAMES = Path(__file__).parents[1] / "engine" / "notation" / "data"

NO_STORAGE = """() => Object.defineProperty(window, 'localStorage', {
  get() { throw new DOMException('The operation is insecure.', 'SecurityError'); },
})"""


async def ready(page: Any) -> None:
    """The lobby has heard what there is."""
    await page.locator("#live .live-card, #live .nothing-here:not(:text('Looking'))").first.wait_for()


async def fall_silent(page: Any, seconds: int) -> None:
    """Let a number of seconds pass for the page."""
    await page.evaluate("ms => { const now = Date.now; Date.now = () => now() + ms; }", seconds * 1000)


def tile(page: Any, kind: str) -> Any:
    return page.locator(f"[data-quick='{kind}']")


class TestOwnGames:
    async def test_there_is_a_way_back_to_a_game_that_runs(self, server: Any, visit: Visit) -> None:
        """Also to a game that no list has. Games with the user's turn come first."""
        async with Connection(server.url, name="Bo") as bo:
            page = await visit(server.url, name="Ada")
            rooms = []
            for first in (bo, None):
                reply = await bo.request(ask.Create(clock=ask.Clock(600_000), visibility="private"))
                rooms.append(reply.room)  # type: ignore[attr-defined]
                await page.goto(f"{server.url}/r/{rooms[-1]}")
                theirs, mine = ("black", "white") if first is None else ("white", "black")
                await bo.join(rooms[-1], theirs)
                await page.get_by_label(f"Sit here, at {mine}").click()
                await page.locator(".card.to-move").first.wait_for()
            await page.goto(server.url)
            cards = page.locator(".own-card")
            await cards.nth(1).wait_for()
            assert [await card.get_attribute("data-room") for card in await cards.all()] == rooms[::-1]
            mine, other = cards.nth(0), cards.nth(1)
            await mine.get_by_text("Your turn").wait_for()
            left = "() => /^(9:|10:)/.test(document.querySelector('.own-card .left').textContent)"
            await page.wait_for_function(left)
            assert "against Bo" in await mine.inner_text()
            assert "Bo to move" in await other.inner_text()
            await bo.move(rooms[0], "e2e4", 3)  # the page shows events of that room
            await other.get_by_text("Your turn").wait_for()
            await page.locator(f"[data-room='{rooms[1]}'] a").click()
            await page.wait_for_url(f"**/r/{rooms[1]}")
            await page.locator(".card.to-move").first.wait_for()
            await bo.resign(rooms[1])
            await bo.resign(rooms[0])
            await page.goto(server.url)
            await ready(page)
            await page.locator("#own").wait_for(state="hidden")

    async def test_looking_from_the_lobby_is_not_being_there(self, server: Any, visit: Visit) -> None:
        async with Connection(server.url, name="Bo") as bo:
            page = await visit(server.url, name="Ada")
            room = await bo.create("standard")
            await page.goto(f"{server.url}/r/{room}")
            await page.get_by_label("Sit here, at white").click()
            await bo.join(room, "black")
            await page.locator(".card.to-move").first.wait_for()
            await page.goto(server.url)
            await page.locator(".own-card .mini .piece").first.wait_for()
            async with asyncio.timeout(HANG):  # the table's connection may end a moment later
                while True:
                    snapshot: Any = await bo.request(ask.Watch(room=room))
                    if {seat.seat: seat.online for seat in snapshot.seats} == {"white": False, "black": True}:
                        break


class TestPairing:
    async def test_a_search_stays_in_its_tile_and_a_click_gives_it_up(self, server: Any, visit: Visit) -> None:
        ada, bo = await asyncio.gather(visit(server.url, name="Ada"), visit(server.url, name="Bo"))
        kind = "standard 30+20"
        await asyncio.gather(ready(ada), ready(bo))
        await tile(ada, kind).click()
        await tile(ada, kind).get_by_text("searching").wait_for()
        await tile(bo, kind).get_by_text("1 waiting").wait_for()
        assert ada.url.rstrip("/") == server.url, "nobody is sent to an empty table"
        await tile(ada, kind).click()
        await tile(bo, kind).get_by_text("be the first").wait_for()
        await tile(ada, kind).click()  # and again, for the pairing
        await tile(bo, kind).get_by_text("1 waiting").wait_for()
        await tile(bo, kind).click()
        for page in (ada, bo):
            await page.wait_for_url("**/r/*")
            await page.locator(".card.to-move").first.wait_for()
        assert ada.url == bo.url

    async def test_another_tile_is_another_search(self, server: Any, visit: Visit) -> None:
        ada, bo = await asyncio.gather(visit(server.url, name="Ada"), visit(server.url, name="Bo"))
        await asyncio.gather(ready(ada), ready(bo))
        await tile(ada, "survivor 5+5").click()
        await tile(bo, "survivor 5+5").get_by_text("3 more").wait_for()
        await tile(ada, "survivor 10+5").click()
        await tile(bo, "survivor 10+5").get_by_text("3 more").wait_for()
        await tile(bo, "survivor 5+5").get_by_text("be the first").wait_for()
        assert await ada.locator(".tile.searching").count() == 1
        await tile(ada, "survivor 10+5").click()

    async def test_computers_are_offered_after_half_a_minute(self, server: Any, visit: Visit) -> None:
        page = await visit(server.url, name="Ada")
        await ready(page)
        await tile(page, "survivor 10+5").click()
        await tile(page, "survivor 10+5").get_by_text("searching").wait_for()
        assert await page.get_by_text("Play computers instead").count() == 0
        await fall_silent(page, 31)
        await page.get_by_text("Nobody has come yet.").wait_for()
        await page.get_by_role("button", name="Play computers instead").click()
        await page.wait_for_url("**/r/*")
        await page.get_by_text("10+5").first.wait_for()
        await page.locator(".card.to-move").first.wait_for()

    async def test_times_are_explained(self, server: Any, visit: Visit) -> None:
        page = await visit(server.url)
        await ready(page)
        assert await tile(page, "ffa 1+15 delay").get_attribute("title") == "1 min + 15 s delay"
        text = await page.locator("main").inner_text()
        assert "15d" not in text and "Chess · 2" not in text


class TestTables:
    async def test_a_free_seat_is_taken_with_one_click(self, server: Any, visit: Visit) -> None:
        async with Connection(server.url, name="Zoe") as zoe:
            page = await visit(server.url, name="Ada")
            room = await zoe.create("standard", clock=ask.Clock(900_000, 10_000))
            await zoe.join(room, "white")
            row = page.locator(".open-row", has=page.locator(f"a[href='/r/{room}']"))
            await row.get_by_text("Zoe").wait_for()
            await row.get_by_role("button", name="Sit at black, Chess 15+10").click()
            await page.wait_for_url(f"**/r/{room}")
            await page.locator(".card.to-move").first.wait_for()

    async def test_a_click_counts_although_the_list_changes_during_it(self, server: Any, visit: Visit) -> None:
        async with Connection(server.url, name="Zoe") as zoe:
            room = await zoe.create("standard")
            await zoe.join(room, "white")
            page, other = await visit(server.url, name="Ada"), await visit(server.url, name="Bo")
            await page.locator(f"[data-focus='{room}']").hover()
            await page.mouse.down()
            new = await zoe.create("atomic")
            await other.locator(f"#open [href='/r/{new}']").wait_for()
            await page.mouse.up()
            await page.wait_for_url(f"**/r/{room}")

    @pytest.mark.by_default
    async def test_computers_are_played_with_one_click(self, server: Any, visit: Visit) -> None:
        page = await visit(server.url, name="Ada")
        await page.locator("#opponents button", has_text="1").click()
        await page.locator("#levels button", has_text="2").click()
        await page.get_by_text("Level 2 takes").wait_for()
        await page.locator("#play-computers").click()
        await page.wait_for_url("**/r/*")
        await page.locator(".card.to-move").first.wait_for()
        await page.goto(server.url)
        assert await page.locator("#levels [aria-pressed=true]").inner_text() == "2", "the choice is kept"

    async def test_any_code_leads_somewhere(self, server: Any, visit: Visit) -> None:
        page = await visit(server.url)
        for code in ("%E0%A4%A", f"{server.url}/r/%E0%A4%A"):
            await page.goto(server.url)
            await page.locator("#code").fill(code)
            await page.get_by_role("button", name="Go", exact=True).click()
            await page.get_by_text("There is no such game.").first.wait_for()
        await page.goto(f"{server.url}/r/%E0%A4%A")
        await page.get_by_text("There is no such game.").first.wait_for()


class TestFiles:
    @staticmethod
    async def drop(page: Any, name: str, text: str) -> None:
        carried = await page.evaluate_handle(
            """([name, text]) => {
              const carried = new DataTransfer();
              carried.items.add(new File([text], name));
              return carried;
            }""",
            [name, text],
        )
        await page.dispatch_event("main", "drop", {"dataTransfer": carried})

    async def test_a_whole_game_is_opened_to_read_it_and_played_on_from_its_end(
        self, server: Any, visit: Visit
    ) -> None:
        page = await visit(server.url, name="Ada")
        await ready(page)
        await self.drop(page, "evening.pgn4", (GAMES / "ffa.pgn4").read_text().split("\n11. ")[0])
        await page.wait_for_url("**/read")
        await page.locator(".node").nth(40).wait_for()
        await page.get_by_role("button", name="To the end").click()
        await page.get_by_role("button", name="Play on from here").click()
        await page.wait_for_url("**/r/*")
        await page.locator(".board .piece").first.wait_for()
        async with Connection(server.url) as guest:
            reply: Any = await guest.request(ask.Watch(room=page.url.rsplit("/", 1)[1]))
        assert (reply.variant, reply.status) == ("ffa", "open")
        assert (len(reply.moves), reply.moves[-1]) == (40, "l9j8")

    async def test_a_bad_game_says_where_it_stops(self, server: Any, visit: Visit) -> None:
        page = await visit(server.url, name="Ada")
        await ready(page)
        text = '[Event "x"]\n\n1. e4 {a comment\nof two lines} e5 (1... c5)\n2. Ke3 Nf6 *\n'
        await self.drop(page, "bad.pgn", text)
        await page.get_by_text("Game 1 stops at move 2, Ke3:").wait_for()
        await page.get_by_text("a comment").wait_for()
        await page.get_by_role("button", name="To the end").click()
        await page.get_by_role("button", name="Play on from here").click()
        await page.wait_for_url("**/r/*")
        await page.locator('[data-square=e4][aria-label^="e4, white pawn"]').wait_for()
        await page.locator('[data-square=e5][aria-label^="e5, black pawn"]').wait_for()

    async def test_what_is_no_game_is_told_so(self, server: Any, visit: Visit) -> None:
        page = await visit(server.url)
        await ready(page)
        await self.drop(page, "letter.txt", "Dear Ada")
        await page.get_by_role("alert").get_by_text("letter.txt:").wait_for()
        await self.drop(page, "book.pgn", "1. e4 " + "Nf3 Nf6 Ng1 Ng8 " * 2000)
        await page.get_by_role("alert").get_by_text("too long").wait_for()
        await self.drop(page, "empty.pgn", "{nothing}")
        await page.get_by_role("alert").get_by_text("There is no game in empty.pgn.").wait_for()

    async def test_a_position_is_opened(self, server: Any, visit: Visit) -> None:
        page = await visit(server.url)
        await ready(page)
        file = {"name": "study.fen", "mimeType": "text/plain", "buffer": b"4k3/8/8/8/8/8/8/KQ6 w - - 0 1\n"}
        await page.locator("#file").set_input_files(file)
        await page.wait_for_url("**/r/*")
        await page.locator('[data-square=b1][aria-label^="b1, white queen"]').wait_for()

    @pytest.mark.parametrize(("variant", "format"), [("standard", "pgn"), ("ffa", "pgn4"), ("ffa", "fen")])
    async def test_a_game_is_saved_as_a_file_that_can_be_opened(
        self, server: Any, visit: Visit, tmp_path: Path, variant: str, format: str
    ) -> None:
        async with Connection(server.url, name="Host") as host:
            moves = ["e2e4", "e7e5"] if variant == "standard" else ["h2h3", "b7c7"]
            reply: Any = await host.request(ask.Create(variant=variant, moves=moves))
            room: str = reply.room
        page = await visit(server.url)
        await ready(page)
        save = """async ([room, format]) => {
          const here = document.querySelector('script[type=module]').src;
          const load = (name) => import(here.replace('lobby/lobby.js', name));
          const names = ['ui/files.js', 'net/connection.js', 'net/settings.js'];
          const [{ save }, { Connection }, { socketUrl }] = await Promise.all(names.map(load));
          await save(new Connection(socketUrl()), room, format);
        }"""
        async with page.expect_download() as downloading:
            await page.evaluate(save, [room, format])
        download = await downloading.value
        assert download.suggested_filename == f"fourfold-{room}.{format}"
        path = tmp_path / download.suggested_filename
        await download.save_as(path)
        await self.drop(page, path.name, path.read_text())
        if format != "fen":
            await page.get_by_role("button", name="To the end").click()
            await page.get_by_role("button", name="Play on from here").click()
        await page.wait_for_url("**/r/*")
        square, piece = ("e4", "white pawn") if variant == "standard" else ("h3", "red pawn")
        await page.locator(f'[data-square={square}][aria-label^="{square}, {piece}"]').wait_for()


class TestStorage:
    async def test_a_seat_is_kept_without_storage(self, server: Any, visit: Visit) -> None:
        """From the lobby to the room, over a reload, and back."""
        page = await visit("about:blank")
        await page.add_init_script(f"({NO_STORAGE})()")
        async with Connection(server.url, name="Zoe") as zoe:
            room = await zoe.create("standard", clock=ask.Clock(1_020_000))
            await zoe.join(room, "white")
            await page.goto(server.url)
            row = page.locator(".open-row", has=page.locator(f"a[href='/r/{room}']"))
            await row.get_by_role("button").click()
            await page.wait_for_url(f"**/r/{room}")
            await page.locator(".card.black.yours").wait_for()
            assert await page.evaluate("location.hash") == "", "nobody copies an identity with a link"
            await page.reload()
            await page.locator(".card.black.yours").wait_for()
            await page.locator("a[href='/']").first.click()
            await page.locator(f".own-card[data-room='{room}']").get_by_text("Zoe to move").wait_for()
            await page.locator(f".own-card[data-room='{room}'] a").click()
            await page.locator(".card.black.yours").wait_for()
            await page.go_back()
            await page.locator(f".own-card[data-room='{room}']").wait_for()

    async def test_no_link_signs_anybody_in(self, server: Any, visit: Visit) -> None:
        page = await visit("about:blank")
        await page.add_init_script(f"({NO_STORAGE})()")
        async with Connection(server.url, name="Mallory") as mallory:
            carried = quote(json.dumps({"token": mallory.token, "name": "Mallory"}))
            await page.goto(f"{server.url}/#carried={carried}")
            await page.wait_for_function("() => history.state?.carried?.token")
            assert await page.evaluate("history.state.carried.token") != mallory.token


class TestBuild:
    @pytest.mark.slow
    async def test_an_old_tab_loads_the_new_page_when_nobody_minds(self, server: Any, visit: Visit) -> None:
        page = await visit(server.url, name="Ada")
        await ready(page)
        await page.evaluate("window.old = true")
        told = "import(document.querySelector('script[type=module]').src.replace('lobby/lobby.js', 'net/build.js'))"
        await page.get_by_role("button", name="Create a table").click()
        await page.evaluate(f"{told}.then((build) => build.told('0123456789abcdef', () => true))")
        await page.wait_for_timeout(2500)  # nothing happens: that can't be waited for otherwise
        assert await page.evaluate("window.old"), "a dialog is open"
        async with page.expect_navigation():
            await page.get_by_role("button", name="Close").click()
        await ready(page)
        assert await page.evaluate("window.old") is None
        # Once for each build: two servers that differ do not play ball with a page.
        await page.evaluate(f"window.old = true; {told}.then((build) => build.told('0123456789abcdef', () => true))")
        await page.wait_for_timeout(2500)
        assert await page.evaluate("window.old")

    async def test_the_server_says_which_pages_it_hands_out(self, server: Any, visit: Visit) -> None:
        """After an update a tab comes back to a server of another build."""
        page = await visit("about:blank")
        updated = False

        def socket(route: Any) -> None:
            to = route.connect_to_server()

            def told(message: str) -> None:
                nonlocal updated
                if updated and '"welcome"' in message:
                    message = re.sub('"build":"[0-9a-f]*"', '"build":"fedcba9876543210"', message)
                route.send(message)

            to.on_message(told)

        await page.route_web_socket("**/ws", socket)
        await page.goto(server.url)
        await ready(page)
        await page.evaluate("window.old = true")
        updated = True
        await page.locator("#who").click()
        await page.locator("#name").fill("Ada Two")  # to change its name, a page reconnects
        async with page.expect_navigation():
            await page.locator("#name").press("Enter")
        await ready(page)
        assert await page.evaluate("window.old") is None


async def test_a_page_opens_sockets_to_its_own_host_alone(server: Any, browser: Any) -> None:
    context = await browser.new_context()
    page = await context.new_page()
    await page.goto(server.url)
    await ready(page)  # its own is open
    refused = await page.evaluate("""() => new Promise((resolve) => {
      addEventListener('securitypolicyviolation', (event) => resolve(event.effectiveDirective));
      setTimeout(() => resolve('allowed'), 5000);
      try { new WebSocket('ws://127.0.0.9:9/'); } catch { /* some browsers say so at once */ }
    })""")
    assert refused == "connect-src"
    await context.close()


async def test_nothing_is_cut_or_scrolls_sideways(server: Any, visit: Visit) -> None:
    """With names as wide as they can be."""
    wide = "W" * 24
    async with Connection(server.url, name=wide) as one, Connection(server.url, name=wide) as other:
        rooms = [await one.create(variant, clock=ask.Clock(60_000, delay=15_000)) for variant in ("teams", "ffa")]
        for room in rooms:
            await one.join(room)
        played = await one.create("standard")
        for player in (one, other):
            await player.join(played)
        page = await visit(server.url, name=wide)
        await page.locator(".live-card").first.wait_for()
        await page.locator(".open-row").first.wait_for()
        cut = """() => [...document.querySelectorAll('button, a, input, h2, .panel, .tile')].filter((element) => {
          const box = element.getBoundingClientRect();
          const parent = element.closest('.panel, .tile, .top, .quick, main')?.getBoundingClientRect();
          return box.width > 0 && (box.left < -1 || box.right > Math.min(innerWidth, parent?.right ?? Infinity) + 1);
        }).map((element) => element.outerHTML.slice(0, 120))"""
        for width in (320, 360, 390, 640, 768, 899, 900, 1024, 1181, 1280, 1920, 2560):
            await page.set_viewport_size({"width": width, "height": 800})
            assert await page.evaluate("document.documentElement.scrollWidth") <= width
            assert await page.evaluate(cut) == [], width


async def test_a_tile_shows_whole_words(server: Any, visit: Visit) -> None:
    """A waiting time is shown whole or not at all."""
    async with AsyncExitStack() as stack:
        for name in ("Ada", "Bo", "Cy"):
            seeker = await stack.enter_async_context(Connection(server.url, name=name))
            await seeker.request(ask.Seek(variant="teams", clock=ask.Clock(60_000, delay=15_000)))
            stack.push_async_callback(seeker.request, ask.Unseek())
        page = await visit(server.url)
        await page.locator(".tile", has_text="1 more").wait_for()
        cut = """() => [...document.querySelectorAll('.tile .waiting > :last-child > *')].filter((words) => {
          const [box, line] = [words.getBoundingClientRect(), words.parentElement.getBoundingClientRect()];
          const here = box.width > 0 && box.top < line.bottom - 1;
          return here && (box.right > line.right + 1 || box.bottom > line.bottom + 1);
        }).map((words) => words.textContent)"""
        for width in (320, 360, 740, 768):
            await page.set_viewport_size({"width": width, "height": 800})
            assert await page.evaluate(cut) == [], width


async def test_a_table_at_which_nobody_is_stands_below_the_others(server: Any, visit: Visit) -> None:
    async with Connection(server.url, name="Ada") as ada, Connection(server.url, name="Bo") as bo:
        there = await ada.create("teams")
        await ada.join(there)
        left = await bo.create("teams")
        page = await visit(server.url)
        await page.locator(f"#open [href='/r/{left}']").first.wait_for()
        order = await page.locator("#open [href^='/r/']").evaluate_all("links => links.map((link) => link.pathname)")
        assert order.index(f"/r/{there}") < order.index(f"/r/{left}")
