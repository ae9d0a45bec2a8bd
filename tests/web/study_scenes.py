"""Learning from games: puzzles, and studies for two and for four."""

import asyncio
from typing import Any

from fourfold.protocol import from_client as ask
from fourfold.protocol import from_server as told
from fourfold.protocol import studies as parts

TEXT = (
    "1. e4 e5 2. Nf3 {Attacks the pawn.} (2. f4 exf4 (2... d5 3. exd5 e4) 3. Nf3 g5) 2... Nc6 3. Bb5 a6?! 4. Ba4 Nf6 *"
)


async def puzzle(stage: Any) -> None:
    ada, boris = stage.people[:2]
    created = await ada.request(ask.Create(moves=["f2f3", "e7e5", "g2g4", "a7a6", "a2a3"]))
    for player in (ada, boris):
        await player.join(created.room)
    await boris.resign(created.room)
    async with asyncio.timeout(240):
        while (await ada.review(created.room)).summary is None:  # noqa: ASYNC110 - it is asked for, not told
            await asyncio.sleep(0.2)
    await stage.page.goto(f"{stage.server.url}/puzzles#{created.room}")
    await stage.page.locator(".task h2").wait_for()


async def study(stage: Any) -> None:
    await _open(stage, {"text": TEXT}, 4)


async def study_four(stage: Any) -> None:
    await _open(stage, {"game": await stage.room("ffa", 40)}, 9)
    await stage.page.get_by_role("button", name="What each side attacks").click()
    await stage.page.locator(".attack").first.wait_for(state="attached")
    await stage.page.locator("#plates .card").first.wait_for()


async def study_judged(stage: Any) -> None:
    """The engine runs, and the bar and the plates show its results."""
    await _open(stage, {"game": await stage.room("ffa", 40)}, 9)
    await stage.page.get_by_role("switch", name="Engine").click()
    await stage.page.locator("#plates .clock", has_text="%").first.wait_for(timeout=30_000)


async def _open(stage: Any, source: dict[str, str], node: int) -> None:
    ada, boris = stage.people[:2]
    begins = parts.Source(**source)
    made = await ada.request(ask.Study(title="What was tried", visibility="link", write="everybody", source=begins))
    assert isinstance(made, told.Created)
    await boris.request(ask.Watch(room=made.room))
    await boris.request(ask.Stand(room=made.room, chapter=1, node=3))
    await stage.page.goto(f"{stage.server.url}/s/{made.room}#1.{node}")
    await stage.page.locator(".board .piece").first.wait_for()
    await stage.page.locator(".stands").wait_for()


async def studies(stage: Any) -> None:
    await stage.people[0].request(ask.Study(title="What was tried", visibility="public"))
    await stage.page.goto(f"{stage.server.url}/studies")
    await stage.page.locator("#mine a").first.wait_for()


SCENES = (puzzle, study, study_four, study_judged, studies)
