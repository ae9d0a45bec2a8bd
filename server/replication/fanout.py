"""Frames for many followers: each turn of the event loop sends a bounded number.

Ten thousand watchers must not delay a game, neither their own nor another on this node. The scheduler serves the
fan-outs of all rooms in turn. Each member gets every frame sent since it was added: in order, once.
"""

import asyncio
from collections import deque
from collections.abc import Iterator
from typing import Final, Protocol

from fourfold.protocol import from_server as wire
from fourfold.protocol.codec import Codec
from fourfold.server.yielding_lock import YieldingLock

SHARE: Final = 20
"""How many frames one turn of the event loop sends to members of fan-outs: some tenths of a millisecond of work. A move
in another room takes several turns of the loop, and so waits for several such batches."""


class Encoded(dict[Codec, bytes]):
    """A frame for many followers: its bytes by codec, encoded when the first follower needs them."""

    __slots__ = ("frame",)

    def __init__(self, frame: wire.Frame) -> None:
        self.frame = frame

    def __missing__(self, codec: Codec) -> bytes:
        self[codec] = data = codec.frame(self.frame)
        return data


class Follower(Protocol):
    """The part of a session that rooms and the lobby use. `sessions.session.Session` implements it, in a folder
    above."""

    @property
    def player_id(self) -> str:
        """The id of the player whose session this is."""

    def send(self, frame: Encoded) -> None:
        """Take a frame; never block."""

    def reply(self, frame: wire.Reply, id: int | None) -> None:
        """Take the reply to the request `id`; None if it answers no request."""

    async def drained(self) -> None:
        """Wait until the client has read most of the sent frames."""

    @property
    def origin(self) -> str:
        """The address the client connects from; empty for the server's own machine."""

    async def answers(self, seconds: float) -> bool:
        """Whether the client answers a ping within `seconds`."""


class FanoutScheduler:
    """Serves all fan-outs of a node in turn, a bounded number of frames in each turn of the event loop."""

    def __init__(self, share: int = SHARE) -> None:
        self.slices = YieldingLock()
        """Held while many frames are made for one follower."""
        self._share = share
        self._waiting: deque[Fanout] = deque()
        self._turn: asyncio.Handle | None = None

    def add(self, fanout: "Fanout") -> None:
        """Serve a fan-out until it has no pending frames. The fan-out must not be queued already."""
        self._waiting.append(fanout)
        self._next_turn()

    def stop(self) -> None:
        """Stop serving."""
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
                # to the end of the queue, so that a large fan-out does not delay small ones
                self._waiting.append(fanout)
        self._next_turn()


class Fanout:
    """The followers that are served in batches, and the frames that some of them still need."""

    __slots__ = ("_first", "_frames", "_goal", "_members", "_round", "_scheduler")

    def __init__(self, scheduler: FanoutScheduler) -> None:
        self._scheduler = scheduler
        self._members: dict[Follower, int] = {}  # the number of each follower's next frame
        self._frames: list[Encoded] = []
        self._first = 0  # the number of the first kept frame
        self._round: list[Follower] = []  # members still to serve before the frames up to `_goal` are dropped
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
        """Stop sending to a follower; returns the frames it has not got yet."""
        number = self._members.pop(follower, None)
        return [] if number is None else self._frames[number - self._first :]

    def send(self, frame: Encoded) -> None:
        """Queue a frame for all current members."""
        if self._members:
            if not self._frames:
                self._scheduler.add(self)
            self._frames.append(frame)

    def serve(self, most: int) -> int:
        """Send up to `most` frames; returns how many. A call that sends nothing counts as one."""
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
