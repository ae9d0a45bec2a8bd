"""What each node says of itself: its players, its viewers. The shares of all nodes together are the whole.

Each node sends the others its share when it changes. A node that begins, or may have missed messages, asks for theirs.
When a node dies, its share is dropped. Nothing is stored.
"""

import asyncio
import contextlib
from collections.abc import Collection
from typing import Final, Generic, TypeVar

from fourfold.server.storage.event_log import LogUnavailable, Messages

ANSWER_WITHIN: Final = 0.3
"""Seconds for which a node that asks waits for the shares of the others."""

_S = TypeVar("_S")


class NodeShares(Generic[_S]):
    """The shares of the other nodes. Sends them this node's share."""

    __slots__ = ("_answered", "_answers", "_messages", "_room", "_silent", "others")

    def __init__(self, messages: Messages, room: str) -> None:
        """`room` is the id under which shares are sent."""
        self.others: dict[str, _S] = {}
        """The shares of the other nodes, by their names."""
        self._messages = messages
        self._room = room
        self._silent: frozenset[str] = frozenset()  # nodes that had a share and did not reply
        self._answers: set[str] = set()
        self._answered = asyncio.Event()

    def tell(self, message: bytes) -> None:
        """Send the message with this node's share. While the store is away, it is lost: after an outage all nodes
        ask."""
        self._messages.tell(self._room, message).add_done_callback(_told)

    async def ask(self, message: bytes) -> None:
        """Send a message that requests the shares of the others, and wait briefly for them. Drops the shares of nodes
        that do not reply. Raises `LogUnavailable`."""
        self._answers.clear()
        others = await self._messages.tell(self._room, message) - 1
        with contextlib.suppress(TimeoutError):  # the share of a slow node is used when it arrives
            async with asyncio.timeout(ANSWER_WITHIN):
                while len(self._answers) < others:
                    self._answered.clear()
                    await self._answered.wait()
            silent = self.others.keys() - self._answers
            self._silent |= silent
            for node in silent:
                del self.others[node]  # it has nothing to say any more, or is dead

    def receive(self, node: str, share: _S) -> bool:
        """Store the share of a node. Returns False for this node's own."""
        if node == self._messages.node:
            return False
        self.others[node] = share
        self._silent -= {node}
        self._answers.add(node)
        self._answered.set()
        return True

    def knew(self, nodes: Collection[str]) -> bool:
        """Whether any of these nodes has sent a share. One that no longer replies counts, until it is dead."""
        return not (self._silent | self.others.keys()).isdisjoint(nodes)

    def lose(self, nodes: Collection[str]) -> list[_S]:
        """Some nodes have died: drop their shares, and return them."""
        self._silent -= set(nodes)
        return [self.others.pop(node) for node in sorted(self.others.keys() & set(nodes))]


def _told(future: "asyncio.Future[int]") -> None:
    error = future.exception()
    if error is not None and not isinstance(error, LogUnavailable):
        raise error
