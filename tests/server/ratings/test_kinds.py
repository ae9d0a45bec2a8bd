"""Kinds of game: which games share a rating."""

import pytest

from fourfold.engine.match.clock import Control
from fourfold.server.ratings.kinds import Kind, kind_of, side_of, speed_of

MINUTE = 60_000
SECOND = 1000


@pytest.mark.parametrize(
    ("control", "speed"),
    [
        (Control(MINUTE, 0, 0), "bullet"),
        (Control(2 * MINUTE, SECOND, 0), "bullet"),
        (Control(3 * MINUTE, 0, 0), "blitz"),
        (Control(3 * MINUTE, 2 * SECOND, 0), "blitz"),
        (Control(3 * MINUTE, 0, 8 * SECOND), "rapid"),
        (Control(10 * MINUTE, 0, 0), "rapid"),
        (Control(15 * MINUTE, 10 * SECOND, 0), "rapid"),
        (Control(30 * MINUTE, 0, 0), "classical"),
        (Control(0, 0, 86_400_000), "classical"),
        (None, "untimed"),
    ],
)
def test_speeds(control: Control | None, speed: str) -> None:
    assert speed_of(control) == speed
    assert kind_of("chess960", 2, control) == Kind("chess960", speed)


def test_among_four_all_speeds_are_one() -> None:
    assert kind_of("ffa", 4, None) == kind_of("ffa", 4, Control(MINUTE, 0, 0)) == Kind("ffa")


def test_partners_sit_opposite() -> None:
    assert [side_of("teams", turn) for turn in range(4)] == [0, 1, 0, 1]
    assert [side_of("ffa", turn) for turn in range(4)] == [0, 1, 2, 3]
