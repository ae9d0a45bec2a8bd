"""Seeking within a rating range: who meets whom, and how a widening range moves a player to another room."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert

from fourfold.server.archive.database import Database
from fourfold.server.archive.tables import STANDINGS
from fourfold.server.lobby import matchmaking as seeks
from fourfold.server.lobby import ranges, widening
from fourfold.server.lobby.ranges import Range, may_meet
from fourfold.server.sessions.session import Session
from tests.conftest import archive_of
from tests.server.conftest import Dial, Wire
from tests.server.lobby.test_matchmaking import players, playing, seek
from tests.server.sessions.test_accounts import registered
from tests.server.transport.test_connection import raw

__all__ = ["raw"]

BLITZ = {"base": 180_000, "increment": 2_000}
NOW = 1_000_000

Rated = Callable[..., Awaitable[Wire]]


@pytest.fixture
def common_url(every_clean_url: str) -> str:
    """An empty store of each kind."""
    return every_clean_url


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Checks come soon, and no range widens by itself."""
    monkeypatch.setattr(seeks, "LOOK", 0.05)
    monkeypatch.setattr(widening, "LOOK", 0.05)
    monkeypatch.setattr(ranges, "WIDENS", 0)


@pytest.fixture
def widen(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """From now on all ranges are wide."""
    return lambda: monkeypatch.setattr(ranges, "WIDENS", 1_000_000)


@pytest.fixture
async def rated(dial: Dial, common_url: str, tmp_path: Path) -> AsyncIterator[Rated]:
    """Makes a client that has an account and a rating."""
    database = await Database.open(archive_of(common_url), tmp_path)

    async def rated(rating: int, **where: Any) -> Wire:
        wire = await dial(**where)
        await registered(wire, f"R{wire.player}".replace("_", "").replace("-", "")[:12])
        row = {"rating": rating * 1000, "deviation": 60_000, "volatility": 60_000_000, "games": 30, "last": NOW}
        async with database.ratings._begin(write=True) as connection:
            blitz = insert(STANDINGS).values(variant="standard", speed="blitz", player=wire.player, **row)
            await connection.execute(blitz)
        return wire

    yield rated
    await database.close()


async def know(*wires: Wire) -> None:
    """Wait until all servers know all accounts."""
    players = [wire.player for wire in wires]
    async with asyncio.timeout(240):
        for wire in wires:
            while len((await wire.asks("strengths", players=players, clock=BLITZ))["strengths"]) < len(wires):  # noqa: ASYNC110
                await asyncio.sleep(0.05)


async def meets(wire: Wire, room: str, **terms: Any) -> None:
    """Seek, and reach a room: at once, or as soon as the servers know of each other."""
    if (await seek(wire, clock=BLITZ, **terms))["room"] != room:
        assert (await wire.seen(lambda frame: frame["type"] == "paired"))["room"] == room


def test_who_may_meet() -> None:
    ratings = {"ann": 1_500_000, "bob": 1_650_000, "cy": 1_900_000}
    narrow, wide = Range(100, NOW, NOW), Range(300, NOW, NOW)
    assert may_meet({}, {}, ["ann", "guest"], NOW)
    assert may_meet({"ann": wide}, ratings, ["ann", "bob"], NOW)
    assert not may_meet({"ann": wide, "bob": narrow}, ratings, ["ann", "bob"], NOW)
    assert not may_meet({"ann": wide}, ratings, ["ann", "bob", "cy"], NOW)
    assert not may_meet({"ann": wide}, ratings, ["ann", "guest"], NOW)


def test_a_range_widens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ranges, "WIDENS", 5)
    assert [Range(100, NOW, NOW).width(NOW + ms) for ms in (-50, 0, 10_000, 60_000)] == [100, 100, 150, 400]


async def test_those_meet_who_are_within_the_ranges_of_both(rated: Rated, elsewhere: str) -> None:
    ann, far, near = await rated(1500), await rated(1800, at=elsewhere), await rated(1580, at=elsewhere)
    await know(ann, far, near)
    first = await seek(ann, clock=BLITZ, range=100)
    assert (await seek(far, clock=BLITZ, range=400))["room"] != first["room"]
    await meets(near, first["room"], range=100)
    await playing(ann, first["room"])


async def test_who_has_no_range_meets_whom_it_does_not_disturb(rated: Rated, dial: Dial, elsewhere: str) -> None:
    ann, bob, guest, other = await rated(1500), await rated(1550), await dial(at=elsewhere), await dial()
    await know(ann, bob)
    first = await seek(ann, clock=BLITZ, range=100)
    second = await seek(guest, clock=BLITZ)
    assert second["room"] != first["room"], "a guest has no rating"
    await meets(bob, first["room"])
    await meets(other, second["room"])


async def test_a_range_needs_a_rating(dial: Dial) -> None:
    guest = await dial()
    assert (await guest.asks("seek", clock=BLITZ, range=100))["code"] == "no_rating"
    assert (await guest.asks("seek", variant="shogi", range=100))["code"] == "unknown_variant"
    assert (await guest.asks("seek", range=3))["code"] == "bad_field"


async def test_it_widens_and_takes_a_player_to_the_older_room(
    rated: Rated, elsewhere: str, widen: Callable[[], None]
) -> None:
    ann, bob = await rated(1500), await rated(1800, at=elsewhere)
    await know(ann, bob)
    first, second = await seek(ann, clock=BLITZ, range=50), await seek(bob, clock=BLITZ, range=50)
    assert first["room"] != second["room"]
    widen()
    paired = await bob.seen(lambda frame: frame["type"] == "paired")
    assert paired["room"] == first["room"] and {paired["seat"], first["seat"]} == {"white", "black"}
    for wire in (ann, bob):
        await playing(wire, first["room"])
    stood = [one for one in bob.updates() if one["room"] == second["room"] and one["events"][0]["type"] == "unseated"]
    assert not stood, "a player who is moved doesn't see it"
    assert not any(frame["type"] == "paired" for frame in ann.frames)


@pytest.mark.parametrize("ended", [False, True])
async def test_all_connections_that_wait_move(
    rated: Rated, dial: Dial, widen: Callable[[], None], ended: bool
) -> None:
    """One of them may be dead, and the server not know yet. The connection of the seek may have ended."""
    ann, bob = await rated(1500), await rated(1800)
    await know(ann, bob)
    first, second = await seek(ann, clock=BLITZ, range=50), await seek(bob, clock=BLITZ, range=50)
    other, watching = await dial(token=bob.token), await dial(token=bob.token)
    await other.asks("watch", room=second["room"])
    if ended:
        await bob.connection.close()
    widen()
    for wire in (other,) if ended else (bob, other):
        assert (await wire.seen(lambda frame: frame["type"] == "paired"))["room"] == first["room"]
        await playing(wire, first["room"])
        assert not [
            one for one in wire.updates() if one["room"] == second["room"] and one["events"][0]["type"] == "unseated"
        ]
    await watching.asks("ping")
    assert not any(frame["type"] == "paired" for frame in watching.frames)


async def test_it_goes_to_who_waits_without_a_range(rated: Rated, widen: Callable[[], None], elsewhere: str) -> None:
    ann, bob = await rated(1500), await rated(1800, at=elsewhere)
    await know(ann, bob)
    first, second = await seek(ann, clock=BLITZ, range=50), await seek(bob, clock=BLITZ)
    assert first["room"] != second["room"]
    widen()
    assert (await ann.seen(lambda frame: frame["type"] == "paired"))["room"] == second["room"]
    await playing(bob, second["room"])


async def test_a_range_widens_on_over_a_new_connection(
    rated: Rated, dial: Dial, elsewhere: str, widen: Callable[[], None]
) -> None:
    """The player who waits comes back at another server; so does one who then gives up."""
    ann, bob, cy = await rated(1500), await rated(1800), await rated(2400)
    await know(ann, bob, cy)
    first, second = await seek(ann, clock=BLITZ, range=50), await seek(bob, clock=BLITZ, range=50)
    third = await seek(cy, clock=BLITZ, range=50)
    assert len({first["room"], second["room"], third["room"]}) == 3
    back = {}
    for wire, room in ((bob, second), (cy, third)):
        await wire.connection.close()
        back[wire] = await dial(at=elsewhere, token=wire.token)
        await back[wire].asks("watch", room=room["room"])
    assert (await back[cy].asks("unseek"))["type"] == "ok"
    assert players(await back[cy].asks("watch", room=third["room"])) == [None, None]
    widen()
    assert (await back[bob].seen(lambda frame: frame["type"] == "paired"))["room"] == first["room"]
    for wire in (ann, back[bob]):
        await playing(wire, first["room"])
    assert not any(frame["type"] == "paired" for frame in back[cy].frames)


async def test_a_server_whose_connection_is_dead_moves_nobody(
    rated: Rated, dial: Dial, raw: Any, address: str, elsewhere: str, widen: Callable[[], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """The player comes back at another server, which moves them. A move by the first server would not be heard."""
    ann, bob = await rated(1500), await rated(1800)
    await know(ann, bob)
    first, second = await seek(ann, clock=BLITZ, range=50), await seek(bob, clock=BLITZ, range=50)
    asked = asyncio.Event()
    answers = Session.answers

    async def ping(self: Session, seconds: float) -> bool:
        if self.player_id == bob.player:
            asked.set()
        return await answers(self, seconds)

    monkeypatch.setattr(Session, "answers", ping)
    ghost = await raw(f"{address.replace('http', 'ws')}/ws")
    ghost.say("hello", token=bob.token)
    ghost.say("watch", room=second["room"])
    await bob.end()
    widen()
    await asyncio.wait_for(asked.wait(), 240)
    back = await dial(at=elsewhere, token=bob.token)
    assert bob.player in players(await back.asks("watch", room=second["room"]))
    assert (await back.seen(lambda frame: frame["type"] == "paired"))["room"] == first["room"]
    for wire in (ann, back):
        await playing(wire, first["room"])


@pytest.mark.parametrize("again", [False, True])
async def test_who_seeks_on_without_a_range_has_one_seat(rated: Rated, dial: Dial, again: bool) -> None:
    """Also over a new connection. The room of those without a range is another one."""
    bob, cy = await rated(1800), await rated(2400)
    await know(bob, cy)
    first = await seek(cy, clock=BLITZ)
    second = await seek(bob, clock=BLITZ, range=50)
    assert first["room"] != second["room"]
    if again:
        bob = await dial(token=bob.token)
        await bob.asks("watch", room=second["room"])
    assert (await seek(bob, clock=BLITZ))["room"] == first["room"]
    await playing(bob, first["room"])
    assert players(await cy.asks("watch", room=second["room"])) == [None, None]


async def test_who_gives_up_is_not_taken_anywhere(rated: Rated, widen: Callable[[], None]) -> None:
    ann, bob = await rated(1500), await rated(1800)
    room = (await seek(ann, clock=BLITZ))["room"]
    assert (await seek(bob, clock=BLITZ, range=50))["room"] != room
    assert (await bob.asks("unseek"))["type"] == "ok"
    widen()
    await asyncio.sleep(0.5)  # some checks
    assert not any(frame["type"] == "paired" for frame in bob.frames)
    assert (await seek(await rated(1490), clock=BLITZ))["room"] == room


async def test_strengths_are_told_of_who_has_one(rated: Rated, dial: Dial) -> None:
    ann, new, guest = await rated(1612), await dial(), await dial()
    await registered(new, f"N{new.player}".replace("_", "").replace("-", "")[:12])
    players = [ann.player, new.player, guest.player, "bot:level3:5Yt0nJr-KfU1", "bot:level5:5Yt0nJr-KfU1"]
    found = (await guest.asks("strengths", players=players, clock=BLITZ))["strengths"]
    assert [one["player"] for one in sorted(found, key=lambda one: one["rating"])] == [
        players[3], players[1], players[0], players[4]
    ]  # fmt: skip
    by = {one["player"]: one for one in found}
    assert by[players[3]] == {"player": players[3], "rating": 990, "deviation": 1, "certain": True}
    assert by[new.player]["rating"] == 1500 and not by[new.player]["certain"]
    assert by[ann.player]["rating"] == 1612
    rapid = (await guest.asks("strengths", players=[ann.player]))["strengths"]
    assert [one["rating"] for one in rapid] == [1500], "untimed is another speed"
    assert (await guest.asks("strengths", players=players, variant="shogi"))["code"] == "unknown_variant"
