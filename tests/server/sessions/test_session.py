"""Who may enter a room that not everybody may: over real sockets on two nodes, and one session alone."""

import re
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from redis import Redis

from fourfold.engine.match import State, evolve
from fourfold.engine.match.events import Created, Decision
from fourfold.engine.match.state import Seat
from fourfold.engine.match.terms import Terms
from fourfold.protocol.codec import JSON
from fourfold.protocol.from_client import Watch
from fourfold.server.bots import dispatch as summons
from fourfold.server.limits.refused import RequestRefused
from fourfold.server.players.identity import Player
from fourfold.server.sessions.session import Session

Dial = Any  # see conftest
WORD = "open sesame"
LOCKED = evolve(None, Decision(1, 1, "", "", (Created("standard", None, "private", "host", terms=Terms(lock="x")),)))


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


class PasswordAsked(Exception):
    """The password would be checked."""


def session_of(player: str, state: State) -> Session:
    """The conversation with a player, at a server that has one room in this state."""
    room = SimpleNamespace(id="room", state=state, gone=False)

    async def find(_: str) -> Any:
        return room

    async def unlock(*_: Any) -> None:
        raise PasswordAsked

    services: Any = SimpleNamespace(
        rooms=SimpleNamespace(find=find),
        moderation=SimpleNamespace(enter=lambda _: None),
        passwords=SimpleNamespace(unlock=unlock),
    )
    peer: Any = SimpleNamespace(address="192.0.2.1")
    session = Session(peer, JSON, services)
    session.player = Player(player, "Name", "", player)
    return session


@pytest.mark.interpreted
@pytest.mark.parametrize(
    ("player", "belongs"),
    [
        ("host", True),
        ("seated", True),
        ("stand-in", True),
        ("bot:level3:called", True),
        ("bot:level2:uncalled", False),
        ("bot:level3", False),
        ("stranger", False),
    ],
)
async def test_the_host_the_seated_and_bots_of_the_called_level_need_no_password(player: str, belongs: bool) -> None:
    seats = Seat("seated", "S", stand_in="stand-in", stand_in_name="I"), Seat(invited=3)
    entering = session_of(player, replace(LOCKED, seats=seats)).room(Watch(room="room", password="guess"))
    if belongs:
        assert (await entering).id == "room"
    else:
        with pytest.raises(PasswordAsked):
            await entering


@pytest.mark.interpreted
async def test_a_bot_of_a_level_needs_the_password_where_no_bot_is_called() -> None:
    session = session_of("bot:level3:called", replace(LOCKED, seats=(Seat("seated", "S"), Seat())))
    with pytest.raises(RequestRefused) as refusal:
        await session.room(Watch(room="room"))
    assert refusal.value.rejection.code == "password_needed"
