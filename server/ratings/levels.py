"""The computer players as rated players: they hold the scale where it is.

Levels 1 to 4 follow rules: they play alike on every machine and with any clock. So their ratings are fixed, as they
were measured against each other: tests/bench/FIGURES.md has the shares of points, which are differences on this scale.
Where the scale lies is settled in `standard` by Stockfish at `UCI_Elo` 1500, which level 5 has met, and among four by
a choice: 1400 for level 3. Level 5 searches, so that its strength depends on its machine and on the clock. It begins
at what was measured, and is then rated as anybody is.
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
"""The ratings of levels 1 to 4 by variant. Variants that were not measured have those of `standard`."""

LEVEL_5: Final = {"standard": 1840, "survivor": 1770, "ffa": 1970, "teams": 1810}
"""Where level 5 begins."""

CERTAIN: Final = 1
"""The deviation of a fixed rating: as good as none."""

MEASURED: Final = 150
"""The deviation with which level 5 begins."""

HOUSE: Final = "bot:level"
"""How the ids of bots begin that this service has called; the ids of other bots have one colon only."""

_HOUSE: Final = re.compile(HOUSE + "([1-5]):")

_RATED: Final = re.compile(r"level([1-5])")


def level_of(player: str) -> int | None:
    """The level of a bot that this service has called; None for all other players."""
    match = _HOUSE.match(player)
    return None if match is None else int(match[1])


def rated_as(player: str) -> str:
    """Who is rated for what a player does: for all bots of a level the level, `level3`, else the player."""
    level = level_of(player)
    return player if level is None else f"level{level}"


def rated_level(rated: str) -> int | None:
    """The level that is rated under a name which `rated_as` gave; None for a player."""
    match = _RATED.fullmatch(rated)
    return None if match is None else int(match[1])


def level_name(level: int) -> str:
    """What the bots of a level are called."""
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
