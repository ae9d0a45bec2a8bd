"""Rooms that not everybody may enter, over real sockets and on two nodes."""

import re
from typing import Any

import pytest
from redis import Redis

from fourfold.server.bots import dispatch as summons

Dial = Any  # see conftest
WORD = "open sesame"


async def locked(dial: Dial, **fields: Any) -> tuple[Any, str]:
    """A room with a password, and its host."""
    host = await dial(name="Host")
    created = await host.asks("create", visibility="private", password=WORD, **fields)
    assert created["type"] == "created"
    return host, created["room"]


async def test_a_private_rooms_id_cannot_be_guessed(dial: Dial) -> None:
    wire = await dial()
    assert re.fullmatch("[2-9a-z]{8}", (await wire.asks("create"))["room"])
    assert re.fullmatch("[2-9a-z]{16}", (await wire.asks("create", visibility="private"))["room"])


async def test_whoever_has_the_link_enters_a_private_room_without_password(dial: Dial) -> None:
    room = (await (await dial()).asks("create", visibility="private"))["room"]
    snapshot = await (await dial()).asks("watch", room=room)
    assert (snapshot["visibility"], snapshot["locked"]) == ("private", False)


@pytest.mark.parametrize("request_", ["join", "watch"])
async def test_a_password_is_asked_and_checked(dial: Dial, elsewhere: str, request_: str) -> None:
    _, room = await locked(dial)
    stranger = await dial(at=elsewhere)
    without = await stranger.asks(request_, room=room)
    assert (without["kind"], without["code"]) == ("refused", "password_needed")
    wrong = await stranger.asks(request_, room=room, password=WORD + "!")
    assert (wrong["code"], "seq" in wrong) == ("wrong_password", False)
    right = await stranger.asks(request_, room=room, password=WORD)
    assert right["type"] == {"join": "joined", "watch": "room"}[request_]
    snapshot = await stranger.seen(lambda frame: frame["type"] == "room")
    assert (snapshot["visibility"], snapshot["locked"]) == ("private", True)


@pytest.mark.parametrize(
    ("request_", "fields"),
    [
        ("watch", {"since": 1}),
        ("legal", {}),
        ("leave", {}),
        ("resign", {"key": "k"}),
        ("move", {"move": "e2e4", "seq": 1, "key": "k"}),
    ],
)
async def test_nothing_of_it_is_told_without(dial: Dial, request_: str, fields: dict[str, Any]) -> None:
    _, room = await locked(dial)
    stranger = await dial()
    reply = await stranger.asks(request_, room=room, **fields)
    assert (reply["code"], "seq" in reply) == ("password_needed", False)


async def test_the_host_and_the_seated_need_none_on_any_node(dial: Dial, elsewhere: str) -> None:
    host, room = await locked(dial)
    player = await dial()
    assert (await player.asks("join", room=room, password=WORD))["type"] == "joined"
    for token in (host.token, player.token):
        again = await dial(at=elsewhere, token=token)
        assert (await again.asks("watch", room=room))["type"] == "room"
    left = await player.asks("leave", room=room)  # the seat is free again, and so is he
    await again.seq(left["seq"])  # as is known elsewhere too
    back = await dial(at=elsewhere, token=player.token)
    assert (await back.asks("watch", room=room))["code"] == "password_needed"


async def test_guessing_is_slowed_down(dial: Dial) -> None:
    host, room = await locked(dial)
    stranger = await dial()
    for n in range(5):
        assert (await stranger.asks("watch", room=room, password=str(n)))["code"] == "wrong_password"
    refused = await (await dial()).asks("watch", room=room, password=WORD)  # another connection is no other address
    assert (refused["code"], 0 < refused["retry"] <= 60_000) == ("too_fast", True)
    assert (await host.asks("watch", room=room))["type"] == "room"


async def test_the_password_itself_is_kept_nowhere(dial: Dial, embedded_url: str) -> None:
    _, room = await locked(dial)
    with Redis.from_url(embedded_url) as store:
        (entry,) = store.xrange(f"fourfold:{{{room}}}:log")  # type: ignore[misc]
    assert WORD.encode() not in repr(entry).encode()
    watcher = await dial()
    snapshot = await watcher.asks("watch", room=room, password=WORD)
    assert "scrypt" not in repr(snapshot)


async def test_a_bot_that_was_called_needs_none(dial: Dial, embedded_url: str) -> None:
    with Redis.from_url(embedded_url) as store:
        key = summons.key_of(store.get("fourfold:secret"))  # type: ignore[arg-type]
    bots = await dial(bot=True)
    await bots.asks("serve", key=key)
    host, room = await locked(dial)
    await host.asks("bot", room=room, level=1)
    summon = await bots.seen(lambda frame: frame["type"] == "summon" and frame["room"] == room)
    bot = await dial(token=summon["token"])
    assert (await bot.asks("join", room=room, seat=summon["seat"]))["type"] == "joined"
    left = await bot.asks("leave", room=room)
    assert left["type"] == "ok"
    assert (await bot.asks("watch", room=room))["code"] == "password_needed"  # the invitation is used up


@pytest.mark.parametrize("request_", ["join", "watch"])
async def test_a_bot_of_ones_own_needs_it_though_bots_are_invited(dial: Dial, elsewhere: str, request_: str) -> None:
    host, room = await locked(dial)
    await host.asks("bot", room=room, level=1)
    for bot in (await dial(bot=True), await dial(bot=True, name="Level 1", at=elsewhere)):
        assert (await bot.asks(request_, room=room))["code"] == "password_needed"
    assert (await bot.asks(request_, room=room, password=WORD))["type"] != "error"
