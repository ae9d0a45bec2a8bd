"""The store records a player's rooms when the game begins, and no more often."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from redis import Redis
from redis.asyncio import Redis as AsyncRedis

from fourfold.engine.match.commands import Archive, Create, Resign, Sit
from fourfold.engine.match.decide import NOBODY
from fourfold.server.lobby.player_rooms import PlayerRooms
from fourfold.server.replication.rejections import GONE, NEWER
from fourfold.server.rooms.registry import RoomRegistry
from fourfold.server.rooms.room import Room
from tests.server.conftest import Dial, Wire
from tests.server.memory_log import MemoryLog


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
    """The rooms of a player, once this one is among them."""
    async with asyncio.timeout(240):
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
        assert await noted(store, player, other) == {other}, "the end of the first game writes nothing"
    seq = (await ann.asks("watch", room=room))["seq"]
    assert (await ann.asks("propose", room=room, kind="rematch", seq=seq, key="p"))["type"] == "ok"
    assert (await bob.asks("vote", room=room, proposal=1, accept=True, key="v"))["type"] == "ok"
    for player in (ann.player, bob.player):
        assert await noted(store, player, room) == {other, room}, "but a rematch does"


class Commands:
    """A store, command by command."""

    def __init__(self, client: AsyncRedis) -> None:
        self._client = client

    async def execute(self, _key: str, *command: str | bytes | int) -> object:
        return await self._client.execute_command(*command)


class Unopened:
    """The store of a `PlayerRooms` that is not open."""

    async def execute(self, key: str, *command: Any) -> Any:
        raise AssertionError("it is not open")


def registry_for(rooms: PlayerRooms) -> RoomRegistry:
    log = MemoryLog(lambda: 1_000)
    return RoomRegistry(log, log.now, b"secret", notices=(rooms.notice,))


async def begun(registry: RoomRegistry) -> Room:
    """A game that has just begun."""
    room = await registry.open(registry.name("public", "ann"), Create("standard"), "ann")
    assert isinstance(room, Room)
    for player in ("ann", "bob"):
        await room.judge(Sit(player), player)
        await asyncio.sleep(0)  # the rooms' observers have their turn
    return room


async def test_a_game_that_the_store_has_not_noted_yet_is_among_a_player_s(clean_store_url: str) -> None:
    """A request right after the game began finds it, however late the store is."""
    async with AsyncRedis.from_url(clean_store_url) as client:
        player_rooms = PlayerRooms(Commands(client))  # not opened: it writes nothing to the store
        log = MemoryLog(lambda: 1_000)
        rooms = RoomRegistry(log, log.now, b"secret", notices=[player_rooms.notice])
        room = await rooms.open(rooms.name("public", "ann"), Create("standard"), "ann")
        assert isinstance(room, Room)
        for player in ("ann", "bob"):
            assert await player_rooms.of(player, 10) == []
            await room.judge(Sit(player.title()), player)
            await asyncio.sleep(0)  # the rooms' observers have their turn
        assert await player_rooms.of("ann", 10) == await player_rooms.of("bob", 10) == [room.id]
        assert await player_rooms.of("eve", 10) == []
        await rooms.close()


async def test_a_game_that_has_left_the_store_is_struck_out() -> None:
    struck: list[tuple[str, ...]] = []

    class Store:
        async def execute(self, key: str, *command: Any) -> Any:
            struck.append(command)

    rooms = PlayerRooms(Store())
    registry = registry_for(rooms)
    room = await begun(registry)
    assert rooms._pending == {("ann", room.id): 1_000, ("bob", room.id): 1_000}
    await room.judge(Resign(), "ann")
    await room.judge(Archive(room.seq), NOBODY)
    await asyncio.sleep(0)
    rooms.notice(room.change())
    assert rooms._pending == {("ann", room.id): None, ("bob", room.id): None}
    rooms.open()
    while rooms._pending:  # noqa: ASYNC110 - some turns of the event loop
        await asyncio.sleep(0)
    assert sorted(command[0] for command in struck) == ["HDEL", "HDEL"]
    await rooms.close()
    await registry.close()


@pytest.mark.parametrize("happens", ["a replica has taken over", "data was lost"])
async def test_a_game_is_noted_again_when_the_store_may_lack_it(happens: str) -> None:
    rooms = PlayerRooms(Unopened())
    registry = registry_for(rooms)
    room = await begun(registry)
    rooms._pending.clear()
    (registry.replaced if happens == "a replica has taken over" else registry.loss)()
    while not rooms._pending:  # noqa: ASYNC110 - some turns of the event loop
        await asyncio.sleep(0)
    assert rooms._pending == {("ann", room.id): 1_000, ("bob", room.id): 1_000}
    await registry.close()


async def test_a_room_that_the_store_has_lost_is_struck_out_and_one_that_can_t_be_read_stays() -> None:
    rooms = PlayerRooms(Unopened())
    registry = registry_for(rooms)
    for end, noted in ((NEWER, {}), (GONE, {"ann": None, "bob": None})):
        room = await begun(registry)
        rooms._pending.clear()
        room.writer.stop(end)
        await asyncio.sleep(0)
        assert {player: began for (player, _), began in rooms._pending.items()} == noted
    await registry.close()


async def test_the_games_of_a_pool_are_listed_for_those_who_have_its_code(dial: Dial, store: Redis) -> None:
    ann, bob, eve = await dial(name="Ann"), await dial(name="Bob"), await dial(name="Eve")
    code = "pool-of-rooms"
    assert (await eve.asks("pool", code=code))["rooms"] == []
    room = (await ann.asks("seek", pool=code))["room"]
    assert (await bob.asks("seek", pool=code))["room"] == room
    found = await eve.asks("pool", code="POOLOFROOMS")
    assert [(one["room"], one["status"]) for one in found["rooms"]] == [(room, "playing")]
    assert {seat["name"] for seat in found["rooms"][0]["seats"]} == {"Ann", "Bob"}
    assert (await eve.asks("pool", code="another-pool"))["rooms"] == []
    assert room not in [one["room"] for one in (await eve.asks("rooms", limit=100))["rooms"]]
    assert (await ann.asks("resign", room=room, key="r"))["type"] == "ok"
    assert (await eve.asks("pool", code=code))["rooms"] == []
