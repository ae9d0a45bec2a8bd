"""The moves played from a position, on both databases, compared with a direct count."""

import asyncio
from collections import Counter, defaultdict

import pytest
from sqlalchemy import func, select, text, update

from fourfold.engine.match.commands import Create, Resign
from fourfold.engine.match.terms import Terms
from fourfold.engine.variants import opening
from fourfold.server.archive.database import Database
from fourfold.server.archive.facts import GameFacts, Played, Search, fold
from fourfold.server.archive.paths import key
from fourfold.server.archive.snapshot import replace, snapshot
from fourfold.server.archive.tables import EXPLORED, GAMES
from tests.server.archive.played import Game, archived, mate, of_four

START = key(opening("standard"))


def resigned(number: int, first: str, **terms: object) -> Game:
    """White plays a move and resigns."""
    game = Game(Create("standard", seed=number, **terms), ["ann", "bob"])  # type: ignore[arg-type]
    game.move(first)
    game.do(Resign(), "ann")
    return game


async def whole(database: Database) -> list[tuple[int, ...]]:
    """All counts."""
    async with database._begin() as connection:
        rows = await connection.execute(select(EXPLORED).order_by(EXPLORED.c.position, EXPLORED.c.move))
        return [tuple(row) for row in rows]


async def test_moves_are_counted_by_their_results(database: Database, other: Database) -> None:
    await archived(database, "r1", mate())
    await archived(database, "r2", resigned(2, "e2e4"))
    await archived(other, "r3", resigned(3, "e2e4"))
    assert await other.explore(START, 2) == [
        Played("e2e4", 2, 0, (0, 2), (4, 2), (0, 0)),
        Played("f2f3", 1, 0, (0, 1), (2, 1), (0, 0)),
    ]
    assert await database.explore(START + 1, 2) == []


async def test_a_game_counts_once(database: Database, other: Database) -> None:
    await asyncio.gather(*(archived(one, "r1", mate()) for one in (database, other) * 4))
    assert [(played.move, played.games) for played in await database.explore(START, 2)] == [("f2f3", 1)]


async def test_what_nobody_may_find_is_not_counted(database: Database) -> None:
    await archived(database, "r1", resigned(1, "e2e4", visibility="private"))
    await archived(database, "r2", resigned(2, "e2e4", terms=Terms(lock="secret")))
    assert await whole(database) == []


@pytest.mark.slow
async def test_games_of_four_are_counted_as_a_direct_count_does(database: Database) -> None:
    games: list[GameFacts] = []
    for number in range(12):
        game = of_four(number // 2 + 1)  # each is played twice
        await archived(database, f"r{number}", game)
        games += (await fold(f"r{number}", game.decisions))[1]
    expected: dict[int, Counter[str]] = defaultdict(Counter)
    points: dict[tuple[int, str], list[int]] = defaultdict(lambda: [0] * 4)
    for facts in games:
        for position, move in facts.path:
            expected[position][move] += 1
            points[position, move] = [
                one + (seat.points or 0) for one, seat in zip(points[position, move], facts.seats, strict=True)
            ]
    assert len(expected) > 100
    for position, moves in expected.items():
        found = await database.explore(position, 4)
        assert {played.move: played.games for played in found} == moves
        assert [played.games for played in found] == sorted(moves.values(), reverse=True)
        for played in found:
            assert list(played.points) == points[position, played.move]
            assert sum(played.won) + played.drawn >= played.games
            assert sum(played.places) >= played.games


@pytest.mark.slow
async def test_games_that_are_forgotten_are_no_longer_counted(database: Database) -> None:
    await archived(database, "kept", mate())
    before = await whole(database)
    for number in range(30):
        await archived(database, f"r{number}", resigned(number, "e2e4"))
    late = mate().entries[-2].at  # the others ended before
    assert await database.forget(late) == 30
    assert await whole(database) == before
    await asyncio.gather(*(database.erase(["kept"]) for _ in range(3)))
    assert await whole(database) == []


@pytest.mark.slow
async def test_what_an_older_server_has_listed_is_counted_later(database: Database, other: Database) -> None:
    for number in range(25):
        await archived(database, f"r{number}", mate(number) if number % 2 else resigned(number, "e2e4"))
    expected = await whole(database)
    async with database._begin(write=True) as connection:
        await connection.execute(EXPLORED.delete())
        await connection.execute(update(GAMES).values(explored=False))
    await asyncio.gather(database.count_more(), other.count_more())
    while await database.count_more():
        pass
    assert await whole(database) == expected


async def test_a_damaged_log_keeps_no_other_game_from_being_counted(database: Database) -> None:
    await archived(database, "r1", mate())
    await archived(database, "r2", resigned(2, "e2e4"))
    async with database._begin(write=True) as connection:
        await connection.execute(EXPLORED.delete())
        await connection.execute(update(GAMES).values(explored=False))
        await connection.execute(text("UPDATE logs SET lineage = log WHERE room = 'r1'"))
    while await database.count_more():
        pass
    assert [played.move for played in await database.explore(START, 2)] == ["e2e4"]
    assert await database.erase(["r1", "r2"]) == 2
    async with database._begin() as connection:
        assert await connection.scalar(select(func.count()).select_from(GAMES)) == 0


LATER = {"games": ("explored", "imported", "unrated", "players"), "seats": ("called",)}
"""The columns that later migrations added."""


async def test_an_archive_of_before_gets_the_table(database: Database) -> None:
    """The rows of games in the form of the first migration."""
    await archived(database, "r1", mate())
    of_others = Game(Create("standard"), ["zoË", "ÉMILE"])
    of_others.do(Resign(), "ÉMILE")
    of_others.archive()
    await archived(database, "r2", of_others)
    expected = await whole(database)
    first = ("properties", "logs", "games", "seats")
    async with snapshot(database) as taken:
        rows = [(name, part) async for name, part in taken.rows() if name in first]
    for name, part in rows:
        for row in part:
            for column in LATER.get(name, ()):
                del row[column]
    await replace(database, "games_1", rows)
    assert await whole(database) == []
    assert (await database.count_more(), await database.count_more()) == (2, 0)
    assert await whole(database) == expected
    for name, room in {"ANN": "r1", "zoë": "r2", "Émile": "r2"}.items():
        assert [game.room for game in await database.search(Search(name=name, players=2))] == [room]
