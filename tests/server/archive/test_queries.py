"""Searches and results, on both databases, compared with the games played."""

from dataclasses import replace

import pytest

from fourfold.engine.match import Status
from fourfold.engine.match.commands import Abort, Create, Propose, Resign, Vote
from fourfold.engine.match.events import ProposalKind
from fourfold.server.archive.database import Database
from fourfold.server.archive.facts import Cursor, Search, Tally
from tests.server.archive.played import START, Game, archived

HOUR = 3_600_000


def game(number: int, players: list[str], loser: str | None, **terms: object) -> Game:
    """A game that began `number` hours after the first. The seat `loser` resigns; None: a draw."""
    variant = "standard" if len(players) == 2 else str(terms.pop("variant", "survivor"))
    played = Game(Create(variant, **terms), players, start=START + number * HOUR)  # type: ignore[arg-type]
    assert played.state is not None
    if loser is not None:
        out = [loser] if variant != "survivor" else [loser, *(one for one in players[1:] if one != loser)]
        for one in out:
            if played.state.status is Status.PLAYING:
                played.do(Resign(), one)
    else:
        played.do(Propose(ProposalKind.DRAW, played.state.seq), players[0])
        for one in players[1:]:
            played.do(Vote(1, True), one)
    played.archive()
    return played


@pytest.fixture
async def full(database: Database) -> Database:
    """Ann won, lost and drew against Bob, and came first and last among four; one game is private."""
    await archived(database, "r1", game(1, ["ann", "bob"], "bob"))
    await archived(database, "r2", game(2, ["bob", "ann"], "ann"))
    await archived(database, "r3", game(3, ["ann", "bob"], None))
    await archived(database, "r4", game(4, ["ann", "bob", "cat", "dan"], "bob"))
    await archived(database, "r5", game(5, ["bob", "cat", "dan", "ann"], "ann"))
    await archived(database, "r6", game(6, ["ann", "cat"], "cat", visibility="private"))
    await archived(database, "r7", game(7, ["cat", "dan"], "dan"))
    aborted = Game(Create("standard"), ["ann", "bob"], start=START + 8 * HOUR)
    aborted.do(Abort(), "ann")
    await archived(database, "r8", aborted)
    return database


async def rooms(database: Database, search: Search) -> list[str]:
    return [game.room for game in await database.search(search)]


FOUND = [
    (Search(), ["r8", "r7", "r5", "r4", "r3", "r2", "r1"]),
    (Search(player="ann"), ["r8", "r5", "r4", "r3", "r2", "r1"]),
    (Search(player="ann", private=True), ["r8", "r6", "r5", "r4", "r3", "r2", "r1"]),
    (Search(player="ann", other="cat"), ["r5", "r4"]),
    (Search(player="ann", other="bob", variant="standard"), ["r8", "r3", "r2", "r1"]),
    (Search(variant="survivor"), ["r5", "r4"]),
    (Search(player="ann", result="won"), ["r4", "r1"]),
    (Search(player="ann", result="lost"), ["r5", "r2"]),
    (Search(player="bob", result="drawn"), ["r3"]),
    (Search(player="ann", result="aborted"), ["r8"]),
    (Search(result="drawn"), ["r3"]),
    (Search(result="aborted"), ["r8"]),
    (Search(result="won", variant="standard"), ["r7", "r2", "r1"]),
    (Search(since=START + 4 * HOUR, until=START + 6 * HOUR), ["r5", "r4"]),
    (Search(player="cat", since=START + 6 * HOUR), ["r7"]),
    (Search(player="eve"), []),
    (Search(name="ANN"), ["r8", "r5", "r4", "r3", "r2", "r1"]),
    (Search(name="Ann", result="won"), ["r4", "r1"]),
    (Search(name="ann", other_name="Cat"), ["r5", "r4"]),
    (Search(player="ann", other_name="cat", private=True), ["r6", "r5", "r4"]),
    (Search(player="bob", name="Ann"), []),
    (Search(player="ann", other="ann"), []),
    (Search(name="ann", other_name="Ann"), []),
    (Search(player="ann", other_name="Ann"), []),
    (Search(other="cat"), ["r7", "r5", "r4"]),
    (Search(other_name="cat", result="won", variant="standard"), ["r7"]),
    (Search(name="an"), []),
    (Search(players=4), ["r5", "r4"]),
    (Search(players=2, player="ann", result="won"), ["r1"]),
    (Search(limit=2), ["r8", "r7"]),
]


async def test_searches(full: Database) -> None:
    for search, found in FOUND:
        assert await rooms(full, search) == found, search


async def test_pages_follow_one_another(full: Database) -> None:
    for search in (Search(), Search(player="ann", private=True)):
        pages = []
        page = replace(search, limit=2)
        while found := await full.search(page):
            pages += [game.room for game in found]
            last = found[-1]
            page = replace(page, after=Cursor.read(str(Cursor(last.ended, last.room, last.number))))
        assert pages == await rooms(full, search)


async def test_games_that_ended_at_the_same_moment_are_each_on_one_page(database: Database) -> None:
    for number in range(5):
        await archived(database, f"same{number}", game(1, ["ann", "bob"], "bob"))
    pages: list[str] = []
    after = None
    while found := await database.search(Search(player="bob", limit=2, after=after)):
        pages += [one.room for one in found]
        after = Cursor(found[-1].ended, found[-1].room, found[-1].number)
    assert sorted(pages) == sorted(set(pages)) == [f"same{number}" for number in range(5)]


async def test_a_game_is_found_as_it_was(full: Database) -> None:
    (found,) = await full.search(Search(player="ann", variant="survivor", result="won"))
    assert [(seat.seat, seat.player, seat.name) for seat in found.seats] == [
        ("red", "ann", "Ann"), ("blue", "bob", "Bob"), ("yellow", "cat", "Cat"), ("green", "dan", "Dan"),
    ]  # fmt: skip
    assert (found.winners, found.reason, found.plies, found.control) == (("red",), "last_standing", 0, None)
    assert found.position.count("/") == 13


async def test_the_results_of_a_player(full: Database) -> None:
    record = await full.record("ann", private=False)
    assert (record.name, record.since) == ("Ann", START + HOUR + 2000)
    assert record.variants == [Tally(("standard",), 1, 1, 1), Tally(("survivor",), 1, 0, 1)]
    assert record.places[("survivor", 1)] == 1
    assert sum(count for (variant, _), count in record.places.items() if variant == "survivor") == 2
    assert set(map(str, record.seats)) == set(map(str, [
        Tally(("standard", "white"), 1, 1, 0), Tally(("standard", "black"), 0, 0, 1),
        Tally(("survivor", "red"), 1, 0, 0), Tally(("survivor", "green"), 0, 0, 1),
    ]))  # fmt: skip
    against = {tally.kind: (tally.won, tally.drawn, tally.lost) for tally in record.against}
    assert against == {("bob", "Bob"): (2, 1, 2), ("cat", "Cat"): (1, 0, 1), ("dan", "Dan"): (1, 0, 1)}
    private = await full.record("ann", private=True)
    assert private.variants[0] == Tally(("standard",), 2, 1, 1)


async def test_partners_are_no_opponents(database: Database) -> None:
    await archived(database, "r1", game(1, ["ann", "bob", "cat", "dan"], "bob", variant="teams"))
    record = await database.record("ann", private=False)
    assert record.variants == [Tally(("teams",), 1, 0, 0)]
    assert sorted(record.against, key=str) == [Tally(("bob", "Bob"), 1, 0, 0), Tally(("dan", "Dan"), 1, 0, 0)]


async def test_a_game_of_two_armies_counts_once(database: Database) -> None:
    for number, other in enumerate(("bob", "bot:level3:x")):
        played = Game(Create("selfpartner"), ["ann", other], start=START + number * HOUR)
        played.do(Resign(), other)
        played.archive()
        await archived(database, f"r{number}", played)
    assert await rooms(database, Search(player="ann")) == ["r1", "r0"]
    assert await rooms(database, Search(player="bob", other="ann", result="lost")) == ["r0"]
    assert await rooms(database, Search(name="Ann", other_name="Bob")) == ["r0"]
    record = await database.record("ann", private=False)
    assert record.variants == [Tally(("selfpartner",), 2, 0, 0)]
    assert record.seats == [Tally(("selfpartner", "red"), 2, 0, 0)]
    assert record.against == [Tally(("bob", "Bob"), 1, 0, 0)]
    assert record.computers == [Tally(("3",), 1, 0, 0)]
    (found,) = await database.search(Search(player="bob"))
    assert [seat.player for seat in found.seats] == ["ann", "bob", "ann", "bob"] and found.unrated == "casual"


async def test_computers_count_by_level_and_not_as_opponents(database: Database) -> None:
    for number, level in enumerate((3, 3, 5)):
        computer = f"bot:level{level}:{number}"
        await archived(database, f"r{number}", game(1, ["ann", computer], "ann" if number == 1 else computer))
    await archived(database, "r9", game(1, ["ann", "bob"], "bob"))
    record = await database.record("ann", private=False)
    assert record.computers == [Tally(("3",), 1, 0, 1), Tally(("5",), 1, 0, 0)]
    assert [tally.kind for tally in record.against] == [("bob", "Bob")]


async def test_a_player_without_games(database: Database) -> None:
    record = await database.record("eve", private=True)
    assert (record.name, record.since, record.variants, record.against) == (None, None, [], [])
