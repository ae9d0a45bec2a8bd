"""Requests of the lobby: list the rooms, and seek a game."""

from typing import Final

from fourfold.engine.match.commands import Stand
from fourfold.protocol import from_client as ask
from fourfold.protocol import from_server as wire
from fourfold.server.limits.admission import BOT, SEAT
from fourfold.server.limits.refused import RequestRefused
from fourfold.server.lobby import leavers
from fourfold.server.lobby.index import ListingFilter, listing
from fourfold.server.lobby.matchmaking import Seek, pool_of, waits
from fourfold.server.lobby.player_rooms import of_pool
from fourfold.server.replication.holding import NoSuchRoom
from fourfold.server.sessions import seeking
from fourfold.server.sessions.refusals import accepted, rejecting
from fourfold.server.sessions.rooms import control, joined
from fourfold.server.sessions.session import Session
from fourfold.server.storage.event_log import UnreadableEntry

SEARCHED: Final = 60
"""How many of a pool's games are looked up for a list, at most: the newest."""


def list_rooms(session: Session, request: ask.Rooms) -> None:
    """List rooms, and follow the list if asked to."""
    lobby = session.services.lobby
    wanted = ListingFilter(request.variant, request.status, request.limit)
    if request.follow is False:
        lobby.unfollow(session)
    listings, more = lobby.follow(session, wanted) if request.follow else lobby.find(wanted)
    session.reply(wire.Rooms(listings, more), request.id)


async def list_pool(session: Session, request: ask.Pool) -> None:
    """List the running games of a pool."""
    services, pool = session.services, pool_of(request.code)
    listings: list[wire.Listing] = []
    more = False
    for id in await services.player_rooms.of(of_pool(pool), SEARCHED):
        try:
            room = await services.rooms.find(id)
        except (NoSuchRoom, UnreadableEntry):
            await services.player_rooms.forget(of_pool(pool), id)
            continue
        now = room.change()
        listed = None if now.gone else listing(id, now.shown, now.watchers, now.empty, unlisted=True)
        if listed is not None and listed.status == "playing":
            more = len(listings) >= request.limit
            if more:
                break
            listings.append(listed)
    session.reply(wire.Rooms(listings, more), request.id)


async def seek(session: Session, request: ask.Seek) -> None:
    """Take a seat in a room where others seek the same game, or wait for them in a new one."""
    services, address = session.services, session.peer.address
    session.may_follow("")
    services.admission.do(SEAT, address)
    if request.fill is not None:
        _require_plain(request)
        services.admission.do(BOT, address)
    await _play_on(session)
    wanted = seeking.seek_of(
        session,
        request.variant,
        control(request.clock),
        rated=request.rated,
        pool="" if request.pool is None else pool_of(request.pool),
        range=request.range,
        since=services.clock(),
        fill=request.fill or 0,
        key=request.key or "",
    )
    if request.range is not None:
        with rejecting():
            await _require_rating(session, wanted)
    other = session.sought is not None and (session.sought[0] != wanted.name or request.range is not None)
    if session.sought is not None and other and waits(session.sought[1]):
        await _give_up(session)
    room, seq = accepted(await services.matchmaking.sit(wanted))
    seeking.begin(session, wanted, room)
    joined(session, request, room, seq)


def _require_plain(request: ask.Seek) -> None:
    """Raises `RequestRefused` for a game with computer players among players within a range."""
    if request.range is not None:
        raise RequestRefused("no_rating", "A game that computers fill is not rated: seek it without a range.")


async def _require_rating(session: Session, seek: Seek) -> None:
    """Raises `RequestRefused` if the player has no rating, and `InvalidNotation` if there is no such game."""
    if session.player_id not in await session.services.strengths.of([session.player_id], seek.kind):
        raise RequestRefused(
            "no_rating", "A range is for players with ratings, and guests have none. Register, or seek without a range."
        )


async def _play_on(session: Session) -> None:
    """Warn a player who has left their last game. Raises `RequestRefused` during a cooldown."""
    services = session.services
    last = await services.leavers.latest(session.player_id)
    if last is None:
        return
    rest = services.leavers.rest(last)
    if rest:
        raise RequestRefused("left_games", leavers.sentence(rest), rest)
    if services.leavers.recent(last) and session.told_of != last.at:
        session.told_of = last.at
        session.reply(wire.Error(kind="refused", code="left_games", message=leavers.TOLD), None)


async def unseek(session: Session, request: ask.Unseek) -> None:
    """Stop seeking."""
    await _give_up(session)
    session.reply(wire.Ok(), request.id)


async def _give_up(session: Session) -> None:
    """Leave the room where the player waits for opponents. Raises `RequestRefused` if its game has begun."""
    room = None if session.sought is None else session.sought[1]
    session.sought = None
    if room is None or session.followed.get(room.id) is not room:
        return  # the client has already left it with `leave`
    answer = await room.judge(Stand(), session.player_id)
    if isinstance(answer, int):
        session.unfollow(room.id)
    elif answer.code == "already_started":
        raise RequestRefused(answer.code, "The game you sought has begun.")
