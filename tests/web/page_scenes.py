"""A guest's account, the lobby without a server, and the explorer beside a replay, for `pictures` and `test_scenes`."""

import secrets
from typing import Any

from fourfold.protocol import from_client as ask
from tests.web.conftest import archived, version
from tests.web.games_scenes import OPENING


async def account_guest(stage: Any) -> None:
    await stage.page.goto(f"{stage.server.url}/#you")
    await stage.page.get_by_role("heading", name="Make an account").wait_for()


async def explored(stage: Any) -> None:
    """An archived game at its first position, and the explorer there."""
    ada, boris = stage.people[:2]
    rooms = []
    for first in ("e2e4", "d2d4", "e2e4"):
        rooms.append(await stage.room("standard"))
        for ply, move in enumerate((first, *OPENING[1:2]) if first != "e2e4" else OPENING):
            await stage.people[ply % 2].move(rooms[-1], move, await version(stage.server.url, rooms[-1]))
        await boris.resign(rooms[-1])
    await _explore(stage, ada, rooms[-1], 3)


async def explored_four(stage: Any) -> None:
    ada = stage.people[0]
    rooms = []
    for moves in (("h2h3", "b7c7", "g13g12", "m8l8"), ("g2g3", "b7c7", "g13g12", "m8l8")):
        rooms.append(await stage.room("ffa"))
        for player, move in zip(stage.people, moves, strict=True):
            await player.move(rooms[-1], move, await version(stage.server.url, rooms[-1]))
        for player in stage.people[1:]:
            await player.resign(rooms[-1])
    await _explore(stage, ada, rooms[-1], 2)


async def _explore(stage: Any, player: Any, room: str, games: int) -> None:
    while await archived(player) < games:
        await player.ping()
    await stage.open(room)
    await stage.page.locator(".slot.ends").wait_for()
    await stage.page.locator(".tab[data-tab=about]").click()
    await stage.page.locator("#first").click()
    await stage.page.locator(".explorer tbody tr").first.wait_for()


async def first_screen(stage: Any) -> None:
    """With a game of people on the stage."""
    room = await stage.room("survivor", 8)
    await stage.lobby()
    await stage.page.locator(f"#stage-about [href='/r/{room}']").wait_for()
    await stage.page.locator("#stage-board .piece").nth(30).wait_for()


async def friends(stage: Any) -> None:
    await stage.lobby()
    await stage.page.get_by_role("button", name="Play with friends").click()


async def learn_four(stage: Any) -> None:
    await stage.page.goto(f"{stage.server.url}/learn/survivor")
    await stage.page.locator("#board .piece").first.wait_for()


async def learn_two(stage: Any) -> None:
    """A question, after a wrong answer."""
    await stage.page.goto(f"{stage.server.url}/learn/standard#5")
    await stage.page.get_by_role("button", name="The move is taken back").click()
    await stage.page.locator(".verdict.wrong").wait_for()


async def learn_hill(stage: Any) -> None:
    await stage.page.goto(f"{stage.server.url}/learn/kingofthehill4")
    await stage.page.locator("#board .piece").first.wait_for()


async def preferences(stage: Any) -> None:
    await stage.page.goto(f"{stage.server.url}/preferences")
    await stage.page.locator("#board .piece").nth(63).wait_for()
    await stage.page.locator("#letters-piece-K .letter").wait_for(state="attached")


async def preferences_other(stage: Any) -> None:
    """Another theme and another set of pieces, with the coordinates beside the board."""
    await preferences(stage)
    await stage.page.get_by_role("button", name="Two").click()
    for choice in ("board][value=sea", "pieces][value=blocks", "coordinates][value=beside"):
        await stage.page.locator(f"[name={choice}]").check()
    await stage.page.locator("#piece-K > *").first.wait_for(state="attached")


async def table_other(stage: Any) -> None:
    """A table for four with coins on walnut, and the coordinates beside it."""
    chosen = {"fourfold.board": "walnut", "fourfold.pieces": "coins", "fourfold.coordinates": "beside"}
    await stage.page.context.add_init_script(f"Object.assign(localStorage, {chosen!r})")
    room = await stage.room("survivor", 20)
    await stage.people[3].resign(room)
    await stage.open(room)
    await stage.page.locator("#piece-K > *").first.wait_for(state="attached")


async def tv(stage: Any) -> None:
    await stage.room("ffa", 40)
    await stage.page.goto(f"{stage.server.url}/tv#four")
    await stage.page.locator(".plate.red").wait_for()


async def tv_two(stage: Any) -> None:
    await stage.room("standard", 24)
    await stage.page.goto(f"{stage.server.url}/tv#two")
    await stage.page.locator(".plate.white").wait_for()


async def wall(stage: Any) -> None:
    for number in range(6):
        await stage.room("standard" if number % 2 else "ffa", 10 + 6 * number)
    await stage.page.goto(f"{stage.server.url}/wall")
    await stage.page.locator(".cell .plate").nth(17).wait_for()


async def wall_club(stage: Any) -> None:
    """Two games of a club, one of them for four."""
    code = f"club-{secrets.token_hex(3)}"
    for variant, players in (("standard", stage.people[:2]), ("survivor", stage.people)):
        for player in players:
            await player.request(ask.Seek(pool=code, variant=variant, clock=ask.Clock(base=600_000)))
    await stage.page.goto(f"{stage.server.url}/wall?code={code}")
    await stage.page.locator(".cell .plate").nth(5).wait_for()


async def embed(stage: Any) -> None:
    await stage.page.goto(f"{stage.server.url}/embed/{await stage.room('ffa', 40)}")
    await stage.page.locator(".plate").first.wait_for()


async def overlay(stage: Any) -> None:
    await stage.page.goto(f"{stage.server.url}/overlay/{await stage.room('ffa', 40)}")
    await stage.page.locator(".players .time").first.wait_for()


async def offline_lobby(stage: Any) -> None:
    await stage.lobby()
    await stage.page.locator("#state", has_text="game").wait_for()  # it has heard of the server
    stage.server.kill()
    await stage.page.locator("#state", has_text="No connection").wait_for()


SCENES = (
    account_guest, first_screen, friends, learn_four, learn_two, learn_hill, preferences, preferences_other,
    table_other, tv, tv_two, wall, wall_club, embed, overlay, offline_lobby,
)  # fmt: skip
ARCHIVED = (explored, explored_four)
"""Those of the server that archives games at once."""
