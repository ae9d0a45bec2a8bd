"""Ratings in the archive's database. They are computed from the rated games, in the order of arrival.

A rated game gets the next number in the transaction that lists it, while no other server counts. So games that arrive
late are rated late, and a recompute from the table of rated games always gives the same ratings. That table needs
neither logs nor accounts. An erased or deleted game leaves the numbers of its result there. An erased player leaves
them under a name without meaning.
"""

import secrets
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import asdict
from itertools import groupby
from typing import Any, Final, NamedTuple

from sqlalchemy import Row, and_, delete, func, insert, select, text, tuple_, update
from sqlalchemy.ext.asyncio import AsyncConnection

from fourfold.server.archive.facts import GameFacts
from fourfold.server.archive.standings import CERTAIN, RECENT, Leader, Point, SeatChange
from fourfold.server.archive.statements import Statements
from fourfold.server.archive.tables import ACCOUNTS, RATED, STANDINGS
from fourfold.server.ratings import fold
from fourfold.server.ratings.fold import Change, RatedGame, RatedSeat
from fourfold.server.ratings.kinds import Kind, kind_of, side_of
from fourfold.server.ratings.levels import is_fixed, level_of, rated_as
from fourfold.server.ratings.standing import Standing, standing_of

COUNTING: Final = 0x72617465
"""PostgreSQL's advisory lock that lets one server at a time rate games."""

APART: Final = 5000
"""How many milliseconds an account may be younger than a rated game of its player.

An account has the date of a server, which only estimates the store's time; a game has the store's. On a busy machine, a
server that has just started may be off by a part of a second. A new account can then seem younger than its first game.
"""

PART: Final = 500
"""How many rows are read or written at once."""

NOBODY: Final = "erased:"
"""The prefix of erased players' names."""

_Standings = dict[tuple[Kind, str], Standing]
"""Standings by kind of game and rated player."""


class Recomputed(NamedTuple):
    """The numbers of recomputed games, of players with standings, of their kinds of game, and of rows in the two tables
    that differed."""

    games: int
    standings: int
    different: int


async def why_not(connection: AsyncConnection, game: GameFacts) -> str:
    """Why a game is not rated; empty if it is. `GAMES.unrated` has the reasons."""
    if game.unrated:
        return game.unrated
    people = {seat.player for seat in game.seats if level_of(seat.player) is None}
    query = select(ACCOUNTS.c.player, ACCOUNTS.c.created, ACCOUNTS.c.owner).where(ACCOUNTS.c.player.in_(people))
    accounts = {row.player: row for row in await connection.execute(query)}
    if any(player not in accounts or accounts[player].created > game.started + APART for player in people):
        return "guest"
    owners = [row.owner for row in accounts.values() if row.owner is not None]
    if people.intersection(owners):
        return "own_bot"
    return "one_owner" if len(set(owners)) < len(owners) else ""


async def rate(connection: AsyncConnection, once: Callable[..., Any], games: Iterable[GameFacts]) -> None:
    """Rate games that have just been listed; does nothing for games that are already rated. `once` builds the
    database's own `INSERT`."""
    rated = [game for game in games if not game.unrated]
    if not rated:
        return
    await _alone(connection)
    number: int = await connection.scalar(select(func.max(RATED.c.number))) or 0
    for game in rated:
        known = select(RATED.c.number).where(RATED.c.room == game.room, RATED.c.game == game.number).limit(1)
        if await connection.scalar(known) is not None:
            continue
        number += 1
        taken = _game(game)
        players = {seat.player for seat in taken.seats}
        query = select(STANDINGS).where(
            STANDINGS.c.variant == taken.kind.variant,
            STANDINGS.c.speed == taken.kind.speed,
            STANDINGS.c.player.in_(players),
        )
        standings = {row.player: _standing(row) for row in await connection.execute(query)}
        changes = fold.rate(taken, standings)
        place = {"number": number, "room": game.room, "game": game.number}
        await connection.execute(insert(RATED), [place | row for row in _rows(taken, changes)])
        statement = once(STANDINGS)
        columns = {name: statement.excluded[name] for name in Standing.__slots__}
        keys = ["variant", "speed", "player"]
        await connection.execute(
            statement.on_conflict_do_update(index_elements=keys, set_=columns),
            [taken.kind._asdict() | {"player": player} | asdict(standing)
             for player, standing in sorted(_after(taken, changes).items())],
        )  # fmt: skip


async def unlink(connection: AsyncConnection, rooms: Sequence[str]) -> None:
    """Rooms are erased: remove their ids from their rated games."""
    await connection.execute(update(RATED).where(RATED.c.room.in_(rooms)).values(room=None, game=None))


async def changes_of(connection: AsyncConnection, rooms: Iterable[str]) -> dict[tuple[str, int, int], SeatChange]:
    """The rating changes of rooms' games: by room, the game's number, and the seat's turn."""
    query = select(RATED).where(RATED.c.room.in_(set(rooms)))
    return {
        (row.room, row.game, row.turn): SeatChange(row.before, row.after, row.deviation, row.expected, row.scored)
        for row in await connection.execute(query)
    }


async def _alone(connection: AsyncConnection) -> None:
    """Wait until no other server rates games. In SQLite only one transaction writes anyway."""
    if connection.dialect.name == "postgresql":
        await connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": COUNTING})


def _game(game: GameFacts) -> RatedGame:
    seats = tuple(
        RatedSeat(rated_as(seat.player), side_of(game.variant, turn), seat.place or 1)
        for turn, seat in enumerate(game.seats)
    )
    return RatedGame(kind_of(game.variant, len(seats), game.control), game.ended, seats)


def _rows(game: RatedGame, changes: Sequence[Change]) -> list[dict[str, Any]]:
    """The rows of a rated game, without its number, room and game."""
    return [
        game.kind._asdict() | seat._asdict() | {
            "turn": turn,
            "ended": game.ended,
            "before": change.before.rating,
            "after": change.after.rating,
            "deviation": change.after.deviation,
            "expected": change.expected,
            "scored": change.scored,
        }
        for turn, (seat, change) in enumerate(zip(game.seats, changes, strict=True))
    ]  # fmt: skip


def _after(game: RatedGame, changes: Sequence[Change]) -> dict[str, Standing]:
    """The new standings of the players whose rating may change."""
    pairs = zip(game.seats, changes, strict=True)
    return {seat.player: change.after for seat, change in pairs if not is_fixed(seat.player)}


def _standing(row: Row[Any]) -> Standing:
    return Standing(*(getattr(row, name) for name in Standing.__slots__))


class RatingTables(Statements):
    """The ratings of a database. All methods raise `ArchiveUnavailable`."""

    async def of(self, player: str) -> dict[Kind, Standing]:
        """A player's standings, by kind of game, the kind with the most games first."""
        query = select(STANDINGS).where(STANDINGS.c.player == rated_as(player))
        rows = await self._rows(query.order_by(STANDINGS.c.games.desc(), STANDINGS.c.variant))
        return {Kind(row.variant, row.speed): _standing(row) for row in rows}

    async def standing(self, player: str, kind: Kind) -> Standing:
        """A player's standing in a kind of game."""
        found = await self.of(player)
        return found.get(kind) or standing_of(rated_as(player), kind.variant)

    async def several(self, rated: Collection[str], kind: Kind) -> dict[str, Standing]:
        """The standings of several players in a kind of game, if they have played it, by the names from `rated_as`."""
        which = and_(STANDINGS.c.variant == kind.variant, STANDINGS.c.speed == kind.speed)
        query = select(STANDINGS).where(which, STANDINGS.c.player.in_(rated))
        return {row.player: _standing(row) for row in await self._rows(query)}

    async def curves(self, player: str, points: int) -> dict[Kind, list[Point]]:
        """A player's ratings after their latest games, at most `points` of each kind, oldest first."""
        rated = rated_as(player)
        kinds = select(STANDINGS.c.variant, STANDINGS.c.speed).where(STANDINGS.c.player == rated)
        found = {}
        async with self._begin() as connection:
            for kind in [Kind(*row) for row in await connection.execute(kinds)]:
                mine = and_(RATED.c.player == rated, RATED.c.variant == kind.variant, RATED.c.speed == kind.speed)
                query = select(RATED.c.ended, RATED.c.after, RATED.c.deviation).where(mine)
                rows = (await connection.execute(query.order_by(RATED.c.number.desc()).limit(points))).all()
                found[kind] = [Point(*row) for row in reversed(rows)]
        return found

    async def leaders(self, kind: Kind, now: int, limit: int, *, bots: bool = False) -> list[Leader]:
        """The highest-rated open accounts in a kind of game, with a certain rating and a recent game; only bots if
        `bots`."""
        query = (
            select(ACCOUNTS.c.player, ACCOUNTS.c.name, *(STANDINGS.c[name] for name in Standing.__slots__))
            .join_from(STANDINGS, ACCOUNTS, ACCOUNTS.c.player == STANDINGS.c.player)
            .where(
                STANDINGS.c.variant == kind.variant,
                STANDINGS.c.speed == kind.speed,
                ACCOUNTS.c.closed.is_(None),
                STANDINGS.c.deviation <= CERTAIN,
                STANDINGS.c.last >= now - RECENT,
                *([ACCOUNTS.c.owner.is_not(None)] if bots else []),
            )
            .order_by(STANDINGS.c.rating.desc(), STANDINGS.c.player)
            .limit(limit)
        )
        return [Leader(row.player, row.name, _standing(row)) for row in await self._rows(query)]

    async def erase(self, player: str) -> None:
        """Make the results of a player anonymous. The ratings of others stay."""
        nobody = NOBODY + secrets.token_hex(8)
        async with self._begin(write=True) as connection:
            await _alone(connection)
            for table in (RATED, STANDINGS):
                await connection.execute(update(table).where(table.c.player == player).values(player=nobody))

    async def recompute(self, *, write: bool) -> Recomputed:
        """Recompute the ratings from all rated games, and compare them with the tables; with `write`, correct the
        tables."""
        async with self._begin(write=write) as connection:
            if write:
                await _alone(connection)
            elif connection.dialect.name == "postgresql":
                await connection.execute(text("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ"))
            standings: _Standings = {}
            games = different = 0
            last = 0
            while rows := await _rated_after(connection, last):
                for found, made in _folded(rows, standings):
                    games += 1
                    wrong = [(old, new) for old, new in zip(found, made, strict=True) if _differ(old, new)]
                    different += len(wrong)
                    for old, new in wrong if write else ():
                        row = and_(RATED.c.number == old.number, RATED.c.turn == old.turn)
                        await connection.execute(update(RATED).where(row).values(**new))
                last = rows[-1].number
            different += await _compare(connection, standings, write=write)
        return Recomputed(games, len(standings), different)


async def _rated_after(connection: AsyncConnection, number: int) -> list[Row[Any]]:
    """The rows of the next rated games, whole games, in their order."""
    numbers = select(RATED.c.number).where(RATED.c.number > number).distinct().order_by(RATED.c.number).limit(PART)
    query = select(RATED).where(RATED.c.number.in_(numbers)).order_by(RATED.c.number, RATED.c.turn)
    return list(await connection.execute(query))


def _folded(rows: Sequence[Row[Any]], standings: _Standings) -> Iterator[tuple[list[Row[Any]], list[dict[str, Any]]]]:
    """The rows of each game as stored and as recomputed; updates `standings`."""
    for _, group in groupby(rows, key=lambda row: row.number):
        found = list(group)
        kind = Kind(found[0].variant, found[0].speed)
        seats = tuple(RatedSeat(row.player, row.side, row.place) for row in found)
        game = RatedGame(kind, found[0].ended, seats)
        players = {seat.player for seat in seats}
        changes = fold.rate(game, {one: standings[kind, one] for one in players if (kind, one) in standings})
        for player, standing in _after(game, changes).items():
            standings[kind, player] = standing
        yield found, _rows(game, changes)


def _differ(found: Row[Any], made: dict[str, Any]) -> bool:
    return any(getattr(found, name) != value for name, value in made.items())


async def _compare(connection: AsyncConnection, standings: _Standings, *, write: bool) -> int:
    """Compare the table of standings; returns how many rows differ, are missing, or should not be there."""
    rows = await connection.execute(select(STANDINGS))
    found = {(Kind(row.variant, row.speed), row.player): _standing(row) for row in rows}
    keys = [key for key in found.keys() | standings.keys() if found.get(key) != standings.get(key)]
    if write and keys:
        gone = [(*kind, player) for kind, player in keys]
        key = tuple_(STANDINGS.c.variant, STANDINGS.c.speed, STANDINGS.c.player)
        for start in range(0, len(gone), PART):
            await connection.execute(delete(STANDINGS).where(key.in_(gone[start : start + PART])))
        new = [kind._asdict() | {"player": player} | asdict(standings[kind, player])
               for kind, player in keys if (kind, player) in standings]  # fmt: skip
        if new:
            await connection.execute(insert(STANDINGS), new)
    return len(keys)
