"""Studies in the browser: two people edit one by mouse, keyboard and form, and find their edits again."""

import itertools
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from fourfold.clients.connection import Connection
from fourfold.protocol import from_client as ask
from fourfold.protocol import from_server as told
from fourfold.protocol import studies as parts
from tests.games.conftest import ServerProcess
from tests.web.conftest import version
from tests.web.pictures import SIZES
from tests.web.test_access import faults
from tests.web.test_play import stands

pytestmark = pytest.mark.asyncio(loop_scope="session")

Visit = Callable[..., Awaitable[Any]]

GAME = "1. e4 e5 2. Nf3 (2. f4 exf4) 2... Nc6 *"


async def press(page: Any, *squares: str, button: str = "left") -> None:
    for square in squares:
        await page.locator(f"[role=gridcell][data-square={square}]").scroll_into_view_if_needed()
        box = await page.locator(f"[role=gridcell][data-square={square}]").bounding_box()
        await page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, button=button)


async def drag(page: Any, start: str, end: str) -> None:
    """Draw a line with the other button."""
    places = [await page.locator(f"[role=gridcell][data-square={square}]").bounding_box() for square in (start, end)]
    middles = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in places]
    await page.mouse.move(*middles[0])
    await page.mouse.down(button="right")
    await page.mouse.move(*middles[1], steps=4)
    await page.mouse.up(button="right")


async def begun(server: ServerProcess, visit: Visit, text: str = "", **how: Any) -> Any:
    """A page with a study of its own."""
    page = await visit(f"{server.url}/studies", **how)
    await page.get_by_label("From").fill(text)
    await page.get_by_role("button", name="Begin").click()
    await page.wait_for_url("**/s/*")
    await complete(page)
    return page


async def complete(page: Any) -> None:
    """Wait for what moves the list of moves when it appears: a click that is already on its way misses its move."""
    await page.locator(".board .piece").first.wait_for()
    await page.locator("#slot h2:not(:empty)").wait_for()


def node(page: Any, text: str) -> Any:
    return page.locator("#moves .node", has_text=text)


async def test_two_people_write_one_study(server: ServerProcess, visit: Visit) -> None:
    ada = await begun(server, visit, name="Ada")
    await ada.get_by_label("Visible to").select_option("link")
    await ada.get_by_label("May write").select_option("everybody")
    await ada.wait_for_function("() => document.getElementById('write').value === 'everybody'")
    bob = await visit(ada.url.split("#")[0], name="Bob")
    await complete(bob)
    await ada.locator("#people li", has_text="Bob").wait_for()

    await press(ada, "e2", "e4")
    await ada.locator("#moves [aria-current]", has_text="e4").wait_for()
    await node(bob, "e4").click()
    await ada.locator("#people li", has_text="Bob writes, at e4").wait_for()
    await bob.locator("[role=gridcell][data-square=e4][aria-label*=pawn]").wait_for()
    await press(bob, "e7", "e5")
    await bob.locator("#moves [aria-current]", has_text="e5").wait_for()
    await press(ada, "c7", "c5")
    variation = ada.locator(".variation")
    await variation.wait_for()
    await bob.locator(".variation").wait_for()
    words = {await page.locator(".variation").get_attribute("aria-label") for page in (ada, bob)}
    main = [[await one.get_attribute("data-focus") for one in await page.locator(".rounds > .node").all()]
            for page in (ada, bob)]  # fmt: skip
    assert main[0] == main[1] and len(main[0]) == 2
    assert len(words) == 1 and words <= {"variation, one move, by Ada", "variation, one move, by Bob"}

    await node(bob, "c5").click()
    await bob.get_by_label("Comment").fill("Sharper.")
    await bob.get_by_role("button", name="Keep").click()
    await bob.get_by_role("button", name="interesting move").click()
    await ada.locator(".comment", has_text="Sharper.").wait_for()
    await node(ada, "c5").locator(".glyph", has_text="!?").wait_for()
    await drag(bob, "g1", "f3")
    await node(ada, "c5").click()
    await ada.locator(".shaft.drawn-green").wait_for()

    await bob.reload()
    await bob.locator(".comment", has_text="Sharper.").wait_for()
    await bob.locator("#moves [aria-current]", has_text="c5").wait_for()
    await bob.locator(".shaft.drawn-green").wait_for()


async def test_a_server_that_was_away_is_followed_again(mortal_server: ServerProcess, visit: Visit) -> None:
    page = await begun(mortal_server, visit, GAME, name="Ada")
    await node(page, "Nf3").click()
    mortal_server.kill()
    mortal_server.start()
    await press(page, "g8", "f6")
    await page.locator("#moves [aria-current]", has_text="Nf6").wait_for(timeout=60_000)


async def test_by_keyboard_and_ear(server: ServerProcess, visit: Visit) -> None:
    page = await begun(server, visit, GAME, name="Ada")

    async def hears(text: str) -> None:
        await page.wait_for_function("(text) => document.getElementById('spoken').textContent.includes(text)", arg=text)

    await page.keyboard.press("ArrowRight")
    await hears("white e4")
    await page.keyboard.press("ArrowRight")
    await page.keyboard.press("ArrowRight")
    await hears("white Nf3, main line, 1 more")
    await page.keyboard.press("ArrowDown")
    await hears("white f4, variation, two moves, by Ada")
    await page.keyboard.press("End")
    await hears("black exf4")
    await page.keyboard.press("Home")
    await hears("The start.")
    await page.keyboard.press("ArrowRight")
    for square in ("d7", "d5"):
        await page.locator(f"[role=gridcell][data-square={square}]").focus()
        await page.keyboard.press("Enter")
    await page.locator("#moves [aria-current]", has_text="d5").wait_for()
    await page.get_by_role("button", name="Promote variation").click()
    await page.locator(".rounds > .node", has_text="d5").wait_for()
    await page.get_by_label("Arrows").fill("d5e4 red, f7 blue")
    await page.get_by_role("button", name="Draw", exact=True).click()
    await page.locator(".shaft.drawn-red").wait_for()
    await page.get_by_role("button", name="Remove from here").click()
    await page.get_by_role("button", name="Remove", exact=True).click()
    await node(page, "d5").wait_for(state="detached")
    assert await page.locator(".shaft.drawn-red").count() == 0


@pytest.mark.parametrize("size", [(1280, 800), (360, 740)], ids=str)
async def test_chapters_and_files_for_four(server: ServerProcess, visit: Visit, size: tuple[int, int]) -> None:
    async with Connection(server.url, name="Cy") as cy:
        created = await cy.request(ask.Create(variant="ffa", moves=["h2h3", "b7c7", "g13g12", "m8l8", "d2d3"]))
        assert isinstance(created, told.Created)
        page = await begun(server, visit, GAME, name="Ada", viewport={"width": size[0], "height": size[1]})
        await page.get_by_text("Add a chapter").click()
        await page.get_by_label("From").fill(f"{server.url}/r/{created.room}")
        await page.get_by_role("button", name="Add", exact=True).click()
        await page.locator(".chapter").nth(1).click()
        await page.locator("[role=gridcell][data-square=n8]").wait_for()
        assert await page.locator(".rounds > .node").count() == 5
        await node(page, "c7").click()
        await page.locator("[role=gridcell][data-square=c7][aria-label*='blue pawn']").wait_for()
        await press(page, "g13", "g11")
        await page.locator(".variation .node[aria-current]", has_text="g11").wait_for()
        assert await faults(page) == []
        await page.get_by_label("Move the chapter up").click()
        await page.locator("li:first-child .chapter[aria-current]").wait_for()
        saved: list[Any] = []
        page.on("download", lambda one: saved.append(one))
        await page.get_by_role("button", name="Save as a file").click()
        words = re.compile("1 chapter for two in .*pgn and 1 chapter for four in .*pgn4")
        await page.locator("#slot", has_text=words).wait_for()
        two, four = [(await one.path()).read_text() for one in saved]
        assert "2... Nc6" in two and "g13-g11" in four and "[Variant" in four
        assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")


async def test_engine_and_explorer(server: ServerProcess, visit: Visit) -> None:
    page = await begun(server, visit, GAME, name="Ada")
    await page.get_by_role("switch", name="Engine").click()
    await page.locator(".lines li").first.wait_for()
    assert await page.locator(".judge:visible i").count() == 2
    await page.get_by_role("heading", name="Explorer").wait_for()


@pytest.mark.by_default
async def test_a_reader_reads(server: ServerProcess, visit: Visit) -> None:
    page = await begun(server, visit, GAME, name="Ada")
    stranger = await visit(page.url)
    await stranger.locator("#sharing", has_text="There is no such study, or it is not shared with you.").wait_for()
    await page.evaluate("document.getElementById('visibility').dataset.before = ''")
    await page.get_by_label("Visible to").select_option("public")
    # the server has answered once there is another list: until then it may still refuse the stranger
    await page.wait_for_function("() => !('before' in document.getElementById('visibility').dataset)")
    assert await page.get_by_label("Visible to").input_value() == "public"
    await stranger.reload()
    await complete(stranger)
    await node(stranger, "e4").click()
    assert await stranger.get_by_label("Comment").count() == 0
    await press(stranger, "d7", "d5")
    await stranger.locator("#slot", has_text="You can view this study, but not edit it.").wait_for()
    await stranger.goto(f"{server.url}/studies")
    await stranger.locator("#public a").first.wait_for()


async def test_a_game_that_is_over_is_studied(server: ServerProcess, visit: Visit) -> None:
    async with Connection(server.url, name="Ann") as ann, Connection(server.url, name="Bob") as bob:
        created = await ann.request(ask.Create(moves=["f2f3", "e7e5"]))
        assert isinstance(created, told.Created)
        for player in (ann, bob):
            await player.join(created.room)
        await bob.resign(created.room)
        page = await visit(f"{server.url}/r/{created.room}#1", name="Cy")
        address = await studied(page)
        assert address.endswith("#1.1")
        await page.locator("#moves [aria-current]", has_text="f3").wait_for()
        title = await page.locator("#title").inner_text()
        assert re.fullmatch(r"Ann against Bob, \d{1,2} [A-Z][a-z]{2}", title)
        await page.goto(f"{server.url}/r/{created.room}")
        assert await studied(page) == address.replace("#1.1", "#1.2")
        await page.get_by_role("button", name="Delete").click()
        await page.get_by_role("dialog").get_by_role("button", name="Delete").click()
        await page.locator("#desk.empty").wait_for()
        await page.goto(f"{server.url}/r/{created.room}#0")
        assert (await studied(page)).split("#")[0] != address.split("#")[0]
        await page.goto(f"{server.url}/studies")
        await page.locator("#mine li", has_text=title).filter(has_text=re.compile(r"\d:\d\d")).wait_for()
        await page.get_by_label("From").fill(f"{server.url}/r/{created.room}#2")
        await page.get_by_role("button", name="Begin").click()
        await page.wait_for_url("**/s/*#1.2")
        await page.locator("#title", has_text="Ann - Bob").wait_for()


async def test_the_marks_of_a_review_are_in_the_study(server: ServerProcess, visit: Visit) -> None:
    async with Connection(server.url, name="Ann") as ann, Connection(server.url, name="Bob") as bob:
        created = await ann.request(ask.Create(moves=["f2f3", "e7e5", "g2g4", "a7a6"]))
        assert isinstance(created, told.Created)
        for player in (ann, bob):
            await player.join(created.room)
        await bob.resign(created.room)
    page = await visit(f"{server.url}/r/{created.room}")
    await page.get_by_role("button", name="Review", exact=True).click()
    await page.locator("#moves .glyph", has_text="??").first.wait_for(timeout=60_000)
    await studied(page)
    await node(page, "g4").locator(".glyph", has_text="??").wait_for()


async def studied(page: Any) -> str:
    """The address of the study that the menu of a game leads to."""
    await page.locator("#moves .ply").first.wait_for(state="attached")
    await page.locator("#more").click()
    await page.get_by_role("button", name="Study this game").click()
    await page.wait_for_url("**/s/*")
    await page.locator("#moves .node").first.wait_for()
    return str(page.url)


async def test_what_each_side_attacks_is_shown(server: ServerProcess, visit: Visit) -> None:
    page = await begun(server, visit, name="Ada")
    loaded = "performance.getEntriesByType('resource').some((one) => one.name.includes('attackmap.js'))"
    assert not await page.evaluate(loaded)
    await page.get_by_role("button", name="What each side attacks").click()
    await page.locator(".attack.white").first.wait_for(state="attached")
    assert [await page.locator(f".attack.{seat}").count() for seat in ("white", "black")] == [22, 22]
    await press(page, "e2", "e4")
    words = page.get_by_role("list", name="Attacked squares").get_by_role("listitem")
    await words.filter(has_text="White").filter(has_text="h5").wait_for(state="attached")
    top = "document.querySelector('.attack.white').getBoundingClientRect().top"  # the squares are drawn again and again
    before = await page.evaluate(top)
    await page.keyboard.press("f")
    await page.wait_for_function(f"(before) => {top} !== before", arg=before)
    assert await faults(page) == []
    await page.keyboard.press("a")
    await page.locator(".attack").first.wait_for(state="detached")
    await page.get_by_text("Add a chapter").click()
    await page.get_by_label("Variant").select_option("ffa")
    await page.get_by_role("button", name="Add", exact=True).click()
    await page.locator(".chapter").nth(1).click()
    await page.locator("[role=gridcell][data-square=n8]").wait_for()
    await page.get_by_role("button", name="What each side attacks").click()
    await page.locator(".attack.green").first.wait_for(state="attached")
    counts = [await page.locator(f".attack.{seat}").count() for seat in ("red", "blue", "yellow", "green")]
    assert counts == [22, 22, 22, 22]


async def test_a_chapter_of_a_game_has_its_players_clocks_and_review(server: ServerProcess, visit: Visit) -> None:
    async with Connection(server.url, name="Ann") as ann, Connection(server.url, name="Bob") as bob:
        clock = ask.Clock(300_000, increment=2000)
        created = await ann.request(ask.Create(clock=clock))
        assert isinstance(created, told.Created)
        for player in (ann, bob):
            await player.join(created.room)
        for number, move in enumerate(["f2f3", "e7e5", "g2g4", "a7a6", "a2a3", "d8h4"]):
            await (ann, bob)[number % 2].move(created.room, move, await version(server.url, created.room))
        page = await begun(server, visit, f"{server.url}/r/{created.room}", name="Ada")
        plates = page.locator("#plates .plate")
        await plates.filter(has_text="Ann").wait_for()
        await plates.filter(has_text="Bob").wait_for()
        await node(page, "g4").click()
        await plates.filter(has_text="Ann").locator(".clock", has_text="5:0").wait_for()
        assert await plates.filter(has_text="Bob").get_attribute("class") == "plate turn"
        assert await plates.locator(".share").count() == 0
        await page.get_by_role("button", name="Review this game").click()
        await page.locator(".graph").wait_for(timeout=180_000)
        box = await page.locator(".graph").bounding_box()
        await page.mouse.click(box["x"] + box["width"] - 1, box["y"] + box["height"] / 2)
        await page.locator("#moves [aria-current]", has_text="Qh4").wait_for()
        await press(page, "e2", "e4")  # no move: the game is over there
        await node(page, "g4").click()
        await stands(page, "d8", "black queen")
        await press(page, "g8", "f6")
        await page.locator("#moves .variation [aria-current]", has_text="Nf6").wait_for()
        await page.locator("#review .remark", has_text="Black can win by force now").wait_for()
        await plates.locator(".share").first.wait_for(state="detached")  # in a variation nothing is known of it
        await node(page, "g4").click()
        await plates.filter(has_text="Bob").locator(".share", has_text="100 %").wait_for()
        await plates.filter(has_text="Ann").locator(".share", has_text="0 %").wait_for()
        assert await faults(page) == []


async def test_files_of_games_become_chapters(server: ServerProcess, visit: Visit, tmp_path: Path) -> None:
    games = tmp_path / "games.pgn"
    long = " ".join(f"{n}. Nf3 {{{'a' * 200}}} Nf6 {n + 1}. Ng1 Ng8" for n in range(1, 50, 2))
    pgn = (f'[Event "{name}"]\n[White "{name}"]\n[Black "Bo"]\n\n{long}\n' for name in ("Ann", "Cy"))
    games.write_text("\n".join(pgn))
    page = await visit(f"{server.url}/studies", name="Ada")
    async with page.expect_file_chooser() as chosen:
        await page.get_by_role("button", name="A file…").click()
    await (await chosen.value).set_files(games)
    await page.wait_for_url("**/s/*")
    await page.locator(".chapter").nth(1).wait_for()
    assert await page.locator(".chapter").all_inner_texts() == ["1. Ann - Bo", "2. Cy - Bo"]
    position = tmp_path / "ending.fen"
    position.write_text("8/8/8/4k3/8/8/4P3/4K3 w - - 0 1\n")
    await page.get_by_text("Add a chapter").click()
    async with page.expect_file_chooser() as chosen:
        await page.get_by_role("button", name="A file…").click()
    await (await chosen.value).set_files(position)
    await page.locator(".chapter").nth(2).click()
    await page.locator("[role=gridcell][data-square=e5][aria-label*='black king']").wait_for()
    empty = tmp_path / "empty.pgn"
    empty.write_text("\n")
    await page.get_by_text("Add a chapter").click()
    async with page.expect_file_chooser() as chosen:
        await page.get_by_role("button", name="A file…").click()
    await (await chosen.value).set_files(empty)
    await page.locator("#slot", has_text="There is no game in empty.pgn.").wait_for()


TWO_STOP = """[Event "One"]

1. e4 {First line.
Second line.} $36 e5 $9 *

[Event "Two"]

1. e4 e5 2. Qd5 *
"""


async def test_what_of_a_text_was_not_read_is_told(server: ServerProcess, visit: Visit) -> None:
    page = await visit(f"{server.url}/studies", name="Ada")
    why = page.locator("#why")
    for text, said in (
        ("nonsense", "There is no game nonsense on this server."),
        ("https://lichess.org/abcdefgh", "This is not the link of a game on this server."),
        (TWO_STOP, "Game 2 stops at move 2, Qd5: the queen on d1 cannot go to d5."),
    ):
        await page.get_by_label("From").fill(text)
        await page.get_by_role("button", name="Begin").click()
        await why.filter(has_text=said).wait_for()
    await page.get_by_role("link", name="Go to the study").click()
    await page.locator(".chapter").nth(1).wait_for()
    comment = page.locator("#moves .comment")
    assert await comment.inner_text() == "First line.\nSecond line."
    assert await page.locator("#moves .glyph").all_inner_texts() == ["↑"]  # nothing stands for $9
    await page.get_by_text("Add a chapter").click()
    await page.locator("#add-text").fill("1. d4 {endless")
    await page.get_by_role("button", name="Add", exact=True).click()
    await page.locator("#slot", has_text="Game 1, move 1: this comment has no end").wait_for()
    await page.locator(".chapter").nth(2).wait_for()


async def test_a_game_longer_than_a_request_is_pasted_and_read_from_a_file(
    server: ServerProcess, visit: Visit, tmp_path: Path
) -> None:
    moves = "".join(f"{n}. Nf3 {{{'Über “dies”. ' * 60}}} Nf6 {n + 1}. Ng1 Ng8 " for n in range(1, 100, 2))
    game = f'[White "Ann"]\n[Black "Bo"]\n\n{moves}*\n'
    page = await begun(server, visit, game, name="Ada")
    await page.locator("#moves .node", has_text="Ng8").nth(49).wait_for()
    (tmp_path / "long.pgn").write_text(game)
    (tmp_path / "endless.pgn").write_text(f"{game[:-2]}{moves * 2}*\n")
    for name in ("long.pgn", "endless.pgn"):
        await page.locator("summary", has_text="Add a chapter").click()
        async with page.expect_file_chooser() as chosen:
            await page.get_by_role("button", name="A file…").click()
        await (await chosen.value).set_files(tmp_path / name)
        if name == "long.pgn":
            await page.locator(".chapter").nth(1).wait_for()
    await page.locator("#slot", has_text="A game in endless.pgn has").wait_for()
    assert await page.locator(".chapter").all_inner_texts() == ["1. Ann - Bo", "2. Ann - Bo"]


async def test_a_finger_draws(server: ServerProcess, visit: Visit) -> None:
    page = await begun(server, visit, name="Ada", viewport={"width": 390, "height": 844}, has_touch=True)
    await page.get_by_role("button", name="Draw in red").click()
    devtools = await page.context.new_cdp_session(page)

    async def touch(*squares: str) -> None:
        places = []
        for square in squares:
            cell = page.locator(f"[role=gridcell][data-square={square}]")
            await cell.scroll_into_view_if_needed()
            box = await cell.bounding_box()
            places.append({"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2})
        await devtools.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": places[:1]})
        for place in places[1:]:
            await devtools.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [place]})
        await devtools.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    async def drawn(text: str) -> None:
        await page.wait_for_function("(text) => document.getElementById('shapes').value === text", arg=text)

    await touch("e2", "e4")
    await drawn("e2e4 red")
    await touch("d5")
    await drawn("e2e4 red, d5 red")
    assert await page.locator("#moves .node").count() == 1, "no move was made"
    await touch("d5")
    await drawn("e2e4 red")
    await page.get_by_role("button", name="Draw in red").click()
    await touch("e2", "e4")
    await page.locator("#moves [aria-current]", has_text="e4").wait_for()


CUT = """() => {
    const box = (element) => element.getBoundingClientRect();
    const faults = document.documentElement.scrollWidth > innerWidth ? ["the page scrolls sideways"] : [];
    for (const sign of document.querySelectorAll(".node :is(.glyph, .stands)")) {
        const [at, node] = [box(sign), box(sign.closest(".node"))];
        if (at.left < node.left - 1 || at.right > node.right + 1) faults.push(`the sign at ${sign.parentElement.textContent} is cut`);
    }
    return faults;
}"""  # noqa: E501


async def test_who_stands_at_a_move_of_four_is_seen_at_any_size(server: ServerProcess, visit: Visit) -> None:
    async with Connection(server.url, name="Ada") as ada, Connection(server.url, name="Bob") as bob:
        source = parts.Source(variant="ffa")
        made = await ada.request(ask.Study(title="Four", visibility="link", write="everybody", source=source))
        assert isinstance(made, told.Created)
        await bob.request(ask.Watch(room=made.room))
        page = await visit(f"{server.url}/s/{made.room}", viewport={"width": 1280, "height": 800})
        await page.locator(".board .piece").first.wait_for()
        for seat, start, end in (
            ("red", "h2", "h3"), ("blue", "b7", "c7"), ("yellow", "g13", "g12"), ("green", "m8", "l8"),
        ):  # fmt: skip
            await press(page, start, end)
            await page.locator("#moves .node[aria-current]", has_text=end).wait_for()
            await stands(page, end, f"{seat} pawn")
        for number in (3, 4):
            await bob.request(ask.Stand(room=made.room, chapter=1, node=number))
            await page.locator(".stands").wait_for()
            for width, height in SIZES:
                await page.set_viewport_size({"width": width, "height": height})
                assert await page.evaluate(CUT) == [], f"{width}x{height}"
            await page.set_viewport_size({"width": 1280, "height": 800})


PLACED = """() => {
    const faults = [];
    const box = (element) => element.getBoundingClientRect();
    const seen = (element) => element.checkVisibility() && element.textContent !== "";
    const within = (inner, outer) => inner.left >= outer.left - 1 && inner.top >= outer.top - 1 && inner.right <= outer.right + 1 && inner.bottom <= outer.bottom + 1;
    const meet = (one, other) => one.left < other.right - 1 && other.left < one.right - 1 && one.top < other.bottom - 1 && other.top < one.bottom - 1;
    const squares = [...document.querySelectorAll("[role=gridcell]")].map(box);
    for (const card of document.querySelectorAll("#plates .card")) {
        const at = box(card);
        if (squares.some((square) => meet(square, at))) faults.push(`${card.ariaLabel} is on the board`);
        const parts = [...card.querySelectorAll(".who, .note, .prey, .clock")].filter(seen);
        for (const part of parts) if (!within(box(part), at)) faults.push(`${part.className} of ${card.ariaLabel} is cut`);
        for (const [n, part] of parts.entries()) for (const other of parts.slice(0, n)) if (meet(box(part), box(other))) faults.push(`${part.className} of ${card.ariaLabel} is on another part`);
    }
    for (const line of document.querySelectorAll(".lines .line")) {
        const at = box(line);
        for (const move of line.children) if (box(move).top < at.bottom - 1 && box(move).right > at.right + 1 && move !== line.firstElementChild) faults.push(`${move.textContent} is cut`);
    }
    return faults;
}"""  # noqa: E501
"""The plates that overlap a square, and cut-off parts of plates and of the engine's lines."""


async def test_the_plates_of_four_show_the_share_of_each(server: ServerProcess, visit: Visit) -> None:
    page = await visit(f"{server.url}/studies", name="Ada", viewport={"width": 1280, "height": 800})
    await page.get_by_label("Variant").select_option("ffa")
    await page.get_by_role("button", name="Begin").click()
    await page.wait_for_url("**/s/*")
    cards = page.locator("#plates .card")
    await cards.first.wait_for()
    assert await cards.evaluate_all("all => all.map((one) => one.dataset.at)") == ["bottom", "left", "top", "right"]
    assert await page.locator("#plates .card.to-move.red").count() == 1
    await page.get_by_role("switch", name="Engine").click()
    await cards.first.locator(".clock", has_text="%").wait_for()
    await page.locator(".lines li").nth(2).wait_for(timeout=60_000)
    figures = "all => all.reduce((sum, one) => sum + parseInt(one.textContent), 0)"
    assert 98 <= await page.locator("#plates .clock").evaluate_all(figures) <= 102
    assert "share" in await cards.first.get_attribute("aria-label")
    for width, height in SIZES:
        await page.set_viewport_size({"width": width, "height": height})
        assert await page.evaluate(PLACED) == [], f"{width}x{height}"
    await page.set_viewport_size({"width": 1280, "height": 800})
    await page.get_by_role("button", name="Turn the board").click()
    await page.locator("#plates .card.blue[data-at=bottom]").wait_for()
    assert await faults(page) == []


async def test_who_stands_at_a_move_of_two_is_beside_it(server: ServerProcess, visit: Visit) -> None:
    async with Connection(server.url, name="Ada") as ada, Connection(server.url, name="Bob") as bob:
        made = await ada.request(ask.Study(title="Two", visibility="link", source=parts.Source(text=GAME)))
        assert isinstance(made, told.Created)
        await bob.request(ask.Watch(room=made.room))
        await bob.request(ask.Stand(room=made.room, chapter=1, node=3))
        page = await visit(f"{server.url}/s/{made.room}#1.1", viewport={"width": 360, "height": 740})
        await page.locator(".stands").wait_for()
        for width, height in SIZES:
            await page.set_viewport_size({"width": width, "height": height})
            away = await page.locator(".stands").evaluate(
                "sign => { const move = document.createRange(); move.selectNode(sign.previousSibling);"
                " return sign.getBoundingClientRect().left - move.getBoundingClientRect().right; }"
            )
            assert 0 <= away <= 12, f"{width}x{height}"


async def test_the_lobby_leads_to_studies(server: ServerProcess, visit: Visit) -> None:
    page = await visit(server.url, viewport={"width": 320, "height": 568})
    links = page.get_by_role("navigation", name="Pages").get_by_role("link")
    for width, height in (*SIZES, (640, 800)):
        await page.set_viewport_size({"width": width, "height": height})
        boxes = [await link.bounding_box() for link in await links.all()]
        assert len(boxes) == 4
        if width >= 640:
            boxes.append(await page.locator("#who").bounding_box())
        assert all(box["x"] >= 0 and box["x"] + box["width"] <= width for box in boxes), f"{width}x{height}"
        assert all(one["x"] + one["width"] <= other["x"] + 1 for one, other in itertools.pairwise(boxes))
    await links.filter(has_text="Study").click()
    await page.get_by_role("heading", name="A new study").wait_for()
