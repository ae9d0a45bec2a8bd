"""Moderators over the socket: their orders apply on every server at once, and a banned client finds no way in."""

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus
from websockets.typing import Subprotocol

from fourfold.protocol.errors import SUBPROTOCOL_JSON
from fourfold.server.players import orders
from fourfold.server.sessions import inbound
from fourfold.server.storage.event_log import LogUnavailable
from tests.conftest import HANG, archive_of
from tests.server.conftest import APART, Dial, Wire, appointed
from tests.server.transport.test_pictures import get

Start = Callable[..., Awaitable[str]]


@pytest.fixture
def name(request: pytest.FixtureRequest) -> str:
    """A name that no other test uses: the tests share an archive."""
    return f"O{abs(hash(request.node.name)) % 10**9}"


async def registered(wire: Wire, name: str) -> dict[str, Any]:
    account = await wire.asks("register", name=name)
    assert account["type"] == "account", account
    wire.token = account["token"]
    return account


@pytest.fixture
async def servers(start: Start, name: str) -> tuple[str, str]:
    """Two servers that share a store, and trust the client's report of its address, as from a proxy."""
    return await start(trust_proxy=1), await start(trust_proxy=1)


@pytest.fixture
async def admin(servers: tuple[str, str], dial: Dial, name: str, common_url: str) -> Wire:
    wire = await dial(at=servers[0])
    await registered(wire, name)
    await appointed(archive_of(common_url), wire.player)
    return wire


async def does(wire: Wire, act: str, target: str = "", **more: Any) -> None:
    reply = await wire.asks("moderate", act=act, target=target, **more)
    assert reply["type"] == "ok", reply


async def everywhere(admin: Wire, *others: Wire) -> None:
    """Wait until the servers of other connections know this admin's orders. Orders arrive in order, so a server knows
    them once it passes on an announcement that came after."""
    text = secrets.token_hex(8)
    await does(admin, "announce", text=text)
    for wire in others:
        await wire.seen(lambda frame: frame["type"] == "announced" and frame["text"] == text)


@pytest.mark.slow
async def test_a_ban_holds_elsewhere_before_anything_that_is_told_after_it(
    servers: tuple[str, str], admin: Wire, dial: Dial
) -> None:
    """However late a busy machine is, the ban is in force at another server before it handles any later message."""
    eve, bob = await dial(at=servers[1]), await dial(at=servers[1])
    await does(admin, "ban", eve.player)
    await everywhere(admin, bob)
    assert (await (await dial(at=servers[1], hello=False)).asks("hello", token=eve.token))["code"] == "banned"
    assert (await eve.closed())[0] == 4004


@pytest.mark.slow
async def test_a_ban_ends_connections_to_the_other_server_and_refuses_new_ones(
    servers: tuple[str, str], admin: Wire, dial: Dial, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing else is sent after the ban."""
    monkeypatch.setattr(inbound, "HELLO", HANG)  # the bystander says nothing before the ban
    eve, bystander = await dial(at=servers[1]), await dial(at=servers[1], hello=False)
    await does(admin, "ban", eve.player, seconds=60)
    await eve.closed()
    assert (await bystander.asks("hello", token=eve.token))["code"] == "banned"


async def test_a_ban_closes_every_connection_and_every_way_in(
    servers: tuple[str, str], admin: Wire, dial: Dial, name: str, start: Start
) -> None:
    here, there = servers
    eve = await dial(at=there)
    before = eve.token
    account = await registered(eve, f"{name}eve")
    play = await eve.asks("grant", scope="play", name="Program")
    bot = await eve.asks("grant", scope="bot", name=f"{name}bot")
    phone = await dial(at=here, token=(await eve.asks("login", code=account["code"]))["token"])
    playing, robot = await dial(at=there, token=play["token"]), await dial(at=here, token=bot["token"])
    room = (await eve.asks("create"))["room"]
    await eve.asks("join", room=room)
    await does(admin, "ban", f"{name}EVE", why="Insults", seconds=3600)
    for wire in (eve, phone, playing, robot):
        code, reason = await wire.closed()
        assert code == 4004 and "until" in reason and reason.endswith("Insults.")
    later = await start(trust_proxy=1)
    for at in (here, there, later):
        for token in (account["token"], before, play["token"], bot["token"], phone.token):
            wire = await dial(at=at, hello=False)
            refused = await wire.asks("hello", token=token)
            assert refused["code"] in ("banned", "bad_token"), refused
            if refused["code"] == "banned":
                assert 3_500_000 < refused["retry"] <= 3_600_000 + APART and "Insults" in refused["message"]
                assert (await wire.closed())[0] == 4004
    wire = await dial(at=later, hello=False)
    for type, fields in (("watch", {"room": room}), ("join", {"room": room}), ("rooms", {})):
        assert (await wire.asks(type, **fields))["code"] == "hello_first"
    guest = await dial(at=there)
    assert (await guest.asks("login", code=account["code"]))["code"] == "banned"


@pytest.mark.slow
async def test_a_ban_is_lifted_and_ends_by_itself(
    servers: tuple[str, str], admin: Wire, dial: Dial, name: str
) -> None:
    eve = await dial(at=servers[1])
    token = (await registered(eve, f"{name}eve"))["token"]
    await does(admin, "ban", eve.player)
    await eve.closed()
    (order,) = [one for one in (await admin.asks("moderation"))["orders"] if one["target"] == eve.player]
    assert (order["kind"], order["name"], order["by"], order["until"]) == ("ban", f"{name}eve", name, None)
    await does(admin, "lift", order["order"], why="a mistake")
    assert (await admin.asks("moderate", act="lift", target=order["order"]))["code"] == "no_such_order"
    again = await dial(at=servers[0], token=token)
    assert again.player == eve.player
    bob = await dial(at=servers[1])
    await does(admin, "ban", eve.player, seconds=5)
    await again.closed()
    await everywhere(admin, bob)
    answer = await (await dial(at=servers[1], hello=False)).asks("hello", token=token)
    assert answer["code"] == "banned" and 0 < answer["retry"] <= 5000 + APART
    async with asyncio.timeout(240):
        while answer["type"] != "welcome":
            await asyncio.sleep(answer["retry"] / 1000)
            answer = await (await dial(at=servers[1], hello=False)).asks("hello", token=token)
    acts = [(one["action"], one["why"]) for one in (await admin.asks("moderation"))["acts"]]
    assert [act for act in acts if act[0] != "announce"][:3] == [("ban", ""), ("lift ban", "a mistake"), ("ban", "")]


async def test_a_ban_is_called_lifted_only_once_the_store_has_taken_that(
    servers: tuple[str, str], admin: Wire, dial: Dial, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else it would hold on other servers, if this one ended before it could send the change."""
    eve = await dial(at=servers[1])
    await does(admin, "ban", eve.player)
    (order,) = (await admin.asks("moderation"))["orders"]
    lift = {"type": "moderate", "act": "lift", "target": order["order"]}

    async def fail(*_: object) -> None:
        raise LogUnavailable("The store is full.")

    with monkeypatch.context() as patch:
        patch.setattr(orders, "publish", fail)
        for _ in range(2):
            assert (await admin.asks(**lift))["code"] == "unavailable"
    await admin.asks_until(lambda reply: reply.get("code") != "unavailable", **lift)
    await admin.refused("no_such_order", **lift)
    assert (await dial(at=servers[1], token=eve.token)).player == eve.player


async def came(at: str, address: str, path: str = "/ws") -> int:
    """The HTTP status of a connection from an address."""
    try:
        async with connect(
            f"{at.replace('http', 'ws')}{path}",
            subprotocols=[Subprotocol(SUBPROTOCOL_JSON)],
            additional_headers={"X-Forwarded-For": address},
        ):
            return 101
    except InvalidStatus as error:
        return error.response.status_code


@pytest.mark.slow
async def test_nobody_comes_from_a_banned_network_not_even_for_the_page(
    servers: tuple[str, str], admin: Wire, dial: Dial, name: str
) -> None:
    there = servers[1]
    bob = await dial(at=there)
    async with connect(
        f"{there.replace('http', 'ws')}/ws",
        subprotocols=[Subprotocol(SUBPROTOCOL_JSON)],
        additional_headers={"X-Forwarded-For": "203.0.113.77"},
    ) as guest:
        await guest.send('{"type":"hello"}')
        await guest.recv()
        await does(admin, "ban", "203.0.113.0/24", why="Spam")
        async with asyncio.timeout(240):
            await guest.wait_closed()
        assert guest.close_code == 4004
    for at in servers:
        assert await came(at, "203.0.113.5") == 403
        assert await came(at, "203.0.113.5", "/") == 403
        assert await came(at, "198.51.100.1") == 101
    await does(admin, "ban", "2001:db8:1:2:3::4")
    await everywhere(admin, bob)
    assert await came(there, "2001:db8:1:2::9") == 403, "the 64-bit network of one customer"
    assert await came(there, "2001:db8:1:3::9") == 101
    for target in ("127.0.0.1", "0.0.0.0/0", "2000::/8"):
        assert (await admin.asks("moderate", act="ban", target=target))["code"] == "bad_target"
    for order in (await admin.asks("moderation"))["orders"]:
        await does(admin, "lift", order["order"])


async def test_who_is_muted_and_what_is_not_said(
    servers: tuple[str, str], admin: Wire, dial: Dial, name: str
) -> None:
    eve, bob = await dial(at=servers[1]), await dial(at=servers[0])
    room = (await bob.asks("create"))["room"]
    for wire in (eve, bob):
        await wire.asks("watch", room=room)
    await does(admin, "mute", eve.player, why="Insults", seconds=60)
    await everywhere(admin, eve)
    refused = await eve.asks("say", room=room, text="Hello")
    assert refused["code"] == "muted" and "Insults" in refused["message"] and 0 < refused["retry"] <= 60_000 + APART
    assert (await eve.asks("react", room=room, reaction="hello"))["code"] == refused["code"]
    assert (await bob.asks("say", room=room, text="Hello"))["type"] == "ok"
    await does(admin, "word", "gnrf")
    await everywhere(admin, eve)
    for text in ("you GNRF", "Gnrf!", "a gnrf"):
        assert (await bob.asks("say", room=room, text=text))["code"] == "unwanted_word"
    assert "gnrf" not in (await (await dial(at=servers[1], hello=False)).asks("hello", name="gnrf"))["name"]
    assert (await bob.asks("register", name="gnrf"))["code"] == "bad_name"
    await does(admin, "silence", why="for the night")
    assert (await bob.asks("say", room=room, text="Hello"))["code"] == "chat_closed"
    for order in (await admin.asks("moderation"))["orders"]:
        await does(admin, "lift", order["order"])
    assert (await bob.asks("say", room=room, text="the gnrf"))["type"] == "ok"


async def test_rooms_are_locked_seats_freed_and_rooms_closed(
    servers: tuple[str, str], admin: Wire, dial: Dial
) -> None:
    host, eve, bob = await dial(at=servers[1]), await dial(at=servers[1]), await dial(at=servers[0])
    room = (await host.asks("create", variant="ffa"))["room"]
    await eve.asks("join", room=room, seat="blue")
    await does(admin, "kick", room, text="blue")
    await eve.seen(lambda frame: frame["type"] == "update" and frame["events"][0]["type"] == "unseated")
    assert (await eve.asks("join", room=room))["code"] == "kicked"
    await does(admin, "lock", room, why="an inspection")
    assert (await bob.asks("watch", room=room))["code"] == "room_locked"
    for form in ("svg", "png"):
        assert (await get(servers[0], f"/r/{room}.{form}"))[0].status == 403
    await everywhere(admin, host)
    assert (await host.asks("watch", room=room))["type"] == "room"
    await does(admin, "close", room)
    assert (await admin.asks("moderate", act="close", target=room))["code"] == "game_over"
    assert (await admin.asks("moderate", act="lock", target="nowhere2"))["code"] == "no_such_room"


@pytest.mark.slow
async def test_an_order_about_nobody_is_refused(servers: tuple[str, str], admin: Wire) -> None:
    for act in ("ban", "mute"):
        refused = await admin.asks("moderate", act=act, target="Nobody of this name")
        assert refused["code"] == "no_such_player" and "id" in refused["message"]
    assert "Nobody" not in str((await admin.asks("moderation"))["orders"])


async def test_who_may_do_what(servers: tuple[str, str], admin: Wire, dial: Dial, name: str) -> None:
    guest, ann = await dial(at=servers[1]), await dial(at=servers[1])
    await registered(ann, f"{name}ann")
    for wire in (guest, ann):
        assert (await wire.asks("moderate", act="silence"))["code"] == "not_moderator"
        assert (await wire.asks("moderation"))["code"] == "not_moderator"
        assert (await wire.asks("settle", report="x"))["code"] == "not_moderator"
    await does(admin, "appoint", f"{name}ann", text="moderator")
    assert (await ann.asks("account"))["role"] == "moderator"
    assert (await ann.asks("moderation"))["role"] == "moderator"
    assert (await ann.asks("moderate", act="appoint", target=guest.player, text="admin"))["code"] == "not_moderator"
    assert (await ann.asks("moderate", act="ban", target=name))["code"] == "outranked"
    assert (await ann.asks("moderate", act="ban", target=ann.player))["code"] == "outranked"
    assert (await admin.asks("moderate", act="ban", target=name))["code"] == "bad_target"
    play = await ann.asks("grant", scope="play", name="Program")
    moderates = await ann.asks("grant", scope="moderate", name="Program")
    program = await dial(at=servers[0], token=play["token"])
    assert (await program.asks("moderation"))["code"] == "out_of_scope"
    program = await dial(at=servers[0], token=moderates["token"])
    await does(program, "mute", guest.player, seconds=5)
    assert (await program.asks("rename", name="Other"))["code"] == "out_of_scope"
    await does(admin, "appoint", f"{name}ann", text="")
    assert (await program.asks("moderation"))["code"] == "not_moderator"


async def test_a_report_has_the_last_lines_and_moves_and_is_settled(
    servers: tuple[str, str], admin: Wire, dial: Dial, name: str
) -> None:
    ann, eve = await dial(at=servers[1], name="Ann"), await dial(at=servers[0], name="Eve")
    room = (await ann.asks("create"))["room"]
    await ann.asks("join", room=room, seat="white")
    await eve.asks("join", room=room, seat="black")
    turn = await ann.seen(lambda frame: frame["type"] == "turn")
    await ann.asks("move", room=room, move="e2e4", seq=turn["seq"], key="1")
    await eve.asks("say", room=room, text="You patzer!")
    await ann.seen(lambda frame: frame["type"] == "said")
    assert (await ann.asks("report", room=room, player="nobody", why="x"))["code"] == "not_here"
    assert (await ann.asks("report", room=room, player=eve.player, why="Insults"))["type"] == "ok"
    (report,) = [one for one in (await admin.asks("moderation"))["reports"] if one["room"] == room]
    assert (report["player"], report["name"], report["by"], report["why"]) == (
        eve.player, "Eve", ann.player, "Insults",
    )  # fmt: skip
    assert report["lines"] == ["Eve: You patzer!"] and report["moves"] == ["e2e4"]
    assert (await admin.asks("settle", report=report["report"], outcome="warned"))["type"] == "ok"
    assert (await admin.asks("settle", report=report["report"]))["code"] == "no_such_report"
    assert room not in str((await admin.asks("moderation"))["reports"])


async def test_everybody_hears_an_announcement_and_a_renamed_account_is_renamed(
    servers: tuple[str, str], admin: Wire, dial: Dial, name: str
) -> None:
    ann = await dial(at=servers[1])
    token = (await registered(ann, f"{name}ann"))["token"]
    await does(admin, "announce", text="Noon restart.")
    assert (await ann.seen(lambda frame: frame["type"] == "announced"))["text"] == "Noon restart."
    await does(admin, "rename", ann.player, text=f"{name}bea", why="the name")
    async with asyncio.timeout(240):
        while (await (await dial(at=servers[1], hello=False)).asks("hello", token=token))["name"] != f"{name}bea":
            pass  # that server has not been notified yet
    assert (await admin.asks("moderate", act="announce", text=" "))["code"] == "nothing_said"
    assert (await admin.asks("moderate", act="rename", target="nobody", text="x"))["code"] == "no_such_player"


@pytest.mark.slow
async def test_known_bans_hold_while_the_database_is_away(
    servers: tuple[str, str], admin: Wire, dial: Dial, name: str, start: Start
) -> None:
    eve = await dial(at=servers[1])
    token = (await registered(eve, f"{name}eve"))["token"]
    await does(admin, "ban", eve.player)
    away = await start(database_url="postgresql://nobody@127.0.0.1:9/none")
    assert (await (await dial(at=away, hello=False)).asks("hello", token=token))["code"] == "banned"
    there = await dial(at=away, token=admin.token)
    assert (await there.asks("moderate", act="ban", target="nobody"))["code"] == "unavailable"
