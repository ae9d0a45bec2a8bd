"""Requests of moderators, and reports to them."""

import secrets
from collections.abc import Awaitable, Callable
from typing import Final

from fourfold.engine.decisions import Rejection
from fourfold.engine.match.commands import Close, Command, Kick
from fourfold.engine.match.decide import NOBODY
from fourfold.protocol import from_client as ask
from fourfold.protocol import from_server as wire
from fourfold.server.archive.acts import Order, Record, Report
from fourfold.server.archive.people import ADMIN, MODERATOR
from fourfold.server.limits.admission import REPORT
from fourfold.server.limits.refused import RequestRefused
from fourfold.server.players.identity import is_bot
from fourfold.server.players.sanitize import shown
from fourfold.server.rooms.room import Room
from fourfold.server.sessions.refusals import refusing
from fourfold.server.sessions.session import Session

LINES: Final = 10
"""Most lines of chat in a report."""

MOVES: Final = 20
"""Most moves in a report."""


async def moderate(session: Session, request: ask.Moderate) -> None:
    """Carry out a moderator's action."""
    with refusing():
        role = await session.services.moderation.require(
            session.greeted, ADMIN if request.act == "appoint" else MODERATOR
        )
        await _ACTS.get(request.act, _order)(session, role, request)
    session.reply(wire.Ok(), request.id)


async def _order(session: Session, role: str, request: ask.Moderate) -> None:
    if request.act == "lock":
        await session.services.rooms.find(request.target)
    by, why = session.player_id, shown(request.why)
    await session.services.moderation.order(by, role, request.act, request.target, why, request.seconds)


async def _lift(session: Session, _role: str, request: ask.Moderate) -> None:
    await session.services.moderation.lift(session.player_id, request.target, shown(request.why))


async def _kick(session: Session, _role: str, request: ask.Moderate) -> None:
    await _command(session, request, Kick(request.text))


async def _close(session: Session, _role: str, request: ask.Moderate) -> None:
    await _command(session, request, Close())


async def _command(session: Session, request: ask.Moderate, command: Command) -> None:
    """Run a host's command on behalf of a moderator."""
    room = await session.services.rooms.find(request.target)
    answer = await room.judge(command, NOBODY)
    if isinstance(answer, Rejection):
        raise RequestRefused(answer.code, answer.message)
    seat = f" {request.text}" if request.text else ""
    action, why = f"{request.act}{seat}", shown(request.why)
    await session.services.moderation.note(session.player_id, action, room.id, why)


async def _rename(session: Session, role: str, request: ask.Moderate) -> None:
    by = session.player_id
    await session.services.moderation.rename(by, role, request.target, request.text, shown(request.why))


async def _announce(session: Session, _role: str, request: ask.Moderate) -> None:
    text = shown(request.text)
    if not text:
        raise RequestRefused("nothing_said", "This text has no visible characters.")
    await session.services.moderation.announce(session.player_id, text, shown(request.why))


async def _appoint(session: Session, _role: str, request: ask.Moderate) -> None:
    if request.text not in ("", MODERATOR, ADMIN):
        raise RequestRefused("bad_target", f"A role is {MODERATOR}, {ADMIN}, or empty.")
    account = await session.services.moderation.existing(request.target)
    if is_bot(account.player):
        raise RequestRefused("bad_target", "A bot can't have a role.")
    await session.services.moderation.appoint(session.player_id, account, request.text, shown(request.why))


_ACTS: Final[dict[str, Callable[[Session, str, ask.Moderate], Awaitable[None]]]] = {
    "lift": _lift,
    "kick": _kick,
    "close": _close,
    "rename": _rename,
    "announce": _announce,
    "appoint": _appoint,
}
"""The actions that are not orders."""


async def show(session: Session, request: ask.Moderation) -> None:
    """Send a moderator the orders, reports and audit log."""
    moderation = session.services.moderation
    with refusing():
        role = await moderation.require(session.greeted)
        reports, acts = await moderation.reports(), await moderation.acts()
    name = moderation.name
    orders = [_told(order, name) for order in moderation.in_force.all()]
    told = [
        wire.Reported(
            one.id, one.at, one.by, name(one.by), one.player, one.name, one.room, one.why, [*one.lines], [*one.moves]
        )
        for one in reports
    ]
    done = [_act(one, name) for one in acts]
    session.reply(wire.Moderation(role, orders, told, done), request.id)


def _act(row: Record, name: Callable[[str], str]) -> wire.Act:
    return wire.Act(row.at, name(row.by), row.action, row.target, name(row.target), row.why, row.until)


def _told(order: Order, name: Callable[[str], str]) -> wire.Order:
    return wire.Order(
        order.id, order.kind, order.target, name(order.target), name(order.by), order.why, order.at, order.until
    )


async def report(session: Session, request: ask.Report) -> None:
    """Report a player to the moderators, with their latest chat lines and moves."""
    room = await session.room(request)
    if room.id not in session.followed:
        raise RequestRefused("not_following", "Watch or join this room to report somebody in it.")
    session.services.admission.do(REPORT, session.peer.address)
    name = _name(room, request.player)
    if name is None:
        raise RequestRefused("not_here", "No player with this id sits in this room or has chatted here.")
    by = session.greeted
    state = room.feed.shown_to(by.id)
    seated = state.seat_of(by.id) is not None
    lines = tuple(f"{said.name}: {said.text}" for said in room.chat.recent if said.to == "all" or seated)
    moves = tuple(step.move for step in state.line if step.move is not None)
    why = shown(request.why)
    found = Report(
        secrets.token_hex(6), session.services.clock(), by.id, request.player, name, room.id, why, lines[-LINES:],
        moves[-MOVES:],
    )  # fmt: skip
    await session.services.moderation.report(found)
    session.reply(wire.Ok(room=room.id), request.id)


def _name(room: Room, player: str) -> str | None:
    """The name of a player who sits in a room or has chatted there; else None."""
    assert room.state is not None  # a room that was found has one
    for seat in room.state.seats:
        if player in (seat.player, seat.stand_in):
            return seat.name if player == seat.player else seat.stand_in_name
    return next((said.name for said in reversed(room.chat.recent) if said.player == player), None)


async def settle(session: Session, request: ask.Settle) -> None:
    """Settle a report."""
    with refusing():
        await session.services.moderation.require(session.greeted)
    if not await session.services.moderation.settle(session.player_id, request.report, shown(request.outcome)):
        raise RequestRefused("no_such_report", "There is no such report, or it is settled.")
    session.reply(wire.Ok(), request.id)
