"""Following players: accounts follow accounts, on any server; erased players lose their followers."""

import asyncio
from typing import Any

import pytest

from fourfold.server.sessions import people
from tests.server.conftest import Dial, Wire
from tests.server.sessions.test_accounts import registered


@pytest.fixture
def name(request: pytest.FixtureRequest) -> str:
    """A name that no other test uses: the tests share an archive."""
    return f"F{abs(hash(request.node.name)) % 10**8}"


async def member(dial: Dial, name: str, **where: Any) -> Wire:
    wire = await dial(**where)
    await registered(wire, name)
    return wire


async def following(wire: Wire) -> list[tuple[str, bool]]:
    return [(one["name"], one["online"]) for one in (await wire.asks("following"))["people"]]


async def follows(wire: Wire, *expected: tuple[str, bool]) -> None:
    """Wait until a player's list has these, in this order. Players who are online elsewhere are known a moment
    later."""
    async with asyncio.timeout(240):
        while await following(wire) != list(expected):  # noqa: ASYNC110 - nothing tells of it
            await asyncio.sleep(0.05)


async def knows(wire: Wire, other: Wire) -> None:
    """Wait until a server knows of an account that was made at another."""
    async with asyncio.timeout(240):
        while (await wire.asks("strengths", players=[other.player]))["strengths"] == []:  # noqa: ASYNC110
            await asyncio.sleep(0.05)


async def test_whom_one_follows_those_first_who_are_online(dial: Dial, elsewhere: str, name: str) -> None:
    ann, bob = await member(dial, name), await member(dial, f"{name}b")
    cat = await member(dial, f"{name}c", at=elsewhere)
    assert await following(ann) == []
    await knows(ann, cat)
    assert (await ann.asks("follow", player=f"{name}C"))["type"] == "ok"
    for _ in range(2):
        assert (await ann.asks("follow", player=bob.player))["type"] == "ok"
    await follows(ann, (f"{name}b", True), (f"{name}c", True))
    assert await following(bob) == []
    room = (await cat.asks("create"))["room"]
    await cat.asks("join", room=room)
    async with asyncio.timeout(240):
        while (await ann.asks("following"))["people"][1]["room"] != room:  # noqa: ASYNC110 - nothing tells of it
            await asyncio.sleep(0.05)
    await bob.end()
    await follows(ann, (f"{name}c", True), (f"{name}b", False))
    again = await dial(at=elsewhere, token=ann.token)
    await follows(again, (f"{name}c", True), (f"{name}b", False))
    assert (await ann.asks("unfollow", player=bob.player))["type"] == "ok"
    assert await following(ann) == [(f"{name}c", True)]


async def test_guests_neither_follow_nor_are_followed(
    dial: Dial, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, guest = await member(dial, name), await dial()
    for asked in ({"type": "follow", "player": name}, {"type": "unfollow", "player": name}, {"type": "following"}):
        assert (await guest.asks(**asked))["code"] == "no_account"
    for who in (guest.player, f"{name} nobody", ann.player):
        assert (await ann.asks("follow", player=who))["code"] == "no_such_player"
    bob = await member(dial, f"{name}b")
    monkeypatch.setattr(people, "FOLLOWED", 0)
    assert (await ann.asks("follow", player=bob.player))["code"] == "too_many_followed"
    assert await following(ann) == []
