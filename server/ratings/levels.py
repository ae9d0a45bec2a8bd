"""The computer players as rated players. They anchor the rating scale.

Levels 1 to 4 follow rules: they play alike on every machine and with any clock. So their ratings are fixed, at the
values measured in games against each other. tests/bench/FIGURES.md has the shares of points, which correspond to rating
differences. The origin of the scale is set in `standard` by games of level 5 against Stockfish at `UCI_Elo` 1500, and
among four by a choice: 1400 for level 3. Level 5 searches, so its strength depends on its machine and on the clock. It
starts at its measured rating, and is then rated like any player.
"""

import re
from typing import Final

LEVELS: Final = (1, 2, 3, 4, 5)

FIXED: Final = {
    "standard": (240, 460, 990, 1150),
    "survivor": (960, 1020, 1400, 1470),
    "ffa": (100, 930, 1400, 1530),
    "teams": (480, 980, 1400, 1560),
}
"""The ratings of levels 1 to 4 by variant. Variants without measurements use those of `standard`."""

LEVEL_5: Final = {"standard": 1840, "survivor": 1770, "ffa": 1970, "teams": 1810}
"""The initial rating of level 5."""

CERTAIN: Final = 1
"""The deviation of a fixed rating: nearly zero."""

MEASURED: Final = 150
"""The initial deviation of level 5."""

HOUSE: Final = "bot:level"
"""The prefix of the ids of bots that this service has called. The ids of other bots have only one colon."""

_HOUSE: Final = re.compile(HOUSE + "([1-5]):")

_RATED: Final = re.compile(r"level([1-5])")


def level_of(player: str) -> int | None:
    """The level of a bot that this service has called; None for all other players."""
    match = _HOUSE.match(player)
    return None if match is None else int(match[1])


def rated_as(player: str) -> str:
    """The rated name of a player: for all bots of a level the level, such as `level3`, else the player's id."""
    level = level_of(player)
    return player if level is None else f"level{level}"


def rated_level(rated: str) -> int | None:
    """The level with this name from `rated_as`; None for a player."""
    match = _RATED.fullmatch(rated)
    return None if match is None else int(match[1])


def level_name(level: int) -> str:
    """The display name of bots of a level."""
    return f"Level {level}"


def is_fixed(rated: str) -> bool:
    """Whether a rating never changes."""
    level = rated_level(rated)
    return level is not None and level < 5


def start_of(rated: str, variant: str) -> tuple[int, int] | None:
    """The rating and deviation of a level before its first game; None for a player."""
    level = rated_level(rated)
    if level is None:
        return None
    measured = variant if variant in FIXED else "standard"
    return (LEVEL_5[measured], MEASURED) if level == 5 else (FIXED[measured][level - 1], CERTAIN)
