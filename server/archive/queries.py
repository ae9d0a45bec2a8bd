"""Queries of the archive: lists of games, and players' results."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from sqlalchemy import ColumnElement, Row, Select, and_, case, exists, func, literal, or_, select, true, tuple_
from sqlalchemy.ext.asyncio import AsyncConnection

from fourfold.engine.match.clock import Control
from fourfold.engine.variants import VARIANTS
from fourfold.server.archive.facts import GameFacts, Record, Search, SeatFacts, Tally, Win, folded
from fourfold.server.archive.ratings import changes_of
from fourfold.server.archive.tables import GAMES, RATED, SEATS
from fourfold.server.ratings.levels import HOUSE

OPPONENTS: Final = 20
"""How many opponents a record lists, the most frequent first."""

BEST: Final = 5
"""How many of a player's best wins a record lists."""

_MINE: Final = SEATS.alias("mine")
_THEIRS: Final = SEATS.alias("theirs")
_EARLIER: Final = SEATS.alias("earlier")

_OF_GAME: Final[dict[str, ColumnElement[bool]]] = {
    "drawn": and_(GAMES.c.winners == "", GAMES.c.reason != "aborted"),
    "aborted": GAMES.c.reason == "aborted",
    "won": GAMES.c.winners != "",
    "lost": GAMES.c.winners != "",
}
"""The meaning of a result for a game, without a player's view."""


async def search(connection: AsyncConnection, wanted: Search) -> list[GameFacts]:
    """The games that match a search, newest first."""
    rows = (await connection.execute(_found(wanted))).all()
    seats = await _seats(connection, rows)
    return [_facts(row, seats[row.room, row.number]) for row in rows]


async def games_of(connection: AsyncConnection, room: str) -> list[GameFacts]:
    """The listed games of a room, in their order."""
    rows = (await connection.execute(select(GAMES).where(GAMES.c.room == room).order_by(GAMES.c.number))).all()
    seats = await _seats(connection, rows)
    return [_facts(row, seats[row.room, row.number]) for row in rows]


def _found(wanted: Search) -> Select[Any]:
    query = select(GAMES)
    if wanted.player is None and wanted.name is None:
        if wanted.result is not None:
            query = query.where(_OF_GAME[wanted.result])
        wanted = replace(
            wanted, player=wanted.other, name=wanted.other_name, other=None, other_name=None, result=None
        )
    # A player's games are read from an index of seats, other games from an index of games.
    table: Any = GAMES if wanted.player is None and wanted.name is None else _MINE
    place = tuple_(table.c.ended, table.c.room, table.c.number)
    if table is _MINE:
        query = query.join(_MINE, _same(GAMES, _MINE)).where(_is_mine(_MINE, wanted), _is_first(_MINE))
    if wanted.name is not None:  # several players of a game may have it
        earlier = and_(_same(_EARLIER, _MINE), _EARLIER.c.turn < _MINE.c.turn, _is_mine(_EARLIER, wanted))
        query = query.where(~exists().where(earlier))
    theirs = (
        (_THEIRS.c.player, wanted.other, wanted.player),
        (_THEIRS.c.called, _folded(wanted.other_name), _folded(wanted.name)),
    )
    for column, other, one in theirs:
        if other is not None:
            met = and_(column == other, _same(_THEIRS, _MINE), _THEIRS.c.ended == _MINE.c.ended)
            if one in (None, other):  # otherwise it is another seat anyway, and one index is enough
                met = and_(met, _THEIRS.c.turn != _MINE.c.turn)
            query = query.where(exists().where(met))
    if wanted.room is not None:
        query = query.where(GAMES.c.room == wanted.room)
    if not wanted.private:
        query = query.where(GAMES.c.public)
    if wanted.variant is not None:
        query = query.where(GAMES.c.variant == wanted.variant)
    if wanted.players is not None:
        query = query.where(GAMES.c.players == wanted.players)
    if wanted.since is not None:
        query = query.where(table.c.ended >= wanted.since)
    if wanted.until is not None:
        query = query.where(table.c.ended <= wanted.until)
    if wanted.after is not None:
        after = wanted.after
        query = query.where(place < tuple_(literal(after.ended), literal(after.room), literal(after.number)))
    return query.order_by(table.c.ended.desc(), table.c.room.desc(), table.c.number.desc()).limit(wanted.limit)


def _is_mine(seats: Any, wanted: Search) -> ColumnElement[bool]:
    """Whether a seat matches the searched player and result."""
    told = ((seats.c.player, wanted.player), (seats.c.called, _folded(wanted.name)), (seats.c.result, wanted.result))
    return and_(*(column == value for column, value in told if value is not None))


def _is_first(seats: Any) -> ColumnElement[bool]:
    """Whether a seat is the only one of its player, or the first: a game counts once for a player with two armies."""
    shared = {name: rules.players for name, rules in VARIANTS.items() if rules.one_player_a_team}
    return and_(true(), *(or_(GAMES.c.variant != name, seats.c.turn.in_(first)) for name, first in shared.items()))


def _folded(name: str | None) -> str | None:
    return None if name is None else folded(name)


def _same(one: Any, other: Any) -> ColumnElement[bool]:
    return and_(one.c.room == other.c.room, one.c.number == other.c.number)


async def _seats(connection: AsyncConnection, games: Sequence[Row[Any]]) -> dict[tuple[str, int], list[SeatFacts]]:
    found: dict[tuple[str, int], list[SeatFacts]] = defaultdict(list)
    rooms = {game.room for game in games}
    changes = await changes_of(connection, rooms)
    for row in await connection.execute(select(SEATS).where(SEATS.c.room.in_(rooms)).order_by(SEATS.c.turn)):
        change = changes.get((row.room, row.number, row.turn))
        found[row.room, row.number].append(
            SeatFacts(row.seat, row.player, row.name, row.result, row.place, row.points, change)
        )
    return found


def _facts(row: Row[Any], seats: list[SeatFacts]) -> GameFacts:
    control = None if row.base is None else Control(row.base, row.increment, row.delay)
    winners = tuple(row.winners.split())
    return GameFacts(
        row.room, row.number, row.variant, row.public, control, row.reason, winners, row.plies, row.started, row.ended,
        row.position, tuple(seats), row.imported, unrated=row.unrated,
    )  # fmt: skip


async def record(connection: AsyncConnection, player: str, *, private: bool) -> Record:
    """The outcomes of a player's games, without aborted games."""
    played = and_(_MINE.c.player == player, _MINE.c.result != "aborted", literal(private) | GAMES.c.public)

    def mine(*columns: Any) -> Select[Any]:
        return select(*columns).join_from(_MINE, GAMES, _same(GAMES, _MINE)).where(played, _is_first(_MINE))

    name = await connection.scalar(mine(_MINE.c.name).order_by(_MINE.c.ended.desc()).limit(1))
    since = await connection.scalar(mine(func.min(GAMES.c.started)))
    by_seat = await _tallies(connection, mine, (GAMES.c.variant, _MINE.c.seat), _results(_MINE.c.result))
    places = mine(GAMES.c.variant, _MINE.c.place, func.count()).group_by(GAMES.c.variant, _MINE.c.place)
    return Record(
        name,
        since,
        await _tallies(connection, mine, (GAMES.c.variant,), _results(_MINE.c.result)),
        {(variant, place): count for variant, place, count in await connection.execute(places)},
        by_seat,
        await _against(connection, mine),
        await _computers(connection, mine),
        await _best(connection, player, private=private),
    )


def _results(result: Any) -> tuple[ColumnElement[int], ...]:
    return tuple(func.sum(case((result == one, 1), else_=0)) for one in ("won", "drawn", "lost"))


async def _tallies(
    connection: AsyncConnection, mine: Any, kind: tuple[Any, ...], counts: tuple[ColumnElement[int], ...]
) -> list[Tally]:
    rows = await connection.execute(mine(*kind, *counts).group_by(*kind).order_by(func.count().desc(), *kind))
    return [Tally(tuple(row[: len(kind)]), *row[len(kind) :]) for row in rows]


_PARTNER: Final = and_(GAMES.c.variant == "teams", func.abs(_MINE.c.turn - _THEIRS.c.turn) == 2)
_OTHER: Final = and_(_same(_MINE, _THEIRS), _THEIRS.c.player != _MINE.c.player)
_COMPUTER: Final = _THEIRS.c.player.startswith(HOUSE, autoescape=True)
_ORDER: Final = (
    func.sum(case((_MINE.c.place < _THEIRS.c.place, 1), else_=0)),
    func.sum(case((_MINE.c.place == _THEIRS.c.place, 1), else_=0)),
    func.sum(case((_MINE.c.place > _THEIRS.c.place, 1), else_=0)),
)
"""How often a player placed before, beside and after another."""


async def _computers(connection: AsyncConnection, mine: Any) -> list[Tally]:
    """For each level of computer players: who placed higher. Partners in `teams` are left out."""
    level = func.substr(_THEIRS.c.player, len(HOUSE) + 1, 1)
    query = mine(level, *_ORDER).join(_THEIRS, _OTHER).where(~_PARTNER, _COMPUTER, _is_first(_THEIRS))
    query = query.group_by(level).order_by(level)
    return [Tally((row[0],), *row[1:]) for row in await connection.execute(query)]


async def _best(connection: AsyncConnection, player: str, *, private: bool) -> list[Win]:
    """The player's wins against the highest-rated people and bots."""
    mine, theirs = RATED.alias("mine"), RATED.alias("theirs")
    query = (
        select(GAMES.c.room, GAMES.c.number, GAMES.c.variant, GAMES.c.ended, SEATS.c.player, SEATS.c.name,
               theirs.c.before)
        .join_from(mine, theirs, mine.c.number == theirs.c.number)
        .join(GAMES, and_(GAMES.c.room == theirs.c.room, GAMES.c.number == theirs.c.game))
        .join(SEATS, and_(_same(SEATS, GAMES), SEATS.c.turn == theirs.c.turn))
        .where(mine.c.player == player, mine.c.side != theirs.c.side, mine.c.place < theirs.c.place)
        .where(literal(private) | GAMES.c.public, ~SEATS.c.player.startswith(HOUSE, autoescape=True))
        .order_by(theirs.c.before.desc(), theirs.c.number.desc())
        .limit(BEST * OPPONENTS)
    )  # fmt: skip
    found: dict[str, Win] = {}
    for row in await connection.execute(query):
        found.setdefault(row.player, Win(*row))
    return list(found.values())[:BEST]


async def _against(connection: AsyncConnection, mine: Any) -> list[Tally]:
    """For each person or bot: who placed higher. Partners in `teams` are left out."""
    query = (
        mine(_THEIRS.c.player, *_ORDER, func.max(_THEIRS.c.ended))
        .join(_THEIRS, _OTHER)
        .where(~_PARTNER, ~_COMPUTER, _is_first(_THEIRS))
        .group_by(_THEIRS.c.player)
        .order_by(func.count().desc(), _THEIRS.c.player)
        .limit(OPPONENTS)
    )
    rows = (await connection.execute(query)).all()
    latest = [and_(SEATS.c.player == row[0], SEATS.c.ended == row[4]) for row in rows]
    names: dict[str, str] = {}
    if latest:
        for player, name in await connection.execute(select(SEATS.c.player, SEATS.c.name).where(or_(*latest))):
            names[player] = name
    return [Tally((row[0], names[row[0]]), row[1], row[2], row[3]) for row in rows]
