"""Accounts over the socket: a guest registers during a game, signs in elsewhere, and signs devices out."""

import secrets
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from fourfold.server.players.members import Roll
from tests.server.conftest import Dial, Wire

Start = Callable[..., Awaitable[str]]


def session_of(account: dict[str, Any]) -> str:
    """The session of this device."""
    session: str = next(one["session"] for one in account["sessions"] if one["here"])
    return session


async def registered(wire: Wire, name: str, **more: Any) -> dict[str, Any]:
    account = await wire.asks("register", name=name, **more)
    assert account["type"] == "account", account
    wire.token = account["token"]
    return account


@pytest.fixture
def name(request: pytest.FixtureRequest) -> str:
    """A name that no other test uses: the tests share an archive."""
    return f"T{abs(hash(request.node.name)) % 10**9}"


async def test_a_guest_becomes_an_account_in_mid_game_and_plays_on(dial: Dial, elsewhere: str, name: str) -> None:
    ann, bob = await dial(name="Ann"), await dial(name="Bob")
    room = (await ann.asks("create"))["room"]
    await ann.asks("join", room=room, seat="white")
    await bob.asks("join", room=room, seat="black")
    account = await registered(ann, name, device="Firefox on Linux")
    assert (account["player"], account["name"], account["recovery"]) == (ann.player, name, True)
    assert [(one["device"], one["here"]) for one in account["sessions"]] == [("Firefox on Linux", True)]
    started = await ann.seen(lambda frame: frame["type"] == "turn")
    assert (await ann.asks("move", room=room, move="e2e4", seq=started["seq"], key="1"))["type"] == "ok"
    again = await dial(at=elsewhere, token=account["token"])
    assert again.player == ann.player
    assert (await again.asks("join", room=room))["seat"] == "white"


async def test_signing_in_by_code_and_signing_the_first_device_out(dial: Dial, elsewhere: str, name: str) -> None:
    first, guest = await dial(name="Ann"), await dial(name="Phone", at=elsewhere)
    account = await registered(first, name)
    written = account["code"].upper().replace("-", " ")
    signed = await guest.asks("login", code=written, device="Phone")
    assert (signed["player"], signed["name"]) == (first.player, name)
    second = await dial(token=signed["token"], at=elsewhere)
    assert second.player == first.player
    sessions = (await second.asks("account"))["sessions"]
    other = next(one["session"] for one in sessions if not one["here"])
    assert (await second.asks("revoke", session=other))["type"] == "ok"
    assert await first.closed() == (4003, "this device was signed out")
    refused = await (await dial(hello=False)).asks("hello", token=account["token"])
    assert refused["code"] == "bad_token" and "signed out" in refused["message"]
    assert [one["here"] for one in (await second.asks("account"))["sessions"]] == [True]
    assert (await second.asks("revoke", session=other))["code"] == "no_such_session"


async def test_signing_oneself_out_is_answered_and_ends_the_connection(dial: Dial, name: str) -> None:
    wire = await dial()
    account = await registered(wire, name)
    assert (await wire.asks("revoke", session=account["sessions"][0]["session"]))["type"] == "ok"
    assert (await wire.closed())[0] == 4003


async def test_sessions_that_are_signed_out_stay_so_after_a_restart(start: Start, dial: Dial, name: str) -> None:
    wire = await dial()
    account = await registered(wire, name)
    await wire.asks("revoke", session=account["sessions"][0]["session"])
    later = await start()
    refused = await (await dial(at=later, hello=False)).asks("hello", token=account["token"])
    assert refused["code"] == "bad_token"


async def test_the_guests_token_is_void_at_once(dial: Dial, name: str) -> None:
    """A copy of it opens the account to nobody: neither on a new connection, nor on an open one."""
    wire = await dial()
    guests = wire.token
    copy = await dial(token=guests)
    account = await registered(wire, name)
    assert (await (await dial(hello=False)).asks("hello", token=guests))["code"] == "bad_token"
    assert (await copy.asks("register", name=name))["code"] == "has_account"
    assert (await (await dial()).asks("login", code=account["code"]))["player"] == wire.player


async def test_a_registration_is_repeated_after_a_lost_answer(dial: Dial, elsewhere: str, name: str) -> None:
    """The connection ends after the deed: the client never sees the answer, and has the guest's token and the key."""
    key = secrets.token_urlsafe(16)
    guest = await dial()
    token = guest.token
    lost = await registered(guest, name, device="Here", key=key)
    await guest.end()
    again = await dial(hello=False, at=elsewhere)
    welcome = await again.asks("hello", token=token, key=key)
    assert (welcome["player"], welcome["name"], welcome["account"]) == (guest.player, name, True)
    for _ in range(2):
        account = await again.asks("register", name=name, device="Here", key=key)
        assert account["type"] == "account" and account["code"] == lost["code"]
        assert [(one["device"], one["here"]) for one in account["sessions"]] == [("Here", True)]
        assert (await dial(token=account["token"])).player == guest.player
    assert (await (await dial()).asks("login", code=account["code"]))["player"] == guest.player


async def test_only_the_key_of_the_registration_opens_the_account(dial: Dial, elsewhere: str, name: str) -> None:
    guest, copy = await dial(), await dial()
    await copy.end()
    token = guest.token
    copies = [await dial(token=token) for _ in range(2)]
    far = await dial(token=token, at=elsewhere)
    key, other = secrets.token_urlsafe(16), secrets.token_urlsafe(16)
    account = await registered(guest, name, key=key)
    for fields in ({"token": token, "key": other}, {"token": token}, {"token": copy.token[:-1] + "?", "key": key}):
        wire = await dial(hello=False)
        assert (await wire.asks("hello", **fields))["code"] == "bad_token"
    assert (await copies[0].asks("register", name=name, key=other))["code"] == "has_account"
    stranger = await dial(token=copy.token, key=key)
    assert stranger.player == copy.player, "the key of another guest is ignored"
    assert (await stranger.asks("register", name=name, key=key))["code"] == "name_taken"
    for wire in (copies[1], far):
        again = await wire.asks("register", name=name, key=key)
        assert (again["code"], session_of(again)) == (account["code"], session_of(account))
    await guest.asks("revoke", session=session_of(account))
    await guest.closed()
    refused = await (await dial(hello=False)).asks("hello", token=token, key=key)
    assert refused["code"] == "bad_token", "a device that is signed out stays so"


async def test_a_code_that_was_replaced_is_not_repeated(dial: Dial, name: str) -> None:
    key = secrets.token_urlsafe(16)
    ann = await dial()
    first = await registered(ann, name, key=key)
    second = (await ann.asks("recovery"))["code"]
    again = await ann.asks("register", name=name, key=key)
    assert "code" not in again and again["token"]
    assert (await (await dial()).asks("login", code=first["code"]))["code"] == "wrong_code"
    assert (await (await dial()).asks("login", code=second))["player"] == ann.player


async def test_nobody_takes_a_name_that_looks_the_same(dial: Dial, elsewhere: str, name: str) -> None:
    ann, other = await dial(), await dial(at=elsewhere)
    await registered(ann, name)
    assert (await other.asks("register", name=name.lower()))["code"] == "name_taken"
    assert (await other.asks("register", name="Level 5"))["code"] == "bad_name"
    guest = await (await dial(hello=False)).asks("hello", name=name)
    assert guest["name"] == f"{name} (guest)"


async def test_a_new_name_is_the_names_of_all_devices(dial: Dial, name: str) -> None:
    ann = await dial()
    account = await registered(ann, name)
    phone = (await ann.asks("login", code=account["code"]))["token"]
    renamed = await ann.asks("rename", name=f"{name} new")
    assert renamed["name"] == f"{name} new" and renamed["token"] != account["token"]
    welcome = await (await dial(hello=False)).asks("hello", token=phone, name="Somebody")
    assert welcome["name"] == f"{name} new"


async def test_a_new_code_replaces_the_one_before(dial: Dial, name: str) -> None:
    ann = await dial()
    before = (await registered(ann, name))["code"]
    after = (await ann.asks("recovery"))["code"]
    assert (await ann.asks("login", code=before))["code"] == "wrong_code"
    assert (await ann.asks("login", code=after))["player"] == ann.player


async def test_what_a_guest_and_a_bot_cannot_ask(dial: Dial, name: str) -> None:
    guest, bot = await dial(), await dial(bot=True)
    for type, fields in (("account", {}), ("recovery", {}), ("rename", {"name": name}), ("revoke", {"session": "x"})):
        assert (await guest.asks(type, **fields))["code"] == "no_account"
    assert (await bot.asks("register", name=name))["code"] == "is_bot"
    assert (await guest.asks("passkey", to="make"))["code"] == "no_passkeys"
    assert (await guest.asks("register", name=name, passkey="{}"))["code"] == "no_ceremony"
    assert (await guest.asks("login", passkey="{}"))["code"] == "no_ceremony"
    assert (await guest.asks("login"))["code"] == "wrong_code"
    await registered(guest, name)
    assert (await guest.asks("register", name=name))["code"] == "has_account"


async def test_a_server_without_accounts_and_one_that_makes_none(start: Start, dial: Dial, name: str) -> None:
    here = await dial()
    account = await registered(here, name)
    off, closed = await start(accounts="off"), await start(accounts="closed")
    refused = await (await dial(at=off, hello=False)).asks("hello", token=account["token"])
    assert refused["code"] == "bad_token"
    guest = await dial(at=off)
    assert (await guest.asks("register", name="Bob"))["code"] == "accounts_off"
    assert (await guest.asks("account"))["code"] == "accounts_off"
    guest = await dial(at=closed)
    assert (await guest.asks("register", name="Bob"))["code"] == "accounts_closed"
    assert (await guest.asks("login", code=account["code"]))["player"] == here.player


async def test_a_database_that_is_away_touches_nobody_who_plays(start: Start, dial: Dial, name: str) -> None:
    here = await dial()
    token = (await registered(here, name))["token"]
    away = await start(database_url="postgresql://nobody@127.0.0.1:9/none")
    ann = await dial(at=away, token=token)
    assert ann.player == here.player
    room = (await ann.asks("create"))["room"]
    assert (await ann.asks("join", room=room))["type"] == "joined"
    assert (await ann.asks("account"))["code"] == "unavailable"


async def test_a_bot_belongs_to_a_person_and_says_that_it_is_one(dial: Dial, elsewhere: str, name: str) -> None:
    ann, bob = await dial(), await dial()
    await registered(ann, name)
    assert (await bob.asks("grant", scope="bot", name=f"{name} bot"))["code"] == "no_account"
    granted = await ann.asks("grant", scope="bot", name=f"{name} robot")
    assert granted["player"].startswith("bot:") and granted["name"] == f"{name} robot"
    bot = await dial(token=granted["token"], name="Level 5", at=elsewhere)  # which may not have been notified yet
    room = (await bob.asks("create"))["room"]
    await bob.asks("watch", room=room)
    await bob.seq((await bot.asks("join", room=room))["seq"])
    seat = (await bob.asks("watch", room=room))["seats"][0]
    assert (seat["player"], seat["name"], seat["bot"]) == (granted["player"], f"{name} robot", True)
    for type, fields in (("rename", {"name": "Free"}), ("recovery", {}), ("grant", {"scope": "play", "name": "x"})):
        assert (await bot.asks(type, **fields))["code"] == "out_of_scope"
    again = await ann.asks("grant", scope="bot", name=f"{name} ROBOT")
    assert (again["player"], again["name"]) == (granted["player"], f"{name} robot")
    listed = [one for one in (await ann.asks("account"))["sessions"] if one["scope"] == "bot"]
    assert [one["device"] for one in listed] == [f"{name} robot"] * 2
    for one in listed:
        assert (await ann.asks("revoke", session=one["session"]))["type"] == "ok"
    assert (await bot.closed())[0] == 4003
    refused = await (await dial(hello=False)).asks("hello", token=granted["token"])
    assert refused["code"] == "bad_token"
    assert (await bob.asks("register", name=f"{name} robot"))["code"] == "name_taken"


async def test_a_token_to_play_is_its_owner_and_does_not_change_the_account(dial: Dial, name: str) -> None:
    ann = await dial()
    account = await registered(ann, name)
    granted = await ann.asks("grant", scope="play", name="Script")
    script = await dial(token=granted["token"])
    assert script.player == ann.player and script.token == granted["token"]
    own = account["sessions"][0]["session"]
    assert (await script.asks("revoke", session=own))["code"] == "out_of_scope"
    room = (await script.asks("create"))["room"]
    assert (await script.asks("join", room=room))["type"] == "joined"
    assert (await ann.asks("join", room=room))["seat"] == "white", "it is the same player"


async def test_preferences_are_kept_with_the_account(
    dial: Dial, elsewhere: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = await dial(name="Ann")
    assert (await ann.asks("preferences"))["code"] == "no_account"
    account = await registered(ann, name)
    empty = await ann.asks("preferences")
    assert (empty["type"], empty.get("board")) == ("preferences", None)
    assert (await ann.asks("preferences", board="walnut", pieces="letters"))["board"] == "walnut"
    assert (await ann.asks("preferences", board="sea"))["pieces"] == "letters", "the others stay"
    again = await dial(at=elsewhere, token=account["token"])
    with monkeypatch.context() as patch:
        patch.setattr(Roll, "has", lambda *_: False)  # that server has not heard of the account yet
        kept = await again.asks("preferences")
    assert (kept["board"], kept["pieces"], kept.get("sounds")) == ("sea", "letters", None)
    assert (await ann.asks("preferences", board="No such name!"))["type"] == "error"
    bot = await dial(token=(await ann.asks("grant", scope="play", name="A program"))["token"])
    assert (await bot.asks("preferences", board="moss"))["code"] == "out_of_scope"
