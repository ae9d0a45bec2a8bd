"""One's account, and order among people, for `pictures` and `test_scenes`."""

import secrets
from typing import Any

from fourfold.clients.connection import Connection
from fourfold.protocol import from_client as ask


async def _member(stage: Any) -> str:
    """The first of four people has an account, and moderates; its name."""
    ada = stage.people[0]
    name = f"Ada {secrets.token_hex(2)}"
    await ada.register(name, "Terminal")
    await stage.server.appoints(name)
    await stage.page.context.add_init_script(f"localStorage['fourfold.token'] = {ada.token!r}")
    return name


async def _account(stage: Any) -> None:
    """With another device, and programs."""
    name = await _member(stage)
    ada = stage.people[0]
    code = (await ada.request(ask.Recovery())).code
    phone = await stage.guest("Phone")
    await phone.request(ask.Login(code=code, device="Firefox on Android"))
    await ada.grant("play", "Analysis at home")
    await ada.grant("bot", f"{name} bot")
    await stage.page.goto(f"{stage.server.url}/#you")
    await stage.page.get_by_role("heading", name="Access tokens").wait_for()


async def account(stage: Any) -> None:
    await _account(stage)


async def account_code(stage: Any) -> None:
    """A guest has just made an account, and sees the recovery code."""
    await stage.page.goto(f"{stage.server.url}/#you")
    await stage.page.get_by_label("Name").fill(f"Ada {secrets.token_hex(2)}")
    await stage.page.get_by_role("button", name="With a recovery code").click()
    await stage.page.get_by_role("heading", name="Your recovery code").wait_for()


async def account_token(stage: Any) -> None:
    """A token was made, and is shown once."""
    await _account(stage)
    await stage.page.get_by_label("A new one").fill("Club evening")
    await stage.page.get_by_role("button", name="Make a token").click()
    await stage.page.get_by_role("heading", name="Your access token").wait_for()


async def account_wrong(stage: Any) -> None:
    """A name that looks like another's, and the error."""
    name = await stage.people[1].register(f"Boris {secrets.token_hex(2)}")
    await stage.page.goto(f"{stage.server.url}/#you")
    await stage.page.get_by_label("Name").fill(name.name.upper())
    await stage.page.get_by_role("button", name="With a recovery code").click()
    await stage.page.locator("#account-trouble:not(:empty)").wait_for()


async def _table(stage: Any) -> str:
    """A game with talk."""
    room: str = await stage.room("ffa", 40)
    for number, line in ((1, "What was that supposed to be?"), (2, "You are all patzers, and I say so as I like")):
        await stage.people[number].say(room, line)
    return room


async def report(stage: Any) -> None:
    """The dialog in which a player is reported."""
    await stage.open(await _table(stage))
    await stage.page.get_by_role("button", name="More").first.click()
    await stage.page.get_by_role("button", name="Report a player").click()
    await stage.page.locator("#report-why").fill("Insults, again and again")


async def _ordered(stage: Any) -> str:
    """A table with a report, and earlier orders."""
    await _member(stage)
    ada, boris, chen, dagny = stage.people
    room = await _table(stage)
    for by, why in ((boris, "Insults, again and again"), (dagny, "A line about everybody, and not the first")):
        await by.request(ask.Watch(room=room))
        await by.request(ask.Report(room=room, player=chen.player, why=why))
    for act, target, why, seconds in (
        ("mute", dagny.player, "Insults", 86_400), ("ban", "203.0.113.0/24", "Spam from a whole network", 604_800),
        ("lock", room, "A look at it", 3600), ("word", "gnrf", "", None),
    ):  # fmt: skip
        await ada.request(ask.Moderate(act=act, target=target, why=why, seconds=seconds))
    stage.stack.push_async_callback(_lift, ada)
    return room


async def _lift(moderator: Connection) -> None:
    """Lift the orders and settle the reports: other scenes share the server."""
    found = await moderator.moderation()
    for order in found.orders:
        await moderator.request(ask.Moderate(act="lift", target=order.order))
    for one in found.reports:
        await moderator.request(ask.Settle(report=one.report, outcome=""))


async def moderate(stage: Any) -> None:
    await _ordered(stage)
    await stage.page.goto(f"{stage.server.url}/#moderate")
    await stage.page.locator(".report").nth(1).wait_for()


async def _administer(stage: Any) -> None:
    await _ordered(stage)
    await stage.people[3].register(f"Dagny {secrets.token_hex(2)}", "Firefox on Android")
    await stage.page.goto(f"{stage.server.url}/admin")
    for part in ("#findings summary", "#settings summary", "#rooms li", "#acts b", ".person summary", ".vital svg"):
        await stage.page.locator(part).first.wait_for()


async def admin(stage: Any) -> None:
    """The admin's page, with somebody's sessions."""
    await _administer(stage)
    await stage.page.locator(".person summary").first.click()
    await stage.page.get_by_role("button", name="Sign out everywhere").first.wait_for()


async def admin_act(stage: Any) -> None:
    """What an act needs."""
    await _administer(stage)
    await stage.page.get_by_role("button", name="Ban: Dagny").first.click()
    await stage.page.get_by_label("Why", exact=True).fill("Insults, again and again")


async def admin_refused(stage: Any) -> None:
    """Somebody who is not an admin."""
    await stage.page.goto(f"{stage.server.url}/admin")
    await stage.page.get_by_text("Only admins can do this").wait_for()


async def locked(stage: Any) -> None:
    """A room that a moderator has locked."""
    room = await _ordered(stage)
    guest = await stage.guest("Finn")
    await stage.page.context.add_init_script(f"localStorage['fourfold.token'] = {guest.token!r}")
    await stage.page.goto(f"{stage.server.url}/r/{room}")
    await stage.page.get_by_text("A moderator has locked this room").wait_for()


async def _announce(stage: Any) -> None:
    text = "This server restarts at noon. Games go on afterwards, and clocks stand still meanwhile."
    await stage.people[0].request(ask.Moderate(act="announce", text=text))
    await stage.page.get_by_text("This server restarts").first.wait_for()


async def announced(stage: Any) -> None:
    """An announcement in the lobby."""
    await _member(stage)
    await stage.lobby()
    await _announce(stage)


async def announced_table(stage: Any) -> None:
    """And at a table."""
    await _member(stage)
    await stage.open(await _table(stage))
    await _announce(stage)


async def _banned(stage: Any, path: str) -> None:
    await _member(stage)
    eve = await stage.guest("Eve")
    await stage.page.context.add_init_script(f"localStorage['fourfold.token'] = {eve.token!r}")
    await stage.page.goto(f"{stage.server.url}{path}")
    await stage.page.locator("#live .live-card, #live .nothing-here, .board .piece").first.wait_for()
    act = ask.Moderate(act="ban", target=eve.player, why="Insults, again and again", seconds=86_400)
    await stage.people[0].request(act)
    stage.stack.push_async_callback(_lift, stage.people[0])
    await stage.page.get_by_text("You are banned from this server").first.wait_for()


async def banned(stage: Any) -> None:
    """In the lobby."""
    await _banned(stage, "/")


async def banned_watching(stage: Any) -> None:
    """At a table."""
    await _banned(stage, f"/r/{await _table(stage)}")


SCENES = (
    account, account_code, account_token, account_wrong, report, moderate, admin, admin_act,
    admin_refused, locked, announced, announced_table,
    banned, banned_watching,
)
