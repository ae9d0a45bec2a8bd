"""For everybody: by keyboard alone, by ear, and held against the rules of axe (WCAG 2.2 A and AA).

Every page in every state and theme is, by `test_scenes`.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from fourfold.clients.connection import Connection
from fourfold.protocol import from_client as ask
from tests.web.conftest import version
from tests.web.pictures import SCHEMES, SIZES

pytestmark = pytest.mark.asyncio(loop_scope="session")

Visit = Callable[..., Awaitable[Any]]
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]


async def check_access_and_width(page: Any) -> None:
    """Assert that a page has no violation, light or dark, and is nowhere wider than the window."""
    for scheme in SCHEMES:
        await page.emulate_media(color_scheme=scheme)
        assert await faults(page) == [], scheme
    for width, height in SIZES:
        await page.set_viewport_size({"width": width, "height": height})
        assert await page.evaluate("document.documentElement.scrollWidth") <= width, (width, height)


async def faults(page: Any) -> list[str]:
    """The violations that axe finds on a page, with their places."""
    axe = pytest.importorskip("axe_playwright_python.async_playwright", reason="axe-playwright-python is missing").Axe()
    if not await page.evaluate("'axe' in window"):
        await page.evaluate(axe.axe_script)
    # `preload` would load the style sheets once more, which fails while the server is away.
    options = {"runOnly": {"type": "tag", "values": TAGS}, "resultTypes": ["violations"], "preload": False}
    violations = await page.evaluate("options => axe.run(options).then((found) => found.violations)", options)
    return [
        f"{violation['id']}: {node['target']} {node['failureSummary']}"
        for violation in violations
        for node in violation["nodes"]
    ]


async def opened(server: Any, variant: str) -> tuple[str, list[Connection]]:
    """A room whose seats are all taken by programs that have moved once."""
    players = [Connection(server.url, name=f"Player {number}") for number in range(2 if variant == "standard" else 4)]
    for player in players:
        await player.__aenter__()
    reply = await players[0].request(ask.Create(variant=variant, clock=ask.Clock(base=600_000)))
    room: str = reply.room  # type: ignore[attr-defined]
    for player in players:
        await player.join(room)
    moves = ["e2e4", "e7e5"] if variant == "standard" else ["h2h3", "b7c7", "g13g12", "m8l8"]
    for player, move in zip(players, moves, strict=True):
        await player.move(room, move, await version(server.url, room))
    return room, players


@pytest.mark.parametrize(
    ("variant", "scheme"), [pytest.param("standard", "dark", marks=pytest.mark.slow), ("survivor", "light")]
)
async def test_axe_finds_nothing_in_a_game(server: Any, visit: Visit, variant: str, scheme: str) -> None:
    room, players = await opened(server, variant)
    page = await visit(f"{server.url}/r/{room}", color_scheme=scheme, reduced_motion="reduce")
    await page.locator(".ply").first.wait_for()
    await players[0].propose(room, "undo", await version(server.url, room), 1)
    await page.locator(".slot.asks").wait_for()
    assert await faults(page) == []
    for player in players[1:]:
        await player.vote(room, 1, False)
        break
    await players[0].resign(room)
    for player in players[1:-1]:
        await player.resign(room)
    await page.locator(".slot.ends").wait_for()
    assert await faults(page) == []
    for player in players:
        await player.__aexit__(None, None, None)


async def test_axe_finds_nothing_in_the_lobby_and_before_a_game(server: Any, visit: Visit) -> None:
    async with Connection(server.url, name="Host") as host:
        room = await host.create("survivor")
        page = await visit(server.url, reduced_motion="reduce")
        await page.locator(f'a[href="/r/{room}"]').wait_for()
        assert await faults(page) == []
        await page.goto(f"{server.url}/r/{room}")
        await page.locator(".people").wait_for()
        assert await faults(page) == []


@pytest.mark.by_default
async def test_a_game_by_keyboard_alone_and_by_ear(server: Any, visit: Visit) -> None:
    async with Connection(server.url, name="Bo") as black:
        room = await black.create("standard")
        page = await visit(f"{server.url}/r/{room}", name="Ada")
        await page.locator(".card").get_by_label("Sit here, at white").focus()
        await page.keyboard.press("Enter")
        await page.locator(".card.white.yours").wait_for()
        await black.join(room)
        await page.locator(".card.white.to-move").wait_for()
        await page.locator("[data-square][tabindex='0']").focus()  # the board is one stop, at e1
        for key in ("ArrowUp", "Enter", "ArrowUp", "ArrowUp", "Enter"):
            await page.keyboard.press(key)
        spoken = page.locator("#spoken")
        await page.get_by_text("Ada: pawn from e2 to e4.", exact=True).wait_for()
        assert await page.evaluate("document.activeElement.getAttribute('data-square')") == "e4"
        await black.move(room, "d7d5", await version(server.url, room))
        await page.wait_for_function("() => document.querySelector('#spoken').textContent.includes('Your turn.')")
        assert await spoken.text_content() == "Bo: pawn from d7 to d5. Your turn."
        box = page.locator("#move")
        for text, heard in (
            ("Nf9", "“Nf9” is not"),
            ("Qh6", "“Qh6” is not possible now."),
            ("p p", "white pawn"),
            ("exd5", "Ada: pawn from e4 takes pawn, to d5."),
        ):
            await box.fill(text)
            await box.press("Enter")
            says = "text => document.querySelector('#spoken').textContent.includes(text)"
            await page.wait_for_function(says, arg=heard)


async def walk(page: Any, square: str) -> None:
    """Go to a square of the board by arrow keys, as a player sees it."""
    where = """square => {
        const middle = (element) => { const box = element.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2, box.width]; };
        const [x, y, side] = middle(document.activeElement);
        const [right, down] = middle(document.querySelector(`[data-square=${square}]`));
        return [Math.round((right - x) / side), Math.round((down - y) / side)];
    }"""  # noqa: E501
    right, down = await page.evaluate(where, square)
    for key, times in (("ArrowRight", right), ("ArrowLeft", -right), ("ArrowDown", down), ("ArrowUp", -down)):
        for _ in range(times):
            await page.keyboard.press(key)
    assert await page.evaluate("document.activeElement.dataset.square") == square


async def test_a_game_of_four_by_keyboard_alone(server: Any, visit: Visit) -> None:
    """Blue, who sees the board from the left edge: sits down, moves, votes and resigns without a mouse."""
    async with (
        Connection(server.url, name="Red") as red,
        Connection(server.url, name="Yellow") as yellow,
        Connection(server.url, name="Green") as green,
    ):
        room = await red.create("survivor")
        page = await visit(f"{server.url}/r/{room}", name="Ada")
        await page.locator(".card").get_by_label("Sit here, at blue").focus()
        await page.keyboard.press("Enter")
        await page.locator('.card.blue.yours[data-at="bottom"]').wait_for()
        for seat, player in {"red": red, "yellow": yellow, "green": green}.items():
            await player.join(room, seat)
        await red.move(room, "h2h3", await version(server.url, room))
        await page.locator(".card.blue.to-move").wait_for()
        await page.locator("[data-square][tabindex='0']").focus()
        await walk(page, "d4")  # the corner of the cross, and back
        await walk(page, "b7")
        await page.keyboard.press("Enter")
        assert await page.locator(".hints .dot").count() == 2
        await page.keyboard.press("ArrowUp")
        await page.keyboard.press("Space")
        await page.get_by_text("Ada: pawn from b7 to c7.", exact=True).wait_for()
        await yellow.move(room, "g13g12", await version(server.url, room))
        await green.propose(room, "undo", await version(server.url, room), 1)
        agree = page.get_by_role("button", name="Agree")
        await page.locator("[data-does=agree]:enabled").wait_for()  # a new dialog ignores keys at first
        await agree.focus()
        await page.keyboard.press("Enter")
        await page.locator(".electors", has_text="You✓").wait_for()
        await red.vote(room, 1, True)
        await yellow.vote(room, 1, True)
        await page.locator('[data-square=g13][aria-label^="g13, yellow pawn"]').wait_for()
        await page.locator("[data-does=resign]:enabled").wait_for()
        await page.get_by_role("button", name="Resign").focus()
        await page.keyboard.press("Enter")
        await page.get_by_role("dialog").wait_for()
        await page.keyboard.press("Tab")
        await page.keyboard.press("Enter")
        await page.locator(".card.blue.out").wait_for()
        await page.get_by_text("Ada resigns.").wait_for()


@pytest.mark.slow
async def test_the_lobby_pairs_those_who_seek_the_same(server: Any, visit: Visit) -> None:
    one, other = await asyncio.gather(visit(server.url, name="Ada"), visit(server.url, name="Bo"))
    for page in (one, other):
        await page.locator("#live .live-card, #live .nothing-here").first.wait_for()
        await page.get_by_label("Play Chess now, 2 players, 3+2").click()
    for page in (one, other):
        await page.wait_for_url("**/r/*")
    assert one.url == other.url
    for page in (one, other):
        await page.locator(".card.to-move").wait_for()
        await page.get_by_text("Chess 3+2").wait_for()


@pytest.mark.slow
async def test_a_table_is_opened_and_reached_by_its_code(server: Any, visit: Visit) -> None:
    host, guest = await asyncio.gather(visit(server.url, name="Ada"), visit(server.url, name="Bo"))
    await host.get_by_role("button", name="Create a table").click()
    await host.get_by_text("Play with clocks").click()
    await host.get_by_text("More: private, password, position").click()
    await host.locator("#position").fill("8/8/8/8/8/8/8/8 w - - 0 1")
    await host.get_by_role("button", name="Open the table").click()
    await host.get_by_text("White has no king").wait_for()  # every fault at once
    await host.get_by_text("Black has no king").wait_for()
    await host.locator("#position").fill("7k/8/8/8/8/8/8/KQ6 w - - 0 1")
    await host.get_by_text("Private: not in lists").click()
    await host.get_by_role("button", name="Open the table").click()
    await host.wait_for_url("**/r/*")
    await host.locator(".card.white.yours").wait_for()
    await guest.get_by_label("Have a link or a code?").fill(host.url)
    await guest.get_by_role("button", name="Go").click()
    await guest.locator(".card").get_by_label("Sit here, at black").click()
    await host.locator(".card.white.to-move").wait_for()
    # Chat; a chat line is not taken for markup.
    await guest.locator("#text").fill("<b>good</b> luck")
    await guest.locator("#text").press("Enter")
    await host.get_by_text("<b>good</b> luck").first.wait_for()
    # A finished game opens by its link, and can be looked through.
    await host.locator("#move").fill("Qb7")
    await host.locator("#move").press("Enter")
    await guest.get_by_role("button", name="Resign").click()
    await guest.get_by_role("dialog").get_by_role("button", name="Resign").click()
    await host.locator(".card.white.won").wait_for()
    await guest.reload()
    await guest.get_by_role("heading", name="You lost").wait_for()
    await guest.get_by_text("Ada won by resignation.").wait_for()
    await guest.get_by_text("Bo resigned").first.wait_for()
    await guest.locator("#first").click()
    await guest.locator('[data-square=b1][aria-label^="b1, white queen"]').wait_for()
    await guest.locator("#more").click()
    await guest.get_by_role("button", name="FEN").click()
    text = await guest.locator("dialog textarea").input_value()
    assert text.startswith("7k/8/8/8/8/8/8/KQ6 w"), "the position that is looked at"


@pytest.mark.slow
@pytest.mark.parametrize("variant", ["standard", "survivor"])
async def test_a_position_is_set_up_and_played_from(server: Any, visit: Visit, variant: str) -> None:
    page = await visit(server.url, viewport={"width": 1280, "height": 900})
    await page.get_by_role("button", name="Create a table").click()
    await page.locator(f"[name=variant][value={variant}]").check()
    await page.get_by_text("More: private, password, position").click()
    await page.get_by_role("button", name="Set up the board").click()
    editor = page.get_by_role("dialog", name="Set up the board")
    await editor.get_by_role("button", name="Empty board").click()
    assert await faults(page) == []
    opens = editor.get_by_role("button", name="Open a table")
    wrong = editor.locator(".faults:not(.fine) li")
    count = 2 if variant == "standard" else 1  # of four, armies may be missing
    await wrong.nth(count - 1).wait_for()
    assert await wrong.count() == count, "every fault at once"
    assert await opens.is_disabled()
    standing = {
        "standard": {"white king": "e1", "white rook": "h1", "black king": "e8"},
        "survivor": {"red king": "h1", "blue king": "a7", "yellow king": "g14", "green king": "n8", "red queen": "g4"},
    }[variant]
    for piece, square in standing.items():
        await editor.get_by_role("button", name=piece, exact=True).click()
        await editor.locator(f"[data-square={square}]").click()
    first = "White" if variant == "standard" else "Red"
    # Pieces can be dragged elsewhere and off the board; a click with the same piece removes one.
    king, square = next(iter(standing.items()))
    await editor.get_by_role("button", name=king, exact=True).click()
    elsewhere = "d3" if variant == "standard" else "h6"
    spot = editor.locator(f"[data-square={elsewhere}]")
    await editor.locator(f"[data-square={square}]").drag_to(spot)
    await editor.locator(f'[data-square={elsewhere}][aria-label$="{king}"]').wait_for()
    await spot.drag_to(editor.locator("h2"))
    await editor.locator(f'[data-square={elsewhere}][aria-label$="empty"]').wait_for()
    for _ in range(3):
        await editor.locator(f"[data-square={square}]").click()
    await editor.get_by_text("A game can begin from here.").wait_for()
    if variant == "standard":
        await editor.get_by_label("White long").check()
        await editor.get_by_text("White cannot have the right to castle long").wait_for()
        await editor.get_by_label("White long").uncheck()
        await editor.get_by_label("White short").check()
        box = editor.get_by_label("FEN")
        position = await box.input_value()
        assert position == "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
        await box.fill("4k3/8 w")
        await box.press("Tab")
        await wrong.first.wait_for()
        study = "4k3/8/8/3pP3/8/8/8/4K2R w K d6 0 31"
        await box.fill(study)
        await box.press("Tab")
        await editor.locator('[data-square=d5][aria-label$="black pawn"]').wait_for()
        assert await box.input_value() == study, "what the board does not show is kept"
        await box.fill(position)
        await box.press("Tab")
    await editor.get_by_text("A game can begin from here.").wait_for()
    await opens.click()
    await page.wait_for_url("**/r/*")
    for piece, square in standing.items():
        await page.locator(f'[data-square={square}][aria-label^="{square}, {piece}"]').wait_for()
    await page.locator(f".card.{first.lower()}.yours").wait_for()
