"""Which players of a room answer a ping now, on any node.

An open connection proves little: a client whose network failed looks connected for half a minute. So every node pings
its players, and reports which of them have answered, and from which address.
"""

import asyncio
import contextlib
import secrets
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from fourfold.server.replication.fanout import Follower
from fourfold.server.rooms import node_messages
from fourfold.server.storage.event_log import EventLog, LogUnavailable

WITHIN: Final = 2.0
"""Seconds within which a player has to answer."""


@dataclass(slots=True)
class _Check:
    """The answers to one check of some players."""

    players: set[str]
    alive: dict[str, str] = field(default_factory=dict)
    complete: asyncio.Event = field(default_factory=asyncio.Event)


class LivenessCheck:
    """Checks which players of a room are here, and answers the checks of other nodes."""

    __slots__ = ("_checks", "_do", "_log", "_probes", "_room")

    def __init__(self, room: str, log: EventLog, do: Callable[..., None]) -> None:
        """`do` runs a task of the room."""
        self._room = room
        self._log = log
        self._do = do
        self._checks: dict[str, _Check] = {}
        self._probes: list[tuple[float, node_messages.Probe]] = []  # the latest, with the times until which they wait

    async def check(self, players: set[str]) -> Mapping[str, str]:
        """Which of `players` (at least one) are here now, with the address of each. Raises `LogUnavailable`."""
        number = secrets.token_hex(6)
        check = self._checks[number] = _Check(players)
        try:
            await self._tell(node_messages.Probe(number, sorted(players)))
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(check.complete.wait(), WITHIN)
        finally:
            del self._checks[number]
        return check.alive

    def repeat(self) -> None:
        """Send this node's open checks again: another node has just begun to follow the room, and did not hear them. A
        player who comes back there is not gone."""
        for number, check in self._checks.items():
            self._do(self._try_to_tell(node_messages.Probe(number, sorted(check.players - check.alive.keys()))))

    def probed(self, probe: node_messages.Probe, followers: Iterable[Follower]) -> None:
        """A node, perhaps this one, asks: ping the named players among `followers`."""
        now = asyncio.get_running_loop().time()
        self._probes = [(until, one) for until, one in self._probes if until > now]
        self._probes.append((now + WITHIN, probe))
        for follower in followers:
            self._answer(probe, follower)

    def came(self, follower: Follower) -> None:
        """Ping a new follower for the open checks that name this player. A player gets a seat a moment before they
        follow the room, and a check may begin in between."""
        now = asyncio.get_running_loop().time()
        for until, probe in self._probes:
            if until > now:
                self._answer(probe, follower)

    def _answer(self, probe: node_messages.Probe, follower: Follower) -> None:
        if follower.player_id in probe.players:
            self._do(self._ping(probe.number, follower))

    async def _ping(self, number: str, follower: Follower) -> None:
        if await follower.answers(WITHIN):
            await self._try_to_tell(node_messages.Alive(number, follower.player_id, follower.origin))

    async def _try_to_tell(self, message: node_messages.Probe | node_messages.Alive) -> None:
        with contextlib.suppress(LogUnavailable):  # the check ends without an answer
            await self._tell(message)

    async def _tell(self, message: node_messages.Probe | node_messages.Alive) -> None:
        await self._log.tell(self._room, node_messages.write(message))

    def answered(self, alive: node_messages.Alive) -> None:
        """A player has answered, on this node or another."""
        check = self._checks.get(alive.number)
        if check is not None:
            check.alive[alive.player] = alive.origin
            if check.players <= check.alive.keys():
                check.complete.set()
