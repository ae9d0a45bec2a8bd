"""The engine beside a game that is over: shares, lines, arrows; nothing of it while a game is played."""

import re
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from typing import Any

import pytest

from fourfold.clients.connection import Connection
from fourfold.engine.notation import pgn, pgn4
from fourfold.protocol import from_client as ask
from fourfold.protocol import from_server as told
from fourfold.protocol import studies as parts
from tests.games.conftest import ServerProcess
from tests.web.conftest import version
from tests.web.pictures import GAMES, SIZES

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow]

Visit = Callable[..., Awaitable[Any]]

MOVES = {"standard": ["e2e4", "e7e5", "g1f3", "b8c6"], "ffa": ["h2h3", "b7c7", "g13g12", "m8l8", "d2d3"]}


async def finished(server: ServerProcess, variant: str, people: list[Connection]) -> str:
    created = await people[0].request(ask.Create(variant=variant, moves=MOVES[variant]))
    assert isinstance(created, told.Created)
    for player in people:
        await player.join(created.room)
    for player in people[1:]:
        await player.resign(created.room)
    return created.room


@pytest.mark.parametrize(("variant", "size"), [("standard", (360, 740)), ("ffa", (1280, 800))], ids=str)
async def test_what_a_position_is_worth(
    server: ServerProcess, visit: Visit, variant: str, size: tuple[int, int]
) -> None:
    players = 2 if variant == "standard" else 4
    async with (
        Connection(server.url, name="Ann") as ann, Connection(server.url, name="Bob") as bob,
        Connection(server.url, name="Cy") as cy, Connection(server.url, name="Di") as di,
    ):  # fmt: skip
        room = await finished(server, variant, [ann, bob, cy, di][:players])
        page = await visit(f"{server.url}/r/{room}#2", viewport={"width": size[0], "height": size[1]})
        await page.get_by_role("switch", name="Engine").click()
        await page.locator(".lines li").first.wait_for()
        bar = page.locator(".judge:visible")
        assert await bar.locator("i").count() == players
        assert await page.locator(".shaft.drawn-best").count() == 1
        written = [int(text) for text in await bar.locator("span").all_inner_texts()]
        assert sum(written) == 100
        first = await page.locator(".lines .line").first.inner_text()
        await page.locator("#forth").click()
        await page.wait_for_function(
            "(first) => { const now = document.querySelector('.lines .line'); return now && now.innerText !== first; }",
            arg=first,
        )
        await page.get_by_role("switch", name="Engine").click()
        await page.locator(".lines").wait_for(state="detached")
        assert await page.locator(".shaft").count() == 0 and await page.locator(".judge:visible").count() == 0


async def test_the_last_position_is_worth_what_the_result_says(server: ServerProcess, visit: Visit) -> None:
    """As in the review. The lines are of a game that goes on."""
    async with Connection(server.url, name="Ann") as ann, Connection(server.url, name="Bob") as bob:
        page = await visit(f"{server.url}/r/{await finished(server, 'standard', [ann, bob])}")
    await page.get_by_role("switch", name="Engine").click()
    await page.get_by_role("img", name="White 100 %, Black 0 %").wait_for()
    await page.locator(".engine-head", has_text="had it gone on").wait_for()
    await page.locator(".lines li").first.wait_for()
    await page.locator("#back").click()
    await page.get_by_role("img", name="White 100 %, Black 0 %").wait_for(state="detached")


PIECES = "() => [...document.querySelectorAll('#board [data-square]')].map((one) => `${one.dataset.square} ${one.getAttribute('aria-label')}`).filter((one) => !one.includes('empty')).map((one) => one.replace(', last move', '')).join()"  # noqa: E501


async def test_a_line_is_tried_on_the_board(server: ServerProcess, visit: Visit) -> None:
    async with Connection(server.url, name="Ann") as ann, Connection(server.url, name="Bob") as bob:
        address = f"{server.url}/r/{await finished(server, 'standard', [ann, bob])}"
        page = await visit(f"{address}#2")
        study = await bob.open_study("Lines", parts.Source(text="1. e4 e5 *"), visibility="public")
    await line_tried(page, "Back to move 2")
    await page.wait_for_url(f"{address}#1")  # a step leaves the line, and goes back a move
    await page.goto(f"{server.url}/s/{study}#1.2")
    await line_tried(page, "Back to the study")


async def line_tried(page: Any, back: str) -> None:
    await page.get_by_role("switch", name="Engine").click()
    await page.locator(".engine-head", has_text="thinking").wait_for(state="detached")
    await page.locator(".lines .line button").nth(1).wait_for()
    before = await page.evaluate(PIECES)
    await page.locator(".lines .line").first.locator("button").nth(1).focus()
    await page.keyboard.press("Enter")
    await page.get_by_role("button", name=back).wait_for()
    await page.wait_for_function(f"(before) => ({PIECES})() !== before", arg=before)
    assert "Line of the engine: " in await page.locator("#spoken").inner_text()
    assert await page.locator(".shaft").count() == 0
    await page.get_by_role("button", name=back).click()
    await page.wait_for_function(f"(before) => ({PIECES})() === before", arg=before)
    await page.get_by_role("button", name=back).wait_for(state="detached")
    await page.locator(".lines .line").first.locator("button").first.click()
    await page.get_by_role("button", name=back).wait_for()
    await page.wait_for_function(f"(before) => ({PIECES})() !== before", arg=before)
    await page.keyboard.press("ArrowLeft")
    await page.get_by_role("button", name=back).wait_for(state="detached")


async def test_not_while_a_game_is_played(server: ServerProcess, visit: Visit) -> None:
    async with Connection(server.url, name="Ann") as ann, Connection(server.url, name="Bob") as bob:
        created = await ann.request(ask.Create(moves=MOVES["standard"]))
        assert isinstance(created, told.Created)
        for player in (ann, bob):
            await player.join(created.room)
        page = await visit(f"{server.url}/r/{created.room}")
        await page.locator("#moves .ply").first.wait_for()
        assert not await page.get_by_role("switch", name="Engine").is_visible()
        await ann.resign(created.room)
        await page.get_by_role("switch", name="Engine").wait_for()
        assert await version(server.url, created.room) > 0


async def test_a_review_is_a_graph_to_click(server: ServerProcess, visit: Visit) -> None:
    async with Connection(server.url, name="Ann") as ann, Connection(server.url, name="Bob") as bob:
        created = await ann.request(ask.Create(moves=["f2f3", "e7e5", "g2g4", "a7a6", "a2a3"]))
        assert isinstance(created, told.Created)
        for player in (ann, bob):
            await player.join(created.room)
        await bob.move(created.room, "d8h4", await version(server.url, created.room))
        page = await visit(f"{server.url}/r/{created.room}")
        await page.get_by_role("button", name="Review", exact=True).click()
        await page.locator("#review .graph").wait_for(timeout=60_000)
        await page.locator("#moves .glyph", has_text="??").nth(1).wait_for(timeout=60_000)
        box = await page.locator("#review .graph").bounding_box()
        await page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        await page.locator("#moves [aria-current]", has_text="g4").wait_for()
        await page.locator(".remark", has_text="Black can win by force now: Qh4#.").wait_for()
        await page.get_by_text("Decisive moments").click()
        lost = page.get_by_role("button", name="White was lost from here on")
        assert await page.locator(".moments li", has_text="g4?? −").count() == 1
        await lost.click()
        await page.locator("#moves [aria-current]", has_text="a3").wait_for()
        assert await lost.get_attribute("aria-current") == "true"
        assert "Barnes Opening" in await page.locator(".review .opening").inner_text()
        accuracy = await page.locator(".accuracy").text_content()
        assert re.fullmatch(r"Accuracy Ann \d+ % Bob \d+ % ", accuracy)
        rows = page.get_by_role("table", name="Chances by move").get_by_role("row")
        assert re.fullmatch(
            r"2\. g4\s+\d+ %\s+\d+ %\s+Blunder\. Black can win by force now: Qh4#\.",
            await rows.filter(has_text="g4").first.inner_text(),
        )
        assert [await rows.filter(has_text=text).count() for text in ("2... a6", "The start")] == [1, 1]
        await page.reload()
        await page.locator("#review .graph").wait_for()


async def test_a_review_of_four_has_points_and_who_went_out(server: ServerProcess, visit: Visit) -> None:
    async with (
        Connection(server.url, name="Ann") as ann, Connection(server.url, name="Bob") as bob,
        Connection(server.url, name="Cy") as cy, Connection(server.url, name="Di") as di,
    ):  # fmt: skip
        room = await finished(server, "ffa", [ann, bob, cy, di])
        page = await visit(f"{server.url}/r/{room}")
        await page.get_by_role("button", name="Review", exact=True).click()
        await page.locator("#review .graph").first.wait_for(timeout=60_000)
        await page.get_by_text("Decisive moments").click()
        assert await page.locator(".points-graph .curve").count() == 4
        await page.get_by_role("button", name="Green is out: resignation").click()
        assert await page.locator(".review .opening").count() == 0


PLACED = """async () => {
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const faults = [];
    const box = (element) => element.getBoundingClientRect();
    const seen = (element) => element.checkVisibility() && element.getClientRects().length > 0;
    const all = (selector) => [...document.querySelectorAll(selector)].filter(seen);
    const within = (inner, outer) => inner.left >= outer.left - 1 && inner.top >= outer.top - 1 && inner.right <= outer.right + 1 && inner.bottom <= outer.bottom + 1;
    const holder = document.querySelector(".judgement");
    if (!seen(holder)) return faults;
    for (const part of all(".judgement :is(.switch, .lines li, .graph, a, summary)")) {
        part.scrollIntoView({ block: "nearest" });
        const at = box(part), hit = document.elementFromPoint(at.left + Math.min(12, at.width / 2), at.top + at.height / 2);
        if (!within({ left: at.left, right: at.left, top: at.top, bottom: at.bottom }, box(document.querySelector(".played"))) || !holder.contains(hit)) faults.push(`${part.tagName} ${part.textContent.slice(0, 20)} cannot be seen`);
    }
    holder.scrollTop = 0;
    const first = document.querySelector(".engine-head");
    if (seen(first) && !within(box(first), box(holder))) faults.push("the engine's switch is cut");
    for (const sign of all(".ply .glyph")) if (!within(box(sign), box(sign.parentElement))) faults.push(`${sign.parentElement.textContent} is cut`);
    for (const sign of all(".node :is(.glyph, .stands)")) if (!within(box(sign), box(sign.parentElement))) faults.push(`${sign.parentElement.textContent} is cut`);
    return faults;
}"""  # noqa: E501
"""The unreachable parts of engine and review, and the signs beside moves that are cut off."""


ROWS = """() => {
    const list = document.querySelector("#moves");
    const box = list.getBoundingClientRect();
    const whole = [...list.querySelectorAll(".ply, .exit")].map((one) => one.getBoundingClientRect()).filter((one) => one.top >= box.top - 1 && one.bottom <= box.bottom + 1);
    return new Set(whole.map((one) => Math.round(one.top))).size;
}"""  # noqa: E501
"""The number of fully visible rows of the move list."""


HIDDEN = """() => [...document.querySelectorAll(".review > .graph, .accuracy, summary")].filter((part) => {
    const at = part.getBoundingClientRect();
    return !document.querySelector(".judgement").contains(document.elementFromPoint(at.left + 20, at.bottom - 6));
}).map((part) => part.className.baseVal ?? part.textContent)"""
"""The parts of the review that need scrolling."""


async def rows(page: Any, width: int, height: int) -> int:
    await page.set_viewport_size({"width": width, "height": height})
    await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    return int(await page.evaluate(ROWS))


@pytest.mark.parametrize("variant", ["standard", "ffa"])
async def test_engine_and_review_have_room_at_any_size(server: ServerProcess, visit: Visit, variant: str) -> None:
    players = 2 if variant == "standard" else 4
    people = [Connection(server.url, name=name) for name in ("Ann", "Bob", "Cy", "Di")[:players]]
    async with AsyncExitStack() as stack:
        for player in people:
            await stack.enter_async_context(player)
        game = next(
            (pgn if players == 2 else pgn4).read((GAMES / ("sample.pgn" if players == 2 else "ffa.pgn4")).read_text())
        )
        moves = [step.move.text for step in game.line.steps if step.move is not None][:48]
        position = None if players == 2 else game.start.fen()
        created = await people[0].request(ask.Create(variant=variant, moves=moves, position=position))
        assert isinstance(created, told.Created)
        for player in people:
            await player.join(created.room)
        for player in people[1:]:
            await player.resign(created.room)
        page = await visit(f"{server.url}/r/{created.room}", viewport={"width": 1280, "height": 800})
        await page.get_by_role("button", name="Review", exact=True).click()
        await page.get_by_role("switch", name="Engine").click()
        await page.locator("#review .graph").first.wait_for(timeout=100_000)
        await page.locator("#moves .glyph").first.wait_for()
        faults = []
        await page.get_by_role("switch", name="Engine").click()
        for plies in (0, 3):
            for _ in range(plies):
                await page.locator("#back").click()
            assert await rows(page, 1280, 800) >= 5
            assert await page.evaluate(HIDDEN) == []
        await page.get_by_role("button", name="Back to now").click()
        await page.get_by_role("switch", name="Engine").click()
        for plies in (0, 3):
            for _ in range(plies):
                await page.locator("#back").click()
            assert await rows(page, 1280, 800) >= 5
            await page.locator(".lines li").first.wait_for()
            for width, height in (*SIZES, (639, 700), (700, 900), (899, 1100), (900, 1100), (1200, 700)):
                if not plies and min(width, height) < 640:
                    continue  # the result has the room, until one looks back
                await page.set_viewport_size({"width": width, "height": height})
                if width < 640:
                    await page.locator(".tab[data-tab='moves']").click()
                faults += [f"{plies} back at {width}x{height}: {fault}" for fault in await page.evaluate(PLACED)]
            await page.set_viewport_size({"width": 1280, "height": 800})
        assert not faults, "\n".join(faults)
        await page.set_viewport_size({"width": 360, "height": 740})
        if await page.locator(".table[data-tab=result]").count():
            await page.locator(".tab[data-tab='moves']").click()
        assert await rows(page, 360, 740) >= 1
        for part in (".accuracy", ".lines li:nth-child(3)"):
            assert await page.locator(part).is_visible()
