"""An account on several devices, each at any node. What one does, the others find. One that is signed out is out."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, suppress
from typing import Any, Final

from fourfold.clients.connection import Connection
from fourfold.clients.errors import Dismissed, RequestError
from tests.faults.blows import Stage
from tests.faults.guests import World
from tests.faults.process import until
from tests.world.blows import loses
from tests.world.passers import AGAIN, GIVEN_UP, Passer, insist
from tests.world.rated import register

THEME: Final = "walnut"

DOORS: Final = 6
"""Connections in a row that must be treated alike. Each is to any node."""


async def sign_in(stage: Stage, world: World) -> None:
    """One registers, comes back by the token and by the code, and signs devices out."""
    if loses(stage):
        return  # and with it accounts, until their players come back
    member = Passer(world, "member")
    await member.reach()
    try:
        code = await register(stage, member)
        if code is not None:
            async with asyncio.timeout(GIVEN_UP):
                stage.wrong += [f"{member.who}: {text}" for text in await _wrong(member, code)]
    except (RequestError, TimeoutError) as error:
        stage.wrong.append(f"{member.who} can't use the account: {error!r}")
    finally:
        await member.go()


async def _wrong(member: Passer, code: str) -> list[str]:
    """What is wrong with an account of this recovery code."""
    wrong, me, player = [], member.connection, member.connection.player
    if not await _is(member, me.token, player):
        wrong.append("the token is another player's")
    account = await insist(lambda: me.login(code, "another device"))
    if account.player != player or not await _is(member, account.token, player):
        wrong.append(f"the code is that of {account.player}")
    await insist(lambda: me.preferences(board=THEME))
    async with visit(member, account.token) as second:
        kept = await insist(second.preferences)
        if kept.board != THEME:
            wrong.append(f"the board is {kept.board} on another device")
        seen = await insist(second.account)
        for other in seen.sessions:  # more than one other, if the login's answer was lost
            if not other.here:
                await _sign_out(second, other.session)
        if not (me.token and await _is_out(member, me.token)):
            wrong.append("a device that was signed out goes on")
        granted = await insist(lambda: second.grant("bot", f"{member.who}bot"))
        if not await _is(member, granted.token, None):
            wrong.append("the token of the bot is not taken")
    return wrong


async def _sign_out(connection: Connection, session: str) -> None:
    try:
        await insist(lambda: connection.sign_out(session))
    except RequestError as error:
        if error.code != "no_such_session":  # it was done before, without an answer
            raise


def visit(member: Passer, token: str | None) -> AbstractAsyncContextManager[Connection]:
    """A connection with a token, to any node."""
    return member.visit(f"{member.who}+{member.world.name('')}", f"http://127.0.0.1:{member.link.port}", token)


async def _is(member: Passer, token: Any, player: str | None) -> bool:
    """Whether all nodes soon take a token, as this player's."""

    async def taken() -> bool:
        with suppress(Dismissed):
            async with visit(member, token) as connection:
                return player in (None, connection.player)
        return False

    return await holds(taken)


async def _is_out(member: Passer, token: str) -> bool:
    """Whether all nodes soon refuse a token."""

    async def refused() -> bool:
        try:
            async with visit(member, token):
                return False
        except Dismissed:
            return True

    return await holds(refused)


async def holds(true: Callable[[], Awaitable[bool]]) -> bool:
    """Whether several connections in a row soon find something true."""

    async def always() -> bool:
        return all([await true() for _ in range(DOORS)])

    with suppress(TimeoutError):
        await until(always, GIVEN_UP, pause=AGAIN)
        return True
    return False
