"""Time: what a player may use, what is left, and when a flag falls. Whole milliseconds; no clock is read here.

Three ways to give time: *increment* (Fischer: each move adds some), *delay* (the first part of each turn is
free: the habit of four-player chess), and none. A delay without any time for the game is a limit for each move alone.
A player's clock runs from the moment the log took the decision that gave them the turn, to the moment their move was
judged; the time that the server needs in between is not charged. The network's delay is given back, up to a quota
(`LAG_QUOTA`) for each move.
"""

from typing import Final

from fourfold.engine.values import value

LAG_QUOTA: Final = 100
"""How much of a connection's measured round trip a move is given back at most, in milliseconds."""


@value
class Control:
    """How time is given, in milliseconds: `base` for the game, and for each move an `increment` or a `delay`."""

    base: int
    increment: int = 0
    delay: int = 0


@value
class Tick:
    """What a move did to its player's clock: `spent` was taken, `gained` was added, so much is `left`; `lag` was
    given back before that and is not in `spent`."""

    spent: int
    lag: int
    gained: int
    left: int


@value
class Clocks:
    """The clocks of a game: what each seat had `left` when the one that runs was set going, at `since` (None: none)."""

    control: Control
    left: tuple[int, ...]
    since: int | None = None

    def press(self, seat: int, now: int, lag: int) -> Tick | None:
        """What a move by the running seat costs at `now`; None if its time was over."""
        assert self.since is not None  # a move is made in its player's turn
        elapsed = max(0, now - self.since)
        lag = min(lag, LAG_QUOTA, elapsed)
        spent = max(0, elapsed - lag - self.control.delay)
        if spent and spent >= self.left[seat]:
            return None
        gained = self.control.increment
        return Tick(spent, lag, gained, self.left[seat] - spent + gained)

    def pressed(self, seat: int, tick: Tick, since: int) -> "Clocks":
        """After a seat's move, running for the next seat from a moment on."""
        left = list(self.left)
        left[seat] = tick.left
        return Clocks(self.control, tuple(left), since)

    def flag(self, seat: int) -> int | None:
        """When the running seat's flag falls; the lag quota is waited for, since its move may be on the way."""
        if self.since is None:
            return None
        return self.since + self.left[seat] + self.control.delay + LAG_QUOTA

    def add(self, seat: int, milliseconds: int) -> "Clocks":
        """With so much more (or, negative, less) for a seat."""
        left = list(self.left)
        left[seat] += milliseconds
        return Clocks(self.control, tuple(left), self.since)

    def run(self, since: int | None) -> "Clocks":
        """Running, for whoever is to move, from a moment on; stopped with None."""
        return Clocks(self.control, self.left, since)


def start(control: Control | None, seats: int) -> Clocks | None:
    """The clocks at the start of a game, not running; None for an untimed game."""
    return None if control is None else Clocks(control, (control.base,) * seats)
