"""Requests about bots: invite one to a seat, and offer to run them."""

from functools import partial

from fourfold.engine.match.commands import Invite
from fourfold.protocol import from_client as ask
from fourfold.protocol import from_server as wire
from fourfold.server.limits.admission import BOT, KEY
from fourfold.server.limits.refused import RequestRefused
from fourfold.server.sessions import fair_play
from fourfold.server.sessions.session import Session


async def invite(session: Session, request: ask.Bot) -> None:
    """Invite a bot of a level to a seat."""
    room = await session.room(request)
    session.services.admission.do(BOT, session.peer.address)
    await fair_play.require_no_double(session, room)
    answer = partial(session.answer, request, room)
    room.submit(Invite(request.level, request.seat), session.player_id, answer, "")


def serve(session: Session, request: ask.Serve) -> None:
    """Make the connection a bot host: the server sends it the seats that need a bot."""
    services = session.services
    services.admission.do(KEY, session.peer.address)
    if not services.bots.register(session, request.key):
        session.strike()
        raise RequestRefused("bad_key", "Wrong key. Bot hosts need the key in this server's setting BOTS_KEY.")
    services.analysts.register(session)
    if session.player is not None:
        services.online.go(session, session.player)  # a bot host is not a player
    services.online.host(session)
    session.reply(wire.Ok(), request.id)
