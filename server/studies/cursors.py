"""The viewers of a study and their positions in it, over all nodes.

Each node says which viewers it has (see `replication/node_shares`). Changes within a fraction of a second are sent
together.
"""

import asyncio
from collections.abc import Callable, Collection, Iterable
from typing import Final

import msgspec

from fourfold.protocol.studies import Cursor
from fourfold.server.players.identity import is_bot
from fourfold.server.replication.fanout import Follower
from fourfold.server.replication.log_writer import ignore
from fourfold.server.replication.node_shares import NodeShares
from fourfold.server.storage.event_log import EventLog

PAUSE: Final = 0.25
"""Seconds, at least, between two frames."""

SHOWN: Final = 50
"""How many viewers are shown; all are counted."""


class Stand(msgspec.Struct, array_like=True):
    """A viewer and their position; None before they have sent one."""

    player: str
    name: str
    chapter: int | None = None
    node: int | None = None


class Stands(msgspec.Struct, tag=True):
    """The viewers on one node, at most `SHOWN` of them, and their number. With `ask`, the others reply with theirs.
    `seq` is the version of the study on that node."""

    node: str
    stands: list[Stand]
    count: int
    seq: int
    ask: bool = False


_encoder: Final = msgspec.msgpack.Encoder()
_decoder: Final = msgspec.msgpack.Decoder(Stands)


class Cursors:
    """Calls `changed`, a few times a second at most, when the shown viewers or positions have changed."""

    def __init__(self, study: str, log: EventLog, seq: Callable[[], int], changed: Callable[[], None]) -> None:
        self._node = log.node
        self._shares: NodeShares[Stands] = NodeShares(log, study)
        self._seq = seq
        self._changed = changed
        self._here: dict[Follower, Stand] = {}
        self._told: list[Stand] = []
        self._shown: tuple[list[Stand], int] = ([], 0)
        self._timer: asyncio.TimerHandle | None = None

    def come(self, follower: Follower, name: str) -> None:
        """A viewer has come."""
        before = self._here.get(follower)
        if before is None or before.name != name:
            self._here[follower] = Stand(follower.player_id, name)
            self._soon()

    def stand(self, follower: Follower, chapter: int, node: int) -> None:
        """A viewer looks at a move."""
        before = self._here[follower]
        if (before.chapter, before.node) != (chapter, node):
            # the latest mover goes last, because it counts if a player has several connections
            del self._here[follower]
            self._here[follower] = Stand(before.player, before.name, chapter, node)
            self._soon()

    def go(self, follower: Follower) -> None:
        """A viewer has left."""
        if self._here.pop(follower, None) is not None:
            self._soon()

    def refresh(self) -> None:
        """The writers or the moves may have changed."""
        self._shown = ([], -1)
        self._soon()

    def shown(self, writes: Callable[[str], bool]) -> tuple[list[Cursor], int]:
        """The shown viewers, writers first, and the number of viewers."""
        stands, count = self._all()
        cursors = [
            Cursor(one.player, one.name, one.chapter, one.node, writes(one.player), is_bot(one.player))
            for one in stands
        ]
        cursors.sort(key=lambda one: not one.writes)
        return cursors[:SHOWN], count

    def _all(self) -> tuple[list[Stand], int]:
        mine, shares = _by_player(self._here.values()), self._shares.others.values()
        stands = {one.player: one for share in shares for one in share.stands} | mine
        players = sum(share.count for share in shares) + len(mine)
        others = sum(len(share.stands) for share in shares)
        return list(stands.values()), players - (others + len(mine) - len(stands))

    # -- other nodes --

    def ask(self) -> None:
        """Ask the other nodes for their viewers."""
        self._shares.tell(self._write(ask=True))

    def told(self, message: bytes) -> None:
        """A node, perhaps this one, has sent a message."""
        try:
            share = _decoder.decode(message)
        except msgspec.DecodeError:
            return  # of a newer server
        if self._shares.receive(share.node, share):
            if share.ask:
                self._shares.tell(self._write())
            self._soon()

    def lose(self, nodes: Collection[str]) -> bool:
        """Some nodes have died; returns whether any of them had viewers."""
        lost = self._shares.lose(nodes)
        if lost:
            self._soon()
        return bool(lost)

    def _write(self, *, ask: bool = False) -> bytes:
        """The message with this node's viewers."""
        self._told = mine = list(_by_player(self._here.values()).values())
        return _encoder.encode(Stands(self._node, mine[-SHOWN:], len(mine), self._seq(), ask))

    def _soon(self) -> None:
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(PAUSE, self._now)

    def _now(self) -> None:
        self._timer = None
        if list(_by_player(self._here.values()).values()) != self._told:
            self._shares.tell(self._write())
        shown = self._all()
        if shown != self._shown:
            self._shown = shown
            self._changed()

    def close(self) -> None:
        """Stop sending and calling back."""
        self._changed = ignore
        if self._timer is not None:
            self._timer.cancel()


def _by_player(stands: Iterable[Stand]) -> dict[str, Stand]:
    """Each player once, at the position of their latest move."""
    found: dict[str, Stand] = {}
    for one in stands:
        if one.chapter is not None or one.player not in found:
            found[one.player] = one
    return found
