"""Ratings over sockets: games played on two servers are rated, explained and listed; a recompute gives the same."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update

from fourfold.server.archive import database
from fourfold.server.archive.database import Database
from fourfold.server.archive.tables import STANDINGS
from fourfold.server.rooms import liveness
from tests import forked
from tests.conftest import HANG, some
from tests.postgres import PostgresProcess
from tests.server.conftest import Dial, Wire, each_moves_twice, left
from tests.server.sessions.test_accounts import registered

assert database.HEAD, "loaded before the first test, which would otherwise wait for it"


pytestmark = pytest.mark.archiving


@pytest.fixture(params=some(1, "sqlite", "postgresql"))
def database_url(request: pytest.FixtureRequest) -> str | None:
    if request.param == "sqlite":
        return None
    postgres: PostgresProcess = request.getfixturevalue("postgres")
    return postgres.database()


async def person(dial: Dial, name: str, **where: str) -> Wire:
    """A client with an account."""
    wire = await dial(**where)
    await registered(wire, name)
    return wire


async def game(players: list[Wire], variant: str = "standard", **terms: Any) -> str:
    """A game in which each player moves twice, and then all but the last resign."""
    room: str = (await players[0].asks("create", variant=variant, **terms))["room"]
    for player in players:
        assert (await player.asks("join", room=room))["type"] == "joined"
    await each_moves_twice(players, room)
    for number, player in enumerate(players[:-1]):
        assert (await player.asks("resign", room=room, key=f"r{number}"))["type"] == "ok"
    return room


async def of(wire: Wire, **whose: Any) -> list[tuple[str, str | None, bool]]:
    found = await wire.asks("ratings", **whose)
    return [(one["variant"], one["speed"], one["rating"] > 1500) for one in found["ratings"]]


async def test_games_on_two_servers_are_rated_and_a_recompute_finds_the_same(
    dial: Dial, elsewhere: str, common_url: str, database_url: str | None, tmp_path: Path
) -> None:
    ann, cat = await person(dial, "Ann"), await person(dial, "Cat")
    bob, dan = await person(dial, "Bob", at=elsewhere), await person(dial, "Dan", at=elsewhere)
    guest = await dial()
    rooms = [await game([ann, bob], clock={"base": 180_000, "increment": 2000})]
    await left(common_url, rooms[0])  # so that it is the first to be rated
    rooms += [
        await game([bob, cat], clock={"base": 180_000, "increment": 2000}),
        await game([dan, ann, cat, bob], "survivor"),
        await game([cat, dan], rated=False),
        await game([guest, dan]),
    ]
    for room in rooms[1:]:
        await left(common_url, room)
    async with asyncio.timeout(240):  # the other server may be the one that rates
        while await of(ann) != [("standard", "blitz", False), ("survivor", None, False)]:
            pass
    assert await of(guest, name="cat") == [("standard", "blitz", True), ("survivor", None, True)]
    assert await of(guest, player=dan.player) == [("survivor", None, False)]
    told = await bob.asks("ratings")
    assert told["name"] == "Bob" and len(told["ratings"][0]["points"]) == told["ratings"][0]["games"] == 2
    assert not told["ratings"][0]["certain"]
    (first,) = (await guest.asks("games", room=rooms[0]))["games"]
    assert first["unrated"] == ""
    white, black = (seat["change"] for seat in first["seats"])
    assert (white["before"], white["expected"], white["scored"]) == (1500, 0.5, 0.0)
    assert black["after"] > 1500 > white["after"] and black["deviation"] < 350
    reasons = [(await guest.asks("games", room=room))["games"][0]["unrated"] for room in rooms[2:]]
    assert reasons == ["", "casual", "guest"]
    archive = await Database.open(database_url, tmp_path)
    try:
        found = await archive.ratings.recompute(write=False)
        assert (found.games, found.standings, found.different) == (3, 7, 0)
        await archive.ratings.erase(str(ann.player))
        assert (await archive.ratings.recompute(write=False)).different == 0
    finally:
        await archive.close()
    assert await of(guest, player=ann.player) == []


@pytest.mark.slow
async def test_the_command_compares_and_writes_anew(
    dial: Dial, address: str, common_url: str, database_url: str | None, tmp_path: Path
) -> None:
    await left(common_url, await game([await person(dial, "Ann"), await person(dial, "Bob")]))
    where = ["--redis", common_url, "--data", str(tmp_path), *(["--database", database_url] if database_url else [])]

    async def ratings(do: str) -> tuple[int, str]:
        done = await asyncio.to_thread(forked.run, "ratings", do, *where)
        return done.returncode, done.stdout.strip()

    assert await ratings("--check") == (0, "1 rated games, 2 ratings: 0 rows different")
    archive = await Database.open(database_url, tmp_path)
    try:
        async with archive.transaction(write=True) as connection:
            await connection.execute(update(STANDINGS).values(rating=0))
    finally:
        await archive.close()
    assert await ratings("--check") == (1, "1 rated games, 2 ratings: 2 rows different")
    assert await ratings("--recompute") == (0, "1 rated games, 2 ratings: 2 rows written anew")
    assert await ratings("--check") == (0, "1 rated games, 2 ratings: 0 rows different")


async def test_the_leaderboard_has_the_computer_players_between_people(dial: Dial, address: str) -> None:
    wire = await dial()
    found = await wire.asks("leaderboard", variant="standard", speed="blitz")
    assert [(one["player"], one["rating"], one["fixed"]) for one in found["leaders"]] == [
        ("level5", 1840, False), ("level4", 1150, True), ("level3", 990, True), ("level2", 460, True),
        ("level1", 240, True),
    ]  # fmt: skip
    assert (await wire.asks("leaderboard", variant="ffa"))["speed"] is None
    assert (await wire.asks("leaderboard"))["code"] == "no_such_rating"
    assert (await wire.asks("leaderboard", variant="ffa", speed="blitz"))["code"] == "no_such_rating"
    assert (await wire.asks("ratings", name="Nobody Here"))["code"] == "no_such_player"
    level = await wire.asks("ratings", name="level 3")
    assert (level["player"], level["name"], level["ratings"]) == ("level3", "Level 3", [])


async def test_who_seeks_a_casual_game_meets_those_who_do_too(
    dial: Dial, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(liveness, "WITHIN", HANG)  # the seekers are there, however late they answer pings
    rated, casual, other = await dial(), await dial(), await dial()
    rooms = [(await wire.asks("seek", rated=wire is rated))["room"] for wire in (rated, casual, other)]
    assert rooms[0] != rooms[1] == rooms[2]
    snapshot = await casual.seen(lambda frame: frame["type"] == "room")
    assert snapshot["rated"] is False
    await asyncio.sleep(0)
