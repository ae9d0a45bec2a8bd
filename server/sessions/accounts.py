"""Requests about accounts: register, sign in, and change or read the account."""

import base64
import binascii

from msgspec import UNSET
from msgspec.structs import fields

from fourfold.protocol import from_client as ask
from fourfold.protocol import from_server as wire
from fourfold.server.archive.people import AccountFacts
from fourfold.server.limits.admission import ACCOUNT
from fourfold.server.limits.refused import RequestRefused
from fourfold.server.players.accounts import AccountRefused
from fourfold.server.players.identity import Player
from fourfold.server.players.passkeys import Ceremony
from fourfold.server.players.sanitize import shown
from fourfold.server.sessions.refusals import refusing
from fourfold.server.sessions.session import Session


async def show(session: Session, request: ask.Account) -> None:
    """Send a player the stored data of their account."""
    with refusing():
        await _reply(session, request, session.greeted)


async def begin(session: Session, request: ask.Passkey) -> None:
    """Begin to create or use a passkey."""
    session.services.admission.do(ACCOUNT, session.peer.address)
    with refusing():
        making = request.to == "make"
        player, page = session.greeted, session.peer.page
        session.ceremony = await session.services.accounts.begin_passkey(player, page, making=making)
    session.reply(wire.Passkey(session.ceremony.options), request.id)


async def begin_at_provider(session: Session, request: ask.Oidc) -> None:
    """Begin a sign-in at the OpenID provider."""
    session.services.admission.do(ACCOUNT, session.peer.address)
    with refusing():
        url = await session.services.accounts.begin_sign_in(_person(session), session.peer.page)
    session.reply(wire.Oidc(url), request.id)


async def register(session: Session, request: ask.Register) -> None:
    """Turn a guest into an account, in place."""
    accounts, before = session.services.accounts, session.greeted
    session.services.admission.do(ACCOUNT, session.peer.address)
    with refusing():
        ceremony, device = _answered(session), shown(request.device)
        player, code = await accounts.register(before, request.name, device, ceremony, request.passkey, request.key)
        session.player = player
        accounts.become(session, before, player)
        session.services.online.come(session, player)
        session.services.catalogue.keep(player.id)
        await _reply(session, request, player, player.token, code)


async def login(session: Session, request: ask.Login) -> None:
    """Give a token to a client that proves it owns the account."""
    accounts = session.services.accounts
    session.services.admission.do(ACCOUNT, session.peer.address)
    with refusing():
        ceremony, device = _answered(session), shown(request.device)
        if request.oidc is None:
            player = await accounts.sign_in(device, ceremony, request.passkey, request.code)
        else:
            before, sent = _person(session), request.oidc
            player = await accounts.end_sign_in(before, sent.state, sent.code, device)
            if player.id == before.id:  # in place
                session.player = player
                accounts.become(session, before, player)
                session.services.online.come(session, player)
                session.services.catalogue.keep(player.id)
        session.services.moderation.admit(player.id, session.peer.address)
        await _reply(session, request, player, player.token)


async def enroll(session: Session, request: ask.Enroll) -> None:
    """Add a passkey to an account."""
    player = _person(session)
    with refusing():
        ceremony = _answered(session)
        await session.services.accounts.add_passkey(player, shown(request.device), ceremony, request.passkey)
        await _reply(session, request, player)


async def recovery(session: Session, request: ask.Recovery) -> None:
    """Make a new recovery code."""
    player = _person(session)
    with refusing():
        code = await session.services.accounts.new_code(player)
        await _reply(session, request, player, code=code)


async def rename(session: Session, request: ask.Rename) -> None:
    """Give an account another name."""
    with refusing():
        before = _person(session)
        session.services.moderation.require_unmuted(before, session.address)
        player = await session.services.accounts.rename(before, request.name)
        session.player = player
        session.services.online.come(session, player)
        await _reply(session, request, player, player.token)


async def preferences(session: Session, request: ask.Preferences) -> None:
    """Send a player the preferences kept with their account, after changing those that are given."""
    names = [field.name for field in fields(wire.Preferences) if field.name != "id"]
    chosen = {name: value for name in names if (value := getattr(request, name)) is not None}
    with refusing():
        kept = await session.services.accounts.preferences(_person(session), chosen)
    reply = wire.Preferences()
    for name in names:
        setattr(reply, name, kept.get(name))
    session.reply(reply, request.id)


async def administer(session: Session, request: ask.Administer) -> None:
    """Make an account the first admin."""
    session.services.admission.do(ACCOUNT, session.peer.address)
    player = _person(session)
    with refusing():
        await session.services.accounts.find(player)
        await session.services.first_admin.appoint(player, request.code)
        await _reply(session, request, player)


async def revoke(session: Session, request: ask.Revoke) -> None:
    """Sign a device out, or remove a passkey."""
    accounts, player = session.services.accounts, _person(session)
    with refusing():
        if request.passkey is not None:
            await accounts.remove_passkey(player, _credential(request.passkey))
        else:
            if request.session == player.session:
                accounts.leave(session, player)  # the caller closes it after the reply
            await accounts.sign_out(player, request.session or "")
    session.reply(wire.Ok(), request.id)
    if request.session == player.session:
        session.sign_out()


async def grant(session: Session, request: ask.Grant) -> None:
    """Create an access token."""
    session.services.admission.do(ACCOUNT, session.peer.address)
    with refusing():
        person = _person(session)
        if request.scope in ("moderate", "organize"):
            await session.services.moderation.require(person)
        if request.scope == "bot":
            session.services.moderation.require_unmuted(person, session.address)  # a new bot has no orders
        player = await session.services.accounts.grant(person, request.scope, request.name)
    session.reply(wire.Granted(player.id, player.name, request.scope, player.token), request.id)


def _person(session: Session) -> Player:
    """The player. Refuses players with an access token: these tokens can't change an account."""
    player = session.greeted
    if player.scope:
        raise RequestRefused("out_of_scope", f"A token to {player.scope} can't change the account. Sign in instead.")
    return player


def _answered(session: Session) -> Ceremony | None:
    """The ceremony that this request may answer. Each ceremony can be answered once."""
    ceremony, session.ceremony = session.ceremony, None
    return ceremony


def _credential(text: str) -> bytes:
    try:
        return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except (binascii.Error, ValueError) as error:
        raise AccountRefused("no_such_passkey", "Your account doesn't have this passkey.") from error


async def _reply(
    session: Session, request: ask.Request, player: Player, token: str | None = None, code: str | None = None
) -> None:
    facts = await session.services.accounts.find(player)
    reply = _account(facts, player.session)
    reply.role = session.services.moderation.role(facts)
    reply.token = UNSET if token is None else token
    reply.code = UNSET if code is None else code
    session.reply(reply, request.id)


def _account(facts: AccountFacts, here: str) -> wire.Account:
    return wire.Account(
        facts.player,
        facts.name,
        facts.created,
        facts.recovery is not None,
        [wire.OwnPasskey(_base64(one.credential), one.device, one.created, one.used) for one in facts.passkeys],
        [
            wire.OwnSession(one.session, one.device, one.created, one.used, one.session == here, one.scope)
            for one in facts.sessions
        ],
        issuers=[one.issuer for one in facts.identities],
    )


def _base64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")
