"""How often something may be done: so many times in a time window, or so many tokens a second.

Counts are this process's own, and forgotten as soon as they no longer matter.
"""

from collections import deque
from collections.abc import Callable, Hashable
from typing import Any, Final

from fourfold.protocol import from_client as ask
from fourfold.protocol.studies import AddChapters
from fourfold.server.clock import Clock


class SlidingWindow:
    """At most `times` in any `window` milliseconds, for each key."""

    def __init__(self, times: int, window: int, clock: Clock) -> None:
        self._times = times
        self._window = window
        self._clock = clock
        self._done: dict[Hashable, deque[int]] = {}  # those done last are last

    def __len__(self) -> int:
        """How many keys are remembered."""
        return len(self._done)

    def wait(self, key: Hashable) -> int:
        """In how many milliseconds it may be done again; 0 for now."""
        done = self._done.get(key)
        if done is None or len(done) < self._times:
            return 0
        return max(0, done[0] + self._window - self._clock())

    def count(self, key: Hashable) -> None:
        """Count that it is done now."""
        now = self._clock()
        done = self._done.pop(key, None) or deque(maxlen=self._times)
        done.append(now)
        self._done[key] = done
        while (oldest := next(iter(self._done.items())))[1][-1] + self._window <= now:
            del self._done[oldest[0]]

    def forgive(self, key: Hashable) -> None:
        """Discount the last time."""
        done = self._done.get(key)
        if done:
            done.pop()
            if not done:
                del self._done[key]


class TokenBucket:
    """So many tokens a second in the long run, after a burst. Times are in seconds.

    One number is kept: the moment at which the bucket is full again. Each token spent puts it off, and the burst is how
    far ahead of now it may lie.
    """

    __slots__ = ("_cost", "_free_at", "_slack")

    def __init__(self, rate: float, burst: float) -> None:
        self._cost = 1 / rate
        self._slack = (burst - 1) / rate
        self._free_at = 0.0

    def spend(self, now: float) -> float:
        """Spend one token; returns for how long to wait before doing what it is for."""
        wait = max(self._free_at - now - self._slack, 0.0)
        self.charge(now, 1)
        return wait

    def charge(self, now: float, tokens: int) -> None:
        """Spend tokens for what has been done already: what comes next waits for it."""
        self._free_at = max(self._free_at, now) + tokens * self._cost


MOVES: Final = 4
"""How many of the moves that a game begins with cost one token."""

MISSED: Final = 10
"""How many missed decisions, sent to a client that resumes, cost one token."""

WRITTEN: Final = 20
"""How many tokens each game costs that is written for a `download`."""

_COSTS: Final[dict[type[ask.Request], Callable[[Any], int]]] = {
    ask.Create: lambda request: 8 + len(request.moves) // MOVES,
    ask.Check: lambda _: 8,
    ask.Seek: lambda _: 8,
    ask.Review: lambda _: 20,
    ask.Puzzles: lambda _: 100,
    ask.Solve: lambda _: 10,
    ask.Export: lambda _: 40,
    ask.Read: lambda _: 40,
    ask.Variants: lambda _: 4,
    ask.Join: lambda _: 2,
    ask.Watch: lambda _: 2,
    ask.Legal: lambda _: 2,
    ask.Games: lambda request: 20 + request.limit // 2,
    ask.Results: lambda _: 40,
    ask.Download: lambda _: 40,
    ask.Ratings: lambda request: 40 + request.points // 2,
    ask.Leaderboard: lambda _: 40,
    ask.Strengths: lambda request: 10 + len(request.players) // 10,
    ask.Explore: lambda request: 40 + max(len(request.moves), request.ply or 0) // MOVES,
    ask.Analyse: lambda request: 40 + max(len(request.moves), request.ply or 0) // MOVES,
    **dict.fromkeys((ask.Account, ask.Passkey, ask.Oidc, ask.Register, ask.Login, ask.Enroll), lambda _: 40),
    **dict.fromkeys((ask.Recovery, ask.Rename, ask.Administer, ask.Revoke, ask.Grant), lambda _: 40),
    **dict.fromkeys((ask.Moderate, ask.Moderation, ask.Report, ask.Settle), lambda _: 40),
    ask.Rooms: lambda request: 1 + request.limit // 20,
    ask.People: lambda request: 4 + request.limit // 20,
    **dict.fromkeys((ask.Follow, ask.Unfollow, ask.Following), lambda _: 20),
    **dict.fromkeys((ask.Challenge, ask.Answer, ask.Cancel), lambda _: 8),
    ask.Study: lambda _: 40,
    ask.Piece: lambda _: 8,
    ask.Edit: lambda request: 40 if isinstance(request.change, AddChapters) else 4,
    ask.Look: lambda request: 2 + (12 if request.attacks else 4) * len(request.nodes),
    ask.Stand: lambda _: 2,
    ask.Studies: lambda request: 20 + request.limit // 2,
}
"""The cost of requests in tokens; all others cost one. A token stands for up to a tenth of a millisecond of the
server's time. MAX_RATE gives a connection so many a second."""


def cost(request: ask.Request) -> int:
    """How many tokens a request costs. What a `watch` has missed, and what a `download` has written, comes on top once
    it is known."""
    price = _COSTS.get(type(request))
    return 1 if price is None else price(request)
