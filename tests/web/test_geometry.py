"""The layout of the table's page. At any window size, nothing overlaps a square, nothing is cut off, nothing scrolls
sideways: at rest, in a vote, offline and at the end, for two and for four.

Measured; `pictures` is for people's eyes.
"""

import itertools
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from typing import Any, Final

import pytest

from fourfold.clients.connection import Connection
from fourfold.protocol import from_client as ask
from tests.web.conftest import version

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow]

Visit = Callable[..., Awaitable[Any]]

DESIGNED: Final = [
    (320, 480), (320, 568), (740, 360), (844, 390),
    (360, 640), (360, 740), (390, 844), (430, 932), (600, 1000), (639, 480), (640, 480),
    (640, 700), (700, 900), (768, 1024), (800, 600), (820, 1180), (899, 900), (900, 1200), (960, 1080), (1024, 768),
    (1080, 1080), (1199, 700), (1200, 700), (1280, 559), (1280, 800), (1366, 768), (1440, 900), (1799, 1000),
    (1800, 1058), (1920, 1080), (2560, 480), (2560, 1440),
]  # fmt: skip
"""Sizes at and beside every border of the layout, and those of usual screens."""

EXTREME: Final = [(320, 480), (740, 360), (639, 480), (640, 700), (1199, 700), (2560, 480), (2560, 1440)]
"""The smallest, the flattest and the largest, and one of each layout."""

EVERY: Final = [
    *itertools.product(range(320, 2561, 80), (480, 520, 600, 720, 768, 900, 1080, 1200, 1440)),
    *DESIGNED,
]

VARIANTS: Final = ("standard", "survivor", "ffa")

NAMES: Final = ("Amber Rook 27", "W" * 24, "Cunning Nightingale 1024", "Di")
"""A default name, the widest one, one of the greatest length, and a short one."""

FAULTS: Final = """() => {
    const faults = [];
    const seen = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && element.getClientRects().length > 0;
    const all = (selector) => [...document.querySelectorAll(selector)].filter(seen);
    const box = (element) => element.getBoundingClientRect();
    const name = (element) => element.id ? `#${element.id}` : `.${[...element.classList].join(".")} "${element.textContent.slice(0, 20)}"`;
    const within = (inner, outer, slack = 1) => inner.left >= outer.left - slack && inner.top >= outer.top - slack && inner.right <= outer.right + slack && inner.bottom <= outer.bottom + slack;
    const apart = (one, other) => one.right <= other.left + 0.5 || other.right <= one.left + 0.5 || one.bottom <= other.top + 0.5 || other.bottom <= one.top + 0.5;
    const page = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    const root = document.documentElement;
    if (root.scrollWidth > innerWidth || root.scrollHeight > innerHeight) faults.push(`the page scrolls: ${root.scrollWidth}x${root.scrollHeight}`);
    // The board: whole pixels, all of it there, every square under its own middle.
    const sheet = innerWidth < 640 && ["chat", "about"].includes(document.querySelector(".table").dataset.tab); // lies over the board
    const squares = all("#board [data-square]");
    const side = box(squares[0]).width;
    if (Math.abs(side - Math.round(side)) > 0.01) faults.push(`squares of ${side} px`);
    for (const square of squares) {
        const at = box(square);
        const hit = document.elementFromPoint(at.left + at.width / 2, at.top + at.height / 2);
        if (!sheet && !hit?.closest("#board")) faults.push(`${square.dataset.square} is covered by ${hit ? name(hit) : "nothing, it is outside"}`);
    }
    const parts = all(`.bar, .slot, .steps, .moves, .tabs, .say, ${sheet ? ".about, .clocks" : ".card, .strip, .chat, .about"}`);
    for (const part of parts) {
        const at = box(part);
        if (!within(at, page, part.matches(".strip") ? 3 : 1)) faults.push(`${name(part)} is cut by the window`);
        if (!sheet && squares.some((square) => !apart(box(square), at))) faults.push(`${name(part)} meets a square`);
    }
    for (const [one, other] of parts.flatMap((one, index) => parts.slice(index + 1).map((other) => [one, other]))) {
        if (one.matches(".strip") || other.matches(".strip") || one.contains(other) || other.contains(one)) continue;
        if (!apart(box(one), box(other))) faults.push(`${name(one)} meets ${name(other)}`);
    }
    // What is to be pressed is there, whole, and under its own middle; so are clocks.
    for (const button of all(`.bar :is(a, button), .slot button, .steps button, .tab, .say :is(input, select, button), ${sheet ? ".tab" : ".card button, .clock"}`)) {
        const at = box(button);
        const holder = box(button.closest(".bar, .slot, .steps, .tabs, .say, .card"));
        if (!within(at, holder)) faults.push(`${name(button)} leaves ${holder.width}x${holder.height}`);
        if (button.scrollWidth > button.clientWidth + 1 && button.matches("button")) faults.push(`${name(button)} is cut: ${button.scrollWidth} in ${button.clientWidth}`);
        const hit = document.elementFromPoint(at.left + at.width / 2, at.top + at.height / 2);
        if (!button.contains(hit) && !hit?.contains(button)) faults.push(`${name(button)} is covered by ${hit ? name(hit) : "nothing"}`);
    }
    for (const button of all(".people :is(button, select, .tag)")) if (box(button).right > box(button.closest(".about")).right - 1) faults.push(`${name(button)} is pushed out`);
    const slot = document.querySelector(".slot");
    const rows = all(".slot .head, .slot .tally, .slot .body > .text, .slot .absence, .slot .buttons");
    for (const row of rows) if (!within(box(row), box(slot))) faults.push(`${name(row)} leaves the slot`);
    for (let index = 1; index < rows.length; index++) if (!apart(box(rows[index]), { ...box(rows[index - 1]).toJSON(), bottom: box(rows[index - 1]).bottom - 1 })) faults.push(`${name(rows[index])} lies on ${name(rows[index - 1])}`);
    const runs = document.querySelector(".slot > .until");
    if (runs && seen(runs)) for (const part of all(".slot .head, .slot .head .chip")) if (box(part).top < box(runs).bottom) faults.push(`${name(part)} lies under what is left of the time`);
    for (const fact of all("#title > span")) if (!within(box(fact), box(document.querySelector("#title"))) && box(fact).top < box(document.querySelector("#title")).bottom - 2) faults.push(`the title is cut: ${fact.textContent}`);
    for (const text of all(".slot .ending > .text")) if (!within(box(text), box(text.parentElement))) faults.push(`why it ended is cut: ${text.textContent}`);
    if (innerWidth >= 640 && innerHeight >= 640) for (const button of all(".review > button")) if (!within(box(button), box(button.closest(".judgement")))) faults.push(`${name(button)} is cut`);
    for (const text of all(".slot .text")) if (text.scrollHeight > text.clientHeight + 2) faults.push(`the text is cut: ${text.textContent}`);
    for (const one of all(".card .who, .card .who .name")) if (one.clientWidth && (one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 4)) faults.push(`${name(one)} is cut`);
    for (const clock of all(".players-4 .card .clock")) for (const above of clock.parentElement.querySelectorAll(".who, .note, .prey")) if (seen(above) && box(above).bottom > box(clock).top + 4) faults.push(`${name(above)} lies under the clock`);
    for (const card of all(".card .in")) if (card.scrollHeight > card.clientHeight + 1) faults.push(`${name(card.parentElement)} overflows: ${card.scrollHeight} in ${card.clientHeight}`);
    for (const list of all(".moves, .said, .about, .ending")) if (list.scrollWidth > list.clientWidth + 1) faults.push(`${name(list)} scrolls sideways: ${list.scrollWidth} in ${list.clientWidth}`);
    return faults;
}"""  # noqa: E501

FRAMES: Final = 120
"""Frames that a page has to come to rest at a size. On a busy machine they come late."""

MEASURE: Final = f"""async () => {{
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    const measured = {FAULTS};
    await frame();
    let faults = [];
    for (let left = {FRAMES}; left > 0; left -= 1) {{
        await frame();
        faults = measured();
        if (faults.length === 0) break;
    }}
    return faults;
}}"""


async def swept(page: Any, state: str, sizes: list[tuple[int, int]]) -> list[str]:
    """The faults at these sizes, in words. Stops after some twenty."""
    found: list[str] = []
    for width, height in sizes:
        await page.set_viewport_size({"width": width, "height": height})
        found += [f"{state} at {width}x{height}: {fault}" for fault in (await page.evaluate(MEASURE))[:4]]
        if len(found) > 20:
            break
    return found


class Game:
    """A game on the page of its first player. Its last player has yet to join."""

    def __init__(self, url: str, variant: str, players: list[Connection], room: str, page: Any) -> None:
        self.url = url
        self.variant = variant
        self.players = players
        self.room = room
        self.page = page

    @classmethod
    async def open(cls, url: str, visit: Visit, variant: str, stack: AsyncExitStack) -> "Game":
        names = NAMES[: 2 if variant == "standard" else 4]
        players = [await stack.enter_async_context(Connection(url, name=name)) for name in names]
        reply = await players[0].request(ask.Create(variant=variant, clock=ask.Clock(base=3_600_000)))
        room: str = reply.room  # type: ignore[attr-defined]
        page = await visit("about:blank")
        await page.add_init_script(f"localStorage['fourfold.token'] = {players[0].token!r}")
        for player in players[:-1]:
            await player.join(room)
        await page.goto(f"{url}/r/{room}")
        await page.locator(".people li").first.wait_for(state="attached")
        return cls(url, variant, players, room, page)

    async def begin(self) -> None:
        """The last player joins, and some moves are made."""
        await self.players[-1].join(self.room)
        two, four = ["e2e4", "e7e5", "g1f3", "b8c6"], ["h2h3", "b7c7", "g13g12", "m8l8", "e1f3"]
        moves = two if self.variant == "standard" else four
        for player, move in zip(itertools.cycle(self.players), moves, strict=False):
            await player.move(self.room, move, await version(self.url, self.room))
        await self.page.locator(".ply").nth(len(moves) - 1).wait_for(state="attached")
        await self.page.locator(".map").wait_for(state="attached")

    async def states(self) -> AsyncIterator[str]:
        """Takes the page through the lasting states of the game, and yields their names."""
        page = self.page
        yield "before the game"
        await self.begin()
        yield "at rest"
        await page.context.set_offline(True)
        await page.locator(".slot.alarms").wait_for()
        yield "offline"
        await page.context.set_offline(False)
        await page.locator(".slot.alarms").wait_for(state="detached")
        for player in self.players[1:]:
            await player.resign(self.room)
        await page.locator(".slot.ends").wait_for()
        yield "at the end"
        await page.set_viewport_size({"width": 1280, "height": 800})
        await page.locator("#back").click()
        await page.get_by_role("button", name="Back to now").wait_for()
        yield "looking back"


@pytest.mark.parametrize(
    ("variant", "every"),
    [("standard", False), ("ffa", False), *(pytest.param(name, True, marks=pytest.mark.campaign) for name in VARIANTS)],
)
async def test_nothing_meets_a_square_and_nothing_is_cut(
    server: Any, visit: Visit, variant: str, every: bool
) -> None:
    """The designed sizes at rest, the extreme ones in the other states; in the campaign, every size in each state."""
    async with AsyncExitStack() as stack:
        game = await Game.open(server.url, visit, variant, stack)
        async for state in game.states():
            sizes = EVERY if every else DESIGNED if state == "at rest" else EXTREME
            assert await swept(game.page, state, sizes) == []


@pytest.mark.parametrize("variant", ["standard", "ffa"])
async def test_nothing_meets_a_square_in_a_vote(server: Any, visit: Visit, variant: str) -> None:
    """A vote ends by itself. On a slow machine, the sizes take several votes."""
    left = list(EXTREME)
    while left:
        async with AsyncExitStack() as stack:
            game = await Game.open(server.url, visit, variant, stack)
            await game.begin()
            await game.players[1].propose(game.room, "undo", await version(server.url, game.room), 2)
            open_vote = game.page.locator(".slot.asks [data-does=agree]:enabled")
            await open_vote.wait_for()
            while left:
                found = await swept(game.page, "in a vote", left[:1])
                if not await open_vote.count():
                    break  # it may have ended before the page was measured
                assert found == []
                del left[0]


@pytest.mark.parametrize("variant", ["standard", "survivor"])
async def test_what_is_said_of_who_is_away_is_whole(server: Any, visit: Visit, variant: str) -> None:
    async with AsyncExitStack() as stack:
        names = ("Ada", "Boris") if variant == "standard" else NAMES
        players = [await stack.enter_async_context(Connection(server.url, name=name)) for name in names[:-1]]
        room = await players[0].create(variant)
        for player in players:
            await player.join(room)
        async with Connection(server.url, name=names[-1]) as away:
            await away.join(room)
            page = await visit("about:blank")
            await page.add_init_script(f"localStorage['fourfold.token'] = {players[0].token!r}")
            await page.goto(f"{server.url}/r/{room}")
            await page.locator(".card.to-move").wait_for()
        await page.get_by_text(f"{names[-1]} is away").wait_for()
        assert await swept(page, "away", EXTREME) == []
