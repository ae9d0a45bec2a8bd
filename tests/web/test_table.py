"""The table as its players use it: replay, slot, absence, claims, a phone's window."""

import asyncio
import itertools
import json
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from typing import Any

import pytest

from fourfold.clients.connection import Connection
from fourfold.protocol import from_client as ask
from tests.games.conftest import running
from tests.web.conftest import archived, version
from tests.web.test_play import click, middle, opened, stands, turn_of, two, written

pytestmark = pytest.mark.asyncio(loop_scope="session")

Visit = Callable[..., Awaitable[Any]]

PHONE: Any = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}

NO_CAPTURE = "Element.prototype.setPointerCapture = () => {}"
"""Of fingers that there are not."""

DOUBLE_TAP = """finger => {
    for (const what of ["pointerdown", "pointerup", "pointerdown", "pointerup"])
        document.querySelector("#board > .board").dispatchEvent(new PointerEvent(what, { ...finger, bubbles: true }));
}"""
"""In one turn of the page's loop: on a busy machine two taps may be too far apart."""

OPENING = {"standard": ["e2e4", "e7e5", "g1f3", "b8c6"], "survivor": ["h2h3", "b7c7", "g13g12", "m8l8"]}

HEARD = """() => {
    window.heard = [];
    const told = (region) => region.textContent && window.heard.push(region.textContent);
    new MutationObserver((changes) => {
        const regions = new Set(changes.map(({ target }) => (target.nodeType === 1 ? target : target.parentElement)?.closest("[aria-live=polite], [aria-live=assertive], [role=status], [role=alert]")));
        for (const region of regions) if (region) told(region);
    }).observe(document.body, { childList: true, characterData: true, subtree: true });
}"""  # noqa: E501
"""Records the announcements to screen readers."""


async def begun(server: Any, stack: AsyncExitStack, variant: str = "standard", **terms: Any) -> tuple[str, list[Any]]:
    """A room where every player has moved once. The players are programs; a page may take over the first."""
    two = variant == "standard"
    names = ("Ada", "Bo", "Cy", "Di")[: 2 if two else 4]
    players = [await stack.enter_async_context(Connection(server.url, name=name)) for name in names]
    room: str = (await players[0].request(ask.Create(variant=variant, **terms))).room  # type: ignore[attr-defined]
    for player in players:
        await player.join(room)
    if "position" not in terms:
        for player, move in zip(itertools.cycle(players), OPENING["standard" if two else "survivor"], strict=False):
            await player.move(room, move, await version(server.url, room))
    return room, players


async def taken(visit: Visit, server: Any, player: Any, room: str, **options: Any) -> Any:
    """The room's page, of somebody who sits there already."""
    page = await visit("about:blank", **options)
    await page.add_init_script(f"localStorage['fourfold.token'] = {player.token!r}")
    await page.goto(f"{server.url}/r/{room}")
    await page.locator(".card.yours").wait_for()
    return page


# -- the replay --


async def test_after_a_move_by_mouse_the_arrows_move_the_replay(server: Any, visit: Visit) -> None:
    white, black = await two(visit, server)
    await turn_of(white, "white")
    await click(white, "e2", "e4")
    await written(white, "e4")
    await click(black, "e7", "e5")
    await written(white, "e4", "e5")
    looked = {"ArrowLeft": ("e7", "black pawn"), "Home": ("e2", "white pawn"), "ArrowRight": ("e4", "white pawn")}
    for key, (square, piece) in (looked | {"End": ("e5", "black pawn")}).items():
        await white.keyboard.press(key)
        await stands(white, square, piece)
    await white.keyboard.press("ArrowLeft")
    await white.get_by_role("heading", name="Move 1 of 2").wait_for()
    await white.get_by_role("button", name="Back to now").click()
    await stands(white, "e5", "black pawn")
    # With the keyboard's focus on the board, arrow keys walk its squares.
    await white.locator(".skip").focus()
    await white.locator("[data-square][tabindex='0']").focus()
    at = await white.evaluate("document.activeElement.dataset.square")
    await white.keyboard.press("ArrowLeft")
    assert await white.evaluate("document.activeElement.dataset.square") != at
    await stands(white, "e5", "black pawn")


# -- the slot --


async def test_nothing_moves_when_a_vote_comes_and_all_is_said_once(server: Any, visit: Visit) -> None:
    async with AsyncExitStack() as stack:
        room, players = await begun(server, stack, "survivor")
        page = await taken(visit, server, players[0], room)
        await turn_of(page, "red")
        places = """() => Object.fromEntries(["#board", "#slot", "#moves", "#first", "#say", ".card.red"].map((one) =>
            [one, Object.values(document.querySelector(one).getBoundingClientRect().toJSON())]))"""
        before = await page.evaluate(places)
        undo = await page.get_by_role("button", name="Undo…").bounding_box()
        await page.evaluate(HEARD)
        await players[1].propose(room, "undo", await version(server.url, room), 2)
        await page.get_by_role("heading", name="Bo asks to take back 2 moves").wait_for()
        assert await page.evaluate(places) == before
        # No button to agree appears under a finger, and new buttons ignore presses at first.
        agree = await page.get_by_role("button", name="Agree").bounding_box()
        assert agree["x"] > undo["x"] + undo["width"]
        for player in players[2:]:
            await player.vote(room, 1, player is not players[2])
            if player is players[2]:
                break
        await page.get_by_role("heading", name="Cy refused to take back 2 moves").wait_for()
        assert await page.evaluate(places) == before
        await page.get_by_text("The game goes on.").wait_for()
        heard = await page.evaluate("window.heard")
        for words in ("Bo asks to take back 2 moves", "Cy refused to take back 2 moves"):
            assert sum(words in text for text in heard) == 1, heard
        await players[0].move(room, "h3h4", await version(server.url, room))
        await page.get_by_role("heading", name="Bo is thinking").wait_for()  # an outcome stays until the next move


async def test_a_press_on_its_way_elsewhere_is_not_an_answer(server: Any, visit: Visit) -> None:
    async with AsyncExitStack() as stack:
        room, players = await begun(server, stack)
        page = await taken(visit, server, players[0], room)
        await turn_of(page, "white")
        pressed = """() => new Promise((done) => new MutationObserver((_, watching) => {
            const agree = document.querySelector("[data-does=agree]");
            if (agree) { agree.click(); watching.disconnect(); done(agree.disabled); }
        }).observe(document.querySelector("#slot"), { childList: true, subtree: true }))"""
        at_once = asyncio.ensure_future(page.evaluate(pressed))
        await page.wait_for_function("() => true")
        await players[1].propose(room, "draw", await version(server.url, room))
        assert await at_once
        await page.locator("[data-does=agree]:enabled").wait_for()
        assert "You" in await page.locator(".electors").text_content()
        await page.get_by_role("button", name="Refuse").click()
        await page.get_by_role("heading", name="You refused the draw").wait_for()


async def test_an_answer_of_another_does_not_make_a_fresh_button_take_a_press(server: Any, visit: Visit) -> None:
    async with AsyncExitStack() as stack:
        room, players = await begun(server, stack)
        page = await taken(visit, server, players[0], room)
        drawn = """async () => {
            const here = document.querySelector("script[type=module]").src;
            const { Slot } = await import(here.replace("game/room.js", "ui/slot.js"));
            const slot = new Slot(document.querySelector("#slot"), () => {});
            const vote = { kind: "vote 1", heading: "Bo asks", buttons: [{ does: "agree", words: "Agree" }] };
            slot.show({ kind: "idle", heading: "Bo is thinking", buttons: [] }, 0);
            slot.show(vote, 0);
            slot.show({ ...vote, text: "Cy agrees" }, 0);
            return document.querySelector("[data-does=agree]").disabled;
        }"""
        assert await page.evaluate(drawn)
        await page.locator("[data-does=agree]:enabled").wait_for()


async def test_buttons_take_a_press_while_the_words_beside_them_change(server: Any, visit: Visit) -> None:
    """Computers that play on move several times a second."""
    async with AsyncExitStack() as stack:
        room, players = await begun(server, stack)
        page = await taken(visit, server, players[0], room)
        await page.evaluate("""async () => {
            const here = document.querySelector("script[type=module]").src;
            const { Slot } = await import(here.replace("game/room.js", "ui/slot.js"));
            const holder = document.createElement("div");
            document.body.append(holder);
            window.pressed = [];
            const slot = new Slot(holder, (what) => window.pressed.push(what));
            const out = { kind: "out", heading: "You came 4th", buttons: [{ does: "stay", words: "Watch on" }] };
            slot.show({ kind: "idle", heading: "Your turn", buttons: [] }, 0);
            let count = 0;
            const draw = () => slot.show({ ...out, aside: `${count++}` }, 0);
            draw();
            window.first = holder.querySelector("[data-does=stay]");
            setInterval(draw, 50);
        }""")
        await page.wait_for_function("() => !window.first.disabled && window.first.isConnected")
        await page.evaluate("window.first.click()")
        assert await page.evaluate("window.pressed") == ["stay"]


async def test_who_is_out_reads_so_and_watches_on(server: Any, visit: Visit) -> None:
    async with AsyncExitStack() as stack:
        names = ("Ann", "Bob", "Cyd", "Dee")
        players = [await stack.enter_async_context(Connection(server.url, name=name)) for name in names]
        room = await players[0].create("survivor", clock=ask.Clock(300_000, 3_000))
        for player in players:
            await player.join(room)
        page = await taken(visit, server, players[0], room)
        await page.locator(".card.to-move").wait_for()
        await players[1].request(ask.Berserk(room=room, key="b"))
        await page.get_by_role("heading", name="Bob goes berserk").wait_for()
        await players[0].resign(room)
        await page.get_by_role("heading", name="You came 4th").wait_for()
        await page.locator("#slot").get_by_text("Resigned, round 1. The game goes on.").wait_for()
        await page.get_by_role("button", name="Watch on").click()
        await page.get_by_role("heading", name="Bob is thinking").wait_for()
        assert await page.locator("#slot .buttons button:visible:not(.dots)").all_inner_texts() == ["Next game"]


async def test_a_proposal_can_be_withdrawn(server: Any, visit: Visit) -> None:
    async with AsyncExitStack() as stack:
        room, players = await begun(server, stack, "survivor")
        page = await taken(visit, server, players[0], room)
        await page.get_by_role("button", name="Draw").click()
        await page.get_by_role("heading", name="You offer a draw").wait_for()
        await page.get_by_role("button", name="Withdraw").click()
        await page.get_by_role("heading", name="You took the proposal back").wait_for()


async def test_what_may_be_claimed_is_offered(server: Any, visit: Visit) -> None:
    async with AsyncExitStack() as stack:
        room, players = await begun(server, stack, position="7k/8/8/8/8/8/8/KQ6 w - - 98 90")
        page = await taken(visit, server, players[0], room)
        await players[0].move(room, "b1b2", await version(server.url, room))
        await players[1].move(room, "h8h7", await version(server.url, room))
        await page.get_by_role("heading", name="You may claim a draw").wait_for()
        await page.get_by_text("Fifty moves without a capture").wait_for()
        await page.get_by_role("button", name="Play on").click()
        await page.get_by_role("heading", name="Your turn").wait_for()
        await page.reload()
        await page.get_by_role("button", name="Claim the draw").click()
        await page.get_by_role("heading", name="Draw", exact=True).wait_for()


# -- those who are away --


async def test_the_browser_says_at_once_that_it_is_offline(server: Any, visit: Visit) -> None:
    async with AsyncExitStack() as stack:
        room, players = await begun(server, stack)
        page = await taken(visit, server, players[0], room)
        await turn_of(page, "white")
        await page.context.set_offline(True)
        await page.locator(".slot.alarms").wait_for()
        await page.get_by_role("heading", name="No connection").wait_for()
        await click(page, "f1", "b5")
        await page.get_by_text("Your move f1b5 is kept and will be sent.").wait_for()
        await page.context.set_offline(False)
        await written(page, "Nc6", "Bb5")


async def test_what_could_not_be_loaded_is_loaded_when_the_network_is_back(server: Any, visit: Visit) -> None:
    """Not all modules are there at the first paint."""
    async with AsyncExitStack() as stack:
        room, players = await begun(server, stack)
        page = await visit("about:blank")
        tried = asyncio.Event()

        async def refuse(route: Any) -> None:
            tried.set()
            await route.abort("internetdisconnected")

        await page.context.route("**/actions.js", refuse)
        identity = {"fourfold.token": players[0].token, "fourfold.name": players[0].name}
        await page.context.add_init_script(f"Object.assign(localStorage, {json.dumps(identity)})")
        await page.goto(f"{server.url}/r/{room}")
        await turn_of(page, "white")
        await tried.wait()
        await page.context.unroute("**/actions.js", refuse)
        await page.get_by_role("button", name="Draw").click()
        await page.get_by_role("heading", name="You offer a draw").wait_for()


@pytest.mark.slow
async def test_who_is_away_is_counted_and_may_be_replaced(visit: Visit) -> None:
    with running(None, 0, "--absence", "1") as server:  # five seconds, without a clock
        async with AsyncExitStack() as stack:
            room, players = await begun(server, stack, rated=False)
            page = await taken(visit, server, players[0], room)
            async with asyncio.timeout(240):
                await players[1].__aexit__(None, None, None)
                await page.locator(".card.black .presence.offline").wait_for()
                await page.get_by_text("Bo is away").wait_for()
                assert await page.get_by_role("button", name="Computer for Bo").is_disabled()
                assert "away" in await page.locator(".card.black .note").text_content()
                await page.get_by_role("heading", name="Your turn").wait_for()
                assert await page.get_by_role("button", name="Resign").is_enabled()
                await page.get_by_role("button", name="End the game").click()
                await page.get_by_role("heading", name="You won").wait_for()
                await page.locator("#engine .switch").wait_for()  # loaded before the server stops
            players[1]._life = asyncio.ensure_future(asyncio.sleep(3600))  # the stack closes it again


async def test_what_was_said_is_there_when_one_comes_back(server: Any, visit: Visit) -> None:
    async with AsyncExitStack() as stack:
        room, players = await begun(server, stack)
        page = await taken(visit, server, players[0], room)
        await players[1].say(room, "Good luck!")
        await page.locator(".said p", has_text="Good luck!").wait_for()
        await page.goto(server.url)
        await page.go_back()
        await page.locator(".said p", has_text="Good luck!").wait_for()
        await players[1].say(room, "Back again?")
        await page.locator(".said p", has_text="Back again?").wait_for()
        assert await page.locator(".said p").all_inner_texts() == ["Bo Good luck!", "Bo Back again?"]


async def test_a_reaction_is_shown_on_its_players_plate(server: Any, visit: Visit) -> None:
    async with AsyncExitStack() as stack:
        room, players = await begun(server, stack, "survivor")
        page = await taken(visit, server, players[0], room)
        await players[1].react(room, "good_move")
        await page.locator(".card.blue .reaction", has_text="Good move").wait_for()
        await page.get_by_role("button", name="React").first.click()
        await page.get_by_role("group", name="Reactions").get_by_text("Oops").click()
        await page.locator(".card.red .reaction", has_text="Oops").wait_for()
        assert await page.locator(".said p").count() == 0, "a reaction is no line of the chat"
        await page.get_by_role("button", name="Preferences").click()
        await page.get_by_label("Reactions of players").uncheck()
        await players[2].react(room, "hello")
        await players[2].say(room, "Hello")
        await page.locator(".said p", has_text="Hello").wait_for()
        assert await page.locator(".card.yellow .reaction").count() == 0


async def test_a_game_is_paused_and_goes_on(server: Any, visit: Visit) -> None:
    async with AsyncExitStack() as stack:
        room, players = await begun(server, stack, clock=ask.Clock(300_000, 2_000))
        page = await taken(visit, server, players[0], room)
        await turn_of(page, "white")
        await page.get_by_role("button", name="More actions").click()
        await page.get_by_role("button", name="Give Bo 15 seconds").click()
        await page.get_by_role("heading", name="Ada gives Bo 15 seconds").wait_for()
        await page.locator(".card.black .clock", has_text="5:1").wait_for()
        await page.get_by_role("button", name="More actions").click()
        await page.get_by_role("button", name="Ask for a pause").click()
        await page.get_by_role("heading", name="You ask for a pause").wait_for()
        await players[1].vote(room, 1, True)
        await page.get_by_role("heading", name="The game is paused").wait_for()
        await click(page, "f1", "c4")
        assert await page.locator(".hints .dot").count() == 0, "no piece moves in a pause"
        await page.get_by_role("button", name="Ask to go on").click()
        await players[1].vote(room, 2, True)
        await page.get_by_role("heading", name="Your turn").wait_for()
        await click(page, "f1", "c4")
        await written(page, "e4", "e5", "Nf3", "Nc6", "Bc4")


async def test_half_of_the_time_is_given_up_before_the_first_move(server: Any, visit: Visit) -> None:
    async with Connection(server.url, name="Bo") as bo, Connection(server.url, name="Ada") as ada:
        room = await bo.create("standard", clock=ask.Clock(600_000))
        await ada.join(room, "white")
        await bo.join(room, "black")
        page = await taken(visit, server, ada, room)
        await bo.berserk(room)
        await page.get_by_role("heading", name="Bo goes berserk").wait_for()
        assert await page.locator(".card.black .clock").inner_text() == "5:00"
        assert "half the time" in await page.locator(".card.black .note").inner_text()
        await page.get_by_role("button", name="More actions").click()
        await page.get_by_role("button", name="Go berserk").click()
        await page.locator(".card.white .note", has_text="half the time").wait_for()
        await page.get_by_role("button", name="More actions").click()
        assert await page.get_by_role("button", name="Go berserk").count() == 0


# -- before the game --


async def test_a_guest_is_asked_for_a_name_once(server: Any, visit: Visit) -> None:
    async with Connection(server.url, name="Bo") as bo:
        room = await bo.create("survivor")
        page = await visit(f"{server.url}/r/{room}", asks=True)
        await page.get_by_role("button", name="Sit here, at red").click()
        await page.get_by_role("heading", name="Choose a name").wait_for()
        given = await page.locator(".card.red .name").text_content()
        await page.get_by_text(f"Without one you are {given}.").wait_for()
        await page.get_by_label("Your name").fill("Ada")
        await page.keyboard.press("Enter")
        await page.locator(".card.red .name", has_text="Ada").wait_for()
        await page.get_by_role("heading", name="Waiting for 3 players").wait_for()
        assert (await bo.request(ask.Watch(room=room))).seats[0].name == "Ada"  # type: ignore[attr-defined]
        other = await bo.create("survivor")
        await page.goto(f"{server.url}/r/{other}")
        await page.get_by_role("button", name="Sit here, at blue").click()
        await page.get_by_role("heading", name="Waiting for 3 players").wait_for()


async def test_a_guest_may_keep_the_given_name(server: Any, visit: Visit) -> None:
    _, url = await opened(server, variant="survivor")
    page = await visit(url, asks=True)
    await page.get_by_role("button", name="Sit here, at red").click()
    await page.get_by_role("button", name="Skip").click()
    await page.get_by_role("heading", name="Waiting for 3 players").wait_for()
    await page.reload()
    await page.get_by_role("heading", name="Waiting for 3 players").wait_for()


async def test_a_plate_says_how_one_stands_with_its_player(archiving: Any, visit: Visit) -> None:
    async with Connection(archiving.url, name="Ada") as ada, Connection(archiving.url, name="Bo") as bo:
        for _ in range(3):
            room = await ada.create("standard")
            await ada.join(room, "white")
            await bo.join(room, "black")
            for player, move in zip(itertools.cycle((ada, bo)), OPENING["standard"], strict=False):
                await player.move(room, move, await version(archiving.url, room))
            await ada.resign(room)
        while await archived(ada) < 3:  # noqa: ASYNC110 - nothing tells of it
            await asyncio.sleep(0.1)
        room = await bo.create("standard")
        await ada.join(room, "white")
        await bo.join(room, "black")
        page = await taken(visit, archiving, ada, room)
        await page.locator(".card.black .note", has_text="0–3 · 3 wins in a row · host").wait_for()
        assert await page.locator(".card.white .note").inner_text() == "you"



async def test_a_host_removes_a_guest_and_closes_the_table(server: Any, visit: Visit) -> None:
    page = await visit("about:blank")
    async with Connection(server.url, name="Bo") as guest, Connection(server.url, name="Host") as host:
        room = await host.create("survivor")
        await page.add_init_script(f"localStorage['fourfold.token'] = {host.token!r}")
        await page.goto(f"{server.url}/r/{room}")
        await guest.join(room, "blue")
        await page.get_by_role("button", name="Remove Bo").click()
        await page.locator(".card.blue.free").wait_for()
        await page.get_by_role("button", name="Close").click()
        await page.get_by_role("dialog").get_by_role("button", name="Close").click()
        await page.get_by_role("heading", name="Called off").wait_for()


async def test_an_address_that_is_none_is_no_blank_page(server: Any, visit: Visit) -> None:
    page = await visit(f"{server.url}/r/%E0%A4%A")
    await page.get_by_role("heading", name="There is no such game.").wait_for()


# -- colours --


async def test_seats_colours_are_for_seats_alone(server: Any, visit: Visit) -> None:
    """Two: who is to move has ink, not a colour. Four: the whole plate has the seat's. The house has violet."""
    fill = "one => getComputedStyle(document.querySelector(one)).backgroundColor"
    async with AsyncExitStack() as stack:
        room, players = await begun(server, stack)
        page = await taken(visit, server, players[0], room)
        await turn_of(page, "white")
        ink = await page.evaluate("getComputedStyle(document.body).color")
        assert await page.evaluate(fill, ".card.to-move .clock") == ink
        room, players = await begun(server, stack, "survivor")
        page = await taken(visit, server, players[0], room)
        await turn_of(page, "red")
        red = "() => getComputedStyle(document.querySelector('.card.to-move')).backgroundColor === 'rgb(158, 17, 17)'"
        await page.wait_for_function(red)  # the colour comes by degrees
        await players[3].resign(room)
        await page.locator(".card.green.out").wait_for()
        hollow = (
            "() => getComputedStyle(document.querySelector('.card.green.out')).backgroundColor === 'rgba(0, 0, 0, 0)'"
        )
        await page.wait_for_function(hollow)
        dead = page.locator(".pieces .piece.green")
        assert await dead.count() == await page.locator(".pieces .piece.green.grey").count() == 16
        filled = "use => getComputedStyle(use).getPropertyValue('--fill')"
        assert "#hatch" in await dead.first.locator("use").first.evaluate(filled)
        assert await page.locator(".pieces .piece.green.fallen").count() == 1
        assert await dead.locator(".mark").count() == 0
        row = page.locator(".exit", has_text="Di")
        assert (await row.text_content()).strip() == "Di resigned · 4th"
        assert await page.locator(".card.green .clock").text_content() == "4th"


async def test_names_are_as_large_without_clocks_as_with_them(server: Any, visit: Visit) -> None:
    async with AsyncExitStack() as stack:
        room, players = await begun(server, stack, "survivor")
        page = await taken(visit, server, players[0], room)
        await page.locator(".card[style*='--name']").nth(3).wait_for()
        sizes = "names => names.map((name) => parseFloat(getComputedStyle(name).fontSize))"
        assert min(await page.locator(".card .who .name").evaluate_all(sizes)) >= 12


# -- a phone --


async def test_a_window_opens_on_a_phones_board(server: Any, visit: Visit) -> None:
    async with AsyncExitStack() as stack:
        room, players = await begun(server, stack, "survivor")
        page = await taken(visit, server, players[0], room, **PHONE)
        await turn_of(page, "red")
        await page.locator(".map").wait_for(state="attached")
        side = "square => document.querySelector(`[data-square=${square}]`).getBoundingClientRect().width"
        assert 24 <= await page.evaluate(side, "g3") < 32
        await page.evaluate(DOUBLE_TAP, pointer(await middle(page, "g4")))
        await page.locator(".zoomed").wait_for()
        assert await page.evaluate(side, "g3") >= 43
        assert await page.locator(".clocks li").count() == 4
        assert await page.locator(".clocks").is_visible()
        chip = """() => {
            const clock = document.querySelector(".clocks li"), left = (one) => one.getBoundingClientRect().left;
            clock.lastElementChild.textContent = "Alexandrina";
            return left(clock.querySelector(".chip")) >= left(clock);
        }"""
        assert await page.evaluate(chip), "a name too long for its place, without clocks, cuts no chip"
        assert await page.locator(".labels text").count() >= 12
        slot = await page.locator("#slot").bounding_box()
        # Moved by an empty square, tapped on a piece and where it goes: back to all of the board.
        await page.evaluate(NO_CAPTURE)
        corner = await page.evaluate(side, "g4")
        one = await middle(page, "g5")
        await page.dispatch_event("#board > .board", "pointerdown", pointer(one))
        await page.dispatch_event("#board > .board", "pointermove", pointer((one[0], one[1] + corner)))
        await page.dispatch_event("#board > .board", "pointerup", pointer((one[0], one[1] + corner)))
        assert (await middle(page, "g5"))[1] > one[1] + corner / 2
        for square in ("i2", "i3"):
            await page.touchscreen.tap(*await middle(page, square))
        await page.locator(".zoomed").wait_for(state="detached")
        await stands(page, "i3", "red pawn")
        assert await page.locator("#slot").bounding_box() == slot


def pointer(at: tuple[float, float]) -> dict[str, Any]:
    """A finger's event."""
    finger = {"pointerId": 7, "pointerType": "touch", "isPrimary": True, "button": 0, "buttons": 1}
    return finger | {"clientX": at[0], "clientY": at[1]}


async def test_a_dragged_piece_is_lifted_above_the_finger(server: Any, visit: Visit) -> None:
    async with AsyncExitStack() as stack:
        room, players = await begun(server, stack, "survivor")
        page = await taken(visit, server, players[0], room, **PHONE)
        await turn_of(page, "red")
        await page.evaluate(NO_CAPTURE)
        start, end = await middle(page, "g2"), await middle(page, "g4")
        board = "#board > .board"
        await page.dispatch_event(board, "pointerdown", pointer(start))
        await page.dispatch_event(board, "pointermove", pointer(end))
        lifted = await page.locator(".piece.dragged").bounding_box()
        assert lifted["height"] > 40 and lifted["y"] + lifted["height"] <= end[1]
        assert await page.locator(".cursor .aim").count() == 1
        assert await page.locator(".squares .crossed").count() > 20
        away = (end[0], 20.0)
        await page.dispatch_event(board, "pointermove", pointer(away))
        await page.dispatch_event(board, "pointerup", pointer(away))
        await stands(page, "g2", "red pawn")  # off the board: it was not meant


@pytest.mark.parametrize("variant", ["standard", "survivor"])
async def test_what_a_finger_presses_is_large_enough(server: Any, visit: Visit, variant: str) -> None:
    async with AsyncExitStack() as stack:
        room, players = await begun(server, stack, variant)
        page = await taken(visit, server, players[0], room, **PHONE)
        await page.locator("[data-does=resign]:enabled").wait_for()
        await page.locator(".map").wait_for(state="attached")
        small = """() => [...document.querySelectorAll(".bar button, .slot button, .steps button, .tab")].filter((one) => one.checkVisibility())
            .map((one) => [one.textContent.trim() || one.id, one.getBoundingClientRect()])
            .filter(([, { width, height }]) => height < 44 || width < 36).map(([name, { width, height }]) => `${name} ${width}x${height}`)"""  # noqa: E501
        assert await page.evaluate(small) == []
        assert await page.evaluate("document.documentElement.scrollHeight") <= 740
