"""Requests about rooms: open, join, watch and leave them, and chat; check start positions and read games from text."""

import asyncio
import secrets
from dataclasses import replace
from functools import partial

import structlog

from fourfold.engine.decisions import Rejection, refused
from fourfold.engine.errors import InvalidNotation, InvalidSetup
from fourfold.engine.match import Status, rehearse
from fourfold.engine.match import commands as c
from fourfold.engine.match.clock import Control
from fourfold.engine.match.state import start_faults
from fourfold.engine.match.terms import Terms
from fourfold.engine.notation import resume
from fourfold.engine.notation.game import Remark
from fourfold.protocol import from_client as ask
from fourfold.protocol import from_server as wire
from fourfold.server.limits.admission import READ, SEAT, SPEECH
from fourfold.server.limits.prices import MISSED
from fourfold.server.limits.refused import RequestRefused, RequestRejected
from fourfold.server.lobby.matchmaking import make_ready
from fourfold.server.players.identity import Player
from fourfold.server.replication.holding import NoSuchRoom
from fourfold.server.replication.ids import is_study
from fourfold.server.rooms.past import AT_ONCE
from fourfold.server.rooms.room import Room
from fourfold.server.sessions import fair_play, seeking, studies
from fourfold.server.sessions.game import has_computer
from fourfold.server.sessions.refusals import accepted, refusing, rejecting
from fourfold.server.sessions.session import Session
from fourfold.server.storage.event_log import LogUnavailable, OtherLineage, UnreadableEntry

_log = structlog.get_logger(__name__)


async def create(session: Session, request: ask.Create) -> None:
    """Open a room."""
    services = session.services
    id = services.rooms.name(request.visibility, session.player_id, request.key)
    await services.room_limits.claim(session.peer.address, id)
    lock = None if request.password is None else await services.passwords.make(request.password)
    same_address = services.seating.same_address
    terms = Terms(request.chat, lock, delay=request.delay, rated=request.rated, same_address=same_address)
    moves, clock = tuple(request.moves), control(request.clock)
    command = c.Create(request.variant, request.position, moves, request.visibility, clock, terms)
    command = await _rehearsed(session, command)
    room = accepted(await services.rooms.open(id, command, session.player_id, request.key))
    _log.info("room opened", room=room.id, variant=request.variant, player=session.player_id)
    session.reply(wire.Created(room.id), request.id)


async def _rehearsed(session: Session, command: c.Create) -> c.Create:
    """The command, with all its moves checked a few at a time. Checking many at once would delay everyone."""
    command = replace(command, seed=secrets.randbits(48))
    rehearsal = rehearse(command)
    while True:
        async with session.services.long_work:
            for _ in range(AT_ONCE):
                try:
                    next(rehearsal)
                except StopIteration as end:
                    return replace(command, played=end.value)


async def check(session: Session, request: ask.Check) -> None:
    """List the faults of a start position."""
    with rejecting():
        async with session.services.long_work:
            faults = start_faults(request.variant, request.position)
    session.reply(wire.Checked([wire.Fault(fault.code, fault.message) for fault in faults]), request.id)


async def read(session: Session, request: ask.Read) -> None:
    """Read a game from text, so that a room can begin with it."""
    session.services.admission.do(READ, session.peer.address)
    try:
        found = await session.services.converter.apart(partial(resume.read, request.text, request.format))
    except (InvalidNotation, InvalidSetup) as error:
        raise RequestRejected(Rejection("unreadable", "no_game", str(error))) from error
    stopped = None if found.failure is None else _stop(found.failure)
    remarks = [_stop(remark) for remark in found.remarks]
    ended = None if found.ending is None or found.ending.reason is None else found.ending.reason.value
    parsed = wire.Parsed(
        found.variant, found.position, list(found.moves), found.skipped, found.last, ended, stopped, remarks
    )
    session.reply(parsed, request.id)


async def join(session: Session, request: ask.Join) -> None:
    """Take a seat, and follow the room."""
    session.may_follow(request.room)
    room = await session.room(request)

    def answered(answer: int | Rejection) -> None:
        if isinstance(answer, Rejection):
            session.refuse(answer, request, room)
        else:
            joined(session, request, room, answer)

    if room.state is None or room.state.seat_of(session.player_id) is None:
        session.services.admission.do(SEAT, session.peer.address)
    state = room.state
    if state is not None and state.status is Status.OPEN and has_computer(state):
        await fair_play.require_no_double(session, room)
    if not await make_ready(room, session.player_id, session.origin):
        raise RequestRefused("same_address", "Another player from your address waits here. Choose another table.")
    seating = session.services.seating
    digest = seating.digest(session.origin)
    sit = seating.command(room, session.player_id, session.greeted.name, request.seat, digest)
    room.submit(sit, session.player_id, answered, "")


def joined(session: Session, request: ask.Request, room: Room, seq: int) -> None:
    """Answer the request by which the player took a seat, and follow the room."""
    assert room.state is not None
    seat = room.state.seat_of(session.player_id)
    if seat is None:
        session.refuse(refused("not_seated", "Your seat was taken again at once. Try again."), request, room)
        return
    session.services.neighbours.seen(session.address, session.player_id)
    session.reply(wire.Joined(room.id, room.state.seat_name(seat), seq), request.id)
    # Followers get the decision first. The snapshot for this session comes after it, and contains it.
    asyncio.get_running_loop().call_soon(session.enter, room)


async def watch(session: Session, request: ask.Watch) -> None:
    """Follow a room, from now on or from a version that the client knows."""
    session.may_follow(request.room)
    if is_study(request.room):
        await studies.watch(session, request)
        return
    room = await session.room(request)
    player, since = session.player_id, request.since
    if since is not None and since > room.feed.known_to(player):
        await room.refresh()  # another server may have sent the client a version that has not arrived here yet
        if room.gone:
            raise NoSuchRoom(room.id)
    if since is not None and since > room.feed.known_to(player):
        end = room.feed.shown_to(player).seq
        ahead = refused("ahead", f"The log of this room ends at {end}. Watch it without `since`.")
        session.refuse(ahead, request, room)
        return
    if session.followed.get(room.id) is not room:
        session.unfollow(room.id)
    session.followed[room.id] = room
    if not request.preview:
        seeking.resume(session, room)
    if since is None:
        room.enter(session, request.id, preview=request.preview)
        return
    session.due += MISSED * max(room.feed.shown_to(player).seq - since, 0)
    try:
        await room.resume(session, since, request.id, decided=request.decided, preview=request.preview)
    except OtherLineage as error:
        session.unfollow(room.id)
        session.refuse(refused("ahead", f"{error} Watch it without `since`."), request, room)
    except (LogUnavailable, UnreadableEntry):
        session.unfollow(room.id)
        raise


async def leave(session: Session, request: ask.Leave) -> None:
    """Stop following a room. Before the game begins, give up the seat too."""
    if is_study(request.room):
        studies.leave(session, request)
        return
    room = await session.room(request)
    state, player = room.state, session.player_id

    def answered(answer: int | Rejection) -> None:
        if isinstance(answer, Rejection):
            session.refuse(answer, request, room)
            return
        session.reply(wire.Ok(room=room.id, seq=answer), request.id)
        session.unfollow(room.id)

    if state is not None and state.status is Status.OPEN and state.seat_of(player) is not None:
        room.submit(c.Stand(), player, answered, "")
    else:
        answered(room.feed.shown_to(player).seq)


async def say(session: Session, request: ask.Say) -> None:
    """Send a chat message to the followers of the room."""
    room, player = await _heard(session, request, request.text)
    assert room.state is not None  # the room was found
    text = session.services.chat.judge(room.state, player.id, request)
    await room.chat.say(player.id, player.name, text, request.to)
    session.reply(wire.Ok(room=room.id), request.id)


async def react(session: Session, request: ask.React) -> None:
    """Show a quick reaction to the followers of the room."""
    room, player = await _heard(session, request, "")
    assert room.state is not None  # the room was found
    session.services.chat.judge_reaction(room.state, player.id)
    await room.chat.react(player.id, player.name, request.reaction)
    session.reply(wire.Ok(room=room.id), request.id)


async def _heard(session: Session, request: ask.Say | ask.React, text: str) -> tuple[Room, Player]:
    """The followed room in which the player writes a text, and the player."""
    room = await _followed(session, request)
    services, player = session.services, session.greeted
    services.admission.do(SPEECH, session.peer.address)
    with refusing():
        services.moderation.hear(player, text, session.address)
    return room, player


async def chat(session: Session, request: ask.Chat) -> None:
    """Send the latest chat lines of the room."""
    room = await _followed(session, request)
    session.reply(wire.Chat(room.id, await room.chat.lines(session.player_id)), request.id)


async def _followed(session: Session, request: ask.Say | ask.React | ask.Chat) -> Room:
    room = await session.room(request)
    if room.id not in session.followed:
        raise RequestRefused("not_following", "Watch or join this room to chat in it.")
    return room


def control(clock: ask.Clock | None) -> Control | None:
    """The requested time control."""
    return None if clock is None else Control(clock.base, clock.increment, clock.delay)


def _stop(remark: Remark) -> wire.Stop:
    return wire.Stop(remark.line, remark.ply, remark.move, remark.code, remark.reason)
