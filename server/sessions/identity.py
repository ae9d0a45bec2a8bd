"""Requests about the connection itself: the player's identity, the time, the variants."""

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any

import structlog
from structlog.contextvars import bind_contextvars

from fourfold.protocol import from_client as ask
from fourfold.protocol import from_server as wire
from fourfold.server.limits.refused import RequestRefused
from fourfold.server.players.accounts import AccountRefused
from fourfold.server.players.identity import BadToken
from fourfold.server.sessions import people
from fourfold.server.sessions.session import Session
from fourfold.server.sessions.variants import variants

_log = structlog.get_logger(__name__)


def hello(session: Session, request: ask.Hello) -> Coroutine[Any, Any, None] | None:
    """Create a guest, or recognise a player by their token, or by the key of their registration."""
    if session.player is not None:
        raise RequestRefused("already_greeted", "This connection has already said hello. Open another one.")
    if request.token is not None and request.key is not None:
        return _registered(session, request, request.token, request.key)
    _greet(session, request, request.token)
    return None


async def _registered(session: Session, request: ask.Hello, token: str, key: str) -> None:
    """Greet a guest whose `register` had no answer."""
    with suppress(BadToken):  # `_greet` refuses it
        token = await session.services.accounts.renewed(token, key)
    _greet(session, request, token)


def _greet(session: Session, request: ask.Hello, token: str | None) -> None:
    services = session.services
    try:
        services.moderation.admit("", session.address)
        player = services.accounts.greet(session, token, request.name, bot=request.bot)
    except BadToken as error:
        session.strike()
        raise RequestRefused("bad_token", str(error)) from error
    except AccountRefused as error:
        raise _banned(session, error) from error
    try:
        services.moderation.admit(player.id, session.address, guest=player.session == player.id)
    except AccountRefused as error:
        services.accounts.leave(session, player)
        raise _banned(session, error) from error
    session.player = player
    bind_contextvars(player=player.id)
    _log.debug("hello", name=player.name)
    member = player.session != player.id
    now = services.clock()
    accounts = services.accounts
    provider = "" if accounts.provider is None or accounts.policy == "off" else accounts.provider.name
    welcome = wire.Welcome(
        player.id, player.name, player.token, services.name, now, services.build, member, accounts.policy, provider,
        services.console.service,
    )  # fmt: skip
    session.reply(welcome, request.id)
    people.greet(session, player, request.plays)
    if (why := services.rooms.read_only) is not None:
        session.announce(why)


def _banned(session: Session, error: AccountRefused) -> RequestRefused:
    """The refusal of a hello, after which the connection is closed."""
    asyncio.get_running_loop().call_soon(session.banish, error.message)
    return RequestRefused(error.code, error.message, error.retry)


def ping(session: Session, request: ask.Ping) -> None:
    """Send the server's time."""
    if session.followed:  # a player may think for days without a move
        session.services.neighbours.seen(session.address, session.player_id)
    session.reply(wire.Pong(session.services.clock()), request.id)


def list_variants(session: Session, request: ask.Variants) -> None:
    """Send the list of variants."""
    session.reply(wire.Variants(variants()), request.id)
