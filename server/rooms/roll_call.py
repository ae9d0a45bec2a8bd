"""The roll of a room: which of its players are there now, on whatever node, proved by the answer to a ping.

That a connection has not ended says little: one whose network is gone looks the same for half a minute. So whoever
must not be kept waiting for somebody who is gone has the roll called. Every node pings those players who are
connected to it, and tells who has answered, and from which address.
"""

import asyncio
import contextlib
import secrets
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from fourfold.server.rooms import node_messages as talk
from fourfold.server.rooms.fanout import Follower
from fourfold.server.storage.event_log import EventLog, LogUnavailable

WITHIN: Final = 2.0
"""Seconds in which a player has to answer."""


class _Call:
    """Who has answered one call, and from where."""

    def __init__(self) -> None:
        self.present: dict[str, str] = {}
        self.answered = asyncio.Event()


class RollCall:
    """Calls the roll of a room, and has those answer who follow it here."""

    __slots__ = ("_calls", "_do", "_log", "_room")

    def __init__(self, room: str, log: EventLog, do: Callable[..., None]) -> None:
        """`do` does some work of the room's."""
        self._room = room
        self._log = log
        self._do = do
        self._calls: dict[str, _Call] = {}

    async def call(self, players: Iterable[str]) -> Mapping[str, str]:
        """Which of some players are there now, and from which address each. Raises `LogUnavailable`."""
        wanted, number = set(players), secrets.token_hex(6)
        call = self._calls[number] = _Call()
        try:
            await self._log.tell(self._room, talk.write(talk.Roll(number, sorted(wanted))))
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(WITHIN):
                    while wanted - call.present.keys():
                        call.answered.clear()
                        await call.answered.wait()
        finally:
            del self._calls[number]
        return call.present

    def hear(self, roll: talk.Roll, followers: Iterable[Follower]) -> None:
        """A node, perhaps this one, calls the roll: have those of `followers` answer whom it names."""
        for follower in followers:
            if follower.player_id in roll.players:
                self._do(self._answer(roll.number, follower))

    async def _answer(self, number: str, follower: Follower) -> None:
        if await follower.answers(WITHIN):
            with contextlib.suppress(LogUnavailable):  # then whoever asks is not told, either
                await self._log.tell(self._room, talk.write(talk.Present(number, follower.player_id, follower.origin)))

    def note(self, present: talk.Present) -> None:
        """Somebody has answered."""
        call = self._calls.get(present.number)
        if call is not None:
            call.present[present.player] = present.origin
            call.answered.set()
