"""What one connection hears of one room: its frames in the order of the log, without gap or repeat.

It knows the order of `seq`. It refuses to know sockets, and what the events mean.
"""

import asyncio
from collections.abc import AsyncIterator
from typing import TypeAlias

from fourfold.protocol.from_server import Presence, Room, Said, Turn, Update, Watchers

RoomFrame: TypeAlias = Room | Update | Turn | Presence | Watchers | Said
"""What a room sends to those who follow it."""


class Following(AsyncIterator[RoomFrame]):
    """The frames of one room, as an async iterator for one reader.

    Begins with the `room` snapshot, or with the first `update` after `since`. Every `update` is the
    next after the one before, across reconnects too. A new snapshot comes after `join`, and where the server's
    store has lost what this client saw: then it counts, though its version may be lower. Frames wait until
    they are read.

    Ends when the room is left or the connection closed; raises what made it impossible to go on.
    """

    def __init__(
        self, room: str, since: int | None = None, password: str | None = None, decided: int | None = None
    ) -> None:
        self.room = room
        self.password = password
        self.seq = since
        """The version of the last snapshot or update taken in; None before the first."""
        self.decided = decided
        """When that version was decided; None if it is not known."""
        self._frames: asyncio.Queue[RoomFrame | BaseException] = asyncio.Queue()

    def __repr__(self) -> str:
        return f"Following({self.room!r}, seq={self.seq})"

    async def __anext__(self) -> RoomFrame:
        frame = await self._frames.get()
        if isinstance(frame, BaseException):
            self._frames.put_nowait(frame)  # the end stays the end
            raise frame
        return frame

    def take(self, frame: RoomFrame) -> bool:
        """Take in a frame from the server; False for one that shows a gap before it, which is not taken."""
        match frame:
            case Room(seq=seq, decided=decided):
                self.seq, self.decided = seq, decided or None
            case Update(seq=seq, time=time) if self.seq is not None:
                if seq <= self.seq:
                    return True
                if seq > self.seq + 1:
                    return False
                self.seq, self.decided = seq, time
            case Update() | Turn() if self.seq is None:
                return True  # the snapshot under way will contain it
            case Turn(seq=seq) if self.seq is not None and seq > self.seq:
                return False
        self._frames.put_nowait(frame)
        return True

    def forget(self) -> None:
        """Start over from a snapshot."""
        self.seq = self.decided = None

    def end(self, reason: BaseException | None = None) -> None:
        """Let the reader have what is there, then stop, or raise the reason."""
        self._frames.put_nowait(reason or StopAsyncIteration())
