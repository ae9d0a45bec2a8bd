"""The time after which a disconnected player counts as absent: the slower the game, the longer. Pure."""

from typing import Final

from fourfold.engine.match.clock import Control

_MINUTE: Final = 60_000

_PACES: Final = ((10 * _MINUTE, 1), (60 * _MINUTE, 2))
"""Multiples of the shortest absence, each with the largest amount of time that a clock may give at once, in
milliseconds."""

_UNTIMED: Final = 5
"""The multiple of the shortest absence for untimed games."""


def absence(control: Control | None, shortest: int) -> int | None:
    """Milliseconds of disconnection after which a player counts as absent. `shortest` is the value for the fastest
    games. None for slow games, in which the clock decides instead."""
    if control is None:
        return _UNTIMED * shortest
    most = max(control.base, control.increment, control.delay)
    return next((times * shortest for limit, times in _PACES if most <= limit), None)
