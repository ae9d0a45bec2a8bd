"""Seats: whether players of one address may sit together, on any servers; and which of these games are rated."""

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any

import pytest

from fourfold.engine.decisions import Decision
from fourfold.engine.match import evolve
from fourfold.engine.match.events import Created, Seated
from fourfold.engine.match.terms import Terms
from fourfold.server.lobby.seating import Seating
from fourfold.server.storage import records
from tests.conftest import some
from tests.server.conftest import Dial, Wire, each_moves_twice

Bot = Callable[[int], Awaitable[Wire]]


@pytest.fixture
async def servers(start: Callable[..., Awaitable[str]]) -> tuple[str, str]:
    """Two servers behind a proxy."""
    return await start(trust_proxy=1), await start(trust_proxy=1)


@pytest.fixture
async def bot(servers: tuple[str, str], dial: Dial) -> Bot:
    """A bot with an account of its own connects to one server or the other, from an address with this ending."""
    came = 0

    async def come(address: int) -> Wire:
        nonlocal came
        owner = await dial(at=servers[0])
        registered = await owner.asks("register", name=f"Owner {secrets.randbelow(10**9)}")
        assert registered["type"] != "error", registered
        granted = await owner.asks("grant", scope="bot", name=f"Deep {secrets.randbelow(10**9)}")
        came += 1
        wire = await dial(
            at=servers[came % 2], token=granted["token"], headers={"X-Forwarded-For": f"192.0.2.{address}"}
        )
        assert wire.player.startswith("bot:")
        return wire

    return come


async def table(dial: Dial, at: str, **fields: Any) -> tuple[Wire, str]:
    """An open table, and the player who opened it."""
    host = await dial(at=at)
    return host, (await host.asks("create", **({"variant": "ffa"} | fields)))["room"]


@pytest.mark.slow
async def test_one_of_two_bots_sits(servers: tuple[str, str], dial: Dial, bot: Bot) -> None:
    _, room = await table(dial, servers[0])
    one, two, other = await bot(1), await bot(1), await bot(2)
    assert (await one.asks("join", room=room, seat="red"))["type"] == "joined"
    assert (await one.asks("join", room=room))["seat"] == "red", "again"
    refused = await two.asks("join", room=room)
    assert (refused["code"], refused["kind"]) == ("same_address", "refused") and refused["message"].endswith(".")
    assert (await two.asks("join", room=room, seat="green"))["code"] == "same_address"
    assert (await other.asks("join", room=room))["type"] == "joined"
    assert (await one.asks("leave", room=room))["type"] == "ok"
    assert (await two.asks("join", room=room))["type"] == "joined", "the other has left"


async def test_of_two_who_come_at_once_one_sits(servers: tuple[str, str], dial: Dial, bot: Bot) -> None:
    _, room = await table(dial, servers[0])
    bots = [await bot(1) for _ in range(4)]
    for wire in bots:
        assert (await wire.asks("watch", room=room))["type"] == "room"
    answers = await asyncio.gather(*(wire.asks("join", room=room) for wire in bots))
    assert sorted(answer.get("code", "") for answer in answers) == ["", *["same_address"] * 3]


@pytest.mark.parametrize("fields", some(1, {"variant": "teams"}, {"rated": False}, {"variant": "standard"}))
async def test_both_sit_where_they_gain_nothing(
    servers: tuple[str, str], dial: Dial, bot: Bot, fields: dict[str, Any]
) -> None:
    _, room = await table(dial, servers[0], **fields)
    for wire in (await bot(1), await bot(1)):
        assert (await wire.asks("join", room=room))["type"] == "joined"


@pytest.mark.slow
async def test_people_and_guests_sit_with_whom_they_like(servers: tuple[str, str], dial: Dial, bot: Bot) -> None:
    _, room = await table(dial, servers[0])
    headers = {"X-Forwarded-For": "192.0.2.1"}
    guests = [await dial(at=at, bot=True, headers=headers) for at in servers]
    for wire in (await bot(1), await dial(at=servers[1], headers=headers), *guests):
        assert (await wire.asks("join", room=room))["type"] == "joined"


@pytest.mark.slow
async def test_those_who_seek_do_not_meet(servers: tuple[str, str], bot: Bot) -> None:
    rooms = [(await (await bot(1)).asks("seek", variant="ffa"))["room"] for _ in range(2)]
    assert rooms[0] != rooms[1]


def test_a_mark_is_kept_in_the_log_and_not_printed() -> None:
    seated = Seated(1, "bot:x", "X", "abc")
    assert "abc" not in repr(seated)
    assert records.unpack(1, 0, records.pack("bot:x", "key", (seated,))).events == (seated,)


@pytest.mark.parametrize(
    ("variant", "terms", "player", "origin", "marked", "apart"),
    [
        ("ffa", Terms(), "bot:mine", "192.0.2.1", True, True),
        ("survivor", Terms(), "bot:mine", "192.0.2.1", True, True),
        ("ffa", Terms(), "ann", "192.0.2.1", True, True),
        ("teams", Terms(), "ann", "192.0.2.1", True, True),
        ("ffa", Terms(same_address=True), "ann", "192.0.2.1", True, False),
        ("ffa", Terms(same_address=True), "bot:mine", "192.0.2.1", True, True),
        ("ffa", Terms(), "bot:guest", "192.0.2.1", True, False),
        ("ffa", Terms(), "bot:mine", "", False, True),
        ("ffa", Terms(), "bot:level3:abc", "192.0.2.1", False, False),
        ("ffa", Terms(rated=False), "bot:mine", "192.0.2.1", True, False),
        ("teams", Terms(), "bot:mine", "192.0.2.1", True, False),
        ("standard", Terms(), "ann", "192.0.2.1", True, False),
    ],
)
def test_a_seat_has_a_mark_and_accounts_sit_apart_at_rated_tables_of_more_than_two(
    variant: str, terms: Terms, player: str, origin: str, marked: bool, apart: bool
) -> None:
    state = evolve(None, Decision(1, 1, "", "", (Created(variant, None, "public", "h", terms=terms),)))
    seating = Seating(b"secret", lambda player: player in ("ann", "bot:mine"))
    rooms: list[Any] = [SimpleNamespace(id=id, state=state) for id in ("room", "room", "other")]
    commands = [seating.command(room, player, "Name", None, seating.digest(origin)) for room in rooms]
    marks = [command.mark for command in commands]
    assert [bool(mark) for mark in marks] == [marked] * 3
    assert [command.apart for command in commands] == [apart] * 3
    assert len(set(marks)) == (2 if marked else 1), "a mark is for one room"
    assert not origin or origin not in repr(marks)


async def account(dial: Dial, at: str, address: str) -> Wire:
    """An account, from an address."""
    wire = await dial(at=at, headers={"X-Forwarded-For": address})
    assert (await wire.asks("register", name=f"Person {secrets.randbelow(10**9)}"))["type"] == "account"
    return wire


async def test_of_three_accounts_of_one_address_one_sits_at_a_rated_table(servers: tuple[str, str], dial: Dial) -> None:
    _, room = await table(dial, servers[0])
    people = [await account(dial, servers[number % 2], "192.0.2.1") for number in range(3)]
    answers = [(await wire.asks("join", room=room)).get("code") for wire in people]
    assert answers == [None, "same_address", "same_address"]


@pytest.mark.parametrize(
    ("setting", "pool", "other", "unrated"),
    some(
        1,
        (False, None, "192.0.2.1", "same_address"),
        (False, None, "192.0.2.2", None),
        (True, None, "192.0.2.1", None),
        (False, "chess-club-7", "192.0.2.1", None),
    ),
)
async def test_a_game_of_one_address_is_rated_in_a_pool_or_by_the_setting(
    start: Callable[..., Awaitable[str]], dial: Dial, setting: bool, pool: str | None, other: str, unrated: str | None
) -> None:
    at = await start(trust_proxy=1, same_address_rated=setting)
    ann, bob = await account(dial, at, "192.0.2.1"), await account(dial, at, other)
    if pool is None:
        room = (await ann.asks("create", variant="standard"))["room"]
        seats = {(await one.asks("join", room=room))["seat"]: one for one in (ann, bob)}
    else:
        joined = [await one.asks("seek", variant="standard", pool=pool) for one in (ann, bob)]
        room = joined[0]["room"]
        seats = {one["seat"]: wire for one, wire in zip(joined, (ann, bob), strict=True)}
    await each_moves_twice([seats["white"], seats["black"]], room)
    await ann.asks("resign", room=room, key="r")
    ended = await bob.seen(lambda one: one["type"] == "update" and one["events"][-1]["type"] == "finished")
    assert ended["events"][-1]["result"]["unrated"] == unrated
    (game,) = (await bob.asks("games", room=room))["games"]
    assert (game["unrated"] or None) == unrated  # empty once the game is archived and rated


@pytest.mark.slow
async def test_a_guest_who_was_sent_away_does_not_come_back_with_a_new_token(
    servers: tuple[str, str], dial: Dial
) -> None:
    host, room = await table(dial, servers[0])
    here = {"X-Forwarded-For": "192.0.2.1"}
    await (await dial(at=servers[1], headers=here)).asks("join", room=room, seat="red")
    assert (await host.asks("kick", room=room, seat="red"))["type"] == "ok"
    assert (await (await dial(at=servers[1], headers=here)).asks("join", room=room))["code"] == "kicked"
    other = await dial(at=servers[1], headers={"X-Forwarded-For": "192.0.2.2"})
    assert (await other.asks("join", room=room))["type"] == "joined"
