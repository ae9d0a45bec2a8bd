"""The store records the players of an address: rarely, for a day, and under a digest."""

import asyncio

from redis.asyncio import Redis

from fourfold.server.lobby.neighbours import KEPT, OFTEN, Neighbours
from fourfold.server.storage.event_log import LogUnavailable
from tests.conftest import HANG


class Store:
    """A store that may be away, command by command."""

    def __init__(self, client: Redis) -> None:
        self._client = client
        self.written = 0
        self.away = False

    async def execute(self, _key: str, *command: str | bytes | int) -> object:
        if self.away:
            self.away = False
            raise LogUnavailable("away")
        self.written += command[0] == "EVAL"
        return await self._client.execute_command(*command)


async def rooms_of(player: str) -> list[str]:
    return [f"room of {player}"]


async def noted(neighbours: Neighbours) -> None:
    """Wait until the store has all sightings."""
    async with asyncio.timeout(HANG):
        while neighbours._pending:  # noqa: ASYNC110 - some turns of the event loop
            await asyncio.sleep(0.001)


async def test_the_players_of_an_address(clean_store_url: str) -> None:
    now = 1_000_000_000
    async with Redis.from_url(clean_store_url) as client:
        store = Store(client)
        one, other = (Neighbours(store, rooms_of, lambda text: text[::-1], lambda: now) for _ in range(2))
        one.seen("203.0.113.7", "ann")
        assert await one.rooms("203.0.113.7") == ["room of ann"], "before the store has it"
        store.away = True
        one.open()
        for _ in range(3):
            one.seen("203.0.113.7", "ann")
            one.seen("203.0.113.7", "bot:level3:abcdefghijkl")
        one.seen("203.0.113.8", "bob")
        await noted(one)
        assert store.written == 2, "retried after an outage of the store, and once for each"
        assert await other.rooms("203.0.113.7") == ["room of ann"], "on every server"
        assert {key.decode() for key in await client.keys()} == {
            f"fourfold:{{{address[::-1]}}}:players" for address in ("203.0.113.7", "203.0.113.8")
        }
        now += OFTEN
        one.seen("203.0.113.7", "ann")
        await noted(one)
        assert store.written == 3, "a player who is still there"
        assert await one.rooms("203.0.113.7", 10_000) == ["room of ann"]
        one.seen("203.0.113.7", "eve")
        assert await one.rooms("203.0.113.7", 10_000) == ["room of ann"], "from the cache"
        now += 10_001
        assert sorted(await one.rooms("203.0.113.7", 10_000)) == ["room of ann", "room of eve"]
        await noted(one)
        await client.zrem("fourfold:{7.311.0.302}:players", "eve")
        now += KEPT - 10_002
        assert await other.rooms("203.0.113.7") == ["room of ann"]
        now += 2
        assert await other.rooms("203.0.113.7") == []
        one.seen("203.0.113.7", "bob")
        await noted(one)
        assert await client.zcard("fourfold:{7.311.0.302}:players") == 1, "no address's set grows without limit"
        assert 0 < await client.pttl("fourfold:{7.311.0.302}:players") <= KEPT
        await one.close()


async def test_where_addresses_are_left_out_none_is_noted(clean_store_url: str) -> None:
    async with Redis.from_url(clean_store_url) as client:
        neighbours = Neighbours(Store(client), rooms_of, lambda text: text, lambda: 1, kept=False)
        neighbours.open()
        neighbours.seen("203.0.113.7", "ann")
        assert await neighbours.rooms("203.0.113.7") == []
        assert await client.keys() == []
        await neighbours.close()
