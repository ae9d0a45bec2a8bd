"""A seek with computers at the other seats: it begins at once, and people take the seats over."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from fourfold.server.lobby import matchmaking

Dial = Any  # see conftest
Wire = Any


@pytest.fixture
def common_url(every_clean_url: str) -> str:
    return every_clean_url


async def filling(host: Wire, dial: Dial, room: str) -> list[Wire]:
    """The bots that the host is called for, seated."""
    bots: list[Wire] = []
    while len(bots) < 3:
        await host.seen(lambda _: len(summons(host, room)) > len(bots))
        call = summons(host, room)[len(bots)]
        bot = await dial(token=call["token"], bot=True)
        assert (await bot.asks("join", room=room, seat=call["seat"]))["type"] == "joined"
        bots.append(bot)
    return bots


def summons(host: Wire, room: str) -> list[dict[str, Any]]:
    return [frame for frame in host.frames if frame["type"] == "summon" and frame["room"] == room]


async def seek(wire: Wire) -> dict[str, Any]:
    reply: dict[str, Any] = await wire.asks("seek", variant="survivor", fill=3)
    assert reply["type"] == "joined", reply
    return reply


async def test_the_game_begins_with_computers_and_people_take_them_over(
    host: Callable[[], Awaitable[Wire]], dial: Dial, elsewhere: str
) -> None:
    bots, ann = await host(), await dial(name="Ann")
    first = await seek(ann)
    room = first["room"]
    seated = await filling(bots, dial, room)
    await ann.seen(lambda f: f["type"] == "update" and {"type": "started"} in f["events"])
    bo = await dial(name="Bo", at=elsewhere)
    second = await seek(bo)
    assert second["room"] == room, "people meet in the young game"
    assert second["seat"] != first["seat"]
    told = await ann.seen(
        lambda f: f["type"] == "update" and any(e["type"] == "seated" and e["player"] == bo.player for e in f["events"])
    )
    assert told["events"] == [{"type": "seated", "seat": second["seat"], "player": bo.player, "name": "Bo"}]
    snapshot = await bo.seen(lambda f: f["type"] == "room" and f["room"] == room)
    assert (snapshot["fill"], snapshot["rated"], snapshot["status"]) == (3, False, "playing")
    others = {seat["player"] for seat in snapshot["seats"]}
    assert len(others & {bot.player for bot in seated}) == 2, "a computer has left its seat"


@pytest.mark.interpreted
async def test_a_later_seeker_gets_a_table_of_their_own(
    host: Callable[[], Awaitable[Wire]], dial: Dial, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fourfold.engine.match.state.YOUNG", 0)  # the game is old at once
    bots, ann, bo = await host(), await dial(name="Ann"), await dial(name="Bo")
    room = (await seek(ann))["room"]
    await filling(bots, dial, room)
    await ann.seen(lambda f: f["type"] == "update" and {"type": "started"} in f["events"])
    assert (await seek(bo))["room"] != room


async def test_a_range_does_not_go_with_computers(dial: Dial) -> None:
    ann = await dial(name="Ann")
    refused = await ann.asks("seek", variant="survivor", fill=3, range=100)
    assert (refused["type"], refused["code"]) == ("error", "no_rating")


async def test_seekers_of_other_games_are_not_sent_there(dial: Dial) -> None:
    ann, bo = await dial(name="Ann"), await dial(name="Bo")
    room = (await seek(ann))["room"]
    assert (await bo.asks("seek", variant="survivor"))["room"] != room
    assert matchmaking.game_of("survivor", None, fill=3) != matchmaking.game_of("survivor", None, rated=False)
