"""Frames for many followers: a bounded number is sent in each turn of the event loop.

Ten thousand watchers must not hold up a game, neither their own nor another of this node. The scheduler serves the
fan-outs of all rooms in turns. Each member gets every frame that was sent since it was added: in order, once.
"""

import asyncio
from collections import deque
from collections.abc import Iterator
from typing import Final, Protocol

from fourfold.protocol import from_server as wire
from fourfold.protocol.codec import Codec

SHARE: Final = 20
"""How many frames are sent to members of fan-outs in one turn of the event loop: some tenths of a millisecond's work.
A move in another room takes several turns, and so waits for several such shares."""


class Encoded(dict[Codec, bytes]):
    """A frame for many followers: its bytes by codec, made when the first follower needs them."""

    __slots__ = ("frame",)

    def __init__(self, frame: wire.Frame) -> None:
        self.frame = frame

    def __missing__(self, codec: Codec) -> bytes:
        self[codec] = data = codec.frame(self.frame)
        return data


class Follower(Protocol):
    """What rooms and the lobby need of a session."""

    @property
    def player_id(self) -> str:
        """The id of the player whose session this is."""
        ...

    def send(self, frame: Encoded) -> None:
        """Take a frame; never block."""
        ...

    def reply(self, frame: wire.Reply, id: int | None) -> None:
        """Take the reply to the request `id`; None if it was not asked for."""
        ...

    async def drained(self) -> None:
        """Wait until the client has read most of what was sent."""
        ...

    @property
    def origin(self) -> str:
        """The address the client connects from; empty for this machine itself."""
        ...

    async def answers(self, seconds: float) -> bool:
        """Whether the client answers a ping within so many seconds."""
        ...


class FanoutScheduler:
    """Serves all fan-outs of a node in turn, a bounded number of frames in each turn of the event loop."""

    def __init__(self, share: int = SHARE) -> None:
        self._share = share
        self._waiting: deque[Fanout] = deque()
        self._turn: asyncio.Handle | None = None

    def add(self, fanout: "Fanout") -> None:
        """Serve a fan-out until nothing in it is pending. It must not be waiting already."""
        self._waiting.append(fanout)
        self._next_turn()

    def stop(self) -> None:
        """Serve nothing more."""
        self._waiting.clear()
        if self._turn is not None:
            self._turn.cancel()
            self._turn = None

    def _next_turn(self) -> None:
        if self._turn is None and self._waiting:
            self._turn = asyncio.get_running_loop().call_soon(self._serve)

    def _serve(self) -> None:
        self._turn = None
        left = self._share
        while left > 0 and self._waiting:
            fanout = self._waiting.popleft()
            left -= fanout.serve(left)
            if fanout.pending:
                self._waiting.append(fanout)  # behind the others, so that a large one does not delay small ones
        self._next_turn()


class Fanout:
    """The followers who are served by shares, and the frames that not all of them have been sent."""

    __slots__ = ("_first", "_frames", "_goal", "_members", "_round", "_scheduler")

    def __init__(self, scheduler: FanoutScheduler) -> None:
        self._scheduler = scheduler
        self._members: dict[Follower, int] = {}  # the number of the next frame for each
        self._frames: list[Encoded] = []
        self._first = 0  # the number of the first of them
        self._round: list[Follower] = []  # who is still to be served before the frames up to `_goal` are dropped
        self._goal = 0

    def __len__(self) -> int:
        return len(self._members)

    def __iter__(self) -> Iterator[Follower]:
        yield from tuple(self._members)

    def __contains__(self, follower: object) -> bool:
        return follower in self._members

    @property
    def pending(self) -> bool:
        """Whether a frame is still kept for members."""
        return bool(self._frames)

    def add(self, follower: Follower) -> None:
        """Send a follower every frame from now on. Changes nothing for a member."""
        self._members.setdefault(follower, self._first + len(self._frames))

    def remove(self, follower: Follower) -> list[Encoded]:
        """Send a follower nothing more; returns the frames that were still to be sent."""
        number = self._members.pop(follower, None)
        return [] if number is None else self._frames[number - self._first :]

    def send(self, frame: Encoded) -> None:
        """Have a frame sent to all members there are now, soon."""
        if self._members:
            if not self._frames:
                self._scheduler.add(self)
            self._frames.append(frame)

    def serve(self, most: int) -> int:
        """Send at most so many frames; returns how many. A visit that sends nothing counts as one."""
        first, end = self._first, self._first + len(self._frames)
        if not self._round:
            self._round = [follower for follower, number in self._members.items() if number < end]
            self._round.reverse()
            self._goal = end
        served = 0
        while self._round and served < most:
            follower = self._round.pop()
            start = self._members.get(follower, end)
            stop = min(end, start + most - served)
            if start < stop:
                self._members[follower] = stop
                for frame in self._frames[start - first : stop - first]:
                    follower.send(frame)
            if stop < end:
                self._round.append(follower)
            served += max(1, stop - start)
        if not self._round:
            del self._frames[: self._goal - first]
            self._first = self._goal
        return max(1, served)
