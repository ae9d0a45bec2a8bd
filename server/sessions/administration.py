"""Requests of the server's admins."""

import asyncio
import base64
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Final

from fourfold.protocol import from_client as ask
from fourfold.protocol import from_server as wire
from fourfold.server import logs
from fourfold.server.archive.people import ADMIN, AccountFacts
from fourfold.server.console import BackupFolder, Choices
from fourfold.server.limits.refused import RequestRefused
from fourfold.server.players.accounts import AccountRefused
from fourfold.server.players.names import skeleton
from fourfold.server.players.sanitize import shown
from fourfold.server.sessions.refusals import refusing
from fourfold.server.sessions.session import Session
from fourfold.server.vitals import PERIOD

MOST: Final = 50
"""Most accounts in a reply."""

PART: Final = 256 * 1024
"""Most bytes of a backup in a reply."""

OWN: Final = ("",)
"""No token of a program is enough: a backup has the secret that signs all tokens."""


@contextmanager
def _readable() -> Iterator[None]:
    """Turns an error of the file system into the refusal of the request."""
    try:
        yield
    except OSError as error:
        raise RequestRefused("busy", f"The server can't use its files: {error}") from error


async def _require(session: Session) -> None:
    with refusing():
        await session.services.moderation.require(session.greeted, ADMIN, OWN)


async def status(session: Session, request: ask.Status) -> None:
    """Send the server's vital signs."""
    await _require(session)
    vitals = session.services.console.vitals
    history, milliseconds = await vitals.history(request.since), int(PERIOD * 1000)
    samples = [wire.Sample(*one) for one in history.samples]
    found = session.services.name, vitals.started, milliseconds, logs.level(), samples, history.errors
    session.reply(wire.Status(*found), request.id)


async def doctor(session: Session, request: ask.Doctor) -> None:
    """Send the findings of the checks, and the settings."""
    await _require(session)
    console = session.services.console
    findings = [wire.Finding(*one) for one in await console.examine()]
    settings, setup = [wire.Chosen(*one) for one in console.settings()], console.setup
    if setup is None:
        session.reply(wire.Findings(findings, settings), request.id)
    else:
        session.reply(wire.Findings(findings, settings, "done" if setup.done else "open", setup.fixed()), request.id)


async def accounts(session: Session, request: ask.Accounts) -> None:
    """Send the accounts that a text finds."""
    await _require(session)
    moderation, text = session.services.moderation, request.text.strip()
    with refusing():
        found = await session.services.archive.people(lambda tables: tables.search(text, skeleton(text), MOST))
    session.reply(wire.Accounts([_listed(session, moderation.name, one) for one in found]), request.id)


def _listed(session: Session, name: Callable[[str], str], account: AccountFacts) -> wire.Listed:
    in_force = session.services.moderation.in_force
    orders = [kind for kind in ("ban", "mute") if in_force.about(kind, account.player) is not None]
    owner = "" if account.owner is None else name(account.owner)
    here = session.greeted.session
    sessions = [
        wire.OwnSession(one.session, one.device, one.created, one.used, one.session == here, one.scope)
        for one in account.sessions
    ]
    return wire.Listed(
        account.player, account.name, account.created, account.role, owner, account.closed, orders, sessions
    )


async def backups(session: Session, request: ask.Backups) -> None:
    """Send the list of backups."""
    await _require(session)
    folder = _folder(session)
    with _readable():
        found = [wire.BackupFile(*one) for one in await asyncio.to_thread(folder.files)]
    session.reply(wire.Backups(folder.place, found, folder.making, folder.failed), request.id)


async def backup(session: Session, request: ask.Backup) -> None:
    """Send a part of a backup. The first part adds a row to the audit log."""
    await _require(session)
    folder = _folder(session)
    with _readable():
        part = await asyncio.to_thread(folder.part, request.name, request.start, PART)
    if part is None:
        raise RequestRefused("no_such_backup", f"There is no backup {request.name}.")
    if request.start == 0:
        with refusing():
            await session.services.moderation.note(session.player_id, "download backup", request.name, "")
    data, size = part
    session.reply(wire.Backup(base64.b64encode(data).decode(), size), request.id)


def _folder(session: Session) -> BackupFolder:
    folder = session.services.console.backups
    if folder is None:
        raise RequestRefused("busy", "This server only serves watchers, and makes no backups. Ask another one.")
    return folder


async def set_up(session: Session, request: ask.SetUp) -> None:
    """Store the choices of the setup, and restart the server."""
    await _require(session)
    setup, name = session.services.console.setup, shown(request.service)
    if setup is None:
        raise RequestRefused("busy", "This server has no setup. Its operator changes the settings.")
    if not name:
        raise RequestRefused("bad_target", "A service's name needs visible characters.")
    if request.origin and request.origin != session.peer.page:
        why = f"Open this page at {request.origin} first. Otherwise you could not come back."
        raise RequestRefused("bad_target", why)
    with refusing():
        await session.services.moderation.note(session.player_id, "set up", name, "")
    with _readable():
        setup.choose(Choices(name, request.accounts, request.computers, request.origin))
    session.reply(wire.Ok(), request.id)  # the restart begins later, in its signal handler


async def operate(session: Session, request: ask.Operate) -> None:
    """Carry out an act of an admin."""
    await _require(session)
    with refusing():
        await _ACTS[request.act](session, request)
    session.reply(wire.Ok(), request.id)


async def _back_up(session: Session, request: ask.Operate) -> None:
    folder = _folder(session)
    if not folder.begin():
        raise RequestRefused("busy", "This server makes a backup already.")
    await session.services.moderation.note(session.player_id, "make backup", folder.place, shown(request.why))


async def _log_level(session: Session, request: ask.Operate) -> None:
    if request.text not in logs.LEVELS:
        raise AccountRefused("bad_target", f"A level is one of {', '.join(logs.LEVELS)}.")
    await session.services.moderation.set_log_level(session.player_id, request.text, shown(request.why))


async def _sign_out(session: Session, request: ask.Operate) -> None:
    moderation, by = session.services.moderation, session.greeted
    account = await moderation.existing(request.target)
    ended = [one.session for one in account.sessions if request.text in ("", one.session)]
    if by.session in ended:
        raise AccountRefused("bad_target", "This would sign yourself out here. Do that at your account.")
    if request.text and not ended:
        raise AccountRefused("no_such_session", f"{account.name} is not signed in there.")
    await session.services.accounts.void(ended)
    await moderation.note(by.id, f"sign out {len(ended)}", account.player, shown(request.why))


_ACTS: Final[dict[str, Callable[[Session, ask.Operate], Awaitable[None]]]] = {
    "back_up": _back_up,
    "log_level": _log_level,
    "sign_out": _sign_out,
}
