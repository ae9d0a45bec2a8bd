"""Chess clocks: time controls, remaining times and flags, in whole milliseconds. Nothing here reads a clock.

A time control has an *increment* (Fischer: each move adds some), a *delay* (the first part of each turn is free, as is
usual in four-player chess), or neither. A delay with a base time of 0 is a time limit for each move.

A player's clock starts when the log takes the decision that gives them the turn. It stops when the server judges their
move. So the server's own work on the previous move is not charged. Each move gets its network delay back, up to
`LAG_QUOTA`.
"""

from collections.abc import Container
from typing import Final

from fourfold.engine.values import value

LAG_QUOTA: Final = 100
"""The most network delay that a move gets back, in milliseconds."""


@value
class Control:
    """A time control. All times are milliseconds.

    >>> from fourfold.engine.match.clock import Control, start
    >>> clocks = start(Control(60_000, increment=1_000), seats=2).run(since=0)
    >>> clocks.press(seat=0, now=5_000, lag=0)
    Tick(spent=5000, lag=0, gained=1000, left=56000)
    """

    base: int
    """Time for the whole game."""
    increment: int = 0
    """Time that each move adds."""
    delay: int = 0
    """Free time at the start of each turn."""


@value
class Tick:
    """The effect of a move on its player's clock, in milliseconds."""

    spent: int
    """Time taken from the clock. Delay and `lag` are already deducted."""
    lag: int
    """Network delay that was given back."""
    gained: int
    """Time added for the move."""
    left: int
    """Time left after the move."""


@value
class Clocks:
    """The clocks of a game. They never change: each method returns new clocks."""

    control: Control
    """The time control."""
    left: tuple[int, ...]
    """Each seat's remaining milliseconds at `since`."""
    since: int | None = None
    """When the running clock started, in milliseconds since 1970; None if all clocks are stopped."""
    berserk: tuple[tuple[int, int], ...] = ()
    """The seats that have given up half of their time and the increment, each with the time that was left."""

    def press(self, seat: int, now: int, lag: int) -> Tick | None:
        """The effect of a move at `now` by the seat whose clock runs; None if its time was over. `lag` is the
        connection's measured round trip in milliseconds."""
        assert self.since is not None  # a move is made in its player's turn
        elapsed = max(0, now - self.since)
        lag = min(lag, LAG_QUOTA, elapsed)
        spent = max(0, elapsed - lag - self.control.delay)
        if spent and spent >= self.left[seat]:
            return None
        gained = 0 if self.is_berserk(seat) else self.control.increment
        return Tick(spent, lag, gained, self.left[seat] - spent + gained)

    def pressed(self, seat: int, tick: Tick, since: int) -> "Clocks":
        """The clocks after a seat's move. The next seat's clock runs from `since` on."""
        left = list(self.left)
        left[seat] = tick.left
        return Clocks(self.control, tuple(left), since, self.berserk)

    def flag(self, seat: int) -> int | None:
        """When the flag of the seat to move falls, in milliseconds since 1970; None if the clocks are stopped. It
        includes the lag quota, because a move may still be on its way."""
        if self.since is None:
            return None
        return self.since + self.left[seat] + self.control.delay + LAG_QUOTA

    def add(self, seat: int, milliseconds: int) -> "Clocks":
        """The clocks with more time for a seat, or less if `milliseconds` is negative."""
        left = list(self.left)
        left[seat] += milliseconds
        return Clocks(self.control, tuple(left), self.since, self.berserk)

    def run(self, since: int | None) -> "Clocks":
        """The clocks, running from `since` on for the seat to move; stopped if `since` is None."""
        return Clocks(self.control, self.left, since, self.berserk)

    def spent(self, now: int) -> int:
        """The time that the running turn has cost so far, without its delay; 0 if all clocks are stopped."""
        return 0 if self.since is None else max(0, now - self.since - self.control.delay)

    def is_berserk(self, seat: int) -> bool:
        """Whether a seat has given up half of its time and the increment."""
        return any(one == seat for one, _ in self.berserk)

    def halved(self, seat: int, left: int) -> "Clocks":
        """The clocks after a seat has given up half of its time; `left` is the rest."""
        rest = (*self.left[:seat], left, *self.left[seat + 1 :])
        return Clocks(self.control, rest, self.since, (*self.berserk, (seat, left)))

    def without_halves(self, left: tuple[int, ...], moved: Container[int]) -> tuple[int, ...]:
        """The times of an earlier ply, at which the seats in `moved` had moved, without the time that seats have given
        up since."""
        limits = {seat: limit for seat, limit in self.berserk if seat not in moved}
        return tuple(min(time, limits.get(seat, time)) for seat, time in enumerate(left))


def start(control: Control | None, seats: int) -> Clocks | None:
    """The stopped clocks of a new game; None for an untimed game."""
    return None if control is None else Clocks(control, (control.base,) * seats)
