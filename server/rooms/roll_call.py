"""Which players of a room are here now, on any node, proved by the answer to a ping.

An open connection proves little: one whose network is gone looks the same for half a minute. So every node pings those
of the players that are connected to it, and tells which have answered, and from which address.
"""

import asyncio
import contextlib
import secrets
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from fourfold.server.rooms import node_messages
from fourfold.server.rooms.fanout import Follower
from fourfold.server.storage.event_log import EventLog, LogUnavailable

WITHIN: Final = 2.0
"""Seconds in which a player has to answer."""


class _Call:
    """The answers to one roll call."""

    def __init__(self) -> None:
        self.present: dict[str, str] = {}
        self.answered = asyncio.Event()


class RollCall:
    """Calls the roll of a room, and answers the calls of other nodes."""

    __slots__ = ("_calls", "_do", "_log", "_room")

    def __init__(self, room: str, log: EventLog, do: Callable[..., None]) -> None:
        """`do` runs a task of the room."""
        self._room = room
        self._log = log
        self._do = do
        self._calls: dict[str, _Call] = {}

    async def call(self, players: Iterable[str]) -> Mapping[str, str]:
        """Which of some players are here now, and from which address each. Raises `LogUnavailable`."""
        wanted, number = set(players), secrets.token_hex(6)
        call = self._calls[number] = _Call()
        try:
            await self._log.tell(self._room, node_messages.write(node_messages.Roll(number, sorted(wanted))))
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(WITHIN):
                    while wanted - call.present.keys():
                        call.answered.clear()
                        await call.answered.wait()
        finally:
            del self._calls[number]
        return call.present

    def hear(self, roll: node_messages.Roll, followers: Iterable[Follower]) -> None:
        """A node, perhaps this one, calls the roll: ping those of `followers` whom it names."""
        for follower in followers:
            if follower.player_id in roll.players:
                self._do(self._answer(roll.number, follower))

    async def _answer(self, number: str, follower: Follower) -> None:
        if await follower.answers(WITHIN):
            present = node_messages.Present(number, follower.player_id, follower.origin)
            with contextlib.suppress(LogUnavailable):  # then the call can't be answered
                await self._log.tell(self._room, node_messages.write(present))

    def note(self, present: node_messages.Present) -> None:
        """A player has answered, here or on another node."""
        call = self._calls.get(present.number)
        if call is not None:
            call.present[present.player] = present.origin
            call.answered.set()
