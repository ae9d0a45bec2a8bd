"""Requests about a game: the commands that change it, its legal moves, and its text."""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import structlog

from fourfold.engine.decisions import refused
from fourfold.engine.match import State, Status
from fourfold.engine.match import commands as c
from fourfold.engine.match.events import ProposalKind
from fourfold.engine.match.export import NoSuchFormat
from fourfold.engine.moves import Move
from fourfold.engine.position import Position
from fourfold.protocol import from_client as ask
from fourfold.protocol import from_server as wire
from fourfold.server.limits.admission import EXPORT
from fourfold.server.ratings.levels import HOUSE
from fourfold.server.replication.holding import NoSuchRoom
from fourfold.server.replication.ids import is_study
from fourfold.server.rooms.past import position_at
from fourfold.server.rooms.room import Room
from fourfold.server.sessions import fair_play, studies
from fourfold.server.sessions.session import Session
from fourfold.server.storage.event_log import unless_unavailable

_log = structlog.get_logger(__name__)

COMMANDS: dict[type[ask.Request], Callable[[Any, int], c.Command]] = {
    ask.Move: lambda request, lag: c.Move(request.move, request.seq, lag),
    ask.Propose: lambda request, _: c.Propose(
        ProposalKind(request.kind), request.seq, request.plies, request.seat, request.level
    ),
    ask.Vote: lambda request, _: c.Vote(request.proposal, request.accept),
    ask.Withdraw: lambda request, _: c.Withdraw(request.proposal),
    ask.Claim: lambda request, _: c.Claim(),
    ask.Resign: lambda request, _: c.Resign(),
    ask.Abort: lambda request, _: c.Abort(),
    ask.Give: lambda request, _: c.Give(request.seat),
    ask.Berserk: lambda request, _: c.Berserk(),
    ask.Kick: lambda request, _: c.Kick(request.seat),
    ask.Close: lambda request, _: c.Close(),
}
"""Requests with a key that change a room, as match commands. The second argument is the network's round trip in
milliseconds. The player who sends the command comes from the session, never from the request."""


def command(session: Session, request: Any) -> Awaitable[None] | None:
    """Submit a command to the room, which answers it with `ok` or `error`.

    If the client follows the room, this starts at once, without a task, except for moves against a computer.
    """
    room = session.followed.get(request.room)
    if room is None or room.live is None:
        return _command_from_outside(session, request)
    fair = _fair(session, request, room)
    if fair is not None:
        return _submit_fair(fair, session, request, room)
    _submit(session, request, room)
    return None


async def _command_from_outside(session: Session, request: Any) -> None:
    room = await session.room(request)
    session.services.neighbours.seen(session.address, session.player_id)
    fair = _fair(session, request, room)
    if fair is not None:
        await _submit_fair(fair, session, request, room)
    else:
        _submit(session, request, room)


def has_computer(state: State) -> bool:
    """Whether one of this service's computers plays in a game, or is invited to."""
    return any(
        seat.invited is not None or (seat.stand_in or seat.player or "").startswith(HOUSE) for seat in state.seats
    )


def _fair(session: Session, request: Any, room: Room) -> Awaitable[None] | None:
    """Whether a computer in the room, or one that the request would bring in, helps in another game. Returns None if
    that is clear without waiting."""
    match request:
        case ask.Move() if (state := room.live) is not None and has_computer(state):
            return fair_play.require_no_copy(session, room, request.move)
        case ask.Propose(kind="stand_in"):
            return fair_play.require_no_double(session, room)
    return None


async def _submit_fair(fair: Awaitable[None], session: Session, request: Any, room: Room) -> None:
    with unless_unavailable(_log, "a board was not compared", room=room.id):  # no running game depends on it
        await fair
    _submit(session, request, room)


def _submit(session: Session, request: Any, room: Room) -> None:
    command = COMMANDS[type(request)](request, session.peer.round_trip)
    room.submit(command, session.player_id, partial(session.answer, request, room), request.key or "")


async def legal(session: Session, request: ask.Legal) -> None:
    """List the legal moves, of the whole position or from one square."""
    room = await session.room(request)
    state = room.feed.shown_to(session.player_id)
    position = state.position
    moves = position.legal_texts() if state.status is Status.PLAYING else []
    if request.square is not None:
        square = position.geometry.index.get(request.square)
        if square is None:
            bad_square = refused("bad_square", f"There is no square {request.square!r} on this board.")
            session.refuse(bad_square, request, room)
            return
        moves = [move.text for move in _moves_from(position, square)] if moves else []
    session.reply(wire.Legal(room.id, position.seats[position.turn], moves, state.seq), request.id)


def _moves_from(position: Position, square: int) -> list[Move]:
    return [move for move in position.legal_moves if move.source == square and move.drop is None]


async def export(session: Session, request: ask.Export) -> None:
    """Write the game as text."""
    if is_study(request.room):
        await studies.export(session, request)
        return
    room = await session.room(request)
    session.services.admission.do(EXPORT, session.peer.address)
    if request.ply is not None:
        await _export_position(session, request, room)
        return
    decisions = await room.decisions()
    if not decisions:  # the log has expired, but this server still holds the room
        raise NoSuchRoom(room.id)
    decisions = decisions[: room.feed.shown_to(session.player_id).seq]
    attendance = room.attendance()
    state = room.feed.shown_to(session.player_id)
    archive = session.services.archive
    came = await archive.ask(lambda database: database.text(room.id)) if state.terms.imported else None
    if came is not None and came[0] == request.format:
        session.reply(wire.Exported(room.id, request.format, came[1], decisions[-1].seq), request.id)
        return
    try:
        text = await session.services.converter.write(room.id, decisions, attendance, request.format)
    except NoSuchFormat as error:
        session.refuse(refused("no_such_format", str(error)), request, room)
        return
    session.reply(wire.Exported(room.id, request.format, text, decisions[-1].seq), request.id)


async def _export_position(session: Session, request: ask.Export, room: Room) -> None:
    """Write the position after a given move of the game."""
    if request.format != "fen":
        text = f"A single position can only be written as fen, not as {request.format!r}."
        session.refuse(refused("no_such_format", text), request, room)
        return
    state = room.feed.shown_to(session.player_id)
    position = await position_at(state, request.ply, session.services.long_work)
    session.reply(wire.Exported(room.id, request.format, position.fen(), state.seq), request.id)
