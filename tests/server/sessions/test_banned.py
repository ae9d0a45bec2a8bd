"""A banned client of unknown make finds no way in. It knows the protocol's pages, and a WebSocket."""

import asyncio
import json
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from fourfold.server.players.orders import HELD
from tests.server.conftest import Dial, Wire, client
from tests.server.sessions.test_moderation import Start, admin, does, name, registered, servers

__all__ = ["admin", "name", "servers"]

AWAY = "198.51.100.9"


class Stranger:
    """A client that tries to come in: on a fresh socket each time, from an address that a proxy reports, its `home` if
    no other. The tests share a store: each has its own home."""

    def __init__(self, home: str) -> None:
        self._home = home

    async def tries(self, at: str, *requests: dict[str, Any], token: str | None = None, address: str = "") -> Any:
        """Say hello, then send all requests at once; returns the first error, or the last reply."""
        greeting = {"type": "hello", "id": 0} | ({} if token is None else {"token": token})
        replies: dict[int, dict[str, Any]] = {}
        async with asyncio.timeout(240), connect(
            f"{at.replace('http', 'ws')}/ws",
            subprotocols=[Subprotocol("fourfold.v1+json")],
            open_timeout=60,
            additional_headers={"X-Forwarded-For": address or self._home},
        ) as socket:
            for number, request in enumerate((greeting, *requests)):
                await socket.send(json.dumps(request | {"id": number}))
            try:
                while len(replies) <= len(requests):
                    frame = json.loads(await socket.recv())
                    if isinstance(frame.get("id"), int):
                        replies[frame["id"]] = frame
                        if frame["type"] == "error":
                            break
            except ConnectionClosed:
                assert replies, "the refusal comes before the close"
        return replies[max(replies)]


def is_banned(reply: dict[str, Any]) -> None:
    assert reply["type"] == "error" and reply["code"] == "banned", reply
    assert "until" in reply["message"] and 0 < reply["retry"] <= 3_605_000  # an hour, by clocks that differ a little


async def test_a_banned_account_finds_no_way_in(
    servers: tuple[str, str], admin: Wire, dial: Dial, name: str, start: Start, common_url: str
) -> None:
    here, there = servers
    eve, stranger = await dial(at=there), Stranger("203.0.113.7")
    account = await registered(eve, f"{name}eve")
    play = await eve.asks("grant", scope="play", name="Program")
    bot = await eve.asks("grant", scope="bot", name=f"{name}bot")
    room = (await eve.asks("create"))["room"]
    seated = await eve.asks("join", room=room)
    begun = asyncio.create_task(eve.closed())
    guest = await stranger.tries(there, address=AWAY)
    assert guest["type"] == "welcome"
    assert (await stranger.tries(here, token=account["token"]))["type"] == "welcome"

    await does(admin, "ban", f"{name}eve", why="Insults", seconds=3600)
    async with asyncio.timeout(240):  # a second, on an idle machine
        for at in servers:
            while (await stranger.tries(at, token=account["token"], address=AWAY))["type"] == "welcome":
                pass
    assert (await begun)[0] == 4004
    await stranger.tries(here, token=account["token"])  # from home: the server remembers that

    resumed = {"type": "watch", "room": room, "since": 0}
    ways: dict[str, tuple[str | None, list[dict[str, Any]]]] = {
        "the same token": (account["token"], []),
        "an access token": (play["token"], []),
        "a bot's token": (bot["token"], []),
        "a session that is resumed": (account["token"], [resumed]),
        "a new guest": (None, []),
        "a new guest who watches": (None, [resumed]),
        "a new guest with the recovery code": (None, [{"type": "login", "code": account["code"], "device": "x"}]),
        "a guest's token": (guest["token"], []),
    }

    async def no_way(at: str) -> None:
        for way, (token, requests) in ways.items():
            reply = await stranger.tries(at, *requests, token=token)
            assert reply.get("code") == "banned", (way, reply)
            is_banned(reply)

    async with asyncio.timeout(240):  # another server learns the addresses of banned players a moment later
        while (await stranger.tries(there))["type"] == "welcome":
            pass
    for at in (here, there, await start(trust_proxy=1)):
        await no_way(at)
    code = {"type": "login", "code": account["code"], "device": "x"}
    is_banned(await stranger.tries(there, code, address="192.0.2.1"))
    with client(common_url) as store:
        store.delete(HELD)
    later = await start(trust_proxy=1)
    async with asyncio.timeout(240):  # what the store has lost, the database has
        while (await stranger.tries(later, token=account["token"]))["type"] == "welcome":
            pass
    await no_way(later)
    assert seated["seat"]
    # others from the same address, with an account, can play
    ann = await dial(at=here)
    token = (await registered(ann, f"{name}ann"))["token"]
    assert (await stranger.tries(there, resumed, token=token))["type"] == "ok"


@pytest.mark.slow
async def test_a_banned_guest_is_no_new_guest_until_the_ban_is_lifted(
    servers: tuple[str, str], admin: Wire
) -> None:
    here, there = servers
    stranger = Stranger("203.0.113.8")
    first = await stranger.tries(there)
    await does(admin, "ban", first["player"], seconds=3600)
    async with asyncio.timeout(240):
        while (await stranger.tries(there, token=first["token"]))["type"] == "welcome":
            pass
    for at in servers:
        async with asyncio.timeout(240):
            while (await stranger.tries(at))["type"] == "welcome":
                pass
        is_banned(await stranger.tries(at))
    (order,) = [one for one in (await admin.asks("moderation"))["orders"] if one["target"] == first["player"]]
    await does(admin, "lift", order["order"])
    assert (await stranger.tries(here))["type"] == "welcome"


@pytest.mark.slow
@pytest.mark.parametrize("origin", ["198.51.100.209", "2001:db8:5::77"])
async def test_the_address_stands_in_no_reply(servers: tuple[str, str], admin: Wire, origin: str) -> None:
    stranger = Stranger(origin)
    first = await stranger.tries(servers[0])
    await does(admin, "ban", first["player"], seconds=3600)
    assert (await stranger.tries(servers[0], token=first["token"]))["code"] == "banned"
    assert (await stranger.tries(servers[0]))["code"] == "banned"
    found = await admin.asks("moderation")
    assert "198.51.100.2" not in json.dumps(found) and "2001:db8:5" not in json.dumps(found)
    for order in found["orders"]:
        await does(admin, "lift", order["order"])


@pytest.mark.slow
async def test_a_muted_player_finds_no_way_to_talk(
    servers: tuple[str, str], admin: Wire, dial: Dial, name: str
) -> None:
    """Not as a new guest, not by a bot made for it, and not through the texts of refusals."""
    here, there = servers
    eve, bob = await dial(at=here), await dial(at=here, name="Bob")
    account = await registered(eve, f"{name}eve")
    old = await eve.asks("grant", scope="bot", name=f"{name}old")
    room = (await bob.asks("create"))["room"]
    await bob.asks("watch", room=room)
    stranger = Stranger("192.0.2.7")
    say = ({"type": "watch", "room": room}, {"type": "say", "room": room, "text": "You patzer!"})
    assert (await stranger.tries(here, *say, token=account["token"]))["type"] == "ok"
    assert (await stranger.tries(here, *say))["type"] == "ok", "a guest, before the mute"
    await does(admin, "mute", f"{name}eve", why="Insults", seconds=3600)
    for token in (account["token"], old["token"]):
        refused = await stranger.tries(here, *say, token=token)
        assert refused["code"] == "muted" and "Insults" in refused["message"]
    guest = await stranger.tries(here, *say)
    assert guest["code"] == "muted" and "Sign in" in guest["message"] and "Insults" not in guest["message"]
    async with asyncio.timeout(240):
        while (await stranger.tries(there, *say))["type"] == "ok":
            pass  # that server has not been notified yet
    rename = {"type": "rename", "name": f"{name}patzer"}
    assert (await stranger.tries(here, rename, token=account["token"]))["code"] == "muted"
    bot = {"type": "grant", "scope": "bot", "name": f"{name}new"}
    assert (await stranger.tries(here, bot, token=account["token"]))["code"] == "muted"
    async with asyncio.timeout(240):
        while eve.player not in {one["player"] for one in (await bob.asks("people"))["people"]}:
            pass  # the server has not counted her yet
    made = await bob.asks("challenge", player=eve.player)
    words = {"challenge": made["challenge"], "accept": False, "reason": "later"}
    assert (await eve.asks("answer", **words, text="You patzer!"))["code"] == "muted"
    assert (await eve.asks("answer", **words))["status"] == "declined"
    for order in (await admin.asks("moderation"))["orders"]:
        await does(admin, "lift", order["order"])
    assert (await stranger.tries(here, *say))["type"] == "ok"
    await does(admin, "word", "gnrf")
    made = await bob.asks("challenge", player=eve.player)
    refused = await eve.asks("answer", challenge=made["challenge"], accept=False, reason="later", text="you GNRF")
    assert refused["code"] == "unwanted_word"
    for order in (await admin.asks("moderation"))["orders"]:
        await does(admin, "lift", order["order"])
