"""Access to closed rooms: over real sockets on two nodes, and in one session alone."""

import json
import re
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest
from redis import Redis

from fourfold.engine.decisions import Decision, refused
from fourfold.engine.match import State, evolve
from fourfold.engine.match.events import Created
from fourfold.engine.match.state import Seat
from fourfold.engine.match.terms import Terms
from fourfold.protocol.codec import JSON
from fourfold.protocol.errors import CloseCode
from fourfold.protocol.from_client import Watch
from fourfold.server.bots import dispatch as summons
from fourfold.server.limits.refused import RequestRefused
from fourfold.server.metrics import Metrics
from fourfold.server.players.accounts import AccountRefused
from fourfold.server.players.identity import Player
from fourfold.server.sessions.session import MAX_STRIKES, MOST_FOLLOWED, REASON, Session

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
    left = await player.asks("leave", room=room)  # the seat is free again, and so is the player
    await again.seq(left["seq"])  # other servers know that too
    back = await dial(at=elsewhere, token=player.token)
    assert (await back.asks("watch", room=room))["code"] == "password_needed"


async def test_guessing_is_slowed_down(dial: Dial) -> None:
    host, room = await locked(dial)
    stranger = await dial()
    for n in range(5):
        assert (await stranger.asks("watch", room=room, password=str(n)))["code"] == "wrong_password"
    refused = await (await dial()).asks("watch", room=room, password=WORD)  # another connection from the same address
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
    """The conversation with a player, on a server that has one room in this state."""
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


class Closed:
    """The other end of a connection: records the close codes and the frames."""

    page, round_trip, gone = "", 0, False

    def __init__(self, address: str = "192.0.2.1") -> None:
        self.address = address
        self.codes: list[int] = []
        self.sent: list[Any] = []

    def close(self, code: int, reason: str) -> None:
        assert len(reason.encode()) <= REASON
        self.codes.append(code)

    def send(self, data: bytes) -> None:
        self.sent.append(json.loads(data[2:] if data[1] < 126 else data[4:]))


class Notes:
    """Stands in for any service: records the called methods."""

    def __init__(self, calls: list[str], name: str) -> None:
        self._calls, self._name = calls, name

    def __getattr__(self, method: str) -> Any:
        return lambda *_: self._calls.append(f"{self._name}.{method}")


def conversation(peer: Any, **services: Any) -> tuple[Session, list[str]]:
    """A session with a player, and its calls to other services."""
    calls: list[str] = []
    names = ("lobby", "bots", "online", "analysts", "accounts")
    noted = {name: Notes(calls, name) for name in names}
    own = {
        "admission": SimpleNamespace(counts=lambda address: address != "127.0.0.1"),
        "metrics": Metrics(),
        "moderation": SimpleNamespace(enter=lambda _: None),
    }
    session = Session(peer, JSON, cast(Any, SimpleNamespace(**(noted | own | services))))
    session.player = Player("ann", "Ann", "", "ann")
    return session, calls


@pytest.mark.interpreted
def test_the_connection_is_closed_at_the_last_strike() -> None:
    peer = Closed()
    session, _ = conversation(peer)
    for _ in range(MAX_STRIKES - 1):
        session.strike()
    assert peer.codes == []
    session.strike()
    assert peer.codes == [CloseCode.POLICY]


@pytest.mark.interpreted
def test_the_reason_of_a_ban_fits_into_a_close_frame() -> None:
    peer = Closed()
    session, _ = conversation(peer)
    session.banish("ü" * REASON)
    session.sign_out()
    assert peer.codes == [CloseCode.BANNED, CloseCode.SIGNED_OUT]


@pytest.mark.interpreted
@pytest.mark.parametrize("address", ["192.0.2.1", "127.0.0.1"], ids=["anywhere", "this machine"])
def test_a_connection_follows_so_many_rooms_and_studies_and_no_more(address: str) -> None:
    session, _ = conversation(Closed(address))
    for number in range(MOST_FOLLOWED):
        session.may_follow("another")
        followed: dict[str, Any] = session.studies if number % 2 else session.followed  # type: ignore[assignment]
        followed[str(number)] = object()
    session.may_follow("0")
    session.may_follow("1")
    if address == "127.0.0.1":
        session.may_follow("another")
        return
    with pytest.raises(RequestRefused) as refusal:
        session.may_follow("another")
    assert refusal.value.rejection.code == "too_many_rooms_followed"


@pytest.mark.interpreted
async def test_a_room_that_is_followed_is_at_hand_until_it_is_gone() -> None:
    state = replace(LOCKED, host="ann")
    here, anew = (SimpleNamespace(id="room", state=state, gone=False) for _ in range(2))

    async def find(_: str) -> Any:
        return anew

    session, _ = conversation(Closed(), rooms=SimpleNamespace(find=find))
    session.followed["room"] = cast(Any, here)
    assert await session.room(Watch(room="room")) is cast(Any, here)
    here.gone = True
    assert await session.room(Watch(room="room")) is cast(Any, anew)


@pytest.mark.interpreted
async def test_a_locked_room_is_entered_by_those_alone_who_belong_to_it() -> None:
    def enter(_: str) -> None:
        raise AccountRefused("room_locked", "This room is locked.", 5)

    async def find(_: str) -> Any:
        return SimpleNamespace(id="room", state=state, gone=False)

    session, _ = conversation(Closed(), rooms=SimpleNamespace(find=find), moderation=SimpleNamespace(enter=enter))
    state = replace(LOCKED, terms=Terms())
    with pytest.raises(RequestRefused) as refusal:
        await session.room(Watch(room="room"))
    assert (refusal.value.rejection.code, refusal.value.rejection.retry) == ("room_locked", 5)
    state = replace(state, host="ann")
    assert (await session.room(Watch(room="room"))).id == "room"


@pytest.mark.interpreted
def test_a_refusal_says_which_version_of_the_room_the_player_may_know() -> None:
    peer = Closed()
    session, _ = conversation(peer)
    session.refuse(refused("stale", "Look again."), Watch(room="room", id=3))
    feed = SimpleNamespace(shown_to=lambda _: SimpleNamespace(seq=9))
    session.followed["room"] = cast(Any, SimpleNamespace(feed=feed))
    session.refuse(refused("stale", "Look again.", 500), Watch(room="room", id=4))
    session.answer(Watch(room="room", id=5), cast(Any, SimpleNamespace(id="room")), 10)
    assert [(one["id"], one["type"], one.get("seq"), one.get("retry")) for one in peer.sent] == [
        (3, "error", None, None),
        (4, "error", 9, 500),
        (5, "ok", 10, None),
    ]
    assert session.services.metrics.errors == {"stale": 2}


@pytest.mark.interpreted
@pytest.mark.parametrize("known", [True, False], ids=["a player", "before hello"])
def test_who_has_gone_follows_nothing_and_is_nowhere(known: bool) -> None:
    session, calls = conversation(Closed())
    if not known:
        session.player = None
    session.followed["room"] = cast(Any, Notes(calls, "room"))
    session.studies["study"] = cast(Any, Notes(calls, "study"))
    session.end()
    own = {"accounts.leave", "online.unfollow", "online.go"} if known else set()
    others = {"lobby.unfollow", "bots.unregister", "online.unhost", "analysts.unregister", "analysts.end"}
    assert set(calls) == own | others | {"room.leave", "study.leave"}
    assert (session.gone, session.followed, session.studies) == (True, {}, {})
