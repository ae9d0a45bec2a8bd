"""The lobby in its states, for `pictures` and `test_scenes`."""

import secrets
from typing import Any

from fourfold.clients.connection import Connection
from fourfold.protocol import from_client as ask


async def lobby(stage: Any) -> None:
    """An evening: two games of the user's, other live games, free seats, searching players, and the user's own
    search."""
    clock = ask.Clock(600_000, 5_000)
    mine = [await stage.room(variant, plies, clock=clock) for variant, plies in (("survivor", 20), ("teams", 22))]
    guests = [await stage.guest(name) for name in ("Finn", "Gus", "Hana", "Ivo", "Jun", "Kim")]
    finn, gus, hana, ivo, jun, kim = guests
    await stage.room("ffa", 40, players=[kim, hana, ivo, jun])
    await stage.room("standard", 30, players=[finn, gus])
    await stage.room("standard", 44, players=[hana, kim])
    ffa = await finn.create("ffa", clock=clock)
    for player in (finn, gus):
        await player.join(ffa)
    await finn.request(ask.Bot(room=ffa, level=3))
    teams = await hana.create("teams", clock=ask.Clock(300_000, 5_000))
    for player, seat in ((hana, "blue"), (ivo, "red"), (jun, "yellow")):
        await player.join(teams, seat)
    locked = await ivo.create("standard", clock=ask.Clock(900_000, 10_000), password="open sesame")
    await ivo.join(locked)
    await jun.join(await jun.create("survivor"))
    for player in (finn, gus, hana):
        await player.request(ask.Seek(variant="survivor", clock=clock))
    await ivo.request(ask.Seek(variant="standard", clock=ask.Clock(180_000, 2_000)))
    await kim.request(ask.Seek(variant="ffa", clock=ask.Clock(60_000, delay=15_000)))
    for player in guests:
        stage.stack.push_async_callback(player.request, ask.Unseek())
    await stage.page.goto(f"{stage.server.url}/healthz")
    await stage.page.evaluate("rooms => { localStorage['fourfold.rooms'] = rooms }", " ".join(mine))
    await stage.lobby()
    await stage.page.locator(".own-card .mini .piece").nth(40).wait_for()
    await stage.page.locator("[data-quick='teams 1+15 delay']").click()
    await stage.page.get_by_text("searching").first.wait_for()
    await stage.page.locator("#stage-board .piece").nth(60).wait_for()


async def lobby_empty(stage: Any) -> None:
    await stage.lobby()


async def lobby_watch(stage: Any) -> None:
    for variant, plies in (("standard", 24), ("ffa", 28), ("standard", 50), ("ffa", 60)):
        await stage.room(variant, plies)
    await stage.lobby()
    await stage.page.locator(".views a[data-view=watch]").click()
    await stage.page.locator(".live-card .mini .piece").nth(60).wait_for()


async def lobby_file(stage: Any) -> None:
    """A file was dropped: a game with comments and variations, that breaks off."""
    await stage.lobby()
    text = b'''[Event "Club evening"]
[White "Ada"]
[Black "Boris"]
[Result "1-0"]

{A quiet start.} 1. e4 e5 2. Nf3 Nc6 (2... d6 3. d4 exd4 {The Philidor.} (3... Nd7 4. Bc4)) 3. Bb5 $1
{The Spanish game, which both know by heart.} a6 4. Ba4 Nf6 5. O-O Ke6'''
    await stage.page.locator("#file").set_input_files({"name": "evening.pgn", "mimeType": "text/plain", "buffer": text})
    await stage.page.get_by_role("button", name="Play on from here").wait_for()
    for _ in range(5):
        await stage.page.get_by_role("button", name="One move on").click()


async def lobby_account(stage: Any) -> None:
    await stage.lobby()
    await stage.page.locator("#who").click()


async def lobby_challenges(stage: Any) -> None:
    """Somebody challenges me, I challenge somebody else to a table of four, and one has said no."""
    await stage.lobby()
    boris, chen, dagny = stage.people[1:]
    clock = ask.Clock(300_000, 3_000)
    await stage.page.get_by_role("button", name="Challenge Boris").first.wait_for()
    me = stage.people[0].player
    await boris.challenge(me, clock=clock)
    seats = {"blue": boris.player, "yellow": chen.player, "green": 3}
    asked = await stage.people[0].challenge(None, "ffa", ask.Clock(60_000, delay=15_000), seats=seats)
    await chen.answer(asked.challenge, True)
    refused = await stage.people[0].challenge(dagny.player, clock=clock)
    await stage.page.locator(".challenge-row").nth(2).wait_for()
    await dagny.answer(refused.challenge, False, "later", "After dinner?")
    await stage.page.get_by_text("ask me later").wait_for()


async def lobby_decline(stage: Any) -> None:
    """Somebody says no, and why."""
    await stage.lobby()
    await stage.people[1].challenge(stage.people[0].player, clock=ask.Clock(300_000, 3_000))
    await stage.page.get_by_role("button", name="Decline").click()
    await stage.page.get_by_role("dialog", name="Decline the challenge").wait_for()


async def lobby_four(stage: Any) -> None:
    """A challenge to a table of four: who is to sit where."""
    await stage.lobby()
    await stage.page.get_by_role("button", name="Challenge Boris").first.wait_for()
    await stage.page.get_by_role("button", name="Create a table").click()
    await stage.page.locator("[name=variant][value=ffa]").check()
    for seat, who in (("Blue", "Boris"), ("Yellow", "Chen")):
        await stage.page.get_by_label(seat, exact=True).select_option(label=who)
    await stage.page.get_by_label("Green", exact=True).select_option("3")
    await stage.page.get_by_role("button", name="Send the challenge").wait_for()
    await stage.page.locator("#seats").evaluate("seats => seats.scrollIntoView({ block: 'center' })")


async def lobby_followed(stage: Any) -> None:
    """Followed players come first, offline ones last."""
    await members(stage)
    dagny = stage.people[3]
    async with Connection(stage.server.url, name="Gone") as gone:
        await gone.register(f"Gone {secrets.token_hex(2)}")
        for player in (dagny, gone):
            await stage.people[0].follow_player(player.player)
    await stage.lobby()
    await stage.page.get_by_role("button", name="All, and players you follow").click()
    await stage.page.get_by_text("offline").wait_for()


async def lobby_pool(stage: Any) -> None:
    await stage.page.goto(f"{stage.server.url}/#pool/class-7b")
    await stage.page.get_by_role("heading", name="Pool class-7b").wait_for()


async def members(stage: Any) -> None:
    """All four have accounts, and so ratings."""
    for person in stage.people:
        await person.register(f"{person.name} {secrets.token_hex(2)}")
    token = stage.people[0].token
    await stage.page.context.add_init_script(f"localStorage['fourfold.token'] = {token!r}")


async def lobby_members(stage: Any) -> None:
    """One of those with accounts seeks, one waits at a table, one challenges me; I would play whom I may beat."""
    await members(stage)
    boris, chen, dagny = stage.people[1:]
    await boris.request(ask.Seek(clock=ask.Clock(600_000, 5_000)))
    stage.stack.push_async_callback(boris.request, ask.Unseek())
    await chen.join(await chen.create("standard", clock=ask.Clock(300_000, 3_000)))
    await stage.room("ffa", 40)
    await stage.lobby()
    await stage.page.get_by_label("Opponents", exact=True).select_option("200")
    await dagny.challenge(stage.people[0].player, clock=ask.Clock(300_000, 3_000))
    for place in ("#open", "#challenges", "[data-quick='standard 10+5']"):
        await stage.page.locator(place).filter(has_text="1500?").first.wait_for()


SCENES = (
    lobby, lobby_empty, lobby_watch, lobby_file, lobby_account, lobby_challenges, lobby_decline, lobby_four, lobby_pool,
    lobby_members, lobby_followed,
)
