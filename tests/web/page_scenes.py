"""Pages about accounts and order, and the explorer beside a replay, for `pictures` and `test_scenes`."""

import secrets
from typing import Any

from fourfold.protocol import from_client as ask
from tests.web.conftest import ADMIN, archived, version
from tests.web.games_scenes import OPENING
from tests.web.lobby_scenes import members


async def account_guest(stage: Any) -> None:
    await stage.page.goto(f"{stage.server.url}/#you")
    await stage.page.get_by_role("heading", name="Make an account").wait_for()


async def account_member(stage: Any) -> None:
    """An account that is signed in on two devices, and has an access token."""
    await members(stage)
    code = (await stage.people[0].new_code()).code
    await (await stage.guest("Elsewhere")).login(code, "Firefox on Linux")
    await stage.people[0].request(ask.Grant(scope="bot", name=f"Deep {secrets.token_hex(2)}"))
    await stage.page.goto(f"{stage.server.url}/#you")
    await stage.page.get_by_text("this one").wait_for()


async def moderation(stage: Any) -> None:
    """One is reported, another is muted, an address is banned, and everybody was told something."""
    ada, boris, chen, dagny = stage.people
    account = await ada.register(ADMIN, "Test")
    await stage.page.add_init_script(f"localStorage['fourfold.token'] = {account.token!r}")
    room = await stage.room("survivor", 20)
    await boris.say(room, "You are all patzers, and a long line of insults must be broken where the panel ends.")
    await chen.request(ask.Report(room=room, player=boris.player, why="Insults everybody, in every game"))
    for what in (
        {"act": "mute", "target": dagny.player, "why": "Advertising", "seconds": 86_400},
        {"act": "ban", "target": "203.0.113.9", "why": "Floods the lobby"},
        {"act": "announce", "text": "The server is restarted at noon."},
    ):
        await ada.request(ask.Moderate(**what))
    await stage.page.goto(f"{stage.server.url}/#moderate")
    await stage.page.locator(".report").wait_for()


async def explored(stage: Any) -> None:
    """A game of the archive at its first position, and what else was played there."""
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


async def report(stage: Any) -> None:
    """A player at the table is to be reported."""
    await stage.open(await stage.room("survivor", 20))
    await stage.page.locator("#more").click()
    await stage.page.get_by_role("button", name="Report a player").click()
    await stage.page.locator("#report-why").wait_for()


async def offline_lobby(stage: Any) -> None:
    await stage.lobby()
    stage.server.kill()
    await stage.page.locator("#state", has_text="No connection").wait_for()


SCENES = (account_guest, account_member, report, offline_lobby)
ARCHIVED = (moderation, explored, explored_four)
"""Those of the server that archives games at once, whose admin is `ADMIN`."""
