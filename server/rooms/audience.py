"""Who follows a room here, and how its frames reach them: players at once, watchers in their turn.

Ten thousand watchers must not hold up a game, be it theirs or another of this node. So a frame goes to
the players before `send` returns, while the watchers stand in line: the node's one `Usher` serves a
bounded number of them, of all rooms together, in each turn of the event loop. Each watcher still gets
every frame that was sent since he came, in order, once.

It knows frames as something to hand on. What they say, and who may see what, is the room's to know.
"""

import asyncio
from collections import deque
from collections.abc import Iterator
from typing import Final, Protocol

from fourfold.protocol import from_server as wire
from fourfold.protocol.codec import Codec

SERVED: Final = 20
"""How many frames go to watchers in one turn of the event loop: some tenths of a millisecond's work. A move in
another room takes several turns, and so waits for several such shares."""


class Encoded:
    """A frame on its way to many: its bytes are made once for each codec."""

    __slots__ = ("_bytes", "frame")

    def __init__(self, frame: wire.Frame) -> None:
        self.frame = frame
        self._bytes: dict[Codec, bytes] = {}

    def to(self, codec: Codec) -> bytes:
        """The frame's bytes in one codec."""
        data = self._bytes.get(codec)
        if data is None:
            data = self._bytes[codec] = codec.encode(self.frame)
        return data


class Follower(Protocol):
    """What a room needs of a session."""

    @property
    def player_id(self) -> str:
        """Whose session it is."""
        ...

    def send(self, frame: Encoded) -> None:
        """Take a frame; never block."""
        ...

    def reply(self, frame: wire.Reply, id: int | None) -> None:
        """Take the answer to the request `id`."""
        ...

    async def drained(self) -> None:
        """Wait until little of what was sent is still unread."""
        ...

    @property
    def origin(self) -> str:
        """The address it comes from; empty for the machine itself, which is nobody's address."""
        ...

    async def answers(self, seconds: float) -> bool:
        """Whether the client is there now: whether it answers within so many seconds."""
        ...


class Usher:
    """Serves the watchers of all rooms of a node, room by room, a bounded number in each turn of the event loop."""

    def __init__(self, most: int = SERVED) -> None:
        self._most = most
        self._waiting: deque[Audience] = deque()
        self._turn: asyncio.Handle | None = None

    def call(self, audience: "Audience") -> None:
        """There is something for this audience's watchers; it has not been called for since it was last served out."""
        self._waiting.append(audience)
        self._next_turn()

    def stop(self) -> None:
        """Serve no more."""
        self._waiting.clear()
        if self._turn is not None:
            self._turn.cancel()
            self._turn = None

    def _next_turn(self) -> None:
        if self._turn is None and self._waiting:
            self._turn = asyncio.get_running_loop().call_soon(self._serve)

    def _serve(self) -> None:
        self._turn = None
        left = self._most
        while left > 0 and self._waiting:
            audience = self._waiting.popleft()
            left -= audience.serve(left)
            if audience.pending:
                self._waiting.append(audience)  # behind the others: a long line does not keep short ones waiting
        self._next_turn()


class Audience:
    """The followers of one room. `players` says which seat each of them holds, or is None for nobody."""

    def __init__(self, usher: Usher) -> None:
        self._usher = usher
        self.players: dict[Follower, int] = {}
        self._places: dict[Follower, int] = {}
        self._line: list[Follower | None] = []  # by place; None: has left
        self._frames: deque[tuple[Encoded, int]] = deque()  # each for those at places before the number
        self._served = 0  # how many places have had the first of the frames

    def __len__(self) -> int:
        return len(self.players) + len(self._places)

    def __iter__(self) -> Iterator[Follower]:
        """Players first."""
        yield from tuple(self.players)
        yield from tuple(self._places)

    @property
    def watchers(self) -> int:
        """How many followers hold no seat."""
        return len(self._places)

    @property
    def pending(self) -> bool:
        """Whether watchers still wait for a frame."""
        return bool(self._frames)

    def watches(self, follower: Follower) -> bool:
        """Whether a follower is with the watchers."""
        return follower in self._places

    def place(self, follower: Follower, seat: int | None) -> None:
        """Put a follower, old or new, with the players at their `seat`, or with the watchers.

        A new one gets every frame sent from now on. A watcher who becomes a player first gets the frames
        he still waited for.
        """
        if seat is None:
            self.players.pop(follower, None)
            if follower not in self._places:
                self._places[follower] = len(self._line)
                self._line.append(follower)
        else:
            for frame in self._step_out(follower):
                follower.send(frame)
            self.players[follower] = seat

    def leave(self, follower: Follower) -> bool:
        """Send it nothing more; whether it was here."""
        here = follower in self.players or follower in self._places
        self.players.pop(follower, None)
        self._step_out(follower)
        return here

    def send(self, frame: Encoded) -> None:
        """Send a frame to all who are here now: to players before this returns, to watchers soon."""
        self.send_to_players(frame)
        self.send_to_watchers(frame)

    def send_to_players(self, frame: Encoded) -> None:
        """Send a frame to the players alone."""
        for follower in self.players:
            follower.send(frame)

    def send_to_watchers(self, frame: Encoded) -> None:
        """Send a frame to the watchers alone."""
        if self._places:
            if not self._frames:
                self._usher.call(self)
            self._frames.append((frame, len(self._line)))

    def serve(self, most: int) -> int:
        """Give the first frame to at most so many places in line (for the `Usher`); returns to how many."""
        frame, end = self._frames[0]
        stop = min(self._served + most, end)
        served = stop - self._served
        for follower in self._line[self._served : stop]:
            if follower is not None:
                follower.send(frame)
        self._served = stop
        if stop == end:
            self._frames.popleft()
            self._served = 0
            if not self._frames and len(self._line) > 2 * len(self._places) + SERVED:
                self._close_ranks()
        return max(served, 1)

    def _step_out(self, follower: Follower) -> list[Encoded]:
        """Take a follower out of the line; returns the frames he still waited for."""
        place = self._places.pop(follower, None)
        if place is None:
            return []
        self._line[place] = None
        if not self._places and not self._frames:
            self._line.clear()
        due = [frame for frame, end in self._frames if place < end]
        return due[1:] if due and place < self._served else due

    def _close_ranks(self) -> None:
        """Forget the places of those who have left. Only while no frame is under way: frames know places."""
        self._line = list(self._places)
        self._places = {follower: place for place, follower in enumerate(self._places)}
