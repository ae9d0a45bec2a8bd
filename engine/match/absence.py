"""When a player who is away counts as absent: the slower the game, the later. Pure."""

from typing import Final

from fourfold.engine.match.clock import Control

_MINUTE: Final = 60_000

_PACES: Final = ((10 * _MINUTE, 1), (60 * _MINUTE, 2))
"""The most time that a clock may give at once in milliseconds, and how many times the shortest absence then holds."""

_UNTIMED: Final = 5
"""How many times the shortest absence holds without a clock."""


def absence(control: Control | None, shortest: int) -> int | None:
    """For how many milliseconds a player must be away to count as absent: `shortest` in the fastest games. None if
    nobody ever does, because the game is so slow that its clock decides."""
    if control is None:
        return _UNTIMED * shortest
    most = max(control.base, control.increment, control.delay)
    return next((times * shortest for limit, times in _PACES if most <= limit), None)
