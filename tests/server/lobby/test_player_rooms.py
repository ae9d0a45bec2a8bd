"""The rooms in which a player has a game are noted in the store: when the game begins, and no more often."""

import asyncio
from collections.abc import Iterator

import pytest
from redis import Redis

from tests.server.conftest import Dial, Wire


@pytest.fixture
def store(common_url: str) -> Iterator[Redis]:
    with Redis.from_url(common_url, decode_responses=True) as store:
        yield store


async def begin(white: Wire, black: Wire) -> str:
    """The room of a game that begins."""
    room: str = (await white.asks("create"))["room"]
    await white.asks("join", room=room, seat="white")
    await black.asks("join", room=room, seat="black")
    return room


async def noted(store: Redis, player: str, room: str) -> set[str]:
    """The rooms of a player, once this one is there."""
    async with asyncio.timeout(10):
        while room not in (rooms := set(store.hkeys(f"fourfold:{{{player}}}:rooms"))):  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    return rooms


async def test_a_room_is_noted_when_a_game_begins_and_not_when_it_ends(dial: Dial, store: Redis) -> None:
    ann, bob = await dial(name="Ann"), await dial(name="Bob")
    room = await begin(ann, bob)
    for player in (ann.player, bob.player):
        await noted(store, player, room)
        assert store.pttl(f"fourfold:{{{player}}}:rooms") > 0
        store.delete(f"fourfold:{{{player}}}:rooms")
    assert (await ann.asks("resign", room=room, key="r"))["type"] == "ok"
    other = await begin(ann, bob)
    for player in (ann.player, bob.player):
        assert await noted(store, player, other) == {other}, "the end of the first game is no news"
    seq = (await ann.asks("watch", room=room))["seq"]
    assert (await ann.asks("propose", room=room, kind="rematch", seq=seq, key="p"))["type"] == "ok"
    assert (await bob.asks("vote", room=room, proposal=1, accept=True, key="v"))["type"] == "ok"
    for player in (ann.player, bob.player):
        assert await noted(store, player, room) == {other, room}, "but a rematch is a new game"
