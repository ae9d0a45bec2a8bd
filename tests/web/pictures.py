"""Pictures of every page of the browser client, for people to look at.

    python -m tests.web.pictures FOLDER [SCENE ...]

starts a server, plays games on it, and takes each scene (all of them, or those named) at twelve sizes, from a small
phone to a wall, in light and in dark: `FOLDER/SCENE-WIDTHxHEIGHT-SCHEME.png`. People judge beauty; `test_scenes` and
`test_geometry` check the same scenes.
"""

import argparse
import asyncio
import itertools
import json
import shutil
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, Final

from playwright.async_api import async_playwright

from fourfold.clients.connection import Connection
from fourfold.engine.notation import pgn, pgn4
from fourfold.protocol import from_client as ask
from fourfold.protocol import from_server as told
from tests.games.conftest import ServerProcess, running
from tests.web import games_scenes, lobby_scenes, page_scenes, people_scenes, result_scenes, study_scenes
from tests.web.conftest import ARCHIVING, FLAGS, print_text, version

SIZES: Final = (
    (320, 568), (360, 740), (390, 844), (740, 360), (844, 390), (768, 1024), (960, 1080), (1024, 768), (1280, 800),
    (1440, 900), (1920, 1080), (2560, 1440),
)  # fmt: skip
LAPTOP: Final = (1280, 800)
SCHEMES: Final = ("light", "dark")
GAMES: Final = Path(__file__).parents[1] / "engine" / "notation" / "data"
NAMES: Final = ("Ada", "Boris", "Chen", "Dagny")


class Stage:
    """Rooms in every state, new for each set of pictures; `page` belongs to the first player."""

    def __init__(self, server: ServerProcess, page: Any, people: list[Connection], stack: AsyncExitStack) -> None:
        self.server = server
        self.page = page
        self.people = people
        self.stack = stack

    async def guest(self, name: str) -> Connection:
        """One more, who stays until the end."""
        return await self.stack.enter_async_context(Connection(self.server.url, name=name))

    async def room(self, variant: str, plies: int = 0, players: list[Connection] | None = None, **terms: Any) -> str:
        """A running game, a number of plies into a recorded one."""
        two = variant == "standard"
        game = next((pgn if two else pgn4).read((GAMES / ("sample.pgn" if two else "ffa.pgn4")).read_text()))
        moves = [step.move.text for step in game.line.steps if step.move is not None][:plies]
        if two:
            terms = {"clock": ask.Clock(600_000, 5_000)} | terms
        elif plies:
            terms = {"clock": ask.Clock(60_000, delay=15_000), "position": game.start.fen()} | terms
        players = players or self.people[: 2 if two else 4]
        reply = await players[0].request(ask.Create(variant=variant, moves=moves, **terms))
        assert isinstance(reply, told.Created)
        for player in players:
            await player.join(reply.room)
        return reply.room

    async def open(self, room: str) -> None:
        await self.page.goto(f"{self.server.url}/r/{room}")
        await self.page.locator(".board .piece").first.wait_for()
        bare = "[...document.querySelectorAll('.ply')].some((ply) => /^[a-n]\\d+[a-n]\\d+$/.test(ply.textContent))"
        await self.page.wait_for_function(f"() => !{bare}")  # moves are written as people write them

    async def click(self, *squares: str) -> None:
        for square in squares:
            box = await self.page.locator(f"[role=gridcell][data-square={square}]").bounding_box()
            await self.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    async def lobby(self) -> None:
        await self.page.goto(self.server.url)
        await self.page.locator("#live .live-card, #live .nothing-here").first.wait_for()

    async def create(self, variant: str = "standard") -> None:
        """The dialog in which a table is opened, with all there is to choose."""
        await self.lobby()
        await self.page.get_by_role("button", name="Create a table").click()
        await self.page.locator(f"[name=variant][value={variant}]").check()
        await self.page.get_by_text("More: private").click()


Scene = Callable[[Stage], Awaitable[None]]


async def create(stage: Stage) -> None:
    await stage.create("survivor")


async def waiting(stage: Stage) -> None:
    room = await stage.people[0].create("survivor", clock=ask.Clock(300_000, 5_000))
    await stage.people[0].join(room)
    await stage.people[1].join(room)
    await stage.page.goto(f"{stage.server.url}/r/{room}")
    await stage.page.locator(".people").wait_for()


async def begun_two(stage: Stage) -> None:
    await stage.open(await stage.room("standard"))
    await stage.page.locator(".card.white.to-move").wait_for()


async def begun_four(stage: Stage) -> None:
    await stage.open(await stage.room("survivor", clock=ask.Clock(300_000, 5_000)))
    await stage.page.locator(".card.red.to-move").wait_for()


async def two(stage: Stage) -> None:
    await stage.open(await stage.room("standard", 22))
    await stage.page.locator(".card.white.to-move").wait_for()
    knight = stage.page.locator('[aria-label*="white knight"]').first
    await stage.click(await knight.get_attribute("data-square"))


async def rated_two(stage: Stage) -> None:
    await lobby_scenes.members(stage)
    await stage.open(await stage.room("standard", 22))
    await stage.page.locator(".rating:not(:empty)").nth(1).wait_for()


async def rated_four(stage: Stage) -> None:
    await lobby_scenes.members(stage)
    await stage.open(await stage.room("ffa", 40))
    await stage.page.locator(".rating:not(:empty)").nth(3).wait_for()


async def premove(stage: Stage) -> None:
    await stage.open(await stage.room("standard", 1))
    await stage.page.locator(".card.black.to-move").wait_for()
    await stage.click("g1", "f3")


async def promotion(stage: Stage) -> None:
    await stage.open(await stage.room("standard", position="7k/2P5/8/8/8/8/5p2/K7 w - - 0 1"))
    await stage.page.locator(".card.white.to-move").wait_for()
    await stage.click("c7", "c8")
    await stage.page.locator(".picker").wait_for()


async def four(stage: Stage) -> None:
    await stage.open(await stage.room("ffa", 60))
    await stage.page.locator(".card.to-move").wait_for()


async def facing(stage: Stage) -> None:
    await stage.open(await stage.room("ffa", 24))
    await stage.page.locator("#gear").click()
    await stage.page.get_by_text("Pieces face their players").click()


async def grey(stage: Stage) -> None:
    room = await stage.room("survivor", 20)
    await stage.people[3].resign(room)
    await stage.open(room)
    await stage.page.locator(".card.green.out").wait_for()


async def vote(stage: Stage) -> None:
    room = await stage.room("ffa", 44)
    await stage.people[1].propose(room, "undo", await version(stage.server.url, room), 3)
    await stage.people[2].vote(room, 1, True)
    await stage.open(room)
    await stage.page.locator(".slot.asks [data-does=agree]").first.wait_for()


async def before(stage: Stage) -> None:
    await vote(stage)
    await stage.page.get_by_role("button", name="Now").click()


async def refused(stage: Stage) -> None:
    room = await stage.room("survivor", 16)
    await stage.open(room)
    await stage.people[2].propose(room, "undo", await version(stage.server.url, room), 3)
    await stage.page.locator(".slot.asks").wait_for()
    await stage.people[1].vote(room, 1, False)
    await stage.page.get_by_role("heading", name="Boris refused").wait_for()


async def claim(stage: Stage) -> None:
    room = await stage.room("standard", position="7k/8/8/8/8/8/8/KQ6 w - - 98 90")
    for player, move in zip(stage.people, ("b1b2", "h8h7"), strict=False):
        await player.move(room, move, await version(stage.server.url, room))
    await stage.open(room)
    await stage.page.get_by_role("heading", name="You may claim a draw").wait_for()


async def away(stage: Stage) -> None:
    async with Connection(stage.server.url, name="Finn") as guest:
        room = await stage.room("standard", 6, players=[stage.people[0], guest])
        await stage.open(room)
    await stage.page.get_by_text("Finn is away").wait_for()


async def survived(stage: Stage) -> None:
    room = await stage.room("survivor", 18)
    for player in stage.people[1:]:
        await player.resign(room)
    await stage.open(room)
    await stage.page.locator(".slot.ends").wait_for()


async def told_four(stage: Stage) -> None:
    """The result, once the review that begins by itself has its story."""
    await survived(stage)
    await stage.page.locator(".story .curve").first.wait_for(state="attached", timeout=300_000)


async def draw(stage: Stage) -> None:
    room = await stage.room("standard", 40)
    await stage.people[1].propose(room, "draw", await version(stage.server.url, room))
    await stage.open(room)
    await stage.page.locator(".slot.asks [data-does=refuse]").wait_for()


async def talk(stage: Stage) -> None:
    room = await stage.room("ffa", 20)
    await stage.open(room)
    for number, (to, text) in enumerate(
        [("all", "Good luck everybody!"), ("all", "Have fun"), ("table", "Green is far ahead, aren't they?"),
         ("table", "Let us see. A long line must be broken where the panel ends, and not run out of it.")]
    ):  # fmt: skip
        await stage.people[number].say(room, text, to=to)  # type: ignore[arg-type]
    await stage.page.locator(".said p").nth(3).wait_for(state="attached")
    if not await stage.page.locator("#chat").is_visible():
        await stage.page.locator(".tab[data-tab=chat]").click()


async def mate(stage: Stage) -> None:
    room = await stage.room("standard", position="6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1")
    await stage.people[0].move(room, "e1e8", await version(stage.server.url, room))
    await stage.open(room)
    await stage.page.locator(".slot.ends").wait_for()


async def finished(stage: Stage) -> None:
    room = await stage.room("ffa", 60)
    for player in stage.people[1:]:
        await player.resign(room)
    await stage.open(room)
    await stage.page.locator(".slot.ends").wait_for()


async def replay(stage: Stage) -> None:
    await finished(stage)
    for _ in range(9):
        await stage.page.locator("#back").click()


async def judged(stage: Stage) -> None:
    """With the engine and the review."""
    await replay(stage)
    await _judge(stage)


async def judged_two(stage: Stage) -> None:
    room = await stage.room("standard", 40)
    await stage.people[1].resign(room)
    await stage.open(room)
    await stage.page.locator(".slot.ends").wait_for()
    for _ in range(9):
        await stage.page.locator("#back").click()
    await _judge(stage)


async def _judge(stage: Stage) -> None:
    await stage.page.get_by_role("button", name="Review this game").click()
    await stage.page.get_by_role("switch", name="Engine").click()
    await stage.page.locator(".lines li").first.wait_for()
    await stage.page.locator(".graph").first.wait_for(timeout=300_000)


async def _editor(stage: Stage, variant: str) -> None:
    await stage.create(variant)
    await stage.page.locator("#edit").click()
    await stage.page.locator(".editor .piece").first.wait_for()


async def editor_two(stage: Stage) -> None:
    await _editor(stage, "standard")
    await stage.page.get_by_role("button", name="Take away").click()
    await stage.click("e1", "h8")
    await stage.page.locator(".faults:not(.fine) li").nth(2).wait_for()


async def editor_four(stage: Stage) -> None:
    await _editor(stage, "survivor")
    await stage.page.locator(".faults.fine").wait_for()


async def password(stage: Stage) -> None:
    room = await stage.people[1].create("standard", password="open sesame")
    await stage.page.goto(f"{stage.server.url}/r/{room}")
    await stage.page.get_by_label("Password").wait_for()


async def nowhere(stage: Stage) -> None:
    await stage.page.goto(f"{stage.server.url}/r/nowhere")
    await stage.page.locator(".nothing").wait_for()


async def offline_two(stage: Stage) -> None:
    await _offline(stage, await stage.room("standard", 30))


async def offline_four(stage: Stage) -> None:
    await _offline(stage, await stage.room("ffa", 30))


async def _offline(stage: Stage, room: str) -> None:
    await stage.open(room)
    stage.server.kill()
    await stage.page.locator(".slot.alarms").wait_for()


SCENES: Final[dict[str, Scene]] = {
    scene.__name__: scene
    for scene in (
        *lobby_scenes.SCENES, *games_scenes.SCENES, *people_scenes.SCENES, *page_scenes.SCENES, *page_scenes.ARCHIVED,
        *result_scenes.SCENES, *result_scenes.ARCHIVED, *study_scenes.SCENES,
        create, waiting, begun_two, begun_four, two, rated_two, rated_four, premove, promotion,
        four, facing, grey,
        vote, before, refused, claim, away, survived, told_four, draw, talk, mate, finished, replay, judged, judged_two,
        editor_two, editor_four,
        password, nowhere, offline_two, offline_four,
    )
}  # fmt: skip

ARCHIVED: Final = frozenset(
    scene.__name__ for scene in (*games_scenes.SCENES, *page_scenes.ARCHIVED, *result_scenes.ARCHIVED)
)
"""The scenes of a server that archives games at once."""


@asynccontextmanager
async def staged(browser: Any, server: ServerProcess) -> AsyncIterator[Stage]:
    """A page of the first of four people, on a laptop, in light. The report of a failed test has its text."""
    async with AsyncExitStack() as stack:
        people = [await stack.enter_async_context(Connection(server.url, name=name)) for name in NAMES]
        context = await stack.enter_async_context(
            await browser.new_context(
                viewport={"width": LAPTOP[0], "height": LAPTOP[1]}, color_scheme=SCHEMES[0], reduced_motion="reduce",
            )
        )  # fmt: skip
        identity = {"fourfold.token": people[0].token, "fourfold.name": people[0].name}
        await context.add_init_script(f"Object.assign(localStorage, {json.dumps(identity)})")
        stage = Stage(server, await context.new_page(), people, stack)
        try:
            yield stage
        except Exception:
            await print_text(stage.page)
            raise
        for tile in await stage.page.locator(".tile.searching").all():
            await tile.click()  # so that no player is paired with one of another scene


async def take(folder: Path, names: list[str]) -> None:
    """Take the pictures of these scenes."""
    with running(bots=1) as usual, running(None, 0, *ARCHIVING) as archiving:
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
            for name in names:
                server = archiving if name in ARCHIVED else usual
                async with staged(browser, server) as stage:
                    await SCENES[name](stage)
                    await stage.page.evaluate("document.activeElement?.blur()")
                    for (width, height), scheme in itertools.product(SIZES, SCHEMES):
                        await stage.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
                        await stage.page.set_viewport_size({"width": width, "height": height})
                        await stage.page.evaluate("() => new Promise((done) => setTimeout(done, 100))")
                        await stage.page.screenshot(path=folder / f"{name}-{width}x{height}-{scheme}.png")
                if not server.runs:
                    server.start()
            await browser.close()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.web.pictures", description="Pictures of every page.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("scenes", nargs="*", choices=[[], *SCENES], metavar="SCENE", help=", ".join(SCENES))
    wish = parser.parse_args()
    wish.folder.mkdir(parents=True, exist_ok=True)
    asyncio.run(take(wish.folder, wish.scenes or list(SCENES)))


if __name__ == "__main__":
    sys.exit(main())
