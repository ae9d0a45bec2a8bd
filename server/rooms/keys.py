"""The keys of all commands that a room has carried out, each with the version it led to: eight bytes a decision.

A key is kept as a digest of who used it and what it was, under a secret of this process; that two of a game's few
thousand have the same is not to be expected. The whole game fits in some kilobytes, so that the answer to an old
command that is sent again is never looked for in the log.
"""

from typing import Final

SIZE: Final = 8
"""Bytes of a digest."""


class Keys:
    """The digests in the order of the versions, of which the first is 1."""

    __slots__ = ("_digests",)

    def __init__(self) -> None:
        self._digests = bytearray()

    def __len__(self) -> int:
        """Of how many decisions."""
        return len(self._digests) // SIZE

    def add(self, by: str, key: str) -> None:
        """The next decision was caused by a player's command of this key."""
        self._digests += _digest(by, key)

    def find(self, by: str, key: str) -> int | None:
        """The version that a command led to; None if it was not carried out. The last one, if it was twice."""
        digest = _digest(by, key)
        end = len(self._digests)
        while (place := self._digests.rfind(digest, 0, end)) >= 0:
            if place % SIZE == 0:
                return place // SIZE + 1
            end = place + SIZE - 1  # made of the ends of two others
        return None


def _digest(by: str, key: str) -> bytes:
    return hash((by, key)).to_bytes(SIZE, "little", signed=True)
