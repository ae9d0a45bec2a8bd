"""People play in browsers: real Chromium, the real server, nothing between."""

import asyncio
import contextlib
import itertools
import signal
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from fourfold.clients.connection import Connection
from fourfold.protocol import events as happened
from fourfold.protocol import from_client as ask
from fourfold.protocol import from_server as told
from tests.games.conftest import ServerProcess
from tests.web.conftest import version

pytestmark = pytest.mark.asyncio(loop_scope="session")

Visit = Callable[..., Awaitable[Any]]


async def opened(server: Any, variant: str = "standard", **terms: Any) -> tuple[str, str]:
    """A room, opened by a program: its id and its page's address."""
    async with Connection(server.url, name="Host") as host:
        reply = await host.request(ask.Create(variant=variant, **terms))
        room: str = reply.room  # type: ignore[attr-defined]
        return room, f"{server.url}/r/{room}"


async def sit(page: Any, seat: str) -> None:
    await page.locator(".card").get_by_label(f"Sit here, at {seat}").click()
    await page.locator(f".card.{seat}.yours").wait_for()


async def two(visit: Visit, server: Any, **terms: Any) -> tuple[Any, Any]:
    """The pages of two who sit at a new table: white and black."""
    _, url = await opened(server, **terms)
    white, black = await asyncio.gather(visit(url), visit(url))
    await sit(white, "white")
    await sit(black, "black")
    return white, black


async def middle(page: Any, square: str) -> tuple[float, float]:
    box = await page.locator(f"[data-square={square}]").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


async def click(page: Any, *squares: str) -> None:
    for square in squares:
        await page.mouse.click(*await middle(page, square))


async def drag(page: Any, source: str, target: str) -> None:
    await page.mouse.move(*await middle(page, source))
    await page.mouse.down()
    await page.mouse.move(*await middle(page, target), steps=4)
    await page.mouse.up()


async def stands(page: Any, square: str, what: str) -> None:
    """Wait until something stands on a square."""
    await page.locator(f'[data-square={square}][aria-label^="{square}, {what}"]').wait_for()


async def turn_of(page: Any, seat: str) -> None:
    await page.locator(f".card.{seat}.to-move").wait_for()


async def written(page: Any, *moves: str) -> None:
    """Wait until these are the last moves of the list."""
    await page.wait_for_function(
        "moves => [...document.querySelectorAll('.ply')].slice(-moves.length).map(e => e.textContent).join()"
        " === moves.join()",
        arg=list(moves),
    )


@pytest.mark.by_default
async def test_two_play_by_clicks_and_drags_to_mate(server: Any, visit: Visit) -> None:
    _, url = await opened(server, clock=ask.Clock(base=300_000, increment=2_000))
    white, black = await asyncio.gather(visit(url, name="Ada"), visit(url, name="Bo"))
    await sit(white, "white")
    await sit(black, "black")
    await turn_of(white, "white")
    await click(white, "f2", "f3")
    await stands(black, "f3", "white pawn")
    await drag(black, "e7", "e5")
    await stands(white, "e5", "black pawn")
    await drag(white, "g2", "g4")
    await turn_of(black, "black")
    await click(black, "d8")
    assert await black.locator(".hints .dot").count() == 4
    await click(black, "h4")
    await written(white, "f3", "e5", "g4", "Qh4#")
    for page, heading, why in (
        (white, "You lost", "Bo won by checkmate. 2 moves"),
        (black, "You won", "Checkmate. 2 moves"),
    ):
        await page.get_by_role("heading", name=heading).wait_for()
        await page.locator(".slot .text", has_text=why).wait_for()
        await page.locator(".marks .check").wait_for()
    assert await white.locator(".card.black.won .name").text_content() == "Bo"
    # A rematch, by vote, from the other side.
    await white.get_by_role("button", name="Rematch").click()
    await black.get_by_text("Ada would like a rematch.").first.wait_for()
    await black.get_by_role("button", name="Rematch 1/2").click()
    await white.locator(".card.black.yours").wait_for()
    await stands(white, "d8", "black queen")
    await white.locator('.card.black[data-at="bottom"]').wait_for()


async def test_what_is_not_possible_is_not_done(server: Any, visit: Visit) -> None:
    white, black = await two(visit, server)
    await turn_of(white, "white")
    await drag(white, "e2", "e6")
    await stands(white, "e2", "white pawn")
    await click(white, "e2", "e4")
    await stands(black, "e4", "white pawn")
    await white.locator("#move").fill("e7e5")
    await white.locator("#move").press("Enter")
    await white.get_by_text("It is not your turn.").first.wait_for()


async def test_a_pawn_becomes_what_is_picked(server: Any, visit: Visit) -> None:
    white, black = await two(visit, server, position="7k/P7/8/8/8/8/8/K7 w - - 0 1")
    await turn_of(white, "white")
    await drag(white, "a7", "a8")
    picker = white.get_by_role("dialog", name="Promote to")
    await picker.wait_for()
    await white.keyboard.press("2")
    await stands(black, "a8", "white knight")
    await written(black, "a8=N")


async def test_a_move_chosen_ahead_is_made_in_turn(server: Any, visit: Visit) -> None:
    white, black = await two(visit, server)
    await turn_of(black, "white")
    await click(black, "g8")
    assert await black.locator(".hints .ahead").count() == 3, "wherever a knight might go: f6, h6, e7"
    await click(black, "g5")  # where none goes: nothing is chosen
    assert await black.locator(".marks .premove, .marks .selected").count() == 0
    ways = ("Escape", "click", "right")
    for way in ways:  # to take it back
        await click(black, "e7", "e5")
        assert await black.locator(".marks .premove").count() == 2
        if way == "Escape":
            await black.locator("[data-square=e5]").focus()
            await black.keyboard.press("Escape")
        else:
            await black.mouse.click(*await middle(black, "a4"), button="left" if way == "click" else "right")
        assert await black.locator(".marks .premove").count() == 0
    await drag(black, "e7", "e5")
    assert await black.locator(".marks .premove").count() == 2
    await click(white, "e2", "e4")
    await written(white, "e4", "e5")
    # Several are made in order; the next one starts where the one before ends.
    await turn_of(black, "white")
    await click(black, "b8", "c6")
    await click(black, "c6", "d4")
    assert await black.locator(".hints .premoved").count() == 2
    assert await black.locator(".premoved-number").all_text_contents() == ["1", "2"]
    await stands(black, "d4", "black knight")
    await click(white, "a2", "a3")
    await written(white, "e4", "e5", "a3", "Nc6")
    assert await black.locator(".hints .premoved").count() == 1
    await click(white, "a3", "a4")
    await written(white, "e4", "e5", "a3", "Nc6", "a4", "Nd4")
    # An impossible premove is dropped, and announced.
    await turn_of(black, "white")
    await click(black, "d7", "d5")
    await click(white, "f1", "b5")
    await black.get_by_text("Your premove is not possible now.").first.wait_for()
    await turn_of(black, "black")


async def test_the_next_move_is_chosen_while_one_is_on_its_way(mortal_server: ServerProcess, visit: Visit) -> None:
    white, black = await two(visit, mortal_server)
    await turn_of(white, "white")
    mortal_server.signal(signal.SIGSTOP)
    await click(white, "e2", "e4", "g1")
    assert await white.locator(".card.to-move").count() == 0
    assert await white.locator(".hints .ahead").count() == 3, "wherever a knight might go: e2, f3, h3"
    await click(white, "f3")
    assert await white.locator(".marks .premove").count() == 2
    mortal_server.signal(signal.SIGCONT)
    await turn_of(black, "black")
    await click(black, "e7", "e5")
    await written(white, "e4", "e5", "Nf3")


async def test_draw_offers_can_be_refused_for_good(server: Any, visit: Visit) -> None:
    room, url = await opened(server, "survivor")
    async with (
        Connection(server.url, name="Bo") as blue,
        Connection(server.url, name="Cy") as yellow,
        Connection(server.url, name="Di") as green,
    ):
        page = await visit(url)
        await sit(page, "red")
        for player in (blue, yellow, green):
            await player.join(room)
        await turn_of(page, "red")
        await blue.propose(room, "draw", await version(server.url, room))
        await page.locator(".slot.asks").wait_for()
        await page.locator("#more").click()
        await page.get_by_label("Refuse all draw offers").check()
        await page.locator(".slot.asks").wait_for(state="detached")
        await page.reload()  # it is kept
        await turn_of(page, "red")
        await yellow.propose(room, "draw", await version(server.url, room))
        async for frame in yellow.follow(room):
            if isinstance(frame, told.Update) and happened.Closed(2, "refused") in frame.events:
                break
        await page.locator("#more").click()
        await page.get_by_label("Refuse all draw offers").uncheck()
        await page.keyboard.press("Escape")
        await green.propose(room, "draw", await version(server.url, room))
        await page.get_by_role("button", name="Refuse", exact=True).click()


async def test_pieces_may_face_their_players(server: Any, visit: Visit) -> None:
    _, url = await opened(server, "survivor")
    page = await visit(url)
    angles = """[...'rbyg'].map(seat => ({r: 'h1', b: 'a7', y: 'g14', g: 'n8'})[seat]).map((square) => {
        const [x, y] = ['x', 'y'].map((at) => document.querySelector(`[data-square=${square}]`).getAttribute(at) + 'px');
        const piece = [...document.querySelectorAll('.pieces .piece')].find((one) => one.style.transform === `translate(${x}, ${y})`);
        return getComputedStyle(piece.querySelector('use')).rotate;
    })"""  # noqa: E501
    await page.locator(".board .piece").first.wait_for()
    assert await page.evaluate(angles) == ["none"] * 4
    await page.get_by_role("button", name="Preferences").click()
    await page.get_by_label("Pieces face their players").check()
    assert await page.evaluate(angles) == ["0deg", "90deg", "180deg", "270deg"]
    await page.keyboard.press("Escape")
    await page.get_by_role("button", name="Turn the board").click()
    assert await page.evaluate(angles) == ["270deg", "0deg", "90deg", "180deg"]
    await page.reload()
    await page.locator(".board .piece").first.wait_for()
    assert await page.evaluate(angles) == ["0deg", "90deg", "180deg", "270deg"]


async def test_players_talk_among_themselves(server: Any, visit: Visit) -> None:
    room, url = await opened(server)
    player, spectator = await asyncio.gather(visit(url, name="Ada"), visit(url, name="Eve"))
    async with Connection(server.url, name="Bo") as black:
        await black.join(room, "black")
        await sit(player, "white")
        assert await spectator.get_by_label("To whom").is_hidden()
        for to, text in (("table", "Between us"), ("all", "To everybody")):
            await player.get_by_label("To whom").select_option(to)
            await player.get_by_label("Say something").fill(text)
            await player.get_by_role("button", name="Send").click()
            await player.locator(".said p", has_text=text).wait_for()
        await spectator.locator(".said p", has_text="To everybody").wait_for()
        assert await spectator.locator(".said p").count() == 1


async def test_the_lobbys_small_boards_are_no_spectators(server: Any, visit: Visit) -> None:
    room, url = await opened(server)
    async with Connection(server.url, name="W") as white, Connection(server.url, name="B") as black:
        await white.join(room)
        await black.join(room)
        lobby = await visit(server.url)
        small = lobby.locator(f'.live-card[href="/r/{room}"] .mini')
        await small.locator(".piece").first.wait_for()
        await white.move(room, "e2e4", await version(server.url, room))
        await small.locator(".marks .last").first.wait_for()
        page = await visit(url)
        await page.get_by_text("1 watching", exact=True).wait_for()


async def test_four_play_and_vote_on_an_undo(server: Any, visit: Visit) -> None:
    _, url = await opened(server, "survivor")
    seats = ["red", "blue", "yellow", "green"]
    pages = await asyncio.gather(*(visit(url, name=seat.title()) for seat in seats))
    for page, seat in zip(pages, seats, strict=True):
        await sit(page, seat)
        await page.locator(f'.card.{seat}[data-at="bottom"]').wait_for()
    red, blue, yellow, green = pages
    for page, seat, (source, target) in zip(
        pages, seats, [("h2", "h3"), ("b7", "c7"), ("g13", "g12"), ("m8", "l8")], strict=True
    ):
        await turn_of(page, seat)
        await click(page, source, target)
    await written(red, "h2-h3", "b7-c7", "g13-g12", "m8-l8")
    for answer, outcome in (("Refuse", "l8"), ("Agree", "m8")):
        # A refused proposer waits; another may ask.
        asker, voters = (yellow, [red, blue, green]) if answer == "Agree" else (blue, [red])
        await asker.get_by_role("button", name="Undo").click()
        own = f"Take back {2 if asker is yellow else 3} moves, to my last turn"
        assert await asker.locator("#undo .item").first.inner_text() == own
        await asker.get_by_role("button", name="Take back 1 move", exact=True).click()
        for page in voters:
            await stands(page, "m8", "green pawn")  # the position that it is about is shown at once
            await page.get_by_role("button", name="Now", exact=True).click()
            await stands(page, "l8", "green pawn")
            await page.get_by_role("button", name=answer).click()
        for page in pages:
            await page.locator(".slot.asks").wait_for(state="detached")
            await stands(page, outcome, "green pawn")
        said = "All agreed: 1 move taken back" if answer == "Agree" else "Red refused to take back 1 move"
        await green.get_by_role("heading", name=said).wait_for()
    await written(green, "h2-h3", "b7-c7", "g13-g12")
    await turn_of(green, "green")
    await green.get_by_role("button", name="Resign").click()
    await green.get_by_role("dialog").get_by_role("button", name="Resign").click()
    for page in pages:
        await stands(page, "n8", "grey green king")
        await page.locator(".card.green.out").wait_for()
        await turn_of(page, "red")


@pytest.mark.parametrize("variant", ["Chess", pytest.param("Survivor", marks=pytest.mark.slow)])
async def test_a_person_plays_with_the_servers_bots(server: Any, visit: Visit, variant: str) -> None:
    page = await visit(server.url, name="Ada")
    await page.get_by_role("button", name="Create a table").click()
    await page.locator("#variants").get_by_text(variant, exact=True).click()
    others = ["Black"] if variant == "Chess" else ["Blue", "Yellow", "Green"]
    for seat in others:
        await page.get_by_label(seat, exact=True).select_option("1")
    await page.get_by_role("button", name="Open the table").click()
    await page.wait_for_url("**/r/*")
    first, moves = ("white", ["e2", "e4"]) if variant == "Chess" else ("red", ["h2", "h3"])
    await turn_of(page, first)
    await click(page, *moves)
    await page.locator(".ply").nth(len(others)).wait_for()
    await turn_of(page, first)
    assert "level 1" in (await page.locator(f".card.{others[0].lower()} .name").text_content()).lower()


async def test_the_moves_keep_their_columns_when_somebody_is_out(server: Any, visit: Visit) -> None:
    room, url = await opened(server, "survivor")
    page = await visit(url)
    async with contextlib.AsyncExitStack() as stack:
        seats = ("red", "blue", "yellow", "green")
        players = [await stack.enter_async_context(Connection(server.url, name=seat)) for seat in seats]
        for player, seat in zip(players, seats, strict=True):
            await player.join(room, seat)
        moves = ["h2h3", "b7c7", "g13g12", None, "h3h4", "c7d7", "g12g11", "h4h5"]
        for player, move in zip(itertools.cycle(players), moves[:4], strict=False):
            await (player.resign(room) if move is None else player.move(room, move, await version(server.url, room)))
        for player, move in zip(itertools.cycle(players[:3]), moves[4:], strict=False):
            await player.move(room, str(move), await version(server.url, room))
    await written(page, "g12-g11", "h4-h5")
    left = "seat => [...new Set([...document.querySelectorAll(seat)].map(e => e.getBoundingClientRect().x))].length"
    for mark in (".round", ".ply.red", ".ply.blue", ".ply.yellow"):
        assert await page.locator(mark).count() > 1
        assert await page.evaluate(left, mark) == 1, mark


async def test_a_spectator_sees_and_looks_back(server: Any, visit: Visit) -> None:
    room, url = await opened(server)
    async with Connection(server.url, name="W") as white, Connection(server.url, name="B") as black:
        await white.join(room)
        await black.join(room)
        for index, move in enumerate(["e2e4", "e7e5", "g1f3", "b8c6"]):
            await (white, black)[index % 2].move(room, move, await version(server.url, room))
        page = await visit(url)
        await written(page, "e4", "e5", "Nf3", "Nc6")
        await page.keyboard.press("Home")
        await stands(page, "e2", "white pawn")
        await page.keyboard.press("ArrowRight")
        await stands(page, "e4", "white pawn")
        await stands(page, "e7", "black pawn")
        await page.get_by_role("button", name="Nf3").click()
        await stands(page, "f3", "white knight")
        await stands(page, "b8", "black knight")
        await white.move(room, "f1b5", await version(server.url, room))  # play goes on, and takes the spectator along
        await stands(page, "b5", "white bishop")
        await page.get_by_text("1 watching", exact=True).wait_for()
        fetched = """['navigation', 'resource'].flatMap((kind) => performance.getEntriesByType(kind))
            .map((one) => one.transferSize)"""
        assert 20_000 < sum(await page.evaluate(fetched)) < 115 * 1024, "bytes on the wire, compressed, for all of it"


@pytest.mark.parametrize(
    "end",
    [pytest.param("kill", id="killed"), pytest.param("stop", id="restarted", marks=pytest.mark.slow)],
)
async def test_a_game_outlives_the_server(mortal_server: Any, visit: Visit, end: str) -> None:
    _, url = await opened(mortal_server)
    white, black = await asyncio.gather(visit(url, name="Ada"), visit(url, name="Bo"))
    await sit(white, "white")
    await sit(black, "black")
    await turn_of(white, "white")
    await white.evaluate("window.sameAsBefore = true")
    getattr(mortal_server, end)()
    if end == "kill":
        await white.locator(".slot.alarms").wait_for()
    await click(white, "e2", "e4")  # is sent once a server is back
    mortal_server.start()
    await stands(black, "e4", "white pawn")
    await turn_of(white, "black")
    await white.locator(".slot.alarms").wait_for(state="detached")
    await click(black, "e7", "e5")
    await written(white, "e4", "e5")
    assert await white.evaluate("window.sameAsBefore"), "the page was never loaded again"


async def test_a_phone_plays_by_touch(server: Any, visit: Visit) -> None:
    _, url = await opened(server)
    phone = await visit(url, viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    black = await visit(url)
    await sit(phone, "white")
    await sit(black, "black")
    await turn_of(phone, "white")
    await phone.evaluate("scrollTo(0, 0)")
    for square in ("d2", "d4"):
        await phone.touchscreen.tap(*await middle(phone, square))
    await stands(black, "d4", "white pawn")
    assert await phone.evaluate("document.documentElement.scrollWidth") <= 360


async def test_a_private_room_asks_for_its_password(server: Any, visit: Visit) -> None:
    _, url = await opened(server, password="open sesame")
    page = await visit(url)
    await page.get_by_label("Password").fill("wrong")
    await page.get_by_role("button", name="Enter").click()
    await page.locator(".bad").wait_for()
    await page.get_by_label("Password").fill("open sesame")
    await page.get_by_role("button", name="Enter").click()
    await sit(page, "white")


async def test_there_is_no_such_room(server: Any, visit: Visit) -> None:
    page = await visit(f"{server.url}/r/nowhere")
    await page.get_by_role("heading", name="There is no such game.").wait_for()
