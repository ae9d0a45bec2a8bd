"""A moderator bans a player, and lifts the ban. Each holds at every node soon, whatever fails meanwhile."""

import asyncio
from functools import partial

from fourfold.clients.connection import Connection
from fourfold.clients.errors import Dismissed, RequestError
from fourfold.protocol import from_client as ask
from tests.faults.blows import Stage
from tests.faults.guests import World
from tests.world.accounts import holds, visit
from tests.world.blows import loses
from tests.world.passers import AGAIN, GIVEN_UP, Passer, insist
from tests.world.rated import register


async def moderate(stage: Stage, world: World) -> None:
    """The player gets in, then nowhere, then everywhere."""
    if loses(stage):
        return  # and with it accounts, until their players come back
    admin = Passer(world, "admin")
    await admin.reach()
    wanted = ""
    try:
        if await register(stage, admin) is None:
            return
        moderator = admin.connection
        assert moderator.player is not None
        await stage.cluster.archive.appoint(moderator.player)
        async with visit(admin, None) as visitor:
            token, player = visitor.token, visitor.player
        assert player is not None
        ban = partial(moderator.request, ask.Moderate(act="ban", target=player))
        for wanted, act in (("banned", partial(insist, ban)), ("let in", partial(_lift, moderator, player))):
            async with asyncio.timeout(GIVEN_UP):
                await act()
            if not await holds(partial(_is, admin, token, wanted)):
                raise TimeoutError
    except (RequestError, TimeoutError) as error:
        stage.wrong.append(f"the player whom {admin.who} bans is not {wanted} everywhere: {error!r}")
    finally:
        await admin.go()


async def _lift(connection: Connection, player: str) -> None:
    """Lift all bans of a player, once the node knows them. An order whose answer was lost may have been given twice."""
    bans: list[str] = []
    while not bans:
        await asyncio.sleep(AGAIN)  # paces the looks
        bans = [one.order for one in (await insist(connection.moderation)).orders if one.target == player]
    for ban in bans:
        try:
            await insist(partial(connection.request, ask.Moderate(act="lift", target=ban)))
        except RequestError as error:
            if error.code != "no_such_order":  # it was lifted before, without an answer
                raise


async def _is(admin: Passer, token: str | None, wanted: str) -> bool:
    """Whether the player of a token is `banned` or `let in`, as wanted."""
    try:
        async with visit(admin, token):
            return wanted == "let in"
    except Dismissed as refusal:
        if refusal.code != "banned":
            raise
        return wanted == "banned"
