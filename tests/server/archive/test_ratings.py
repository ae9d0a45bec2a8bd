"""Ratings in the archive, on both databases: which games are rated, and that a recompute gives the stored ratings."""

import asyncio
import random
from collections.abc import Sequence
from typing import Any

import pytest
from sqlalchemy import delete, insert, select, update

from fourfold.engine.match.clock import Control
from fourfold.engine.match.commands import Abort, Create, Propose, Resign, Vote
from fourfold.engine.match.events import ProposalKind
from fourfold.engine.match.terms import Terms
from fourfold.server.archive.database import Database
from fourfold.server.archive.facts import Search
from fourfold.server.archive.people import AccountFacts
from fourfold.server.archive.ratings import APART
from fourfold.server.archive.standings import CERTAIN, RECENT
from fourfold.server.archive.tables import RATED, STANDINGS
from fourfold.server.ratings.kinds import Kind
from fourfold.server.ratings.standing import Standing
from tests.server.archive.played import START, Game, archived

UNTIMED = Kind("standard", "untimed")
PEOPLE = ("ann", "bob", "cat", "dan")
LEVEL = "bot:level2:abc"


@pytest.fixture
async def people(database: Database) -> Database:
    """Everybody has an account, Ann has two bots, and Bob one."""
    for name in PEOPLE:
        await database.accounts.add(AccountFacts(name, name.title(), name, None, START - 1))
    for bot, name, owner in (("own", "Robot", "ann"), ("second", "Second", "ann"), ("other", "Other", "bob")):
        await database.accounts.add(AccountFacts(f"bot:{bot}", name, name.lower(), None, START - 1, owner=owner))
    return database


def resigned(players: list[str], create: Create | None = None, marks: Sequence[str] = ()) -> Game:
    """A game in which each seat moves twice, and then all but the last resign."""
    game = Game(create or Create("standard" if len(players) == 2 else "survivor"), players, marks=marks)
    game.play(1, len(create.moves if create else ()) + 2 * len(players))
    for player in players[:-1]:
        game.do(Resign(), player)
    game.archive()
    return game


async def tables(database: Database) -> list[Any]:
    """All stored rows, byte for byte."""
    async with database.transaction() as connection:
        rated = await connection.execute(select(RATED).order_by(RATED.c.number, RATED.c.turn))
        standings = await connection.execute(select(STANDINGS).order_by(*STANDINGS.primary_key))
        return [tuple(row) for row in (*rated, *standings)]


async def unrated(database: Database, room: str) -> str:
    (game,) = await database.games(room)
    return game.unrated


async def test_a_game_of_two_accounts_is_rated(people: Database) -> None:
    await archived(people, "abc", resigned(["ann", "bob"]))
    assert await unrated(people, "abc") == ""
    lost, won = (await people.ratings.of("ann"))[UNTIMED], (await people.ratings.of("bob"))[UNTIMED]
    assert won.rating > 1_500_000 > lost.rating and won.games == 1
    ((kind, (point,)),) = (await people.ratings.curves("bob", 9)).items()
    assert kind == UNTIMED and point.rating == won.rating and point.ended == won.last
    assert await people.ratings.of("cat") == {}
    assert await people.ratings.standing("cat", UNTIMED) == Standing()


async def test_a_game_of_four_and_one_against_levels(people: Database) -> None:
    await archived(people, "four", resigned(list(PEOPLE)))
    ratings = [(await people.ratings.standing(name, Kind("survivor"))).rating for name in PEOPLE]
    assert ratings == sorted(ratings)  # later resignations get higher places
    await archived(people, "level", resigned(["ann", LEVEL], Create("standard", control=Control(60_000, 0, 0))))
    assert await unrated(people, "level") == ""
    assert (await people.ratings.standing("ann", Kind("standard", "bullet"))).rating < 1_500_000
    assert (await people.ratings.standing(LEVEL, Kind("standard", "bullet"))).rating == 460_000
    assert (await people.ratings.recompute(write=False)).different == 0


def undone() -> Game:
    game = Game(Create("standard"), ["ann", "bob"])
    game.move("e2e4")
    assert game.state is not None
    game.do(Propose(ProposalKind.UNDO, game.state.seq, 1), "ann")
    game.do(Vote(1, True), "bob")
    game.do(Resign(), "ann")
    return game


def short() -> Game:
    game = Game(Create("standard"), ["ann", "bob"])
    game.play(1, 3)
    game.do(Resign(), "bob")
    return game


def aborted() -> Game:
    game = Game(Create("standard"), ["ann", "bob"])
    game.do(Abort(), "ann")
    return game


UNRATED = {
    "guest": lambda: resigned(["ann", "eve"]),
    "own_bot": lambda: resigned(["ann", "bot:own"]),
    "one_owner": lambda: resigned(["bot:own", "bot:second"]),
    "casual": lambda: resigned(["ann", "bob"], Create("standard", terms=Terms(rated=False))),
    "imported": lambda: resigned(["ann", "bob"], Create("standard", terms=Terms(imported=True))),
    "position": lambda: resigned(["ann", "bob"], Create("standard", "4k3/8/8/8/8/8/8/4K2R w K - 0 1")),
    "undone": undone,
    "too_short": short,
    "same_address": lambda: resigned(["ann", "bob"], marks=("m", "m")),
    "aborted": aborted,
}


@pytest.mark.parametrize("why", UNRATED)
async def test_games_that_are_not_rated_say_why(why: str, people: Database) -> None:
    await archived(people, "abc", UNRATED[why]())
    assert await unrated(people, "abc") == why
    assert (await people.search(Search()))[0].unrated == why
    assert await tables(people) == []


async def test_of_four_no_two_are_bots_of_one_owner(people: Database) -> None:
    await archived(people, "two", resigned(["bot:own", "cat", "bot:second", "dan"]))
    assert await unrated(people, "two") == "one_owner"
    await archived(people, "one", resigned(["bot:own", "cat", "bot:other", "dan"]))
    assert await unrated(people, "one") == ""
    await archived(people, "levels", resigned(["bot:own", LEVEL, "bot:level3:def", "dan"]))
    assert await unrated(people, "levels") == ""


async def test_moves_that_nobody_here_has_played_are_another_position(people: Database) -> None:
    await archived(people, "abc", resigned(["ann", "bob"], Create("standard", moves=("e2e4",))))
    assert await unrated(people, "abc") == "position"


async def test_the_named_start_arrays_are_usual(people: Database) -> None:
    await archived(people, "abc", resigned(list(PEOPLE), Create("survivor", "classic")))
    assert await unrated(people, "abc") == ""


@pytest.mark.parametrize(("late", "reason"), [(APART, ""), (APART + 1, "guest")])
async def test_who_made_the_account_during_the_game_was_a_guest(people: Database, late: int, reason: str) -> None:
    """Two servers' dates of one moment differ: such an account counts as older than the game."""
    await people.accounts.add(AccountFacts("eve", "Eve", "eve", None, START + 2000 + late))
    await archived(people, "abc", resigned(["ann", "eve"]))
    assert await unrated(people, "abc") == reason


async def test_servers_that_list_at_once_rate_each_game_once(people: Database, other: Database) -> None:
    chance = random.Random(1)
    games = {f"room{number}": resigned(chance.sample(PEOPLE, 2 if number % 3 else 4)) for number in range(12)}
    listings = [archived(one, room, game) for room, game in games.items() for one in (people, other)]
    chance.shuffle(listings)
    for start in range(0, len(listings), 6):
        await asyncio.gather(*listings[start : start + 6])
    found = await other.ratings.recompute(write=False)
    assert (found.games, found.different) == (12, 0)
    async with people.transaction() as connection:
        numbers = (await connection.scalars(select(RATED.c.number).distinct().order_by(RATED.c.number))).all()
    assert list(numbers) == list(range(1, 13))


async def test_what_is_recomputed_is_what_stood_there(people: Database) -> None:
    for number, players in enumerate((["ann", "bob"], ["bob", "cat"], list(PEOPLE), ["cat", "ann"])):
        await archived(people, f"room{number}", resigned(players))
    stood = await tables(people)
    assert await people.ratings.recompute(write=True) == (4, 7, 0)
    assert await tables(people) == stood
    async with people.transaction(write=True) as connection:
        await connection.execute(update(STANDINGS).where(STANDINGS.c.player == "ann").values(rating=3_000_000))
        await connection.execute(delete(STANDINGS).where(STANDINGS.c.player == "dan"))
        await connection.execute(update(RATED).where(RATED.c.number == 2, RATED.c.turn == 0).values(after=0))
    found = await people.ratings.recompute(write=False)
    assert found.different == 4 and await tables(people) != stood
    assert (await people.ratings.recompute(write=True)).different == 4
    assert await tables(people) == stood


async def test_an_erased_player_leaves_results_of_nobody(people: Database) -> None:
    for number, players in enumerate((["ann", "bob"], ["bob", "cat"], ["ann", "cat"])):
        await archived(people, f"room{number}", resigned(players))
    stood = {name: await people.ratings.of(name) for name in PEOPLE}
    await people.erase(["room0", "room2"])
    await people.ratings.erase("ann")
    assert await people.ratings.of("ann") == {} != stood["ann"]
    assert await people.ratings.of("bob") == stood["bob"] and await people.ratings.of("cat") == stood["cat"]
    text = repr(await tables(people))
    assert "'ann'" not in text and "room0" not in text and "room1" in text
    assert (await people.ratings.recompute(write=False)).different == 0


async def test_leaders_are_certain_and_have_played_lately(people: Database) -> None:
    now = START + 2 * RECENT
    rows = {
        "ann": Standing(1_600_000, CERTAIN, games=30, last=now),
        "bob": Standing(1_700_000, CERTAIN, games=30, last=now - RECENT),
        "cat": Standing(1_800_000, CERTAIN + 1, games=3, last=now),
        "dan": Standing(1_900_000, CERTAIN, games=30, last=now - RECENT - 1),
        "erased:1": Standing(2_000_000, CERTAIN, games=30, last=now),
        "bot:own": Standing(1_500_000, CERTAIN, games=30, last=now),
    }
    async with people.transaction(write=True) as connection:
        for player, one in rows.items():
            row = {name: getattr(one, name) for name in Standing.__slots__}
            await connection.execute(insert(STANDINGS).values(**UNTIMED._asdict(), player=player, **row))
    leaders = await people.ratings.leaders(UNTIMED, now, 10)
    assert [(leader.name, leader.standing.rating) for leader in leaders] == [
        ("Bob", 1_700_000),
        ("Ann", 1_600_000),
        ("Robot", 1_500_000),
    ]
    assert [leader.name for leader in await people.ratings.leaders(UNTIMED, now, 10, bots=True)] == ["Robot"]
    assert len(await people.ratings.leaders(UNTIMED, now, 1)) == 1
    assert await people.ratings.leaders(Kind("ffa"), now, 10) == []
    await people.accounts.close(["bob"], now)
    assert [leader.name for leader in await people.ratings.leaders(UNTIMED, now, 10)] == ["Ann", "Robot"]
