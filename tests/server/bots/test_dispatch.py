"""Computer players called to seats: which hosts get calls, when, and who may call."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

import pytest
from redis.asyncio import Redis

from fourfold.server.bots import analysts
from fourfold.server.bots import dispatch as summons
from tests.conftest import HANG

Dial = Any  # see conftest
Wire = Any


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Checks come soon. But bots that take their time are not called twice, as the tests count the calls."""
    monkeypatch.setattr(summons, "LOOK", 0.1)
    monkeypatch.setattr(summons, "AGAIN", HANG)


@pytest.fixture
async def key(common_url: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """The key of bot hosts. The servers wait for their answers, however busy the machine."""
    monkeypatch.setattr(analysts, "PATIENCE", HANG)
    async with Redis.from_url(common_url) as client:
        return summons.key_of(await client.get("fourfold:secret"))


async def host_of(dial: Dial, key: str, **greeting: Any) -> Wire:
    host = await dial(bot=True, **greeting)
    assert (await host.asks("serve", key=key))["type"] == "ok"
    return host


async def called(host: Wire, room: str, after: int = 0) -> dict[str, Any]:
    """The host's next `summon` after its first `after` ones."""

    def of_room() -> list[dict[str, Any]]:
        return [frame for frame in host.frames if frame["type"] == "summon" and frame["room"] == room]

    await host.seen(lambda _: len(of_room()) > after)
    return of_room()[after]


async def sit(dial: Dial, summon: dict[str, Any], **greeting: Any) -> Wire:
    bot = await dial(token=summon["token"], bot=True, **greeting)
    assert (await bot.asks("join", room=summon["room"], seat=summon["seat"]))["type"] == "joined"
    return bot


async def test_only_who_has_the_key_may_serve(dial: Dial) -> None:
    wire = await dial(bot=True)
    refusal = await wire.asks("serve", key="guessed")
    assert (refusal["kind"], refusal["code"]) == ("refused", "bad_key")


async def test_an_invited_bot_is_called_and_sits_as_itself(dial: Dial, key: str) -> None:
    host, ann = await host_of(dial, key), await dial(name="Ann")
    room = (await ann.asks("create"))["room"]
    await ann.asks("join", room=room, seat="white")
    await ann.asks("bot", room=room, level=4, seat="black")
    summon = await called(host, room)
    assert (summon["seat"], summon["level"]) == ("black", 4)
    await sit(dial, summon)
    seated = await ann.seen(
        lambda f: f["type"] == "update" and any(e["type"] == "seated" and e["seat"] == "black" for e in f["events"])
    )
    event = next(event for event in seated["events"] if event["type"] == "seated")
    assert event["name"] == "Level 4"
    assert event["player"].startswith("bot:level4:")


async def test_a_host_that_comes_later_hears_of_what_waits(dial: Dial, key: str) -> None:
    ann = await dial()
    room = (await ann.asks("create"))["room"]
    await ann.asks("join", room=room)
    await ann.asks("bot", room=room, level=1)
    assert (await called(await host_of(dial, key), room))["seat"] == "black"


async def test_what_nobody_answers_is_called_again(
    dial: Dial, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(summons, "AGAIN", 0.3)
    host, ann = await host_of(dial, key), await dial()
    room = (await ann.asks("create"))["room"]
    await ann.asks("join", room=room)
    await ann.asks("bot", room=room, level=2)
    first, again = await called(host, room), await called(host, room, after=1)
    assert first["token"] != again["token"]
    await sit(dial, again)


async def test_what_no_host_here_answers_is_called_at_the_other_servers(
    dial: Dial, key: str, elsewhere: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(summons, "AGAIN", 0.3)
    silent, other = await host_of(dial, key), await host_of(dial, key, at=elsewhere)
    ann = await dial()
    room = (await ann.asks("create"))["room"]
    await ann.asks("join", room=room)
    await ann.asks("bot", room=room, level=2)
    await sit(dial, await called(other, room), at=elsewhere)
    assert await called(silent, room)


async def test_a_bot_that_is_gone_is_called_back_by_name(dial: Dial, key: str) -> None:
    host, ann = await host_of(dial, key), await dial()
    room = (await ann.asks("create"))["room"]
    await ann.asks("join", room=room)
    await ann.asks("bot", room=room, level=2)
    summon = await called(host, room)
    bot = await sit(dial, summon)
    player = bot.player
    await bot.end()
    back = await called(host, room, after=1)
    same = await sit(dial, back)
    assert same.player == player


async def test_a_table_of_bots_alone_is_left_alone(dial: Dial, key: str) -> None:
    """People miss a bot that is gone, other bots don't: called back, they would play for nobody, for ever."""
    host, ann = await host_of(dial, key), await dial()
    room = (await ann.asks("create"))["room"]
    bots = []
    for number in range(2):
        await ann.asks("bot", room=room, level=1)
        bots.append(await sit(dial, await called(host, room, after=number)))
    await bots[1].seen(lambda f: f["type"] == "room")
    await bots[0].end()
    await bots[1].seen(lambda f: f["type"] == "presence" and not f["online"])
    await asyncio.sleep(0.5)  # several checks; nothing should happen, so there is nothing to wait for
    assert len([f for f in host.frames if f["type"] == "summon" and f["room"] == room]) == 2
    await ann.asks("watch", room=room)  # now a person is there to play with
    assert (await called(host, room, after=2))["token"]


async def test_a_full_table_calls_nobody(dial: Dial, key: str) -> None:
    host, ann, bea = await host_of(dial, key), await dial(), await dial()
    room = (await ann.asks("create"))["room"]
    for player in (ann, bea):
        await player.asks("join", room=room)
    await bea.end()
    await asyncio.sleep(0.5)  # several checks; nothing should happen, so there is nothing to wait for
    assert [frame for frame in host.frames if frame["type"] == "summon"] == []


async def test_nodes_without_a_host_ask_the_others(dial: Dial, key: str, start: Callable[..., Awaitable[str]]) -> None:
    elsewhere = await start()
    host, ann = await host_of(dial, key, at=elsewhere), await dial()
    room = (await ann.asks("create", variant="survivor"))["room"]
    await ann.asks("bot", room=room, level=3, seat="green")
    summon = await called(host, room)
    await sit(dial, summon, at=elsewhere)
    assert summon["seat"] == "green"


async def test_a_server_that_loads_a_game_misses_the_bot_of_the_last(
    dial: Dial, key: str, brief: Callable[[], AbstractAsyncContextManager[str]]
) -> None:
    """Without its bot nothing changes in the game: no later change would tell the server."""
    host = await host_of(dial, key)
    async with brief() as last:
        ann = await dial(at=last)
        room = (await ann.asks("create"))["room"]
        await ann.asks("join", room=room)
        await ann.asks("bot", room=room, level=2)
        bot = await sit(dial, await called(host, room), at=last)
    again = await dial(token=ann.token)
    await again.asks("watch", room=room)
    assert (await sit(dial, await called(host, room, after=1))).player == bot.player


async def test_the_operators_key_serves_as_well(dial: Dial, start: Callable[..., Awaitable[str]]) -> None:
    other = await start(bots_key="open sesame")
    await host_of(dial, "open sesame", at=other)
