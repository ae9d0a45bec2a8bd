"""The explorer's table: counts moves as games are added and removed, and looks positions up by a range of their key.

A transaction first sums all counts, and writes them in the order of their keys. So two servers that count at the same
time may wait for each other, but never deadlock.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any, Final

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncConnection

from fourfold.server.archive.facts import GameFacts, Played
from fourfold.server.archive.tables import EXPLORED, MOST_SEATS

_COUNTS: Final = [column.name for column in EXPLORED.c if not column.primary_key]


async def count(connection: AsyncConnection, once: Callable[..., Any], games: Iterable[GameFacts], by: int = 1) -> None:
    """Add the moves of games to the counts, or subtract them (`by` -1). `once` builds the database's own `INSERT`."""
    counts: dict[tuple[int, str], list[int]] = defaultdict(lambda: [0] * len(_COUNTS))
    for game in games:
        added = [by * number for number in _numbers(game)]
        for place in game.path:
            counts[place] = [one + other for one, other in zip(counts[place], added, strict=True)]
    if not counts:
        return
    rows = [
        {"position": position, "move": move, **dict(zip(_COUNTS, counts[position, move], strict=True))}
        for position, move in sorted(counts)
    ]
    insert = once(EXPLORED)
    more = {name: EXPLORED.c[name] + insert.excluded[name] for name in _COUNTS}
    await connection.execute(insert.on_conflict_do_update(index_elements=["position", "move"], set_=more), rows)
    if by < 0:
        gone = {row["position"] for row in rows}
        await connection.execute(delete(EXPLORED).where(EXPLORED.c.position.in_(gone), EXPLORED.c.games <= 0))


def _numbers(game: GameFacts) -> list[int]:
    """The numbers that a game adds to each of the `_COUNTS`."""
    beyond = [0] * (MOST_SEATS - len(game.seats))
    won = [int(seat.seat in game.winners) for seat in game.seats]
    places = [seat.place or 0 for seat in game.seats]
    points = [seat.points or 0 for seat in game.seats]
    return [1, int(not game.winners), *won, *beyond, *places, *beyond, *points, *beyond]


async def look_up(connection: AsyncConnection, position: int, seats: int) -> list[Played]:
    """The moves played from a position, by its key, most frequent first, in games with this number of seats."""
    query = select(EXPLORED).where(EXPLORED.c.position == position)
    rows = await connection.execute(query.order_by(EXPLORED.c.games.desc(), EXPLORED.c.move))
    found = []
    for row in rows.mappings():
        won, places, points = (
            tuple(row[f"{what}_{turn}"] for turn in range(seats)) for what in ("won", "places", "points")
        )
        found.append(Played(row["move"], row["games"], row["drawn"], won, places, points))
    return found
