"""What those without a seat see of a room whose watchers see it late: everything, but some time after the players.

The delay begins with the game: before it, while seats are free, everybody sees the same. It is counted
from when the log took a decision, so that it is the same on every node. A room whose watchers see it
as it happens has none of this.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Collection
from typing import Final, NamedTuple

from fourfold.engine.match import State
from fourfold.server.clock import Clock
from fourfold.server.rooms.audience import Audience, Encoded, Follower


class _Held(NamedTuple):
    due: int
    frame: Encoded
    after: State | None  # the state that the frame leads to, where it leads to one


AHEAD: Final = 2
"""So many versions more than is shown whoever comes may know: the clocks of nodes differ a little."""


class Delay:
    """Holds back what watchers are sent. `shown` is the state that they know; `advanced` is called with the one before,
    when time has brought them on."""

    def __init__(self, audience: Audience, clock: Clock, state: State, advanced: Callable[[State], None]) -> None:
        self.shown = self._latest = state
        self._audience = audience
        self._clock = clock
        self._advanced = advanced
        self._held: deque[_Held] = deque()
        self._early: dict[Follower, int] = {}
        self._timer: asyncio.TimerHandle | None = None

    @property
    def now(self) -> int:
        """The time that watchers see, in milliseconds since 1970: to them, a clock that runs has run less."""
        return self._clock() - self._milliseconds(self.shown)

    @property
    def behind(self) -> bool:
        """Whether something is held back."""
        return bool(self._held)

    @property
    def early(self) -> Collection[Follower]:
        """Those who know more than is shown: they wait until it is."""
        return self._early.keys()

    def hold(self, frame: Encoded, at: int, after: State | None = None) -> None:
        """Send a frame of the time `at` to the watchers when it is due, behind what is held already."""
        self._latest = after or self._latest
        self._held.append(_Held(at + self._milliseconds(self._latest), frame, after))
        if len(self._held) == 1:
            self._release()

    def place(self, follower: Follower, seat: int | None, since: int) -> None:
        """As `Audience.place`, for a follower who knows the version `since`.

        A watcher who becomes a player is sent what was held back. Who knows more than the watchers, such as a
        player who becomes one, gets nothing twice.
        """
        audience = self._audience
        if seat is not None:
            known = self.shown.seq if audience.watches(follower) else self._early.pop(follower, None)
            audience.place(follower, seat)
            if known is not None:
                for held in self._held:
                    if held.after is None or held.after.seq > known:
                        follower.send(held.frame)
        elif since <= self.shown.seq:
            audience.place(follower, None)
        elif not audience.watches(follower):
            audience.leave(follower)
            self._early[follower] = since

    def leave(self, follower: Follower) -> bool:
        """Send it nothing more; whether it was here."""
        return self._early.pop(follower, None) is not None

    def close(self) -> None:
        """Send nothing more."""
        if self._timer is not None:
            self._timer.cancel()

    def _release(self) -> None:
        now = self._clock()
        while self._held and self._held[0].due <= now:
            held = self._held.popleft()
            self._audience.send_to_watchers(held.frame)
            if held.after is not None:
                self.shown = held.after
                for follower in [one for one, since in self._early.items() if since <= self.shown.seq]:
                    del self._early[follower]
                    self._audience.place(follower, None)
        if self._held:
            wait = (self._held[0].due - now) / 1000
            self._timer = asyncio.get_running_loop().call_later(wait, self._go_on)

    def _go_on(self) -> None:
        before = self.shown
        self._release()
        if self.shown is not before:
            self._advanced(before)

    @staticmethod
    def _milliseconds(state: State) -> int:
        """How much later a state is shown: at once, as long as seats are free."""
        return 0 if any(seat.player is None for seat in state.seats) else state.terms.delay
