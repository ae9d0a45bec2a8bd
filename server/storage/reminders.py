"""The rooms that a server must check, ordered by time: a sorted set in the store, which all servers share."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from redis.asyncio import Redis

from fourfold.server.storage.cluster import Cluster

REMINDERS: Final = "fourfold:alarms"
"""The sorted set of rooms by the time, in milliseconds since 1970, at which a server must check them."""

TAKE: Final = """
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local rooms = redis.call('ZRANGE', KEYS[1], '-inf', string.format('%.0f', now), 'BYSCORE', 'LIMIT', 0, ARGV[1])
local later = string.format('%.0f', now + ARGV[2])
for _, room in ipairs(rooms) do redis.call('ZADD', KEYS[1], later, room) end
return rooms
"""
"""KEYS: the reminders. ARGV: the most rooms to take, and the milliseconds to put them off. Returns the rooms."""

_CHUNK: Final = 500
"""How many reminders one command sets."""


class Reminders:
    """Sets reminders for rooms, and takes rooms whose time has come. All methods raise `LogUnavailable`."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster

    async def remind(self, times: Mapping[str, int | None], take: int = 0, lease: int = 0) -> list[str]:
        """Set reminders for rooms, and take some whose time has come: see `EventLog.remind`."""
        later = [(room, time) for room, time in times.items() if time is not None]
        done = [room for room, time in times.items() if time is None]

        async def remind(client: Redis) -> list[Any]:
            pipeline = client.pipeline(transaction=False)
            for start in range(0, len(later), _CHUNK):
                pipeline.zadd(REMINDERS, dict(later[start : start + _CHUNK]))
            for start in range(0, len(done), _CHUNK):
                pipeline.zrem(REMINDERS, *done[start : start + _CHUNK])
            if take:
                pipeline.eval(TAKE, 1, REMINDERS, take, lease)
            return await pipeline.execute()

        answers = await self._cluster.ask(REMINDERS, remind)
        return [room.decode() for room in answers[-1]] if take else []

    async def remind_first(self, rooms: Sequence[str], time: int) -> None:
        """Set reminders for rooms that have none, at a time (ms since 1970)."""
        for start in range(0, len(rooms), _CHUNK):
            times: list[str | int] = [part for room in rooms[start : start + _CHUNK] for part in (time, room)]
            await self._cluster.command(REMINDERS, "ZADD", REMINDERS, "NX", *times)
