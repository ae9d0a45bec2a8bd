"""The players in a room, over all nodes: who is online, when absent players left, and how many watch.

Each node says who is here on it (see `replication/node_shares`). The number of watchers is sent at most twice a second,
and only if it has changed by one percent.

The nodes that saw a player leave know the time, and send it with their shares. If a player left before this node opened
the room, the node counts from its own opening, unless another node has known the room for longer: then it adopts that
node's time. A node that may have missed messages starts anew. So a time may be too late but never too early: no player
counts as away for longer than they really are.
"""

import asyncio
from collections.abc import Callable, Collection
from typing import Final, NamedTuple

from fourfold.engine.decisions import Decision
from fourfold.server.replication.log_writer import ignore
from fourfold.server.replication.node_shares import NodeShares
from fourfold.server.rooms import node_messages
from fourfold.server.storage.event_log import EventLog

COUNT_EVERY: Final = 0.5
"""Seconds before a changed number of watchers is sent."""

COUNT_EACH: Final = 0.001
"""Further seconds for each watcher, so that sending the number never costs more than the game."""

REMEMBERED: Final = 64
"""Above this many stored times, those of players without a seat are dropped."""


class _People(NamedTuple):
    players: frozenset[str]
    watchers: int


_NOBODY: Final = _People(frozenset(), 0)


class Presence:
    """Calls `players_changed` at once, and `watchers_changed` when the number has changed enough to send."""

    def __init__(
        self,
        room: str,
        log: EventLog,
        seq: Callable[[], int],
        seated: Callable[[], Collection[str]],
        players_changed: Callable[[], None],
        watchers_changed: Callable[[], None],
    ) -> None:
        self._log = log
        self._shares: NodeShares[_People] = NodeShares(log, room)
        self._seq = seq
        self._seated = seated
        self._left: dict[str, int] = {}
        self._began = log.now()
        self._players_changed = players_changed
        self._watchers_changed = watchers_changed
        self._here = self._told = _NOBODY
        self._told_players: frozenset[str] = frozenset()
        self._seen: frozenset[str] = frozenset()
        self._told_watchers = 0, 0  # the least and the largest number that a follower may have been sent last
        self._timer: asyncio.TimerHandle | None = None

    @property
    def players(self) -> frozenset[str]:
        """The ids of the players who are here."""
        return self._here.players.union(*(share.players for share in self._shares.others.values()))

    @property
    def watchers(self) -> int:
        """The number of watchers."""
        return self._here.watchers + sum(share.watchers for share in self._shares.others.values())

    def watchers_shown(self) -> None:
        """One follower is being sent the number of watchers. If it changes back, `announce` sends it nevertheless."""
        least, largest = self._told_watchers
        self._told_watchers = min(least, self.watchers), max(largest, self.watchers)

    def since(self, player: str) -> int:
        """When an absent player's absence began, in milliseconds since 1970: when they left, or the end of the last
        outage if that is later. Nobody could connect during the outage."""
        outages = self._log.outages()
        return max(self._left.get(player, self._began), outages[-1].end if outages else 0)

    def saw(self, decision: Decision) -> None:
        """A player's command was decided. If they are not here, they left after that."""
        if decision.by and decision.at > self._began:
            self._left[decision.by] = max(decision.at, self._left.get(decision.by, 0))

    def doubt(self) -> None:
        """Messages may have been missed, so the times of absent players are no longer reliable. Call `ask` next."""
        self._began = self._log.now()
        self._left.clear()

    def count(self, players: Collection[str], watchers: int) -> None:
        """Record who is here on this node. `announce` sends it."""
        self._here = _People(frozenset(players), watchers)

    def announce(self) -> None:
        """Send the other nodes this node's share if it has changed, and call the callbacks."""
        self._note_gone()
        if self._here.players != self._told.players:
            self._shares.tell(self._write())
        if self.players != self._told_players:
            self._told_players = self.players
            self._players_changed()
        if self._timer is None and (self._followers_differ or self._nodes_differ):
            pause = max(COUNT_EVERY, self.watchers * COUNT_EACH)
            self._timer = asyncio.get_running_loop().call_later(pause, self._tell_count)

    async def ask(self) -> None:
        """Send the other nodes this node's share, request theirs and wait briefly for them. Raises `LogUnavailable`."""
        await self._shares.ask(self._write(ask=True))
        self.announce()

    def receive(self, here: node_messages.Here) -> None:
        """Another node has sent its share."""
        if not self._shares.receive(here.node, _People(frozenset(here.players), here.watchers)):
            return
        news = {player: at for player, at in here.left.items() if at > self._left.get(player, 0)}
        self._left |= news
        older = here.began is not None and here.began < self._began
        if here.began is not None and older:
            self._began = here.began
        self._note_gone(news)
        if here.ask:
            self._shares.tell(self._write())
        self.announce()
        if news or older:
            self._players_changed()

    def lose(self, nodes: Collection[str]) -> bool:
        """Some nodes have died; returns whether any of them had sent a share."""
        knew = self._shares.knew(nodes)
        lost = self._shares.lose(nodes)
        self.announce()
        if lost:
            self._shares.tell(self._write())  # a node that never got the dead node's share learns when its players left
        return knew

    def close(self) -> None:
        """Stop sending and calling back. So a closed room is freed at once."""
        self._players_changed, self._watchers_changed = ignore, ignore
        if self._timer is not None:
            self._timer.cancel()

    @property
    def _followers_differ(self) -> bool:
        return any(_differ(self.watchers, told) for told in self._told_watchers)

    @property
    def _nodes_differ(self) -> bool:
        return _differ(self._here.watchers, self._told.watchers)

    def _tell_count(self) -> None:
        self._timer = None
        if self._nodes_differ:
            self._shares.tell(self._write())
        if self._followers_differ:
            self._told_watchers = self.watchers, self.watchers
            self._watchers_changed()

    def _note_gone(self, told: Collection[str] = ()) -> None:
        """Note the time for players who have left, except those in `told`, whose time another node has sent."""
        now, seen = self._log.now(), self._seen
        self._seen = self.players
        self._left |= {player: now for player in sorted(seen - self._seen) if player not in told}
        if len(self._left) > REMEMBERED:
            seated = set(self._seated())
            self._left = {player: at for player, at in self._left.items() if player in seated}

    def _write(self, *, ask: bool = False) -> bytes:
        """The message with this node's share. Players on other nodes, as far as this node knows, count as here until
        now. One of those nodes may have died, and then cannot answer for them."""
        self._told = self._here
        elsewhere = dict.fromkeys(sorted(self.players - self._here.players), self._log.now())
        here = node_messages.Here(
            self._log.node,
            sorted(self._here.players),
            self._here.watchers,
            self._seq(),
            ask,
            self._left | elsewhere,
            self._began,
        )
        return node_messages.write(here)


def _differ(count: int, told: int) -> bool:
    return abs(count - told) > told // 100
