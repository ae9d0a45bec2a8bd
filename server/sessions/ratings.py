"""Requests about ratings: a player's own, and the leaderboards."""

from collections.abc import Sequence
from typing import Final

from fourfold.engine.variants import seats
from fourfold.protocol import from_client as ask
from fourfold.protocol import from_server as wire
from fourfold.server.archive.standings import CERTAIN, Leader, Point, SeatChange
from fourfold.server.limits.refused import RequestRefused
from fourfold.server.players.identity import is_bot
from fourfold.server.players.names import skeleton
from fourfold.server.ratings.kinds import ALL_SPEEDS, Kind, kind_of
from fourfold.server.ratings.levels import LEVELS, is_fixed, level_name, rated_as, rated_level
from fourfold.server.ratings.standing import UNIT, Standing, now, standing_of
from fourfold.server.sessions.refusals import rejecting
from fourfold.server.sessions.rooms import control
from fourfold.server.sessions.session import Session

_NOT_OF_FOUR: Final = "Four-player games have one rating for all speeds: leave out `speed`."


async def of(session: Session, request: ask.Ratings) -> None:
    """Send a player's ratings."""
    services, time = session.services, session.services.clock()
    player = await _player(session, request)
    standings = await services.archive.ratings(lambda tables: tables.of(player))
    curves = await services.archive.ratings(lambda tables: tables.curves(player, request.points))
    ratings = [_rating(kind, now(player, one, time), curves.get(kind, [])) for kind, one in standings.items()]
    level = rated_level(player)
    name = services.accounts.name(player) if level is None else level_name(level)
    session.reply(wire.Ratings(player, name, ratings), request.id)


def _rating(kind: Kind, standing: Standing, curve: Sequence[Point]) -> wire.Rating:
    return wire.Rating(
        kind.variant,
        kind.speed or None,
        _points(standing.rating),
        _points(standing.deviation),
        standing.games,
        standing.last,
        standing.deviation <= CERTAIN,
        [wire.RatingPoint(one.ended, _points(one.rating), _points(one.deviation)) for one in curve],
    )


async def _player(session: Session, request: ask.Ratings) -> str:
    """The id of the rated player that a request names."""
    if request.name is None:
        return rated_as(request.player or session.player_id)
    looks = skeleton(request.name)
    level = next((one for one in LEVELS if skeleton(level_name(one)) == looks), None)
    if level is not None:
        return f"level{level}"
    found = await session.services.archive.people(lambda tables: tables.find_by_name(looks))
    if found is None:
        raise RequestRefused("no_such_player", f"Unknown account {request.name}.")
    return found.player


async def leaderboard(session: Session, request: ask.Leaderboard) -> None:
    """List the highest-rated players in a kind of game."""
    with rejecting():
        kind = _kind(request)
    time = session.services.clock()
    archive = session.services.archive
    people = await archive.ratings(lambda tables: tables.leaders(kind, time, request.limit, bots=request.bots))
    level5 = await archive.ratings(lambda tables: tables.standing("level5", kind))
    fixed = [(level, standing_of(f"level{level}", kind.variant)) for level in LEVELS[:-1]]
    levels = [Leader(f"level{level}", level_name(level), standing) for level, standing in (*fixed, (5, level5))]
    leaders = sorted([*people, *levels], key=lambda one: -one.standing.rating)
    session.reply(wire.Leaderboard(kind.variant, kind.speed or None, [_leader(one) for one in leaders]), request.id)


async def strengths(session: Session, request: ask.Strengths) -> None:
    """Send the ratings of several players in a kind of game."""
    with rejecting():
        kind = kind_of(request.variant, len(seats(request.variant)), control(request.clock))
    found = await session.services.strengths.of(dict.fromkeys(request.players), kind)
    told = [
        wire.Strength(player, _points(one.rating), _points(one.deviation), one.deviation <= CERTAIN)
        for player, one in found.items()
    ]
    session.reply(wire.Strengths(told), request.id)


def _kind(request: ask.Leaderboard) -> Kind:
    """The requested kind of game. Raises `InvalidNotation` and `RequestRefused`."""
    players = len(seats(request.variant))
    if players > 2 and request.speed is not None:
        raise RequestRefused("no_such_rating", _NOT_OF_FOUR)
    if players == 2 and request.speed is None:
        raise RequestRefused("no_such_rating", f"Two-player games need a `speed`: {', '.join(ALL_SPEEDS)}.")
    return Kind(request.variant, request.speed or "")


def _leader(leader: Leader) -> wire.Leader:
    standing = leader.standing
    return wire.Leader(
        leader.player,
        leader.name,
        _points(standing.rating),
        _points(standing.deviation),
        standing.games,
        bot=is_bot(leader.player) or rated_level(leader.player) is not None,
        fixed=is_fixed(leader.player),
    )


def change(made: SeatChange | None) -> wire.RatingChange | None:
    """The rating change of a game, as a message."""
    if made is None:
        return None
    before, after, deviation = map(_points, made[:3])
    return wire.RatingChange(before, after, deviation, made.expected / UNIT, made.scored / UNIT)


def _points(thousandths: int) -> int:
    return round(thousandths / UNIT)
