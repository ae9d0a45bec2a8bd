"""Seats: of two bots of one address only one sits where they would be partners, at whatever servers they ask."""

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any

import pytest

from fourfold.engine.match import evolve
from fourfold.engine.match.events import Created, Decision, Seated
from fourfold.engine.match.terms import Terms
from fourfold.server.lobby.seating import Seating
from fourfold.server.storage import records
from tests.server.conftest import Dial, Wire

Bot = Callable[[int], Awaitable[Wire]]


@pytest.fixture
async def servers(start: Callable[..., Awaitable[str]]) -> tuple[str, str]:
    """Two servers behind a proxy."""
    return await start(trust_proxy=1), await start(trust_proxy=1)


@pytest.fixture
async def bot(servers: tuple[str, str], dial: Dial) -> Bot:
    """A bot of an account of its own comes to one server or the other, from an address that ends so."""
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
    """A table that somebody opens, and who has opened it."""
    host = await dial(at=at)
    return host, (await host.asks("create", **({"variant": "ffa"} | fields)))["room"]


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


@pytest.mark.parametrize("fields", [{"variant": "teams"}, {"rated": False}, {"variant": "standard"}])
async def test_both_sit_where_they_gain_nothing(
    servers: tuple[str, str], dial: Dial, bot: Bot, fields: dict[str, Any]
) -> None:
    _, room = await table(dial, servers[0], **fields)
    for wire in (await bot(1), await bot(1)):
        assert (await wire.asks("join", room=room))["type"] == "joined"


async def test_people_and_guests_sit_with_whom_they_like(servers: tuple[str, str], dial: Dial, bot: Bot) -> None:
    _, room = await table(dial, servers[0])
    headers = {"X-Forwarded-For": "192.0.2.1"}
    guests = [await dial(at=at, bot=True, headers=headers) for at in servers]
    for wire in (await bot(1), await dial(at=servers[1], headers=headers), *guests):
        assert (await wire.asks("join", room=room))["type"] == "joined"


async def test_those_who_seek_do_not_meet(servers: tuple[str, str], bot: Bot) -> None:
    rooms = [(await (await bot(1)).asks("seek", variant="ffa"))["room"] for _ in range(2)]
    assert rooms[0] != rooms[1]


def test_a_mark_is_kept_in_the_log_and_not_printed() -> None:
    seated = Seated(1, "bot:x", "X", "abc")
    assert "abc" not in repr(seated)
    assert records.unpack(1, 0, records.pack("bot:x", "key", (seated,))).events == (seated,)


@pytest.mark.parametrize(
    ("variant", "rated", "player", "origin", "marked"),
    [
        ("ffa", True, "bot:mine", "192.0.2.1", True),
        ("survivor", True, "bot:mine", "192.0.2.1", True),
        ("ffa", True, "ann", "192.0.2.1", False),
        ("ffa", True, "bot:guest", "192.0.2.1", False),
        ("ffa", True, "bot:mine", "", False),
        ("ffa", False, "bot:mine", "192.0.2.1", False),
        ("teams", True, "bot:mine", "192.0.2.1", False),
        ("standard", True, "bot:mine", "192.0.2.1", False),
    ],
)
def test_a_bot_of_an_account_has_a_mark_where_two_would_be_partners(
    variant: str, rated: bool, player: str, origin: str, marked: bool
) -> None:
    state = evolve(None, Decision(1, 1, "", "", (Created(variant, None, "public", "h", terms=Terms(rated=rated)),)))
    seating = Seating(b"secret", lambda player: player != "bot:guest")
    rooms: list[Any] = [SimpleNamespace(id=id, state=state) for id in ("room", "room", "other")]
    marks = [seating.command(room, player, "Name", None, seating.digest(origin)).mark for room in rooms]
    assert [bool(mark) for mark in marks] == [marked] * 3
    assert len(set(marks)) == (2 if marked else 1), "a mark is for one room"
    assert not origin or origin not in repr(marks)
